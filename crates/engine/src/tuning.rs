//! The weights of the hand-written evaluation, and its score of a position with other weights: for tuning them to
//! games.

use tabiya_rules::Position;

pub use crate::evaluation::tapered_score::{TaperedScore, pair};
pub use crate::evaluation::weights::{
    KingWeights, MobilityWeights, PawnWeights, PieceWeights, Weights,
};
use crate::evaluation::{Evaluator, HandWritten};
use crate::sub_keys::SubKeys;

/// The hand-written evaluation by numbers that may change.
#[derive(Debug)]
pub struct Evaluation(HandWritten);

impl Evaluation {
    /// Judges by these numbers.
    pub fn new(weights: Weights) -> Evaluation {
        Evaluation(HandWritten::new(weights, 0))
    }

    /// The evaluation of a position for the side to move, in centipawns.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        self.0.set_root(position);
        self.0.evaluate(position, &SubKeys::of(position), 0)
    }
}
