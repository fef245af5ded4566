//! What the opponent's pieces forbid: the squares the king may not enter, the squares that answer a check, and the
//! lines that pinned pieces may not leave.

use crate::Board;
use crate::attacks::{BETWEEN, BISHOP_RAYS, KING, KNIGHT, PAWN, ROOK_RAYS};
use crate::bitboard::{NOT_A_FILE, NOT_H_FILE};
use crate::cpu::Sliders;

/// What checks and pins allow.
pub(super) struct PinsAndChecks {
    /// Where pieces other than the king may go: anywhere, or in check only where they end it.
    pub(super) check_mask: u64,
    /// The ranks and files, and the diagonals, that pinned pieces may not leave.
    pub(super) straight_pins: u64,
    pub(super) diagonal_pins: u64,
}

/// The squares from which pieces could attack the king's neighborhood on an empty board.
pub(super) struct Near {
    straight: u64,
    diagonal: u64,
    knights: u64,
}

pub(super) static EVERYWHERE: Near = Near {
    straight: !0,
    diagonal: !0,
    knights: !0,
};
pub(super) static NEAR: [Near; 64] = near_table();

const fn near_table() -> [Near; 64] {
    const NONE: Near = Near {
        straight: 0,
        diagonal: 0,
        knights: 0,
    };
    let mut table = [NONE; 64];
    let mut king = 0;
    while king < 64 {
        let mut square = 0;
        while square < 64 {
            if KING[king] >> square & 1 == 1 {
                table[king].straight |= ROOK_RAYS[square];
                table[king].diagonal |= BISHOP_RAYS[square];
                table[king].knights |= KNIGHT[square];
            }
            square += 1;
        }
        king += 1;
    }
    table
}

/// Returns the squares the opponent attacks, as far as `near` asks for them. `occupied` is without our king, which
/// cannot hide behind itself.
#[inline(always)]
pub(super) fn attacked_by_opponent<const WHITE: bool, S: Sliders>(
    board: &Board,
    sliders: S,
    theirs: u64,
    occupied: u64,
    near: &Near,
) -> u64 {
    let [pawns, knights, bishops, rooks, queens, kings] = board.roles;
    let pawns = pawns & theirs;
    let mut attacked = if WHITE {
        down_west(pawns) | down_east(pawns)
    } else {
        up_west(pawns) | up_east(pawns)
    };
    let mut set = knights & theirs & near.knights;
    while set != 0 {
        attacked |= KNIGHT[set.trailing_zeros() as usize & 63];
        set &= set - 1;
    }
    set = (bishops | queens) & theirs & near.diagonal;
    while set != 0 {
        attacked |= sliders.bishop_bits(set.trailing_zeros() as usize, occupied);
        set &= set - 1;
    }
    set = (rooks | queens) & theirs & near.straight;
    while set != 0 {
        attacked |= sliders.rook_bits(set.trailing_zeros() as usize, occupied);
        set &= set - 1;
    }
    let king = kings & theirs;
    if king != 0 {
        attacked |= KING[king.trailing_zeros() as usize & 63];
    }
    attacked
}

/// Finds the checkers, and what they and the pins allow the other pieces.
#[inline(always)]
pub(super) fn find_pins_and_checks<const WHITE: bool, S: Sliders>(
    board: &Board,
    sliders: S,
    king: usize,
    ours: u64,
    theirs: u64,
) -> (u64, PinsAndChecks) {
    let occupied = ours | theirs;
    let [pawns, knights, bishops, rooks, queens, _] = board.roles;
    let straight = (rooks | queens) & theirs;
    let diagonal = (bishops | queens) & theirs;
    let us = usize::from(!WHITE);
    let mut checkers = (KNIGHT[king] & knights & theirs) | (PAWN[us][king] & pawns & theirs);

    // A slider that would attack the king if our nearest piece were gone pins that piece.
    let (mut straight_pins, mut diagonal_pins) = (0, 0);
    if ROOK_RAYS[king] & straight != 0 {
        let seen = sliders.rook_bits(king, occupied);
        let behind = sliders.rook_bits(king, occupied & !(seen & ours));
        checkers |= seen & straight;
        straight_pins = lines_to(king, behind & straight & !seen);
    }
    if BISHOP_RAYS[king] & diagonal != 0 {
        let seen = sliders.bishop_bits(king, occupied);
        let behind = sliders.bishop_bits(king, occupied & !(seen & ours));
        checkers |= seen & diagonal;
        diagonal_pins = lines_to(king, behind & diagonal & !seen);
    }

    let check_mask = if checkers == 0 {
        !0
    } else {
        checkers | BETWEEN[king][checkers.trailing_zeros() as usize & 63]
    };
    let pins_and_checks = PinsAndChecks {
        check_mask,
        straight_pins,
        diagonal_pins,
    };
    (checkers, pins_and_checks)
}

/// Returns the lines from the king to each pinning piece, that piece included.
#[inline(always)]
fn lines_to(king: usize, mut pinners: u64) -> u64 {
    let mut lines = pinners;
    while pinners != 0 {
        lines |= BETWEEN[king][pinners.trailing_zeros() as usize & 63];
        pinners &= pinners - 1;
    }
    lines
}

#[inline(always)]
pub(super) fn up_west(set: u64) -> u64 {
    set << 7 & NOT_H_FILE
}

#[inline(always)]
pub(super) fn up_east(set: u64) -> u64 {
    set << 9 & NOT_A_FILE
}

#[inline(always)]
pub(super) fn down_west(set: u64) -> u64 {
    set >> 9 & NOT_H_FILE
}

#[inline(always)]
pub(super) fn down_east(set: u64) -> u64 {
    set >> 7 & NOT_A_FILE
}
