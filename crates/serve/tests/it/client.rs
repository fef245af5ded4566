//! The client for the terminal, over a bad connection.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;
use tabiya_game::{Command, MoveInput, UndoTo};
use tabiya_play::remote::{ServerEvent, ServerLink};
use tabiya_play::request::ServerRequest;
use tabiya_serve::{Client, GameLink};

use crate::harness::{Served, folder};

/// What happens to a connection.
#[derive(Clone, Copy)]
enum Way {
    /// It is passed on to the server.
    Through,
    /// It is closed without an answer.
    ClosedUnanswered,
    /// It is closed in the middle of the answer.
    ClosedHalfway,
    /// It is upgraded, and then closed before the first message, as by a server that is ending.
    ClosedAtOnce,
    /// Something else answers, and closes it.
    AnsweredByAnother(&'static str),
}

/// A proxy in front of a server. The first connection goes the first way, and so on; the last way is for all others.
fn pass_on(
    listener: TcpListener,
    to: std::net::SocketAddr,
    ways: Vec<Way>,
) -> Arc<Mutex<Vec<TcpStream>>> {
    let open = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&open);
    std::thread::spawn(move || {
        for (at, near) in listener.incoming().enumerate() {
            let Ok(mut near) = near else { return };
            let way = ways.get(at).or(ways.last()).copied();
            let Ok(mut far) = TcpStream::connect(to) else {
                return;
            };
            let mut head = [0; 4096];
            let read = near.read(&mut head).unwrap_or(0);
            match way {
                Some(Way::ClosedUnanswered) => continue,
                Some(Way::ClosedHalfway) => {
                    let _ = near.write_all(b"HTTP/1.1 101 Switch");
                    continue;
                }
                Some(Way::AnsweredByAnother(answer)) => {
                    let _ = near.write_all(answer.as_bytes());
                    continue;
                }
                Some(Way::ClosedAtOnce | Way::Through) | None => {}
            }
            far.write_all(&head[..read]).expect("written");
            if let Some(Way::ClosedAtOnce) = way {
                // The head of the answer, and then a close frame instead of the first message.
                let mut answer = Vec::new();
                let mut byte = [0];
                while !answer.ends_with(b"\r\n\r\n") {
                    far.read_exact(&mut byte).expect("an answer");
                    answer.push(byte[0]);
                }
                answer.extend([0x88, 2, 0x03, 0xe9]);
                let _ = near.write_all(&answer);
                continue;
            }
            let mut kept = kept.lock().expect("no panic");
            kept.push(near.try_clone().expect("a stream"));
            drop(kept);
            for (mut from, mut to) in [
                (
                    near.try_clone().expect("a stream"),
                    far.try_clone().expect("a stream"),
                ),
                (far, near),
            ] {
                std::thread::spawn(move || {
                    let _ = std::io::copy(&mut from, &mut to);
                    let _ = to.shutdown(Shutdown::Both);
                });
            }
        }
    });
    open
}

/// The client reconnects, at whatever moment a connection breaks.
#[test]
fn a_connection_that_breaks_while_it_is_made_is_tried_again() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let front = listener.local_addr().expect("an address");
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.public = Some(format!("http://{front}").parse().expect("an address"));
    });
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let ways = vec![
        Way::Through,
        Way::ClosedUnanswered,
        Way::ClosedHalfway,
        Way::ClosedAtOnce,
        Way::Through,
    ];
    let open = pass_on(listener, served.address, ways);
    let link: GameLink = game.links["both"]
        .as_str()
        .and_then(|link| link.parse().ok())
        .expect("a link");
    let (mut client, _) = Client::join(&link).expect("the server is there");
    let (told, hears) = mpsc::channel();
    let told = Mutex::new(told);
    client.listen(Arc::new(move |news| {
        let told = told.lock().expect("no panic");
        told.send(news).is_ok()
    }));
    break_all(&open);
    wait_for_return(&hears);
}

