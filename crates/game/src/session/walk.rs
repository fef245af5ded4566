//! Walking through the record: undo, redo, and going to a place.
//!
//! The act that ended a game (a claim, a resignation, an agreement, a flag) is a step of its own after the last
//! move: undo takes it back first, and redo restores it.

use super::Session;
use crate::clock::Timestamp;
use crate::command::{GoTo, UndoTo};
use crate::event::Event;
use crate::refusal::Refusal;

impl Session {
    /// Takes back moves, and first the act that ended the game.
    pub(super) fn undo(&mut self, to: UndoTo, now: Timestamp) -> Result<Vec<Event>, Refusal> {
        let plies = self.plies_to_undo(to)?;
        let reopened = self.outcome().filter(|_| self.ended);
        self.count_time(now);
        self.ended = false;
        let plies = self.record.back(plies);
        self.update_derived();
        let mut events = vec![Event::Undone { plies, reopened }];
        self.announce(&mut events);
        Ok(events)
    }

    /// Returns the number of moves an undo takes back, apart from the act that ended the game.
    fn plies_to_undo(&self, to: UndoTo) -> Result<u32, Refusal> {
        let ply = self.ply();
        let act = u32::from(self.ended);
        match to {
            UndoTo::Plies(steps) if steps == 0 || ply + act == 0 => Err(Refusal::NothingToUndo),
            UndoTo::Plies(steps) => Ok(ply.min(steps - act)),
            UndoTo::TurnOf(color) => {
                let back = match (self.turn() == color, self.ended) {
                    (true, true) => 0,
                    (true, false) => 2,
                    (false, _) => 1,
                };
                if back <= ply {
                    Ok(back)
                } else if self.ended {
                    Ok(0)
                } else {
                    Err(Refusal::NothingToUndo)
                }
            }
        }
    }

    /// Plays again what was taken back.
    pub(super) fn redo(&mut self, steps: u32, now: Timestamp) -> Result<Vec<Event>, Refusal> {
        let ahead = self.record.cursor_line().len() as u32 - self.ply();
        let last = self
            .record
            .cursor_line()
            .next_back()
            .unwrap_or(self.record.root())
            .id();
        let act = !self.ended
            && self
                .record
                .extra(last)
                .is_some_and(|extra| extra.ending.is_some());
        if steps == 0 || (ahead == 0 && !act) {
            return Err(Refusal::NothingToRedo);
        }
        self.count_time(now);
        let plies = self.record.forward(steps);
        self.ended = act && steps > plies;
        self.update_derived();
        let mut events = vec![Event::Redone { plies }];
        self.announce(&mut events);
        Ok(events)
    }

    /// Goes to a place of the record.
    pub(super) fn go_to(&mut self, place: GoTo, now: Timestamp) -> Result<Vec<Event>, Refusal> {
        let last = self.record.cursor_line().len() as u32;
        let ply = match place {
            GoTo::Start => 0,
            GoTo::End => last,
            GoTo::Ply(ply) => ply,
            GoTo::Node(node) => {
                self.record.node(node).ok_or(Refusal::NoSuchMove)?;
                self.count_time(now);
                self.record.go_to(node);
                return Ok(self.finish_going());
            }
        };
        let node = self
            .record
            .on_line(ply)
            .ok_or(Refusal::NoSuchPly { ply, last })?
            .id();
        self.count_time(now);
        self.record.go_to(node);
        Ok(self.finish_going())
    }

    /// Updates the session after going to a place. At the end of a line that ended with an act, the cursor is
    /// past the act.
    fn finish_going(&mut self) -> Vec<Event> {
        let node = self.record.cursor_id();
        let ending = self.record.extra(node).and_then(|extra| extra.ending);
        self.ended = self.record.at_line_end() && ending.is_some();
        self.update_derived();
        let mut events = vec![Event::WentTo {
            node,
            ply: self.ply(),
        }];
        self.announce(&mut events);
        events
    }
}
