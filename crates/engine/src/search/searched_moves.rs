//! The moves searched before a beta cutoff, and the history updates that follow from it.

use tabiya_rules::Move;

use super::history::HistoryContext;
use super::move_loop::Candidate;
use super::thread::{Node, SearchThread};

/// The moves of a node that failed to raise alpha, up to a limit of each kind.
#[derive(Debug, Default)]
pub(super) struct SearchedMoves {
    quiets: [Option<Move>; 32],
    captures: [Option<Move>; 16],
    quiet_count: usize,
    capture_count: usize,
}

impl SearchedMoves {
    /// Adds a move, unless the list of its kind is full.
    pub(super) fn push(&mut self, m: Move, quiet: bool) {
        let (list, count) = if quiet {
            (&mut self.quiets[..], &mut self.quiet_count)
        } else {
            (&mut self.captures[..], &mut self.capture_count)
        };
        if let Some(slot) = list.get_mut(*count) {
            *slot = Some(m);
            *count += 1;
        }
    }

    fn quiets(&self) -> impl Iterator<Item = &Move> {
        self.quiets[..self.quiet_count].iter().flatten()
    }

    fn captures(&self) -> impl Iterator<Item = &Move> {
        self.captures[..self.capture_count].iter().flatten()
    }
}

impl SearchThread<'_> {
    /// Rewards the move that caused a beta cutoff, and penalizes those searched before it.
    pub(super) fn update_histories(
        &mut self,
        node: &Node,
        depth: i32,
        context: &HistoryContext,
        best: &Candidate,
        searched: &SearchedMoves,
    ) {
        let bonus = self.data.params.history_bonus(depth);
        let (position, turn, m) = (&node.position, context.turn, best.m);
        let histories = &mut self.data.histories;
        if best.quiet {
            histories.update_quiet(context, m, bonus);
            for &other in searched.quiets() {
                histories.update_quiet(context, other, -bonus);
            }
        } else {
            histories.update_capture(turn, m, position.captured_role(m), bonus);
        }
        for &other in searched.captures() {
            histories.update_capture(turn, other, position.captured_role(other), -bonus);
        }
    }
}
