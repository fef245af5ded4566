//! Which of the games that fit are written: by their numbers, or the first or the last ones.

use std::collections::VecDeque;

use crate::tools::pgn::criteria::NumberList;
use crate::tools::pgn::job::Wish;

/// What is left of the games that fit.
#[derive(Debug)]
pub(super) struct Selection {
    numbers: Option<NumberList>,
    /// How many more are wanted of the first.
    first: Option<u64>,
    last: Option<usize>,
    /// The last ones so far, where those are wanted.
    held: VecDeque<Found>,
    /// How many games lie before the part that is read.
    before: u64,
}

/// A game that fits, ready to write.
#[derive(Debug)]
pub(super) struct Found {
    /// Its number in its part, from 1 on.
    pub(super) number: u64,
    pub(super) text: Vec<u8>,
    pub(super) errors: u64,
}

impl Selection {
    pub(super) fn new(
        numbers: Option<NumberList>,
        first: Option<u64>,
        last: Option<usize>,
    ) -> Selection {
        Selection {
            numbers,
            first,
            last,
            held: VecDeque::new(),
            before: 0,
        }
    }

    /// Whether all of them are.
    pub(super) fn is_all(&self) -> bool {
        self.numbers.is_none() && self.first.is_none() && self.last.is_none()
    }

    /// Takes the next game that fits, and returns it if it can be written now.
    pub(super) fn take(&mut self, found: Found) -> (Option<Found>, Wish) {
        let number = self.before + found.number;
        if let Some(numbers) = &self.numbers {
            if number > numbers.last() {
                return (None, Wish::Enough);
            }
            if !numbers.contains(number) {
                return (None, Wish::More);
            }
        }
        if let Some(left) = &mut self.first {
            let Some(fewer) = left.checked_sub(1) else {
                return (None, Wish::Enough);
            };
            *left = fewer;
        }
        let wish = match self.first {
            Some(0) => Wish::Enough,
            _ => Wish::More,
        };
        let Some(last) = self.last else {
            return (Some(found), wish);
        };
        self.held.push_back(found);
        if self.held.len() > last {
            self.held.pop_front();
        }
        (None, wish)
    }

    /// A part with this many games has been read.
    pub(super) fn end_part(&mut self, games: u64) -> Wish {
        self.before += games;
        match &self.numbers {
            Some(numbers) if self.before >= numbers.last() => Wish::Enough,
            _ => Wish::More,
        }
    }

    /// What was held back to the end.
    pub(super) fn finish(self) -> impl Iterator<Item = Found> {
        self.held.into_iter()
    }
}
