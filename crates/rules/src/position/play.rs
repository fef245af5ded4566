//! Playing a move: a new position is made, the old one stays as it is.

use core::error::Error;
use core::fmt;

use super::Position;
use crate::{Bitboard, Board, CastlingSide, Color, Move, Role, Square, attacks, zobrist};

impl Position {
    /// The position after a legal move.
    ///
    /// The move must be one of this position's legal moves; [`Position::try_play`] checks that.
    /// After any other move the result is a position of some kind, but no longer a valid one.
    ///
    /// ```
    /// use tabiya_rules::Position;
    ///
    /// let start = Position::start();
    /// let after = start.play(start.legal_moves()[0]);
    /// assert_ne!(start, after);
    /// ```
    #[inline]
    #[must_use]
    pub fn play(&self, m: Move) -> Position {
        // Nearly all moves only take a piece from one square to another. Without the other cases
        // in its body this function calls nothing and keeps everything in registers.
        let role = m.plain_role_index();
        if role > Role::King as usize {
            return self.play_special(m);
        }
        match self.turn {
            Color::White => self.play_plain::<true>(role, m.from(), m.to()),
            Color::Black => self.play_plain::<false>(role, m.from(), m.to()),
        }
    }

    #[inline(always)]
    fn play_plain<const WHITE: bool>(&self, role: usize, from: Square, to: Square) -> Position {
        let (us, them) = match WHITE {
            true => (Color::White, Color::Black),
            false => (Color::Black, Color::White),
        };
        let place = 1u64 << to as u32;
        let clear = 1u64 << from as u32 | place;
        let castling = self.castling & !self.lost_rights::<WHITE>(role, clear);
        let mut key = self.key
            ^ zobrist::black_to_move()
            ^ zobrist::piece_number(us, role, from)
            ^ zobrist::piece_number(us, role, to)
            ^ zobrist::castling(self.castling ^ castling)
            ^ zobrist::en_passant(self.legal_en_passant());
        let mut halfmove_clock = self.halfmove_clock.wrapping_add(1);
        if role == Role::Pawn as usize {
            halfmove_clock = 0;
        }
        let captured = place & self.board.colors[them as usize];
        if captured != 0 {
            key ^= zobrist::piece(them, self.board.role_at_bit(captured), to);
            halfmove_clock = 0;
        }
        let mut colors = self.board.colors;
        colors[us as usize] ^= clear;
        colors[them as usize] &= !place;
        Position {
            board: Board {
                roles: with_roles(&self.board.roles, clear, place, role),
                colors,
            },
            castling,
            key,
            halfmove_clock,
            fullmove_number: self.fullmove_number.wrapping_add(us as u32),
            turn: them,
            en_passant: None,
            en_passant_is_legal: false,
            mode: self.mode,
        }
    }

    /// The rooks that may castle no more: one that moves or is captured, or all of a king's.
    #[inline(always)]
    fn lost_rights<const WHITE: bool>(&self, role: usize, clear: u64) -> u64 {
        let home = if WHITE { Bitboard::FIRST_RANK } else { Bitboard::EIGHTH_RANK };
        let all = if role == Role::King as usize { home.0 } else { 0 };
        clear | all
    }

    /// The same for castles, en passant captures, two-square moves and promotions.
    #[inline(never)]
    fn play_special(&self, m: Move) -> Position {
        let (us, them) = (self.turn, !self.turn);
        let (from, to) = (m.from(), m.to());
        if m.is_castle() {
            return self.play_castle(from, to);
        }
        let (_, placed) = m.roles();
        let place = 1u64 << to as u32;
        let mut clear = 1u64 << from as u32 | place;
        let mut key = self.key
            ^ zobrist::black_to_move()
            ^ zobrist::piece(us, Role::Pawn, from)
            ^ zobrist::piece(us, placed, to)
            ^ zobrist::en_passant(self.legal_en_passant());

        let captured = place & self.board.colors[them as usize];
        if captured != 0 {
            key ^= zobrist::piece(them, self.board.role_at_bit(captured), to);
        } else if m.is_en_passant() {
            let pawn = Square::from_low_bits(to as u32 ^ 8);
            clear |= 1 << pawn as u32;
            key ^= zobrist::piece(them, Role::Pawn, pawn);
        }
        let lost = self.castling & place;
        let mut colors = [self.board.colors[0] & !clear, self.board.colors[1] & !clear];
        colors[us as usize] |= place;
        let board = Board {
            roles: with_roles(&self.board.roles, clear, place, placed as usize),
            colors,
        };
        let (mut en_passant, mut en_passant_is_legal) = (None, false);
        if m.is_double_step() {
            let passed = Square::from_low_bits(to as u32 ^ 8);
            en_passant = Some(passed);
            if board.colors[them as usize] & board.roles[Role::Pawn as usize] & beside(to) != 0
                && !en_passant_captors(&board, them, passed).is_empty()
            {
                en_passant_is_legal = true;
                key ^= zobrist::en_passant(en_passant);
            }
        }
        Position {
            board,
            castling: self.castling & !lost,
            key: key ^ zobrist::castling(lost),
            halfmove_clock: 0,
            fullmove_number: self.fullmove_number.wrapping_add(us as u32),
            turn: them,
            en_passant,
            en_passant_is_legal,
            mode: self.mode,
        }
    }

