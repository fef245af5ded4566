//! A start position and the moves played from it, with every position in between, so that repetitions can be counted.

use alloc::vec::Vec;
use core::fmt;

use crate::{Color, Move, PlayError, Position, SanError, Status, UciError};

/// A start position and the legal moves played from it: `push` and `pop`, the current position, repetitions and the
/// draws that follow from them.
///
/// Use it as a board with undo, and to send an engine the game so far. Variations, comments, clocks and offers are in
/// the crate `tabiya-game`.
///
/// `==` compares the start, as [`Position`] does, and the moves. A clone copies about 100 bytes for each move.
///
/// ```
/// use tabiya_rules::{HistoryStatus, MoveHistory};
///
/// let mut game = MoveHistory::default();
/// for text in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"] {
///     game.push_san(text)?;
/// }
/// assert_eq!(game.repetitions(), 3);
/// assert_eq!(game.status(), HistoryStatus::Threefold);
///
/// game.pop();
/// assert_eq!(game.repetitions(), 2);
/// assert_eq!(game.status(), HistoryStatus::Ongoing);
/// # Ok::<(), tabiya_rules::SanError>(())
/// ```
#[derive(Clone)]
#[doc(alias = "Board")]
#[doc(alias = "move_stack")]
#[doc(alias = "undo")]
pub struct MoveHistory {
    start: Position,
    moves: Vec<Move>,
    /// The position after each move.
    after: Vec<Position>,
}

impl MoveHistory {
    /// Creates a history without moves.
    #[must_use]
    pub const fn new(start: Position) -> MoveHistory {
        MoveHistory {
            start,
            moves: Vec::new(),
            after: Vec::new(),
        }
    }

    /// Returns the position before the first move.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the moves, in order.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the position after the last move.
    #[must_use]
    pub fn current(&self) -> &Position {
        self.after.last().unwrap_or(&self.start)
    }

    /// Returns all positions, from the start to the current one: one more than there are moves.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &Position> + Clone {
        core::iter::once(&self.start).chain(&self.after)
    }

    /// Returns the number of moves.
    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Returns whether no move has been played.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Plays a move.
    ///
    /// # Errors
    /// Fails if the move is not legal in the current position; the history is then unchanged.
    pub fn push(&mut self, m: Move) -> Result<(), PlayError> {
        let next = self.current().play(m)?;
        self.moves.push(m);
        self.after.push(next);
        Ok(())
    }

    /// Plays a move given in algebraic notation, read as [`Position::parse_san`] does, and returns it.
    ///
    /// # Errors
    /// Fails if the text is not a legal move; the history is then unchanged.
    pub fn push_san(&mut self, text: &str) -> Result<Move, SanError> {
        let m = self.current().parse_san(text)?;
        self.push_legal(m);
        Ok(m)
    }

    /// Plays a move given in UCI notation, and returns it.
    ///
    /// # Errors
    /// Fails if the text is not a legal move; the history is then unchanged.
    pub fn push_uci(&mut self, text: &str) -> Result<Move, UciError> {
        let m = self.current().parse_uci(text)?;
        self.push_legal(m);
        Ok(m)
    }

    fn push_legal(&mut self, m: Move) {
        let next = self.current().play_unchecked(m);
        self.moves.push(m);
        self.after.push(next);
    }

    /// Takes back the last move and returns it; `None` at the start.
    #[doc(alias = "undo")]
    pub fn pop(&mut self) -> Option<Move> {
        self.after.pop();
        self.moves.pop()
    }

    /// Returns how many times the current position has occurred, including now.
    ///
    /// Compares only positions since the last capture or pawn move, because no earlier one can be the same.
    #[must_use]
    #[doc(alias = "threefold")]
    pub fn repetitions(&self) -> u32 {
        let current = self.current();
        let clock = usize::try_from(current.halfmove_clock()).unwrap_or(usize::MAX);
        let earlier = self.positions().rev().take(clock.saturating_add(1));
        // The same side is to move only at every second ply.
        let same = earlier.step_by(2).filter(|&position| position == current);
        u32::try_from(same.count()).unwrap_or(u32::MAX)
    }

    /// Returns the number of plies since the last capture or pawn move, including those before the start.
    #[must_use]
    #[doc(alias = "fifty_moves")]
    pub fn halfmove_clock(&self) -> u32 {
        self.current().halfmove_clock()
    }

    /// Returns whether the game is over or a draw can be claimed.
    #[must_use]
    #[doc(alias = "outcome")]
    #[doc(alias = "threefold")]
    #[doc(alias = "fifty_moves")]
    pub fn status(&self) -> HistoryStatus {
        match self.current().status() {
            Status::Checkmate { winner } => return HistoryStatus::Checkmate { winner },
            Status::Stalemate => return HistoryStatus::Stalemate,
            Status::InsufficientMaterial => return HistoryStatus::InsufficientMaterial,
            Status::Ongoing => {}
        }
        match (self.repetitions(), self.halfmove_clock()) {
            (5.., _) => HistoryStatus::Fivefold,
            (_, 150..) => HistoryStatus::SeventyFiveMoves,
            (_, 100..) => HistoryStatus::FiftyMoves,
            (3.., _) => HistoryStatus::Threefold,
            _ => HistoryStatus::Ongoing,
        }
    }
}

