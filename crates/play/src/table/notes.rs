//! Annotations, and the order of variations.

use tabiya_game::{Command, GoTo, Node, Timestamp};

use super::{Display, Handled, Table};
use crate::outcome::{Outcome, TableRefusal};
use crate::request::NotesRequest;
use crate::variations::{self, VariationAction};

impl Table {
    /// Carries out a request that annotates the game.
    pub(super) fn handle_notes(&mut self, request: NotesRequest, now: Timestamp) -> Handled {
        let node = Some(self.node().id());
        match request {
            NotesRequest::Comment(text) => {
                let has_brace = text.contains('}');
                self.apply_or_refuse(Command::Comment { node, text }, now);
                if has_brace && self.has_changed() {
                    self.push(Outcome::BraceReplaced);
                }
            }
            NotesRequest::Glyph(glyph) => {
                self.node().parent().ok_or(TableRefusal::NoMoveToMark)?;
                self.apply_or_refuse(Command::Glyph { node, glyph }, now);
            }
            NotesRequest::Marks { squares, arrows } => {
                let marks = Command::Marks {
                    node,
                    squares,
                    arrows,
                };
                self.apply_or_refuse(marks, now);
            }
            NotesRequest::Variation(action) => self.handle_variation(action, now)?,
        }
        Ok(())
    }

    /// Whether the request has changed the game.
    fn has_changed(&self) -> bool {
        matches!(self.outcomes[..], [Outcome::Happened(_)])
    }

    /// Goes to another variation, or changes their order.
    fn handle_variation(&mut self, action: VariationAction, now: Timestamp) -> Handled {
        let node = self.node();
        match variations::command(node, action) {
            Err(reason) => return Err(TableRefusal::Variation(reason)),
            Ok(Command::GoTo(GoTo::Node(there))) => {
                // The main line continues after the variation's branch.
                let record = self.session.record();
                let main = record.node(there).and_then(Node::next).map(Node::id);
                let leaves = action == VariationAction::Leave && self.display == Display::Board;
                if let Some(main) = main.filter(|_| leaves) {
                    self.view(main, now);
                    // Only where the way ends is reported.
                    self.outcomes.clear();
                }
                self.view(there, now);
            }
            Ok(Command::Delete(deleted)) => {
                let parent = node.parent().map(Node::id);
                self.apply_or_refuse(Command::Delete(deleted), now);
                if let Some(parent) = parent.filter(|_| self.display == Display::Board) {
                    self.view(parent, now);
                }
            }
            Ok(command) => {
                let moved = variations::branch(node).map(Node::id);
                self.apply_or_refuse(command, now);
                if let Some(moved) = moved.filter(|_| self.has_changed()) {
                    self.push(Outcome::VariationMoved(moved));
                }
            }
        }
        Ok(())
    }
}
