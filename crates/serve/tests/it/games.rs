//! Games as players and watchers see them.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Game, Served, folder};

fn people(served: &Served, host: &str) -> Game {
    served.game(
        host,
        &json!({ "opponent": "person", "name": "Ann", "opponent_name": "Ben" }),
    )
}

#[test]
fn a_game_against_a_bot_is_answered_move_by_move() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "bot:1", "side": "white" }));
    let mut player = served.join(&game, "white");
    let state = player.wait("state");
    assert_eq!(
        (state["protocol"].as_u64(), state["you"].as_str()),
        (Some(2), Some("white"))
    );
    assert_eq!(state["players"]["black"], "bot:1");
    assert_eq!(state["board"]["legal"].as_array().map(Vec::len), Some(20));
    player.ask(&json!({ "command": "play", "move": "e2e4" }));
    let answered = player.until(|board| board["ply"] == 2);
    assert_eq!(answered["events"][0]["event"], "moved");
    assert_eq!(answered["moves"].as_array().map(Vec::len), Some(1));
    // Against a bot, moves can be undone and redone.
    player.does(&json!({ "command": "undo", "to": { "plies": 1 } }));
    let state = served
        .get(
            &format!("/api/games/{}", game.id),
            &[("Authorization", &host)],
        )
        .json();
    assert_eq!(
        (state["board"]["ply"].as_u64(), state["you"].as_str()),
        (Some(0), Some("watch"))
    );
    player.does(&json!({ "command": "redo", "plies": 1 }));
    player.does(&json!({ "command": "resign", "side": "white" }));
    let over = served
        .get(
            &format!("/api/games/{}", game.id),
            &[("Authorization", &host)],
        )
        .json();
    assert_eq!(over["board"]["outcome"]["result"], "0-1");
}

#[test]
fn the_rook_of_a_castling_move_is_named() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    for (fen, expected) in [
        ("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1", json!({ "e1g1": "h1" })),
        ("4k3/8/8/8/8/8/8/2K4R w H - 0 1", json!({ "c1h1": "h1" })),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", json!({})),
    ] {
        let game = served.game(&host, &json!({ "opponent": "here", "fen": fen }));
        let state = served.join(&game, "both").wait("state");
        assert_eq!(state["board"]["castling"], expected, "{fen}");
    }
}

#[test]
fn a_bot_that_begins_moves_when_somebody_has_come() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "bot:1", "side": "black" }));
    let mut player = served.join(&game, "black");
    player.until(|board| board["ply"] == 1);
}

#[test]
fn two_people_and_a_watcher_see_the_same_game() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = people(&served, &host);
    let mut white = served.join(&game, "white");
    let state = white.wait("state");
    assert_eq!(
        (
            state["board"]["begun"].as_bool(),
            state["names"]["black"].as_str()
        ),
        (Some(false), Some("Ben"))
    );
    let early = white.refused(&json!({ "command": "play", "move": "e4" }));
    assert_eq!(early["sentences"][0], "Your opponent is not here yet.");
    let mut black = served.join(&game, "black");
    let mut watcher = served.join(&game, "watch");
    assert_eq!(black.wait("state")["board"]["begun"], true);
    watcher.wait("state");
    let started = Instant::now();
    white.play("e4");
    let seen = black.wait("happened");
    let took = started.elapsed();
    assert_eq!(seen["moves"][0]["san"], "e4");
    assert!(took < Duration::from_secs(5), "{took:?}");
    black.play("e5");
    let numbers: Vec<u64> = (0..2)
        .map(|_| {
            watcher.wait("happened")["number"]
                .as_u64()
                .expect("a number")
        })
        .collect();
    assert_eq!(numbers[1], numbers[0] + 1, "without gaps");
}

#[test]
fn nobody_plays_for_others() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = people(&served, &host);
    let (mut white, mut black) = (served.join(&game, "white"), served.join(&game, "black"));
    let mut watcher = served.join(&game, "watch");
    let command = |word: &str, side: &str| json!({ "command": word, "side": side });
    for request in [
        json!({ "command": "play", "move": "e5" }),
        command("resign", "white"),
        command("offer_draw", "white"),
        command("ask_takeback", "white"),
        json!({ "command": "claim" }),
        json!({ "command": "undo", "to": { "plies": 1 } }),
        json!({ "command": "pause" }),
        json!({ "command": "abandon", "winner": "black" }),
        json!({ "command": "abandon", "winner": null }),
        json!({ "command": "adjudicate", "winner": "black" }),
        json!({ "command": "forfeit_on_time", "side": "white" }),
        json!({ "command": "new_game", "game": {} }),
        json!({ "command": "load_position", "start": "4k3/8/8/8/8/8/8/4K2R w K - 0 1" }),
        json!({ "command": "set_tag", "name": "White", "value": "x" }),
        json!({ "command": "comment", "node": null, "text": "x" }),
        json!({ "command": "go_to", "place": "start" }),
        json!({ "command": "tick" }),
    ] {
        black.refused(&request);
        watcher.refused(&request);
    }
    white.play("e4");
    watcher.refused(&json!({ "command": "play", "move": "e5" }));
    // A player cannot accept their own offer.
    white.does(&command("offer_draw", "white"));
    white.refused(&command("accept_draw", "white"));
    white.refused(&command("accept_draw", "black"));
    black.does(&command("accept_draw", "black"));
    let over = white.until(|board| board["outcome"].is_object());
    assert_eq!(over["board"]["outcome"]["reason"], "agreement");
}

