//! Squares, files and ranks.

use core::error::Error;
use core::fmt;
use core::str::FromStr;

use crate::Color;
use crate::short_text::ShortText;

/// Declares an enum whose variants are numbered from 0, and the checked conversion from a number.
/// The match over all variants compiles to a range check.
macro_rules! numbered {
    ($(#[$meta:meta])* $name:ident, $count:literal, $($variant:ident = $number:literal)*) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum $name { $($variant = $number),* }

        impl $name {
            /// Every value in order.
            pub const ALL: [$name; $count] = [$($name::$variant),*];

            /// Returns the value with this number, counted from 0.
            #[inline]
            #[must_use]
            pub const fn from_index(index: usize) -> Option<$name> {
                match index {
                    $($number => Some($name::$variant),)*
                    _ => None,
                }
            }

            /// Returns its number, counted from 0.
            #[inline]
            #[must_use]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// Returns the value for the low bits of a number; the high bits are ignored.
            #[inline]
            pub(crate) const fn from_low_bits(bits: u32) -> $name {
                match $name::from_index((bits % $count) as usize) {
                    Some(value) => value,
                    // A remainder is always in range; this arm only keeps the function total.
                    None => $name::ALL[0],
                }
            }
        }

        const _: () = assert!(size_of::<Option<$name>>() == 1);
    };
}

numbered! {
    /// A file of the board, from the queenside `a` to the kingside `h`.
    ///
    /// ```
    /// use tabiya_rules::{File, Square};
    ///
    /// assert_eq!(Square::E4.file(), File::E);
    /// assert_eq!(File::from_index(7), Some(File::H));
    /// ```
    File, 8, A = 0 B = 1 C = 2 D = 3 E = 4 F = 5 G = 6 H = 7
}

numbered! {
    /// A rank of the board, counted from White's side.
    ///
    /// ```
    /// use tabiya_rules::{Rank, Square};
    ///
    /// assert_eq!(Square::E4.rank(), Rank::Fourth);
    /// assert_eq!(Rank::Fourth.index(), 3);
    /// ```
    Rank, 8, First = 0 Second = 1 Third = 2 Fourth = 3 Fifth = 4 Sixth = 5 Seventh = 6 Eighth = 7
}

numbered! {
    /// A square, numbered rank by rank: a1 is 0, h1 is 7, h8 is 63.
    ///
    /// ```
    /// use tabiya_rules::{File, Rank, Square};
    ///
    /// let square: Square = "e4".parse()?;
    /// assert_eq!(square, Square::new(File::E, Rank::Fourth));
    /// assert_eq!(square.offset(1, 2), Some(Square::F6));
    /// assert_eq!(square.to_string(), "e4");
    /// # Ok::<(), tabiya_rules::ParseSquareError>(())
    /// ```
    Square, 64,
    A1 = 0 B1 = 1 C1 = 2 D1 = 3 E1 = 4 F1 = 5 G1 = 6 H1 = 7
    A2 = 8 B2 = 9 C2 = 10 D2 = 11 E2 = 12 F2 = 13 G2 = 14 H2 = 15
    A3 = 16 B3 = 17 C3 = 18 D3 = 19 E3 = 20 F3 = 21 G3 = 22 H3 = 23
    A4 = 24 B4 = 25 C4 = 26 D4 = 27 E4 = 28 F4 = 29 G4 = 30 H4 = 31
    A5 = 32 B5 = 33 C5 = 34 D5 = 35 E5 = 36 F5 = 37 G5 = 38 H5 = 39
    A6 = 40 B6 = 41 C6 = 42 D6 = 43 E6 = 44 F6 = 45 G6 = 46 H6 = 47
    A7 = 48 B7 = 49 C7 = 50 D7 = 51 E7 = 52 F7 = 53 G7 = 54 H7 = 55
    A8 = 56 B8 = 57 C8 = 58 D8 = 59 E8 = 60 F8 = 61 G8 = 62 H8 = 63
}

impl File {
    /// Returns the lower-case letter of the file.
    #[must_use]
    pub const fn char(self) -> char {
        (b'a' + self as u8) as char
    }

    /// Returns the file that a letter in either case names.
    #[must_use]
    pub const fn from_char(letter: char) -> Option<File> {
        match letter {
            'a'..='h' => File::from_index((letter as u8 - b'a') as usize),
            'A'..='H' => File::from_index((letter as u8 - b'A') as usize),
            _ => None,
        }
    }
}

impl Rank {
    /// Returns the digit of the rank.
    #[must_use]
    pub const fn char(self) -> char {
        (b'1' + self as u8) as char
    }

    /// Returns the rank that a digit names.
    #[must_use]
    pub const fn from_char(digit: char) -> Option<Rank> {
        match digit {
            '1'..='8' => Rank::from_index((digit as u8 - b'1') as usize),
            _ => None,
        }
    }

    /// Returns the rank as `color` counts it: Black's first rank is the eighth.
    #[must_use]
    pub const fn relative_to(self, color: Color) -> Rank {
        match color {
            Color::White => self,
            Color::Black => Rank::from_low_bits(7 - self as u32),
        }
    }
}

impl Square {
    /// Returns the square where a file and a rank meet.
    #[inline]
    #[must_use]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square::from_low_bits(rank as u32 * 8 + file as u32)
    }

    /// Returns the file of the square.
    #[inline]
    #[must_use]
    pub const fn file(self) -> File {
        File::from_low_bits(self as u32 & 7)
    }

    /// Returns the rank of the square.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> Rank {
        Rank::from_low_bits(self as u32 >> 3)
    }

    /// Returns whether this is a light square, such as h1.
    #[must_use]
    pub const fn is_light(self) -> bool {
        (self as u8 / 8 + self as u8 % 8) % 2 == 1
    }

    /// Returns the square `files` to the right and `ranks` up, if that is on the board.
    #[must_use]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = (self as i8 & 7).saturating_add(files);
        let rank = (self as i8 >> 3).saturating_add(ranks);
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            None
        } else {
            Square::from_index((rank * 8 + file) as usize)
        }
    }

    /// Mirrors the square vertically: a1 becomes a8.
    #[inline]
    #[must_use]
    pub const fn flip_vertical(self) -> Square {
        Square::from_low_bits(self as u32 ^ 56)
    }

    /// Mirrors the square horizontally: a1 becomes h1.
    #[inline]
    #[must_use]
    pub const fn flip_horizontal(self) -> Square {
        Square::from_low_bits(self as u32 ^ 7)
    }

    /// Returns the number of king moves between two squares.
    #[must_use]
    pub const fn distance(self, other: Square) -> u32 {
        let files = (self as u32 & 7).abs_diff(other as u32 & 7);
        let ranks = (self as u32 >> 3).abs_diff(other as u32 >> 3);
        if files > ranks { files } else { ranks }
    }

    /// Returns the square that two ASCII bytes such as `e4` name.
    #[inline]
    #[must_use]
    pub const fn from_ascii(file: u8, rank: u8) -> Option<Square> {
        let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
        if file < 8 && rank < 8 {
            Square::from_index((rank * 8 + file) as usize)
        } else {
            None
        }
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.char().fmt(f)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.char().fmt(f)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = ShortText::<2>::new();
        text.push(self.file().char() as u8);
        text.push(self.rank().char() as u8);
        text.fmt(f)
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads a file letter and a rank digit in lower case, such as `e4`.
    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match text.as_bytes() {
            [file, rank] => Square::from_ascii(*file, *rank).ok_or(ParseSquareError),
            _ => Err(ParseSquareError),
        }
    }
}

/// The error returned when a text is not a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a square: expected a file from a to h and a rank from 1 to 8, such as e4")
    }
}

impl Error for ParseSquareError {}
