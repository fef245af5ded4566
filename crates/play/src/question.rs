//! What can be asked about a game, and what comes back: values, which [`Table`](crate::table::Table) makes and a front words.

use tabiya_game::ClockFace;
use tabiya_openings::Opening;
use tabiya_rules::{Bitboard, ByColor, Color, File, Move, Piece, Rank, Role, Square};

use crate::advice::{EvaluatedLine, Stage};
use crate::players::PlayerSpec;

/// A question about the game; the answer is a value.
///
/// Stays exhaustive until 1.0, so that the compiler finds what a new question needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// The next stage of a hint.
    Hint,
    /// An evaluation.
    Evaluate,
    /// The best lines, from now on those of another engine if one is given.
    Lines(Option<PlayerSpec>),
    /// Where the pieces of a kind are.
    Pieces(Role),
    /// What stands on a file or a rank.
    Squares(Line),
    /// What is on a square, and which pieces attack and defend it.
    Square(Square),
    /// Which pieces each side has captured.
    Captured,
    /// Which pieces each side has that the other lacks.
    Material,
    /// Which pieces attack a square.
    Attackers(Square),
    /// The legal moves, or those from a square.
    Moves(Option<Square>),
    /// How much time is left.
    Clock,
    /// The last move.
    LastMove,
    /// The name of the opening.
    Opening,
}

/// The answer to a question about the game.
///
/// Stays exhaustive until 1.0, so that the compiler finds what a new answer needs.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The squares of the pieces of a kind.
    Pieces {
        /// The kind.
        role: Role,
        /// The squares of each side's pieces.
        squares: ByColor<Bitboard>,
    },
    /// The pieces on a file or a rank.
    Squares(Vec<(Square, Piece)>),
    /// What is on a square, and the pieces of each side that attack or defend it.
    Square {
        /// The square.
        square: Square,
        /// What is on it.
        piece: Option<Piece>,
        /// The pieces of each side that reach it.
        reached_by: ByColor<Vec<(Square, Role)>>,
    },
    /// What each side has captured, in order.
    Captured(ByColor<Vec<Role>>),
    /// The pieces that each side has more of than the other.
    Material(ByColor<Vec<Role>>),
    /// The pieces of each side that attack a square.
    Attackers(ByColor<Vec<(Square, Role)>>),
    /// The legal moves in SAN, sorted.
    Moves(Vec<String>),
    /// The square whose moves were asked for is empty.
    NoPiece(Square),
    /// What the clocks show.
    Clock(ClockFace),
    /// The last move, if there is one.
    LastMove(Option<LastMove>),
    /// The opening, if a position of the game has a name.
    Opening(Option<Opening<'static>>),
    /// One stage of a hint.
    Hint {
        /// How much of the move is revealed.
        stage: Stage,
        /// The move.
        best: Move,
        /// The move in SAN.
        san: String,
    },
    /// The best line, if one was found.
    Evaluation(Option<EvaluatedLine>),
    /// The best lines.
    Lines(Vec<EvaluatedLine>),
    /// Whether the best lines are now shown beside the board.
    LinesShown(bool),
    /// The adviser has to think first.
    Thinking,
}

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastMove {
    /// Who made it.
    pub by: Color,
    /// The move in SAN.
    pub san: String,
    /// The move in UCI notation.
    pub uci: String,
}

/// A file or a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// A file.
    File(File),
    /// A rank.
    Rank(Rank),
}
