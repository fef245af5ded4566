//! The two sides, and a value for each of them.

use core::error::Error;
use core::fmt;
use core::ops::{Index, IndexMut, Not};
use core::str::FromStr;

/// One of the two sides.
///
/// ```
/// use tabiya_rules::Color;
///
/// assert_eq!(!Color::White, Color::Black);
/// assert_eq!("b".parse(), Ok(Color::Black));
/// assert_eq!(Color::Black.to_string(), "Black");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// The side that moves first.
    White,
    /// The other side.
    Black,
}

impl Color {
    /// Both colors, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// Returns `w` or `b`, as FEN writes the side to move.
    #[must_use]
    pub const fn char(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }

    /// Returns `White` or `Black`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Color::White => "White",
            Color::Black => "Black",
        }
    }

    /// Returns whether this is White.
    #[must_use]
    pub const fn is_white(self) -> bool {
        matches!(self, Color::White)
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Color {
    type Err = ParseColorError;

    /// Reads `w`, `b`, or a color's name in any case.
    fn from_str(text: &str) -> Result<Color, ParseColorError> {
        let named = |color: &Color| {
            text.eq_ignore_ascii_case(color.name()) || text.chars().eq([color.char()])
        };
        Color::ALL.into_iter().find(named).ok_or(ParseColorError)
    }
}

/// The error returned when a text is not a color.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseColorError;

impl fmt::Display for ParseColorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a color: expected w, b, white or black")
    }
}

impl Error for ParseColorError {}

/// One value for each color, indexed by [`Color`].
///
/// ```
/// use tabiya_rules::{ByColor, Color};
///
/// let mut clocks = ByColor::new(300, 300);
/// clocks[Color::Black] -= 12;
/// assert_eq!((clocks.white, clocks.black), (300, 288));
/// assert_eq!(clocks.map(|seconds| seconds / 60).white, 5);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ByColor<T> {
    /// White's value.
    pub white: T,
    /// Black's value.
    pub black: T,
}

impl<T> ByColor<T> {
    /// Creates a pair from a value for each side.
    #[must_use]
    pub const fn new(white: T, black: T) -> Self {
        ByColor { white, black }
    }

    /// Computes both values from their colors.
    #[inline]
    pub fn from_fn(mut make: impl FnMut(Color) -> T) -> Self {
        ByColor {
            white: make(Color::White),
            black: make(Color::Black),
        }
    }

    /// Applies `change` to both values.
    #[inline]
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> ByColor<U> {
        ByColor {
            white: change(self.white),
            black: change(self.black),
        }
    }

    /// Returns the values with their colors, White first.
    pub fn iter(&self) -> impl Iterator<Item = (Color, &T)> {
        [(Color::White, &self.white), (Color::Black, &self.black)].into_iter()
    }
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    #[inline]
    fn index(&self, color: Color) -> &T {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    #[inline]
    fn index_mut(&mut self, color: Color) -> &mut T {
        match color {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }
}
