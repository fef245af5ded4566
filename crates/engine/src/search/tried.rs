//! The moves that were tried in vain before one was good enough, and what is remembered of them.

use tabiya_rules::Move;

use super::history::{Context, bonus, captured};
use super::moves::Candidate;
use super::tree::{Here, Tree};

/// The moves that were tried in vain, the first of them at least.
#[derive(Debug, Default)]
pub(super) struct Tried {
    quiets: [Option<Move>; 32],
    captures: [Option<Move>; 16],
    quiet_count: usize,
    capture_count: usize,
}

impl Tried {
    pub(super) fn push(&mut self, m: Move, quiet: bool) {
        let (list, count) = match quiet {
            true => (&mut self.quiets[..], &mut self.quiet_count),
            false => (&mut self.captures[..], &mut self.capture_count),
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

impl Tree<'_> {
    /// Remembers a move that was good enough, and those that were tried before it in vain.
    pub(super) fn reward(
        &mut self,
        here: &Here,
        depth: i32,
        context: &Context,
        best: &Candidate,
        tried: &Tried,
    ) {
        let bonus = bonus(depth);
        let (position, turn, m) = (&here.position, context.turn, best.m);
        let histories = &mut self.memory.histories;
        if best.quiet {
            histories.reward_quiet(context, m, bonus);
            for &other in tried.quiets() {
                histories.reward_quiet(context, other, -bonus);
            }
        } else {
            histories.reward_capture(turn, m, captured(position, m), bonus);
        }
        for &other in tried.captures() {
            histories.reward_capture(turn, other, captured(position, other), -bonus);
        }
    }
}
