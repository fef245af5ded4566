//! Sets of squares in 64 bits.

use core::fmt;
use core::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

use crate::{Color, File, Rank, Square};

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
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square.
    pub const FULL: Bitboard = Bitboard(!0);
    /// White's back rank.
    pub const FIRST_RANK: Bitboard = Bitboard(0xff);
    /// Black's back rank.
    pub const EIGHTH_RANK: Bitboard = Bitboard(0xff << 56);
    /// Both back ranks, where no pawn can stand.
    pub const BACK_RANKS: Bitboard = Bitboard(0xff | 0xff << 56);
    /// The light squares, h1 among them.
    pub const LIGHT_SQUARES: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);
    /// The dark squares, a1 among them.
    pub const DARK_SQUARES: Bitboard = Bitboard(!0x55aa_55aa_55aa_55aa);

    /// The set of one square.
    #[inline]
    #[must_use]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square as u32)
    }

    /// A whole file.
    #[inline]
    #[must_use]
    pub const fn file(file: File) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << file as u32)
    }

    /// A whole rank.
    #[inline]
    #[must_use]
    pub const fn rank(rank: Rank) -> Bitboard {
        Bitboard(0xff << (rank as u32 * 8))
    }

    /// A side's back rank.
    #[inline]
    #[must_use]
    pub const fn back_rank(color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard::FIRST_RANK,
            Color::Black => Bitboard::EIGHTH_RANK,
        }
    }

    /// Is the square in the set?
    #[inline]
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u32 & 1 == 1
    }

    /// Is the set empty?
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many squares there are.
    #[inline]
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Is there more than one square?
    #[inline]
    #[must_use]
    pub const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The lowest square, a1 before h8.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_low_bits(self.0.trailing_zeros()))
        }
    }

    /// The highest square.
    #[inline]
    #[must_use]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_low_bits(63 - self.0.leading_zeros()))
        }
    }

    /// The one square of a set of one; `None` for other sets.
    #[must_use]
    pub const fn single(self) -> Option<Square> {
        if self.has_several() {
            None
        } else {
            self.first()
        }
    }

    /// Do all its squares lie in `other`?
    #[inline]
    #[must_use]
    pub const fn is_subset_of(self, other: Bitboard) -> bool {
        self.0 & !other.0 == 0
    }

    /// Adds a square. Returns whether it was not there before.
    #[inline]
    pub const fn insert(&mut self, square: Square) -> bool {
        let before = self.0;
        self.0 |= 1 << square as u32;
        self.0 != before
    }

    /// Takes a square away. Returns whether it was there.
    #[inline]
    pub const fn remove(&mut self, square: Square) -> bool {
        let before = self.0;
        self.0 &= !(1 << square as u32);
        self.0 != before
    }

    /// Adds a square that is not there, and takes away one that is.
    #[inline]
    pub const fn toggle(&mut self, square: Square) {
        self.0 ^= 1 << square as u32;
    }

    /// All squares moved `files` to the right and `ranks` up; those that leave the board are gone.
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
        // The files that stay on the board, in each rank.
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

    /// Mirrored at the middle of the board, a1 to a8.
    #[inline]
    #[must_use]
    pub const fn flip_vertical(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }

    /// Mirrored between the d and e files, a1 to h1.
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
    /// Eight rows from the eighth rank down, `1` for a square of the set.
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