#[test]
fn takebacks_need_both() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = people(&served, &host);
    let (mut white, mut black) = (served.join(&game, "white"), served.join(&game, "black"));
    black.wait("state");
    white.play("e4");
    black.refused(&json!({ "command": "undo", "to": { "plies": 1 } }));
    white.does(&json!({ "command": "ask_takeback", "side": "white" }));
    black.does(&json!({ "command": "decline_takeback", "side": "black" }));
    white.does(&json!({ "command": "ask_takeback", "side": "white" }));
    black.does(&json!({ "command": "grant_takeback", "side": "black" }));
    white.until(|board| board["ply"] == 0);
}

#[test]
fn a_client_comes_back_to_exactly_where_the_game_is() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = people(&served, &host);
    let (mut white, mut black) = (served.join(&game, "white"), served.join(&game, "black"));
    white.wait("state");
    let mut board = json!(null);
    for (at, text) in ["e4", "e5", "Nf3", "Nc6", "Bb5"].into_iter().enumerate() {
        if at % 2 == 0 { &mut white } else { &mut black }.play(text);
    }
    let mut moves: Vec<Value> = Vec::new();
    drop(white);
    // Black plays on while White is away; another tab is open all the time.
    let mut tab = served.join(&game, "black");
    let before = tab.wait("state");
    moves.extend(before["moves"].as_array().expect("moves").clone());
    black.play("a6");
    while board["ply"] != 6 {
        let message = tab.wait("happened");
        let from = message["moves_from"].as_u64().expect("a place") as usize;
        moves.truncate(from);
        moves.extend(message["moves"].as_array().expect("moves").clone());
        board = message["board"].clone();
    }
    let mut white = served.join(&game, "white");
    let state = white.wait("state");
    assert_eq!(
        state["moves"],
        Value::from(moves),
        "what is put together is what is there"
    );
    assert_eq!(state["board"]["fen"], board["fen"]);
    // A move that was sent again after the connection was lost is not played twice.
    white.send(
        &json!({ "id": 9, "ply": 4, "request": { "command": "play", "move": "Bb5" } }).to_string(),
    );
    let stale = white.wait("refused");
    assert_eq!(
        stale["sentences"][0],
        "The game has gone on in the meantime."
    );
}

#[test]
fn a_flag_falls_on_the_server() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "person", "clock": "1s" }));
    let mut white = served.join(&game, "white");
    let state = white.wait("state");
    assert_eq!(
        state["board"]["clock"]["running"],
        json!(null),
        "no clock runs before both are here"
    );
    let mut black = served.join(&game, "black");
    let over = black.until(|board| board["outcome"].is_object());
    assert_eq!(over["board"]["outcome"]["reason"], "time");
    assert_eq!(over["board"]["outcome"]["winner"], "black");
    white.refused(&json!({ "command": "play", "move": "e4" }));
}

#[test]
fn a_player_who_stays_away_loses_if_the_other_says_so() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.limits.away = Duration::from_millis(700);
    });
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "person", "clock": "5+3" }));
    let mut white = served.join(&game, "white");
    let black = served.join(&game, "black");
    white.wait("state");
    let claim = json!({ "command": "abandon", "winner": "white" });
    white.refused(&claim);
    drop(black);
    loop {
        let presence = white.wait("presence");
        if presence["claim_in_ms"]["black"] == 0 {
            assert_eq!(presence["here"]["black"], false);
            break;
        }
    }
    white.refused(&json!({ "command": "abandon", "winner": "black" }));
    white.does(&claim);
    let over = served
        .get(
            &format!("/api/games/{}", game.id),
            &[("Authorization", &host)],
        )
        .json();
    assert_eq!(over["board"]["outcome"]["reason"], "abandoned");
    assert_eq!(over["board"]["outcome"]["winner"], "white");
}

