//! A game as a stream of server-sent events, for programs. Each event is a message of the socket.

use std::convert::Infallible;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;

use super::Refused;
use super::visit::Visit;

pub(crate) async fn events(visit: Visit) -> Result<Response, Refused> {
    let guest = visit.stay().await?;
    let messages = stream::unfold(guest, |mut guest| async move {
        let text = guest.inbox.recv().await?;
        let event = Event::default().data(text.as_str());
        Some((Ok::<_, Infallible>(event), guest))
    });
    Ok(Sse::new(messages)
        .keep_alive(KeepAlive::default())
        .into_response())
}
