//! The other end of the protocol, for players at a terminal: a connection to a server that runs a game.
//!
//! One thread reads, and reconnects whenever the connection is lost. The server is not trusted: the size of messages is
//! limited, texts are cut and made safe to show, and values are checked before they are passed on ([`message`]). Nothing that
//! it sends is used as an address, a file name or a program.

mod link;
mod message;

use std::io;
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use tabiya_game::Command;
use tabiya_play::remote::{Joined, ServerEvent, ServerLink, ServerListener};
use tabiya_play::request::ServerRequest;
use tabiya_play::threads;
use tabiya_store::disk;
use thiserror::Error;
use tungstenite::client::IntoClientRequest;
use tungstenite::error::ProtocolError;
use tungstenite::http::header::{AUTHORIZATION, HeaderValue};
use tungstenite::protocol::{Role as End, WebSocketConfig};
use tungstenite::{HandshakeError, Message, WebSocket};

use crate::PROTOCOL;
use crate::json;
pub use link::{BadGameLink, GameLink};
pub(crate) use message::{Mirror, ParsedMessage};

/// How long each step of connecting may take.
const CONNECTING: Duration = Duration::from_secs(10);
/// A server sends at least a ping every ten seconds. After a silence this long, the connection counts as lost.
const SILENCE: Duration = Duration::from_secs(35);
/// The largest message that is accepted: a game of some thousand moves.
const MAX_MESSAGE_SIZE: usize = 2 << 20;
/// The first and the longest delay between two tries to connect.
const FIRST_WAIT: Duration = Duration::from_millis(250);
const MAX_WAIT: Duration = Duration::from_secs(8);

/// Why a game cannot be joined.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum JoinError {
    /// The server cannot be reached.
    #[error("{host} cannot be reached: {}", connecting(.why))]
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
    #[error("That is not a server for games, or not one of this version.")]
    NoGame,
}

