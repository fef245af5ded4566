//! Scores: centipawns for the side to move, and mates by their distance in plies.

use tabiya_rules::Score;

/// The score of giving mate at the root. Each ply of delay costs one.
pub(crate) const MATE: i32 = 32_000;
/// Scores beyond this are mate scores.
pub(crate) const MATE_BOUND: i32 = MATE - 512;
/// Greater than any score, and still fits in 16 bits.
pub(crate) const INFINITE: i32 = 32_500;
/// The score of a draw.
pub(crate) const DRAW: i32 = 0;
/// The bound of static evaluations.
pub(crate) const MAX_EVAL: i32 = 15_000;

/// The score of being mated at this distance from the root.
pub(crate) const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// The score of giving mate at this distance from the root.
pub(crate) const fn mate_in(ply: usize) -> i32 {
    MATE - ply as i32
}

/// Is it a mate score, for either side?
pub(crate) const fn is_mate(score: i32) -> bool {
    score.abs() > MATE_BOUND
}

/// The score as UCI reports it, with mates in moves.
pub(crate) fn to_score(score: i32) -> Score {
    let plies = MATE.abs_diff(score.abs());
    if !is_mate(score) {
        Score::Centipawns(score)
    } else if score > 0 {
        Score::mate_in_plies(plies)
    } else {
        Score::mated_in_plies(plies)
    }
}

#[cfg(test)]
mod tests {
    //! Mates are reported in moves.

    use super::*;

    #[test]
    fn mates_are_reported_in_moves() {
        assert_eq!(to_score(mate_in(1)), Score::MateIn(1));
        assert_eq!(to_score(mate_in(3)), Score::MateIn(2));
        assert_eq!(to_score(mated_in(2)), Score::MatedIn(1));
        assert_eq!(to_score(mated_in(4)), Score::MatedIn(2));
        assert_eq!(to_score(-MAX_EVAL), Score::Centipawns(-MAX_EVAL));
        assert!(!is_mate(MAX_EVAL) && INFINITE < i32::from(i16::MAX));
    }
}
