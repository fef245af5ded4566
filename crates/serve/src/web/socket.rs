//! One client on a WebSocket: what it sends goes to the game, and what the game sends goes to it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::rejection::QueryRejection;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{
    CloseFrame, Message as Frame, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code,
};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::access::Bucket;
use super::visit::{Guest, Visit};
use super::{Refused, Web};
use crate::config::Limits;
use crate::protocol::{self, Asked, PROTOCOL, Sent};
use crate::task::{Message, ReplyTo};

/// How often a client is asked whether it is there. Twice at once, to know early how far away it is.
const PING: Duration = Duration::from_secs(10);

#[derive(Deserialize)]
pub(crate) struct Version {
    #[serde(default)]
    protocol: Option<u32>,
}

/// Joins a game.
pub(crate) async fn join(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    version: Result<Query<Version>, QueryRejection>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refused> {
    let visit = Visit::new(&web, &headers, &id).await?;
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
    let guest = visit.stay(&web).await?;
    let limits = web.lobby.shared.config.limits.clone();
    let most = limits.message_bytes;
    let upgrade = upgrade
        .max_message_size(most)
        .max_frame_size(most)
        .max_write_buffer_size(1 << 20);
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
                        Err(error) => unreadable(&error),
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

/// What is said to a message that is none.
fn unreadable(error: &serde_json::Error) -> Frame {
    let sentence = format!("The message cannot be read: {error}.");
    let refused = Sent::Refused {
        id: 0,
        refusal: None,
        sentences: vec![sentence],
    };
    Frame::Text(protocol::text(&refused).into())
}
