//! The score of a position: centipawns, or the distance to mate.

use core::cmp::Ordering;
use core::error::Error;
use core::fmt::{self, Write as _};
use core::ops::Neg;
use core::str::FromStr;

use crate::Color;
use crate::short_text::ShortText;

/// How good a position is for one side; higher is better.
///
/// Engines score a position for the side to move, people and PGN for White. A score does not know whose it is:
/// [`Score::for_white`] turns the first kind into the second, [`Score::for_side`] turns White's score into either
/// side's, and `-score` is the opponent's.
///
/// Scores are ordered: giving mate is better than any number of centipawns, and sooner is better than later; of two
/// scores for being mated, the later mate is better. The text form is that of PGN's `[%eval …]`: `0.35`, `#3`, `#-3`.
///
/// ```
/// use tabiya_rules::{Color, Score};
///
/// // An engine with Black to move says "cp 35": Black is better.
/// let score = Score::Centipawns(35);
/// assert_eq!(score.for_white(Color::Black), Score::Centipawns(-35));
/// assert_eq!(score.for_white(Color::Black).to_string(), "-0.35");
///
/// assert!(Score::MateIn(2) > Score::MateIn(5));
/// assert!(Score::MateIn(5) > Score::Centipawns(900));
/// assert!(Score::MatedIn(5) > Score::MatedIn(2));
/// assert_eq!(-Score::MateIn(2), Score::MatedIn(2));
/// ```
#[doc(alias = "evaluation")]
#[doc(alias = "cp")]
#[doc(alias = "eval")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// The side gives mate in this many moves of its own; 0 if it has given mate.
    MateIn(u32),
    /// The side is mated in this many moves of its own; 0 if it is mated now.
    MatedIn(u32),
}

impl Score {
    /// An even position.
    pub const EVEN: Score = Score::Centipawns(0);

    /// Creates a mate as UCI and PGN write it: the side mates in this many moves, or is mated if the number is zero or
    /// less.
    ///
    /// ```
    /// use tabiya_rules::Score;
    ///
    /// assert_eq!(Score::mate(3), Score::MateIn(3));
    /// assert_eq!(Score::mate(-3), Score::MatedIn(3));
    /// assert_eq!(Score::mate(0), Score::MatedIn(0));
    /// ```
    #[must_use]
    pub const fn mate(moves: i32) -> Score {
        if moves > 0 {
            Score::MateIn(moves.unsigned_abs())
        } else {
            Score::MatedIn(moves.unsigned_abs())
        }
    }

    /// Creates a mate that the side gives in this many plies.
    ///
    /// ```
    /// use tabiya_rules::Score;
    ///
    /// assert_eq!(Score::mate_in_plies(3), Score::MateIn(2));
    /// assert_eq!(Score::mated_in_plies(4), Score::MatedIn(2));
    /// ```
    #[must_use]
    pub const fn mate_in_plies(plies: u32) -> Score {
        Score::MateIn(plies.div_ceil(2))
    }

    /// Creates a mate that the side suffers in this many plies.
    #[must_use]
    pub const fn mated_in_plies(plies: u32) -> Score {
        Score::MatedIn(plies.div_ceil(2))
    }

    /// Returns whether this is a mate, for either side.
    #[must_use]
    pub const fn is_mate(self) -> bool {
        match self {
            Score::Centipawns(_) => false,
            Score::MateIn(_) | Score::MatedIn(_) => true,
        }
    }

    /// Returns the centipawns, unless this is a mate.
    #[must_use]
    pub const fn centipawns(self) -> Option<i32> {
        match self {
            Score::Centipawns(value) => Some(value),
            Score::MateIn(_) | Score::MatedIn(_) => None,
        }
    }

    /// Returns the moves to mate as UCI writes them, negative if the side is mated. A mate on the board is 0 for
    /// either side.
    #[must_use]
    pub const fn moves_to_mate(self) -> Option<i32> {
        match self {
            Score::Centipawns(_) => None,
            Score::MateIn(moves) => Some(signed(moves)),
            Score::MatedIn(moves) => Some(-signed(moves)),
        }
    }

    /// Returns the plies until mate, with the side of this score to move.
    ///
    /// ```
    /// use tabiya_rules::Score;
    ///
    /// assert_eq!(Score::MateIn(2).plies_to_mate(), Some(3));
    /// assert_eq!(Score::MatedIn(2).plies_to_mate(), Some(4));
    /// assert_eq!(Score::EVEN.plies_to_mate(), None);
    /// ```
    #[must_use]
    pub const fn plies_to_mate(self) -> Option<u32> {
        match self {
            Score::Centipawns(_) => None,
            Score::MateIn(moves) => Some(moves.saturating_mul(2).saturating_sub(1)),
            Score::MatedIn(moves) => Some(moves.saturating_mul(2)),
        }
    }

    /// Converts the score of the side to move into White's.
    #[must_use]
    pub const fn for_white(self, turn: Color) -> Score {
        match turn {
            Color::White => self,
            Color::Black => self.reversed(),
        }
    }

    /// Converts White's score into the score of a side.
    ///
    /// ```
    /// use tabiya_rules::{Color, Score};
    ///
    /// let written = "#-3".parse::<Score>()?; // In PGN, always White's.
    /// assert_eq!(written.for_side(Color::Black), Score::MateIn(3));
    /// # Ok::<(), tabiya_rules::ParseScoreError>(())
    /// ```
    #[must_use]
    pub const fn for_side(self, side: Color) -> Score {
        match side {
            Color::White => self,
            Color::Black => self.reversed(),
        }
    }