/// What answers for the server for a while, such as the page of a network, does not end the game.
#[test]
fn what_is_no_server_in_between_is_waited_out() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let front = listener.local_addr().expect("an address");
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.public = Some(format!("http://{front}").parse().expect("an address"));
    });
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let ways = vec![
        Way::Through,
        Way::AnsweredByAnother("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nLog in"),
        Way::AnsweredByAnother("220 Welcome\r\n"),
        Way::Through,
    ];
    let open = pass_on(listener, served.address, ways);
    let link: GameLink = game.links["both"]
        .as_str()
        .and_then(|link| link.parse().ok())
        .expect("a link");
    let (mut client, _) = Client::join(&link).expect("the server is there");
    let (told, hears) = mpsc::channel();
    let told = Mutex::new(told);
    client.listen(Arc::new(move |news| {
        let told = told.lock().expect("no panic");
        told.send(news).is_ok()
    }));
    break_all(&open);
    wait_for_return(&hears);
}

/// A player who answers the news of a new connection with a move, as with one that was typed meanwhile, plays it once.
#[test]
fn a_move_on_return_is_sent_once() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let front = listener.local_addr().expect("an address");
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.public = Some(format!("http://{front}").parse().expect("an address"));
    });
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let open = pass_on(listener, served.address, vec![Way::Through]);
    let link: GameLink = game.links["both"]
        .as_str()
        .and_then(|link| link.parse().ok())
        .expect("a link");
    let (client, _) = Client::join(&link).expect("the server is there");
    let client = Arc::new(Mutex::new(client));
    let (told, hears) = mpsc::channel();
    let told = Mutex::new(told);
    let player = Arc::downgrade(&client);
    let listener = Arc::new(move |news| {
        if let (ServerEvent::Joined(_), Some(player)) = (&news, player.upgrade()) {
            let played = Command::Play(MoveInput::Text("e2e4".to_owned()));
            let mut player = player.lock().expect("no panic");
            player.ask(ServerRequest::Command(played), 0);
        }
        let told = told.lock().expect("no panic");
        told.send(news).is_ok()
    });
    client.lock().expect("no panic").listen(listener);
    break_all(&open);
    wait_for_return(&hears);
    let wait = || hears.recv_timeout(Duration::from_secs(30)).expect("news");
    while wait() != ServerEvent::Done {}
    // An answer to a second one would come before this one.
    let undo = Command::Undo(UndoTo::Plies(1));
    let mut asking = client.lock().expect("no panic");
    asking.ask(ServerRequest::Command(undo), 1);
    drop(asking);
    loop {
        match wait() {
            ServerEvent::Done => break,
            ServerEvent::Refused(why) => panic!("it was sent twice: {why:?}"),
            _ => {}
        }
    }
}

/// Breaks the connections that are open.
fn break_all(open: &Mutex<Vec<TcpStream>>) {
    for stream in open.lock().expect("no panic").drain(..) {
        stream.shutdown(Shutdown::Both).expect("open until now");
    }
}

/// Waits until the client has joined again.
fn wait_for_return(hears: &mpsc::Receiver<ServerEvent>) {
    loop {
        match hears.recv_timeout(Duration::from_secs(30)).expect("news") {
            ServerEvent::Joined(_) => break,
            ServerEvent::ShutOut(why) => panic!("it gave up: {why:?}"),
            ServerEvent::State(_)
            | ServerEvent::Presence(_)
            | ServerEvent::Done
            | ServerEvent::Refused(_)
            | ServerEvent::Notice(_)
            | ServerEvent::RematchWanted(_)
            | ServerEvent::Lag(_)
            | ServerEvent::Lost => {}
        }
    }
}

