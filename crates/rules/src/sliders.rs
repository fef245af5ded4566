//! The attacks of sliding pieces, in two fast forms with the same results: `hyperbola`, plain arithmetic that needs almost
//! no memory and suits every CPU, and `table`, one look-up through the PEXT instruction. The slow form in `walk` makes
//! the tables, and both fast forms are tested against it.

pub(crate) mod hyperbola;
// Only where PEXT may be used; elsewhere the table's 860 KiB are left out.
#[cfg(any(
    test,
    all(target_arch = "x86_64", any(feature = "std", target_feature = "bmi2"))
))]
pub(crate) mod table;
pub(crate) mod walk;

use crate::{Bitboard, Square};

/// A way to find the attacks of sliding pieces. A [`Task`](crate::cpu::Task) is compiled once for each way.
pub trait Sliders: Copy {
    /// Like [`Sliders::rook`], with a square's number and a set's bits.
    #[doc(hidden)]
    fn rook_bits(self, square: usize, occupied: u64) -> u64;

    /// Like [`Sliders::bishop`], with a square's number and a set's bits.
    #[doc(hidden)]
    fn bishop_bits(self, square: usize, occupied: u64) -> u64;

    /// Returns the squares a rook attacks, up to and including the first piece in each direction.
    #[inline(always)]
    #[must_use]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(self.rook_bits(square as usize, occupied.0))
    }

    /// Returns the squares a bishop attacks, up to and including the first piece in each direction.
    #[inline(always)]
    #[must_use]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(self.bishop_bits(square as usize, occupied.0))
    }

    /// Returns the squares a queen attacks, up to and including the first piece in each direction.
    #[inline(always)]
    #[must_use]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.rook(square, occupied) | self.bishop(square, occupied)
    }
}
