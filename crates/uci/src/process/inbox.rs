//! Engine output that has not been read yet: a bounded queue.
//!
//! An engine may print faster than its output is read. Then text and old search reports are dropped, because later
//! ones replace them. Replies that a caller waits for are never dropped; too many of them end the link.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::reply::Reply;

/// From this length on, text is dropped.
const MAX_TEXTS: usize = 256;
/// From this length on, a new search report replaces the oldest one.
const MAX_REPORTS: usize = 1024;
/// No engine has this many replies that must not be lost.
const MAX_REPLIES: usize = 8192;

/// Why there will be no more replies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    OutputClosed,
    InputClosed,
    LineTooLong,
    Flood,
}

/// Requests from other threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LinkRequest {
    Stop,
    PonderHit,
    Abort,
    /// Look at something other than the engine.
    Wake,
}

/// Whether the reader should continue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Received {
    More,
    Enough,
}

/// The result of waiting.
#[derive(Debug)]
pub(crate) enum Waited {
    Reply(Reply),
    Request(LinkRequest),
    Ended(End),
    TimedOut,
}

#[derive(Default, Debug)]
struct UnreadLines {
    replies: VecDeque<Reply>,
    requests: VecDeque<LinkRequest>,
    end: Option<End>,
    dropped: u64,
    binary: bool,
}

#[derive(Default, Debug)]
pub(crate) struct Inbox {
    state: Mutex<UnreadLines>,
    changed: Condvar,
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, UnreadLines> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line.
    pub(crate) fn deliver(&self, line: &[u8]) -> Received {
        let reply = Reply::parse(line);
        let mut state = self.lock();
        state.binary |= line.contains(&0);
        let waiting = state.replies.len();
        let keep = match &reply {
            Reply::Unknown(_) => waiting < MAX_TEXTS,
            Reply::Info(info) if info.is_message() => waiting < MAX_TEXTS,
            Reply::Info(_) if waiting >= MAX_REPORTS => state.make_room(),
            Reply::Info(_) => true,
            _ if waiting >= MAX_REPLIES => {
                state.end.get_or_insert(End::Flood);
                self.changed.notify_all();
                return Received::Enough;
            }
            _ => true,
        };
        if keep {
            state.replies.push_back(reply);
            self.changed.notify_all();
        } else {
            state.dropped += 1;
        }
        Received::More
    }

    /// Ends the queue. The first reason is kept.
    pub(crate) fn end(&self, end: End) {
        self.lock().end.get_or_insert(end);
        self.changed.notify_all();
    }

    /// Asks the waiting thread to do something.
    pub(crate) fn request(&self, request: LinkRequest) {
        let mut state = self.lock();
        if !state.requests.contains(&request) {
            state.requests.push_back(request);
        }
        self.changed.notify_all();
    }

    /// Drops requests about an earlier search; other requests stay.
    pub(crate) fn drop_search_requests(&self) {
        let is_about_search =
            |request: &LinkRequest| matches!(request, LinkRequest::Stop | LinkRequest::PonderHit);
        self.lock()
            .requests
            .retain(|request| !is_about_search(request));
    }

    /// Waits for the next thing that happens, at most until `until`. Replies come before the end.
    pub(crate) fn wait(&self, until: Instant) -> Waited {
        let mut state = self.lock();
        loop {
            if let Some(request) = state.requests.pop_front() {
                return Waited::Request(request);
            }
            if let Some(reply) = state.replies.pop_front() {
                return Waited::Reply(reply);
            }
            if let Some(end) = state.end {
                return Waited::Ended(end);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Waited::TimedOut;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Returns how many lines were dropped because they were not read in time.
    pub(crate) fn dropped(&self) -> u64 {
        self.lock().dropped
    }

    /// Returns whether the engine has sent anything that is not text.
    pub(crate) fn is_binary(&self) -> bool {
        self.lock().binary
    }
}

impl UnreadLines {
    /// Drops the oldest search report. If there is none, the new one is not added.
    fn make_room(&mut self) -> bool {
        let oldest = self
            .replies
            .iter()
            .position(|reply| matches!(reply, Reply::Info(_)));
        match oldest {
            Some(at) => {
                self.replies.remove(at);
                self.dropped += 1;
                true
            }
            None => false,
        }
    }
}
