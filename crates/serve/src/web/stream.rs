//! A game as a stream of server-sent events, for programs. Each event is a message of the socket.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::time::{MissedTickBehavior, interval};

use super::visit::Visit;
use super::{Refused, Web, access};
use crate::task::Way;

pub(crate) async fn events(
    State(web): State<Arc<Web>>,
    visit: Visit,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let guest = visit.stay(Way::Stream).await?;
    let session = access::session(&headers);
    let mut pings = interval(web.lobby.shared.config.limits.ping);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let begun = (guest, pings, session, web);
    let messages = stream::unfold(begun, |(mut guest, mut pings, session, web)| async move {
        let event = tokio::select! {
            text = guest.inbox.recv() => Event::default().data(text?.as_str()),
            _ = pings.tick() => {
                if web.has_ended(session.as_ref()) {
                    return None;
                }
                // Programs skip it, and connections without it look dead.
                Event::default().comment("")
            }
        };
        Some((Ok::<_, Infallible>(event), (guest, pings, session, web)))
    });
    Ok(Sse::new(messages).into_response())
}
