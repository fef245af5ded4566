//! Long answers that clients read slowly: all of them together hold a limited number of bytes.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use super::Refused;

/// Bytes that are sent at a time.
const CHUNK_SIZE: usize = 16 * 1024;
/// Bytes that are counted as one.
const UNIT: usize = 1024;
/// How many answers are made at the same time.
const MADE_AT_ONCE: usize = 4;

/// What limits the memory of answers: how many are made at once, and the bytes that all of them hold until they are sent.
#[derive(Debug)]
pub(crate) struct AnswerBudget {
    turns: Semaphore,
    units: Arc<Semaphore>,
}

impl AnswerBudget {
    pub(crate) fn new(bytes: usize) -> AnswerBudget {
        let units = (bytes / UNIT).min(Semaphore::MAX_PERMITS);
        AnswerBudget {
            turns: Semaphore::new(MADE_AT_ONCE),
            units: Arc::new(Semaphore::new(units)),
        }
    }

    /// Waits until another answer may be made. Whoever waits holds no text yet.
    pub(crate) async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        // It is never closed.
        self.turns.acquire().await.ok()
    }

    /// Returns a text as the body of an answer, or refuses it while too many others are on their way.
    pub(crate) fn body(&self, text: String) -> Result<Body, Refused> {
        let units = u32::try_from(text.len().div_ceil(UNIT)).unwrap_or(u32::MAX);
        let permit = Arc::clone(&self.units).try_acquire_many_owned(units);
        let permit = permit.map_err(|_| Refused::Busy)?;
        Ok(Body::new(CountedBody {
            rest: text.into(),
            _permit: permit,
        }))
    }
}

/// A body that counts until all of it has been sent.
struct CountedBody {
    rest: Bytes,
    _permit: OwnedSemaphorePermit,
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let length = self.rest.len().min(CHUNK_SIZE);
        if length == 0 {
            return Poll::Ready(None);
        }
        // A copy, because a part of the text would hold all of it in memory.
        let chunk = Bytes::copy_from_slice(&self.rest.split_to(length));
        Poll::Ready(Some(Ok(Frame::data(chunk))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.rest.len() as u64)
    }
}
