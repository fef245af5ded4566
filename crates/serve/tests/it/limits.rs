//! Limits: what one client cannot do to others, and what all together cannot do to the server.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Served, folder};

#[test]
fn long_messages_and_bodies_are_refused() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let mut client = served.join(&game, "both");
    client.wait("state");
    client.send(&format!(
        "{{\"id\":1,\"request\":\"{}\"}}",
        "x".repeat(9000)
    ));
    while client.next().is_some() {}
    let long = json!({ "opponent": "here", "pgn": " ".repeat(300_000) });
    assert_eq!(
        served
            .post("/api/games", &[("Authorization", &host)], &long)
            .status,
        413
    );
    let head = format!(
        "GET / HTTP/1.1\r\nHost: {}\r\nX: {}\r\n\r\n",
        served.host_name(),
        "x".repeat(100_000)
    );
    let answer = served.raw(head.as_bytes());
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 4"),
        "{answer}"
    );
    // Others do not notice.
    assert_eq!(served.get("/api/about", &[]).status, 200);
}

#[test]
fn messages_that_are_none_are_answered() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let mut client = served.join(&game, "both");
    for text in [
        "",
        "x",
        "{}",
        "[]",
        "null",
        "{\"request\":{}}",
        "{\"request\":{\"command\":\"x\"}}",
        "{\"id\":-1,\"request\":{\"command\":\"tick\"}}",
    ] {
        client.send(text);
        client.wait("refused");
    }
    client.play("e4");
    client.binary(&[0, 1, 2]);
    while client.next().is_some() {}
}

#[test]
fn whoever_sends_too_much_is_dropped() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| config.limits.messages = 20);
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let mut client = served.join(&game, "both");
    for _ in 0..100 {
        client.ask(&json!({ "command": "tick" }));
    }
    while client.next().is_some() {}
    let other = served.game(&host, &json!({ "opponent": "here" }));
    served.join(&other, "both").play("e4");
    // After a moment, the player is let in again.
    std::thread::sleep(Duration::from_secs(3));
    served.join(&game, "both").play("e4");
}

#[test]
fn requests_are_counted_for_each_link() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| config.limits.requests = 5);
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "person" }));
    let path = format!("/api/games/{}/requests", game.id);
    let ask = |role: &str| {
        let bearer = format!("Bearer {}", game.token(role));
        let headers = [("Authorization", bearer.as_str())];
        served
            .post(&path, &headers, &json!({ "command": "tick" }))
            .status
    };
    let statuses: Vec<u16> = (0..50).map(|_| ask("white")).collect();
    assert!(statuses.contains(&429), "{statuses:?}");
    assert_eq!(ask("black"), 409, "another link has its own");
    assert_eq!(
        served
            .get(
                &format!("/api/games/{}", game.id),
                &[("Authorization", &host)]
            )
            .status,
        200
    );
    // Requests that only read are counted as well, and so are the host's.
    let bearer = format!("Bearer {}", game.token("black"));
    for (path, headers) in [
        ("", ("Authorization", bearer.as_str())),
        ("/pgn", ("Authorization", bearer.as_str())),
        ("/fen", ("Authorization", bearer.as_str())),
        ("/page", ("Authorization", bearer.as_str())),
    ] {
        let path = format!("/api/games/{}{path}", game.id);
        let statuses: Vec<u16> = (0..50)
            .map(|_| served.get(&path, &[headers]).status)
            .collect();
        assert!(statuses.contains(&429), "{path}: {statuses:?}");
    }
    let statuses: Vec<u16> = (0..50)
        .map(|_| served.get("/api/games", &[("Authorization", &host)]).status)
        .collect();
    assert!(statuses.contains(&429), "{statuses:?}");
    // Requests without a token do not count as the host's.
    let nobody = served.get("/api/games", &[]);
    assert_eq!(nobody.status, 401);
}

