//! Generates legal moves only, from the squares that answer a check, the lines that pinned pieces may not leave, and
//! the squares the king may not enter. No move is played to test whether it is legal.
//!
//! One generator finds all moves, piece by piece as sets of target squares, and hands them to a [`Sink`] that counts,
//! lists or forwards them. It is compiled for each side, each sink and each code path of the CPU.

mod pins_and_checks;
mod sinks;

use core::ops::ControlFlow;

use super::Position;
use crate::attacks::{BETWEEN, KING, KNIGHT};
use crate::cpu::{self, Sliders, Task};
use crate::{Bitboard, Board, Color, MoveList, Role, Square};
use pins_and_checks::{
    EVERYWHERE, NEAR, PinsAndChecks, attacked_by_opponent, down_east, down_west,
    find_pins_and_checks, up_east, up_west,
};
use sinks::{Any, Count, List, PawnTargets, Sets, Sink};

pub use sinks::MoveSet;

/// Selects the moves from one set of squares to another. Castling goes to the square of its rook, as in
/// [`Move::to`](crate::Move::to).
///
/// ```
/// use tabiya_rules::{Bitboard, MoveFilter, Position, Square};
///
/// let knight = MoveFilter { from: Bitboard::from(Square::G1), to: Bitboard::FULL };
/// assert_eq!(Position::start().legal_moves_within(knight).len(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveFilter {
    /// The squares to move from.
    pub from: Bitboard,
    /// The squares to move to.
    pub to: Bitboard,
}

impl MoveFilter {
    /// All moves.
    pub const ALL: MoveFilter = MoveFilter {
        from: Bitboard::FULL,
        to: Bitboard::FULL,
    };
}

/// Which moves the generator looks for. All moves are a type of their own, for which the masks compile to nothing.
trait Filter: Copy {
    fn from(self) -> u64;
    fn to(self) -> u64;
}

#[derive(Clone, Copy)]
struct All;

impl Filter for All {
    #[inline(always)]
    fn from(self) -> u64 {
        !0
    }

    #[inline(always)]
    fn to(self) -> u64 {
        !0
    }
}

impl Filter for MoveFilter {
    #[inline(always)]
    fn from(self) -> u64 {
        self.from.0
    }

    #[inline(always)]
    fn to(self) -> u64 {
        self.to.0
    }
}

/// Runs the generator. Returns whether the sink stopped it. One long function, so that it is compiled as one.
#[inline(always)]
fn generate<const WHITE: bool, S: Sliders, K: Sink>(
    position: &Position,
    sliders: S,
    filter: impl Filter,
    sink: &mut K,
) -> bool {
    let board = &position.board;
    let ours = board.colors[usize::from(!WHITE)];
    let theirs = board.colors[usize::from(WHITE)];
    let occupied = ours | theirs;
    let (from, to) = (filter.from(), filter.to());

    let king = board.roles[Role::King as usize] & ours;
    let pins_and_checks = if king == 0 {
        PinsAndChecks {
            check_mask: !0,
            straight_pins: 0,
            diagonal_pins: 0,
        }
    } else {
        let square = king.trailing_zeros() as usize & 63;
        let home = if WHITE { 0xff } else { 0xff << 56 };
        let mut rooks = position.castling & home & to;
        if rooks != 0 {
            rooks = rooks_with_free_path::<WHITE>(square, rooks, occupied);
        }
        // Without castling, only the squares around the king matter, and most enemy pieces attack none of them from
        // where they stand.
        let steps = KING[square] & !ours & to;
        let near = if rooks == 0 {
            &NEAR[square]
        } else {
            &EVERYWHERE
        };
        let attacked = if steps | rooks == 0 {
            0
        } else {
            attacked_by_opponent::<WHITE, S>(board, sliders, theirs, occupied ^ king, near)
        };
        let targets = steps & !attacked;
        if king & from != 0 && targets != 0 && sink.piece(Role::King, square, targets) {
            return true;
        }
        let (checkers, pins_and_checks) =
            find_pins_and_checks::<WHITE, S>(board, sliders, square, ours, theirs);
        if checkers & checkers.wrapping_sub(1) != 0 {
            return false;
        }
        if rooks != 0
            && checkers == 0
            && king & from != 0
            && generate_castling::<WHITE, K>(
                square,
                rooks & !pins_and_checks.straight_pins,
                attacked,
                sink,
            )
        {
            return true;
        }
        pins_and_checks
    };

    // Most positions have no pins; this copy is compiled without them.
    if pins_and_checks.straight_pins | pins_and_checks.diagonal_pins == 0 {
        let pins_and_checks = PinsAndChecks {
            check_mask: pins_and_checks.check_mask,
            straight_pins: 0,
            diagonal_pins: 0,
        };
        generate_pieces::<WHITE, S, K>(position, sliders, &pins_and_checks, from, to, sink)
    } else {
        generate_pieces::<WHITE, S, K>(position, sliders, &pins_and_checks, from, to, sink)
    }
}

