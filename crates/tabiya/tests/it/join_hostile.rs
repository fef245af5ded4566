//! `tabiya play --join` and a server that sends far too much, or what is no game: the program stays small, listens to its
//! user, and ends.

#![cfg(all(unix, feature = "serve"))]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::saves::Home;
use crate::serve::Served;
use crate::support::spawn;

const PATIENCE: Duration = Duration::from_secs(60);

/// A server that lets a client in as a real one does, and then goes its own way.
struct Hostile {
    link: String,
    /// The real server.
    _served: Served,
    /// What `act` returned for each connection.
    done: Receiver<usize>,
}

/// A connection on which the hostile server does what it likes.
struct Victim {
    stream: TcpStream,
    /// The first message of the real server.
    state: Value,
}

impl Victim {
    /// Sends a message. Returns whether it was taken.
    fn send(&mut self, message: &str) -> bool {
        let mut frame = vec![0x81, 127];
        frame.extend((message.len() as u64).to_be_bytes());
        frame.extend(message.as_bytes());
        self.stream.write_all(&frame).is_ok()
    }
}

impl Hostile {
    fn start(home: &Home, act: impl Fn(Victim) -> usize + Send + 'static) -> Hostile {
        let served = Served::start(home);
        let host = served.enter();
        let made = served.post("/api/games", &host, &json!({ "opponent": "here" }));
        let link = made["links"]["both"].as_str().expect("a link");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let front = listener.local_addr().expect("an address");
        let link = link.replace(&served.base, &front.to_string());
        let (told, done) = channel();
        let real = served.base.clone();
        thread::spawn(move || {
            for near in listener.incoming() {
                // A client that is gone again needs nothing.
                let Some(victim) = let_in(near.expect("a connection"), &real, front) else {
                    continue;
                };
                if told.send(act(victim)).is_err() {
                    return;
                }
            }
        });
        Hostile {
            link,
            _served: served,
            done,
        }
    }
}

/// Passes the handshake on to the real server, and reads its first message.
fn let_in(mut near: TcpStream, real: &str, front: SocketAddr) -> Option<Victim> {
    let mut far = TcpStream::connect(real).ok()?;
    let head = head_of(&mut near)?;
    let asked = head.replace(&front.to_string(), real);
    far.write_all(asked.as_bytes()).ok()?;
    let answer = head_of(&mut far)?;
    near.write_all(answer.as_bytes()).ok()?;
    near.set_write_timeout(Some(Duration::from_secs(5))).ok()?;
    loop {
        let mut head = [0; 2];
        far.read_exact(&mut head).ok()?;
        let mut length = [0; 8];
        let bytes = match head[1] {
            126 => 2,
            127 => 8,
            small => {
                length[7] = small;
                0
            }
        };
        far.read_exact(&mut length[8 - bytes..]).ok()?;
        let mut content = vec![0; u64::from_be_bytes(length) as usize];
        far.read_exact(&mut content).ok()?;
        if head[0] != 0x81 {
            // A ping.
            continue;
        }
        let state: Value = serde_json::from_slice(&content).ok()?;
        if state["type"] == "state" {
            return Some(Victim {
                stream: near,
                state,
            });
        }
    }
}

fn head_of(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    String::from_utf8(head).ok()
}

/// Waits for the end, and kills a program that does not end.
#[track_caller]
fn ends(child: &mut Child) -> Option<i32> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            return status.code();
        }
        if begun.elapsed() > PATIENCE {
            child.kill().expect("it is killed");
            panic!("it does not end");
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// While nobody reads the output, the events of the server are not read either, instead of filling the memory. As soon as
/// somebody does, `quit` takes its turn among them.
#[test]
fn a_flood_neither_fills_the_memory_nor_keeps_the_user_away() {
    const MESSAGES: usize = 100_000;
    for form in ["--json", "--line"] {
        let home = Home::new("join-flood");
        let hostile = Hostile::start(&home, |mut victim| {
            let state = victim.state.to_string();
            assert!(victim.send(&state));
            let sentences = vec!["x".repeat(300); 8];
            let notice = json!({ "type": "notice", "sentences": sentences }).to_string();
            let sent = (0..MESSAGES).take_while(|_| victim.send(&notice)).count();
            // It goes on while the user wants to leave.
            let _ = victim.stream.set_write_timeout(None);
            while victim.send(&notice) {}
            sent * notice.len()
        });
        let mut child = spawn(&["play", form, "--join", &hostile.link]);
        let mut input = child.stdin.take().expect("a pipe");
        let output = child.stdout.take().expect("a pipe");
        // Long enough for the flood to end, or to be stopped.
        thread::sleep(Duration::from_secs(15));
        writeln!(input, "quit").expect("it reads");
        let reads = thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n') {
                if line.is_err() {
                    return;
                }
            }
        });
        let code = ends(&mut child);
        assert_eq!(code, Some(0), "{form}");
        reads.join().expect("no panic");
        let taken = hostile.done.recv_timeout(PATIENCE).expect("it was let in");
        assert!(taken < 64 << 20, "{form}: {taken} bytes were taken");
    }
}

/// A position beyond the moves of the game, in the first message or in a later one.
#[test]
fn a_ply_beyond_the_moves_is_no_game() {
    let home = Home::new("join-ply");
    let first = Hostile::start(&home, |mut victim| {
        victim.state["board"]["ply"] = json!(u32::MAX);
        let state = victim.state.to_string();
        usize::from(victim.send(&state))
    });
    let mut child = spawn(&["play", "--json", "--join", &first.link]);
    assert_eq!(ends(&mut child), Some(3));
    let mut said = String::new();
    let mut errors = child.stderr.take().expect("a pipe");
    errors.read_to_string(&mut said).expect("text");
    assert!(said.contains("not a Tabiya server"), "{said}");

    // No two servers run on one folder.
    let home = Home::new("join-ply-later");
    let later = Hostile::start(&home, |mut victim| {
        let state = victim.state.to_string();
        let mut board = victim.state["board"].clone();
        board["ply"] = json!(u32::MAX);
        let number = victim.state["number"].as_u64().expect("a number") + 1;
        let happened = json!({
            "type": "happened", "number": number, "events": [], "sentences": [],
            "moves_from": 0, "moves": [], "board": board
        });
        usize::from(victim.send(&state) && victim.send(&happened.to_string()))
    });
    let mut child = spawn(&["play", "--json", "--join", &later.link]);
    let mut input = child.stdin.take().expect("a pipe");
    // Until it has reconnected.
    for _ in 0..2 {
        later.done.recv_timeout(PATIENCE).expect("it comes");
    }
    writeln!(input, "e4\nquit").expect("it reads");
    drop(input);
    assert_eq!(ends(&mut child), Some(0));
}
