//! Playing a move, which returns a new position and leaves the old one unchanged.

use core::error::Error;
use core::fmt;

use super::Position;
use crate::bitboard::{NOT_A_FILE, NOT_H_FILE};
use crate::{Bitboard, Board, CastlingSide, Color, Move, Role, Square, attacks, zobrist};

impl Position {
    /// Returns the position after a move, if the move is legal here.
    ///
    /// # Errors
    /// Fails if the move is not legal here, for instance because it belongs to another position or was made from bits.
    /// The error holds the move.
    ///
    /// ```
    /// use tabiya_rules::Position;
    ///
    /// let start = Position::start();
    /// let e4 = start.parse_san("e4")?;
    /// let after = start.play(e4)?;
    /// assert_ne!(start, after);
    /// assert!(after.play(e4).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "push")]
    #[doc(alias = "make_move")]
    pub fn play(&self, m: Move) -> Result<Position, PlayError> {
        if self.is_legal(m) {
            Ok(self.play_unchecked(m))
        } else {
            Err(PlayError(m))
        }
    }

    /// Returns the position after a move that is known to be legal here, such as one from [`Position::legal_moves`] or
    /// [`Position::parse_san`]. Debug builds check that it is.
    ///
    /// Any other move is not unsafe, but the result is not a valid position.
    ///
    /// ```
    /// use tabiya_rules::Position;
    ///
    /// let start = Position::start();
    /// let moves = start.legal_moves().into_iter();
    /// let replies = moves.map(|m| start.play_unchecked(m).count_legal_moves());
    /// assert_eq!(replies.sum::<usize>(), 400);
    /// ```
    ///
    /// # Panics
    /// Panics if the move is not legal, in builds with debug assertions.
    #[inline]
    #[must_use]
    pub fn play_unchecked(&self, m: Move) -> Position {
        debug_assert!(self.is_legal(m), "{m:?} is not legal in {self}");
        // Nearly all moves only take a piece to an empty square. Captures and the rest are tail calls, so that this
        // function does not have to save registers for them.
        if !m.is_plain() {
            self.play_special(m)
        } else if self.board.by_color(!self.turn).contains(m.to()) {
            self.play_capture(m)
        } else {
            self.play_plain::<false>(m, 0)
        }
    }

    #[inline(never)]
    fn play_capture(&self, m: Move) -> Position {
        let to = m.to() as u32;
        let captured = self.board.role_number(to) as usize + 8 * !self.turn as usize;
        self.play_plain::<true>(m, zobrist::coded_piece(captured, to))
    }

    /// Plays a plain move, given the captured piece's part of the key. What depends on the piece comes from a row of a
    /// table, so there are no branches.
    #[inline(always)]
    fn play_plain<const CAPTURES: bool>(&self, m: Move, captured: u64) -> Position {
        let us = self.turn;
        let effect = &EFFECTS[m.piece_square_index(us) / 64];
        let place = 1u64 << m.to() as u32;
        let clear = 1u64 << m.from() as u32 | place;
        let clock = if CAPTURES {
            0
        } else {
            self.halfmove_clock.wrapping_add(1) & effect.clock
        };
        Position {
            board: self.board.changed(clear, place, &effect.sets),
            castling: self.castling & !(clear | effect.rights),
            placement_key: self.placement_key
                ^ zobrist::plain_move(us, m)
                ^ zobrist::turn(Color::Black)
                ^ captured,
            halfmove_clock: clock,
            fullmove_number: self.fullmove_number.wrapping_add(us as u32),
            turn: !us,
            en_passant: None,
            capturable_file: None,
            mode: self.mode,
        }
    }

