//! One client on a WebSocket: what it sends goes to the game, and what the game sends goes to it.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{
    CloseFrame, Message as Frame, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code,
};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};

use super::visit::{Guest, Visit};
use super::{Refused, Web, access};
use crate::config::Limits;
use crate::protocol::{self, MAX_MESSAGE_SIZE, PROTOCOL, ServerMessage};
use crate::role::{Denied, Role};
use crate::task::{Message, ReplyTo, Way};
use crate::token::Secret;

/// The size of the buffer for messages of a client.
const READ_BUFFER: usize = 4 * 1024;

/// Joins a game.
pub(crate) async fn join(
    State(web): State<Arc<Web>>,
    visit: Visit,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refused> {
    let own = format!("tabiya.{PROTOCOL}");
    let mut offered = access::subprotocols(&headers).peekable();
    if offered.peek().is_some() && !offered.any(|version| version == own) {
        return Err(Refused::Protocol);
    }
    let upgrade = upgrade.map_err(|_| {
        Refused::Body(
            StatusCode::UPGRADE_REQUIRED,
            "This address is for a WebSocket.".to_owned(),
        )
    })?;
    let guest = visit.join(Way::Socket).await?;
    let session = access::session(&headers);
    let limits = web.lobby.shared.config.limits.clone();
    let most = limits.message_bytes;
    // The answer names the version only, and never repeats a secret.
    let upgrade = upgrade
        .protocols([own])
        .max_message_size(most)
        .max_frame_size(most)
        .max_write_buffer_size(MAX_MESSAGE_SIZE)
        // There may be many clients, and their messages are small. The default of 128 KiB would take most of the memory.
        .read_buffer_size(READ_BUFFER);
    Ok(upgrade.on_upgrade(move |socket| talk(socket, guest, web, limits, session)))
}

async fn talk(
    mut socket: WebSocket,
    mut guest: Guest,
    web: Arc<Web>,
    limits: Limits,
    session: Option<Secret>,
) {
    // The first is sent at once.
    let mut pings = interval(limits.ping);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut pulse = Pulse::new();
    let mut session_end = pin!(web.session_end(session.as_ref()));
    let end = loop {
        let frame = tokio::select! {
            // What a client has sent counts, even if the server had no time to read it.
            biased;
            frame = socket.recv() => {
                pulse.heard = Instant::now();
                let Some(Ok(frame)) = frame else { return };
                match receive(frame, &mut pulse, &guest, &web).await {
                    Received::InOrder => continue,
                    Received::Refused(answer) => Frame::Text(protocol::text(&answer).into()),
                    Received::CloseWith(code) => break code,
                    Received::Closed => return,
                }
            }
            text = guest.inbox.recv() => match text {
                Some(text) => Frame::Text(text),
                // The game has dropped this client, because it is too slow or because the server ends.
                None => break close_code::AWAY,
            },
            _ = pings.tick() => Frame::Text(protocol::text(&pulse.ping()).into()),
            () = &mut session_end => break close_code::POLICY,
            () = sleep_until(pulse.heard + limits.silence) => break close_code::AWAY,
        };
        match timeout(limits.patience.min(limits.silence), socket.send(frame)).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) | Err(_) => return,
        }
    };
    drop(guest);
    let close = CloseFrame {
        code: end,
        reason: Utf8Bytes::default(),
    };
    let _ = timeout(
        Duration::from_secs(1),
        socket.send(Frame::Close(Some(close))),
    )
    .await;
}

/// When a client was heard last, and how long its answers take.
struct Pulse {
    heard: Instant,
    /// When the first ping was sent that has no answer yet.
    pinged: Option<Instant>,
    lag: Option<Duration>,
}

impl Pulse {
    fn new() -> Pulse {
        Pulse {
            heard: Instant::now(),
            pinged: None,
            lag: None,
        }
    }

    fn ping(&mut self) -> ServerMessage<'static> {
        self.pinged.get_or_insert_with(Instant::now);
        let lag_ms = self.lag.and_then(|lag| u64::try_from(lag.as_millis()).ok());
        ServerMessage::Ping { lag_ms }
    }

    fn answered(&mut self) {
        if let Some(at) = self.pinged.take() {
            self.lag = Some(at.elapsed());
        }
    }
}

/// What became of something that a client has sent.
enum Received {
    /// Nothing has to be sent now. If it was a request, the game has it, and will answer.
    InOrder,
    Refused(ServerMessage<'static>),
    /// The connection has to be closed, for this reason.
    CloseWith(u16),
    /// The client has closed the connection.
    Closed,
}

/// Counts what a client has sent, and passes messages on.
async fn receive(frame: Frame, pulse: &mut Pulse, guest: &Guest, web: &Web) -> Received {
    match frame {
        Frame::Binary(_) => Received::CloseWith(close_code::UNSUPPORTED),
        Frame::Close(_) => Received::Closed,
        Frame::Text(_) | Frame::Pong(_) | Frame::Ping(_) if !guest.messages.take() => {
            Received::CloseWith(close_code::POLICY)
        }
        Frame::Text(text) => pass_on(&text, pulse, guest, web).await,
        Frame::Pong(_) | Frame::Ping(_) => Received::InOrder,
    }
}

/// Passes a message of a client on to its game.
async fn pass_on(text: &str, pulse: &mut Pulse, guest: &Guest, web: &Web) -> Received {
    let asked = match protocol::read(text) {
        Ok(protocol::Received::Pong) => {
            pulse.answered();
            return Received::InOrder;
        }
        Ok(protocol::Received::Asked(asked)) => asked,
        Err(error) => return Received::Refused(protocol::unreadable(&error)),
    };
    let refused = |id, sentence: String| {
        Received::Refused(ServerMessage::Refused {
            id,
            refusal: None,
            sentences: vec![sentence],
        })
    };
    if guest.role == Role::Watch {
        // It takes nothing from those who play.
        return refused(asked.id, Denied::Watching.to_string());
    }
    if !web.rates.messages.take() {
        return refused(asked.id, super::BUSY.to_owned());
    }
    let message = Message::Ask {
        role: guest.role,
        asked,
        lag: pulse.lag.unwrap_or_default(),
        reply: ReplyTo::Client(guest.leaving.number),
    };
    match guest.leaving.handle.inbox.send(message).await {
        Ok(()) => Received::InOrder,
        Err(_) => Received::CloseWith(close_code::AWAY),
    }
}