/// All requests together have a limit. A moment later, requests are answered again.
#[test]
fn requests_of_all_kinds_are_counted_in_all() {
    for path in ["/", "/style.css", "/api/about", "/api/position", "/nothing"] {
        let folder = folder();
        let served = Served::with(folder.path(), |config| config.limits.requests_in_all = 10);
        let statuses: Vec<u16> = (0..100).map(|_| served.get(path, &[]).status).collect();
        assert_ne!(statuses[0], 503, "{path}");
        assert!(statuses.contains(&503), "{path}: {statuses:?}");
        let start = Instant::now();
        while served.get(path, &[]).status == 503 {
            assert!(start.elapsed() < Duration::from_secs(20), "{path}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

/// When all clients together send too many messages, some are refused, but nobody is disconnected for what others do.
#[test]
fn messages_of_all_clients_are_counted() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.limits.messages = 1_000;
        config.limits.messages_in_all = 10;
    });
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let mut loud = served.join(&game, "both");
    let mut other = served.join(&game, "both");
    let tick = json!({ "command": "pause" });
    for _ in 0..200 {
        loud.ask(&tick);
    }
    let busy = loop {
        let refused = loud.wait("refused");
        let said = refused["sentences"][0].as_str().expect("a sentence");
        if said.contains("busy") {
            break refused;
        }
    };
    assert_ne!(busy["id"], 0, "it is said which message was refused");
    // After a moment, the other client's requests are carried out, on the same connection.
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < Duration::from_secs(20));
        let id = other.ask(&json!({ "command": "offer_draw", "side": "white" }));
        let answer = loop {
            let message = other.next().expect("the connection stays");
            if message["id"] == id {
                break message;
            }
        };
        if answer["type"] == "done" {
            break;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn new_games_are_counted() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| config.limits.new_games = 5);
    let host = served.enter();
    let statuses: Vec<u16> = (0..20)
        .map(|_| {
            let asked = json!({ "opponent": "here" });
            let answer = served.post("/api/games", &[("Authorization", &host)], &asked);
            answer.status
        })
        .collect();
    assert_eq!(statuses[0], 201);
    assert!(statuses.contains(&503), "{statuses:?}");
}

/// A game has one rematch, however often it is requested.
#[test]
fn a_game_has_one_rematch() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let mut both = served.join(&game, "both");
    both.does(&json!({ "command": "resign", "side": "white" }));
    for _ in 0..20 {
        both.ask(&json!({ "command": "rematch" }));
    }
    let first = both.wait("next");
    both.ask(&json!({ "command": "rematch" }));
    assert_eq!(both.wait("next")["id"], first["id"]);
    let listed = served.get("/api/games", &[("Authorization", &host)]).json();
    assert_eq!(listed["games"].as_array().map(Vec::len), Some(2));
}

/// A game that was read from disk again has the same rematch as before.
#[test]
fn a_game_has_one_rematch_also_after_a_restart() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "bot:1" }));
    let mut white = served.join(&game, "white");
    white.does(&json!({ "command": "resign", "side": "white" }));
    white.ask(&json!({ "command": "rematch" }));
    let first = white.wait("next");
    served.stop();
    let served = Served::start(folder.path());
    let mut white = served.join(&game, "white");
    let known = white.wait("next");
    assert_eq!(known["id"], first["id"]);
    assert_eq!(known["token"], first["token"]);
    white.ask(&json!({ "command": "rematch" }));
    assert_eq!(white.wait("next")["id"], first["id"]);
    let listed = served.get("/api/games", &[("Authorization", &host)]).json();
    assert_eq!(listed["games"].as_array().map(Vec::len), Some(2));
}

/// One guest who plays rematch after rematch alone has to wait after a few, in every game of the row, and takes nothing from the
/// host: games that are over give way.
#[test]
fn rematches_in_a_row_are_slowed_and_leave_room_for_others() {
    const AT_ONCE: u32 = 5;
    let resign = json!({ "command": "resign", "side": "white" });
    for (asked, role) in [("bot:1", "white"), ("here", "both")] {
        let folder = folder();
        let served = Served::with(folder.path(), |config| {
            config.limits.rematches = AT_ONCE;
            config.limits.games = 3;
        });
        let host = served.enter();
        // A game gives way once the server has noticed that whoever watched it left.
        let begin = || {
            let asked = json!({ "opponent": "here" });
            let since = Instant::now();
            while served
                .post("/api/games", &[("Authorization", &host)], &asked)
                .status
                != 201
            {
                assert!(since.elapsed() < Duration::from_secs(10), "no room");
                std::thread::sleep(Duration::from_millis(50));
            }
        };
        let game = served.game(&host, &json!({ "opponent": asked }));
        let begun = Instant::now();
        let (mut id, mut token) = (game.id.clone(), game.token(role));
        let (mut count, mut refusals) = (0, 0);
        while refusals < 2 {
            assert!(count < 50, "{count} rematches in {:?}", begun.elapsed());
            let bearer = format!("Bearer {token}");
            let mut guest = served
                .join_with(&id, &[("Authorization", &bearer)])
                .expect("a WebSocket");
            let state = guest.wait("state");
            let side = match state["you"].as_str() {
                Some("black") => json!({ "command": "resign", "side": "black" }),
                _ => resign.clone(),
            };
            guest.does(&side);
            let next = loop {
                let request = guest.ask(&json!({ "command": "rematch" }));
                let answer = loop {
                    let message = guest.next().expect("an answer");
                    if message["type"] == "next"
                        || message["id"] == request && message["type"] == "refused"
                    {
                        break message;
                    }
                };
                if answer["type"] == "next" {
                    break answer;
                }
                let said =
                    "Too many rematches in a short time. Ask for one again in a few seconds.";
                assert_eq!(answer["sentences"], json!([said]));
                refusals += 1;
                if refusals == 1 {
                    begin();
                }
                std::thread::sleep(Duration::from_millis(6_000));
            };
            count += 1;
            id = next["id"].as_str().expect("an ID").to_owned();
            token = next["token"].as_str().expect("a token").to_owned();
        }
        begin();
        let most = AT_ONCE + 1 + (begun.elapsed().as_secs() / 5) as u32;
        assert!((AT_ONCE..=most).contains(&count), "{count}, not {most}");
    }
}