/// Generates the moves of all pieces but the king.
#[inline(always)]
fn generate_pieces<const WHITE: bool, S: Sliders, K: Sink>(
    position: &Position,
    sliders: S,
    pins_and_checks: &PinsAndChecks,
    from: u64,
    to: u64,
    sink: &mut K,
) -> bool {
    let board = &position.board;
    let ours = board.colors[usize::from(!WHITE)];
    let theirs = board.colors[usize::from(WHITE)];
    let occupied = ours | theirs;
    let pinned = pins_and_checks.straight_pins | pins_and_checks.diagonal_pins;
    let targets = !ours & pins_and_checks.check_mask & to;
    let pawns = board.roles[Role::Pawn as usize] & ours & from;
    let pawn_targets = pawn_targets::<WHITE>(pawns, theirs, occupied, pins_and_checks, to);
    if sink.pawns::<WHITE>(pawn_targets) {
        return true;
    }
    if position.capturable_file.is_some() && en_passant(position, from, to, sink) {
        return true;
    }
    let knights = board.roles[Role::Knight as usize] & ours & !pinned & from;
    let step = |square: usize| KNIGHT[square] & targets;
    for_each_piece(knights, Role::Knight, step, sink)
        || generate_sliders(
            board,
            sliders,
            ours & from,
            occupied,
            pins_and_checks,
            targets,
            sink,
        )
}

/// Generates the moves of each piece of a set.
#[inline(always)]
fn for_each_piece<K: Sink>(
    mut pieces: u64,
    role: Role,
    targets: impl Fn(usize) -> u64,
    sink: &mut K,
) -> bool {
    while pieces != 0 {
        let square = pieces.trailing_zeros() as usize & 63;
        let targets = targets(square);
        if (K::COUNTS_ONLY || targets != 0) && sink.piece(role, square, targets) {
            return true;
        }
        pieces &= pieces - 1;
    }
    false
}

/// Returns the squares that pawns can move to, by the kind of step.
#[inline(always)]
fn pawn_targets<const WHITE: bool>(
    pawns: u64,
    theirs: u64,
    occupied: u64,
    pins_and_checks: &PinsAndChecks,
    to: u64,
) -> PawnTargets {
    let (straight, diagonal) = (pins_and_checks.straight_pins, pins_and_checks.diagonal_pins);
    let free = pawns & !(straight | diagonal);
    let capturing = pawns & diagonal;
    let captured = theirs & pins_and_checks.check_mask & to;
    let west = if WHITE { up_west } else { down_west };
    let east = if WHITE { up_east } else { down_east };
    let stepping = pawns & straight;
    let ahead = |set: u64| if WHITE { set << 8 } else { set >> 8 };
    let single = (ahead(free) | (ahead(stepping) & straight)) & !occupied;
    let third_rank = if WHITE { 0xff << 16 } else { 0xff << 40 };
    let double = ahead(single & third_rank) & !occupied;
    PawnTargets {
        west: (west(free) | (west(capturing) & diagonal)) & captured,
        east: (east(free) | (east(capturing) & diagonal)) & captured,
        single: single & pins_and_checks.check_mask & to,
        double: double & pins_and_checks.check_mask & to,
    }
}

