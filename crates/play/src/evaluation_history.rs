//! How the game stood, move by move, as far as an engine was consulted while it was played. The evaluation bar and the
//! curve use this and the evaluations of a file. It stays when the lines are hidden again.

use std::collections::BTreeMap;

use tabiya_game::{Evaluation, Node, NodeId, Record};

use crate::analysis;

/// How many moves in a row without an evaluation get the one before them.
const BRIDGED: usize = 2;

/// What is known about the positions of a game.
#[derive(Clone, Debug, Default)]
pub struct EvaluationHistory {
    known: BTreeMap<NodeId, Evaluation>,
}

impl EvaluationHistory {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// Records the result of a search. A search that has only just begun does not replace the result of a deeper one.
    pub fn record(&mut self, node: NodeId, found: Evaluation) {
        let known = self.known.entry(node).or_insert(found);
        if known.depth.unwrap_or(0) <= found.depth.unwrap_or(0) {
            *known = found;
        }
    }

    /// What is known about a position: the result of a search, or else the evaluation in the annotation.
    pub fn at(&self, node: Node<'_>) -> Option<Evaluation> {
        let found = self.known.get(&node.id()).copied();
        found.or(node.annotation().evaluation)
    }

    /// White's chances at the start and after each move of the line being played, where known. A gap of a move or two
    /// that were played before the engine had looked at them has the chance before it.
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

    /// Whether enough is known for a meaningful curve: more than an occasional hint.
    pub fn is_a_curve(&self, record: &Record) -> bool {
        // A file with evaluations has them from the first moves on.
        let written = |node: Node<'_>| node.annotation().evaluation.is_some();
        record.cursor_line().take(10).any(written)
            || (!self.known.is_empty() && record.cursor_line().nth(self.known.len() * 3).is_none())
    }

    /// White's chance at a node, if it is known.
    fn chance(&self, node: Node<'_>) -> Option<f64> {
        analysis::chance(node.position(), self.at(node).map(|known| known.score))
    }
}

#[cfg(test)]
mod tests;
