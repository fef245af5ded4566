//! Clients that send or hold far more than they should, at the cost of nobody else.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Game, Served, folder};

/// A new connection gives a player no new messages; the others can go on.
#[test]
fn a_reconnection_is_no_way_to_send_more() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.limits.messages = 20;
        // So many that one player alone cannot take them all.
        config.limits.messages_in_all = 100;
    });
    let host = served.enter();
    let loud = served.game(&host, &json!({ "opponent": "here" }));
    let quiet = served.game(&host, &json!({ "opponent": "here" }));
    let mut player = served.join(&quiet, "both");
    player.wait("state");
    let mut answered = 0;
    for _ in 0..30 {
        let mut client = served.join(&loud, "both");
        for _ in 0..30 {
            client.ask(&json!({ "command": "tick" }));
        }
        while let Some(message) = client.next() {
            answered += u32::from(message["type"] == "refused");
        }
    }
    // Twenty, and two a second after that.
    assert!(answered < 100, "{answered} of 900 messages were taken");
    player.play("e4");
}

/// Whoever only watches takes nothing from those who play, however often they come back.
#[test]
fn watchers_do_not_keep_players_from_moving() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| config.limits.messages_in_all = 50);
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let mut player = served.join(&game, "both");
    player.wait("state");
    for _ in 0..5 {
        let mut watcher = served.join(&game, "watch");
        for _ in 0..50 {
            let refused = watcher.refused(&json!({ "command": "pause" }));
            assert_eq!(refused["sentences"][0], "You are watching this game.");
        }
    }
    player.play("e4");
}

/// The stream of a WebSocket, after its handshake.
fn raw_socket(served: &Served, game: &Game) -> TcpStream {
    let mut stream = TcpStream::connect(served.address).expect("a connection");
    let wait = Some(Duration::from_secs(20));
    stream.set_read_timeout(wait).expect("a timeout");
    stream.set_write_timeout(wait).expect("a timeout");
    let head = format!(
        "GET /api/games/{}/socket HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        game.id,
        served.host_name(),
        game.token("watch")
    );
    stream.write_all(head.as_bytes()).expect("written");
    let mut answer = Vec::new();
    let mut byte = [0];
    while !answer.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).expect("an answer");
        answer.push(byte[0]);
    }
    assert!(answer.starts_with(b"HTTP/1.1 101"));
    stream
}

/// A message that never ends, in fragments without content, is ended by the server.
#[test]
fn empty_fragments_are_counted() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let mut stream = raw_socket(&served, &game);
    // The first fragment of a text, and then empty ones; each has a mask.
    stream
        .write_all(&[0x01, 0x80, 0, 0, 0, 0])
        .expect("written");
    let fragments = [0x00, 0x80, 0, 0, 0, 0].repeat(1_000);
    let start = Instant::now();
    let mut sent = 0;
    while start.elapsed() < Duration::from_secs(60) {
        match stream.write_all(&fragments) {
            Ok(()) => sent += fragments.len(),
            Err(error) => {
                let closed = [ErrorKind::BrokenPipe, ErrorKind::ConnectionReset];
                assert!(closed.contains(&error.kind()), "{error}");
                // What was counted, and what the buffers of the system hold.
                assert!(sent < 64 << 20, "{sent} bytes");
                assert_eq!(served.get("/api/about", &[]).status, 200);
                return;
            }
        }
    }
    panic!("{sent} bytes were taken, and more would be");
}

/// The memory of this process, in bytes.
#[cfg(target_os = "linux")]
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").expect("this system tells");
    let pages: usize = pages
        .split(' ')
        .nth(1)
        .and_then(|text| text.parse().ok())
        .expect("a number");
    pages * 4096
}

/// Runs a test of this file in a process of its own, because other tests take memory too. Returns whether this is that
/// process.
#[cfg(target_os = "linux")]
fn runs_alone(test: &str) -> bool {
    const ALONE: &str = "TABIYA_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let program = std::env::current_exe().expect("a program");
    let run = std::process::Command::new(program)
        .args([&format!("floods::{test}"), "--exact", "--nocapture"])
        .env(ALONE, "1")
        .output()
        .expect("a process");
    let said = String::from_utf8_lossy(&run.stdout) + String::from_utf8_lossy(&run.stderr);
    println!("{said}");
    assert!(run.status.success() && said.contains("1 passed"));
    false
}

