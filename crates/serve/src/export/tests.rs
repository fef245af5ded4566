use tabiya_game::pgn;

use super::html;

fn page(text: &str) -> String {
    let game = pgn::games(text.as_bytes()).next().expect("a game");
    html(&game.record)
}

/// Whatever a game says, the page has the same elements.
#[test]
fn nothing_in_a_game_becomes_a_part_of_the_page() {
    let attack = "</script><script>alert(1)</script><img src=x onerror=alert(1)>--><!--{{script}}{{data}}'\\\"";
    let hostile = page(&format!(
        "[White \"{0}\"]\n[Event \"{0}\"]\n[Annotator \"\u{202e}{0}\"]\n\n1. e4 {{ {0} }} (1. d4 {{ {0} }}) 1... e5 *",
        attack
            .replace(['{', '}'], "")
            .replace('\\', "")
            .replace('"', "\\\"")
    ));
    let plain = page(
        "[White \"a\"]\n[Event \"b\"]\n[Annotator \"c\"]\n\n1. e4 { d } (1. d4 { e }) 1... e5 *",
    );
    for element in [
        "<script",
        "</script>",
        "<img",
        "<!--",
        "<style",
        "<meta",
        "</noscript>",
    ] {
        let count = |text: &str| text.matches(element).count();
        assert_eq!(count(&hostile), count(&plain), "{element}");
    }
    assert!(!hostile.contains('\u{202e}'));
    // It is there, as text.
    assert!(hostile.contains("&lt;script&gt;alert(1)"));
    assert!(hostile.contains("\\u003cscript\\u003ealert(1)"));
}

#[test]
fn the_policy_names_exactly_the_script_and_the_style_of_the_page() {
    let text = page("1. e4 *");
    let part = |from: &str, to: &str| {
        let (_, rest) = text.split_once(from).expect("a beginning");
        rest.split_once(to).expect("an end").0.to_owned()
    };
    let script = part("<script type=\"module\">", "</script>");
    let style = part("<style>", "</style>");
    let policy = part("Content-Security-Policy\" content=\"", "\">");
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    assert!(policy.contains(&format!("script-src 'sha256-{}';", super::digest(&script))));
    assert!(policy.contains(&format!("style-src 'sha256-{}';", super::digest(&style))));
    assert!(!policy.contains("unsafe"));
    for foreign in ["http://", "https://", "url(/"] {
        let body = text.replace(&style, "");
        assert!(!body.contains(foreign), "{foreign}");
    }
}

/// 60 moves, each with an evaluation, a comment and arrows, and a line of eight moves beside every third.
#[test]
fn an_annotated_game_of_60_moves_is_small() {
    let mut text = String::new();
    let tour = [("Nf3", "Nf6"), ("Ng1", "Ng8")];
    for number in 1..=60 {
        let (white, black) = tour[(number - 1) % 2];
        let note = "{[%eval 0.25,22] [%cal Ge2e4,Rd1h5] [%csl Ye4] Better was the plan with the pawns, as before.}";
        text.push_str(&format!("{number}. {white}?! {note} "));
        if number % 3 == 0 {
            text.push_str(&format!("({number}. e4 e5 Bc4 Bc5 Qe2 Qe7 d3 d6) "));
        }
        text.push_str(&format!("{number}... {black} {note} "));
    }
    text.push('*');
    let game = pgn::games(text.as_bytes()).next().expect("a game");
    assert!(game.errors.is_empty(), "{:?}", game.errors.first());
    assert!(game.record.len() > 250, "{}", game.record.len());
    let page = html(&game.record);
    assert!(page.len() <= 150_000, "{} bytes", page.len());
}
