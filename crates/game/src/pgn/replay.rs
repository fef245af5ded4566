//! Adds the rules to the reader: resolves and plays every move, in the main line and in variations.

use core::ops::ControlFlow;

use tabiya_rules::{CastlingMode, ParseFenError, Position, SanError, Setup, Waivers};

use super::error::{PgnError, PgnErrorKind};
use super::shape::is_null_move;
use super::text::Text;
use super::text_position::TextPosition;
use super::visitor::{Flow, Response, Visitor};
use crate::outcome::GameResult;
use crate::record::Step;
use crate::tags::{folded, is_chess960};

/// Values of the `Variant` tag that mean games with other rules, reduced to lower-case letters and digits. Unknown
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

/// A [`Visitor`] that plays the moves it is shown, and shows them to another visitor as [steps](Visitor::step).
///
/// The start position comes from the `FEN` tag, with all [waivers](Waivers). A `Variant` tag may ask for Chess960.
/// If the tags give no valid position or name another game, the error is reported and the moves are skipped.
///
/// ```
/// use core::convert::Infallible;
/// use core::ops::ControlFlow;
/// use tabiya_game::Step;
/// use tabiya_game::pgn::{Reader, Replay, Response, Visitor};
/// use tabiya_rules::Position;
///
/// /// Collects the positions of each game.
/// struct Fens(Vec<String>);
///
/// impl Visitor for Fens {
///     type Output = Vec<String>;
///     type Stop = Infallible;
///
///     fn step(&mut self, _: &Position, _: Step, after: &Position) -> Response<Infallible> {
///         self.0.push(after.fen());
///         ControlFlow::Continue(())
///     }
///
///     fn end_game(&mut self) -> Vec<String> {
///         std::mem::take(&mut self.0)
///     }
/// }
///
/// let mut reader = Reader::new(&b"1. e4 e5 2. Nf3 Nc6 3. Bb5 1/2-1/2"[..]);
/// let fens = reader.read_game(&mut Replay::new(Fens(Vec::new())));
/// assert_eq!(fens.unwrap().unwrap().len(), 5);
/// ```
#[derive(Debug)]
pub struct Replay<V> {
    visitor: V,
    standard: Position,
    start: Position,
    is_chess960: bool,
    /// Whether the tags gave a usable start position.
    is_playable: bool,
    position: Position,
    /// The position before the last step, where variations begin.
    previous: Position,
    /// The two positions of every line interrupted by a variation.
    outer: Vec<(Position, Position)>,
}

impl<V: Visitor> Replay<V> {
    /// Creates a replay that shows its moves to a visitor.
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

    /// Returns the visitor.
    pub fn visitor(&self) -> &V {
        &self.visitor
    }

    /// Returns the visitor, mutably.
    pub fn visitor_mut(&mut self) -> &mut V {
        &mut self.visitor
    }

    /// Returns the visitor, without the replay.
    pub fn into_visitor(self) -> V {
        self.visitor
    }

    /// Returns the position after the last step shown; between games, the last position of the main line.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Sets the start position that a tag gives.
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

    /// Sets how castling is written, or refuses a variant that is not chess.
    #[cold]
    fn variant(&mut self, text: &str) -> Result<(), PgnErrorKind> {
        self.is_chess960 = is_chess960(text);
        if OTHER_GAMES.contains(&folded(text).as_str()) {
            self.is_playable = false;
            return Err(PgnErrorKind::Variant);
        }
        Ok(())
    }

    /// Resolves what is not a move: a null move, or an error.
    #[cold]
    #[inline(never)]
    fn no_move(&mut self, san: &[u8], error: SanError) -> Response<V::Stop> {
        if !is_null_move(san) {
            let kind = PgnErrorKind::Move(Box::new(error));
            return ControlFlow::Break(kind.into());
        }
        match self.position.pass() {
            Some(next) => {
                self.previous = core::mem::replace(&mut self.position, next);
                self.visitor
                    .step(&self.previous, Step::Null, &self.position)
            }
            None => ControlFlow::Break(PgnErrorKind::NullMoveInCheck.into()),
        }
    }
}

impl<V: Visitor> Visitor for Replay<V> {
    type Output = V::Output;
    type Stop = V::Stop;

    fn stray_text(&mut self, place: TextPosition, text: Text<'_>) {
        self.visitor.stray_text(place, text);
    }

    fn begin_game(&mut self, offset: u64) -> ControlFlow<V::Stop, Flow> {
        self.start = self.standard;
        self.is_chess960 = false;
        self.is_playable = true;
        self.outer.clear();
        self.visitor.begin_game(offset)
    }

    fn tag(&mut self, name: &[u8], value: Text<'_>) -> Response<V::Stop> {
        self.visitor.tag(name, value)?;
        let read = match name {
            b"FEN" => self.fen(&value.decode()),
            b"Variant" => self.variant(&value.decode()),
            _ => return ControlFlow::Continue(()),
        };
        match read {
            Ok(()) => ControlFlow::Continue(()),
            Err(kind) => ControlFlow::Break(kind.into()),
        }
    }

    fn end_tags(&mut self) -> ControlFlow<V::Stop, Flow> {
        if self.is_chess960 {
            self.start = self.start.with_castling_mode(CastlingMode::Chess960);
        }
        self.position = self.start;
        self.previous = self.start;
        self.visitor.start(&self.start);
        let flow = self.visitor.end_tags()?;
        ControlFlow::Continue(if self.is_playable { flow } else { Flow::Skip })
    }

    #[inline]
    fn san(&mut self, san: &[u8]) -> Response<V::Stop> {
        match self.position.parse_san_bytes(san) {
            Ok(played) => {
                // Played from its copy, the position is written where it stays.
                self.previous = self.position;
                self.position = self.previous.play_unchecked(played);
                let step = Step::Move(played);
                self.visitor.step(&self.previous, step, &self.position)
            }
            Err(error) => self.no_move(san, error),
        }
    }

    fn glyph(&mut self, glyph: u8) -> Response<V::Stop> {
        self.visitor.glyph(glyph)
    }

    #[inline]
    fn comment(&mut self, text: Text<'_>) -> Response<V::Stop> {
        self.visitor.comment(text)
    }

    fn begin_variation(&mut self) -> ControlFlow<V::Stop, Flow> {
        let flow = self.visitor.begin_variation()?;
        if flow == Flow::Read {
            self.outer.push((self.previous, self.position));
            self.position = self.previous;
        }
        ControlFlow::Continue(flow)
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

    fn end_game(&mut self) -> V::Output {
        self.visitor.end_game()
    }
}
