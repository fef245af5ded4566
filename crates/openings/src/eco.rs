//! Codes of the Encyclopedia of Chess Openings, A00 to E99.

use core::error::Error;
use core::fmt;
use core::str::FromStr;

/// A code of the Encyclopedia of Chess Openings, from A00 to E99.
///
/// Codes are ordered as the encyclopedia has them.
///
/// ```
/// use tabiya_openings::Eco;
///
/// let eco: Eco = "C60".parse()?;
/// assert_eq!(format!("{eco} {eco:>5}"), "C60   C60");
/// assert_eq!((eco.volume(), eco.number()), ('C', 60));
/// assert!(eco < "C61".parse()?);
/// # Ok::<(), tabiya_openings::ParseEcoError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Eco(u16);

impl Eco {
    /// How many codes there are.
    pub const COUNT: usize = 500;

    /// The code with an index, 0 for A00 and 499 for E99.
    #[must_use]
    pub const fn from_index(index: u16) -> Option<Eco> {
        if (index as usize) < Eco::COUNT {
            Some(Eco(index))
        } else {
            None
        }
    }

    /// The index of the code, 0 for A00 and 499 for E99.
    #[must_use]
    pub const fn index(self) -> u16 {
        self.0
    }

    /// The letter of the volume, `'A'` to `'E'`.
    #[must_use]
    pub const fn volume(self) -> char {
        (b'A' + (self.0 / 100) as u8) as char
    }

    /// The number within the volume, 0 to 99.
    #[must_use]
    pub const fn number(self) -> u8 {
        (self.0 % 100) as u8
    }

    /// All codes in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Eco> + ExactSizeIterator {
        (0..Eco::COUNT as u16).map(Eco)
    }
}

impl fmt::Display for Eco {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{:02}", self.volume(), self.number()))
    }
}

impl fmt::Debug for Eco {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Eco {
    type Err = ParseEcoError;

    fn from_str(text: &str) -> Result<Eco, ParseEcoError> {
        let &[letter @ b'A'..=b'E', tens @ b'0'..=b'9', ones @ b'0'..=b'9'] = text.as_bytes()
        else {
            return Err(ParseEcoError);
        };
        let number = |digit: u8| u16::from(digit - b'0');
        Ok(Eco(u16::from(letter - b'A') * 100
            + number(tens) * 10
            + number(ones)))
    }
}

/// The text is not a code from A00 to E99.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ParseEcoError;

impl fmt::Display for ParseEcoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an ECO code: expected a letter from A to E and two digits, such as C60")
    }
}

impl Error for ParseEcoError {}
