//! The changes to a game before it is written.

use tabiya_front::opening_names;
use tabiya_game::{Annotation, GameResult, Node, NodeId, Record};
use tabiya_rules::Status;

use crate::pgn::options::{Change, Strip};

/// The seven-tag roster.
const SEVEN: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

impl Change {
    /// Changes a game as requested.
    pub(super) fn apply(&self, record: &mut Record) {
        let strips = |what| self.strip.contains(&what);
        if strips(Strip::Variations) {
            strip_variations(record);
        }
        if strips(Strip::Comments) || strips(Strip::Glyphs) || strips(Strip::Clocks) {
            let nodes: Vec<NodeId> = record.root().subtree().map(Node::id).collect();
            for node in nodes {
                if let Some(annotation) = record.annotation_mut(node) {
                    self.strip_annotation(annotation);
                }
            }
        }
        if strips(Strip::Tags) {
            let tags = record.tags();
            let others = tags.iter().map(|(name, _)| name.to_owned());
            let others: Vec<String> = others.filter(|name| !SEVEN.contains(&&**name)).collect();
            for name in others {
                record.tags_mut().remove(&name);
            }
        }
        if self.fix_results
            && let Some(result) = result_on_board(record)
        {
            record.set_result(result);
        }
        if self.classify
            && let Some(opening) = opening_names::of_record(record)
        {
            opening_names::tag(record, opening);
        }
    }

    /// Removes from an annotation what is not wanted.
    fn strip_annotation(&self, annotation: &mut Annotation) {
        if self.strip.contains(&Strip::Comments) {
            let glyphs = std::mem::take(&mut annotation.glyphs);
            *annotation = Annotation::EMPTY;
            annotation.glyphs = glyphs;
        }
        if self.strip.contains(&Strip::Glyphs) {
            annotation.glyphs.clear();
        }
        if self.strip.contains(&Strip::Clocks) {
            annotation.clock = None;
            annotation.elapsed = None;
        }
    }
}

/// Leaves only the main line.
fn strip_variations(record: &mut Record) {
    let line = std::iter::once(record.root()).chain(record.main_line());
    let beside = line.flat_map(|node| node.children().skip(1));
    let beside: Vec<NodeId> = beside.map(Node::id).collect();
    for node in beside {
        record.delete(node);
    }
}

/// The result that follows from the last position: mate, stalemate, or insufficient material.
fn result_on_board(record: &Record) -> Option<GameResult> {
    match record.main_line_end().position().status() {
        Status::Checkmate { winner } => Some(GameResult::won_by(winner)),
        Status::Stalemate | Status::InsufficientMaterial => Some(GameResult::Draw),
        Status::Ongoing => None,
    }
}

#[cfg(test)]
mod tests;
