//! The chances of winning, drawing and losing that a score means, as `UCI_ShowWDL` reports them.
//!
//! A side wins with probability 1 / (1 + exp(−(a + b · pawns))), and it loses with the probability that the other side,
//! whose score is the negative, wins. The rest are draws. Where the curve is and how steep it is depends on the material:
//! the fewer pieces are left, the more games are drawn. `training` fits the numbers to self-play games with `look`, and
//! docs/engine.md says which games they come from.

use tabiya_rules::{Position, Role, Score};
use tabiya_uci::Wdl;

/// The place of the curve: coefficients of a as a polynomial of the material's share, the constant first.
const PLACE: [f64; 4] = [-5.0852, 16.7798, -21.9998, 9.8026];
/// Its slope: coefficients of b, for a score in pawns.
const SLOPE: [f64; 4] = [1.2404, -1.6466, 1.8319, -0.6759];
/// The material at the start of a game. More than this, after promotions, counts as much.
const FULL_MATERIAL: u32 = 78;

/// Returns the chances of the side to move.
pub(crate) fn chances(score: Score, position: &Position) -> Wdl {
    let material = material(position);
    let (win, loss) = match score {
        Score::Centipawns(score) => (win(score, material), win(-score, material)),
        Score::MateIn(_) => (1.0, 0.0),
        Score::MatedIn(_) => (0.0, 1.0),
    };
    let thousandths = |chance: f64| (1000.0 * chance).floor() as u16;
    let (win, loss) = (thousandths(win), thousandths(loss));
    Wdl {
        win,
        draw: 1000 - win - loss,
        loss,
    }
}

/// Returns the probability that a side with this score in centipawns wins.
fn win(score: i32, material: u32) -> f64 {
    let share = f64::from(material.min(FULL_MATERIAL)) / f64::from(FULL_MATERIAL);
    let polynomial = |coefficients: [f64; 4]| {
        let higher = |sum: f64, coefficient: &f64| sum * share + coefficient;
        coefficients.iter().rev().fold(0.0, higher)
    };
    let pawns = f64::from(score) / 100.0;
    1.0 / (1.0 + (-polynomial(PLACE) - polynomial(SLOPE) * pawns).exp())
}

/// Returns the material of both sides: pawns 1, knights and bishops 3, rooks 5, queens 9. `look` counts it in the same way.
fn material(position: &Position) -> u32 {
    const VALUES: [(Role, u32); 5] = [
        (Role::Pawn, 1),
        (Role::Knight, 3),
        (Role::Bishop, 3),
        (Role::Rook, 5),
        (Role::Queen, 9),
    ];
    let board = position.board();
    let of = |(role, value): (Role, u32)| value * board.by_role(role).count();
    VALUES.into_iter().map(of).sum()
}

#[cfg(test)]
mod tests;