    /// Plays castling, en passant captures, two-square moves and promotions.
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
        let mut placement_key = self.placement_key
            ^ zobrist::turn(Color::Black)
            ^ zobrist::piece(us, Role::Pawn, from)
            ^ zobrist::piece(us, placed, to);
        let captured = place & self.board.colors[them as usize];
        if captured != 0 {
            placement_key ^= zobrist::piece(them, self.board.role_at_bit(captured), to);
        } else if m.is_en_passant() {
            let pawn = Square::from_low_bits(to as u32 ^ 8);
            clear |= 1 << pawn as u32;
            placement_key ^= zobrist::piece(them, Role::Pawn, pawn);
        }
        let (mut en_passant, mut capturable_file) = (None, None);
        if m.is_double_push() {
            let passed = Square::from_low_bits(to as u32 ^ 8);
            let beside = beside(place) & self.board.colors[them as usize];
            en_passant = Some(passed);
            if beside & self.board.roles[Role::Pawn as usize] != 0
                && !en_passant_captors(&self.board, them, passed, from).is_empty()
            {
                capturable_file = Some(passed.file());
            }
        }
        Position {
            board: self.board.changed(
                clear,
                place,
                &EFFECTS[us as usize * 8 + placed as usize + 1].sets,
            ),
            castling: self.castling & !place,
            placement_key,
            halfmove_clock: 0,
            fullmove_number: self.fullmove_number.wrapping_add(us as u32),
            turn: them,
            en_passant,
            capturable_file,
            mode: self.mode,
        }
    }

    /// Returns the position after a null move, in which the side to move passes. The rules do not allow it, but
    /// analysis and PGN use it. `None` in check.
    #[doc(alias = "null_move")]
    #[must_use]
    pub fn pass(&self) -> Option<Position> {
        if self.is_check() {
            return None;
        }
        let mut next = *self;
        next.placement_key ^= zobrist::turn(Color::Black);
        next.en_passant = None;
        next.capturable_file = None;
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
            next.placement_key ^= zobrist::piece(us, role, from) ^ zobrist::piece(us, role, to);
        }
        let gone = 1u64 << king as u32 | 1 << rook as u32;
        let placed = 1 << king_to as u32 | 1 << rook_to as u32;
        next.board.colors[us as usize] = next.board.colors[us as usize] & !gone | placed;
        next.placement_key ^= zobrist::turn(Color::Black);
        next.castling &= !lost;
        next.halfmove_clock = self.halfmove_clock.wrapping_add(1);
        next.fullmove_number = self.fullmove_number.wrapping_add(us as u32);
        next.turn = !us;
        next.en_passant = None;
        next.capturable_file = None;
        next
    }

    /// Returns our pawns that can legally capture on the en passant square.
    pub(crate) fn en_passant_captors(&self, to: Square) -> Bitboard {
        en_passant_captors(
            &self.board,
            self.turn,
            to,
            Square::from_low_bits(to as u32 ^ 8),
        )
    }

    /// Returns whether our king, which does not move, is safe once `left` is empty, `entered` is occupied, and the
    /// piece on `captured` is gone.
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

/// Returns the pawns of a color that can legally capture on the en passant square. The pawn to be captured may stand
/// where it is now or where it came from; the capture leads to the same board.
#[cold]
#[inline(never)]
fn en_passant_captors(board: &Board, us: Color, to: Square, captured: Square) -> Bitboard {
    let pawns = board.pieces(us, Role::Pawn) & attacks::pawn(!us, to);
    let captured = Bitboard::of(captured);
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
    let them = board.by_color(!us) - captured;
    let [pawns, knights, bishops, rooks, queens, _] = board.by_roles();
    let leapers = (attacks::pawn(us, king) & pawns) | (attacks::knight(king) & knights);
    if !(leapers & them).is_empty() {
        return false;
    }
    // Most kings have no slider on their lines.
    let occupied = (board.occupied() - left - captured) | entered;
    let diagonal = (bishops | queens) & them & Bitboard(attacks::BISHOP_RAYS[king as usize]);
    let straight = (rooks | queens) & them & Bitboard(attacks::ROOK_RAYS[king as usize]);
    (diagonal.is_empty() || (attacks::bishop(king, occupied) & diagonal).is_empty())
        && (straight.is_empty() || (attacks::rook(king, occupied) & straight).is_empty())
}

/// What a plain move of a piece does, whatever its squares. Its size makes the byte offset of a row twice the index of
/// the piece's row in the Zobrist table.
#[repr(align(128))]
struct Effect {
    /// All bits set in the bitboards the piece belongs to, none in the others.
    sets: Board,
    /// The rooks that lose the right to castle: for a king, all of its own.
    rights: u64,
    /// All bits set if the half-move clock keeps counting; zero for a pawn move.
    clock: u32,
}

/// The effects by color and role, in the order of [`Move::piece_square_index`].
static EFFECTS: [Effect; 16] = effects();

const fn effects() -> [Effect; 16] {
    const NONE: Effect = Effect {
        sets: Board::EMPTY,
        rights: 0,
        clock: !0,
    };
    let mut effects = [NONE; 16];
    let mut i = 0;
    while i < 12 {
        let (color, role) = (Color::ALL[i / 6], Role::ALL[i % 6]);
        let effect = &mut effects[color as usize * 8 + role as usize + 1];
        effect.sets.roles[role as usize] = !0;
        effect.sets.colors[color as usize] = !0;
        match role {
            Role::Pawn => effect.clock = 0,
            Role::King => effect.rights = Bitboard::back_rank(color).0,
            _ => {}
        }
        i += 1;
    }
    effects
}

/// Returns the squares from which a pawn can capture another that just stopped on `pawn`.
#[inline(always)]
fn beside(pawn: u64) -> u64 {
    pawn << 1 & NOT_A_FILE | pawn >> 1 & NOT_H_FILE
}

/// The error returned when a position does not have a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayError(pub Move);

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (self.0.from(), self.0.to());
        write!(
            f,
            "the move from {from} to {to} is not legal in this position"
        )
    }
}

impl Error for PlayError {}

/// The move number grows by the number of the color that moved.
const _: () = assert!(Color::White as u32 == 0 && Color::Black as u32 == 1);
