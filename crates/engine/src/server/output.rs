//! Where the server's lines go: whole lines only, from several threads, and no panic when nobody reads.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};

use super::Event;
use tabiya_uci::Reply;

/// A writer that several threads share. Each line is written and flushed at once.
#[derive(Clone)]
pub(super) struct Output(Arc<Mutex<State>>);

struct State {
    writer: Box<dyn Write + Send>,
    closed: bool,
    events: SyncSender<Event>,
}

impl Output {
    pub(super) fn new(writer: impl Write + Send + 'static, events: SyncSender<Event>) -> Output {
        Output(Arc::new(Mutex::new(State {
            writer: Box::new(writer),
            closed: false,
            events,
        })))
    }

    pub(super) fn say(&self, reply: &Reply) {
        self.line(reply);
    }

    /// Writes a line that is no message of the protocol.
    pub(super) fn line(&self, text: impl Display) {
        let text = format!("{text}\n");
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.closed {
            return;
        }
        let written = state.writer.write_all(text.as_bytes());
        if written.and_then(|()| state.writer.flush()).is_err() {
            state.closed = true;
            // A full queue means that there is input to look at, and the next line will tell again.
            if state.events.try_send(Event::OutputClosed).is_err() {
                state.closed = false;
            }
        }
    }
}

/// A writer into memory that can be read while it is written to; for tests and for programs that show a session.
#[derive(Clone, Default, Debug)]
pub struct SharedBuffer(Arc<Mutex<Vec<u8>>>);

impl SharedBuffer {
    /// What was written so far.
    #[must_use]
    pub fn text(&self) -> String {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
