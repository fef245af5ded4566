//! What happens in a game as a stream of server-sent events, for programs: the messages of the socket, one each.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;

use super::visit::Visit;
use super::{Refused, Web};

pub(crate) async fn events(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let visit = Visit::new(&web, &headers, &id).await?;
    let guest = visit.stay(&web).await?;
    let messages = stream::unfold(guest, |mut guest| async move {
        let text = guest.inbox.recv().await?;
        let event = Event::default().data(text.as_str());
        Some((Ok::<_, Infallible>(event), guest))
    });
    Ok(Sse::new(messages)
        .keep_alive(KeepAlive::default())
        .into_response())
}
