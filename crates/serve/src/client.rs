//! The other end of the protocol, for players at a terminal: a connection to a server that runs a game.
//!
//! One thread reads, and reconnects whenever the connection is lost or silent for too long. The server is not trusted: the size of messages is
//! limited, texts are cut and made safe to show, and values are checked before they are passed on ([`message`]). Nothing that
//! it sends is used as an address, a file name or a program.

mod link;
mod message;

use std::io;
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tabiya_game::Command;
use tabiya_play::remote::{Joined, ServerEvent, ServerLink, ServerListener};
use tabiya_play::request::ServerRequest;
use tabiya_play::threads;
use tabiya_rules::SplitMix64;
use tabiya_store::disk;
use thiserror::Error;
use tungstenite::client::IntoClientRequest;
use tungstenite::error::ProtocolError;
use tungstenite::http::header::{AUTHORIZATION, HeaderValue, SEC_WEBSOCKET_PROTOCOL};
use tungstenite::protocol::{Role as End, WebSocketConfig};
use tungstenite::{HandshakeError, Message, WebSocket};

use crate::PROTOCOL;
use crate::json;
use crate::protocol::{ClientMessage, ClientRequest, MAX_MESSAGE_SIZE, NextGameRequest};
pub use link::{BadGameLink, GameLink};
pub(crate) use message::{Mirror, ParsedMessage};

/// How long each step of connecting may take.
const CONNECTING: Duration = Duration::from_secs(10);
/// How long a whole game may take to arrive.
const JOINING: Duration = Duration::from_secs(60);
/// A server sends a ping every four seconds. After a silence this long, the connection counts as lost.
const SILENCE: Duration = Duration::from_secs(9);
/// The answer to a ping.
const PONG: &str = r#"{"type":"pong"}"#;
/// More pings than one in this time are not answered.
const BETWEEN_PONGS: Duration = Duration::from_secs(1);
/// How many messages may wait for a server that does not read.
const MAX_WAITING: usize = 16;
/// How long the last messages may take when the player leaves.
const LEAVING: Duration = Duration::from_millis(250);
/// The first and the longest delay before a try to connect.
const FIRST_WAIT: Duration = Duration::from_millis(250);
const MAX_WAIT: Duration = Duration::from_secs(8);
/// After a connection that lasted this long, the delays begin with the first again.
const STEADY: Duration = Duration::from_secs(10);

const NOT_SENT: &str = "The server cannot be reached at the moment; nothing was sent.";
const WAITS: &str =
    "The server cannot be reached at the moment; the move waits for the connection.";

/// Why a game cannot be joined.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JoinError {
    /// The server cannot be reached.
    #[error("{host} cannot be reached: {}", unreachable_because(.why))]
    Unreachable {
        /// The server.
        host: String,
        /// What the system says.
        why: io::Error,
    },
    /// The server does not know the game or the token.
    #[error("The server does not know this link.")]
    UnknownLink,
    /// The server refuses clients at the moment.
    #[error("The server refuses clients at the moment (status {0}).")]
    Refused(u16),
    /// The server uses another protocol.
    #[error("That is not a Tabiya server, or one of a different version.")]
    NoGame,
}

/// Why a server cannot be reached, in plain words.
fn unreachable_because(why: &io::Error) -> String {
    if why.kind() == io::ErrorKind::ConnectionRefused {
        return "no server listens there".to_owned();
    }
    if let io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock = why.kind() {
        return "there is no answer".to_owned();
    }
    disk::why(why).to_string()
}

/// A connection to the server of a game.
pub struct Client {
    shared: Arc<Shared>,
    first: Option<Reader>,
    report: Option<ServerListener>,
    asked: u32,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").finish_non_exhaustive()
    }
}

/// The reading end of a connection, with the known state of the game.
struct Reader {
    socket: WebSocket<TcpStream>,
    mirror: Mirror,
    link: GameLink,
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader")
            .field("link", &self.link)
            .finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct Shared(Mutex<Outgoing>);

/// The writing end of a connection, if there is one.
#[derive(Debug, Default)]
struct Outgoing {
    outbox: Option<Outbox>,
    left: bool,
    /// A move that the server has not answered.
    unanswered: Option<UnansweredMove>,
}

/// The messages for a server. A thread writes them, because a server that does not read must not keep the player waiting.
#[derive(Debug)]
struct Outbox {
    messages: SyncSender<String>,
    /// It ends when everything is written, or cannot be.
    written: Receiver<()>,
    stream: TcpStream,
}

impl Outbox {
    fn new(stream: TcpStream) -> io::Result<Outbox> {
        let socket = WebSocket::from_raw_socket(stream.try_clone()?, End::Client, None);
        let (messages, waiting) = sync_channel(MAX_WAITING);
        let (writing, written) = channel();
        threads::spawn(move || write(socket, &waiting, writing))?;
        Ok(Outbox {
            messages,
            written,
            stream,
        })
    }

