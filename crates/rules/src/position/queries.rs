//! Questions about a position: checks, pins, attackers, the legality of one move.

use super::Position;
use crate::moves::Kind;
use crate::{Bitboard, CastlingSide, Color, Move, Piece, Role, Setup, Square, attacks};

impl Position {
    /// Returns the pieces that give check to the side to move.
    ///
    /// ```
    /// use tabiya_rules::{Position, Square};
    ///
    /// let position = Position::from_fen("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")?;
    /// assert_eq!(position.checkers().single(), Some(Square::E2));
    /// # Ok::<(), tabiya_rules::ParseFenError>(())
    /// ```
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        self.checkers_of(self.turn)
    }

    /// Returns whether the side to move is in check. A side without a king never is.
    #[doc(alias = "in_check")]
    #[inline]
    #[must_use]
    pub fn is_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// Returns the pieces that attack a side's king.
    pub(crate) fn checkers_of(&self, color: Color) -> Bitboard {
        let Some(king) = self.board.king(color) else {
            return Bitboard::EMPTY;
        };
        let [pawns, knights, bishops, rooks, queens, kings] = self.board.by_roles();
        let them = self.board.by_color(!color);
        let leapers = (attacks::pawn(color, king) & pawns)
            | (attacks::knight(king) & knights)
            | (attacks::king(king) & kings);
        let mut checkers = leapers & them;
        // Most kings have few sliders on their lines, or none: asking what is in between is cheaper than looking up what
        // a slider would attack from the king's square.
        let diagonal = Bitboard(attacks::BISHOP_RAYS[king as usize]) & (bishops | queens);
        let straight = Bitboard(attacks::ROOK_RAYS[king as usize]) & (rooks | queens);
        for slider in (diagonal | straight) & them {
            if (attacks::between(king, slider) & self.board.occupied()).is_empty() {
                checkers |= slider;
            }
        }
        checkers
    }

    /// Returns the pieces of a color that attack a square, whether it is empty or occupied.
    #[must_use]
    pub fn attackers(&self, square: Square, color: Color) -> Bitboard {
        self.board.attackers(square, color)
    }

    /// Returns the pieces of a color that are pinned to their king.
    #[must_use]
    pub fn pinned(&self, color: Color) -> Bitboard {
        self.pins(color).map(|(pinned, _)| pinned).collect()
    }

    /// Returns the pinned pieces of a color, each with the piece that pins it.
    ///
    /// ```
    /// use tabiya_rules::{Color, Position, Square};
    ///
    /// let position = Position::from_fen("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1")?;
    /// let pins: Vec<_> = position.pins(Color::White).collect();
    /// assert_eq!(pins, [(Square::E2, Square::E8)]);
    /// # Ok::<(), tabiya_rules::ParseFenError>(())
    /// ```
    pub fn pins(&self, color: Color) -> impl Iterator<Item = (Square, Square)> + '_ {
        let king = self.board.king(color);
        let pinners = king.map_or(Bitboard::EMPTY, |king| {
            let [_, _, bishops, rooks, queens, _] = self.board.by_roles();
            let straight = attacks::rook(king, Bitboard::EMPTY) & (rooks | queens);
            let diagonal = attacks::bishop(king, Bitboard::EMPTY) & (bishops | queens);
            (straight | diagonal) & self.board.by_color(!color)
        });
        pinners.into_iter().filter_map(move |pinner| {
            let between = attacks::between(king?, pinner) & self.board.occupied();
            let pinned = between.single()?;
            self.board
                .by_color(color)
                .contains(pinned)
                .then_some((pinned, pinner))
        })
    }

    /// Returns the piece that a move captures, and its square, which for en passant is not the target
    /// square.
    #[must_use]
    pub fn captured(&self, m: Move) -> Option<(Square, Piece)> {
        let square = match m.kind() {
            Kind::Castle => return None,
            Kind::EnPassant => Square::from_low_bits(m.to() as u32 ^ 8),
            _ => m.to(),
        };
        Some((square, self.board.piece_at(square)?))
    }

    /// Returns the role of the piece that a legal move captures.
    #[inline]
    #[must_use]
    pub fn captured_role(&self, m: Move) -> Option<Role> {
        if m.is_en_passant() {
            Some(Role::Pawn)
        } else if m.is_castle() {
            None
        } else {
            self.board.role_at(m.to())
        }
    }

    /// Returns whether a legal move captures a piece, en passant included.
    #[must_use]
    pub fn is_capture(&self, m: Move) -> bool {
        !m.is_castle() && (m.is_en_passant() || self.board.by_color(!self.turn).contains(m.to()))
    }

    /// Returns whether a legal move captures, moves a pawn or gives up a castling right, so that no
    /// earlier position can occur again.
    #[doc(alias = "zeroing")]
    #[must_use]
    pub fn is_irreversible(&self, m: Move) -> bool {
        let lost = match m.role() {
            Role::King => Bitboard::back_rank(self.turn),
            Role::Pawn | Role::Knight | Role::Bishop | Role::Rook | Role::Queen => {
                Bitboard::of(m.from())
            }
        };
        m.role() == Role::Pawn || self.is_capture(m) || !(self.castling_rooks() & lost).is_empty()
    }

    /// Returns the rook with which a color may still castle on a side of the board.
    ///
    /// ```
    /// use tabiya_rules::{CastlingSide, Color, Position, Square};
    ///
    /// let start = Position::start();
    /// assert_eq!(start.castling_right(Color::White, CastlingSide::King), Some(Square::H1));
    /// ```
    #[doc(alias = "has_castling_right")]
    #[must_use]
    pub fn castling_right(&self, color: Color, side: CastlingSide) -> Option<Square> {
        self.setup().castling_right(color, side)
    }

    /// Returns whether a move is legal here. Nothing is generated to find out, and the move may come
    /// from another position or from bits.
    ///
    /// ```
    /// use tabiya_rules::{Move, Position};
    ///
    /// let start = Position::start();
    /// let legal = (0..=u16::MAX).filter_map(Move::from_bits).filter(|&m| start.is_legal(m));
    /// assert_eq!(legal.count(), 20);
    /// ```
    #[doc(alias = "legal")]
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        let (role, _) = m.roles();
        if !self.board.pieces(self.turn, role).contains(from) {
            return false;
        }
        if m.is_castle() {
            return self.why_not_castle(to).is_none();
        }
        if self.board.by_color(self.turn).contains(to) {
            return false;
        }
        match role {
            Role::Pawn => {
                self.pawn_kind(from, to, m.promotion()) == Some(m.kind())
                    && self.pawn_reaches(from, to)
                    && self.is_safe(from, to, m.is_en_passant())
            }
            Role::King => attacks::king(from).contains(to) && self.king_may_enter(to),
            role => {
                attacks::of(role, self.turn, from, self.board.occupied()).contains(to)
                    && self.is_safe(from, to, false)
            }
        }
    }

    /// Returns the legal move that some bits describe, if this position has it.
    #[must_use]
    pub fn move_from_bits(&self, bits: u16) -> Option<Move> {
        Move::from_bits(bits).filter(|&m| self.is_legal(m))
    }

    /// Returns the kind of a pawn's move between two squares; `None` if a promotion is named where
    /// there is none, or missing where there is one.
    #[inline]
    pub(crate) fn pawn_kind(
        &self,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Option<Kind> {
        if Bitboard::back_rank(!self.turn).contains(to) {
            promotion.and_then(Kind::promotion)
        } else if promotion.is_some() {
            None
        } else if self.en_passant == Some(to) && from.file() != to.file() {
            Some(Kind::EnPassant)
        } else if (from as u8).abs_diff(to as u8) == 16 {
            Some(Kind::DoublePush)
        } else {
            Some(Kind::Pawn)
        }
    }

    /// Returns whether a pawn can move from one square to another, ignoring checks and pins.
    pub(crate) fn pawn_reaches(&self, from: Square, to: Square) -> bool {
        let occupied = self.board.occupied();
        if attacks::pawn(self.turn, from).contains(to) {
            return self.board.by_color(!self.turn).contains(to) || self.en_passant == Some(to);
        }
        let step: i8 = if self.turn.is_white() { 1 } else { -1 };
        let one = from.offset(0, step);
        if one == Some(to) {
            return !occupied.contains(to);
        }
        from.rank().relative_to(self.turn) == crate::Rank::Second
            && from.offset(0, 2 * step) == Some(to)
            && !occupied.contains(to)
            && one.is_some_and(|square| !occupied.contains(square))
    }

    /// Returns whether a piece other than the king can make this move without exposing its king.
    #[inline(always)]
    pub(crate) fn is_safe(&self, from: Square, to: Square, en_passant: bool) -> bool {
        let captured = if en_passant {
            Bitboard(1 << (to as u32 ^ 8))
        } else {
            Bitboard::of(to) & self.board.by_color(!self.turn)
        };
        self.king_is_safe_after(Bitboard::of(from), Bitboard::of(to), captured)
    }

    /// Returns whether our king can stand on a square without being attacked.
    #[inline]
    pub(crate) fn king_may_enter(&self, to: Square) -> bool {
        let without_king = self.board.occupied() - self.board.pieces(self.turn, Role::King);
        self.board
            .attackers_through(to, !self.turn, without_king)
            .is_empty()
    }

    /// Returns whether a legal move gives check.
    #[must_use]
    pub fn gives_check(&self, m: Move) -> bool {
        let Some(king) = self.board.king(!self.turn) else {
            return false;
        };
        let delta = self.delta(m);
        let mut occupied = self.board.occupied();
        for &(square, _) in delta.removed() {
            occupied -= square;
        }
        for &(square, _) in delta.added() {
            occupied |= square;
        }
        let direct = delta.added().iter().any(|&(square, piece)| {
            attacks::of(piece.role, piece.color, square, occupied).contains(king)
        });
        if direct {
            return true;
        }
        let [_, _, bishops, rooks, queens, _] = self.board.by_roles();
        let mut still = self.board.by_color(self.turn);
        for &(square, _) in delta.removed() {
            still -= square;
        }
        let uncovered = (attacks::bishop(king, occupied) & (bishops | queens))
            | (attacks::rook(king, occupied) & (rooks | queens));
        !(uncovered & still).is_empty()
    }

    /// Returns the position with the colors swapped and the board turned over. It has the same moves,
    /// seen from the other side.
    #[must_use]
    pub fn mirror(&self) -> Position {
        self.rebuilt(Setup {
            board: self.board.mirror(),
            turn: !self.turn,
            castling_rooks: Bitboard(self.castling).flip_vertical(),
            en_passant: self.en_passant.map(Square::flip_vertical),
            ..self.setup()
        })
    }

    /// Returns the position with left and right swapped; `None` if there are castling rights, which
    /// have no mirror image.
    #[must_use]
    pub fn flip_horizontal(&self) -> Option<Position> {
        (self.castling == 0).then(|| {
            self.rebuilt(Setup {
                board: self.board.flip_horizontal(),
                en_passant: self.en_passant.map(Square::flip_horizontal),
                ..self.setup()
            })
        })
    }
}
