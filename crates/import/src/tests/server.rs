//! A server of HTTP that answers as it is told, and remembers what it was asked.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What the server does with one connection, after which it closes it.
pub(super) enum Step {
    Send(Vec<u8>),
    /// Sends this, one byte at a time.
    Trickle(Vec<u8>),
    Wait(Duration),
    /// Sends a line break this often, until nobody reads it any more.
    Drip(Duration),
    /// Sends this again and again, until nobody reads it any more.
    Endless(Vec<u8>),
}

/// The steps of one answer.
pub(super) type Reply = Vec<Step>;

pub(super) struct Server {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Gives these answers, one after the other. Later requests are refused.
    pub(super) fn start(replies: Vec<Reply>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        Server::on(listener, replies)
    }

    pub(super) fn on(listener: TcpListener, replies: Vec<Reply>) -> Server {
        let port = listener.local_addr().expect("an address").port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        thread::spawn(move || {
            for reply in replies {
                let (mut connection, _) = listener.accept().expect("a connection");
                log.lock().expect("a log").push(head(&mut connection));
                for step in reply {
                    perform(&mut connection, step);
                }
            }
        });
        Server { port, asked }
    }

    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The heads of all requests so far.
    pub(super) fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("a log").clone()
    }

    /// What was asked for, request by request.
    pub(super) fn paths(&self) -> Vec<String> {
        let path = |head: &String| head.split(' ').nth(1).expect("a path").to_owned();
        self.asked().iter().map(path).collect()
    }
}

fn head(connection: &mut TcpStream) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && connection.read(&mut byte).expect("a request") == 1 {
        head.extend(byte);
    }
    String::from_utf8(head).expect("UTF-8")
}

fn perform(connection: &mut TcpStream, step: Step) {
    // Whoever has heard enough hangs up.
    match step {
        Step::Send(bytes) => drop(connection.write_all(&bytes)),
        Step::Trickle(bytes) => {
            connection.set_nodelay(true).expect("an option");
            for byte in bytes {
                let _ = connection.write_all(&[byte]);
                thread::sleep(Duration::from_micros(50));
            }
        }
        Step::Drip(time) => {
            while connection.write_all(b"\n").is_ok() {
                thread::sleep(time);
            }
        }
        Step::Wait(time) => thread::sleep(time),
        Step::Endless(bytes) => while connection.write_all(&bytes).is_ok() {},
    }
}

/// The head of an answer.
pub(super) fn begin(status: u16, headers: &str) -> Step {
    let lines = format!("HTTP/1.1 {status} As told\r\nConnection: close\r\n{headers}\r\n");
    Step::Send(lines.into_bytes())
}

/// A whole answer.
pub(super) fn answer(status: u16, headers: &str, body: impl AsRef<[u8]>) -> Reply {
    let body = body.as_ref().to_vec();
    let headers = format!("{headers}Content-Length: {}\r\n", body.len());
    vec![begin(status, &headers), Step::Send(body)]
}

pub(super) fn good(body: impl AsRef<[u8]>) -> Reply {
    answer(200, "", body)
}