    /// Closes the connection. The threads that read and write notice it.
    fn close(self) {
        // It may be closed already.
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    /// Closes the connection as soon as everything is written, or after a moment.
    fn finish(self) {
        drop(self.messages);
        // Nothing is ever received: this waits for the end.
        let _ = self.written.recv_timeout(LEAVING);
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

fn write(mut socket: WebSocket<TcpStream>, messages: &Receiver<String>, writing: Sender<()>) {
    for message in messages {
        if socket.send(Message::text(message)).is_err() {
            // The thread that reads notices it.
            let _ = socket.get_ref().shutdown(Shutdown::Both);
            break;
        }
    }
    drop(writing);
}

/// A move that is sent again on the next connection, if the game still stands at that ply.
#[derive(Debug)]
struct UnansweredMove {
    id: u32,
    ply: u32,
    message: String,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Outgoing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the connection for good.
    fn leave(&self) {
        let mut outgoing = self.lock();
        outgoing.left = true;
        let outbox = outgoing.outbox.take();
        drop(outgoing);
        if let Some(outbox) = outbox {
            outbox.finish();
        }
    }
}

impl Outgoing {
    /// Closes the connection.
    fn hang_up(&mut self) {
        if let Some(outbox) = self.outbox.take() {
            outbox.close();
        }
    }

    /// Passes a message on to the thread that writes, or hangs up if too many wait there. Returns whether it was passed on.
    fn send(&mut self, message: &str) -> bool {
        let sent = match &self.outbox {
            Some(outbox) => outbox.messages.try_send(message.to_owned()).is_ok(),
            None => false,
        };
        if !sent {
            self.hang_up();
        }
        sent
    }

    fn answered(&mut self, id: u32) {
        self.unanswered.take_if(|waiting| waiting.id == id);
    }

    /// Goes on over a new connection, and sends the move that was not answered again. If the game stands elsewhere, it is in
    /// the game, or useless.
    fn resume(&mut self, outbox: Outbox, ply: u32) {
        self.outbox = Some(outbox);
        if let Some(waiting) = self.unanswered.take_if(|waiting| waiting.ply == ply) {
            self.send(&waiting.message);
            self.unanswered = Some(waiting);
        } else {
            self.unanswered = None;
        }
    }
}

impl Client {
    /// Joins a game, and waits until the server has sent its state.
    ///
    /// # Errors
    /// The server cannot be reached, or knows no such game.
    pub fn join(link: &GameLink) -> Result<(Client, Joined), JoinError> {
        let (reader, outbox, joined) = connect(link)?;
        let client = Client {
            shared: Arc::new(Shared(Mutex::new(Outgoing {
                outbox: Some(outbox),
                ..Outgoing::default()
            }))),
            first: Some(reader),
            report: None,
            asked: 0,
        };
        Ok((client, joined))
    }
}

impl ServerLink for Client {
    fn listen(&mut self, report: ServerListener) {
        let Some(reader) = self.first.take() else {
            return;
        };
        let (shared, reporting) = (Arc::clone(&self.shared), Arc::clone(&report));
        self.report = Some(Arc::clone(&report));
        if threads::spawn(move || read_and_reconnect(reader, &shared, &reporting)).is_err() {
            // Without this thread, nothing would ever be reported.
            report(ServerEvent::Lost);
        }
    }

    fn ask(&mut self, request: ServerRequest, ply: u32) {
        self.asked = self.asked.wrapping_add(1);
        let id = self.asked;
        let (ply, request) = match request {
            ServerRequest::Command(command @ Command::Play(_)) => {
                (Some(ply), ClientRequest::Game(command))
            }
            ServerRequest::Command(command) => (None, ClientRequest::Game(command)),
            ServerRequest::Rematch => (None, ClientRequest::NextGame(NextGameRequest::Rematch)),
            ServerRequest::Again => return self.shared.lock().hang_up(),
            ServerRequest::Leave => return self.shared.leave(),
        };
        let message = json::write(&ClientMessage { id, ply, request });
        let mut outgoing = self.shared.lock();
        let sent = outgoing.send(&message);
        if let Some(ply) = ply {
            outgoing.unanswered = Some(UnansweredMove { id, ply, message });
        }
        drop(outgoing);
        if let (false, Some(report)) = (sent, &self.report) {
            report(match ply {
                Some(_) => ServerEvent::Notice(vec![WAITS.to_owned()]),
                None => ServerEvent::Refused(vec![NOT_SENT.to_owned()]),
            });
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.shared.leave();
    }
}

/// The delays before tries to connect. Each is longer than the one before, and random, so that not all clients of a server
/// come back at the same moment.
struct Backoff {
    wait: Duration,
    random: SplitMix64,
}

impl Backoff {
    fn new() -> Backoff {
        let mut seed = [0; 8];
        // Without random numbers the delays are those of all others.
        let _ = getrandom::fill(&mut seed);
        Backoff {
            wait: FIRST_WAIT,
            random: SplitMix64::new(u64::from_le_bytes(seed)),
        }
    }

    fn pause(&mut self) {
        let part = (self.random.next_u64() % 1000) as u32;
        std::thread::sleep(self.wait / 2 + self.wait * part / 2000);
        self.wait = (self.wait * 2).min(MAX_WAIT);
    }
}

/// Reads until nobody listens any more, and reconnects as often as necessary.
fn read_and_reconnect(mut reader: Reader, shared: &Shared, report: &ServerListener) {
    let mut backoff = Backoff::new();
    loop {
        let begun = Instant::now();
        let next = match read(&mut reader, shared, report) {
            Ended::NobodyListens => return,
            Ended::Lost => None,
            Ended::Next(link) => Some(link),
        };
        if begun.elapsed() >= STEADY {
            backoff.wait = FIRST_WAIT;
        }
        let mut outgoing = shared.lock();
        outgoing.hang_up();
        if next.is_some() {
            outgoing.unanswered = None;
        }
        drop(outgoing);
        if next.is_none() && (shared.lock().left || !report(ServerEvent::Lost)) {
            return;
        }
        let link = next.unwrap_or_else(|| reader.link.clone());
        let Some(again) = connect_again(&link, shared, report, &mut backoff) else {
            return;
        };
        reader = again;
    }
}

/// Why reading ended.
enum Ended {
    /// Nobody listens.
    NobodyListens,
    Lost,
    /// A rematch has begun.
    Next(GameLink),
}

fn read(reader: &mut Reader, shared: &Shared, report: &ServerListener) -> Ended {
    let mut answered: Option<Instant> = None;
    loop {
        let text = match reader.socket.read() {
            Ok(Message::Text(text)) => text,
            // The next read answers the ping.
            Ok(Message::Ping(_) | Message::Pong(_)) => continue,
            Ok(Message::Binary(_) | Message::Close(_) | Message::Frame(_)) | Err(_) => {
                return Ended::Lost;
            }
        };
        match reader.mirror.receive(&text) {
            ParsedMessage::Event(event) => {
                if !report(event) {
                    return Ended::NobodyListens;
                }
            }
            ParsedMessage::Answer(id, event) => {
                shared.lock().answered(id);
                if !report(event) {
                    return Ended::NobodyListens;
                }
            }
            ParsedMessage::Ping(lag) => {
                if answered.is_none_or(|at| at.elapsed() >= BETWEEN_PONGS) {
                    answered = Some(Instant::now());
                    // If it cannot be sent, the next read fails.
                    shared.lock().send(PONG);
                    if lag.is_some_and(|lag| !report(ServerEvent::Lag(lag))) {
                        return Ended::NobodyListens;
                    }
                }
            }
            ParsedMessage::Nothing => {}
            // A new connection begins with the whole state.
            ParsedMessage::Nonsense => return Ended::Lost,
            ParsedMessage::Next { id, token } => {
                return Ended::Next(reader.link.with_game(id, token));
            }
        }
    }
}

fn connect_again(
    link: &GameLink,
    shared: &Shared,
    report: &ServerListener,
    backoff: &mut Backoff,
) -> Option<Reader> {
    loop {
        backoff.pause();
        if shared.lock().left {
            return None;
        }
        match connect(link) {
            Ok((reader, outbox, joined)) => {
                let mut outgoing = shared.lock();
                if outgoing.left {
                    outbox.close();
                    return None;
                }
                // First of all, because the report may be answered with a move, which would be sent twice.
                outgoing.resume(outbox, joined.state.ply);
                drop(outgoing);
                let heard = report(ServerEvent::Joined(Box::new(joined)));
                return heard.then_some(reader);
            }
            Err(error @ JoinError::UnknownLink) => {
                report(ServerEvent::ShutOut(vec![error.to_string()]));
                return None;
            }
            // What answers for a server that was there before may be something between, which will go away.
            Err(JoinError::Unreachable { .. } | JoinError::Refused(_) | JoinError::NoGame) => {}
        }
    }
}

/// Connects, and reads the first message, which is the whole game.
fn connect(link: &GameLink) -> Result<(Reader, Outbox, Joined), JoinError> {
    let unreachable = |why| unreachable(link, why);
    let stream = open_stream(link).map_err(unreachable)?;
    let out = stream.try_clone().map_err(unreachable)?;
    let mut socket = open_socket(link, stream)?;
    let mut mirror = Mirror::default();
    let joined = read_game(link, &mut socket, &mut mirror)?;
    socket
        .get_ref()
        .set_read_timeout(Some(SILENCE))
        .map_err(unreachable)?;
    let outbox = Outbox::new(out).map_err(unreachable)?;
    let link = link.clone();
    let reader = Reader {
        socket,
        mirror,
        link,
    };
    Ok((reader, outbox, joined))
}

fn unreachable(link: &GameLink, why: io::Error) -> JoinError {
    JoinError::Unreachable {
        host: link.host().to_owned(),
        why,
    }
}

/// Makes the stream a WebSocket of the game.
fn open_socket(link: &GameLink, stream: TcpStream) -> Result<WebSocket<TcpStream>, JoinError> {
    let url = format!("ws://{}{}", link.host(), link.socket_path());
    let mut request = url.into_client_request().map_err(|_| JoinError::NoGame)?;
    let bearer = HeaderValue::from_str(&format!("Bearer {}", link.token()));
    request
        .headers_mut()
        .insert(AUTHORIZATION, bearer.map_err(|_| JoinError::UnknownLink)?);
    let version = HeaderValue::from_str(&format!("tabiya.{PROTOCOL}"));
    request.headers_mut().insert(
        SEC_WEBSOCKET_PROTOCOL,
        version.map_err(|_| JoinError::NoGame)?,
    );
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE_SIZE))
        .max_frame_size(Some(MAX_MESSAGE_SIZE));
    let connected = tungstenite::client::client_with_config(request, stream, Some(config));
    let (socket, _) = connected.map_err(|error| match error {
        HandshakeError::Failure(tungstenite::Error::Http(response)) => {
            match response.status().as_u16() {
                401 | 403 | 404 | 421 => JoinError::UnknownLink,
                status => JoinError::Refused(status),
            }
        }
        HandshakeError::Failure(error) => lost(link, error),
        // The stream blocks, so this is a read that took too long.
        HandshakeError::Interrupted(_) => unreachable(link, io::ErrorKind::TimedOut.into()),
    })?;
    Ok(socket)
}

/// Reads until the whole game has arrived; a long game comes in chunks.
fn read_game(
    link: &GameLink,
    socket: &mut WebSocket<TcpStream>,
    mirror: &mut Mirror,
) -> Result<Joined, JoinError> {
    let begun = Instant::now();
    while begun.elapsed() <= JOINING {
        match socket.read() {
            Ok(Message::Text(text)) => match mirror.receive(&text) {
                ParsedMessage::Event(ServerEvent::Joined(joined)) => return Ok(*joined),
                ParsedMessage::Nothing if mirror.is_partial() => {}
                ParsedMessage::Ping(_) => {
                    // If it cannot be sent, the next read fails.
                    let _ = socket.send(Message::text(PONG));
                }
                ParsedMessage::Event(_)
                | ParsedMessage::Answer(..)
                | ParsedMessage::Nothing
                | ParsedMessage::Nonsense
                | ParsedMessage::Next { .. } => return Err(JoinError::NoGame),
            },
            Ok(Message::Ping(_) | Message::Pong(_)) => {}
            Ok(Message::Close(_)) => return Err(unreachable(link, connection_aborted())),
            Ok(_) => return Err(JoinError::NoGame),
            Err(error) => return Err(lost(link, error)),
        }
    }
    Err(unreachable(link, io::ErrorKind::TimedOut.into()))
}

/// Why a connection that had begun led to no game.
fn lost(link: &GameLink, error: tungstenite::Error) -> JoinError {
    if let tungstenite::Error::Io(why) = error {
        return unreachable(link, why);
    }
    match hung_up(&error) {
        true => unreachable(link, connection_aborted()),
        false => JoinError::NoGame,
    }
}

/// Whether the other end closed the connection early, as a server does that is ending.
fn hung_up(error: &tungstenite::Error) -> bool {
    use ProtocolError::{HandshakeIncomplete, ResetWithoutClosingHandshake};
    matches!(
        error,
        tungstenite::Error::ConnectionClosed
            | tungstenite::Error::AlreadyClosed
            | tungstenite::Error::Protocol(HandshakeIncomplete | ResetWithoutClosingHandshake)
    )
}

fn connection_aborted() -> io::Error {
    io::ErrorKind::ConnectionAborted.into()
}

/// A connection to the server's machine.
fn open_stream(link: &GameLink) -> io::Result<TcpStream> {
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for address in link.address().to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECTING) {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(CONNECTING))?;
                stream.set_write_timeout(Some(CONNECTING))?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}
