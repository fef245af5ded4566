//! The move loop of a node.
//!
//! In a PV node the first move is searched with the full window. All other moves get a null window, late ones at a
//! reduced depth first (LMR); a move that beats alpha is searched again.

use std::ops::ControlFlow;

use tabiya_rules::Move;

use super::check_squares::CheckSquares;
use super::extensions::Extension;
use super::history::HistoryContext;
use super::negamax::NodeInfo;
use super::picker::{MovePicker, is_quiet};
use super::pruning::MovePruning;
use super::reductions::lmr_reduction;
use super::searched_moves::SearchedMoves;
use super::thread::{Node, SearchThread};
use crate::score::{INFINITE, MATE_BOUND};

/// The lowest depth for late move reductions.
const LMR_DEPTH: i32 = 3;

/// The result of the move loop.
#[derive(Debug)]
pub(super) struct MoveLoopResult {
    pub(super) best_score: i32,
    /// The last move that raised alpha.
    pub(super) best_move: Option<Move>,
    /// Whether there was any legal move.
    pub(super) has_legal_move: bool,
}

/// A move about to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) m: Move,
    /// Its number among the moves of the node, from 1.
    pub(super) number: usize,
    pub(super) quiet: bool,
    /// Whether the moving piece gives check; discovered checks are not detected.
    pub(super) gives_check: bool,
    /// Its history score.
    pub(super) history: i32,
}

