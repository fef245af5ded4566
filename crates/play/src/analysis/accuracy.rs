//! How well a side played, on the scale that players know from Lichess.
//!
//! Winning chances and the accuracy of a move follow <https://lichess.org/page/accuracy>. That page leaves out the
//! accuracy of a whole game: it is the average of two means over a side's moves, one weighted by how volatile the
//! chances are around each move, and the harmonic mean, in which a blunder counts for more
//! (<https://github.com/lichess-org/lila/issues/15164> describes it).

use tabiya_rules::{Color, Score};

use super::{GameAnalysis, Judged, Verdict};

/// The smallest and largest number of positions around a move that measure its volatility.
const WINDOW: (usize, usize) = (2, 8);

/// The smallest and largest weight of a move.
const WEIGHT: (f64, f64) = (0.5, 12.0);

/// Converts a score for White to White's winning chances in percent, by the curve that is published together with the
/// accuracy of a move: on another one, the numbers would not be those that players know.
fn win_percent(score: Score) -> f64 {
    const WON: i32 = 1000;
    let centipawns = match score {
        Score::Centipawns(value) => value.clamp(-WON, WON),
        Score::MateIn(_) => WON,
        Score::MatedIn(_) => -WON,
    };
    100.0 / (1.0 + (-0.003_682_08 * f64::from(centipawns)).exp())
}

/// White's winning chances in percent in a position; `None` if the engine gave no score.
fn chances(verdict: &Verdict) -> Option<f64> {
    match verdict.evaluation {
        Some(evaluation) => Some(win_percent(evaluation.score)),
        None => verdict.chance.map(|chance| 100.0 * chance),
    }
}

/// The accuracy of a move that gave away this percentage of its side's chances.
fn of_move(given_away: f64) -> f64 {
    if given_away <= 0.0 {
        return 100.0;
    }
    let accuracy = 103.1668 * (-0.043_54 * given_away).exp() - 3.1669;
    accuracy.clamp(0.0, 100.0)
}

/// A move's accuracy and its weight; `None` if unknown.
fn accuracy_and_weight(judged: &Judged<'_>, weight: f64) -> Option<(f64, f64)> {
    let (before, after) = (chances(judged.before)?, chances(judged.after)?);
    let given_away = match (judged.loss?, judged.by) {
        // The best move gives nothing away, even if the search after it disagrees.
        (0.0, _) => 0.0,
        (_, Color::White) => before - after,
        (_, Color::Black) => after - before,
    };
    Some((of_move(given_away), weight))
}

/// The accuracy of a side over the whole game.
pub(super) fn of_side(analysis: &GameAnalysis, color: Color) -> Option<f64> {
    let course: Vec<Option<f64>> = analysis.verdicts.iter().map(chances).collect();
    let weights = weights(&course);
    let own: Vec<(f64, f64)> = analysis
        .moves()
        .zip(weights)
        .filter(|(judged, _)| judged.by == color)
        .filter_map(|(judged, weight)| accuracy_and_weight(&judged, weight))
        .collect();
    if own.is_empty() {
        return None;
    }
    let weight: f64 = own.iter().map(|(_, weight)| weight).sum();
    let weighted: f64 = own.iter().map(|(accuracy, weight)| accuracy * weight).sum();
    // A single move with accuracy zero would make the harmonic mean zero.
    let inverse: f64 = own
        .iter()
        .map(|(accuracy, _)| 1.0 / accuracy.max(1.0))
        .sum();
    let harmonic = own.len() as f64 / inverse;
    Some((weighted / weight + harmonic) / 2.0)
}

/// The weight of each move: the standard deviation of the chances in the window of positions that ends with the move,
/// or in the first window of the game.
fn weights(course: &[Option<f64>]) -> Vec<f64> {
    let moves = course.len().saturating_sub(1);
    let (least, most) = WINDOW;
    let size = (moves / 10).clamp(least, most).min(course.len());
    (1..=moves)
        .map(|ply| {
            let end = (ply + 1).max(size);
            let window = course.get(end - size..end).unwrap_or_default();
            let deviation = deviation(window).unwrap_or(0.0);
            deviation.clamp(WEIGHT.0, WEIGHT.1)
        })
        .collect()
}

/// The standard deviation of the known values; `None` if none is known.
fn deviation(values: &[Option<f64>]) -> Option<f64> {
    let mean = super::mean(values)?;
    let squares = values
        .iter()
        .map(|value| Some((value.as_ref()? - mean).powi(2)));
    let squares: Vec<Option<f64>> = squares.collect();
    super::mean(&squares).map(f64::sqrt)
}

#[cfg(test)]
mod tests;
