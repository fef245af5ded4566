//! A command as the worker threads see it: how to read a part of a file and pass on the results.

use std::any::Any;
use std::convert::Infallible;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

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
    /// Fails if the output is no longer wanted.
    fn read(
        &self,
        part: Part<'_>,
        writer: &mut PartWriter<'_, Self::Tally>,
    ) -> Result<(), Canceled>;
}

/// Passes on a chunk of output.
pub(super) type Deliver<'a> = &'a mut dyn FnMut(OutputChunk);

/// A job of any kind, so that the threads and what passes between them are compiled once for all commands.
pub(super) trait AnyJob: Send + Sync {
    /// Reads a part and delivers its output, whose end is marked.
    fn read_part(&self, part: Part<'_>, deliver: Deliver<'_>) -> Result<(), Canceled>;
}

impl<J: Job> AnyJob for J {
    fn read_part(&self, part: Part<'_>, deliver: Deliver<'_>) -> Result<(), Canceled> {
        let mut writer = PartWriter {
            text: Vec::new(),
            deliver,
            tally: PhantomData,
        };
        self.read(part, &mut writer)?;
        writer.flush();
        (writer.deliver)(OutputChunk::Done);
        Ok(())
    }
}

/// A part of a file, or all of it.
pub(crate) struct Part<'a> {
    /// The file's name, safe to show.
    pub(crate) name: &'a str,
    pub(crate) source: &'a mut dyn Source<Error = Canceled>,
    /// Where it begins in the file.
    pub(crate) start: TextPosition,
}

/// The output is no longer wanted, so reading stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Canceled;

impl From<ReadError<Canceled, Infallible>> for Canceled {
    fn from(error: ReadError<Canceled, Infallible>) -> Canceled {
        error.into_source_error()
    }
}

/// A chunk of a part's output.
#[derive(Debug)]
pub(crate) enum OutputChunk {
    /// Text for stdout.
    Text(Vec<u8>),
    /// A line for stderr.
    Message(String),
    /// A value of the job's [`Tally`](Job::Tally).
    Tally(Box<dyn Any + Send>),
    /// The end of the part.
    Done,
}

/// Where a command writes the output of a part.
pub(crate) struct PartWriter<'a, T> {
    text: Vec<u8>,
    deliver: Deliver<'a>,
    tally: PhantomData<fn(T)>,
}

impl<T: Send + 'static> PartWriter<'_, T> {
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
        (self.deliver)(OutputChunk::Message(text));
    }

    /// Passes on a tally.
    pub(crate) fn tally(&mut self, tally: T) {
        (self.deliver)(OutputChunk::Tally(Box::new(tally)));
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            (self.deliver)(OutputChunk::Text(text));
        }
    }
}
