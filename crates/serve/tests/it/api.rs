//! The interface for programs.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Served, folder};

#[test]
fn games_are_read_and_played_over_http() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let bearer = format!("Bearer {}", game.token("both"));
    let auth = [("Authorization", bearer.as_str())];
    let path = format!("/api/games/{}", game.id);
    let moves = format!("{path}/moves");
    // A player who uses HTTP counts as present.
    let played = served.post(&moves, &auth, &json!({ "move": "e4" }));
    assert_eq!(played.status, 200, "{}", played.body);
    assert_eq!(played.json()["board"]["ply"], 1);
    let illegal = served.post(&moves, &auth, &json!({ "move": "e4" }));
    assert_eq!(illegal.status, 409);
    assert_eq!(illegal.json()["refusal"]["refusal"], "move");
    let stale = served.post(&moves, &auth, &json!({ "move": "e5", "ply": 0 }));
    assert_eq!(stale.status, 409);
    let squares = json!({ "move": { "from": "e7", "to": "e5", "promotion": null } });
    assert_eq!(served.post(&moves, &auth, &squares).status, 200);
    let fen = served.get(&format!("{path}/fen"), &auth);
    assert_eq!(
        fen.body,
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    );
    let pgn = served.get(&format!("{path}/pgn"), &auth);
    assert!(pgn.body.contains("1. e4 e5 *"), "{}", pgn.body);
    let resigned = served.post(
        &format!("{path}/requests"),
        &auth,
        &json!({ "command": "resign", "side": "white" }),
    );
    assert_eq!(resigned.json()["board"]["outcome"]["result"], "0-1");
}

/// The sentence about a wrong value ends once.
#[test]
fn a_clock_that_is_none_is_refused_in_one_sentence() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let asked = json!({ "opponent": "here", "clock": "5x3" });
    let refused = served.post("/api/games", &[("Authorization", &host)], &asked);
    assert_eq!(refused.status, 422, "{}", refused.body);
    let sentence = refused.json()["error"].to_string();
    assert!(sentence.contains("no time control"), "{sentence}");
    assert!(!sentence.contains(".."), "{sentence}");
}

/// The lines of the events of a game, until the server ends them.
fn stream(served: &Served, id: &str, bearer: &str) -> impl Iterator<Item = String> {
    let mut stream = TcpStream::connect(served.address).expect("a connection");
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .expect("a timeout");
    let head = format!(
        "GET /api/games/{id}/events HTTP/1.1\r\nHost: {}\r\nAuthorization: {bearer}\r\n\r\n",
        served.host_name(),
    );
    stream.write_all(head.as_bytes()).expect("written");
    let lines = BufReader::new(stream).lines();
    lines.map(|line| line.expect("read"))
}

#[test]
fn what_happens_is_streamed() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let bearer = format!("Bearer {}", game.token("both"));
    let mut lines = stream(&served, &game.id, &bearer);
    let mut next = || -> Value {
        loop {
            let line = lines.next().expect("a line");
            if let Some(data) = line.strip_prefix("data: ") {
                return serde_json::from_str(data).expect("JSON");
            }
        }
    };
    while next()["type"] != "state" {}
    let path = format!("/api/games/{}/moves", game.id);
    served.post(
        &path,
        &[("Authorization", &bearer)],
        &json!({ "move": "e4" }),
    );
    loop {
        let message = next();
        if message["type"] == "happened" && message["board"]["ply"] == 1 {
            assert_eq!(message["moves"][0]["uci"], "e2e4");
            break;
        }
    }
}

/// A player who only listens cannot be heard, so they count as away after a while without a request, and are back with the
/// next one.
#[test]
fn a_player_on_a_stream_is_heard_by_requests() {
    const AWAY: Duration = Duration::from_secs(2);
    let folder = folder();
    let served = Served::with(folder.path(), |config| config.limits.away = AWAY);
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "person", "clock": "10" }));
    let mut white = served.join(&game, "white");
    let bearer = format!("Bearer {}", game.token("black"));
    let _listening = stream(&served, &game.id, &bearer);
    white.until(|board| board["begun"] == true);
    let path = |end: &str| format!("/api/games/{}{end}", game.id);
    let authorized = [("Authorization", bearer.as_str())];
    let claim = json!({ "command": "abandon", "winner": "white" });
    let mut is_here = |wanted: bool| {
        let begun = Instant::now();
        while white.wait("presence")["here"]["black"] != wanted {}
        begun.elapsed()
    };
    // Whoever asks for something now and then stays.
    let begun = Instant::now();
    while begun.elapsed() < 2 * AWAY {
        assert_eq!(served.get(&path("/fen"), &authorized).status, 200);
        std::thread::sleep(AWAY / 4);
    }
    let took = is_here(false);
    assert!(took > AWAY / 4 && took < 5 * AWAY, "{took:?}");
    assert_eq!(served.get(&path("/fen"), &authorized).status, 200);
    is_here(true);
    is_here(false);
    let away = Instant::now();
    white.refused(&claim);
    assert!(away.elapsed() < AWAY);
    std::thread::sleep(AWAY + AWAY / 4);
    white.does(&claim);
}

