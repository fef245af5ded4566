//! What a game begins with: rules for draws, names, a date, and what is refused because it is over or is not one game.

use serde_json::{Value, json};
use tabiya_play::remote::ServerLink;
use tabiya_play::table::{Display, Table};
use tabiya_rules::SplitMix64;
use tabiya_serve::{Client, GameLink};

use crate::harness::{Answer, Served, folder};

/// The sentence of a refusal, which ends once.
#[track_caller]
fn refused(answer: &Answer, says: &str) {
    assert_eq!(answer.status, 422, "{}", answer.body);
    let sentence = answer.json()["error"]
        .as_str()
        .expect("a sentence")
        .to_owned();
    assert!(sentence.contains(says), "{sentence}");
    assert!(sentence.starts_with(char::is_uppercase), "{sentence}");
    assert!(
        sentence.ends_with('.') && !sentence.contains(".."),
        "{sentence}"
    );
}

#[test]
fn positions_are_judged_by_all_rules() {
    let folder = folder();
    let served = Served::start(folder.path());
    let ask = |clock: u32| {
        let fen = format!("3k4/8/8/8/8/8/4R3/4K3%20w%20-%20-%20{clock}%20120");
        served.get(&format!("/api/position?fen={fen}"), &[]).json()
    };
    assert_eq!(ask(99)["status"]["status"], "ongoing");
    assert_eq!(ask(99)["claims"], json!([]));
    assert_eq!(ask(100)["status"]["status"], "ongoing");
    assert_eq!(ask(100)["claims"][0]["rule"], "fifty");
    assert_eq!(ask(100)["outcome"], Value::Null);
    assert_eq!(ask(150)["status"]["status"], "seventy_five_moves");
    assert_eq!(ask(150)["outcome"]["result"], "1/2-1/2");
    assert_eq!(ask(150)["claims"], json!([]));
}

#[test]
fn a_game_that_is_over_does_not_begin() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let begin = |asked: &Value| served.post("/api/games", &[("Authorization", &host)], asked);
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    let long = "3k4/8/8/8/8/8/4R3/4K3 w - - 150 120";
    let fifty = "3k4/8/8/8/8/8/4R3/4K3 w - - 100 120";
    for opponent in ["here", "person", "bot:1"] {
        for fen in [stalemate, long] {
            let asked = json!({ "opponent": opponent, "fen": fen });
            refused(&begin(&asked), "The position is the end of a game");
        }
        let claimed = json!({ "opponent": opponent, "fen": fifty });
        assert_eq!(begin(&claimed).status, 201);
        for draws in ["automatic", "auto"] {
            let automatic = json!({ "opponent": opponent, "fen": fifty, "draws": draws });
            refused(&begin(&automatic), "The position is the end of a game");
        }
    }
    // Whether a game from elsewhere is over depends on the draws that were asked for.
    for pgn in [
        "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *",
        "[FEN \"3k4/8/8/8/8/8/4R3/4K3 w - - 99 120\"]\n\n1. Re3 *",
    ] {
        for opponent in ["person", "bot:1"] {
            let claimed = json!({ "opponent": opponent, "pgn": pgn });
            assert_eq!(begin(&claimed).status, 201);
            let automatic = json!({ "opponent": opponent, "pgn": pgn, "draws": "automatic" });
            refused(&begin(&automatic), "can only be reviewed");
        }
    }
    for pgn in ["1. f3 e5 2. g4 Qh4# 0-1", "1. e4 e5 1-0"] {
        for opponent in ["person", "bot:1"] {
            let asked = json!({ "opponent": opponent, "pgn": pgn });
            refused(&begin(&asked), "can only be reviewed");
        }
        let reviewed = json!({ "opponent": "here", "pgn": pgn });
        assert_eq!(begin(&reviewed).status, 201);
    }
}