#[test]
fn at_one_screen_both_sides_are_played() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let mut both = served.join(&game, "both");
    for text in ["f3", "e5", "g4", "Qh4"] {
        both.play(text);
    }
    let state = served
        .get(
            &format!("/api/games/{}", game.id),
            &[("Authorization", &host)],
        )
        .json();
    assert_eq!(state["board"]["outcome"]["reason"], "checkmate");
}

#[test]
fn a_draw_is_claimed_where_there_is_one() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let mut both = served.join(&game, "both");
    both.refused(&json!({ "command": "claim" }));
    for text in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"] {
        both.play(text);
    }
    both.does(&json!({ "command": "claim", "intended": "Ng8" }));
    let state = served
        .get(
            &format!("/api/games/{}", game.id),
            &[("Authorization", &host)],
        )
        .json();
    assert_eq!(state["board"]["outcome"]["reason"], "threefold");
}

#[test]
fn games_begin_as_they_are_asked_for() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let state = |game: &Game| {
        served
            .get(
                &format!("/api/games/{}", game.id),
                &[("Authorization", &host)],
            )
            .json()
    };
    let pgn = "[White \"A\"]\n[TimeControl \"300\"]\n\n1. e4 e5 2. Nf3 *";
    let game = served.game(&host, &json!({ "opponent": "here", "pgn": pgn }));
    assert_eq!(state(&game)["board"]["ply"], 3);
    // A player whom the PGN does not name gets the usual name.
    let game = served.game(&host, &json!({ "opponent": "bot:1", "pgn": pgn }));
    assert_eq!(state(&game)["names"]["white"], "A");
    let bot = state(&game)["names"]["black"].clone();
    assert!(
        bot.as_str().is_some_and(|name| name.starts_with("Bot 1")),
        "{bot}"
    );
    let game = served.game(
        &host,
        &json!({ "opponent": "here", "fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1" }),
    );
    assert_eq!(state(&game)["start"], "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let game = served.game(&host, &json!({ "opponent": "here", "chess960": 0 }));
    assert_eq!(state(&game)["chess960"], true);
    let game = served.game(&host, &json!({ "opponent": "person", "clock": "24hb24h" }));
    assert_eq!(
        state(&game)["board"]["clock"]["left_ms"]["white"],
        86_400_000
    );
    for wrong in [
        json!({ "opponent": "uci:stockfish" }),
        json!({ "opponent": "human" }),
        json!({ "opponent": "bot:11" }),
        json!({ "opponent": "/bin/sh" }),
        json!({ "engine": "stockfish" }),
        json!({ "clock": "x" }),
        json!({ "fen": "x" }),
        json!({ "pgn": "" }),
        json!({ "pgn": "1. e5" }),
        json!({ "chess960": 960 }),
        json!({ "chess960": 1, "fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1" }),
        json!({ "name": "x".repeat(41) }),
        json!({ "name": "a\u{1b}[2J" }),
        json!([]),
    ] {
        let answer = served.post("/api/games", &[("Authorization", &host)], &wrong);
        assert_eq!(answer.status, 422, "{wrong}: {}", answer.body);
    }
}

/// A game that continues a PGN has the requested clock, whatever clocks the PGN mentions.
#[test]
fn a_game_from_a_pgn_has_the_clock_that_was_asked_for() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let pgn = "[TimeControl \"300\"]\n\n1. e4 {[%clk 0:00:07]} e5 {[%clk 0:00:08]} *";
    let asked = json!({ "opponent": "here", "pgn": pgn, "clock": "10+5" });
    let game = served.game(&host, &asked);
    let mut both = served.join(&game, "both");
    let state = both.wait("state");
    assert_eq!(state["board"]["ply"], 2);
    assert_eq!(state["time"]["white"], "10+5");
    let left = |clock: &Value, side: &str| clock["left_ms"][side].as_u64().unwrap_or(0);
    // The clock is paused, because players look at the position first.
    assert_eq!(state["board"]["paused"], true);
    let clock = &state["board"]["clock"];
    assert_eq!(left(clock, "white"), 600_000, "{clock}");
    assert_eq!(left(clock, "black"), 600_000, "{clock}");
    both.does(&json!({ "command": "resume" }));
    both.play("Nf3");
    served.stop();
    let served = Served::start(folder.path());
    let state = served.join(&game, "both").wait("state");
    let clock = &state["board"]["clock"];
    assert_eq!(clock["running"], "black");
    assert!(left(clock, "white") > 500_000, "{clock}");
    // Two people can neither pause nor resume.
    let asked = json!({ "opponent": "person", "pgn": pgn, "clock": "10+5" });
    let refused = served.post("/api/games", &[("Authorization", &host)], &asked);
    assert_eq!(refused.status, 422, "{}", refused.body);
    let asked = json!({ "opponent": "person", "pgn": pgn });
    assert_eq!(
        served
            .post("/api/games", &[("Authorization", &host)], &asked)
            .status,
        201
    );
}