/// Why a server cannot be reached, in plain words.
fn connecting(why: &io::Error) -> String {
    if why.kind() == io::ErrorKind::ConnectionRefused {
        return "no server listens there".to_owned();
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

#[derive(Debug, Default)]
struct Shared(Mutex<Outgoing>);

/// The writing end of a connection, if there is one.
#[derive(Debug, Default)]
struct Outgoing {
    socket: Option<WebSocket<TcpStream>>,
    left: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Outgoing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outgoing {
    /// Closes the connection. The thread that reads notices it.
    fn hang_up(&mut self) {
        if let Some(socket) = self.socket.take() {
            // It may be closed already.
            let _ = socket.get_ref().shutdown(Shutdown::Both);
        }
    }
}

impl Client {
    /// Joins a game, and waits until the server has sent its state.
    ///
    /// # Errors
    /// The server cannot be reached, or knows no such game.
    pub fn join(link: &GameLink) -> Result<(Client, Joined), JoinError> {
        let shared = Arc::new(Shared::default());
        let (reader, joined) = connect(link, &shared)?;
        let client = Client {
            shared,
            first: Some(reader),
            report: None,
            asked: 0,
        };
        Ok((client, joined))
    }
}

/// A message to the server, the other side of `protocol::ClientMessage`.
#[derive(Serialize)]
struct OutgoingMessage<'a> {
    id: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<u32>,
    request: OutgoingRequest<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum OutgoingRequest<'a> {
    Game(&'a Command),
    Rematch { command: &'static str },
}

impl ServerLink for Client {
    fn listen(&mut self, report: ServerListener) {
        let Some(reader) = self.first.take() else {
            return;
        };
        let (shared, reporting) = (Arc::clone(&self.shared), Arc::clone(&report));
        self.report = Some(Arc::clone(&report));
        if threads::spawn(move || attend(reader, &shared, &reporting)).is_err() {
            // Without this thread, nothing would ever be reported.
            report(ServerEvent::Lost);
        }
    }

    fn ask(&mut self, request: ServerRequest, ply: u32) {
        self.asked = self.asked.wrapping_add(1);
        let id = self.asked;
        let (ply, request) = match &request {
            ServerRequest::Command(command @ Command::Play(_)) => {
                (Some(ply), OutgoingRequest::Game(command))
            }
            ServerRequest::Command(command) => (None, OutgoingRequest::Game(command)),
            ServerRequest::Rematch => (None, OutgoingRequest::Rematch { command: "rematch" }),
            ServerRequest::Again => return self.shared.lock().hang_up(),
            ServerRequest::Leave => {
                let mut outgoing = self.shared.lock();
                outgoing.left = true;
                return outgoing.hang_up();
            }
        };
        let message = json::write(&OutgoingMessage { id, ply, request });
        let mut outgoing = self.shared.lock();
        let sent = match &mut outgoing.socket {
            Some(socket) => socket.send(Message::text(message)).is_ok(),
            None => false,
        };
        if !sent {
            outgoing.hang_up();
            drop(outgoing);
            let sentence =
                "The server cannot be reached at the moment; nothing was sent.".to_owned();
            if let Some(report) = &self.report {
                report(ServerEvent::Refused(vec![sentence]));
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let mut outgoing = self.shared.lock();
        outgoing.left = true;
        outgoing.hang_up();
    }
}

/// Reads until nobody listens any more, and reconnects as often as necessary.
fn attend(mut reader: Reader, shared: &Shared, report: &ServerListener) {
    loop {
        let next = match read(&mut reader, report) {
            Ended::Unheard => return,
            Ended::Lost => None,
            Ended::Next(link) => Some(link),
        };
        shared.lock().hang_up();
        if next.is_none() && (shared.lock().left || !report(ServerEvent::Lost)) {
            return;
        }
        let link = next.unwrap_or_else(|| reader.link.clone());
        let Some(again) = connect_again(&link, shared, report) else {
            return;
        };
        reader = again;
    }
}

/// Why reading ended.
enum Ended {
    /// Nobody listens.
    Unheard,
    Lost,
    /// A rematch has begun.
    Next(GameLink),
}

fn read(reader: &mut Reader, report: &ServerListener) -> Ended {
    loop {
        let text = match reader.socket.read() {
            Ok(Message::Text(text)) => text,
            // The next read answers the ping.
            Ok(Message::Ping(_) | Message::Pong(_)) => continue,
            Ok(Message::Binary(_) | Message::Close(_) | Message::Frame(_)) | Err(_) => {
                return Ended::Lost;
            }
        };
        match reader.mirror.hear(&text) {
            ParsedMessage::Event(event) => {
                if !report(event) {
                    return Ended::Unheard;
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

fn connect_again(link: &GameLink, shared: &Shared, report: &ServerListener) -> Option<Reader> {
    let mut wait = FIRST_WAIT;
    loop {
        if shared.lock().left {
            return None;
        }
        match connect(link, shared) {
            Ok((reader, joined)) => {
                let heard = report(ServerEvent::Joined(Box::new(joined)));
                return heard.then_some(reader);
            }
            Err(error @ (JoinError::UnknownLink | JoinError::NoGame)) => {
                report(ServerEvent::ShutOut(vec![error.to_string()]));
                return None;
            }
            Err(JoinError::Unreachable { .. } | JoinError::Refused(_)) => {}
        }
        std::thread::sleep(wait);
        wait = (wait * 2).min(MAX_WAIT);
    }
}

/// Connects, and reads the first message, which is the whole game.
fn connect(link: &GameLink, shared: &Shared) -> Result<(Reader, Joined), JoinError> {
    let unreachable = |why| JoinError::Unreachable {
        host: link.host().to_owned(),
        why,
    };
    let stream = reach(link).map_err(unreachable)?;
    let out = stream.try_clone().map_err(unreachable)?;
    let url = format!(
        "ws://{}{}?protocol={PROTOCOL}",
        link.host(),
        link.socket_path()
    );
    let mut request = url.into_client_request().map_err(|_| JoinError::NoGame)?;
    let bearer = HeaderValue::from_str(&format!("Bearer {}", link.token()));
    request
        .headers_mut()
        .insert(AUTHORIZATION, bearer.map_err(|_| JoinError::UnknownLink)?);
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE_SIZE))
        .max_frame_size(Some(MAX_MESSAGE_SIZE));
    let connected = tungstenite::client::client_with_config(request, stream, Some(config));
    let (mut socket, _) = connected.map_err(|error| match error {
        HandshakeError::Failure(tungstenite::Error::Http(response)) => {
            match response.status().as_u16() {
                401 | 403 | 404 | 421 => JoinError::UnknownLink,
                status => JoinError::Refused(status),
            }
        }
        HandshakeError::Failure(tungstenite::Error::Io(why)) => unreachable(why),
        HandshakeError::Failure(error) if hung_up(&error) => unreachable(aborted()),
        HandshakeError::Failure(_) | HandshakeError::Interrupted(_) => JoinError::NoGame,
    })?;
    let first = loop {
        match socket.read() {
            Ok(Message::Text(text)) => break text,
            Ok(Message::Ping(_) | Message::Pong(_)) => {}
            Ok(Message::Close(_)) => return Err(unreachable(aborted())),
            Ok(_) => return Err(JoinError::NoGame),
            Err(tungstenite::Error::Io(why)) => return Err(unreachable(why)),
            Err(error) if hung_up(&error) => return Err(unreachable(aborted())),
            Err(_) => return Err(JoinError::NoGame),
        }
    };
    let mut mirror = Mirror::default();
    let ParsedMessage::Event(ServerEvent::Joined(joined)) = mirror.hear(&first) else {
        return Err(JoinError::NoGame);
    };
    socket
        .get_ref()
        .set_read_timeout(Some(SILENCE))
        .map_err(unreachable)?;
    let mut outgoing = shared.lock();
    outgoing.socket = Some(WebSocket::from_raw_socket(out, End::Client, None));
    drop(outgoing);
    let link = link.clone();
    let reader = Reader {
        socket,
        mirror,
        link,
    };
    Ok((reader, *joined))
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

fn aborted() -> io::Error {
    io::ErrorKind::ConnectionAborted.into()
}

/// A connection to the server's machine.
fn reach(link: &GameLink) -> io::Result<TcpStream> {
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
