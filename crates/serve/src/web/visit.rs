//! How a request gets to its game: the role of the client, the game, and one message with its answer.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use axum::extract::{FromRequestParts, Path};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use tokio::sync::{mpsc, oneshot};

use super::{Refused, Web};
use crate::lobby::LobbyError;
use crate::rates::{Asker, SharedBucket};
use crate::role::Role;
use crate::task::{Handle, Message, Text, Way};

/// Somebody who may see a game.
pub(crate) struct Visit {
    pub(crate) role: Role,
    id: String,
    web: Arc<Web>,
}

/// Finds the role of the client in the game that the path names.
impl FromRequestParts<Arc<Web>> for Visit {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, web: &Arc<Web>) -> Result<Visit, Refused> {
        let path = Path::<String>::from_request_parts(parts, web).await;
        let Path(id) = path.map_err(|_| Refused::NotFound)?;
        let role = web.role(&parts.headers, &id).await?;
        let web = Arc::clone(web);
        Ok(Visit { role, id, web })
    }
}

impl Visit {
    /// Counts a request that reads or changes the game.
    pub(crate) fn count_request(&self) -> Result<(), Refused> {
        self.web
            .count_request(Asker::Link(self.id.clone(), self.role))
    }

    /// Answers with a text of the game, after `render` has made what is sent of it.
    pub(crate) async fn answer(
        &self,
        kind: &'static str,
        text: Text,
        render: impl FnOnce(String) -> Result<String, Refused>,
    ) -> Result<Response, Refused> {
        let role = self.role;
        let answers = &self.web.answers;
        let turn = answers.turn().await;
        let text = self.ask(|reply| Message::Text(role, text, reply)).await?;
        let body = answers.body(render(text)?)?;
        drop(turn);
        Ok(([(header::CONTENT_TYPE, kind)], body).into_response())
    }

    /// Answers with the state of the game.
    pub(crate) async fn state(&self) -> Result<Response, Refused> {
        self.answer("application/json", Text::State, Ok).await
    }

    /// Sends a message to the game, and waits for the answer.
    pub(crate) async fn ask<T>(
        &self,
        message: impl FnOnce(oneshot::Sender<T>) -> Message,
    ) -> Result<T, LobbyError> {
        let (reply, answer) = oneshot::channel();
        self.send(message(reply)).await?;
        answer.await.map_err(|_| LobbyError::Ending)
    }

    /// Sends a message to the game. The game may be removed from memory at any moment, and is read from disk again then.
    async fn send(&self, message: Message) -> Result<Handle, LobbyError> {
        let mut message = message;
        loop {
            let handle = self.web.lobby.find(&self.id).await?;
            match handle.inbox.send(message).await {
                Ok(()) => return Ok(handle),
                Err(mpsc::error::SendError(back)) => message = back,
            }
        }
    }

    /// Joins the game, to receive everything that happens.
    pub(crate) async fn join(self, way: Way) -> Result<Guest, LobbyError> {
        let waiting = self.web.lobby.shared.config.limits.waiting_messages;
        let (outbox, inbox) = mpsc::channel(waiting);
        let role = self.role;
        let (reply, joined) = oneshot::channel();
        let join = Message::Join {
            role,
            way,
            outbox,
            reply,
        };
        let handle = self.send(join).await?;
        let number = joined.await.map_err(|_| LobbyError::Ending)?;
        let number = number.ok_or(LobbyError::Full)?;
        let leaving = LeaveOnDrop { handle, number };
        Ok(Guest {
            role,
            inbox,
            messages: self.web.rates.messages_of(&self.id, role),
            leaving,
        })
    }
}

/// A client that has joined a game.
pub(crate) struct Guest {
    pub(crate) role: Role,
    /// The messages for the client. It ends when the game drops the client.
    pub(crate) inbox: mpsc::Receiver<Utf8Bytes>,
    /// Counts the client's own messages.
    pub(crate) messages: Arc<SharedBucket>,
    pub(crate) leaving: LeaveOnDrop,
}

/// Leaves the game when it is dropped, however the connection ends.
pub(crate) struct LeaveOnDrop {
    pub(crate) handle: Handle,
    pub(crate) number: u64,
}

impl Drop for LeaveOnDrop {
    fn drop(&mut self) {
        let leave = Message::Leave(self.number);
        if let Err(mpsc::error::TrySendError::Full(leave)) = self.handle.inbox.try_send(leave) {
            let inbox = self.handle.inbox.clone();
            tokio::spawn(async move { inbox.send(leave).await });
        }
    }
}
