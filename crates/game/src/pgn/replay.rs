//! The rules beside the reader: every move, in the main line and in variations, is resolved and played.

use tabiya_rules::{CastlingMode, ParseFenError, Position, SanError, Setup, Waivers};

use super::error::{PgnError, PgnErrorKind};
use super::shape::is_null_move;
use super::text::Text;
use super::text_position::TextPosition;
use super::visitor::{Flow, Visitor};
use crate::outcome::GameResult;
use crate::record::Step;
use crate::tags::{folded, is_chess960};

/// Values of the `Variant` tag, in lower-case letters and digits alone, that mean games with other rules. Unknown
/// values are read as chess.
const OTHER_GAMES: [&str; 18] = [
    "3check",
    "antichess",
    "atomic",
    "bughouse",
    "crazyhouse",
    "duck",
    "duckchess",
    "fogofwar",
    "giveaway",
    "horde",
    "kingofthehill",
    "koth",
    "losers",
    "racingkings",
    "shatranj",
    "suicide",
    "threecheck",
    "xiangqi",
];

/// Receives the events of games whose moves have been checked.
///
/// As [`Visitor`], with moves and positions in the place of text. Give it to a [`Replay`].
pub trait MoveVisitor {
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

    /// A tag; also those that give the start position.
    ///
    /// # Errors
    /// An error is reported to [`MoveVisitor::error`] with the place of the tag, and reading goes on.
    #[inline]
    fn tag(&mut self, name: &[u8], value: Text<'_>) -> Result<(), PgnErrorKind> {
        let _ = (name, value);
        Ok(())
    }

    /// The tags are over, and this is the start position. If the rest is skipped, only the result and the end of
    /// the game are shown.
    #[inline]
    fn end_tags(&mut self, start: &Position) -> Flow {
        let _ = start;
        Flow::Read
    }