/// Generates the moves of bishops, rooks and queens; pinned ones come last, along their pins.
#[inline(always)]
fn generate_sliders<S: Sliders, K: Sink>(
    board: &Board,
    sliders: S,
    movable: u64,
    occupied: u64,
    pins_and_checks: &PinsAndChecks,
    targets: u64,
    sink: &mut K,
) -> bool {
    let (straight, diagonal) = (pins_and_checks.straight_pins, pins_and_checks.diagonal_pins);
    let [bishops, rooks, queens] =
        [Role::Bishop, Role::Rook, Role::Queen].map(|role| board.roles[role as usize] & movable);
    let merged = if K::COUNTS_ONLY { queens } else { 0 };
    let as_bishop = |square: usize| sliders.bishop_bits(square, occupied) & targets;
    let as_rook = |square: usize| sliders.rook_bits(square, occupied) & targets;
    let as_queen = |square: usize| as_bishop(square) | as_rook(square);
    let free = !(straight | diagonal);
    if for_each_piece((bishops | merged) & free, Role::Bishop, as_bishop, sink)
        || for_each_piece((rooks | merged) & free, Role::Rook, as_rook, sink)
        || !K::COUNTS_ONLY && for_each_piece(queens & free, Role::Queen, as_queen, sink)
    {
        return true;
    }
    let along_diagonal = |square: usize| as_bishop(square) & diagonal;
    let along_straight = |square: usize| as_rook(square) & straight;
    let (in_diagonal, in_straight) = (diagonal & !straight, straight & !diagonal);
    for_each_piece(bishops & in_diagonal, Role::Bishop, along_diagonal, sink)
        || for_each_piece(queens & in_diagonal, Role::Queen, along_diagonal, sink)
        || for_each_piece(rooks & in_straight, Role::Rook, along_straight, sink)
        || for_each_piece(queens & in_straight, Role::Queen, along_straight, sink)
}

/// En passant captures are rare and can expose the king along the rank, so each one is checked.
#[cold]
#[inline(never)]
fn en_passant<K: Sink>(position: &Position, from: u64, to: u64, sink: &mut K) -> bool {
    let Some(square) = position.en_passant else {
        return false;
    };
    if !Bitboard(to).contains(square) {
        return false;
    }
    for pawn in position.en_passant_captors(square) & Bitboard(from) {
        if sink.en_passant(pawn, square) {
            return true;
        }
    }
    false
}

/// Returns the rooks that can castle if no square is attacked: nothing stands between rook and king or on either's path.
#[inline(always)]
fn rooks_with_free_path<const WHITE: bool>(king: usize, mut rooks: u64, occupied: u64) -> u64 {
    let mut free = 0;
    while rooks != 0 {
        let rook = rooks.trailing_zeros() as usize & 63;
        let (king_to, rook_to) = castling_targets::<WHITE>(king, rook);
        rooks &= rooks - 1;
        // Most rooks are blocked here already.
        if BETWEEN[king][rook] & occupied != 0 {
            continue;
        }
        let path = BETWEEN[king][king_to] | BETWEEN[rook][rook_to] | 1 << king_to | 1 << rook_to;
        let others = occupied & !(1 << king | 1 << rook);
        if path & others == 0 {
            free |= 1 << rook;
        }
    }
    free
}

/// Generates castling with rooks whose path is free. Rooks pinned along the rank are not among them: castling would move
/// them off the line they block.
#[inline(always)]
fn generate_castling<const WHITE: bool, K: Sink>(
    king: usize,
    mut rooks: u64,
    attacked: u64,
    sink: &mut K,
) -> bool {
    while rooks != 0 {
        let rook = rooks.trailing_zeros() as usize & 63;
        let (king_to, _) = castling_targets::<WHITE>(king, rook);
        let king_path = BETWEEN[king][king_to] | 1 << king_to;
        if king_path & attacked == 0 && sink.castle(king, Square::from_low_bits(rook as u32)) {
            return true;
        }
        rooks &= rooks - 1;
    }
    false
}

/// Returns where castling takes the king and the rook.
#[inline(always)]
fn castling_targets<const WHITE: bool>(king: usize, rook: usize) -> (usize, usize) {
    let home = if WHITE { 0 } else { 56 };
    if king < rook {
        (home + 6, home + 5)
    } else {
        (home + 2, home + 3)
    }
}

/// Generating for a sink, as a task for the CPU's best code path.
struct Generate<'a, F, K> {
    position: &'a Position,
    filter: F,
    sink: K,
}

