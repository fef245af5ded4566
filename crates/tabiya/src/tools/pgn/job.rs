//! A command as the worker threads see it: how to read a part of a file and pass on the results.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tabiya_game::pgn::{ReadError, Source, TextPosition};

/// How much text is passed on at once.
const CHUNK_SIZE: usize = 1 << 16;

/// What a command does with games. All threads share one job.
pub(crate) trait Job: Send + Sync + 'static {
    /// What is counted. Tallies arrive in the order of the input.
    type Tally: Send + 'static;

    /// The counter of games read, for the progress bar.
    fn games(&self) -> Option<Arc<AtomicU64>> {
        None
    }

    /// Reads a part of a file, from the beginning of a game to that of another, or to the end.
    ///
    /// # Errors
    /// If the answer is not wanted any more.
    fn read<S: Source<Error = Stopped>>(
        &self,
        part: Part<'_, S>,
        writer: &mut PartWriter<'_, Self::Tally>,
    ) -> Result<(), Stopped>;
}

/// A part of a file, or all of it.
#[derive(Debug)]
pub(crate) struct Part<'a, S> {
    /// The file's name, safe to show.
    pub(crate) name: &'a str,
    pub(crate) source: S,
    /// Where it begins in the file.
    pub(crate) start: TextPosition,
}

/// The result is no longer wanted, so reading stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

impl From<Infallible> for Stopped {
    fn from(never: Infallible) -> Stopped {
        match never {}
    }
}

impl From<ReadError<Stopped, Infallible>> for Stopped {
    fn from(error: ReadError<Stopped, Infallible>) -> Stopped {
        error.into_source_error()
    }
}

/// A chunk of a part's output.
#[derive(Debug)]
pub(crate) enum OutputChunk<T> {
    /// Text for stdout.
    Text(Vec<u8>),
    /// A line for stderr.
    Message(String),
    Tally(T),
    /// The end of the part.
    Done,
}

/// Where a command writes the output of a part.
pub(crate) struct PartWriter<'a, T> {
    text: Vec<u8>,
    stop: &'a AtomicBool,
    deliver: &'a mut dyn FnMut(OutputChunk<T>) -> Result<(), Stopped>,
}

impl<'a, T> PartWriter<'a, T> {
    pub(crate) fn new(
        stop: &'a AtomicBool,
        deliver: &'a mut dyn FnMut(OutputChunk<T>) -> Result<(), Stopped>,
    ) -> PartWriter<'a, T> {
        PartWriter {
            text: Vec::new(),
            stop,
            deliver,
        }
    }

    /// Writes a line to stdout.
    pub(crate) fn line(&mut self, text: &str) {
        self.bytes(text.as_bytes());
        self.bytes(b"\n");
    }

    /// Writes bytes to stdout.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        if self.text.len() + bytes.len() > CHUNK_SIZE {
            self.flush();
        }
        if self.text.capacity() == 0 {
            self.text.reserve(CHUNK_SIZE);
        }
        self.text.extend_from_slice(bytes);
    }

    /// Prints a line on stderr.
    pub(crate) fn message(&mut self, text: String) {
        self.send(OutputChunk::Message(text));
    }

    /// Passes on a tally.
    pub(crate) fn tally(&mut self, tally: T) {
        self.send(OutputChunk::Tally(tally));
    }

    /// Passes on everything, and marks the end.
    pub(crate) fn finish(mut self) {
        self.flush();
        self.send(OutputChunk::Done);
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.send(OutputChunk::Text(text));
        }
    }

    /// The thread that feeds the readers checks the flag and stops them.
    fn send(&mut self, chunk: OutputChunk<T>) {
        if (self.deliver)(chunk).is_err() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}
