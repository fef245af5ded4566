//! What an engine has not read yet: a bounded queue, written by its own thread.

use std::io::{self, Write};
use std::process::ChildStdin;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::platform::{Cancelled, write_some};
use crate::text::OneLine;

/// An engine that leaves this many bytes unread is not reading at all.
const TOO_MUCH: usize = 4 << 20;

#[derive(Default, Debug)]
struct UnsentBytes {
    bytes: Vec<u8>,
    closed: bool,
}

#[derive(Default, Debug)]
pub(crate) struct Outbox {
    state: Mutex<UnsentBytes>,
    changed: Condvar,
}

/// The error returned when the engine does not read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Clogged;

impl Outbox {
    fn lock(&self) -> MutexGuard<'_, UnsentBytes> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line, which the thread then writes.
    pub(crate) fn send(&self, line: &str) -> Result<(), Clogged> {
        let mut state = self.lock();
        if state.bytes.len() > TOO_MUCH {
            return Err(Clogged);
        }
        // Writing into a vector never fails.
        let _ = writeln!(state.bytes, "{}", OneLine(line));
        self.changed.notify_all();
        Ok(())
    }

    /// Ends the queue: the pipe is closed once everything has been written.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Writes what is added until the queue is closed.
    pub(super) fn write_all_to(
        &self,
        mut stdin: ChildStdin,
        cancelled: &Cancelled,
    ) -> io::Result<()> {
        loop {
            let bytes = {
                let mut state = self.lock();
                while state.bytes.is_empty() && !state.closed {
                    let waited = self.changed.wait(state);
                    state = waited.unwrap_or_else(PoisonError::into_inner);
                }
                if state.bytes.is_empty() {
                    return Ok(());
                }
                std::mem::take(&mut state.bytes)
            };
            let mut rest = bytes.as_slice();
            while !rest.is_empty() {
                let count = write_some(&mut stdin, rest, cancelled)?;
                rest = rest.get(count..).unwrap_or_default();
            }
        }
    }
}