/// The game is drawn at the third repetition, on the server, after a restart, in a rematch, and for a client at a terminal.
#[test]
fn draws_can_be_automatic() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let pgn = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 *";
    for asked in [
        json!({ "opponent": "here", "draws": "automatic" }),
        json!({ "opponent": "here", "draws": "automatic", "pgn": pgn }),
    ] {
        let game = served.game(&host, &asked);
        let mut both = served.join(&game, "both");
        let state = both.wait("state");
        assert_eq!(state["draws"], "automatic");
        let played = state["board"]["ply"].as_u64().expect("a ply") as usize;
        for text in "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8".split(' ').skip(played) {
            both.ask(&json!({ "command": "play", "move": text }));
        }
        let over = both.until(|board| !board["outcome"].is_null());
        assert_eq!(over["board"]["outcome"]["reason"], "threefold", "{over}");
        assert_eq!(over["board"]["ply"], 8);

        let link: GameLink = game.links["watch"]
            .as_str()
            .and_then(|link| link.parse().ok())
            .expect("a link");
        let (mut client, joined) = Client::join(&link).expect("the server is there");
        client.listen(std::sync::Arc::new(|_| true));
        let now = tabiya_game::Timestamp::ORIGIN;
        let mut table = Table::new(
            tabiya_game::NewGame::default(),
            Display::Text,
            tabiya_play::opponents::Opponents::default(),
            SplitMix64::new(1),
        );
        table.join(joined, now);
        let outcome = table.session().outcome().expect("it is over here too");
        assert_eq!(outcome.reason(), "threefold");

        both.ask(&json!({ "command": "rematch" }));
        let next = both.wait("next");
        let path = format!("/api/games/{}", next["id"].as_str().expect("an ID"));
        let state = served.get(&path, &[("Authorization", &host)]).json();
        assert_eq!(state["draws"], "automatic");
    }
    let game = served.game(&host, &json!({ "opponent": "here", "draws": "automatic" }));
    served.join(&game, "both").play("e4");
    served.stop();
    let served = Served::start(folder.path());
    let state = served.join(&game, "both").wait("state");
    assert_eq!(state["draws"], "automatic");
    let wrong = json!({ "opponent": "here", "draws": "x" });
    let answer = served.post("/api/games", &[("Authorization", &host)], &wrong);
    refused(&answer, "claim or automatic");
    let state = served.game(&host, &json!({ "opponent": "here" }));
    let state = served.join(&state, "both").wait("state");
    assert_eq!(state["draws"], "claim");
}

#[test]
fn a_pgn_is_one_game_and_keeps_the_names_that_were_given() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let begin = |asked: &Value| served.post("/api/games", &[("Authorization", &host)], asked);
    let two = "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 *\n";
    refused(
        &begin(&json!({ "opponent": "here", "pgn": two })),
        "more than one game",
    );
    refused(
        &begin(&json!({ "opponent": "here", "pgn": "1. e5" })),
        "cannot be played",
    );
    refused(
        &begin(&json!({ "opponent": "here", "pgn": "1. e4 {" })),
        "cannot be read",
    );

    let pgn = "[White \"A\"]\n[Black \"B\"]\n[Date \"1999.01.01\"]\n\n1. e4 *";
    let asked = json!({ "opponent": "bot:1", "name": "Ann", "side": "black", "pgn": pgn });
    let game = served.game(&host, &asked);
    let path = format!("/api/games/{}", game.id);
    let state = served.get(&path, &[("Authorization", &host)]).json();
    let names = &state["names"];
    assert_eq!(names["black"], "Ann");
    assert!(
        names["white"]
            .as_str()
            .is_some_and(|bot| bot.starts_with("Bot 1")),
        "{names}"
    );
    let written = served
        .get(&format!("{path}/pgn"), &[("Authorization", &host)])
        .body;
    assert!(written.contains("[Black \"Ann\"]"), "{written}");
    assert!(written.contains("[Date \"1999.01.01\"]"), "{written}");
}

#[test]
fn the_pgn_of_a_new_game_has_a_date() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    served.join(&game, "both").play("e4");
    let path = format!("/api/games/{}/pgn", game.id);
    let written = served.get(&path, &[("Authorization", &host)]).body;
    let before = tabiya_store::local_time::pgn_date();
    assert!(written.contains("[Date \"2"), "{written}");
    let year = &before[..4];
    assert!(written.contains(&format!("[Date \"{year}.")), "{written}");
    // A game continued from a PGN gets one if it has none.
    for date in ["", "[Date \"????.??.??\"]\n\n"] {
        let asked = json!({ "opponent": "here", "pgn": format!("{date}1. e4 *") });
        let game = served.game(&host, &asked);
        let path = format!("/api/games/{}/pgn", game.id);
        let written = served.get(&path, &[("Authorization", &host)]).body;
        assert!(written.contains(&format!("[Date \"{year}.")), "{written}");
    }
}

#[test]
fn a_fen_that_is_none_is_refused_in_a_sentence() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    for (fen, says) in [("x", "field 1"), ("8/8/8/8/8/8/8/8 w - -", "has no king")] {
        let query = format!("/api/position?fen={}", fen.replace(' ', "%20"));
        let asked = json!({ "opponent": "here", "fen": fen });
        let begun = served.post("/api/games", &[("Authorization", &host)], &asked);
        for answer in [served.get(&query, &[]), begun] {
            refused(&answer, says);
        }
    }
}

/// A message that cannot be read is answered with a sentence that ends once.
#[test]
fn sentences_about_wrong_values_end_once() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let mut both = served.join(&game, "both");
    for request in [
        json!({ "command": "load_position", "start": "x" }),
        json!({ "command": "play", "move": 7 }),
        json!({ "command": "none" }),
    ] {
        both.send(&json!({ "id": 1, "request": request }).to_string());
        let said = both.wait("refused")["sentences"][0].to_string();
        assert!(said.ends_with(".\"") && !said.contains(".."), "{said}");
    }
}