/// Whoever reads with the session of the host reads no longer than the session lasts. Others go on, and hear that the server
/// is there while nothing happens.
#[test]
fn a_stream_ends_with_its_session() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.limits.ping = Duration::from_millis(100);
    });
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let player = format!("Bearer {}", game.token("both"));
    let is_state = |line: &String| line.contains(r#""type":"state""#);
    let is_sign = |line: &String| line.starts_with(':');
    let mut watched = stream(&served, &game.id, &host);
    let mut played = stream(&served, &game.id, &player);
    for lines in [&mut watched, &mut played] {
        assert!(lines.any(|line| is_state(&line)));
        assert_eq!(lines.filter(is_sign).take(3).count(), 3);
    }
    let everywhere = json!({ "everywhere": true });
    let ended = served.post("/api/session/end", &[("Authorization", &host)], &everywhere);
    assert_eq!(ended.status, 200);
    let begun = Instant::now();
    for _ in watched {
        assert!(begun.elapsed() < Duration::from_secs(20), "it goes on");
    }
    // More than may have been on their way.
    assert_eq!(played.filter(is_sign).take(30).count(), 30);
}

/// Whoever watches with the session of the host is sent away soon after it has ended, however rare the pings are.
#[test]
fn a_session_that_ends_closes_what_is_open_within_two_seconds() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.limits.ping = Duration::from_secs(60);
    });
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let headers = [("Authorization", host.as_str())];
    let mut watcher = served.join_with(&game.id, &headers).expect("a WebSocket");
    watcher.wait("state");
    let mut lines = stream(&served, &game.id, &host);
    assert!(lines.any(|line| line.contains(r#""type":"state""#)));
    let mut player = served.join(&game, "both");
    let ended = served.post("/api/session/end", &headers, &json!({}));
    assert_eq!(ended.status, 200);
    let begun = Instant::now();
    while watcher.next().is_some() {}
    // The length of the last chunk.
    assert!(lines.any(|line| line == "0"));
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(2), "{took:?}");
    player.play("e4");
}

#[test]
fn positions_are_described() {
    let folder = folder();
    let served = Served::start(folder.path());
    let start = served.get("/api/position", &[]).json();
    assert_eq!(start["legal"].as_array().map(Vec::len), Some(20));
    assert_eq!(start["status"]["status"], "ongoing");
    let mate = served.get(
        "/api/position?fen=rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR%20w%20KQkq%20-%201%203",
        &[],
    );
    assert_eq!(mate.json()["status"]["winner"], "black");
    let named = served.get(
        "/api/position?fen=rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR%20w%20KQkq%20-%200%202",
        &[],
    );
    assert_eq!(named.json()["opening"]["name"], "Sicilian Defense");
    assert_eq!(served.get("/api/position?fen=x", &[]).status, 422);
}

#[test]
fn levels_and_versions_are_told() {
    let folder = folder();
    let served = Served::start(folder.path());
    let about = served.get("/api/about", &[]).json();
    assert_eq!(about["levels"].as_array().map(Vec::len), Some(10));
    assert_eq!(
        (about["protocol"].as_u64(), about["host"].as_bool()),
        (Some(2), Some(false))
    );
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let bearer = format!("Bearer {}", game.token("watch"));
    let path = format!("/api/games/{}/socket", game.id);
    for offered in ["tabiya.1", "tabiya.3, x", "tabiya.20"] {
        let headers = [
            ("Authorization", bearer.as_str()),
            ("Sec-WebSocket-Protocol", offered),
        ];
        let answer = served.get(&path, &headers);
        assert_eq!(answer.status, 400, "another version is refused: {offered}");
    }
    for path in [
        "/nothing",
        "/pieces/xx.svg",
        "/pieces/..%2f..%2fetc%2fpasswd",
        "/script/app.js/x",
    ] {
        assert_eq!(served.get(path, &[]).status, 404, "{path}");
    }
    assert_eq!(served.request("DELETE", "/api/games", &[], "").status, 405);
}
