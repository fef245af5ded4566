//! Tapered scores: one value for the middlegame and one for the endgame, added and scaled together.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Two numbers of 16 bits in one word, so that one addition adds both.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct TaperedScore(i32);

/// A middlegame and an endgame score.
pub const fn pair(middle: i32, ending: i32) -> TaperedScore {
    TaperedScore((ending << 16) + middle)
}

impl TaperedScore {
    pub(crate) const ZERO: TaperedScore = TaperedScore(0);

    /// The middlegame score.
    #[inline]
    pub const fn middle(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame score. The borrow of the other half is added back.
    #[inline]
    pub const fn ending(self) -> i32 {
        ((self.0 + 0x8000) >> 16) as i16 as i32
    }
}

impl std::fmt::Debug for TaperedScore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "pair({}, {})", self.middle(), self.ending())
    }
}

impl Add for TaperedScore {
    type Output = TaperedScore;

    #[inline]
    fn add(self, other: TaperedScore) -> TaperedScore {
        TaperedScore(self.0 + other.0)
    }
}

impl Sub for TaperedScore {
    type Output = TaperedScore;

    #[inline]
    fn sub(self, other: TaperedScore) -> TaperedScore {
        TaperedScore(self.0 - other.0)
    }
}

impl Neg for TaperedScore {
    type Output = TaperedScore;

    #[inline]
    fn neg(self) -> TaperedScore {
        TaperedScore(-self.0)
    }
}

impl Mul<i32> for TaperedScore {
    type Output = TaperedScore;

    #[inline]
    fn mul(self, factor: i32) -> TaperedScore {
        TaperedScore(self.0 * factor)
    }
}

impl AddAssign for TaperedScore {
    #[inline]
    fn add_assign(&mut self, other: TaperedScore) {
        *self = *self + other;
    }
}

impl SubAssign for TaperedScore {
    #[inline]
    fn sub_assign(&mut self, other: TaperedScore) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    //! The halves do not disturb each other.

    use super::*;

    #[test]
    fn both_halves_are_added_and_scaled() {
        for (a, b) in [(0, 0), (5, -7), (-300, 250), (-1, -1), (3000, -3000)] {
            for (c, d) in [(1, 1), (-40, 7), (900, -900), (-32, 0)] {
                let sum = pair(a, b) + pair(c, d);
                assert_eq!((sum.middle(), sum.ending()), (a + c, b + d));
                let difference = pair(a, b) - pair(c, d);
                assert_eq!((difference.middle(), difference.ending()), (a - c, b - d));
                let scaled = pair(a, b) * -3;
                assert_eq!((scaled.middle(), scaled.ending()), (-3 * a, -3 * b));
            }
        }
    }
}
