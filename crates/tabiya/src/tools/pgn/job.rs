//! What a command is, seen from the threads that do its work: a way to read a part of a file and to hand on what
//! comes of it.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};

use tabiya_game::pgn::{Place, Source};

/// How much text is handed on at once.
const SHEET: usize = 1 << 16;

/// What one of the commands does with games. The same one is used by all threads at the same time.
pub(crate) trait Job: Send + Sync + 'static {
    /// What is counted. The tallies arrive in the order of the input.
    type Tally: Send + 'static;

    /// Reads a part of a file, from one game's beginning to another's or to the end.
    ///
    /// # Errors
    /// If nobody wants the answer any more.
    fn read<S: Source<Error = Stopped>>(
        &self,
        part: Part<'_, S>,
        sheet: &mut Sheet<'_, Self::Tally>,
    ) -> Result<(), Stopped>;
}

/// A part of a file, or all of it.
#[derive(Debug)]
pub(crate) struct Part<'a, S> {
    /// The file's name, safe to show.
    pub(crate) name: &'a str,
    pub(crate) source: S,
    /// Where in the file it begins.
    pub(crate) start: Place,
}

/// Nobody wants the answer any more, so reading on is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

impl From<Infallible> for Stopped {
    fn from(never: Infallible) -> Stopped {
        match never {}
    }
}

/// Something that comes of a part.
#[derive(Debug)]
pub(crate) enum Piece<T> {
    /// Text for stdout.
    Text(Vec<u8>),
    /// A line for stderr.
    Message(String),
    Tally(T),
    /// The part is read to its end.
    Done,
}

/// Where a command writes what comes of a part.
pub(crate) struct Sheet<'a, T> {
    text: Vec<u8>,
    stop: &'a AtomicBool,
    deliver: &'a mut dyn FnMut(Piece<T>) -> Result<(), Stopped>,
}

impl<'a, T> Sheet<'a, T> {
    pub(crate) fn new(
        stop: &'a AtomicBool,
        deliver: &'a mut dyn FnMut(Piece<T>) -> Result<(), Stopped>,
    ) -> Sheet<'a, T> {
        Sheet {
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
        if self.text.len() + bytes.len() > SHEET {
            self.flush();
        }
        if self.text.capacity() == 0 {
            self.text.reserve(SHEET);
        }
        self.text.extend_from_slice(bytes);
    }

    /// Says a line on stderr.
    pub(crate) fn message(&mut self, text: String) {
        self.send(Piece::Message(text));
    }

    /// Hands on what was counted.
    pub(crate) fn tally(&mut self, tally: T) {
        self.send(Piece::Tally(tally));
    }

    /// Hands everything on, with word that it was the last.
    pub(crate) fn finish(mut self) {
        self.flush();
        self.send(Piece::Done);
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.send(Piece::Text(text));
        }
    }

    /// Whoever feeds the readers looks at the flag and stops them.
    fn send(&mut self, piece: Piece<T>) {
        if (self.deliver)(piece).is_err() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}