    /// The position after a move, if the move is legal.
    ///
    /// # Errors
    /// The error holds the move that this position does not have.
    pub fn try_play(&self, m: Move) -> Result<Position, PlayError> {
        if self.is_legal(m) {
            Ok(self.play(m))
        } else {
            Err(PlayError(m))
        }
    }

    /// The position after the side to move passes, which no rule allows but analysis and PGN
    /// have; `None` in check.
    #[must_use]
    pub fn pass(&self) -> Option<Position> {
        if self.is_check() {
            return None;
        }
        let mut next = *self;
        next.key ^= zobrist::black_to_move() ^ zobrist::en_passant(self.legal_en_passant());
        next.en_passant = None;
        next.en_passant_is_legal = false;
        next.halfmove_clock = self.halfmove_clock.wrapping_add(1);
        next.fullmove_number = self.fullmove_number.wrapping_add(self.turn as u32);
        next.turn = !self.turn;
        Some(next)
    }

    #[cold]
    #[inline(never)]
    fn play_castle(&self, king: Square, rook: Square) -> Position {
        let us = self.turn;
        let side = CastlingSide::of(king, rook);
        let (king_to, rook_to) = (side.king_target(us), side.rook_target(us));
        let lost = self.castling & Bitboard::back_rank(us).0;
        let mut next = *self;
        for (role, from, to) in [(Role::King, king, king_to), (Role::Rook, rook, rook_to)] {
            next.board.roles[role as usize] ^= 1 << from as u32 ^ 1 << to as u32;
            next.key ^= zobrist::piece(us, role, from) ^ zobrist::piece(us, role, to);
        }
        let gone = 1u64 << king as u32 | 1 << rook as u32;
        let placed = 1 << king_to as u32 | 1 << rook_to as u32;
        next.board.colors[us as usize] = next.board.colors[us as usize] & !gone | placed;
        next.key ^= zobrist::black_to_move()
            ^ zobrist::castling(lost)
            ^ zobrist::en_passant(self.legal_en_passant());
        next.castling &= !lost;
        next.halfmove_clock = self.halfmove_clock.wrapping_add(1);
        next.fullmove_number = self.fullmove_number.wrapping_add(us as u32);
        next.turn = !us;
        next.en_passant = None;
        next.en_passant_is_legal = false;
        next
    }

    /// Our pawns that can legally capture on the en passant square.
    pub(crate) fn en_passant_captors(&self, to: Square) -> Bitboard {
        en_passant_captors(&self.board, self.turn, to)
    }

    /// Whether our king, which itself stays, is attacked by nothing once `left` is empty,
    /// `entered` is not, and what stood on `captured` is gone.
    #[inline(always)]
    pub(crate) fn king_is_safe_after(
        &self,
        left: Bitboard,
        entered: Bitboard,
        captured: Bitboard,
    ) -> bool {
        king_is_safe_after(&self.board, self.turn, left, entered, captured)
    }
}

/// The pawns of a color that can legally capture on the en passant square.
#[inline(never)]
fn en_passant_captors(board: &Board, us: Color, to: Square) -> Bitboard {
    let pawns = board.pieces(us, Role::Pawn) & attacks::pawn(!us, to);
    let captured = Bitboard(1 << (to as u32 ^ 8));
    let mut captors = Bitboard::EMPTY;
    for from in pawns {
        if king_is_safe_after(board, us, Bitboard::of(from), Bitboard::of(to), captured) {
            captors |= from;
        }
    }
    captors
}

#[inline(always)]
fn king_is_safe_after(
    board: &Board,
    us: Color,
    left: Bitboard,
    entered: Bitboard,
    captured: Bitboard,
) -> bool {
    let Some(king) = board.king(us) else {
        return true;
    };
    let occupied = (board.occupied() - left - captured) | entered;
    let [pawns, knights, bishops, rooks, queens, _] = board.roles.map(Bitboard);
    let attackers = (attacks::pawn(us, king) & pawns)
        | (attacks::knight(king) & knights)
        | (attacks::bishop(king, occupied) & (bishops | queens))
        | (attacks::rook(king, occupied) & (rooks | queens));
    ((attackers & board.by_color(!us)) - captured).is_empty()
}

/// The sets of all roles with some squares cleared and a piece placed. A row of masks picks the
/// role, so that this is the same few vector instructions for every piece.
#[inline(always)]
fn with_roles(roles: &[u64; 6], clear: u64, place: u64, placed: usize) -> [u64; 6] {
    let masks = &ROLE_MASKS[placed % 6];
    let mut changed = [0; 6];
    for ((changed, set), mask) in changed.iter_mut().zip(roles).zip(masks) {
        *changed = set & !clear | place & mask;
    }
    changed
}

/// All bits for the role itself, none for the others.
static ROLE_MASKS: [[u64; 6]; 6] = {
    let mut masks = [[0; 6]; 6];
    let mut role = 0;
    while role < 6 {
        masks[role][role] = !0;
        role += 1;
    }
    masks
};

/// The squares on which a pawn can capture another that just stopped on `pawn`.
#[inline(always)]
fn beside(pawn: Square) -> u64 {
    let bit = 1u64 << pawn as u32;
    (bit << 1 | bit >> 1) & Bitboard::rank(pawn.rank()).0
}

/// A move that the position does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayError(pub Move);

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (self.0.from(), self.0.to());
        write!(f, "the move from {from} to {to} is not legal in this position")
    }
}

impl Error for PlayError {}

/// Color as the number that is added to the move counter after its move.
const _: () = assert!(Color::White as u32 == 0 && Color::Black as u32 == 1);
