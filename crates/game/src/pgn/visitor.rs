//! The events of the reader, and the trait that receives them.

use core::convert::Infallible;
use core::ops::ControlFlow;

use tabiya_rules::Position;

use super::error::{PgnError, PgnErrorKind};
use super::text::Text;
use super::text_position::TextPosition;
use crate::outcome::GameResult;
use crate::record::Step;

/// Whether the reader shows what comes next or skips it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flow {
    /// Show it.
    Read,
    /// Skip it, which is much faster.
    Skip,
}

/// Why a visitor interrupts the reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interrupt<B> {
    /// What was shown is wrong. The error is reported to [`Visitor::error`] with its position, the rest of its line is
    /// skipped, and reading continues. A wrong tag is ignored.
    Error(PgnErrorKind),
    /// The visitor has seen enough: the reader stops and returns this to its caller.
    Stop(B),
}

impl<B> From<PgnErrorKind> for Interrupt<B> {
    fn from(kind: PgnErrorKind) -> Interrupt<B> {
        Interrupt::Error(kind)
    }
}

/// A visitor's answer to a tag, a move or a comment: continue, or interrupt.
pub type Response<B> = ControlFlow<Interrupt<B>>;

/// Receives the events of games as they are read.
///
/// The events of a game are: [`begin_game`](Visitor::begin_game), the tags, [`end_tags`](Visitor::end_tags), the moves
/// with everything between them, at most one result, comments after the result, and [`end_game`](Visitor::end_game),
/// which returns the output. Variations are always balanced. Errors come where they occur.
///
/// A [`Reader`](super::Reader) knows no rules and shows moves as text, to [`san`](Visitor::san). A
/// [`Replay`](super::Replay) between the two plays them: it shows the start position to [`start`](Visitor::start), and
/// each move with the positions around it to [`step`](Visitor::step).
///
/// ```
/// use core::convert::Infallible;
/// use core::ops::ControlFlow;
/// use tabiya_game::pgn::{Reader, Response, Visitor};
///
/// /// Counts the moves of each game.
/// struct Count(u32);
///
/// impl Visitor for Count {
///     type Output = u32;
///     type Stop = Infallible;
///
///     fn san(&mut self, _: &[u8]) -> Response<Infallible> {
///         self.0 += 1;
///         ControlFlow::Continue(())
///     }
///
///     fn end_game(&mut self) -> u32 {
///         std::mem::take(&mut self.0)
///     }
/// }
///
/// let mut reader = Reader::new(&b"1. e4 (1. d4) e5 * 1. c4 *"[..]);
/// let mut count = Count(0);
/// assert_eq!(reader.read_game(&mut count), Ok(Some(3)));
/// assert_eq!(reader.read_game(&mut count), Ok(Some(1)));
/// assert_eq!(reader.read_game(&mut count), Ok(None));
/// ```
///
/// A visitor can stop the reader with a value:
///
/// ```
/// use core::ops::ControlFlow;
/// use tabiya_game::Step;
/// use tabiya_game::pgn::{Interrupt, ReadError, Reader, Replay, Response, Visitor};
/// use tabiya_rules::Position;
///
/// /// Looks for the first position in which a king is mated.
/// struct FirstMate;
///
/// impl Visitor for FirstMate {
///     type Output = ();
///     type Stop = Position;
///
///     fn step(&mut self, _: &Position, _: Step, after: &Position) -> Response<Position> {
///         if after.is_checkmate() {
///             return ControlFlow::Break(Interrupt::Stop(*after));
///         }
///         ControlFlow::Continue(())
///     }
///
///     fn end_game(&mut self) {}
/// }
///
/// let text = &b"1. e4 e5 * 1. f3 e5 2. g4 Qh4# 0-1"[..];
/// let Err(ReadError::Stopped(mate)) = Reader::new(text).read_all(&mut Replay::new(FirstMate)) else {
///     panic!("no mate was found");
/// };
/// assert!(mate.is_checkmate());
/// ```
pub trait Visitor {
    /// What the visitor returns for a game.
    type Output;

    /// What the visitor stops the reader with; [`Infallible`] if it never stops.
    type Stop;

    /// Called for text outside all games, such as a heading, with the beginning of one line of it and its place.
    #[inline]
    fn stray_text(&mut self, place: TextPosition, text: Text<'_>) {
        let _ = (place, text);
    }