#[test]
fn tries_to_enter_are_counted() {
    let folder = folder();
    let served = Served::start(folder.path());
    let statuses: Vec<u16> = (0..60)
        .map(|_| {
            served
                .post("/api/enter", &[], &json!({ "token": "0".repeat(32) }))
                .status
        })
        .collect();
    assert!(statuses.contains(&429), "{statuses:?}");
}

#[test]
fn connections_are_limited_and_come_free_again() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| config.limits.connections = 5);
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    // WebSockets count while they are open.
    let clients: Vec<_> = (0..5).map(|_| served.join(&game, "watch")).collect();
    let answer =
        served.raw(format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", served.host_name()).as_bytes());
    assert_eq!(answer, "", "one too many is closed at once");
    drop(clients);
    let start = Instant::now();
    while served.get("/api/about", &[]).status != 200 {
        assert!(start.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn slow_requests_are_ended() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.limits.patience = Duration::from_millis(500);
    });
    // A head that never ends, and a body that never arrives.
    let body = format!(
        "POST /api/enter HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
        served.host_name()
    );
    let whole = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", served.host_name());
    // No request at all, and nothing after the first request.
    for text in ["GET / HTTP/1.1\r\nHost: x", body.as_str(), "", &whole] {
        let mut stream = TcpStream::connect(served.address).expect("a connection");
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .expect("a timeout");
        stream.write_all(text.as_bytes()).expect("written");
        let mut answer = String::new();
        let start = Instant::now();
        let _ = stream.read_to_string(&mut answer);
        assert!(
            start.elapsed() < Duration::from_secs(15),
            "it is closed: {answer}"
        );
    }
}

#[test]
fn slow_clients_are_dropped_and_others_do_not_wait() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.limits.waiting_messages = 4;
        config.limits.messages = 1_000_000;
        config.limits.patience = Duration::from_secs(2);
    });
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    // It joins, and then reads nothing.
    let deaf = served.join(&game, "watch");
    let mut quick = served.join(&game, "both");
    let start = Instant::now();
    let mut dropped = false;
    while !dropped && start.elapsed() < Duration::from_secs(60) {
        for _ in 0..100 {
            quick.play("Nf3");
            quick.play("Nf6");
            quick.does(&json!({ "command": "undo", "to": { "plies": 2 } }));
        }
        let state = served
            .get(
                &format!("/api/games/{}", game.id),
                &[("Authorization", &host)],
            )
            .json();
        dropped = state["presence"]["watchers"] == 0;
    }
    assert!(dropped, "whoever does not take what is sent is dropped");
    deaf.stream().shutdown(std::net::Shutdown::Both).ok();
}

/// A client that requests much and reads nothing is disconnected.
#[test]
fn whoever_takes_no_answer_is_dropped() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.limits.connections = 1;
        config.limits.patience = Duration::from_millis(500);
    });
    let mut deaf = TcpStream::connect(served.address).expect("a connection");
    deaf.set_write_timeout(Some(Duration::from_secs(1)))
        .expect("a timeout");
    let request = format!(
        "GET /script/game.js HTTP/1.1\r\nHost: {}\r\n\r\n",
        served.host_name()
    );
    // Far more than the buffers of the system can hold.
    for _ in 0..2_000 {
        if deaf.write_all(request.as_bytes()).is_err() {
            break;
        }
    }
    let start = Instant::now();
    while served.get("/api/about", &[]).status != 200 {
        assert!(start.elapsed() < Duration::from_secs(20), "it is dropped");
        std::thread::sleep(Duration::from_millis(50));
    }
    drop(deaf);
}

#[test]
fn a_game_has_so_many_clients_and_no_more() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| config.limits.clients_of_game = 2);
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let clients = [served.join(&game, "watch"), served.join(&game, "watch")];
    let bearer = format!("Bearer {}", game.token("watch"));
    assert_eq!(
        served
            .join_with(&game.id, &[("Authorization", &bearer)])
            .err(),
        Some(503)
    );
    drop(clients);
}

/// Many bots share a fixed number of threads, one search after the other.
#[test]
fn engines_have_a_fixed_number_of_threads() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| config.limits.engine_threads = 1);
    let host = served.enter();
    let games: Vec<_> = (0..20)
        .map(|_| served.game(&host, &json!({ "opponent": "bot:1" })))
        .collect();
    let mut players: Vec<_> = games
        .iter()
        .map(|game| served.join(game, "white"))
        .collect();
    for player in &mut players {
        player.ask(&json!({ "command": "play", "move": "e4" }));
    }
    for player in &mut players {
        player.until(|board| board["ply"] == 2);
    }
}
