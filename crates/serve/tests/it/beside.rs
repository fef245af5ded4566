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
        json!({ "command": "better", "node": "100000000" }),
        json!({ "command": "refutation", "node": "100000000" }),
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
    // The game itself stays without help; what is over is looked at in a review.
    for client in [&mut white, &mut black] {
        client.refused(&json!({ "command": "hint" }));
        client.refused(&json!({ "command": "lines", "shown": true }));
    }
    white.ask(&json!({ "command": "review" }));
    let told = white.wait("review");
    assert_eq!(told["nodes"].as_array().map(Vec::len), Some(2));
}

#[test]
fn each_player_reviews_alone_and_the_judgment_is_shared() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "person", "clock": "5+3" }));
    let mut white = served.join(&game, "white");
    let mut black = served.join(&game, "black");
    for client in [&mut white, &mut black] {
        client.wait("state");
    }
    for (at, played) in ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]
        .into_iter()
        .enumerate()
    {
        let client = if at % 2 == 0 { &mut white } else { &mut black };
        client.does(&json!({ "command": "play", "move": played }));
    }
    let bearer = format!("Bearer {}", game.token("white"));
    let pgn = || {
        let path = format!("/api/games/{}/pgn", game.id);
        served.get(&path, &[("Authorization", &bearer)]).body
    };
    assert!(pgn().contains("[TimeControl \"300+3\"]"), "{}", pgn());
    // A client that answers no pings for so long would be dropped.
    drop(black);
    white.ask(&json!({ "command": "judge" }));
    let judged = review(&mut white, |review| review["done"] == true);
    let with_judgment = pgn();
    assert!(with_judgment.contains("[WhiteAccuracy "), "{with_judgment}");
    assert!(
        with_judgment.contains("[TimeControl \"300+3\"]"),
        "{with_judgment}"
    );
    let mut black = served.join(&game, "black");
    black.wait("state");
    white.does(&json!({ "command": "look", "node": judged["nodes"][1]["id"] }));
    white.does(&json!({ "command": "try", "node": judged["nodes"][1]["id"], "move": "c5" }));
    // Black hears nothing of this, begins at the end of the game, and finds what the engine and White have found.
    black.ask(&json!({ "command": "review" }));
    let seen = black.wait("review");
    assert_eq!(seen["at"], seen["nodes"][7]["id"]);
    assert_eq!(seen["done"], true);
    assert_eq!(seen["nodes"].as_array().map(Vec::len), Some(9));
    assert_eq!(seen["nodes"][7]["san"], "Qxf7#");
    // From now on they go separate ways.
    black.does(&json!({ "command": "look", "node": seen["nodes"][2]["id"] }));
    black.does(&json!({ "command": "try", "node": seen["nodes"][2]["id"], "move": "Nf3" }));
    let ask = white.ask(&json!({ "command": "review" }));
    let own = review(&mut white, |review| review["nodes"].is_array());
    assert_eq!(own["nodes"].as_array().map(Vec::len), Some(9), "{ask}");
    let at = own["at"].as_str();
    let here = own["nodes"]
        .as_array()
        .and_then(|nodes| nodes.iter().find(|node| node["id"].as_str() == at));
    assert_eq!(here.map(|node| &node["san"]), Some(&json!("c5")));
}

#[test]
fn a_judgment_goes_on_while_the_page_is_loaded_again() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let pgn =
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 1-0";
    let game = served.game(&host, &json!({ "opponent": "here", "pgn": pgn }));
    let mut player = served.join(&game, "both");
    player.ask(&json!({ "command": "judge" }));
    review(&mut player, |review| review["judging"] == true);
    drop(player);
    let mut player = served.join(&game, "both");
    player.ask(&json!({ "command": "review" }));
    let judged = review(&mut player, |review| review["done"] == true);
    assert_eq!(judged["judged"], judged["of"]);
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
    // The better line and the answer are variations, which are walked like any other.
    let mistake = &judged["nodes"][6]["id"];
    player.ask(&json!({ "command": "better", "node": mistake }));
    let says = |what: &str| {
        let said = json!([what]);
        move |review: &Value| review["sentences"] == said
    };
    let better = review(&mut player, says("Best 3...g6"));
    let nodes = better["nodes"].as_array().expect("nodes");
    let at = nodes.iter().find(|node| node["id"] == better["at"]);
    assert_eq!(at.expect("a node")["san"], "g6");
    assert!(nodes.len() > 12, "{nodes:?}");
    player.refused(&json!({ "command": "better", "node": judged["nodes"][0]["id"] }));
    player.ask(&json!({ "command": "refutation", "node": mistake }));
    let answer = review(&mut player, says("Refutation 4.Qxf7#"));
    assert_eq!(answer["at"], judged["nodes"][7]["id"], "it was played");
    // The game itself is unchanged, and the exported PGN contains the judgment.
    let answer = served.get(
        &format!("/api/games/{}/pgn", game.id),
        &[("Authorization", &host)],
    );
    assert!(
        answer.body.contains("$4") || answer.body.contains("Nf6??"),
        "{}",
        answer.body
    );
    let page = served.get(
        &format!("/api/games/{}/page", game.id),
        &[("Authorization", &host)],
    );
    assert!(page.body.starts_with("<!doctype html>"));
    assert!(
        page.header("content-disposition")
            .is_some_and(|value| value.starts_with("attachment"))
    );
}
