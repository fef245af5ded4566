//! How the game stood, move by move, as far as an engine was asked while it was played: the evaluation bar and the curve
//! come from it, and from evaluations that are written in a file. It stays when the lines are hidden again.

use std::collections::BTreeMap;

use tabiya_game::{Node, NodeId, Record};
use tabiya_rules::Score;
use tabiya_uci::expected_score;

use crate::analysis::chance_at_end;

/// How many moves in a row are bridged that no engine has looked at.
const BRIDGED: usize = 2;

/// What is known of one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// As White sees it.
    pub score: Score,
    /// How deep the search was.
    pub depth: u32,
}

/// What is known of the places of a game.
#[derive(Clone, Debug, Default)]
pub struct Course {
    known: BTreeMap<NodeId, Known>,
}

impl Course {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// Takes in what a search says about a place. One that has only begun does not replace what a deeper one found.
    pub fn record(&mut self, node: NodeId, found: Known) {
        let known = self.known.entry(node).or_insert(found);
        if known.depth <= found.depth {
            *known = found;
        }
    }

    /// What is known of a place: what a search has found, or else what is written beside the move.
    pub fn at(&self, node: Node<'_>) -> Option<Known> {
        let found = self.known.get(&node.id()).copied();
        found.or_else(|| {
            let written = node.annotation().evaluation?;
            Some(Known {
                score: written.score,
                depth: written.depth.unwrap_or(0),
            })
        })
    }

    /// White's chances at the start and after each move of the line that is played, as far as they are known. A move or
    /// two that were answered before the engine had looked at them are bridged.
    pub fn chances(&self, record: &Record) -> Vec<Option<f64>> {
        let line = std::iter::once(record.root()).chain(record.cursor_line());
        let mut chances: Vec<Option<f64>> = line.map(|node| self.chance(node)).collect();
        let mut last: Option<usize> = None;
        for at in 0..chances.len() {
            if chances[at].is_none() {
                continue;
            }
            if let Some(before) = last.filter(|&before| at - before <= BRIDGED + 1) {
                let chance = chances[before];
                chances[before + 1..at].fill(chance);
            }
            last = Some(at);
        }
        chances
    }

    /// Whether enough is known for a curve to mean something: more than an occasional hint.
    pub fn is_a_curve(&self, record: &Record) -> bool {
        // A file that has evaluations has them from its first moves on.
        let written = |node: Node<'_>| node.annotation().evaluation.is_some();
        record.cursor_line().take(10).any(written)
            || (!self.known.is_empty() && record.cursor_line().nth(self.known.len() * 3).is_none())
    }

    fn chance(&self, node: Node<'_>) -> Option<f64> {
        let position = node.position();
        if !position.has_legal_move() {
            let winner = position.is_check().then_some(!position.turn());
            return Some(chance_at_end(winner));
        }
        self.at(node).map(|known| expected_score(known.score))
    }
}

#[cfg(test)]
mod tests;
