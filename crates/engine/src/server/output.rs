//! Where the server's lines go: whole lines only, from several threads, and no panic when nobody reads.
//!
//! A search never writes by itself. It would be interrupted in the middle of it by the very reader it wakes, and where
//! processors are few it would wait for its next turn with the output in its hands, and everybody else with it. So it
//! only adds its lines, and a thread of its own writes them; the thread that decides writes what it has to say at once.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use super::Event;

/// More waiting than this means that nobody reads; whoever wants to say more waits too.
const MOST_WAITING: usize = 1 << 20;

/// Lines on their way to a writer.
#[derive(Clone)]
pub(super) struct Output(Arc<Shared>);

struct Shared {
    writer: Mutex<Box<dyn Write + Send>>,
    state: Mutex<State>,
    filled: Condvar,
    emptied: Condvar,
}

#[derive(Default)]
struct State {
    waiting: Vec<u8>,
    /// Whether a part is being written.
    writing: bool,
    /// Whether nobody reads any more, or there is nothing more to say.
    closed: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what is waiting. A writer that fails closes the output.
    fn write(&self, writer: &mut dyn Write) {
        let part = {
            let mut state = self.lock();
            state.writing = true;
            std::mem::take(&mut state.waiting)
        };
        let written = writer.write_all(&part).and_then(|()| writer.flush());
        let mut state = self.lock();
        state.writing = false;
        if written.is_err() {
            state.closed = true;
            state.waiting = Vec::new();
        }
        drop(state);
        self.emptied.notify_all();
    }

    /// Writes for those who do not, until the output is closed.
    fn write_for_others(&self) {
        loop {
            let mut state = self.lock();
            while state.waiting.is_empty() && !state.closed {
                let waited = self.filled.wait(state);
                state = waited.unwrap_or_else(PoisonError::into_inner);
            }
            if state.closed {
                return;
            }
            drop(state);
            let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
            self.write(&mut **writer);
        }
    }
}

impl Output {
    /// Starts the thread that writes for others. It tells when nobody reads any more.
    pub(super) fn new(writer: impl Write + Send + 'static, events: SyncSender<Event>) -> Output {
        let shared = Arc::new(Shared {
            writer: Mutex::new(Box::new(writer)),
            state: Mutex::default(),
            filled: Condvar::new(),
            emptied: Condvar::new(),
        });
        let output = Output(Arc::clone(&shared));
        thread::spawn(move || {
            shared.write_for_others();
            // The server may have ended.
            let _ = events.send(Event::OutputClosed);
        });
        output
    }

    /// Says a line, from the thread that thinks. Whoever is woken by it may take the processor, so nobody should have
    /// to wait for what the caller holds.
    pub(super) fn line(&self, text: impl Display) {
        self.say(text);
        self.wake();
    }

    /// Says a line that is written when the caller says so.
    pub(super) fn say(&self, text: impl Display) {
        let line = format!("{text}\n");
        self.wait_for_room();
        self.add(&line);
    }

    /// Waits until somebody reads, if too much is waiting.
    pub(super) fn wait_for_room(&self) {
        let mut state = self.0.lock();
        while state.waiting.len() > MOST_WAITING && !state.closed {
            self.wake();
            let waited = self.0.emptied.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Adds a line to what is waiting.
    pub(super) fn add(&self, line: &str) {
        let mut state = self.0.lock();
        if !state.closed {
            state.waiting.extend_from_slice(line.as_bytes());
        }
    }

    /// Has what is waiting written by the thread that writes for others.
    pub(super) fn wake(&self) {
        self.0.filled.notify_one();
    }

    /// Writes what is waiting, or leaves it to the thread that is writing already.
    pub(super) fn write_now(&self) {
        if self.0.lock().waiting.is_empty() {
            return;
        }
        match self.0.writer.try_lock() {
            Ok(mut writer) => self.0.write(&mut **writer),
            Err(TryLockError::Poisoned(writer)) => self.0.write(&mut **writer.into_inner()),
            Err(TryLockError::WouldBlock) => self.wake(),
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        self.0.lock().closed
    }

    /// Ends the output when everything is written, or so much time has passed.
    pub(super) fn finish(&self, limit: Duration) {
        let end = Instant::now() + limit;
        self.wake();
        let mut state = self.0.lock();
        while !state.closed && (state.writing || !state.waiting.is_empty()) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.0.emptied.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.closed = true;
        drop(state);
        self.0.filled.notify_all();
        self.0.emptied.notify_all();
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