/// A game with so many plies, and two more.
#[cfg(target_os = "linux")]
fn long_game(served: &Served, host: &str, plies: usize) -> Game {
    let moves = ["Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "].into_iter().cycle();
    let pgn = moves.take(plies).collect::<String>() + "e4 e5 *";
    served.game(host, &json!({ "opponent": "here", "pgn": pgn }))
}

/// Clients that ask for a long game as a page, all at once, and read nothing.
#[cfg(target_os = "linux")]
#[test]
fn slow_readers_of_pages_take_little_memory() {
    const READERS: usize = 150;
    const LIMIT: usize = 8 << 20;
    if !runs_alone("slow_readers_of_pages_take_little_memory") {
        return;
    }
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.limits.answer_bytes = LIMIT;
        // The readers wait for each other's pages, which a busy machine makes slowly.
        config.limits.patience = Duration::from_secs(300);
    });
    let host = served.enter();
    let game = long_game(&served, &host, 19_000);
    let path = format!("/api/games/{}/page", game.id);
    let authorized = [("Authorization", host.as_str())];
    let length = served.get(&path, &authorized).body.len();
    assert!((2 << 20..LIMIT).contains(&length), "{length} bytes");
    let before = resident();
    let head = format!(
        "GET {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: {host}\r\n\r\n",
        served.host_name()
    );
    let ask = |_| {
        let mut stream = TcpStream::connect(served.address).expect("a connection");
        stream.write_all(head.as_bytes()).expect("written");
        stream
    };
    let mut readers: Vec<_> = (0..READERS).map(ask).collect();
    let (mut answered, mut refused) = (0, 0);
    for stream in &mut readers {
        let mut begin = [0; 12];
        stream.read_exact(&mut begin).expect("an answer");
        match &begin {
            b"HTTP/1.1 200" => answered += 1,
            b"HTTP/1.1 503" => refused += 1,
            other => panic!("{}", String::from_utf8_lossy(other)),
        }
    }
    let grown = resident().saturating_sub(before) >> 20;
    println!("{answered} slow readers, and {refused} that have to wait: {grown} MiB");
    assert!(answered > 0);
    assert!(grown < 150, "{grown} MiB");
    assert_eq!(served.get("/api/about", &[]).status, 200);
    drop(readers);
    let begun = Instant::now();
    while served.get(&path, &authorized).status != 200 {
        assert!(begun.elapsed() < Duration::from_secs(20), "still refused");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// An answer for which there is no room is refused; a shorter one is not.
#[test]
fn answers_that_are_not_read_are_limited() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| config.limits.answer_bytes = 1024);
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let path = |name: &str| format!("/api/games/{}{name}", game.id);
    let authorized = [("Authorization", host.as_str())];
    assert_eq!(served.get(&path("/fen"), &authorized).status, 200);
    // It has more than a kibibyte.
    let page = served.get(&path("/page"), &authorized);
    assert_eq!(page.status, 503);
    let error = "The server is busy. Try again in a moment.";
    assert_eq!(page.json()["error"], error);
    assert_eq!(served.get(&path("/fen"), &authorized).status, 200);
}

/// Many clients that join a long game and read nothing hold only a piece of it each.
#[cfg(target_os = "linux")]
#[test]
fn slow_readers_of_a_long_game_take_little_memory() {
    const READERS: usize = 200;
    if !runs_alone("slow_readers_of_a_long_game_take_little_memory") {
        return;
    }
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = long_game(&served, &host, 12_000);
    let before = resident();
    let readers: Vec<_> = (0..READERS).map(|_| raw_socket(&served, &game)).collect();
    // All have joined when the last one is counted.
    let path = format!("/api/games/{}", game.id);
    let joined = served.get(&path, &[("Authorization", &host)]).json();
    assert_eq!(joined["presence"]["watchers"], READERS);
    let grown = resident().saturating_sub(before) >> 20;
    drop(readers);
    println!("{READERS} slow readers: {grown} MiB");
    // Twice what it is. The whole game would be more than three for each.
    assert!(grown < 55, "{grown} MiB for {READERS} readers");
}
