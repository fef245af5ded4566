//! The moves of a node, tried one after the other until one is good enough.
//!
//! The first is searched with the node's own window. Of the others it has to be shown only that they are not better, late
//! ones less deep at first; a move that turns out better is searched again as the first was.

use std::ops::ControlFlow;

use tabiya_rules::Move;

use super::checks::Checks;
use super::extensions::Extension;
use super::history::{Context, captured};
use super::negamax::Node;
use super::picker::{Picker, is_quiet};
use super::pruning::Skip;
use super::reductions::lessened;
use super::tree::{Here, Tree};
use super::tried::Tried;
use crate::score::INFINITE;

/// From this depth on, late moves are searched less deep at first.
const REDUCTION_DEPTH: i32 = 3;

/// What the moves of a node came to.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) best: i32,
    /// The move that raised the score above the window's lower end.
    pub(super) best_move: Option<Move>,
    /// Whether there was any legal move.
    pub(super) any: bool,
}

impl Outcome {
    /// Before the first move.
    const NONE: Outcome = Outcome {
        best: -INFINITE,
        best_move: None,
        any: false,
    };
}

/// A move that is about to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) m: Move,
    /// Its number among the moves of the node, from 1.
    pub(super) number: usize,
    pub(super) quiet: bool,
    /// Whether the piece that moves gives check.
    pub(super) checks: bool,
    /// What the histories promise.
    pub(super) history: i32,
}

impl Tree<'_> {
    /// Tries the moves, the most promising first.
    pub(super) fn moves<const OPEN: bool>(&mut self, here: &Here, node: &Node) -> Outcome {
        let position = &here.position;
        let known = node.known.and_then(|entry| entry.best);
        let context = self.context(here);
        let mut picker = Picker::new(&self.stack, position, node.in_check, known);
        let mut outcome = Outcome::NONE;
        let (mut alpha, mut number) = (node.alpha, 0);
        let mut tried = Tried::default();
        let checks = Checks::new(position);
        let mut only_checks = false;
        while let Some(m) = picker.next(
            &mut self.stack,
            position,
            node.in_check,
            &self.memory.histories,
            &context,
        ) {
            if Some(m) == node.excluded {
                continue;
            }
            outcome.any = true;
            if !node.in_check && self.handicap.overlooks(position, m) {
                continue;
            }
            let quiet = is_quiet(position, m);
            let checks = checks.has(m);
            if only_checks && quiet && !checks {
                continue;
            }
            number += 1;
            let candidate = Candidate {
                m,
                number,
                quiet,
                checks,
                history: self.promise(here, &context, m, quiet),
            };
            match self.skips::<OPEN>(here, node, (alpha, outcome.best), &candidate) {
                Skip::No => {}
                Skip::This => continue,
                Skip::Quiets => {
                    // A check may be a mate, and is looked at all the same.
                    picker.stop_sorting();
                    only_checks = true;
                    continue;
                }
            }
            let score = match self.try_move::<OPEN>(here, node, alpha, &candidate) {
                ControlFlow::Continue(score) => score,
                ControlFlow::Break(best) => {
                    outcome.best = best;
                    break;
                }
            };
            if self.stopped {
                break;
            }
            outcome.best = outcome.best.max(score);
            if score > alpha {
                alpha = score;
                outcome.best_move = Some(m);
                if OPEN {
                    self.keep_line(here.ply, m);
                }
                if score >= node.beta {
                    self.reward(here, node.depth, &context, &candidate, &tried);
                    break;
                }
            } else {
                tried.push(m, quiet);
            }
        }
        picker.finish(&mut self.stack);
        // Every move was overlooked: then it is as if nothing happened.
        if outcome.any && number == 0 {
            outcome.best = node.evaluation.unwrap_or(node.alpha);
        }
        outcome
    }

    /// What the histories promise of a move.
    #[inline]
    fn promise(&self, here: &Here, context: &Context, m: Move, quiet: bool) -> i32 {
        let histories = &self.memory.histories;
        if quiet {
            histories.rows(context).quiet(m)
        } else {
            histories.capture(context.turn, m, captured(&here.position, m))
        }
    }

    /// Plays a move, gives its score and takes it back; or breaks with the score of the node, if that is settled before.
    #[inline]
    fn try_move<const OPEN: bool>(
        &mut self,
        here: &Here,
        node: &Node,
        alpha: i32,
        candidate: &Candidate,
    ) -> ControlFlow<i32, i32> {
        let extension = match self.extension::<OPEN>(here, node, candidate.m) {
            Extension::By(plies) => plies,
            Extension::Cut(score) => return ControlFlow::Break(score),
        };
        let extensions = self.frame(here.ply).extensions + u8::from(extension > 1);
        self.frame(here.ply + 1).extensions = extensions;
        let next = self.enter(here, candidate.m);
        let depth = node.depth - 1 + extension;
        let score = self.score_of_move::<OPEN>(&next, node, alpha, candidate, depth);
        self.leave();
        ControlFlow::Continue(score)
    }

    /// The score of a position after a move, searched so deep.
    fn score_of_move<const OPEN: bool>(
        &mut self,
        next: &Here,
        node: &Node,
        alpha: i32,
        candidate: &Candidate,
        depth: i32,
    ) -> i32 {
        let mut score = alpha + 1;
        if candidate.number == 1 && OPEN {
            return -self.search::<true>(next, -node.beta, -alpha, depth, false);
        }
        let mut full = true;
        if node.depth >= REDUCTION_DEPTH && candidate.number > 1 + usize::from(OPEN) {
            let less = lessened::<OPEN>(node, candidate);
            let reduced = (depth - less).clamp(1.min(depth), depth.max(1));
            if reduced < depth {
                score = -self.search::<false>(next, -alpha - 1, -alpha, reduced, true);
                full = score > alpha;
            }
        }
        if full {
            score = -self.search::<false>(next, -alpha - 1, -alpha, depth, !node.cut);
        }
        if OPEN && score > alpha {
            score = -self.search::<true>(next, -node.beta, -alpha, depth, false);
        }
        score
    }
}