    /// A legal move, or a null move by a side that is not in check, with the positions around it.
    ///
    /// # Errors
    /// An error is reported to [`MoveVisitor::error`] with the place of the move, and the rest of the line is
    /// passed over.
    #[inline]
    fn step(
        &mut self,
        before: &Position,
        step: Step,
        after: &Position,
    ) -> Result<(), PgnErrorKind> {
        let _ = (before, step, after);
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

    /// A variation begins: an alternative to the last step. If it is skipped, neither its contents nor its end are
    /// shown, and its moves are not checked.
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

/// A [`Visitor`] that plays the moves it is shown and hands them on to a [`MoveVisitor`].
///
/// The start position is that of the `FEN` tag; whatever can be overlooked about it is (see [`Waivers`]). A
/// `Variant` tag may ask for Chess960. Where the tags give no position or name another game, the error is reported
/// and the moves are passed over.
///
/// ```
/// use tabiya_game::Step;
/// use tabiya_game::pgn::{MoveVisitor, PgnErrorKind, Reader, Replay};
/// use tabiya_rules::Position;
///
/// struct Fens;
///
/// impl MoveVisitor for Fens {
///     fn step(&mut self, _: &Position, _: Step, after: &Position) -> Result<(), PgnErrorKind> {
///         println!("{}", after.fen());
///         Ok(())
///     }
/// }
///
/// let mut replay = Replay::new(Fens);
/// Reader::new(&b"1. e4 e5 2. Nf3 Nc6 3. Bb5 1/2-1/2"[..]).read_all(&mut replay)?;
/// # Ok::<(), std::convert::Infallible>(())
/// ```
#[derive(Debug)]
pub struct Replay<V> {
    visitor: V,
    standard: Position,
    start: Position,
    is_chess960: bool,
    /// Whether the tags gave a start position that can be used.
    is_playable: bool,
    position: Position,
    /// The position before the last step, where variations begin.
    previous: Position,
    /// The two positions of every line that a variation interrupts.
    outer: Vec<(Position, Position)>,
}

impl<V: MoveVisitor> Replay<V> {
    /// A replay that shows its moves to a visitor.
    pub fn new(visitor: V) -> Replay<V> {
        let standard = Position::start();
        Replay {
            visitor,
            standard,
            start: standard,
            is_chess960: false,
            is_playable: true,
            position: standard,
            previous: standard,
            outer: Vec::new(),
        }
    }

    /// The visitor.
    pub fn visitor(&self) -> &V {
        &self.visitor
    }

    /// The visitor, to change it.
    pub fn visitor_mut(&mut self) -> &mut V {
        &mut self.visitor
    }

    /// The visitor, without the replay.
    pub fn into_visitor(self) -> V {
        self.visitor
    }

    /// The position after the last step that was shown; between games, the one in which the main line ended.
    pub fn position(&self) -> &Position {
        &self.position
    }

    #[cold]
    fn fen(&mut self, text: &str) -> Result<(), PgnErrorKind> {
        let position = Setup::from_fen(text)
            .map_err(ParseFenError::Fen)
            .and_then(|setup| {
                setup
                    .position_waiving(Waivers::ALL)
                    .map_err(ParseFenError::Setup)
            });
        match position {
            Ok(position) => {
                self.start = position;
                Ok(())
            }
            Err(error) => {
                self.is_playable = false;
                Err(PgnErrorKind::Fen(Box::new(error)))
            }
        }
    }

    #[cold]
    fn variant(&mut self, text: &str) -> Result<(), PgnErrorKind> {
        self.is_chess960 = is_chess960(text);
        if OTHER_GAMES.contains(&folded(text).as_str()) {
            self.is_playable = false;
            return Err(PgnErrorKind::Variant);
        }
        Ok(())
    }

    /// Resolves what is no move: a null move, or nothing.
    #[cold]
    #[inline(never)]
    fn no_move(&mut self, san: &[u8], error: SanError) -> Result<(), PgnErrorKind> {
        if !is_null_move(san) {
            return Err(PgnErrorKind::Move(Box::new(error)));
        }
        let next = self.position.pass().ok_or(PgnErrorKind::NullMoveInCheck)?;
        self.go_on(Step::Null, next)
    }

    #[inline(always)]
    fn go_on(&mut self, step: Step, next: Position) -> Result<(), PgnErrorKind> {
        self.previous = self.position;
        self.position = next;
        self.visitor.step(&self.previous, step, &self.position)
    }
}

impl<V: MoveVisitor> Visitor for Replay<V> {
    fn stray_text(&mut self, place: TextPosition, text: Text<'_>) {
        self.visitor.stray_text(place, text);
    }

    fn begin_game(&mut self, offset: u64) -> Flow {
        self.start = self.standard;
        self.is_chess960 = false;
        self.is_playable = true;
        self.outer.clear();
        self.visitor.begin_game(offset)
    }

    fn tag(&mut self, name: &[u8], value: Text<'_>) -> Result<(), PgnErrorKind> {
        self.visitor.tag(name, value)?;
        match name {
            b"FEN" => self.fen(&value.decode()),
            b"Variant" => self.variant(&value.decode()),
            _ => Ok(()),
        }
    }

    fn end_tags(&mut self) -> Flow {
        if self.is_chess960 {
            self.start = self.start.with_castling_mode(CastlingMode::Chess960);
        }
        self.position = self.start;
        self.previous = self.start;
        let flow = self.visitor.end_tags(&self.start);
        if self.is_playable { flow } else { Flow::Skip }
    }

    #[inline]
    fn san(&mut self, san: &[u8]) -> Result<(), PgnErrorKind> {
        match self.position.parse_san_bytes(san) {
            Ok(played) => self.go_on(Step::Move(played), self.position.play_unchecked(played)),
            Err(error) => self.no_move(san, error),
        }
    }

    fn glyph(&mut self, glyph: u8) -> Result<(), PgnErrorKind> {
        self.visitor.glyph(glyph)
    }

    #[inline]
    fn comment(&mut self, text: Text<'_>) -> Result<(), PgnErrorKind> {
        self.visitor.comment(text)
    }

    fn begin_variation(&mut self) -> Flow {
        let flow = self.visitor.begin_variation();
        if flow == Flow::Read {
            self.outer.push((self.previous, self.position));
            self.position = self.previous;
        }
        flow
    }

    fn end_variation(&mut self) {
        if let Some((previous, position)) = self.outer.pop() {
            self.previous = previous;
            self.position = position;
        }
        self.visitor.end_variation();
    }

    fn result(&mut self, result: GameResult) {
        self.visitor.result(result);
    }

    fn error(&mut self, error: PgnError) {
        self.visitor.error(error);
    }

    fn end_game(&mut self) {
        self.visitor.end_game();
    }
}
