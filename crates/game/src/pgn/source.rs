//! Where the bytes come from, and the one buffer they pass through.
//!
//! The buffer is the only memory that reading needs. It is refilled when fewer than [`LOOKAHEAD`] bytes are left,
//! so that it always holds every ordinary token as a whole. It grows only for a long tag or comment, up to the
//! limits stated in the parent module.

use core::convert::Infallible;
use core::ops::{Deref, DerefMut};
use std::io::{self, Read};

use super::text_position::TextPosition;

/// A source of bytes: a file, a pipe, a decompressor, or a slice of memory.
///
/// The readers in this module open no files. Wrap a file or another [`Read`] in a [`ReadSource`]:
///
/// ```no_run
/// use std::fs::File;
/// use tabiya_game::pgn::RecordReader;
///
/// for game in RecordReader::from_read(File::open("games.pgn")?) {
///     println!("{:?}", game?.record.tags().get("White"));
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Source {
    /// Why bytes cannot be read.
    type Error;

    /// Writes the next bytes to the front of the buffer, which is never empty, and returns how many were written.
    /// Zero means the end of the input. How the bytes are split into chunks does not matter.
    ///
    /// # Errors
    /// Fails with any error of the source; the reader returns it to its caller.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error>;
}

impl Source for &[u8] {
    type Error = Infallible;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let count = self.len().min(buffer.len());
        let (now, later) = self.split_at(count);
        buffer[..count].copy_from_slice(now);
        *self = later;
        Ok(count)
    }
}

impl<S: Source + ?Sized> Source for &mut S {
    type Error = S::Error;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, S::Error> {
        (**self).fill(buffer)
    }
}

/// Any [`Read`] as a source. It needs no [`BufReader`](std::io::BufReader), because the readers read large
/// blocks.
///
/// ```
/// use tabiya_game::pgn::{ReadSource, RecordReader};
///
/// let bytes: &mut dyn std::io::Read = &mut &b"1. e4 e5 *"[..];
/// let mut games = RecordReader::new(ReadSource::new(bytes));
/// assert!(games.read()?.is_some());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ReadSource<R>(R);

impl<R> ReadSource<R> {
    /// Creates a source that reads from `reader`.
    pub const fn new(reader: R) -> ReadSource<R> {
        ReadSource(reader)
    }

    /// Returns the reader inside.
    pub fn into_inner(self) -> R {
        self.0
    }
}

impl<R: Read> Source for ReadSource<R> {
    type Error = io::Error;

    /// Reads, and tries again if a signal interrupts it.
    fn fill(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                answer => return answer,
            }
        }
    }
}

/// The number of bytes kept ahead of the cursor. No token other than a tag or a comment is longer.
pub(super) const LOOKAHEAD: usize = 256;

/// Zeros after the last byte, so that eight bytes can be loaded from any place.
const PADDING: usize = 64;

/// Large enough that refilling costs nothing, small enough for any second-level cache.
const CAPACITY: usize = 1 << 16;

/// The source failed. The [`ErasedSource`] has its error.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceFailed;

/// A source without the type of its errors, so that the parser is compiled once for all sources.
pub(super) trait Fill {
    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, SourceFailed>;
}

/// A source together with its error, once it has failed.
pub(super) struct ErasedSource<'a, S: Source> {
    source: &'a mut S,
    error: Option<S::Error>,
}

impl<'a, S: Source> ErasedSource<'a, S> {
    pub(super) fn new(source: &'a mut S) -> ErasedSource<'a, S> {
        ErasedSource {
            source,
            error: None,
        }
    }

    pub(super) fn into_error(self) -> Option<S::Error> {
        self.error
    }
}

impl<S: Source> Fill for ErasedSource<'_, S> {
    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, SourceFailed> {
        self.source.fill(buffer).map_err(|error| {
            self.error = Some(error);
            SourceFailed
        })
    }
}

/// The window of bytes that the reader sees.
#[derive(Debug)]
pub(super) struct Window {
    bytes: Vec<u8>,
    /// The next byte to be read.
    pub(super) at: usize,
    end: usize,
    done: bool,
    /// An index that is never ahead of the cursor, and its place in the input.
    mark: usize,
    marked: TextPosition,
    /// The index where the current game begins. It is valid until the mark has passed it.
    game: usize,
    /// The place of that index, once the mark has passed it.
    game_place: Option<TextPosition>,
}

