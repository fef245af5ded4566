//! What follows from the moves up to the cursor: how often each position has occurred, and what the clocks
//! showed.
//!
//! It is separate from the record because deriving it each time would walk the whole line; instead it follows
//! the cursor step by step. It holds no fact of its own: rebuilding it from the record gives the same value.

use core::time::Duration;
use std::collections::HashMap;

use tabiya_rules::{ByColor, Position};

use crate::record::{NodeId, Record};

/// The time left to each side; `None` for a side without a limit.
pub(crate) type Readings = ByColor<Option<Duration>>;

#[derive(Clone, Debug)]
pub(crate) struct History {
    /// The path from the root to the cursor, both included; the root is never removed.
    steps: Vec<Passed>,
    /// The last ply at which each position occurred.
    last: HashMap<Position, u32>,
}

#[derive(Clone, Copy, Debug)]
struct Passed {
    node: NodeId,
    /// How often the position has occurred up to here.
    count: u32,
    /// The previous ply at which it occurred.
    before: Option<u32>,
    readings: Readings,
}

impl History {
    /// Creates the history of a record, given what the clocks show at the start.
    pub(crate) fn new(record: &Record, initial: Readings) -> History {
        let root = Passed {
            node: NodeId::ROOT,
            count: 1,
            before: None,
            readings: initial,
        };
        let last = HashMap::from([(*record.start(), 0)]);
        let mut history = History {
            steps: vec![root],
            last,
        };
        history.move_to_cursor(record);
        history
    }

    /// Moves to the cursor of the record.
    pub(crate) fn move_to_cursor(&mut self, record: &Record) {
        let way = record.way();
        while self.steps.len() > way.len() + 1
            || (self.steps.len() > 1 && way[self.steps.len() - 2] != self.top().node)
        {
            self.pop(record);
        }
        for &id in &way[self.steps.len() - 1..] {
            self.push(record, id);
        }
    }

    /// Returns how often the position at the cursor has occurred.
    pub(crate) fn count(&self) -> u32 {
        self.top().count
    }

    /// Returns what the clocks showed when the cursor's move was made.
    pub(crate) fn readings(&self) -> Readings {
        self.top().readings
    }

    /// Returns the plies at which a position occurred before the cursor, in order.
    pub(crate) fn plies(&self, position: &Position) -> Vec<u32> {
        let first = self.last.get(position).copied();
        let mut plies: Vec<u32> =
            core::iter::successors(first, |&ply| self.steps[ply as usize].before).collect();
        plies.reverse();
        plies
    }

    /// Returns the last entry, that of the cursor.
    fn top(&self) -> &Passed {
        // The root is never popped.
        &self.steps[self.steps.len() - 1]
    }

    /// Adds the entry of a node that follows the last one.
    fn push(&mut self, record: &Record, id: NodeId) {
        let Some(node) = record.node(id) else { return };
        let position = node.position();
        let before = self.last.insert(*position, node.ply());
        let count = before.map_or(0, |ply| self.steps[ply as usize].count) + 1;
        let mut readings = self.top().readings;
        let mover = !position.turn();
        if let (Some(reading), Some(clock)) = (&mut readings[mover], node.annotation().clock) {
            *reading = clock;
        }
        self.steps.push(Passed {
            node: id,
            count,
            before,
            readings,
        });
    }

    /// Removes the last entry.
    fn pop(&mut self, record: &Record) {
        let ply = self.steps.len() - 1;
        let Some(passed) = self.steps.pop() else {
            return;
        };
        let position = record.position_of(passed.node);
        debug_assert_eq!(self.last.get(position).map(|&ply| ply as usize), Some(ply));
        match passed.before {
            Some(before) => self.last.insert(*position, before),
            None => self.last.remove(position),
        };
    }
}
