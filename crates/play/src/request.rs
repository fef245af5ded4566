//! What anyone at a board can ask for, in any front. [`Table::handle`](crate::table::Table::handle) carries it out.

use tabiya_game::{
    Arrow, ClaimRule, Command, DrawPolicy, Glyph, MoveInput, Node, Record, Session, SquareMark,
    TimeControl,
};
use tabiya_rules::{ByColor, Color, Position, SplitMix64};

use crate::analysis::explanation::LineKind;
use crate::players::PlayerSpec;
pub use crate::question::{Line, Question};
use crate::typed_move::ParsedMove;
use crate::variations::VariationAction;

/// A request from a person at the board.
///
/// Stays exhaustive until 1.0, so that the compiler finds what a new request needs.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Changes the game.
    Game(GameRequest),
    /// Annotates its moves.
    Notes(NotesRequest),
    /// Asks a question about it.
    Ask(Question),
    /// Seats a player on this side, or on the engine's side.
    Opponent(Option<Color>, PlayerSpec),
    /// Analyzes it, or retries a mistake.
    Study(StudyRequest),
}

/// Converts the nested requests.
macro_rules! nested {
    ($($part:ident($inner:ty)),*) => {
        $(impl From<$inner> for Request {
            fn from(inner: $inner) -> Request {
                Request::$part(inner)
            }
        })*
    };
}

nested!(
    Game(GameRequest),
    Notes(NotesRequest),
    Ask(Question),
    Study(StudyRequest)
);

/// A request that changes the game.
///
/// Stays exhaustive until 1.0, so that the compiler finds what a new request needs.
#[derive(Clone, Debug, PartialEq)]
pub enum GameRequest {
    /// A move for the side to move. Text is read as people type it: see [`typed_move`](crate::typed_move).
    Play(MoveInput),
    /// A move for the side to move. The front has parsed what was typed already.
    PlayParsed(ParsedMove),
    /// Set a move to be played as soon as it is the player's turn, if it is legal; `None` removes it. On the player's
    /// own turn the move is simply played.
    Premove(Option<MoveInput>),
    /// Take back this many moves: the only person's, or anyone's. In a review on a board, step back.
    Undo(u32),
    /// Replay this many moves.
    Redo(u32),
    /// Go to another position of the game.
    GoTo(Target),
    /// Claim a draw.
    Claim {
        /// By this rule, or by any that applies.
        rule: Option<ClaimRule>,
        /// With this intended move, or because of the current position.
        intended: Option<String>,
    },
    /// Offer a draw for this side, or for the default one.
    Offer(Option<Color>),
    /// Accept an offer or a request.
    Accept(Option<Pending>),
    /// Decline it.
    Decline(Option<Pending>),
    /// Request a takeback for this side, or for the side that moved last.
    Takeback(Option<Color>),
    /// Resign for this side, or for the default one.
    Resign(Option<Color>),
    /// Stop the clocks, or start them again.
    Pause,
    /// Begin another game.
    New(Box<NewGameRequest>),
    /// Begin the same kind of game from the same start, with the colors swapped.
    Rematch,
    /// Start from another position.
    LoadPosition(Box<Position>),
    /// Set who decides about draws.
    Draws(DrawPolicy),
}

impl GameRequest {
    /// Claims a draw by any rule, because of the current position.
    pub const CLAIM: GameRequest = GameRequest::Claim {
        rule: None,
        intended: None,
    };
}

/// A request that annotates the move being looked at.
///
/// Stays exhaustive until 1.0, so that the compiler finds what a new request needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotesRequest {
    /// Write a comment; an empty one removes it.
    Comment(String),
    /// Mark the move with a glyph, or remove its glyphs.
    Glyph(Option<Glyph>),
    /// Replace the marked squares and arrows of the position.
    Marks {
        /// The squares.
        squares: Vec<SquareMark>,
        /// The arrows.
        arrows: Vec<Arrow>,
    },
    /// Go to another variation, or change their order.
    Variation(VariationAction),
}

/// A request that analyzes the game.
///
/// Stays exhaustive until 1.0, so that the compiler finds what a new request needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StudyRequest {
    /// Have an engine judge the game.
    Judge(PlayerSpec),
    /// Go to the next mistake and try to improve on it.
    Retry,
    /// Write a line about the mistake being looked at into the game as a variation, and go to its first move.
    Line(LineKind),
}

/// The properties of a new game. Whatever is not given stays as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewGameRequest {
    /// The players' names; an empty one removes the name.
    pub names: ByColor<Option<String>>,
    /// Who plays the other side.
    pub opponent: Option<PlayerSpec>,
    /// The side of the person who asks.
    pub side: Option<Side>,
    /// The time control of both sides.
    pub clock: Option<TimeControl>,
    /// The start; the standard one if none is given.
    pub start: Option<Start>,
    /// Who decides about draws.
    pub draws: Option<DrawPolicy>,
}

/// The side that a person takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// This side.
    Of(Color),
    /// A random side.
    Random,
}

/// Where a game begins.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// From a position.
    Position(Position),
    /// From the Chess960 start of this number, or a random one.
    Chess960(Option<u16>),
}

/// The Chess960 start of this number, or a random one.
pub fn chess960(number: Option<u16>, random: &mut SplitMix64) -> Position {
    // Both typed and random numbers are at most 959, so the start position exists.
    let number = number.unwrap_or_else(|| random.below(960) as u16);
    Position::chess960(number).unwrap_or_default()
}

/// A position in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Before the first move.
    Start,
    /// After the last.
    End,
    /// After a side's move with this number.
    Move {
        /// The move number as written.
        number: u32,
        /// The side that made it.
        by: Color,
    },
    /// This many plies on from the position being looked at, or back if it is negative, but not beyond the ends.
    Step(i32),
}

impl Target {
    /// The ply of the target on the line being played, if the game is that long. Steps are counted from the position of
    /// the session.
    #[must_use]
    pub fn ply(self, session: &Session) -> Option<u32> {
        let last = session.record().cursor_line().len() as u32;
        match self {
            Target::Start => Some(0),
            Target::End => Some(last),
            Target::Step(steps) => Some(session.ply().saturating_add_signed(steps).min(last)),
            Target::Move { number, by } => {
                let ply = ply_of(number, by, session.record().start())?;
                (ply <= last).then_some(ply)
            }
        }
    }

    /// The node of a move by its number on the main line, if the main line is that long.
    pub(crate) fn of_main_line(self, record: &Record) -> Option<Node<'_>> {
        let Target::Move { number, by } = self else {
            return None;
        };
        let ply = ply_of(number, by, record.start())?;
        record.main_line().find(|node| node.ply() == ply)
    }
}

/// The ply of the position after a side's move with this number.
fn ply_of(number: u32, by: Color, start: &Position) -> Option<u32> {
    let half = |color| u64::from(color == Color::Black);
    let first = u64::from(start.fullmove_number()) * 2 + half(start.turn());
    let wanted = u64::from(number) * 2 + half(by);
    u32::try_from(wanted.checked_sub(first)? + 1).ok()
}

/// What is waiting for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pending {
    /// An offered draw.
    Draw,
    /// A request to take a move back.
    Takeback,
}

/// A request to the server of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerRequest {
    /// Apply this command to the game.
    Command(Command),
    /// Start another game with colors swapped, if the opponent wants it too.
    Rematch,
    /// Send the whole game again.
    Again,
    /// Leave the game.
    Leave,
}
