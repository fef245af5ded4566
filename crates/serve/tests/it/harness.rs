//! A server in this process, with clients for HTTP and WebSocket.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tabiya_game::Session;
use tabiya_play::analysis::explanation::LineKind;
use tabiya_play::outcome::{self, Happened, TableRefusal};
use tabiya_play::study::{Attempt, Mistake, Study};
use tabiya_rules::Position;
use tabiya_serve::{Config, Sentences, ServeError, Server, ShutdownHandle};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// Longer than anything here takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

struct Words;

impl Sentences for Words {
    fn happened(&self, happened: &Happened, _: &Session) -> Vec<String> {
        vec![format!("{} things happened.", happened.events.len())]
    }

    fn refused(&self, _: &TableRefusal, _: &Position) -> Vec<String> {
        vec!["That is refused.".to_owned()]
    }

    fn answered(&self, answer: &outcome::Answer) -> Vec<String> {
        vec![format!("{answer:?}")]
    }

    fn retry(&self, mistake: &Mistake) -> Vec<String> {
        vec![format!("Not {}.", mistake.san)]
    }

    fn tried(&self, tried: &Attempt) -> Vec<String> {
        vec![format!("{tried:?}")]
    }

    fn line(&self, which: LineKind, moves: &[String]) -> Vec<String> {
        vec![format!("{which:?} {}", moves[0])]
    }

    fn judged(&self, study: &Study) -> Vec<String> {
        vec![format!("{} turning points", study.turning_points().len())]
    }
}

/// A server, and what it wrote to its log.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) entry: String,
    pub(crate) entries: Vec<String>,
    pub(crate) log: Arc<Mutex<String>>,
    shutdown: ShutdownHandle,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    pub(crate) fn start(folder: &Path) -> Served {
        Served::with(folder, |_| {})
    }

    /// Why a server cannot start.
    pub(crate) fn refused(folder: &Path, change: impl FnOnce(&mut Config)) -> ServeError {
        Served::try_with(folder, change).err().expect("no server")
    }

    pub(crate) fn with(folder: &Path, change: impl FnOnce(&mut Config)) -> Served {
        Served::try_with(folder, change).expect("a server")
    }

    fn try_with(folder: &Path, change: impl FnOnce(&mut Config)) -> Result<Served, ServeError> {
        let listen = SocketAddr::from(([127, 0, 0, 1], 0));
        let mut config = Config::new(listen, folder.to_owned(), Arc::new(Words));
        let log = Arc::new(Mutex::new(String::new()));
        let written = Arc::clone(&log);
        config.log = Arc::new(move |line| {
            let mut log = written.lock().expect("no panic");
            log.push_str(line);
            log.push('\n');
        });
        // The clients here answer pings only while they are read.
        config.limits.silence = 4 * PATIENCE;
        change(&mut config);
        let server = Server::start(config)?;
        let address = server.address();
        let entries = server.entries();
        let entry = server.entry().expect("an address to enter by");
        let shutdown = server.shutdown_handle();
        let thread = std::thread::spawn(move || server.run());
        Ok(Served {
            address,
            entry,
            entries,
            log,
            shutdown,
            thread: Some(thread),
        })
    }

    /// The token of the printed address.
    pub(crate) fn token(&self) -> &str {
        self.entry.split_once('#').expect("a token").1
    }

    pub(crate) fn host_name(&self) -> String {
        format!("127.0.0.1:{}", self.address.port())
    }

    /// Enters by the printed address, and returns what the host sends in `Authorization`.
    pub(crate) fn enter(&self) -> String {
        let answer = self.post("/api/enter", &[], &json!({ "token": self.token() }));
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.session()
    }

    /// Begins a game.
    pub(crate) fn game(&self, host: &str, asked: &Value) -> Game {
        let answer = self.post("/api/games", &[("Authorization", host)], asked);
        assert_eq!(answer.status, 201, "{}", answer.body);
        let body = answer.json();
        Game {
            id: body["id"].as_str().expect("an ID").to_owned(),
            links: body["links"].clone(),
        }
    }

    pub(crate) fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.request("GET", path, headers, "")
    }

    pub(crate) fn post(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        let mut headers = headers.to_vec();
        headers.push(("Content-Type", "application/json"));
        self.request("POST", path, &headers, &body.to_string())
    }

    pub(crate) fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head += &format!("Host: {}\r\n", self.host_name());
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
        Answer::read(&self.raw(head.as_bytes()))
    }

    /// Sends bytes and reads the whole answer.
    pub(crate) fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        // The server may refuse the request and close before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Joins a game in a role.
    pub(crate) fn join(&self, game: &Game, role: &str) -> Client {
        let bearer = format!("Bearer {}", game.token(role));
        self.join_with(&game.id, &[("Authorization", &bearer)])
            .expect("a WebSocket")
    }

    pub(crate) fn join_with(&self, id: &str, headers: &[(&str, &str)]) -> Result<Client, u16> {
        self.connect(id, headers).map(|(client, _)| client)
    }

    /// Joins a game, and returns the subprotocol that the server answers with, too.
    pub(crate) fn connect(
        &self,
        id: &str,
        headers: &[(&str, &str)],
    ) -> Result<(Client, Option<String>), u16> {
        let stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let url = format!("ws://{}/api/games/{id}/socket", self.host_name());
        let mut request =
            tungstenite::client::IntoClientRequest::into_client_request(url).expect("a request");
        for (name, value) in headers {
            let name = tungstenite::http::HeaderName::from_bytes(name.as_bytes()).expect("a name");
            request
                .headers_mut()
                .insert(name, value.parse().expect("a value"));
        }
        match tungstenite::client(request, stream) {
            Ok((socket, answer)) => {
                let answered = answer.headers().get("Sec-WebSocket-Protocol");
                let answered = answered.map(|value| value.to_str().expect("text").to_owned());
                Ok((Client { socket, ids: 0 }, answered))
            }
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(response))) => {
                Err(response.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }

    pub(crate) fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.shutdown.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().expect("a clean end");
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.end();
        }
    }
}