    /// Called when a game begins at this byte offset of the input. If it is skipped, only its end is shown.
    #[inline]
    fn begin_game(&mut self, offset: u64) -> ControlFlow<Self::Stop, Flow> {
        let _ = offset;
        ControlFlow::Continue(Flow::Read)
    }

    /// Called for each tag, including those that give the start position.
    #[inline]
    fn tag(&mut self, name: &[u8], value: Text<'_>) -> Response<Self::Stop> {
        let _ = (name, value);
        ControlFlow::Continue(())
    }

    /// Called with the start position, before the end of the tags. Only a [`Replay`](super::Replay) knows it.
    #[inline]
    fn start(&mut self, position: &Position) {
        let _ = position;
    }

    /// Called after the tags. If the rest is skipped, only the result and the end of the game are shown.
    #[inline]
    fn end_tags(&mut self) -> ControlFlow<Self::Stop, Flow> {
        ControlFlow::Continue(Flow::Read)
    }

    /// Called for text in the shape of a move, or of a null move ([`is_null_move`](super::is_null_move)).
    #[inline]
    fn san(&mut self, san: &[u8]) -> Response<Self::Stop> {
        let _ = san;
        ControlFlow::Continue(())
    }

    /// Called for a legal move, or a null move by a side that is not in check, with the positions around it. Only a
    /// [`Replay`](super::Replay) calls it.
    #[inline]
    fn step(&mut self, before: &Position, step: Step, after: &Position) -> Response<Self::Stop> {
        let _ = (before, step, after);
        ControlFlow::Continue(())
    }

    /// Called for a numeric glyph, or one of the symbols that stand for it.
    #[inline]
    fn glyph(&mut self, glyph: u8) -> Response<Self::Stop> {
        let _ = glyph;
        ControlFlow::Continue(())
    }

    /// Called for a comment in braces or after a semicolon.
    #[inline]
    fn comment(&mut self, text: Text<'_>) -> Response<Self::Stop> {
        let _ = text;
        ControlFlow::Continue(())
    }

    /// Called when a variation begins, an alternative to the last move. If it is skipped, neither its contents nor its
    /// end are shown, and its moves are not checked.
    #[inline]
    fn begin_variation(&mut self) -> ControlFlow<Self::Stop, Flow> {
        ControlFlow::Continue(Flow::Read)
    }

    /// Called when a variation ends.
    #[inline]
    fn end_variation(&mut self) {}

    /// Called with the result that ends the moves, if there is one.
    #[inline]
    fn result(&mut self, result: GameResult) {
        let _ = result;
    }

    /// Called for each error.
    #[inline]
    fn error(&mut self, error: PgnError) {
        let _ = error;
    }

    /// Called when the game is over. Returns the visitor's output for it.
    fn end_game(&mut self) -> Self::Output;
}

/// Why reading ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError<E, B> {
    /// The source failed. The game is unfinished, and reading may be retried.
    Source(E),
    /// The visitor stopped with this value. The next call skips the rest of the game.
    Stopped(B),
}

impl<E, B> From<E> for ReadError<E, B> {
    fn from(error: E) -> ReadError<E, B> {
        ReadError::Source(error)
    }
}

impl<E> ReadError<E, Infallible> {
    /// Returns the error of the source, for a visitor that never stops.
    pub fn into_source_error(self) -> E {
        match self {
            ReadError::Source(error) => error,
        }
    }
}

impl From<ReadError<std::io::Error, Infallible>> for std::io::Error {
    fn from(error: ReadError<std::io::Error, Infallible>) -> std::io::Error {
        error.into_source_error()
    }
}

impl<E: core::fmt::Display, B> core::fmt::Display for ReadError<E, B> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            ReadError::Source(error) => error.fmt(f),
            ReadError::Stopped(_) => f.write_str("the reading was stopped"),
        }
    }
}

impl<E: core::error::Error + 'static, B: core::fmt::Debug> core::error::Error for ReadError<E, B> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            ReadError::Source(error) => Some(error),
            ReadError::Stopped(_) => None,
        }
    }
}

/// Why the parser ended early, for a visitor.
pub(super) type Halt<V> = ReadError<super::source::SourceFailed, <V as Visitor>::Stop>;

/// Shows nothing; reads what is skipped.
#[derive(Debug)]
pub(super) struct Silent;

impl Visitor for Silent {
    type Output = ();
    type Stop = Infallible;

    fn end_game(&mut self) {}
}
