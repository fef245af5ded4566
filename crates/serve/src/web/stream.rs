//! A game as a stream of server-sent events, for programs. Each event is a message of the socket.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, StreamExt};
use tokio::time::{MissedTickBehavior, interval};

use super::visit::Visit;
use super::{Refused, Web, access};
use crate::task::Way;

pub(crate) async fn events(
    State(web): State<Arc<Web>>,
    visit: Visit,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let guest = visit.join(Way::Stream).await?;
    let session = access::session(&headers);
    let mut pings = interval(web.lobby.shared.config.limits.ping);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let messages = stream::unfold((guest, pings), |(mut guest, mut pings)| async move {
        let event = tokio::select! {
            text = guest.inbox.recv() => Event::default().data(text?.as_str()),
            // Programs skip it, and connections without it look dead.
            _ = pings.tick() => Event::default().comment(""),
        };
        Some((Ok::<_, Infallible>(event), (guest, pings)))
    });
    let end = async move { web.session_end(session.as_ref()).await };
    Ok(Sse::new(messages.take_until(end)).into_response())
}
