//! Finds the legal move between two squares, or a typed reason why there is none, with the squares involved.

use core::error::Error;
use core::fmt;

use super::Position;
use crate::moves::Kind;
use crate::{Bitboard, CastlingSide, Color, Move, Piece, Rank, Role, Square, attacks};

/// The reason why a move is not legal. It displays as a sentence for the player.
///
/// ```
/// use tabiya_rules::{IllegalMove, Position, Square};
///
/// let start = Position::start();
/// let why = start.find_move(Square::A1, Square::A4, None).unwrap_err();
/// assert_eq!(why, IllegalMove::Blocked { by: Square::A2 });
/// assert_eq!(why.to_string(), "The way is blocked by the piece on a2.");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The square to move from is empty.
    NoPiece {
        /// The empty square.
        square: Square,
    },
    /// The piece belongs to the other side.
    OpponentsPiece {
        /// Its square.
        square: Square,
        /// What it is.
        piece: Piece,
    },
    /// The target square has a piece of the same color.
    OwnPiece {
        /// The target square.
        square: Square,
        /// The piece there.
        piece: Piece,
    },
    /// The piece does not move that way.
    NotItsMove {
        /// The piece.
        role: Role,
        /// The square it moves from.
        from: Square,
        /// The square it moves to.
        to: Square,
    },
    /// Another piece is in the way.
    Blocked {
        /// The first piece in the way.
        by: Square,
    },
    /// A pawn moves diagonally only to capture, and there is nothing to capture.
    NothingToCapture {
        /// The empty square.
        square: Square,
    },
    /// The king would be in check afterwards.
    LeavesKingInCheck {
        /// The king's square.
        king: Square,
        /// The piece that attacks it.
        attacker: Square,
    },
    /// The king would step on an attacked square.
    KingIntoCheck {
        /// The square.
        square: Square,
        /// The piece that attacks it.
        attacker: Square,
    },
    /// The king or the rook has moved, or was never where it could castle.
    NoCastlingRight {
        /// The side of the board.
        side: CastlingSide,
        /// The color that castles.
        color: Color,
    },
    /// A piece is in the way of the king or the rook.
    CastlingBlocked {
        /// The side of the board.
        side: CastlingSide,
        /// The piece in the way.
        by: Square,
    },
    /// A king in check cannot castle.
    CastlingInCheck {
        /// The piece that gives check.
        attacker: Square,
    },
    /// The king would pass over an attacked square.
    CastlingThroughCheck {
        /// The attacked square.
        square: Square,
        /// The piece that attacks it.
        attacker: Square,
    },
    /// The king would end on an attacked square.
    CastlingIntoCheck {
        /// The attacked square.
        square: Square,
        /// The piece that attacks it.
        attacker: Square,
    },
    /// The pawn reaches the last rank and must promote.
    PromotionRequired,
    /// This promotion is not possible.
    NoPromotion,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            IllegalMove::NoPiece { square } => write!(f, "No piece on {square}."),
            IllegalMove::OpponentsPiece { square, piece } => {
                write!(f, "The piece on {square} is a {piece}, not yours.")
            }
            IllegalMove::OwnPiece { square, piece } => {
                write!(f, "Your own {} is on {square}.", piece.role)
            }
            IllegalMove::NotItsMove { role, from, to } => {
                write!(f, "A {role} cannot move from {from} to {to}.")
            }
            IllegalMove::Blocked { by } => write!(f, "The way is blocked by the piece on {by}."),
            IllegalMove::NothingToCapture { square } => {
                write!(
                    f,
                    "A Pawn moves diagonally only to capture, and {square} is empty."
                )
            }
            IllegalMove::LeavesKingInCheck { king, attacker } => {
                write!(f, "It leaves the King on {king} in check from {attacker}.")
            }
            IllegalMove::KingIntoCheck { square, attacker } => {
                write!(f, "The King would be in check on {square} from {attacker}.")
            }
            IllegalMove::NoCastlingRight { side, color } => {
                let wing = match side {
                    CastlingSide::King => "kingside",
                    CastlingSide::Queen => "queenside",
                };
                write!(
                    f,
                    "{color} has no right to castle {wing}: King or Rook has moved."
                )
            }
            IllegalMove::CastlingBlocked { by, .. } => {
                write!(f, "Castling is blocked by the piece on {by}.")
            }
            IllegalMove::CastlingInCheck { attacker } => {
                write!(
                    f,
                    "A King in check cannot castle; it is attacked from {attacker}."
                )
            }
            IllegalMove::CastlingThroughCheck { square, attacker } => {
                write!(
                    f,
                    "The King would castle through {square}, attacked from {attacker}."
                )
            }
            IllegalMove::CastlingIntoCheck { square, attacker } => {
                write!(
                    f,
                    "The King would castle into {square}, attacked from {attacker}."
                )
            }
            IllegalMove::PromotionRequired => {
                f.write_str("Promotion piece required: q, r, b or n.")
            }
            IllegalMove::NoPromotion => {
                f.write_str("Only a Pawn on the last rank becomes a Queen, Rook, Bishop or Knight.")
            }
        }
    }
}

