//! What a score means for the result of a game: the probabilities of a win, a draw and a loss (WDL), and the expected score.
//!
//! A side wins with probability 1 / (1 + exp(−(a + b · pawns))), and it loses with the probability that the other side,
//! whose score is the negative, wins. The rest are draws. Where the curve is and how steep it is depends on the material:
//! the fewer pieces are left, the more games are drawn. The numbers are fitted to games of Tabiya's engine against itself.

use tabiya_rules::{Position, Role, Score};

use super::Wdl;

/// The place of the curve: coefficients of a as a polynomial of the material's share, the constant first.
const PLACE: [f64; 4] = [-5.0852, 16.7798, -21.9998, 9.8026];
/// Its slope: coefficients of b, for a score in pawns.
const SLOPE: [f64; 4] = [1.2404, -1.6466, 1.8319, -0.6759];
/// The material at the start of a game. More than this, after promotions, counts as much.
const FULL_MATERIAL: u32 = 78;

impl Wdl {
    /// Returns the WDL of a side with this score in a position, so that winning plus half of drawing is the
    /// [expected score](expected_score).
    ///
    /// ```
    /// use tabiya_rules::{Position, Score};
    /// use tabiya_uci::Wdl;
    ///
    /// let pawn_up = Wdl::of(Score::Centipawns(100), &Position::start());
    /// assert!(pawn_up.win > pawn_up.loss);
    /// assert_eq!(pawn_up.win + pawn_up.draw + pawn_up.loss, 1000);
    /// ```
    #[must_use]
    pub fn of(score: Score, position: &Position) -> Wdl {
        let (win, loss) = decided(score, position);
        let thousandths = |chance: f64| (1000.0 * chance).floor() as u16;
        let (win, loss) = (thousandths(win), thousandths(loss));
        Wdl {
            win,
            draw: 1000 - win - loss,
            loss,
        }
    }
}

/// Returns the expected result, from 0 to 1, for a side with this score in a position: with one pawn more, about 67 % in
/// the opening and 57 % in an ending with few pieces.
#[must_use]
pub fn expected_score(score: Score, position: &Position) -> f64 {
    let (win, loss) = decided(score, position);
    (1.0 + win - loss) / 2.0
}

/// Returns the probabilities of winning and losing.
fn decided(score: Score, position: &Position) -> (f64, f64) {
    let material = material(position);
    match score {
        Score::Centipawns(score) => (win(score, material), win(-score, material)),
        Score::MateIn(_) => (1.0, 0.0),
        Score::MatedIn(_) => (0.0, 1.0),
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

/// Returns the material of both sides: pawns 1, knights and bishops 3, rooks 5, queens 9. The fit of the curve counts it too.
#[doc(hidden)]
#[must_use]
pub fn material(position: &Position) -> u32 {
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
