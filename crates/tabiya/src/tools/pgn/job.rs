//! A command as the worker threads see it: how to read a part of a file and pass on the results; and the one place that
//! prints them in the order of the files.

use std::convert::Infallible;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tabiya_game::pgn::{ReadError, Source, TextPosition};

use crate::failure::Failure;
use crate::output::{Output, say};
use crate::tools::progress::Progress;

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

/// Adds up the tallies of a job in the order of the input, may print results, and says whether more are wanted.
pub(crate) type Add<'a, T> = &'a mut dyn FnMut(T, &mut Output) -> Result<ControlFlow<()>, Failure>;

/// What to do after a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterChunk {
    GoesOn,
    /// The part is over.
    PartDone,
    /// Nothing more is wanted.
    Enough,
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

/// Prints the chunks, with the progress bar out of the way.
#[derive(Debug)]
pub(crate) struct Printer<'a> {
    output: Output,
    progress: &'a Progress,
    /// Whether the bar and the results are on the same terminal.
    shares_screen: bool,
    /// The last file that could not be read, or not to its end, and why.
    unusable: Option<String>,
    /// Whether a file could be opened.
    is_opened: bool,
}

impl<'a> Printer<'a> {
    pub(crate) fn new(progress: &'a Progress) -> Printer<'a> {
        Printer {
            output: Output::new(),
            progress,
            shares_screen: std::io::stdout().is_terminal(),
            unusable: None,
            is_opened: false,
        }
    }

    /// Handles a chunk. Tallies are passed to `add`.
    pub(crate) fn take<T>(
        &mut self,
        chunk: OutputChunk<T>,
        add: Add<'_, T>,
    ) -> Result<AfterChunk, Failure> {
        match chunk {
            OutputChunk::Text(text) => self.print(|output| output.bytes(&text))?,
            OutputChunk::Message(text) => self.progress.aside(|| say(&text)),
            OutputChunk::Tally(tally) => {
                if self.print(|output| add(tally, output))? == ControlFlow::Break(()) {
                    return Ok(AfterChunk::Enough);
                }
            }
            OutputChunk::Done => return Ok(AfterChunk::PartDone),
        }
        Ok(AfterChunk::GoesOn)
    }

    fn print<R>(
        &mut self,
        write: impl FnOnce(&mut Output) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let output = &mut self.output;
        if !self.shares_screen {
            return write(output);
        }
        self.progress.aside(|| {
            let written = write(output)?;
            output.flush()?;
            Ok(written)
        })
    }

    /// Records that a file could be opened.
    pub(crate) fn opened(&mut self) {
        self.is_opened = true;
    }

    /// Records a file that could not be read, or not to its end. Reading continues with the next.
    pub(crate) fn unusable(&mut self, sentence: String) {
        if let Some(earlier) = self.unusable.replace(sentence) {
            self.progress.aside(|| say(&format!("tabiya: {earlier}")));
        }
    }

    /// Ends the reading. The results may follow.
    pub(crate) fn close(self) -> ClosedPrinter {
        ClosedPrinter {
            output: self.output,
            unusable: self.unusable,
            is_opened: self.is_opened,
        }
    }
}

/// A printer that takes no more chunks.
#[derive(Debug)]
pub(crate) struct ClosedPrinter {
    pub(crate) output: Output,
    unusable: Option<String>,
    is_opened: bool,
}

impl ClosedPrinter {
    /// Whether there are counts to print: not if no file could be opened.
    pub(crate) fn has_counts(&self) -> bool {
        self.is_opened || self.unusable.is_none()
    }

    /// Completes the output. A file that could not be read matters more than an error in a game.
    pub(crate) fn finish(self, errors: u64) -> Result<(), Failure> {
        self.output.finish()?;
        match self.unusable {
            Some(sentence) => Err(Failure::Unusable(sentence)),
            None if errors > 0 => Err(Failure::Mismatch),
            None => Ok(()),
        }
    }
}