/// A rematch begins when both players want it, with the colors swapped; watchers are told about it.
#[test]
fn a_rematch_needs_both() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let asked =
        json!({ "opponent": "person", "clock": "5+3", "name": "Ann", "opponent_name": "Bob" });
    let game = served.game(&host, &asked);
    let (mut white, mut black) = (served.join(&game, "white"), served.join(&game, "black"));
    let mut watcher = served.join(&game, "watch");
    let rematch = json!({ "command": "rematch" });
    white.refused(&rematch);
    white.does(&json!({ "command": "resign", "side": "white" }));
    watcher.refused(&rematch);
    white.does(&rematch);
    assert_eq!(black.wait("rematch")["by"], "white");
    // Whoever joins now is told too.
    assert_eq!(served.join(&game, "black").wait("rematch")["by"], "white");
    black.does(&rematch);
    let (next, other) = (white.wait("next"), black.wait("next"));
    assert_eq!(next["id"], other["id"]);
    assert_ne!(next["id"].as_str(), Some(game.id.as_str()));
    assert_ne!(next["token"], other["token"]);
    assert_eq!(watcher.wait("next")["id"], next["id"]);
    let later = served.join(&game, "white").wait("next");
    assert_eq!(
        (&later["id"], &later["joined"]),
        (&next["id"], &json!(true))
    );
    let id = next["id"].as_str().expect("an ID");
    let bearer = format!("Bearer {}", next["token"].as_str().expect("a token"));
    let mut joined = served
        .join_with(id, &[("Authorization", &bearer)])
        .expect("a WebSocket");
    let state = joined.wait("state");
    assert_eq!(state["you"], "black", "the colors are swapped");
    assert_eq!(state["names"]["black"], "Ann");
    assert_eq!(state["time"]["white"], "5+3");
    assert_eq!(state["moves"].as_array().map(Vec::len), Some(0));
}

/// Network delay is not counted, up to a limit. The times compared here are bounds on what the server can have measured, so
/// that the test also passes on a busy machine.
#[test]
fn the_way_through_the_network_is_not_counted_up_to_a_limit() {
    const MAX_LAG: Duration = Duration::from_millis(400);
    let folder = folder();
    let served = Served::with(folder.path(), |config| config.limits.lag = MAX_LAG);
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "person", "clock": "10" }));
    let mut white = served.join(&game, "white");
    // The first ping is answered later than the limit.
    std::thread::sleep(3 * MAX_LAG);
    let earliest = Instant::now();
    let mut black = served.join(&game, "black");
    white.until(|board| board["begun"] == true);
    let begun = Instant::now();
    std::thread::sleep(4 * MAX_LAG);
    let thought = begun.elapsed();
    white.play("e4");
    let latest = earliest.elapsed();
    let left = black.until(|board| board["ply"] == 1)["board"]["clock"]["left_ms"]["white"]
        .as_u64()
        .expect("a clock");
    let counted = Duration::from_secs(600) - Duration::from_millis(left);
    let second = Duration::from_millis(2);
    assert!(
        counted + MAX_LAG + second >= thought,
        "no more than the limit is given: {counted:?} of {thought:?}"
    );
    assert!(
        counted + MAX_LAG <= latest + second,
        "the limit is given: {counted:?} of {latest:?}"
    );
}

/// With a day for each move, every move restores the whole day, players may be away, and the game waits.
#[test]
fn in_a_game_by_correspondence_players_may_be_away() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.limits.away = Duration::ZERO;
        config.limits.idle = Duration::from_millis(50);
    });
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "person", "clock": "24hb24h" }));
    let (mut white, black) = (served.join(&game, "white"), served.join(&game, "black"));
    white.wait("state");
    white.play("e4");
    drop(black);
    loop {
        let presence = white.wait("presence");
        if presence["here"]["black"] == false {
            assert_eq!(presence["claim_in_ms"]["black"], json!(null));
            break;
        }
    }
    white.refused(&json!({ "command": "abandon", "winner": "white" }));
    drop(white);
    served.stop();
    let served = Served::start(folder.path());
    let mut black = served.join(&game, "black");
    let board = black.wait("state")["board"].clone();
    assert_eq!(board["ply"], 1);
    assert_eq!(board["clock"]["left_ms"]["white"], 86_400_000);
    let left = board["clock"]["left_ms"]["black"]
        .as_u64()
        .expect("a clock");
    assert!((86_000_000..=86_400_000).contains(&left), "{left}");
    served.join(&game, "white").wait("state");
    black.play("e5");
}
