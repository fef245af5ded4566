//! Sets of squares in 64 bits.

use core::fmt;
use core::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

use crate::{Color, File, Rank, Square};

/// Where a shift to the east cannot have wrapped around.
pub(crate) const NOT_A_FILE: u64 = !Bitboard::file(File::A).0;
/// Where a shift to the west cannot have wrapped around.
pub(crate) const NOT_H_FILE: u64 = !Bitboard::file(File::H).0;

/// A set of squares; bit 0 is a1, bit 63 is h8.
///
/// ```
/// use tabiya_rules::{Bitboard, Square};
///
/// let corners = Bitboard::from_iter([Square::A1, Square::H1, Square::A8, Square::H8]);
/// assert_eq!(corners.count(), 4);
/// assert!(corners.contains(Square::A8));
/// assert_eq!((corners & Bitboard::FIRST_RANK).into_iter().last(), Some(Square::H1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// The set of all squares.
    pub const FULL: Bitboard = Bitboard(!0);
    /// White's back rank.
    pub const FIRST_RANK: Bitboard = Bitboard(0xff);
    /// Black's back rank.
    pub const EIGHTH_RANK: Bitboard = Bitboard(0xff << 56);
    /// Both back ranks, where no pawn can stand.
    pub const BACK_RANKS: Bitboard = Bitboard(0xff | 0xff << 56);
    /// The light squares, such as h1.
    pub const LIGHT_SQUARES: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
    /// The dark squares, such as a1.
    pub const DARK_SQUARES: Bitboard = Bitboard(!0x55aa_55aa_55aa_55aa);

    /// Returns the set of one square.
    #[inline]
    #[must_use]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square as u32)
    }

    /// Returns a whole file.
    #[inline]
    #[must_use]
    pub const fn file(file: File) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << file as u32)
    }

    /// Returns a whole rank.
    #[inline]
    #[must_use]
    pub const fn rank(rank: Rank) -> Bitboard {
        Bitboard(0xff << (rank as u32 * 8))
    }

    /// Returns a side's back rank.
    #[inline]
    #[must_use]
    pub const fn back_rank(color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard::FIRST_RANK,
            Color::Black => Bitboard::EIGHTH_RANK,
        }
    }

    /// Returns whether the square is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u32 & 1 == 1
    }

    /// Returns whether the set is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of squares in the set.
    #[inline]
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether the set has more than one square.
    #[inline]
    #[must_use]
    pub const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Returns the lowest square, counted from a1.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_low_bits(self.0.trailing_zeros()))
        }
    }

    /// Returns the highest square, counted from a1.
    #[inline]
    #[must_use]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_low_bits(63 - self.0.leading_zeros()))
        }
    }

    /// Returns the square if the set has exactly one.
    #[inline]
    #[must_use]
    pub const fn single(self) -> Option<Square> {
        if self.has_several() {
            None
        } else {
            self.first()
        }
    }

    /// Returns whether every square of this set is in `other`.
    #[inline]
    #[must_use]
    pub const fn is_subset_of(self, other: Bitboard) -> bool {
        self.0 & !other.0 == 0
    }

    /// Adds a square. Returns whether it was absent before.
    #[inline]
    pub const fn insert(&mut self, square: Square) -> bool {
        let before = self.0;
        self.0 |= 1 << square as u32;
        self.0 != before
    }

    /// Removes a square. Returns whether it was present.
    #[inline]
    pub const fn remove(&mut self, square: Square) -> bool {
        let before = self.0;
        self.0 &= !(1 << square as u32);
        self.0 != before
    }

    /// Adds a square if it is absent, and removes it if it is present.
    #[inline]
    pub const fn toggle(&mut self, square: Square) {
        self.0 ^= 1 << square as u32;
    }

    /// Shifts all squares `files` to the right and `ranks` up. Squares that leave the board are
    /// dropped.
    ///
    /// ```
    /// use tabiya_rules::{Bitboard, File, Square};
    ///
    /// assert_eq!(Bitboard::of(Square::E4).shift(1, -1), Bitboard::of(Square::F3));
    /// assert_eq!(Bitboard::file(File::H).shift(1, 0), Bitboard::EMPTY);
    /// ```
    #[must_use]
    pub const fn shift(self, files: i8, ranks: i8) -> Bitboard {
        if files <= -8 || files >= 8 || ranks <= -8 || ranks >= 8 {
            return Bitboard::EMPTY;
        }
        // The files of each rank that stay on the board.
        let row = if files >= 0 {
            0xff_u64 >> files
        } else {
            0xff_u64 << -files & 0xff
        };
        let staying = self.0 & (row * 0x0101_0101_0101_0101);
        let moved = if files >= 0 {
            staying << files
        } else {
            staying >> -files
        };
        Bitboard(if ranks >= 0 {
            moved << (8 * ranks as u32)
        } else {
            moved >> (8 * ranks.unsigned_abs() as u32)
        })
    }

    /// Mirrors the set vertically: a1 becomes a8.
    #[inline]
    #[must_use]
    pub const fn flip_vertical(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }

    /// Mirrors the set horizontally: a1 becomes h1.
    #[inline]
    #[must_use]
    pub const fn flip_horizontal(self) -> Bitboard {
        Bitboard(self.0.reverse_bits().swap_bytes())
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Bitboard {
        Bitboard::of(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        for square in squares {
            set |= square;
        }
        set
    }
}

/// The squares of a [`Bitboard`], from a1 to h8.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first();
        self.0.0 &= self.0.0.wrapping_sub(1);
        square
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The set operators, between sets and between a set and a square.
macro_rules! set_operators {
    ($($trait:ident $method:ident $assign_trait:ident $assign:ident |$left:ident, $right:ident| $value:expr;)*) => {$(
        impl<T: Into<Bitboard>> $trait<T> for Bitboard {
            type Output = Bitboard;

            #[inline]
            fn $method(self, other: T) -> Bitboard {
                let ($left, $right) = (self.0, other.into().0);
                Bitboard($value)
            }
        }

        impl<T: Into<Bitboard>> $assign_trait<T> for Bitboard {
            #[inline]
            fn $assign(&mut self, other: T) {
                *self = $trait::$method(*self, other);
            }
        }
    )*};
}

set_operators! {
    BitAnd bitand BitAndAssign bitand_assign |left, right| left & right;
    BitOr bitor BitOrAssign bitor_assign |left, right| left | right;
    BitXor bitxor BitXorAssign bitxor_assign |left, right| left ^ right;
    Sub sub SubAssign sub_assign |left, right| left & !right;
}

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl fmt::Debug for Bitboard {
    /// Writes eight rows from the eighth rank down, with `1` for a square of the set.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let mark = if self.contains(Square::new(file, rank)) {
                    "1"
                } else {
                    "."
                };
                f.write_str(mark)?;
                f.write_str(if file == File::H { "\n" } else { " " })?;
            }
        }
        Ok(())
    }
}