    /// Converts the score after a move, for the side to move, into the score before it, for the side that made the
    /// move.
    ///
    /// ```
    /// use tabiya_rules::Score;
    ///
    /// assert_eq!(Score::MatedIn(0).before_move(), Score::MateIn(1));
    /// assert_eq!(Score::MateIn(1).before_move(), Score::MatedIn(1));
    /// assert_eq!(Score::Centipawns(20).before_move(), Score::Centipawns(-20));
    /// ```
    #[must_use]
    pub const fn before_move(self) -> Score {
        match self {
            Score::MatedIn(moves) => Score::MateIn(moves.saturating_add(1)),
            Score::Centipawns(_) | Score::MateIn(_) => self.reversed(),
        }
    }

    const fn reversed(self) -> Score {
        match self {
            Score::Centipawns(value) => Score::Centipawns(value.saturating_neg()),
            Score::MateIn(moves) => Score::MatedIn(moves),
            Score::MatedIn(moves) => Score::MateIn(moves),
        }
    }
}

const fn signed(moves: u32) -> i32 {
    if moves > i32::MAX as u32 {
        i32::MAX
    } else {
        moves as i32
    }
}

impl Neg for Score {
    type Output = Score;

    /// Returns the opponent's score.
    fn neg(self) -> Score {
        self.reversed()
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Score) -> Ordering {
        /// Returns the class, which is compared first: mated, centipawns, mating.
        const fn class(score: Score) -> u8 {
            match score {
                Score::MatedIn(_) => 0,
                Score::Centipawns(_) => 1,
                Score::MateIn(_) => 2,
            }
        }
        match (*self, *other) {
            (Score::Centipawns(a), Score::Centipawns(b)) => a.cmp(&b),
            (Score::MatedIn(a), Score::MatedIn(b)) => a.cmp(&b),
            (Score::MateIn(a), Score::MateIn(b)) => b.cmp(&a),
            (a, b) => class(a).cmp(&class(b)),
        }
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Score {
    /// Writes `0.35`, `-1.20`, `#3`, `#-3`, as in PGN; `#0` and `#-0` for a mate on the board. `{:+}` writes `+0.35`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = ShortText::<12>::new();
        match *self {
            Score::Centipawns(value) => {
                let sign = match (value < 0, f.sign_plus()) {
                    (true, _) => "-",
                    (false, true) => "+",
                    (false, false) => "",
                };
                let size = value.unsigned_abs();
                write!(text, "{sign}{}.{:02}", size / 100, size % 100)?;
            }
            Score::MateIn(moves) => write!(text, "#{moves}")?,
            Score::MatedIn(moves) => write!(text, "#-{moves}")?,
        }
        text.fmt(f)
    }
}

impl FromStr for Score {
    type Err = ParseScoreError;

    /// Reads pawns, such as `0.35`, `+1` and `-1.2`, and mates, such as `#3` and `#-3`. Decimals after the second are
    /// dropped.
    fn from_str(text: &str) -> Result<Score, ParseScoreError> {
        let (is_mate, text) = match text.strip_prefix('#') {
            Some(text) => (true, text),
            None => (false, text),
        };
        let (is_negative, size) = match text.strip_prefix('-') {
            Some(size) => (true, size),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let value = if is_mate {
            number(size)?
        } else {
            centipawns(size)?
        };
        Ok(match (is_mate, is_negative) {
            (true, true) => Score::MatedIn(value.unsigned_abs()),
            (true, false) => Score::MateIn(value.unsigned_abs()),
            (false, true) => Score::Centipawns(-value),
            (false, false) => Score::Centipawns(value),
        })
    }
}

/// Accepts ASCII digits only, because `parse` alone would also accept a sign.
fn number(digits: &str) -> Result<i32, ParseScoreError> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ParseScoreError);
    }
    digits.parse().map_err(|_| ParseScoreError)
}

/// Reads `1`, `1.2`, `1.25` as hundredths.
fn centipawns(text: &str) -> Result<i32, ParseScoreError> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ParseScoreError);
    }
    let digits = fraction.bytes().chain(core::iter::repeat(b'0')).take(2);
    let hundredths = digits.fold(0, |sum, digit| sum * 10 + i32::from(digit - b'0'));
    let pawns = number(whole)?.checked_mul(100).ok_or(ParseScoreError)?;
    pawns.checked_add(hundredths).ok_or(ParseScoreError)
}

/// The error returned when a text is not a score.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ParseScoreError;

impl fmt::Display for ParseScoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a score such as 0.35, -1.2, #3 or #-3")
    }
}

impl Error for ParseScoreError {}

#[cfg(feature = "serde")]
mod serde_form {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Score;

    /// `{"cp": 35}`, `{"mate": -3}`. Only a mate that has been given has no number, because UCI's 0 means being mated.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Form {
        Cp(i32),
        Mate(i32),
        MateGiven,
    }

    impl Serialize for Score {
        fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
            let form = match *self {
                Score::MateIn(0) => Form::MateGiven,
                Score::Centipawns(value) => Form::Cp(value),
                Score::MateIn(moves) => Form::Mate(super::signed(moves)),
                Score::MatedIn(moves) => Form::Mate(-super::signed(moves)),
            };
            form.serialize(target)
        }
    }

    impl<'de> Deserialize<'de> for Score {
        fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Score, D::Error> {
            Ok(match Form::deserialize(source)? {
                Form::Cp(value) => Score::Centipawns(value),
                Form::Mate(moves) => Score::mate(moves),
                Form::MateGiven => Score::MateIn(0),
            })
        }
    }
}

#[cfg(test)]
mod tests;
