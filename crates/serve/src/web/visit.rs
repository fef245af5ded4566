//! How a request gets to its game: who asks, which game, and one message with its answer.

use axum::extract::ws::Utf8Bytes;
use axum::http::header::HeaderMap;
use tokio::sync::{mpsc, oneshot};

use super::{Refused, Web};
use crate::lobby::LobbyError;
use crate::role::Role;
use crate::task::{Handle, Message};

/// Somebody who may see a game.
pub(crate) struct Visit {
    pub(crate) role: Role,
    handle: Handle,
}

impl Visit {
    /// Finds out who asks, and finds the game.
    pub(crate) async fn new(web: &Web, headers: &HeaderMap, id: &str) -> Result<Visit, Refused> {
        let role = web.role(headers, id).await?;
        let handle = web.lobby.find(id).await?;
        Ok(Visit { role, handle })
    }

    /// Sends a message with a place for its answer, and waits for that.
    pub(crate) async fn ask<T>(
        &self,
        message: impl FnOnce(oneshot::Sender<T>) -> Message,
    ) -> Result<T, LobbyError> {
        let (reply, answer) = oneshot::channel();
        let sent = self.handle.inbox.send(message(reply)).await;
        sent.map_err(|_| LobbyError::Ending)?;
        answer.await.map_err(|_| LobbyError::Ending)
    }

    /// Stays, and hears of everything that happens.
    pub(crate) async fn stay(self, web: &Web) -> Result<Guest, LobbyError> {
        let waiting = web.lobby.shared.config.limits.waiting_messages;
        let (outbox, inbox) = mpsc::channel(waiting);
        let role = self.role;
        let joined = self.ask(|reply| Message::Join {
            role,
            outbox,
            reply,
        });
        let number = joined.await?.ok_or(LobbyError::Full)?;
        let leaving = Leaving {
            handle: self.handle,
            number,
        };
        Ok(Guest {
            role,
            inbox,
            leaving,
        })
    }
}

/// Somebody who stays at a game.
pub(crate) struct Guest {
    pub(crate) role: Role,
    /// What is sent to them; it ends when the game lets them go.
    pub(crate) inbox: mpsc::Receiver<Utf8Bytes>,
    pub(crate) leaving: Leaving,
}

/// Leaves the game whichever way the connection ends.
pub(crate) struct Leaving {
    pub(crate) handle: Handle,
    pub(crate) number: u64,
}

impl Drop for Leaving {
    fn drop(&mut self) {
        let leave = Message::Leave(self.number);
        if let Err(mpsc::error::TrySendError::Full(leave)) = self.handle.inbox.try_send(leave) {
            let inbox = self.handle.inbox.clone();
            tokio::spawn(async move { inbox.send(leave).await });
        }
    }
}
