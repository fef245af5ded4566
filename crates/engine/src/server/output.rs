//! The server's output: whole lines from several threads, and no panic when the pipe is closed.
//!
//! A search never writes by itself. The reader that it wakes may take its CPU, and everybody else would wait for the
//! output that it holds. It only queues its lines, and a writer thread writes them; the server thread writes what it has
//! to say at once.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use super::input::{Event, EventSender};
use crate::threads::ThreadSpawner;

/// With more bytes queued than this, senders wait until some are written.
const MAX_QUEUED: usize = 1 << 20;

/// How often a non-blocking output is tried again.
const RETRY_INTERVAL: Duration = Duration::from_millis(2);

/// A queue of lines, and the writer they go to.
#[derive(Clone)]
pub(super) struct Output(Arc<OutputShared>);

struct OutputShared {
    writer: Mutex<Box<dyn Write + Send>>,
    state: Mutex<OutputQueue>,
    queued: Condvar,
    written: Condvar,
}

#[derive(Default)]
struct OutputQueue {
    queue: Vec<u8>,
    /// Whether some of it is being written.
    writing: bool,
    /// Whether the output is closed, or the server has ended.
    closed: bool,
}

impl OutputShared {
    fn lock(&self) -> MutexGuard<'_, OutputQueue> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what is queued. A write error closes the output.
    fn write(&self, writer: &mut dyn Write) {
        let bytes = {
            let mut state = self.lock();
            state.writing = true;
            std::mem::take(&mut state.queue)
        };
        let result = write_all(writer, &bytes);
        let mut state = self.lock();
        state.writing = false;
        if result.is_err() {
            state.closed = true;
            state.queue = Vec::new();
        }
        drop(state);
        self.written.notify_all();
    }

    /// The writer thread: writes whenever something is queued, until the output is closed.
    fn run_writer(&self) {
        loop {
            let mut state = self.lock();
            while state.queue.is_empty() && !state.closed {
                let waited = self.queued.wait(state);
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
    /// Starts the writer thread, which sends an event when the output is closed.
    pub(super) fn new(
        writer: impl Write + Send + 'static,
        events: EventSender,
        spawner: &mut ThreadSpawner,
    ) -> io::Result<Output> {
        let shared = Arc::new(OutputShared {
            writer: Mutex::new(Box::new(writer)),
            state: Mutex::default(),
            queued: Condvar::new(),
            written: Condvar::new(),
        });
        let output = Output(Arc::clone(&shared));
        spawner.spawn(move || {
            shared.run_writer();
            events.send(Event::OutputClosed);
        })?;
        Ok(output)
    }

    /// Sends a line, from the worker thread. The writer thread that it wakes may take this CPU, so the caller
    /// should hold no lock.
    pub(super) fn line(&self, text: impl Display) {
        self.queue(text);
        self.wake();
    }

    /// Queues a line, which is written at the next [`Output::wake`] or [`Output::flush`].
    pub(super) fn queue(&self, text: impl Display) {
        let line = format!("{text}\n");
        self.wait_for_room();
        self.add(&line);
    }

    /// Waits for the writer if too much is queued.
    pub(super) fn wait_for_room(&self) {
        let mut state = self.0.lock();
        while state.queue.len() > MAX_QUEUED && !state.closed {
            self.wake();
            let waited = self.0.written.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Queues a line that ends with a newline, without waiting for room.
    pub(super) fn add(&self, line: &str) {
        let mut state = self.0.lock();
        if !state.closed {
            state.queue.extend_from_slice(line.as_bytes());
        }
    }

    /// Wakes the writer thread.
    pub(super) fn wake(&self) {
        self.0.queued.notify_one();
    }

    /// Writes what is queued, or leaves it to the writer thread if that is busy.
    pub(super) fn flush(&self) {
        if self.0.lock().queue.is_empty() {
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

    /// Closes the output when everything is written, or when the time is up.
    pub(super) fn finish(&self, limit: Duration) {
        let end = Instant::now() + limit;
        self.wake();
        let mut state = self.0.lock();
        while !state.closed && (state.writing || !state.queue.is_empty()) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.0.written.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.closed = true;
        drop(state);
        self.0.queued.notify_all();
        self.0.written.notify_all();
    }
}

/// Writes everything, also to an output that is non-blocking.
fn write_all(writer: &mut dyn Write, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match writer.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
            Err(error) => retry(error)?,
        }
    }
    loop {
        match writer.flush() {
            Ok(()) => return Ok(()),
            Err(error) => retry(error)?,
        }
    }
}

/// Waits a moment if an error will pass.
fn retry(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::WouldBlock => thread::sleep(RETRY_INTERVAL),
        io::ErrorKind::Interrupted => {}
        _ => return Err(error),
    }
    Ok(())
}

/// A writer into memory that can be read while it is written to, for tests and for programs that show a session.
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
