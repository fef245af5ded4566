//! FSRS-6, a model of memory: how well something is known after a series of reviews, and when to ask again.
//!
//! The formulas and the weights are those of fsrs-rs 6.6.1 (Open Spaced Repetition, BSD-3-Clause).

use serde::{Deserialize, Serialize};

/// The default weights.
const W: [f64; 21] = [
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835,
    0.0614, 0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
];

/// How well an exercise was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub enum Grade {
    /// Not known: a wrong move, or the solution was shown.
    Again = 1,
    /// Known with a hint, or after a move that is nearly as good.
    Hard,
    /// Known.
    Good,
    /// Known so well that the player says so.
    Easy,
}

impl From<Grade> for u8 {
    fn from(grade: Grade) -> u8 {
        grade as u8
    }
}

/// The error returned for a number that is not a grade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a grade is a number from 1 to 4")]
pub struct NoGrade;

impl TryFrom<u8> for Grade {
    type Error = NoGrade;

    fn try_from(number: u8) -> Result<Grade, NoGrade> {
        Ok(match number {
            1 => Grade::Again,
            2 => Grade::Hard,
            3 => Grade::Good,
            4 => Grade::Easy,
            _ => return Err(NoGrade),
        })
    }
}

/// How well something is known after its last review.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Card {
    /// The days after which it is recalled with a probability of 90 %.
    pub stability: f64,
    /// From 1 (easy) to 10.
    pub difficulty: f64,
}

impl Card {
    /// The card after the first review.
    #[must_use]
    pub fn first(grade: Grade) -> Card {
        Card {
            stability: W[grade as usize - 1],
            difficulty: first_difficulty(grade).clamp(1.0, 10.0),
        }
    }

    /// The card after another review, this many days after the last one.
    #[must_use]
    pub fn review(self, days: u32, grade: Grade) -> Card {
        let stability = match (days, grade) {
            (0, _) => self.on_the_same_day(grade),
            (_, Grade::Again) => self.forgotten(days),
            (_, Grade::Hard | Grade::Good | Grade::Easy) => self.recalled(days, grade),
        };
        let offset = f64::from(grade as u8) - 3.0;
        let difficulty = self.difficulty - W[6] * offset * (10.0 - self.difficulty) / 9.0;
        let difficulty = W[7] * (first_difficulty(Grade::Easy) - difficulty) + difficulty;
        Card {
            stability: stability.clamp(0.001, 36_500.0),
            difficulty: difficulty.clamp(1.0, 10.0),
        }
    }

    /// The stability after another review on the same day.
    fn on_the_same_day(self, grade: Grade) -> f64 {
        let offset = f64::from(grade as u8) - 3.0;
        let factor = (W[17] * (offset + W[18])).exp() * self.stability.powf(-W[19]);
        let factor = if grade == Grade::Again {
            factor
        } else {
            factor.max(1.0)
        };
        self.stability * factor
    }

    /// The stability after a review in which the answer was known.
    fn recalled(self, days: u32, grade: Grade) -> f64 {
        let Card {
            stability,
            difficulty,
        } = self;
        let factor = match grade {
            Grade::Hard => W[15],
            Grade::Easy => W[16],
            Grade::Again | Grade::Good => 1.0,
        };
        let surprise = (W[10] * (1.0 - self.retrievability(days))).exp() - 1.0;
        let growth = W[8].exp() * (11.0 - difficulty) * stability.powf(-W[9]) * surprise * factor;
        stability * (1.0 + growth)
    }

    /// The stability after a review in which the answer was not known.
    fn forgotten(self, days: u32) -> f64 {
        let Card {
            stability,
            difficulty,
        } = self;
        let surprise = (W[14] * (1.0 - self.retrievability(days))).exp();
        let left =
            W[11] * difficulty.powf(-W[12]) * ((stability + 1.0).powf(W[13]) - 1.0) * surprise;
        left.min(stability / (W[17] * W[18]).exp())
    }

    /// The probability that it is recalled this many days after the last review.
    #[must_use]
    pub fn retrievability(self, days: u32) -> f64 {
        (1.0 + decay() * f64::from(days) / self.stability).powf(-W[20])
    }

    /// The days after which it is recalled with this probability.
    #[must_use]
    pub fn interval(self, retention: f64) -> f64 {
        self.stability / decay() * (retention.powf(-1.0 / W[20]) - 1.0)
    }
}

/// The exponent of the forgetting curve.
fn decay() -> f64 {
    0.9_f64.powf(-1.0 / W[20]) - 1.0
}

/// The difficulty after the first review, which may lie outside the scale.
fn first_difficulty(grade: Grade) -> f64 {
    W[4] - (W[5] * f64::from(grade as u8 - 1)).exp() + 1.0
}