impl Error for IllegalMove {}

impl Position {
    /// Returns the legal move between two squares, or why there is none.
    ///
    /// Castling may be given as the king taking its rook, or as the king going to its target on the c-file or g-file,
    /// unless that is an ordinary king move.
    ///
    /// # Errors
    /// Fails if there is none; the error has the reason and the squares involved.
    ///
    /// ```
    /// use tabiya_rules::{IllegalMove, Position, Square};
    ///
    /// let start = Position::start();
    /// let refused = start.find_move(Square::A1, Square::A5, None);
    /// assert_eq!(refused, Err(IllegalMove::Blocked { by: Square::A2 }));
    /// ```
    pub fn find_move(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<Move, IllegalMove> {
        let piece = self
            .board
            .piece_at(from)
            .ok_or(IllegalMove::NoPiece { square: from })?;
        if piece.color != self.turn {
            return Err(IllegalMove::OpponentsPiece {
                square: from,
                piece,
            });
        }
        let role = piece.role;
        if promotion.is_some() && role != Role::Pawn {
            return Err(IllegalMove::NoPromotion);
        }
        if role == Role::King
            && let Some(castle) = self.castle_meant_by(from, to)
        {
            return castle;
        }
        if let Some(piece) = self.board.piece_at(to)
            && piece.color == self.turn
        {
            return Err(IllegalMove::OwnPiece { square: to, piece });
        }
        self.check_reach(role, from, to)?;
        let kind = self.kind_of(role, from, to, promotion)?;
        if role == Role::King {
            let without_king = self.board.occupied() - from;
            let attackers = self.board.attackers_through(to, !self.turn, without_king);
            if let Some(attacker) = attackers.first() {
                return Err(IllegalMove::KingIntoCheck {
                    square: to,
                    attacker,
                });
            }
        } else {
            self.check_king_stays_safe(from, to, kind == Kind::EnPassant)?;
        }
        Ok(Move::new(kind, from, to))
    }

    /// Returns the castling move, if a king's move from one square to another means castling.
    fn castle_meant_by(&self, from: Square, to: Square) -> Option<Result<Move, IllegalMove>> {
        let side = CastlingSide::of(from, to);
        let home = Bitboard::back_rank(self.turn);
        if !home.contains(from) || !home.contains(to) || from == to {
            return None;
        }
        let rook = if self.board.pieces(self.turn, Role::Rook).contains(to) {
            to
        } else if to == side.king_target(self.turn) && from.distance(to) > 1 {
            let rights = Bitboard(self.castling) & home;
            let rook = rights
                .into_iter()
                .find(|&rook| CastlingSide::of(from, rook) == side);
            rook.unwrap_or(side.standard_rook(self.turn))
        } else {
            return None;
        };
        Some(match self.why_not_castle(rook) {
            None => Ok(Move::new(Kind::Castle, from, rook)),
            Some(reason) => Err(reason),
        })
    }

    /// Returns why the side to move cannot castle with a rook; `None` if it can.
    pub(crate) fn why_not_castle(&self, rook: Square) -> Option<IllegalMove> {
        let (us, them) = (self.turn, !self.turn);
        let king = self.board.king(us)?;
        let side = CastlingSide::of(king, rook);
        let rights = Bitboard(self.castling) & Bitboard::back_rank(us);
        if !rights.contains(rook) {
            return Some(IllegalMove::NoCastlingRight { side, color: us });
        }
        let (king_to, rook_to) = (side.king_target(us), side.rook_target(us));
        let king_path = attacks::between(king, king_to) | king_to;
        let rook_path = attacks::between(rook, rook_to) | rook_to;
        let others = self.board.occupied() - king - rook;
        let in_the_way = (king_path | rook_path | attacks::between(king, rook)) & others;
        if let Some(by) = in_the_way.first() {
            return Some(IllegalMove::CastlingBlocked { side, by });
        }
        if let Some(attacker) = self.checkers().first() {
            return Some(IllegalMove::CastlingInCheck { attacker });
        }
        let without_king = self.board.occupied() - king;
        for square in king_path - king {
            let attackers = self.board.attackers_through(square, them, without_king);
            if let Some(attacker) = attackers.first() {
                return Some(if square == king_to {
                    IllegalMove::CastlingIntoCheck { square, attacker }
                } else {
                    IllegalMove::CastlingThroughCheck { square, attacker }
                });
            }
        }
        // The rook moves as well, and may have shielded the king.
        let after = (without_king - rook) | king_to | rook_to;
        let attackers = self.board.attackers_through(king_to, them, after);
        attackers
            .first()
            .map(|attacker| IllegalMove::CastlingIntoCheck {
                square: king_to,
                attacker,
            })
    }

    /// Checks that the piece can reach the square, and says why if it cannot.
    fn check_reach(&self, role: Role, from: Square, to: Square) -> Result<(), IllegalMove> {
        let occupied = self.board.occupied();
        let wrong = IllegalMove::NotItsMove { role, from, to };
        if role == Role::Pawn {
            return self.check_pawn_reach(from, to, wrong);
        }
        if attacks::of(role, self.turn, from, occupied).contains(to) {
            return Ok(());
        }
        if !attacks::of(role, self.turn, from, Bitboard::EMPTY).contains(to) {
            return Err(wrong);
        }
        Err(self
            .first_between(from, to)
            .map_or(wrong, |by| IllegalMove::Blocked { by }))
    }

    /// Checks that a pawn can reach the square, and says why if it cannot.
    fn check_pawn_reach(
        &self,
        from: Square,
        to: Square,
        wrong: IllegalMove,
    ) -> Result<(), IllegalMove> {
        if self.pawn_reaches(from, to) {
            return Ok(());
        }
        if attacks::pawn(self.turn, from).contains(to) {
            return Err(IllegalMove::NothingToCapture { square: to });
        }
        let ahead = if self.turn.is_white() { 1 } else { -1 };
        let one = from.offset(0, ahead);
        let may_go_two = from.rank().relative_to(self.turn) == Rank::Second;
        let two = one
            .and_then(|square| square.offset(0, ahead))
            .filter(|_| may_go_two);
        if Some(to) != one && Some(to) != two {
            return Err(wrong);
        }
        let by = self.first_between(from, to).unwrap_or(to);
        Err(IllegalMove::Blocked { by })
    }

    /// Returns the piece nearest to `from` on the way to `to`.
    fn first_between(&self, from: Square, to: Square) -> Option<Square> {
        let pieces = attacks::between(from, to) & self.board.occupied();
        pieces
            .into_iter()
            .min_by_key(|square| square.distance(from))
    }

    /// Returns the kind of a move that the piece can make apart from checks, or what is wrong with the promotion.
    fn kind_of(
        &self,
        role: Role,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<Kind, IllegalMove> {
        if role != Role::Pawn {
            return Ok(Kind::plain(role));
        }
        match (Bitboard::back_rank(!self.turn).contains(to), promotion) {
            (true, None) => {
                // No promotion helps a pawn that must stay where it is.
                self.check_king_stays_safe(from, to, false)?;
                Err(IllegalMove::PromotionRequired)
            }
            (true, Some(role)) => Kind::promotion(role).ok_or(IllegalMove::NoPromotion),
            (false, Some(_)) => Err(IllegalMove::NoPromotion),
            (false, None) => self
                .pawn_kind(from, to, None)
                .ok_or(IllegalMove::NoPromotion),
        }
    }

    /// Checks that the move leaves the own king safe.
    fn check_king_stays_safe(
        &self,
        from: Square,
        to: Square,
        en_passant: bool,
    ) -> Result<(), IllegalMove> {
        if self.is_safe(from, to, en_passant) {
            return Ok(());
        }
        let captured = if en_passant {
            Square::from_low_bits(to as u32 ^ 8)
        } else {
            to
        };
        let occupied = (self.board.occupied() - from - captured) | to;
        let threat = self.board.king(self.turn).and_then(|king| {
            let attackers = self.board.attackers_through(king, !self.turn, occupied) - captured;
            Some((king, attackers.first()?))
        });
        match threat {
            Some((king, attacker)) => Err(IllegalMove::LeavesKingInCheck { king, attacker }),
            None => Ok(()),
        }
    }
}