/// A new game.
pub(crate) struct Game {
    pub(crate) id: String,
    pub(crate) links: Value,
}

impl Game {
    /// The token in the link of a role.
    pub(crate) fn token(&self, role: &str) -> String {
        let link = self.links[role]
            .as_str()
            .unwrap_or_else(|| panic!("no link for {role}"));
        link.split_once('#').expect("a token").1.to_owned()
    }
}

/// An answer over HTTP.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    fn read(text: &str) -> Answer {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        Answer {
            status: status.unwrap_or(0),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut values = lines.filter(|(found, _)| found.eq_ignore_ascii_case(name));
        values.next().map(|(_, value)| value)
    }

    /// The new session, as clients show it.
    pub(crate) fn session(&self) -> String {
        assert_eq!(self.header("set-cookie"), None, "there are no cookies");
        format!(
            "Bearer {}",
            self.json()["session"].as_str().expect("a secret")
        )
    }
}

/// A client on a WebSocket.
pub(crate) struct Client {
    socket: WebSocket<TcpStream>,
    ids: u32,
}

impl Client {
    /// The next message, or `None` if the connection is closed.
    pub(crate) fn next(&mut self) -> Option<Value> {
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < PATIENCE, "nothing came");
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    let message: Value = serde_json::from_str(&text).expect("JSON");
                    if message["type"] != "ping" {
                        return Some(message);
                    }
                    self.send(r#"{"type":"pong"}"#);
                }
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next message of a kind. Other messages are skipped.
    pub(crate) fn wait(&mut self, kind: &str) -> Value {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            let message = self
                .next()
                .unwrap_or_else(|| panic!("closed before {kind}"));
            if message["type"] == kind {
                return message;
            }
        }
        panic!("no {kind}");
    }

    /// Waits for a message after which the board satisfies a condition.
    pub(crate) fn until(&mut self, done: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.wait("happened");
            if done(&message["board"]) {
                return message;
            }
        }
    }

    pub(crate) fn send(&mut self, text: &str) {
        // This fails if the server has closed the connection.
        let _ = self.socket.send(Message::text(text));
    }

    pub(crate) fn binary(&mut self, bytes: &[u8]) {
        let _ = self.socket.send(Message::binary(bytes.to_vec()));
    }

    pub(crate) fn ask(&mut self, request: &Value) -> u32 {
        self.ids += 1;
        let id = self.ids;
        self.send(&json!({ "id": id, "request": request }).to_string());
        id
    }

    /// Sends a request that must be carried out.
    pub(crate) fn does(&mut self, request: &Value) {
        let id = self.ask(request);
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            let message = self.next().expect("an answer");
            if message["id"] == id {
                assert_eq!(message["type"], "done", "{request}: {message}");
                return;
            }
        }
        panic!("no answer to {request}");
    }

    /// Sends a request that must be refused, and returns the refusal.
    pub(crate) fn refused(&mut self, request: &Value) -> Value {
        let id = self.ask(request);
        loop {
            let message = self.next().expect("an answer");
            if message["id"] == id {
                assert_eq!(message["type"], "refused", "{request}: {message}");
                return message;
            }
        }
    }

    pub(crate) fn play(&mut self, text: &str) {
        self.does(&json!({ "command": "play", "move": text }));
    }

    /// The connection.
    pub(crate) fn stream(&self) -> &TcpStream {
        self.socket.get_ref()
    }
}

pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}
