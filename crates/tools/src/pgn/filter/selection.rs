//! Selects among the matches: by number, or the first or last ones.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use crate::pgn::flags::Filter;

/// The selection among the matches.
#[derive(Debug)]
pub(super) struct Selection<'a> {
    args: &'a Filter,
    /// How many more of the first matches are wanted.
    first_left: Option<u32>,
    /// The last ones so far, if those are wanted.
    pub(super) held: VecDeque<Found>,
    /// How many games came before the current part.
    before: u64,
}

/// A match, ready to write.
#[derive(Debug)]
pub(crate) struct Found {
    /// Its number in its part, from 1.
    pub(super) number: u64,
    pub(super) text: Vec<u8>,
    pub(super) errors: u64,
}

impl Filter {
    /// Whether all matches are selected.
    pub(super) fn selects_all(&self) -> bool {
        self.games.is_none() && self.first.is_none() && self.last.is_none()
    }
}

impl Selection<'_> {
    pub(super) fn new(args: &Filter) -> Selection<'_> {
        Selection {
            args,
            first_left: args.first,
            held: VecDeque::new(),
            before: 0,
        }
    }

    /// Decides about the next match. Returns it if it is to be written now, and whether more matches are wanted.
    pub(super) fn select(&mut self, found: Found) -> (Option<Found>, ControlFlow<()>) {
        let number = self.before + found.number;
        if let Some(numbers) = &self.args.games {
            if number > numbers.last() {
                return (None, ControlFlow::Break(()));
            }
            if !numbers.contains(number) {
                return (None, ControlFlow::Continue(()));
            }
        }
        if let Some(left) = &mut self.first_left {
            let Some(fewer) = left.checked_sub(1) else {
                return (None, ControlFlow::Break(()));
            };
            *left = fewer;
        }
        let flow = match self.first_left {
            Some(0) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let Some(last) = self.args.last else {
            return (Some(found), flow);
        };
        self.held.push_back(found);
        if self.held.len() > last as usize {
            self.held.pop_front();
        }
        (None, flow)
    }

    /// Handles the end of a part with this many games. Breaks if no more games are wanted.
    pub(super) fn end_part(&mut self, games: u64) -> ControlFlow<()> {
        self.before += games;
        match &self.args.games {
            Some(numbers) if self.before >= numbers.last() => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}
