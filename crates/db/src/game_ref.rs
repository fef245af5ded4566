//! How the rows of other tables name a game: by its ID, or by half of it.

use std::ops::RangeInclusive;

/// The high 32 bits of a game's ID. `tree` and `exits` have only these, because IDs do not compress and whole ones would
/// be a third of their bytes.
///
/// Several games may share a prefix. The position and the move of the row then identify the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct IdPrefix(u32);

impl IdPrefix {
    pub(crate) const fn of(id: u64) -> IdPrefix {
        IdPrefix((id >> 32) as u32)
    }

    /// The prefix in the type that every query engine has.
    pub(crate) const fn signed(self) -> i32 {
        self.0.cast_signed()
    }

    pub(crate) const fn from_signed(number: i32) -> IdPrefix {
        IdPrefix(number.cast_unsigned())
    }
}

/// A game, as a row names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum GameRef {
    Id(u64),
    Prefix(IdPrefix),
}

impl GameRef {
    /// The IDs that the game may have.
    pub(crate) fn ids(self) -> RangeInclusive<u64> {
        match self {
            GameRef::Id(id) => id..=id,
            GameRef::Prefix(IdPrefix(prefix)) => {
                let first = u64::from(prefix) << 32;
                first..=first | u64::from(u32::MAX)
            }
        }
    }
}
