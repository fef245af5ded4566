//! Pawns for themselves. They change seldom, so what was found out about a placement is kept.

use tabiya_rules::{Bitboard, Board, ByColor, Color, Role, Square, attacks};

use super::tapered_score::TaperedScore;
use super::weights::PawnWeights;

/// How many placements are remembered.
const PLACES: usize = 1 << 13;

const NOT_A_FILE: u64 = !0x0101_0101_0101_0101;
const NOT_H_FILE: u64 = !0x8080_8080_8080_8080;

/// What follows from the pawns alone.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Structure {
    key: u64,
    /// White's score minus Black's.
    pub(super) score: TaperedScore,
    pub(super) passed: Bitboard,
    /// Squares the pawns of a side attack, or can by stepping on.
    pub(super) reach: ByColor<Bitboard>,
}

/// Structures by the key of their pawns.
#[derive(Clone, Debug)]
pub(super) struct Structures(Box<[Structure]>);

impl Structures {
    pub(super) fn new() -> Structures {
        Structures(vec![Structure::default(); PLACES].into())
    }

    /// What follows from the pawns of this board, whose key is given. No pawns have the key 0, and nothing follows.
    pub(super) fn of(&mut self, board: &Board, key: u64, weights: &PawnWeights) -> Structure {
        let known = &mut self.0[key as usize % PLACES];
        if known.key != key {
            *known = look(board, key, weights);
        }
        *known
    }
}

/// The squares that the pawns of a side attack.
#[inline]
pub(super) fn attacked(pawns: Bitboard, color: Color) -> Bitboard {
    let ahead = ahead(pawns, color).0;
    Bitboard((ahead & NOT_A_FILE) >> 1 | (ahead & NOT_H_FILE) << 1)
}

/// One step on, as the color sees it.
#[inline]
pub(super) fn ahead(set: Bitboard, color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard(set.0 << 8),
        Color::Black => Bitboard(set.0 >> 8),
    }
}

/// Every square ahead of the set's, without those.
#[inline]
pub(super) fn all_ahead(set: Bitboard, color: Color) -> Bitboard {
    let mut fill = ahead(set, color).0;
    match color {
        Color::White => {
            fill |= fill << 8;
            fill |= fill << 16;
            fill |= fill << 32;
        }
        Color::Black => {
            fill |= fill >> 8;
            fill |= fill >> 16;
            fill |= fill >> 32;
        }
    }
    Bitboard(fill)
}

/// The files beside those of the set, and nothing of the set's own.
#[inline]
pub(super) fn beside(set: Bitboard) -> Bitboard {
    Bitboard((set.0 & NOT_A_FILE) >> 1 | (set.0 & NOT_H_FILE) << 1)
}

fn look(board: &Board, key: u64, weights: &PawnWeights) -> Structure {
    let pawns = ByColor::from_fn(|color| board.pieces(color, Role::Pawn));
    let reach = ByColor::from_fn(|color| {
        let own = pawns[color];
        attacked(own | all_ahead(own, color), color)
    });
    let mut structure = Structure {
        key,
        reach,
        ..Structure::default()
    };
    for color in Color::ALL {
        let (own, enemy) = (pawns[color], pawns[!color]);
        let mut score = TaperedScore::ZERO;
        for square in own {
            let pawn = Bitboard::of(square);
            let way = all_ahead(pawn, color);
            let passed =
                ((way | attacked(pawn | way, color)) & enemy).is_empty() && (way & own).is_empty();
            if passed {
                structure.passed |= square;
            }
            score += pawn_score(square, color, own, enemy, weights);
        }
        match color {
            Color::White => structure.score += score,
            Color::Black => structure.score -= score,
        }
    }
    structure
}

/// The score of one pawn besides material and piece-square table.
fn pawn_score(
    square: Square,
    color: Color,
    own: Bitboard,
    enemy: Bitboard,
    weights: &PawnWeights,
) -> TaperedScore {
    let pawn = Bitboard::of(square);
    let file = Bitboard::file(square.file());
    let neighbors = beside(file) & own;
    let way = all_ahead(pawn, color);
    let mut score = TaperedScore::ZERO;
    if !(way & own).is_empty() {
        score += weights.doubled;
    }
    let defended = attacks::pawn(!color, square) & own;
    let rank = square.rank().relative_to(color) as usize;
    if !(defended | (beside(pawn) & own)).is_empty() {
        score += weights.connected[rank];
    } else if neighbors.is_empty() {
        score += weights.isolated;
    } else {
        // No neighbor can come up beside it, and the square ahead is guarded.
        let behind = beside(pawn | all_ahead(pawn, !color));
        let guarded = attacks::pawn(color, square.offset(0, step(color)).unwrap_or(square)) & enemy;
        if (behind & own).is_empty() && !guarded.is_empty() {
            score += weights.backward;
        }
    }
    score
}

pub(super) fn step(color: Color) -> i8 {
    if color.is_white() { 1 } else { -1 }
}
