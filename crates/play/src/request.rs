//! What anybody at a board can ask, whatever the front. [`Table::handle`](crate::table::Table::handle) does it.
//!
//! The enums are exhaustive on purpose: whoever adds a request is told by the compiler what else has to be written.

use tabiya_game::{
    Arrow, ClaimRule, Command, DrawPolicy, Glyph, MoveInput, Session, SquareMark, TimeControl,
};
use tabiya_rules::{ByColor, Color, File, Position, Rank, Role, SplitMix64, Square};

use crate::players::PlayerSpec;
use crate::variations::Variation;

/// A request from a person at the board.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Changes the game.
    Game(GameRequest),
    /// Writes beside its moves.
    Notes(NotesRequest),
    /// Asks something about it.
    Ask(Question),
    /// Changes who plays.
    Seats(SeatRequest),
    /// Judges it, or tries a mistake again.
    Study(StudyRequest),
}

/// Lets what is nested be asked for as it is.
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
    Seats(SeatRequest),
    Study(StudyRequest)
);

/// What changes a game.
#[derive(Clone, Debug, PartialEq)]
pub enum GameRequest {
    /// A move for the side to move. Text is read as people type it: see [`typed_move`](crate::typed_move).
    Play(MoveInput),
    /// Set a move that is played at once, if it is legal, when the turn comes; or none any more. On one's own turn the
    /// move is simply played.
    Premove(Option<MoveInput>),
    /// Take back this many moves: of the only person, or of either side. In a review on a board, walk back.
    Undo(u32),
    /// Play so many of them again.
    Redo(u32),
    /// Go to another place of the game.
    GoTo(Target),
    /// Claim a draw.
    Claim {
        /// By this rule, or by any.
        rule: Option<ClaimRule>,
        /// With the move that leads to it, or because of the position on the board.
        intended: Option<String>,
    },
    /// Offer a draw for this side, or for the default speaker.
    Offer(Option<Color>),
    /// Accept what was asked.
    Accept(Option<Pending>),
    /// Decline it.
    Decline(Option<Pending>),
    /// Ask to take a move back, for this side or for the side that moved last.
    Takeback(Option<Color>),
    /// Resign for this side, or for the default speaker.
    Resign(Option<Color>),
    /// Stop the clocks, or let them run again.
    Pause,
    /// Begin another game.
    New(Box<NewRequest>),
    /// Begin the same kind of game from the same start, with the colors swapped.
    Rematch,
    /// Begin from another position.
    LoadPosition(Box<Position>),
    /// Say who decides about draws.
    Draws(DrawPolicy),
}

impl GameRequest {
    /// Claims a draw by any rule, because of the position on the board.
    pub const CLAIM: GameRequest = GameRequest::Claim {
        rule: None,
        intended: None,
    };
}

/// What is written beside the move that is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotesRequest {
    /// Write a comment; an empty one takes it away.
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
    Variation(Variation),
}

/// A question about the game; the answer is a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// A little more of a good move.
    Hint,
    /// How the game stands.
    Evaluate,
    /// The best lines; from now on those of another engine.
    Lines(Option<PlayerSpec>),
    /// Where the pieces of a kind are.
    Pieces(Role),
    /// What stands on a file or a rank.
    Squares(Line),
    /// What stands on a square, and who attacks and defends it.
    Square(Square),
    /// Which pieces either side has captured.
    Captured,
    /// Which pieces attack a square.
    Attackers(Square),
    /// The legal moves, all or from a square.
    Moves(Option<Square>),
    /// How much time is left.
    Clock,
    /// The last move.
    LastMove,
    /// The name of the opening.
    Opening,
}

/// Who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatRequest {
    /// Somebody plays this side, or the engine's.
    Opponent(Option<Color>, PlayerSpec),
}

/// Judging a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StudyRequest {
    /// Let an engine judge it.
    Judge(PlayerSpec),
    /// Go to the next mistake, to find something better.
    Retry,
}

/// What a new game shall be like; what is not said stays as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewRequest {
    /// The players' names; an empty one removes the name.
    pub names: ByColor<Option<String>>,
    /// Who plays the other side.
    pub opponent: Option<PlayerSpec>,
    /// The side of whoever asks.
    pub side: Option<Side>,
    /// The time of either side.
    pub clock: Option<TimeControl>,
    /// The start; the standard one where nothing is said.
    pub start: Option<Start>,
    /// Who decides about draws.
    pub draws: Option<DrawPolicy>,
}

/// Whose side somebody takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// This one.
    Of(Color),
    /// Any.
    Random,
}

/// Where a game begins.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// From a position.
    Position(Position),
    /// From the numbered start of Chess960, or any.
    Chess960(Option<u16>),
}

/// The start of Chess960 with a number, or any.
pub fn chess960(number: Option<u16>, random: &mut SplitMix64) -> Position {
    // Both typed and random numbers are at most 959, so the start position exists.
    let number = number.unwrap_or_else(|| random.below(960) as u16);
    Position::chess960(number).unwrap_or_default()
}

/// A place in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Before the first move.
    Start,
    /// After the last.
    End,
    /// After the move of a side with this number.
    Move {
        /// As it is written.
        number: u32,
        /// Whose move.
        by: Color,
    },
}

impl Target {
    /// How many plies of the line that is played lead there, if the game has got so far.
    #[must_use]
    pub fn ply(self, session: &Session) -> Option<u32> {
        let last = session.record().cursor_line().len() as u32;
        match self {
            Target::Start => Some(0),
            Target::End => Some(last),
            Target::Move { number, by } => {
                let start = session.record().start();
                let half = |color| u64::from(color == Color::Black);
                let first = u64::from(start.fullmove_number()) * 2 + half(start.turn());
                let wanted = u64::from(number) * 2 + half(by);
                let ply = u32::try_from(wanted.checked_sub(first)? + 1).ok()?;
                (ply <= last).then_some(ply)
            }
        }
    }
}

/// What waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pending {
    /// An offered draw.
    Draw,
    /// A wish to take a move back.
    Takeback,
}

/// Something for the server that keeps the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerRequest {
    /// Do this to the game.
    Command(Command),
    /// Begin another game with the colors swapped; the opponent must want it too.
    Rematch,
    /// Tell the whole game again.
    Again,
    /// Nothing more: the game is left.
    Leave,
}

/// A file or a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// A file.
    File(File),
    /// A rank.
    Rank(Rank),
}