impl Default for MoveHistory {
    /// Returns a history that begins with the standard start position.
    fn default() -> MoveHistory {
        MoveHistory::new(Position::start())
    }
}

impl From<Position> for MoveHistory {
    /// Creates a history without moves.
    fn from(start: Position) -> MoveHistory {
        MoveHistory::new(start)
    }
}

impl PartialEq for MoveHistory {
    fn eq(&self, other: &MoveHistory) -> bool {
        self.start == other.start && self.moves == other.moves
    }
}

impl Eq for MoveHistory {}

impl fmt::Debug for MoveHistory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MoveHistory")
            .field("start", &self.start)
            .field("moves", &self.moves)
            .finish()
    }
}

/// What a [`MoveHistory`] says about the end of the game: all that a position says, plus draws by repetition and by
/// the 50- and 75-move rules.
///
/// ```
/// use tabiya_rules::{HistoryStatus, MoveHistory};
///
/// let mut game = MoveHistory::default();
/// for text in "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8".split(' ') {
///     game.push_san(text)?;
/// }
/// assert_eq!(game.status(), HistoryStatus::Threefold);
/// assert!(game.status().is_claimable() && !game.status().is_over());
/// # Ok::<(), tabiya_rules::SanError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HistoryStatus {
    /// The game is in progress, and no draw can be claimed.
    Ongoing,
    /// The position has occurred three or four times: the player to move may claim a draw.
    Threefold,
    /// Each side has made fifty moves without a capture or pawn move: the player to move may claim a draw.
    FiftyMoves,
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side has the material to give mate.
    InsufficientMaterial,
    /// The position has occurred five times: a draw without a claim.
    Fivefold,
    /// Each side has made seventy-five moves without a capture or pawn move: a draw without a claim.
    SeventyFiveMoves,
}

impl HistoryStatus {
    /// Returns whether the game is over without a claim.
    #[must_use]
    pub const fn is_over(self) -> bool {
        match self {
            HistoryStatus::Ongoing | HistoryStatus::Threefold | HistoryStatus::FiftyMoves => false,
            HistoryStatus::Checkmate { .. }
            | HistoryStatus::Stalemate
            | HistoryStatus::InsufficientMaterial
            | HistoryStatus::Fivefold
            | HistoryStatus::SeventyFiveMoves => true,
        }
    }

    /// Returns whether the player to move may claim a draw.
    #[must_use]
    pub const fn is_claimable(self) -> bool {
        matches!(self, HistoryStatus::Threefold | HistoryStatus::FiftyMoves)
    }
}

impl fmt::Display for HistoryStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            HistoryStatus::Ongoing => "ongoing",
            HistoryStatus::Threefold => "threefold repetition can be claimed",
            HistoryStatus::FiftyMoves => "a draw by fifty moves can be claimed",
            HistoryStatus::Checkmate {
                winner: Color::White,
            } => "checkmate, White wins",
            HistoryStatus::Checkmate {
                winner: Color::Black,
            } => "checkmate, Black wins",
            HistoryStatus::Stalemate => "stalemate",
            HistoryStatus::InsufficientMaterial => "draw by insufficient material",
            HistoryStatus::Fivefold => "draw by fivefold repetition",
            HistoryStatus::SeventyFiveMoves => "draw by seventy-five moves",
        })
    }
}
