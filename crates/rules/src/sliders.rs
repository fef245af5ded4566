//! The attacks of sliding pieces, in two fast forms with the same answers: `lines`, plain arithmetic that needs almost no
//! memory and suits every CPU, and `table`, one look-up through the PEXT instruction. The slow form in `walk` makes the
//! tables and is what both are tested against.

pub(crate) mod lines;
// Only where PEXT may be used; elsewhere its 860 KiB are left out.
#[cfg(any(
    test,
    all(target_arch = "x86_64", any(feature = "std", target_feature = "bmi2"))
))]
pub(crate) mod table;
pub(crate) mod walk;

use crate::{Bitboard, Square};

/// A way to find the attacks of sliding pieces. A [`Task`](crate::cpu::Task) is compiled once for each.
pub trait Sliders: Copy {
    /// [`Sliders::rook`] by the number of a square and the bits of a set.
    #[doc(hidden)]
    fn rook_bits(self, square: usize, occupied: u64) -> u64;

    /// [`Sliders::bishop`] by the number of a square and the bits of a set.
    #[doc(hidden)]
    fn bishop_bits(self, square: usize, occupied: u64) -> u64;

    /// The squares a rook attacks, up to and including the first piece in each direction.
    #[inline(always)]
    #[must_use]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(self.rook_bits(square as usize, occupied.0))
    }

    /// The squares a bishop attacks, up to and including the first piece in each direction.
    #[inline(always)]
    #[must_use]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(self.bishop_bits(square as usize, occupied.0))
    }

    /// The squares a queen attacks, up to and including the first piece in each direction.
    #[inline(always)]
    #[must_use]
    fn queen(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.rook(square, occupied) | self.bishop(square, occupied)
    }
}
