//! One client on a WebSocket: what it sends goes to the game, and what the game sends goes to it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::rejection::QueryRejection;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{
    CloseFrame, Message as Frame, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code,
};
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::visit::{Guest, LeaveOnDrop, Visit};
use super::{Refused, Web};
use crate::config::Limits;
use crate::json;
use crate::protocol::{self, ClientMessage, PROTOCOL, ServerMessage};
use crate::rates::Bucket;
use crate::role::Role;
use crate::task::{Message, ReplyTo};

/// The time between pings, which find out whether a client is still there and how long its messages take. The first is sent
/// at once.
const PING: Duration = Duration::from_secs(10);

/// The size of the buffer for messages of a client.
const READ_BUFFER: usize = 4 * 1024;

#[derive(Deserialize)]
pub(crate) struct Version {
    #[serde(default)]
    protocol: Option<u32>,
}

/// Joins a game.
pub(crate) async fn join(
    State(web): State<Arc<Web>>,
    visit: Visit,
    version: Result<Query<Version>, QueryRejection>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refused> {
    let Query(version) = version.map_err(|_| Refused::Protocol)?;
    if version.protocol.is_some_and(|version| version != PROTOCOL) {
        return Err(Refused::Protocol);
    }
    let upgrade = upgrade.map_err(|_| {
        Refused::Body(
            StatusCode::UPGRADE_REQUIRED,
            "This address is for a WebSocket.".to_owned(),
        )
    })?;
    let guest = visit.stay().await?;
    let limits = web.lobby.shared.config.limits.clone();
    let most = limits.message_bytes;
    let upgrade = upgrade
        .max_message_size(most)
        .max_frame_size(most)
        .max_write_buffer_size(1 << 20)
        // There may be many clients, and their messages are small. The default of 128 KiB would take most of the memory.
        .read_buffer_size(READ_BUFFER);
    Ok(upgrade.on_upgrade(move |socket| talk(socket, guest, web, limits)))
}

async fn talk(mut socket: WebSocket, guest: Guest, web: Arc<Web>, limits: Limits) {
    let Guest {
        role,
        mut inbox,
        leaving,
    } = guest;
    let mut bucket = Bucket::new(limits.messages);
    let mut pings = interval(PING);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut pinged = None;
    let mut lag = Duration::ZERO;
    let end = loop {
        let frame = tokio::select! {
            text = inbox.recv() => match text {
                Some(text) => Frame::Text(text),
                // The game has dropped this client, because it is too slow or because the server ends.
                None => break close_code::AWAY,
            },
            _ = pings.tick() => {
                if pinged.is_some_and(|at: Instant| at.elapsed() >= limits.patience) {
                    break close_code::AWAY;
                }
                if pinged.is_some() {
                    continue;
                }
                pinged = Some(Instant::now());
                Frame::Ping(Vec::new().into())
            }
            frame = socket.recv() => match frame {
                Some(Ok(Frame::Text(text))) if bucket.take() => {
                    match pass_on(&text, lag, role, &leaving, &web).await {
                        Delivery::On => continue,
                        Delivery::Refused(sent) => Frame::Text(protocol::text(&sent).into()),
                        Delivery::GameGone => break close_code::AWAY,
                    }
                }
                Some(Ok(Frame::Pong(_))) if bucket.take() => {
                    lag = pinged.take().map_or(lag, |at| at.elapsed());
                    continue;
                }
                Some(Ok(Frame::Ping(_))) if bucket.take() => continue,
                Some(Ok(Frame::Text(_) | Frame::Pong(_) | Frame::Ping(_))) => break close_code::POLICY,
                Some(Ok(Frame::Binary(_))) => break close_code::UNSUPPORTED,
                Some(Ok(Frame::Close(_)) | Err(_)) | None => return,
            },
        };
        match timeout(limits.patience, socket.send(frame)).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) | Err(_) => return,
        }
    };
    drop(leaving);
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

/// What became of a message of a client.
enum Delivery {
    /// The game has it, and will answer.
    On,
    Refused(ServerMessage<'static>),
    GameGone,
}

/// Passes a message of a client on to its game.
async fn pass_on(
    text: &str,
    lag: Duration,
    role: Role,
    leaving: &LeaveOnDrop,
    web: &Web,
) -> Delivery {
    let asked: ClientMessage = match json::read(text.as_bytes()) {
        Ok(asked) => asked,
        Err(error) => return Delivery::Refused(protocol::unreadable(&error)),
    };
    if !web.rates.messages.take() {
        return Delivery::Refused(ServerMessage::Refused {
            id: asked.id,
            refusal: None,
            sentences: vec!["The server is busy. Try again in a moment.".to_owned()],
        });
    }
    let message = Message::Ask {
        role,
        asked: Box::new(asked),
        lag,
        reply: ReplyTo::Client(leaving.number),
    };
    match leaving.handle.inbox.send(message).await {
        Ok(()) => Delivery::On,
        Err(_) => Delivery::GameGone,
    }
}
