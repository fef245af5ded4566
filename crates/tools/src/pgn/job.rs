//! A command as the worker threads see it: how to read a part of a file and pass on the results.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use tabiya_game::pgn::{Canceled, Part};

/// How much text is passed on at once.
const CHUNK_SIZE: usize = 1 << 16;

/// What a command does with games. All threads share one job.
pub(crate) trait Job: Send + Sync + 'static {
    /// What it makes of games besides text. Items arrive in the order of the input.
    type Item: Send + 'static;

    /// The counter of games read, for the progress bar.
    fn games(&self) -> Option<Arc<AtomicU64>> {
        None
    }

    /// Reads a part of a file, from the beginning of a game to that of another, or to the end.
    ///
    /// # Errors
    /// Fails if the output is no longer wanted.
    fn read(&self, part: Part<'_>, writer: &mut PartWriter<'_, Self::Item>)
    -> Result<(), Canceled>;
}

/// A chunk of a part's output.
#[derive(Debug)]
pub(crate) enum OutputChunk<T> {
    /// Text for stdout.
    Text(Vec<u8>),
    /// A line for stderr.
    Message(String),
    /// Of the job's [`Item`](Job::Item).
    Item(T),
}

/// Where a command writes the output of a part.
pub(crate) struct PartWriter<'a, T> {
    /// The name of its file, safe to show.
    pub(crate) file: &'a str,
    pub(super) text: Vec<u8>,
    pub(super) give: &'a mut dyn FnMut(OutputChunk<T>),
}

impl<T> PartWriter<'_, T> {
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
        (self.give)(OutputChunk::Message(text));
    }

    /// Passes on an item.
    pub(crate) fn item(&mut self, item: T) {
        (self.give)(OutputChunk::Item(item));
    }

    /// Passes on the text written so far.
    pub(super) fn flush(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            (self.give)(OutputChunk::Text(text));
        }
    }
}
