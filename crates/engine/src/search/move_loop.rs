//! The move loop of a node.
//!
//! In a PV node the first move is searched with the full window. All other moves get a null window, late ones at a
//! reduced depth first (LMR); a move that beats alpha is searched again.

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

/// The state of the move loop after some moves; after the last one, its result.
#[derive(Debug)]
pub(super) struct MoveLoop {
    pub(super) alpha: i32,
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
    /// Searches the moves of a node until one causes a beta cutoff. Long, because it is the heart of the search.
    pub(super) fn search_moves<const PV: bool>(
        &mut self,
        node: &Node,
        info: &NodeInfo,
    ) -> MoveLoop {
        let tt_move = info.tt_entry.and_then(|entry| entry.tt_move);
        let context = self.history_context(node);
        // The cutoffs of the children are counted anew.
        self.stack_entry(node.ply + 1).cutoffs = 0;
        let position = &node.position;
        let mut picker = MovePicker::new(&self.move_stack, position, info.in_check, tt_move);
        let check_squares = CheckSquares::new(position);
        let mut searched = SearchedMoves::default();
        let mut state = MoveLoop {
            alpha: info.alpha,
            best_score: -INFINITE,
            best_move: None,
            has_legal_move: false,
        };
        let mut number = 0;
        while let Some(m) = picker.next(
            &mut self.move_stack,
            position,
            info.in_check,
            &self.data.histories,
            &context,
        ) {
            if Some(m) == info.excluded {
                continue;
            }
            state.has_legal_move = true;
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
                history: self.history_score(node, &context, m, quiet),
            };
            match self.prune_move::<PV>(node, info, &state, &candidate) {
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
            let extension = match self.extension::<PV>(node, info, m) {
                Extension::By(plies) => plies,
                Extension::Cutoff(score) => {
                    state.best_score = score;
                    break;
                }
            };
            let double_extensions =
                self.stack_entry(node.ply).double_extensions + u8::from(extension > 1);
            self.stack_entry(node.ply + 1).double_extensions = double_extensions;
            let child = self.make_move(node, m);
            let depth = info.depth - 1 + extension;
            let score = self.search_child::<PV>(&child, info, &state, &context, &candidate, depth);
            self.unmake_move();
            if self.stopped {
                break;
            }
            state.best_score = state.best_score.max(score);
            if score <= state.alpha {
                searched.push(m, quiet);
                continue;
            }
            state.alpha = score;
            state.best_move = Some(m);
            if PV {
                self.update_pv(node.ply, m);
            }
            if score >= info.beta {
                self.stack_entry(node.ply).cutoffs += 1;
                self.update_histories(node, info.depth, &context, &candidate, &searched);
                break;
            }
        }
        picker.finish(&mut self.move_stack);
        // A handicapped player may overlook every move; then the static evaluation stands.
        if state.has_legal_move && number == 0 {
            state.best_score = info.static_eval.unwrap_or(info.alpha);
        }
        state
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

    /// The score of a child node at `new_depth`, after a reduced search where that is enough.
    fn search_child<const PV: bool>(
        &mut self,
        child: &Node,
        info: &NodeInfo,
        state: &MoveLoop,
        context: &HistoryContext,
        candidate: &Candidate,
        mut new_depth: i32,
    ) -> i32 {
        let (alpha, best_score) = (state.alpha, state.best_score);
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
                // The continuation histories learn from every full-depth search of a late quiet move, not only from
                // cutoffs.
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
