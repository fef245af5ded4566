//! Annotations, and the order of variations.

use tabiya_game::{Command, GoTo, Node, Timestamp};

use super::game::refuse;
use super::{Display, Table};
use crate::outcome::{Outcome, Outcomes, Refused};
use crate::request::NotesRequest;
use crate::variations::{self, Variation};

impl Table {
    pub(super) fn handle_notes(&mut self, request: NotesRequest, now: Timestamp) -> Outcomes {
        match request {
            NotesRequest::Comment(text) => {
                let node = Some(self.node().id());
                let has_brace = text.contains('}');
                let mut outcomes = self.apply(Command::Comment { node, text }, now);
                let done = matches!(outcomes[..], [Outcome::Happened(_)]);
                outcomes.extend((done && has_brace).then_some(Outcome::BraceReplaced));
                outcomes
            }
            NotesRequest::Glyph(glyph) => {
                if self.node().parent().is_none() {
                    return refuse(Refused::NoMoveToMark);
                }
                let node = Some(self.node().id());
                self.apply(Command::Glyph { node, glyph }, now)
            }
            NotesRequest::Marks { squares, arrows } => {
                let node = Some(self.node().id());
                let marks = Command::Marks {
                    node,
                    squares,
                    arrows,
                };
                self.apply(marks, now)
            }
            NotesRequest::Variation(wish) => self.vary(wish, now),
        }
    }

    /// Goes to another variation, or changes their order.
    fn vary(&mut self, wish: Variation, now: Timestamp) -> Outcomes {
        let node = self.node();
        match variations::command(node, wish) {
            Err(reason) => refuse(Refused::Variation(reason)),
            Ok(Command::GoTo(GoTo::Node(there))) => {
                // The main line continues after the variation's branch.
                let record = self.session.record();
                let main = record.node(there).and_then(Node::next).map(Node::id);
                let leaves = wish == Variation::Leave && self.display == Display::Board;
                if let Some(main) = main.filter(|_| leaves) {
                    self.view(main, now);
                }
                self.view(there, now)
            }
            Ok(Command::Delete(deleted)) => {
                let parent = node.parent().map(Node::id);
                let mut outcomes = self.apply(Command::Delete(deleted), now);
                if let Some(parent) = parent.filter(|_| self.display == Display::Board) {
                    outcomes.extend(self.view(parent, now));
                }
                outcomes
            }
            Ok(command) => {
                let moved = variations::branch(node).map(Node::id);
                let mut outcomes = self.apply(command, now);
                let done = matches!(outcomes[..], [Outcome::Happened(_)]);
                outcomes.extend(moved.filter(|_| done).map(Outcome::VariationMoved));
                outcomes
            }
        }
    }
}
