//! Engine help, and who may ask for it.

use serde_json::{Value, json};

use crate::harness::{Client, Served, folder};

/// Everything that an engine can be asked for.
fn wishes() -> Vec<Value> {
    vec![
        json!({ "command": "hint" }),
        json!({ "command": "hint", "review": true }),
        json!({ "command": "lines", "shown": true }),
        json!({ "command": "lines", "shown": true, "review": true }),
        json!({ "command": "review" }),
        json!({ "command": "judge" }),
        json!({ "command": "retry" }),
        json!({ "command": "look", "node": "100000000" }),
        json!({ "command": "try", "node": "100000000", "move": "e4" }),
    ]
}

fn review(client: &mut Client, done: impl Fn(&Value) -> bool) -> Value {
    loop {
        let review = client.wait("review");
        if done(&review) {
            return review;
        }
    }
}

#[test]
fn no_engine_helps_in_a_game_between_two_people_until_it_is_over() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "person" }));
    let mut white = served.join(&game, "white");
    let mut black = served.join(&game, "black");
    let mut watcher = served.join(&game, "watch");
    for client in [&mut white, &mut black, &mut watcher] {
        client.wait("state");
    }
    white.does(&json!({ "command": "play", "move": "e4" }));
    for wish in wishes() {
        for client in [&mut white, &mut black, &mut watcher] {
            client.refused(&wish);
        }
    }
    black.does(&json!({ "command": "resign", "side": "black" }));
    for wish in wishes() {
        watcher.refused(&wish);
    }
    white.ask(&json!({ "command": "review" }));
    let told = white.wait("review");
    assert_eq!(told["nodes"].as_array().map(Vec::len), Some(2));
    // Both players see the same review.
    assert_eq!(black.wait("review")["nodes"][1]["san"], "e4");
}

#[test]
fn a_bot_game_has_hints_and_lines_and_goes_on() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "bot:1" }));
    let mut player = served.join(&game, "white");
    player.wait("state");
    player.ask(&json!({ "command": "hint" }));
    let hinted = loop {
        let advice = player.wait("advice");
        if !advice["hint"].is_null() {
            break advice;
        }
    };
    assert!(hinted["hint"]["from"].is_string() && hinted["hint"]["to"].is_null());
    player.ask(&json!({ "command": "lines", "shown": true }));
    let lines = loop {
        let advice = player.wait("advice");
        if advice["lines"].as_array().map(Vec::len) == Some(3) {
            break advice;
        }
    };
    assert_eq!(
        (lines["ply"].as_u64(), lines["shown"].as_bool()),
        (Some(0), Some(true))
    );
    player.ask(&json!({ "command": "play", "move": "e4" }));
    player.until(|board| board["ply"] == 2);
}

#[test]
fn a_game_is_judged_and_its_mistake_tried_again() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let pgn = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0";
    let game = served.game(&host, &json!({ "opponent": "here", "pgn": pgn }));
    let mut player = served.join(&game, "both");
    player.wait("state");
    player.refused(&json!({ "command": "retry" }));
    player.ask(&json!({ "command": "judge" }));
    let judged = review(&mut player, |review| review["done"] == true);
    assert_eq!(
        (judged["judged"].as_u64(), judged["of"].as_u64()),
        (Some(8), Some(8))
    );
    assert_eq!(judged["nodes"][6]["glyphs"], json!(["??"]));
    assert!(judged["accuracy"]["white"].as_f64() > judged["accuracy"]["black"].as_f64());
    player.ask(&json!({ "command": "retry" }));
    let trying = review(&mut player, |review| {
        review["sentences"] == json!(["Not Nf6."])
    });
    player.refused(&json!({ "command": "try", "node": trying["at"], "move": "Nf6" }));
    player.ask(&json!({ "command": "try", "node": trying["at"], "move": "g6" }));
    let tried = review(&mut player, |review| review["sentences"] == json!(["Best"]));
    assert_eq!(tried["nodes"].as_array().map(Vec::len), Some(9));
    // The game itself is unchanged, and the exported PGN contains the judgment.
    let answer = served.get(&format!("/api/games/{}/pgn", game.id), &[("Cookie", &host)]);
    assert!(
        answer.body.contains("$4") || answer.body.contains("Nf6??"),
        "{}",
        answer.body
    );
    let page = served.get(
        &format!("/api/games/{}/page", game.id),
        &[("Cookie", &host)],
    );
    assert!(page.body.starts_with("<!doctype html>"));
    assert!(
        page.header("content-disposition")
            .is_some_and(|value| value.starts_with("attachment"))
    );
}