/// A server that lets a client in and then closes, again and again, is asked less and less often.
#[test]
fn a_server_that_closes_every_connection_is_not_asked_without_a_pause() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let front = listener.local_addr().expect("an address");
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.public = Some(format!("http://{front}").parse().expect("an address"));
    });
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let count = Arc::new(AtomicUsize::new(0));
    let (counted, to) = (Arc::clone(&count), served.address);
    std::thread::spawn(move || {
        for mut near in listener.incoming().map_while(Result::ok) {
            counted.fetch_add(1, Ordering::SeqCst);
            let mut far = TcpStream::connect(to).expect("the server is there");
            let mut bytes = [0; 1 << 16];
            let read = near.read(&mut bytes).unwrap_or(0);
            far.write_all(&bytes[..read]).expect("written");
            // The head of the answer and the state, perhaps in several parts.
            let mut answer = Vec::new();
            while !answer.ends_with(b"}") {
                let read = far.read(&mut bytes).unwrap_or(0);
                answer.extend_from_slice(&bytes[..read]);
                let _ = near.write_all(&bytes[..read]);
            }
        }
    });
    let link: GameLink = game.links["both"]
        .as_str()
        .and_then(|link| link.parse().ok())
        .expect("a link");
    let (mut client, _) = Client::join(&link).expect("the server is there");
    client.listen(Arc::new(|_| true));
    std::thread::sleep(Duration::from_secs(3));
    let count = count.load(Ordering::SeqCst);
    assert!((2..=12).contains(&count), "{count} connections");
}

/// A server that sends without end and reads nothing cannot keep the player from leaving.
#[test]
fn a_player_never_waits_for_a_server_that_does_not_read() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let front = listener.local_addr().expect("an address");
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.public = Some(format!("http://{front}").parse().expect("an address"));
    });
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let to = served.address;
    std::thread::spawn(move || {
        for mut near in listener.incoming().map_while(Result::ok) {
            let mut far = TcpStream::connect(to).expect("the server is there");
            let mut bytes = [0; 1 << 16];
            let read = near.read(&mut bytes).unwrap_or(0);
            far.write_all(&bytes[..read]).expect("written");
            let mut answer = Vec::new();
            while !answer.ends_with(b"}") {
                let read = far.read(&mut bytes).unwrap_or(0);
                answer.extend_from_slice(&bytes[..read]);
            }
            let _ = near.write_all(&answer);
            std::thread::spawn(move || {
                let ping = br#"{"type":"ping"}"#;
                let frame = [&[0x81, 15], &ping[..]].concat().repeat(1000);
                while near.write_all(&frame).is_ok() {}
            });
        }
    });
    let link: GameLink = game.links["both"]
        .as_str()
        .and_then(|link| link.parse().ok())
        .expect("a link");
    let (mut client, _) = Client::join(&link).expect("the server is there");
    client.listen(Arc::new(|_| true));
    let begun = Instant::now();
    // More than the system keeps for a connection.
    for _ in 0..32 {
        let long = Command::Play(MoveInput::Text("e".repeat(1 << 20)));
        client.ask(ServerRequest::Command(long), 0);
    }
    client.ask(ServerRequest::Leave, 0);
    drop(client);
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[test]
fn a_client_is_told_how_long_a_message_takes() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.limits.ping = Duration::from_millis(100);
    });
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let link: GameLink = game.links["both"]
        .as_str()
        .and_then(|link| link.parse().ok())
        .expect("a link");
    let (mut client, _) = Client::join(&link).expect("the server is there");
    let (told, hears) = mpsc::channel();
    let told = Mutex::new(told);
    client.listen(Arc::new(move |event| {
        told.lock().expect("no panic").send(event).is_ok()
    }));
    let patience = Duration::from_secs(30);
    while !matches!(
        hears.recv_timeout(patience).expect("an event"),
        ServerEvent::Lag(_)
    ) {}
}

/// What was sent right before the player leaves arrives.
#[test]
fn a_move_before_leaving_arrives() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let link: GameLink = game.links["both"]
        .as_str()
        .and_then(|link| link.parse().ok())
        .expect("a link");
    let (mut client, _) = Client::join(&link).expect("the server is there");
    client.listen(Arc::new(|_| true));
    let played = Command::Play(MoveInput::Text("e2e4".to_owned()));
    client.ask(ServerRequest::Command(played), 0);
    client.ask(ServerRequest::Leave, 1);
    drop(client);
    let path = format!("/api/games/{}", game.id);
    let bearer = format!("Bearer {}", game.token("both"));
    let begun = Instant::now();
    while served.get(&path, &[("Authorization", &bearer)]).json()["board"]["ply"] != 1 {
        assert!(begun.elapsed() < Duration::from_secs(30), "no move");
        std::thread::sleep(Duration::from_millis(50));
    }
}
