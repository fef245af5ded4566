//! Is the game over on the board, and can it still be won?

use core::fmt;

use super::Position;
use crate::{Bitboard, Color, Role};

/// What a single position says about the end of the game. Draws that depend on the history of the game, on a claim or
/// on a policy are up to the game.
///
/// ```
/// use tabiya_rules::{Position, Status};
///
/// assert_eq!(Position::start().status(), Status::Ongoing);
/// let stalemate = Position::from_fen("k7/2Q5/8/8/8/8/8/K7 b - - 0 1")?;
/// assert_eq!(stalemate.status(), Status::Stalemate);
/// # Ok::<(), tabiya_rules::ParseFenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// There are legal moves, and enough material to win.
    Ongoing,
    /// The side to move is in check and has no legal move.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side has the material to give mate.
    InsufficientMaterial,
}

impl Status {
    /// Returns whether the game is over.
    #[must_use]
    pub const fn is_over(self) -> bool {
        !matches!(self, Status::Ongoing)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Status::Ongoing => "ongoing",
            Status::Checkmate {
                winner: Color::White,
            } => "checkmate, White wins",
            Status::Checkmate {
                winner: Color::Black,
            } => "checkmate, Black wins",
            Status::Stalemate => "stalemate",
            Status::InsufficientMaterial => "draw by insufficient material",
        })
    }
}

impl Position {
    /// Returns whether the game is over on the board. Mate and stalemate take precedence over material.
    ///
    /// ```
    /// use tabiya_rules::{Color, Position, Status};
    ///
    /// let mate = Position::from_fen("k6Q/8/K7/8/8/8/8/8 b - - 0 1")?;
    /// assert_eq!(mate.status(), Status::Checkmate { winner: Color::White });
    /// # Ok::<(), tabiya_rules::ParseFenError>(())
    /// ```
    #[doc(alias = "outcome")]
    #[doc(alias = "game_over")]
    #[must_use]
    pub fn status(&self) -> Status {
        if !self.has_legal_move() {
            if self.is_check() {
                Status::Checkmate { winner: !self.turn }
            } else {
                Status::Stalemate
            }
        } else if self.is_insufficient_material() {
            Status::InsufficientMaterial
        } else {
            Status::Ongoing
        }
    }

    /// Returns whether the side to move is checkmated.
    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_move()
    }

    /// Returns whether the side to move is stalemated.
    #[must_use]
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_legal_move()
    }

    /// Returns whether neither side has the material to give mate: bare kings, one knight or bishop, or bishops that
    /// all stand on squares of one color. A board without both kings is never counted as such.
    #[inline]
    #[must_use]
    pub fn is_insufficient_material(&self) -> bool {
        let [pawns, knights, bishops, rooks, queens, kings] = self.board.by_roles();
        if !(pawns | rooks | queens).is_empty() || kings.count() != 2 {
            return false;
        }
        if knights.is_empty() {
            let light = bishops & Bitboard::LIGHT_SQUARES;
            light.is_empty() || light == bishops
        } else {
            bishops.is_empty() && knights.count() == 1
        }
    }

    /// Returns whether this side has the material to give mate, even if only with the opponent's help. This decides the
    /// result when the opponent's flag falls.
    ///
    /// A lone knight or bishop counts, if the opponent has a piece that can block its own king.
    #[must_use]
    pub fn has_mating_material(&self, color: Color) -> bool {
        let ours = |role| self.board.pieces(color, role);
        let theirs = |role| self.board.pieces(!color, role);
        if !(ours(Role::Pawn) | ours(Role::Rook) | ours(Role::Queen)).is_empty() {
            return true;
        }
        let (knights, bishops) = (ours(Role::Knight), ours(Role::Bishop));
        if !knights.is_empty() {
            // Two pieces can mate. A lone knight needs an enemy piece to block the king, and a queen cannot be that
            // piece: it can always guard.
            let blockers = self.board.by_color(!color) - theirs(Role::King) - theirs(Role::Queen);
            return (knights | bishops).has_several() || !blockers.is_empty();
        }
        if bishops.is_empty() {
            return false;
        }
        // Bishops on one color of squares need a piece on the other color: another bishop, or an enemy piece that can
        // stand there.
        let all = self.board.by_role(Role::Bishop);
        let both_colors = !(all & Bitboard::LIGHT_SQUARES).is_empty()
            && !(all & Bitboard::DARK_SQUARES).is_empty();
        both_colors || !(theirs(Role::Pawn) | theirs(Role::Knight)).is_empty()
    }
}
