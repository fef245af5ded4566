//! What happens in a game as a stream of server-sent events, for programs: the messages of the socket, one each.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::sync::{mpsc, oneshot};

use super::socket::Leaving;
use super::{Refused, Web};
use crate::lobby::LobbyError;
use crate::task::Message;

pub(crate) async fn events(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let role = web.role(&headers, &id).await?;
    let handle = web.lobby.find(&id).await?;
    let (outbox, inbox) = mpsc::channel(web.lobby.shared.config.limits.waiting_messages);
    let (reply, joined) = oneshot::channel();
    let join = Message::Join {
        role,
        outbox,
        reply,
    };
    handle
        .inbox
        .send(join)
        .await
        .map_err(|_| LobbyError::Ending)?;
    let number = joined
        .await
        .map_err(|_| LobbyError::Ending)?
        .ok_or(LobbyError::Full)?;
    let guard = Leaving { handle, number };
    let messages = stream::unfold((inbox, guard), |(mut inbox, guard)| async move {
        let text = inbox.recv().await?;
        let event = Event::default().data(text.as_str());
        Some((Ok::<_, Infallible>(event), (inbox, guard)))
    });
    Ok(Sse::new(messages)
        .keep_alive(KeepAlive::default())
        .into_response())
}
