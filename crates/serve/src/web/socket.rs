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

use super::access::Bucket;
use super::visit::{Guest, Visit};
use super::{Refused, Web};
use crate::config::Limits;
use crate::protocol::{self, Asked, PROTOCOL};
use crate::task::{Message, ReplyTo};

/// How often a client is asked whether it is there, and how far away it is; the first time at once.
const PING: Duration = Duration::from_secs(10);

/// What is read of a client at once.
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
            "This is for a WebSocket.".to_owned(),
        )
    })?;
    let guest = visit.stay().await?;
    let limits = web.lobby.shared.config.limits.clone();
    let most = limits.message_bytes;
    let upgrade = upgrade
        .max_message_size(most)
        .max_frame_size(most)
        .max_write_buffer_size(1 << 20)
        // Many clients look on, and what they send is small: 128 KiB for each would be more than all else.
        .read_buffer_size(READ_BUFFER);
    Ok(upgrade.on_upgrade(move |socket| talk(socket, guest, limits)))
}

async fn talk(mut socket: WebSocket, guest: Guest, limits: Limits) {
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
                // The game has let this client go: it is too slow, or the server ends.
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
                Some(Ok(Frame::Text(text))) => {
                    if !bucket.take() {
                        break close_code::POLICY;
                    }
                    match serde_json::from_str::<Asked>(&text) {
                        Ok(asked) => {
                            let message = Message::Ask {
                                role,
                                asked: Box::new(asked),
                                lag,
                                reply: ReplyTo::Client(leaving.number),
                            };
                            if leaving.handle.inbox.send(message).await.is_err() {
                                break close_code::AWAY;
                            }
                            continue;
                        }
                        Err(error) => Frame::Text(protocol::text(&protocol::unreadable(&error)).into()),
                    }
                }
                Some(Ok(Frame::Pong(_))) => {
                    if !bucket.take() {
                        break close_code::POLICY;
                    }
                    lag = pinged.take().map_or(lag, |at| at.elapsed());
                    continue;
                }
                Some(Ok(Frame::Ping(_))) if bucket.take() => continue,
                Some(Ok(Frame::Ping(_))) => break close_code::POLICY,
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
