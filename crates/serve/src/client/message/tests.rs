use tabiya_play::remote::ServerEvent;

use super::{Mirror, ParsedMessage};

const STATE: &str = r#"{"type":"state","protocol":2,"number":3,"id":"0123456789abcdef","you":"white",
    "start":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","chess960":false,
    "names":{"white":"A\u001b[2Jnn","black":"Bob"},"players":{"white":"human","black":"human"},
    "time":{"white":"5+3","black":"5+3"},"moves":[{"san":"e4","uci":"e2e4","fen":"x"}],
    "board":{"ply":1,"offer":null,"takeback":null,"outcome":null,"paused":false,"begun":true,
        "clock":{"left_ms":{"white":300000,"black":300000},"running":"black","delay_ms":0}},
    "presence":{"here":{"white":true,"black":false},"watchers":0,"claim_in_ms":{"white":null,"black":5000}}}"#;

#[test]
fn a_state_is_read_and_its_names_are_safe_to_show() {
    let ParsedMessage::Event(ServerEvent::Joined(joined)) = Mirror::default().receive(STATE) else {
        panic!("a game");
    };
    let moves: Vec<String> = joined.state.moves.iter().map(ToString::to_string).collect();
    assert_eq!(moves, ["e2e4"]);
    let name = joined.game.tags.get("White").expect("a name");
    assert!(!name.contains('\u{1b}'), "{name:?}");
}

/// However a message is damaged, parsing it neither panics nor yields text that acts on a terminal.
#[test]
fn damaged_messages_do_no_harm() {
    for at in 0..STATE.len() {
        for sign in ["", "9", "\"", "{", "-", "\u{1b}"] {
            let Some((before, after)) = STATE.split_at_checked(at) else {
                continue;
            };
            let rest: String = after.chars().skip(1).collect();
            let mut mirror = Mirror::default();
            mirror.receive(STATE);
            if let ParsedMessage::Event(ServerEvent::Joined(joined)) =
                mirror.receive(&format!("{before}{sign}{rest}"))
            {
                for (_, value) in joined.game.tags.iter() {
                    assert!(!value.contains('\u{1b}'));
                }
            }
        }
    }
}

#[test]
fn messages_that_do_not_follow_each_other_are_nonsense() {
    let happened = r#"{"type":"happened","number":5,"events":[],"sentences":[],"moves_from":1,"moves":[],
        "board":{"ply":1,"offer":null,"takeback":null,"outcome":null,"paused":false,"begun":true,
        "clock":{"left_ms":{"white":300000,"black":300000},"running":"black","delay_ms":0}}}"#;
    let mut mirror = Mirror::default();
    mirror.receive(STATE);
    assert!(matches!(mirror.receive(happened), ParsedMessage::Nonsense));
    let next = happened.replace("\"number\":5", "\"number\":4");
    assert!(matches!(
        mirror.receive(&next),
        ParsedMessage::Event(ServerEvent::State(_))
    ));
    for ply in ["2", "4294967295"] {
        let mut mirror = Mirror::default();
        let ahead = STATE.replace("\"ply\":1", &format!("\"ply\":{ply}"));
        assert!(matches!(mirror.receive(&ahead), ParsedMessage::Nonsense));
        mirror.receive(STATE);
        let ahead = next.replace("\"ply\":1", &format!("\"ply\":{ply}"));
        assert!(matches!(mirror.receive(&ahead), ParsedMessage::Nonsense));
    }
    let no_move = STATE.replace("\"e2e4\"", r#""\u001b[2J""#);
    assert!(matches!(
        Mirror::default().receive(&no_move),
        ParsedMessage::Nonsense
    ));
    let beyond = next
        .replace("\"moves_from\":1", "\"moves_from\":9")
        .replace("\"number\":4", "\"number\":5");
    assert!(matches!(mirror.receive(&beyond), ParsedMessage::Nonsense));
    assert!(matches!(
        mirror.receive(r#"{"type":"of_later"}"#),
        ParsedMessage::Nothing
    ));
    assert!(matches!(
        mirror.receive(r#"{"type":"next","id":"../../etc","token":"00"}"#),
        ParsedMessage::Nonsense
    ));
}
