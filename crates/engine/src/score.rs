//! Scores: hundredths of a pawn for the side to move, and mates by their distance.

use tabiya_uci::ScoreValue;

/// The score of having given mate. Each half-move of delay costs one.
pub(crate) const MATE: i32 = 32_000;
/// Scores beyond this are mates.
pub(crate) const MATE_BOUND: i32 = MATE - 512;
/// More than any score, and still a number of 16 bits.
pub(crate) const INFINITE: i32 = 32_500;
/// The score of a draw.
pub(crate) const DRAW: i32 = 0;
/// No evaluation is greater: what is beyond has been searched.
pub(crate) const MOST: i32 = 15_000;

/// The score of being mated so many half-moves from the root.
pub(crate) const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// The score of giving mate so many half-moves from the root.
pub(crate) const fn mate_in(ply: usize) -> i32 {
    MATE - ply as i32
}

/// Is a mate in sight, for either side?
pub(crate) const fn is_mate(score: i32) -> bool {
    score.abs() > MATE_BOUND
}

/// The score as it is told.
pub(crate) fn value(score: i32) -> ScoreValue {
    let moves = (MATE - score.abs() + 1) / 2;
    match is_mate(score) {
        true if score > 0 => ScoreValue::Mate(moves),
        true => ScoreValue::Mate(-moves),
        false => ScoreValue::Centipawns(score),
    }
}

#[cfg(test)]
mod tests {
    //! Mates are counted in moves.

    use super::*;

    #[test]
    fn mates_are_told_in_moves() {
        assert_eq!(value(mate_in(1)), ScoreValue::Mate(1));
        assert_eq!(value(mate_in(3)), ScoreValue::Mate(2));
        assert_eq!(value(mated_in(2)), ScoreValue::Mate(-1));
        assert_eq!(value(mated_in(4)), ScoreValue::Mate(-2));
        assert_eq!(value(-MOST), ScoreValue::Centipawns(-MOST));
        assert!(!is_mate(MOST) && INFINITE < i32::from(i16::MAX));
    }
}
