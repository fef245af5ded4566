//! Forward pruning of nodes and of moves.
//!
//! The tunable parameters are in `params`; `training/NOTEBOOK.md` has the match of each technique.

use tabiya_rules::{Bitboard, Position, Role};

use super::move_loop::{Candidate, MoveLoop};
use super::negamax::NodeInfo;
use super::reductions::{ONE_PLY, base_reduction};
use super::thread::{Node, SearchThread};
use crate::score::{MATE_BOUND, is_mate};

/// Reverse futility pruning: the highest depth.
const RFP_DEPTH: i32 = 8;
/// Null-move pruning: the lowest depth, and the base reduction (a third of the depth comes on top). From the last depth on,
/// a cutoff is verified by a search without null moves.
const NMP_DEPTH: i32 = 3;
const NMP_REDUCTION: i32 = 4;
const NMP_VERIFICATION_DEPTH: i32 = 14;
/// SEE pruning: the highest depth for captures, and for quiet moves.
const SEE_CAPTURE_DEPTH: i32 = 6;
const SEE_QUIET_DEPTH: i32 = 8;
/// Late move pruning: quiet moves that are searched at least; the square of the depth comes on top.
const LMP_BASE: i32 = 4;
/// Futility pruning: the highest LMR depth.
const FUTILITY_DEPTH: i32 = 7;

/// What to do with a move.
#[derive(Debug)]
pub(super) enum MovePruning {
    Search,
    SkipMove,
    /// Skip this and all later quiet moves.
    SkipQuiets,
}

impl MovePruning {
    /// Skips the move if that is so, and nothing else.
    fn skip_if(skip: bool) -> MovePruning {
        if skip {
            MovePruning::SkipMove
        } else {
            MovePruning::Search
        }
    }
}

impl SearchThread<'_> {
    /// Ends a null-window node without searching its moves, if it will almost certainly fail high. Never in check.
    pub(super) fn prune_node(&mut self, node: &Node, info: &NodeInfo) -> Option<i32> {
        let static_eval = info.static_eval?;
        let tt_entry = info.tt_entry.filter(|entry| entry.refines(static_eval));
        let eval = tt_entry.map_or(static_eval, |entry| entry.score);
        // Reverse futility pruning.
        let params = &self.data.params;
        let margin = params.rfp_ply * (info.depth - i32::from(info.improving)) + params.rfp_base;
        if info.depth <= RFP_DEPTH
            && !is_mate(info.beta)
            && eval < MATE_BOUND
            && eval - margin >= info.beta
        {
            return Some((eval + info.beta) / 2);
        }
        self.null_move_pruning(node, info, eval)
    }

    /// Null-move pruning: a position that stays above beta even if we pass is cut off. Never twice in a row, and only
    /// with several pieces, because of zugzwang.
    fn null_move_pruning(&mut self, node: &Node, info: &NodeInfo, eval: i32) -> Option<i32> {
        let beta = info.beta;
        let params = self.data.params;
        if !info.cut_node
            || info.depth < NMP_DEPTH
            || eval < beta
            || info.static_eval? + params.nmp_static_ply * info.depth
                < beta + params.nmp_static_base
            || node.ply < self.null_move_min_ply
            || self.stack_entry(node.ply - 1).to.is_none()
            || is_mate(beta)
            || !non_pawns(&node.position).has_several()
        {
            return None;
        }
        let reduction = NMP_REDUCTION + info.depth / 3 + ((eval - beta) / params.nmp_eval).min(3);
        let child = self.make_null_move(node)?;
        let depth = info.depth - reduction;
        let score = -self.search::<false>(&child, -beta, 1 - beta, depth, !info.cut_node);
        self.unmake_move();
        if self.stopped {
            return Some(0);
        }
        if score < beta {
            return None;
        }
        if info.depth >= NMP_VERIFICATION_DEPTH && self.null_move_min_ply == 0 {
            self.null_move_min_ply = node.ply + 3 * depth.max(0) as usize / 4;
            let verified = self.search::<false>(node, beta - 1, beta, depth, false);
            self.null_move_min_ply = 0;
            if self.stopped {
                return Some(0);
            }
            if verified < beta {
                return None;
            }
        }
        // A mate score after a null move proves nothing.
        Some(if is_mate(score) { beta } else { score })
    }

    /// Late move, futility and SEE pruning. Never while every move so far loses to mate, and never in pawn endings.
    pub(super) fn prune_move<const PV: bool>(
        &self,
        node: &Node,
        info: &NodeInfo,
        state: &MoveLoop,
        candidate: &Candidate,
    ) -> MovePruning {
        let position = &node.position;
        if state.best_score <= -MATE_BOUND || non_pawns(position).is_empty() {
            return MovePruning::Search;
        }
        let Candidate { m, history, .. } = *candidate;
        let params = &self.data.params;
        let depth = info.depth;
        if !candidate.quiet {
            let threshold =
                (-params.see_capture * depth - history / params.see_capture_history).min(0);
            return MovePruning::skip_if(
                depth <= SEE_CAPTURE_DEPTH && !position.see_ge(m, threshold),
            );
        }
        let reduction =
            base_reduction(params, depth, candidate.number) - history / params.lmr_depth_history;
        let lmr_depth = (depth - reduction / ONE_PLY).max(0);
        if candidate.gives_check {
            let threshold = -params.see_check * lmr_depth - params.see_base;
            return MovePruning::skip_if(
                depth <= SEE_QUIET_DEPTH && !position.see_ge(m, threshold),
            );
        }
        let move_limit = (LMP_BASE + depth * depth) / if info.improving { 1 } else { 2 };
        if !PV && candidate.number > move_limit as usize {
            return MovePruning::SkipQuiets;
        }
        let futility_margin = params.futility_base + params.futility_ply * lmr_depth;
        if let Some(static_eval) = info.static_eval
            && lmr_depth <= FUTILITY_DEPTH
            && static_eval + futility_margin + history / params.futility_history <= state.alpha
        {
            return MovePruning::SkipQuiets;
        }
        let threshold = -params.see_quiet * lmr_depth * lmr_depth - params.see_base;
        MovePruning::skip_if(depth <= SEE_QUIET_DEPTH && !position.see_ge(m, threshold))
    }
}

/// The pieces of the side to move other than pawns and king.
fn non_pawns(position: &Position) -> Bitboard {
    let board = position.board();
    let pawns_and_kings = board.by_role(Role::Pawn) | board.by_role(Role::King);
    board.by_color(position.turn()) - pawns_and_kings
}