impl Window {
    pub(super) fn new(start: TextPosition) -> Window {
        let bytes = vec![0; CAPACITY + PADDING];
        Window {
            bytes,
            at: 0,
            end: 0,
            done: false,
            mark: 0,
            marked: start,
            game: 0,
            game_place: None,
        }
    }

    /// Returns every byte in the buffer, followed by zeros.
    #[inline]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes from the cursor on.
    #[inline]
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.at..self.end]
    }

    /// Returns the byte at this offset from the cursor; zero past the end of the input.
    #[inline]
    pub(super) fn peek(&self, ahead: usize) -> u8 {
        match self.at + ahead {
            index if index < self.end => self.bytes[index],
            _ => 0,
        }
    }

    /// Returns where tokens may begin: the buffer holds any token that begins before this index as a whole.
    #[inline]
    pub(super) fn limit(&self) -> usize {
        if self.done {
            self.end
        } else {
            (self.end + 1).saturating_sub(LOOKAHEAD)
        }
    }

    /// Returns whether everything has been read. Only known after [`Buffer::need`].
    #[inline]
    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.end && self.done
    }

    /// Returns whether the source has no more bytes than those in the buffer.
    pub(super) fn is_complete(&self) -> bool {
        self.done
    }

    /// Reads until this many bytes from the cursor on are there, or the input ends. What lies before the cursor is
    /// dropped.
    #[cold]
    fn refill(&mut self, source: &mut dyn Fill, count: usize) -> Result<(), SourceFailed> {
        // A long token that arrives in tiny pieces is not moved again for each of them.
        if self.at > 0 {
            self.move_mark(self.at);
            self.bytes.copy_within(self.at..self.end, 0);
            self.end -= self.at;
            self.at = 0;
            self.mark = 0;
        }
        if count + PADDING > self.bytes.len() {
            self.bytes.resize(count.next_power_of_two() + PADDING, 0);
        }
        let room = self.bytes.len() - PADDING;
        let mut outcome = Ok(());
        while self.end < count {
            match source.fill(&mut self.bytes[self.end..room]) {
                Ok(0) => {
                    self.done = true;
                    break;
                }
                Ok(more) => self.end = room.min(self.end + more),
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            }
        }
        self.bytes[self.end..self.end + PADDING].fill(0);
        outcome
    }

    /// Returns the place of an index between the last place asked for and the cursor's token.
    pub(super) fn place(&mut self, index: usize) -> TextPosition {
        self.move_mark(index.max(self.mark));
        self.marked
    }

    /// Returns the number of bytes of the input before the cursor.
    pub(super) fn offset(&self) -> u64 {
        self.marked.offset() + (self.at - self.mark) as u64
    }

    /// Marks the cursor as the beginning of a game.
    #[inline]
    pub(super) fn begin_game(&mut self) {
        self.game = self.at;
        self.game_place = None;
    }

    /// Returns where the last game begins.
    pub(super) fn game_place(&mut self) -> TextPosition {
        match self.game_place {
            Some(place) => place,
            None => self.place(self.game),
        }
    }

    /// Moves the mark to an index, and counts what lies between.
    fn move_mark(&mut self, index: usize) {
        if self.game_place.is_none() && self.game <= index {
            self.marked.advance(&self.bytes[self.mark..self.game]);
            self.mark = self.game;
            self.game_place = Some(self.marked);
        }
        self.marked.advance(&self.bytes[self.mark..index]);
        self.mark = index;
    }
}

/// The window, and where its bytes come from.
pub(super) struct Buffer<'a> {
    pub(super) window: &'a mut Window,
    pub(super) source: &'a mut dyn Fill,
}

impl Deref for Buffer<'_> {
    type Target = Window;

    #[inline]
    fn deref(&self) -> &Window {
        self.window
    }
}

impl DerefMut for Buffer<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Window {
        self.window
    }
}

impl Buffer<'_> {
    /// Makes this many bytes from the cursor on available, unless the input ends first.
    #[inline]
    pub(super) fn need(&mut self, count: usize) -> Result<(), SourceFailed> {
        if self.end - self.at >= count || self.done {
            Ok(())
        } else {
            self.window.refill(self.source, count)
        }
    }
}