impl<F: Filter, K: Sink> Task for Generate<'_, F, K> {
    type Output = (bool, K);

    #[inline(always)]
    fn run<S: Sliders>(mut self, sliders: S) -> (bool, K) {
        let stopped = match self.position.turn {
            Color::White => {
                generate::<true, S, K>(self.position, sliders, self.filter, &mut self.sink)
            }
            Color::Black => {
                generate::<false, S, K>(self.position, sliders, self.filter, &mut self.sink)
            }
        };
        (stopped, self.sink)
    }
}

impl Position {
    #[inline(always)]
    fn generate<K: Sink>(&self, filter: impl Filter, sink: K) -> (bool, K) {
        cpu::run(Generate {
            position: self,
            filter,
            sink,
        })
    }

    /// Returns every legal move.
    ///
    /// ```
    /// assert_eq!(tabiya_rules::Position::start().legal_moves().len(), 20);
    /// ```
    // If this were inlined, the list would be made in one place and copied to another.
    #[doc(alias = "legal")]
    #[doc(alias = "movegen")]
    #[doc(alias = "generate")]
    #[inline(never)]
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.legal_moves_into(&mut list);
        list
    }

    /// Replaces the contents of a list with every legal move. This saves creating a new list.
    pub fn legal_moves_into(&self, list: &mut MoveList) {
        list.clear();
        self.generate(All, List(list));
    }

    /// Returns the legal moves that match a filter.
    #[must_use]
    pub fn legal_moves_within(&self, filter: MoveFilter) -> MoveList {
        let mut list = MoveList::new();
        self.generate(filter, List(&mut list));
        list
    }

    /// Returns the legal moves that capture, en passant included.
    #[doc(alias = "noisy")]
    #[must_use]
    pub fn captures(&self) -> MoveList {
        let mut list = MoveList::new();
        self.captures_into(&mut list);
        list
    }

    /// Replaces the contents of a list with the legal moves that capture, en passant included. This saves creating a
    /// new list.
    pub fn captures_into(&self, list: &mut MoveList) {
        list.clear();
        let (from, mut to) = (Bitboard::FULL, self.board.by_color(!self.turn));
        let en_passant = self.legal_en_passant();
        if let Some(square) = en_passant {
            to |= square;
        }
        self.generate(MoveFilter { from, to }, List(list));
        // A move to the en passant square that is not an en passant capture captures nothing.
        if let Some(square) = en_passant {
            list.retain(|m| m.to() != square || m.is_en_passant());
        }
    }

    /// Returns the legal moves that capture nothing, including castling and promotions without a capture.
    #[must_use]
    pub fn quiets(&self) -> MoveList {
        let mut list = MoveList::new();
        self.quiets_into(&mut list);
        list
    }

    /// Replaces the contents of a list with the legal moves that capture nothing, including castling and promotions
    /// without a capture. This saves creating a new list.
    pub fn quiets_into(&self, list: &mut MoveList) {
        list.clear();
        let (from, to) = (Bitboard::FULL, !self.board.by_color(!self.turn));
        self.generate(MoveFilter { from, to }, List(list));
        if self.legal_en_passant().is_some() {
            list.retain(|m| !m.is_en_passant());
        }
    }

    /// Returns the legal moves that answer a check; none if the side to move is not in check.
    #[must_use]
    pub fn evasions(&self) -> MoveList {
        if self.is_check() {
            self.legal_moves()
        } else {
            MoveList::new()
        }
    }

    /// Visits the legal moves piece by piece, as sets of target squares, until `visit` breaks.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use tabiya_rules::{Position, MoveFilter};
    ///
    /// let mut moves = 0;
    /// let done = Position::start().visit_moves(MoveFilter::ALL, |set| {
    ///     moves += set.len();
    ///     ControlFlow::Continue(())
    /// });
    /// assert!(done.is_continue());
    /// assert_eq!(moves, 20);
    /// ```
    pub fn visit_moves(
        &self,
        filter: MoveFilter,
        visit: impl FnMut(MoveSet) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (stopped, _) = self.generate(filter, Sets(visit));
        if stopped {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Returns the number of legal moves, without listing them.
    #[must_use]
    pub fn count_legal_moves(&self) -> usize {
        self.generate(All, Count(0)).1.0 as usize
    }

    /// Returns whether there is a legal move. Stops at the first one.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        self.generate(All, Any).0
    }
}
