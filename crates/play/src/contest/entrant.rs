//! The two players of a match, independent of their colors in a game.

use std::ops::{Index, IndexMut, Not};

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entrant {
    /// The first player, from whose point of view the score is given.
    A,
    /// The second player.
    B,
}

impl Not for Entrant {
    type Output = Entrant;

    fn not(self) -> Entrant {
        match self {
            Entrant::A => Entrant::B,
            Entrant::B => Entrant::A,
        }
    }
}

/// A value for each player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByEntrant<T> {
    /// Of the first player.
    pub a: T,
    /// Of the second.
    pub b: T,
}

impl<T> ByEntrant<T> {
    /// One value for each.
    pub fn new(a: T, b: T) -> ByEntrant<T> {
        ByEntrant { a, b }
    }
}

impl<T> Index<Entrant> for ByEntrant<T> {
    type Output = T;

    fn index(&self, entrant: Entrant) -> &T {
        match entrant {
            Entrant::A => &self.a,
            Entrant::B => &self.b,
        }
    }
}

impl<T> IndexMut<Entrant> for ByEntrant<T> {
    fn index_mut(&mut self, entrant: Entrant) -> &mut T {
        match entrant {
            Entrant::A => &mut self.a,
            Entrant::B => &mut self.b,
        }
    }
}
