//! The events of reading, and the trait that receives them.

use super::error::{PgnError, PgnErrorKind};
use super::text::Text;
use super::text_position::TextPosition;
use crate::outcome::GameResult;

/// Whether the reader shows what comes next or passes over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flow {
    /// Show it.
    Read,
    /// Pass over it, which is much faster.
    Skip,
}

/// Receives the events of games as they are read, without knowledge of the rules of chess.
///
/// For each game: [`begin_game`](Visitor::begin_game), the tags, [`end_tags`](Visitor::end_tags), the moves with
/// everything between them, at most one result, comments that follow the result, and
/// [`end_game`](Visitor::end_game). Variations are always balanced. Errors come where they occur.
///
/// ```
/// use tabiya_game::pgn::{PgnErrorKind, Reader, Visitor};
///
/// #[derive(Default)]
/// struct Count {
///     moves: u32,
/// }
///
/// impl Visitor for Count {
///     fn san(&mut self, _: &[u8]) -> Result<(), PgnErrorKind> {
///         self.moves += 1;
///         Ok(())
///     }
/// }
///
/// let mut count = Count::default();
/// let games = Reader::new(&b"1. e4 (1. d4) e5 * 1. c4 *"[..]).read_all(&mut count)?;
/// assert_eq!((games, count.moves), (2, 4));
/// # Ok::<(), std::convert::Infallible>(())
/// ```
pub trait Visitor {
    /// Text outside all games, such as a heading: the beginning of a line of it, and its place.
    #[inline]
    fn stray_text(&mut self, place: TextPosition, text: Text<'_>) {
        let _ = (place, text);
    }

    /// A game begins, so many bytes after the start of the input. If it is skipped, nothing more of it is shown.
    #[inline]
    fn begin_game(&mut self, offset: u64) -> Flow {
        let _ = offset;
        Flow::Read
    }

    /// A tag.
    ///
    /// # Errors
    /// An error is reported to [`Visitor::error`] with the place of the tag, and reading goes on.
    #[inline]
    fn tag(&mut self, name: &[u8], value: Text<'_>) -> Result<(), PgnErrorKind> {
        let _ = (name, value);
        Ok(())
    }

    /// The tags are over. If the rest is skipped, only the result and the end of the game are shown.
    #[inline]
    fn end_tags(&mut self) -> Flow {
        Flow::Read
    }

    /// Something in the shape of a move, or of a null move ([`is_null_move`](super::is_null_move)).
    ///
    /// # Errors
    /// An error is reported to [`Visitor::error`] with the place of the move, and the rest of the line the move
    /// stands in is passed over: the rest of its variation, or the rest of the game.
    #[inline]
    fn san(&mut self, san: &[u8]) -> Result<(), PgnErrorKind> {
        let _ = san;
        Ok(())
    }

    /// A numeric glyph, or one of the signs that stand for it.
    ///
    /// # Errors
    /// As for a move.
    #[inline]
    fn glyph(&mut self, glyph: u8) -> Result<(), PgnErrorKind> {
        let _ = glyph;
        Ok(())
    }

    /// A comment in braces or after a semicolon.
    ///
    /// # Errors
    /// As for a move.
    #[inline]
    fn comment(&mut self, text: Text<'_>) -> Result<(), PgnErrorKind> {
        let _ = text;
        Ok(())
    }

    /// A variation begins: an alternative to the last move. If it is skipped, neither its contents nor its end are
    /// shown.
    #[inline]
    fn begin_variation(&mut self) -> Flow {
        Flow::Read
    }

    /// A variation ends.
    #[inline]
    fn end_variation(&mut self) {}

    /// The result that ends the moves. A game without one does not bring this event.
    #[inline]
    fn result(&mut self, result: GameResult) {
        let _ = result;
    }

    /// Something is wrong.
    #[inline]
    fn error(&mut self, error: PgnError) {
        let _ = error;
    }

    /// The game is over.
    #[inline]
    fn end_game(&mut self) {}
}

/// Shows nothing; what is skipped is read for it.
#[derive(Debug)]
pub(super) struct Silent;

impl Visitor for Silent {}