impl SearchThread<'_> {
    /// Searches the moves of a node until one causes a beta cutoff.
    pub(super) fn search_moves<const PV: bool>(
        &mut self,
        node: &Node,
        info: &NodeInfo,
    ) -> MoveLoopResult {
        let tt_move = info.tt_entry.and_then(|entry| entry.tt_move);
        let context = self.history_context(node);
        // The cutoffs of the children are counted anew.
        self.stack_entry(node.ply + 1).cutoffs = 0;
        let mut picker = MovePicker::new(&self.move_stack, &node.position, info.in_check, tt_move);
        let mut result = MoveLoopResult {
            best_score: -INFINITE,
            best_move: None,
            has_legal_move: false,
        };
        let number = self.move_loop::<PV>(node, info, &context, &mut picker, &mut result);
        picker.finish(&mut self.move_stack);
        // A handicapped player may overlook every move; then the static evaluation stands.
        if result.has_legal_move && number == 0 {
            result.best_score = info.static_eval.unwrap_or(info.alpha);
        }
        result
    }

    /// Searches the moves in the picker's order, and returns how many were not skipped before pruning.
    #[inline]
    fn move_loop<const PV: bool>(
        &mut self,
        node: &Node,
        info: &NodeInfo,
        context: &HistoryContext,
        picker: &mut MovePicker,
        result: &mut MoveLoopResult,
    ) -> usize {
        let position = &node.position;
        let (mut alpha, mut number) = (info.alpha, 0);
        let mut searched = SearchedMoves::default();
        let check_squares = CheckSquares::new(position);
        while let Some(m) = picker.next(
            &mut self.move_stack,
            position,
            info.in_check,
            &self.data.histories,
            context,
        ) {
            if Some(m) == info.excluded {
                continue;
            }
            result.has_legal_move = true;
            if !info.in_check && self.handicap.overlooks(position, m) {
                continue;
            }
            let quiet = is_quiet(position, m);
            let gives_check = check_squares.is_direct_check(m);
            number += 1;
            let candidate = Candidate {
                m,
                number,
                quiet,
                gives_check,
                history: self.history_score(node, context, m, quiet),
            };
            let window = (alpha, result.best_score);
            match self.prune_move::<PV>(node, info, window, &candidate) {
                MovePruning::Search => {}
                MovePruning::SkipMove => continue,
                MovePruning::SkipQuiets => {
                    // A quiet check may be mate, and is never skipped with the others.
                    picker.retain(&mut self.move_stack, |m| {
                        !is_quiet(position, m) || check_squares.is_direct_check(m)
                    });
                    continue;
                }
            }
            let score = match self.search_move::<PV>(node, info, window, context, &candidate) {
                ControlFlow::Continue(score) => score,
                ControlFlow::Break(score) => {
                    result.best_score = score;
                    break;
                }
            };
            if self.stopped {
                break;
            }
            result.best_score = result.best_score.max(score);
            if score <= alpha {
                searched.push(m, quiet);
                continue;
            }
            alpha = score;
            result.best_move = Some(m);
            if PV {
                self.update_pv(node.ply, m);
            }
            if score >= info.beta {
                self.stack_entry(node.ply).cutoffs += 1;
                self.update_histories(node, info.depth, context, &candidate, &searched);
                break;
            }
        }
        number
    }

    /// The history score of a move.
    #[inline]
    fn history_score(&self, node: &Node, context: &HistoryContext, m: Move, quiet: bool) -> i32 {
        let histories = &self.data.histories;
        if quiet {
            histories.rows(context).quiet(m)
        } else {
            histories.capture(context.turn, m, node.position.captured_role(m))
        }
    }

    /// Makes a move, searches it and takes it back. Breaks with the node's score on a multi-cut.
    #[inline]
    fn search_move<const PV: bool>(
        &mut self,
        node: &Node,
        info: &NodeInfo,
        (alpha, best_score): (i32, i32),
        context: &HistoryContext,
        candidate: &Candidate,
    ) -> ControlFlow<i32, i32> {
        let extension = match self.extension::<PV>(node, info, candidate.m) {
            Extension::By(plies) => plies,
            Extension::Cutoff(score) => return ControlFlow::Break(score),
        };
        let double_extensions =
            self.stack_entry(node.ply).double_extensions + u8::from(extension > 1);
        self.stack_entry(node.ply + 1).double_extensions = double_extensions;
        let child = self.make_move(node, candidate.m);
        let new_depth = info.depth - 1 + extension;
        let window = (alpha, best_score);
        let score = self.search_child::<PV>(&child, info, window, context, candidate, new_depth);
        self.unmake_move();
        ControlFlow::Continue(score)
    }

    /// The score of a child node at `new_depth`, after a reduced search where that is enough.
    fn search_child<const PV: bool>(
        &mut self,
        child: &Node,
        info: &NodeInfo,
        (alpha, best_score): (i32, i32),
        context: &HistoryContext,
        candidate: &Candidate,
        mut new_depth: i32,
    ) -> i32 {
        let mut score = alpha + 1;
        if candidate.number == 1 && PV {
            return -self.search::<true>(child, -info.beta, -alpha, new_depth, false);
        }
        let mut full_depth = true;
        if info.depth >= LMR_DEPTH && candidate.number > 1 + usize::from(PV) {
            let child_cutoffs = self.stack_entry(child.ply).cutoffs;
            let reduction = lmr_reduction::<PV>(&self.data.params, info, candidate, child_cutoffs);
            let reduced = (new_depth - reduction).clamp(1.min(new_depth), new_depth.max(1));
            if reduced < new_depth {
                self.stack_entry(child.ply - 1).reduction = new_depth - reduced;
                score = -self.search::<false>(child, -alpha - 1, -alpha, reduced, true);
                self.stack_entry(child.ply - 1).reduction = 0;
                if score > alpha && best_score > -MATE_BOUND {
                    let margin = score - best_score;
                    new_depth += i32::from(margin > self.data.params.deeper + new_depth);
                    new_depth -= i32::from(margin < self.data.params.shallower);
                }
                full_depth = score > alpha && reduced < new_depth;
            }
        }
        if full_depth {
            score = -self.search::<false>(child, -alpha - 1, -alpha, new_depth, !info.cut_node);
            if candidate.quiet && candidate.number > 1 && !self.stopped {
                // What a late move is worth after the moves before it shows at once, not only at a cutoff.
                let size = self.data.params.history_bonus(info.depth);
                let bonus = if score > alpha { size } else { -size };
                let histories = &mut self.data.histories;
                histories.update_continuations(context, candidate.m, bonus);
            }
        }
        if PV && score > alpha {
            score = -self.search::<true>(child, -info.beta, -alpha, new_depth, false);
        }
        score
    }
}
