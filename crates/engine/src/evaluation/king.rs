//! The safety of a king: the pawns in front of it, and the pieces that come near.

use tabiya_rules::cpu::Sliders;
use tabiya_rules::{Bitboard, Board, Color, File, Role, Square, attacks};

use super::pawns;
use super::pieces::Reach;
use super::tapered_score::{TaperedScore, pair};
use super::weights::KingWeights;

/// No danger counts for more: it is worth more than a queen already, and its square has to fit.
const MOST_DANGER: i32 = 600;

/// The squares around a king, and one row more in front of it.
#[inline(always)]
pub(super) fn zone(board: &Board, color: Color) -> Bitboard {
    board.king(color).map_or(Bitboard::EMPTY, |king| {
        let around = attacks::king(king) | king;
        around | pawns::ahead(around, color)
    })
}

/// King safety, for the king's side.
#[inline(always)]
pub(super) fn score<S: Sliders>(
    board: &Board,
    color: Color,
    own: &Reach,
    enemy: &Reach,
    weights: &KingWeights,
    sliders: S,
) -> TaperedScore {
    let Some(king) = board.king(color) else {
        return TaperedScore::ZERO;
    };
    shelter(board, color, king, weights) - danger(board, color, king, own, enemy, weights, sliders)
}

/// The pawns of both sides on the three files around the king.
#[inline(always)]
fn shelter(board: &Board, color: Color, king: Square, weights: &KingWeights) -> TaperedScore {
    let own = board.pieces(color, Role::Pawn);
    let enemy = board.pieces(!color, Role::Pawn);
    // The middle one of the three files; a king on the edge has three as well.
    let center = king.file().index().clamp(1, 6);
    let ahead = pawns::all_ahead(Bitboard::rank(king.rank()), color) | Bitboard::rank(king.rank());
    let mut score = TaperedScore::ZERO;
    for file in [center - 1, center, center + 1]
        .into_iter()
        .filter_map(File::from_index)
    {
        let file = Bitboard::file(file);
        score += weights.shield[distance(own & file & ahead, color, king)];
        score += weights.storm[distance(enemy & file & ahead, color, king)];
        if (own & file).is_empty() {
            score += match (enemy & file).is_empty() {
                true => weights.open_file,
                false => weights.half_open_file,
            };
        }
    }
    score
}

/// How many ranks the nearest of the pawns is ahead of the king; 0 for none.
#[inline(always)]
fn distance(set: Bitboard, color: Color, king: Square) -> usize {
    let nearest = match color {
        Color::White => set.first(),
        Color::Black => set.last(),
    };
    nearest.map_or(0, |pawn| {
        usize::from((pawn.rank() as u8).abs_diff(king.rank() as u8))
    })
}

/// The danger from enemy pieces: it grows with the square of what comes together.
#[inline(always)]
fn danger<S: Sliders>(
    board: &Board,
    color: Color,
    king: Square,
    own: &Reach,
    enemy: &Reach,
    weights: &KingWeights,
    sliders: S,
) -> TaperedScore {
    let queens = board.pieces(!color, Role::Queen);
    if enemy.near_king < 2 - i32::from(!queens.is_empty()) {
        return TaperedScore::ZERO;
    }
    let around = attacks::king(king);
    let count = |set: Bitboard| set.count() as i32;
    let guarded = own.all & !own.by_role[Role::King as usize] | own.twice;
    let weak = enemy.all & !guarded;
    let mut units = enemy.danger;
    units += weights.attacked * count(around & enemy.all);
    units += weights.weak * count(around & weak);
    let safe = !board.by_color(!color) & (!own.all | (weak & enemy.twice));
    let straight = sliders.rook(king, board.occupied());
    let diagonal = sliders.bishop(king, board.occupied());
    let [_, knights, bishops, rooks, queens_reach, _] = enemy.by_role;
    let checks = [
        knights & attacks::knight(king),
        bishops & diagonal,
        rooks & straight,
        queens_reach & (straight | diagonal),
    ];
    for (squares, weight) in checks.into_iter().zip(weights.check) {
        if !(squares & safe).is_empty() {
            units += weight;
        }
    }
    if queens.is_empty() {
        units += weights.no_queen;
    }
    let units = units.clamp(0, MOST_DANGER);
    // In the endgame a king in danger is only badly placed.
    pair(units * units / 256, units / 8)
}
