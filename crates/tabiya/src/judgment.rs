//! What evaluations say about the moves of a game: which were mistakes, how accurate each side was, and where the game
//! turned.
//!
//! Everything is measured in expectations: the share of the point that White can hope for, from 0 to 1. A pawn more or
//! less matters much in an even game and little in a decided one, and an expectation shows that.

use tabiya_game::{Glyph, Score};
use tabiya_rules::{ByColor, Color};

/// From how large a loss on a move has a name.
const INACCURACY: f64 = 0.10;
const MISTAKE: f64 = 0.20;
const BLUNDER: f64 = 0.30;

/// How fast accuracy falls with what a move loses: a tenth of a point costs two fifths of it.
const STEEPNESS: f64 = 5.0;

/// How bad a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Verdict {
    pub(crate) fn glyph(self) -> Glyph {
        match self {
            Verdict::Inaccuracy => Glyph::DUBIOUS,
            Verdict::Mistake => Glyph::MISTAKE,
            Verdict::Blunder => Glyph::BLUNDER,
        }
    }
}

/// The share of the point that White can hope for. Four pawns are worth ten to one.
pub(crate) fn expectation(score: Score) -> f64 {
    match score {
        Score::Centipawns(points) => 1.0 / (1.0 + 10f64.powf(-f64::from(points) / 400.0)),
        Score::Mate(moves) if moves > 0 => 1.0,
        Score::Mate(_) => 0.0,
    }
}

/// What a move of a side lost, seen from its expectations before and after it.
pub(crate) fn loss(mover: Color, before: f64, after: f64) -> f64 {
    let lost = match mover {
        Color::White => before - after,
        Color::Black => after - before,
    };
    // A move can only seem to win something: the search before it was not deep enough.
    lost.max(0.0)
}

pub(crate) fn verdict(loss: f64) -> Option<Verdict> {
    if loss >= BLUNDER {
        Some(Verdict::Blunder)
    } else if loss >= MISTAKE {
        Some(Verdict::Mistake)
    } else if loss >= INACCURACY {
        Some(Verdict::Inaccuracy)
    } else {
        None
    }
}

/// A game judged as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Summary {
    /// From 0 to 100; `None` for a side of which no move could be judged.
    pub(crate) accuracy: ByColor<Option<f64>>,
    /// The moves that lost a fifth of the point or more, by their plies, in the order of the game.
    pub(crate) turning_points: Vec<usize>,
}

/// Judges a line of positions by White's expectations in them. The first side moves from the first position.
pub(crate) fn summary(expectations: &[Option<f64>], first: Color) -> Summary {
    let mut sums: ByColor<(f64, u32)> = ByColor::default();
    let mut turning_points = Vec::new();
    let mut mover = first;
    for (at, pair) in expectations.windows(2).enumerate() {
        if let [Some(before), Some(after)] = *pair {
            let lost = loss(mover, before, after);
            let (sum, count) = &mut sums[mover];
            *sum += 100.0 * (-STEEPNESS * lost).exp();
            *count += 1;
            if lost >= MISTAKE {
                turning_points.push(at + 1);
            }
        }
        mover = !mover;
    }
    Summary {
        accuracy: sums.map(|(sum, count)| (count > 0).then(|| sum / f64::from(count))),
        turning_points,
    }
}

#[cfg(test)]
mod tests;
