//! What one client cannot do to others.

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
            .post("/api/games", &[("Cookie", &host)], &long)
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
    let mut other = served.join(&game, "both");
    other.play("e4");
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
            .get(&format!("/api/games/{}", game.id), &[("Cookie", &host)])
            .status,
        200
    );
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
    // WebSockets count as long as they are open.
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
    // A head that never ends, and a body that never comes.
    let body = format!(
        "POST /api/enter HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
        served.host_name()
    );
    for text in ["GET / HTTP/1.1\r\nHost: x", body.as_str()] {
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
    // It joins, and then takes nothing more.
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
            .get(&format!("/api/games/{}", game.id), &[("Cookie", &host)])
            .json();
        dropped = state["presence"]["watchers"] == 0;
    }
    assert!(dropped, "whoever does not take what is sent is dropped");
    deaf.stream().shutdown(std::net::Shutdown::Both).ok();
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

/// Many bots at once think in as many threads as there are, one game after the other.
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
