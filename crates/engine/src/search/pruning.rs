//! Forward pruning of nodes and of moves.
//!
//! All margins are in centipawns and were set by hand; `docs/engine.md` has the match of each technique.

use tabiya_rules::{Bitboard, Position, Role};

use super::history::NO_MOVE;
use super::moves::Candidate;
use super::negamax::NodeInfo;
use super::reductions::{ONE_PLY, base_reduction};
use super::thread::{Node, SearchThread};
use crate::score::{MATE_BOUND, is_mate};

/// Reverse futility pruning: the highest depth, and the margin above beta for each ply and in addition.
const RFP_DEPTH: i32 = 8;
const RFP_MARGIN: (i32, i32) = (60, 20);
/// Null-move pruning: the lowest depth, the base reduction (a third of the depth comes on top), the margin above beta for
/// which one more ply is reduced, up to three, and how far the static evaluation must be above beta, less for each ply.
/// From the last depth on, a cutoff is verified by a search without null moves.
const NMP_DEPTH: i32 = 3;
const NMP_REDUCTION: i32 = 4;
const NMP_EVAL_MARGIN: i32 = 200;
const NMP_STATIC_MARGIN: (i32, i32) = (20, 120);
const NMP_VERIFICATION_DEPTH: i32 = 14;
/// SEE pruning of captures: the highest depth, and the threshold for each ply.
const SEE_CAPTURE_DEPTH: i32 = 6;
const SEE_CAPTURE_MARGIN: i32 = -100;
/// SEE pruning of quiet moves: the highest depth, the threshold for the square of the LMR depth (for checks, for the LMR
/// depth itself), and a constant.
const SEE_QUIET_DEPTH: i32 = 8;
const SEE_QUIET_MARGIN: i32 = -24;
const SEE_CHECK_MARGIN: i32 = -60;
const SEE_QUIET_BASE: i32 = -20;
/// The share of the history score in the LMR depth of a move.
const LMR_DEPTH_HISTORY: i32 = 16;
/// Late move pruning: quiet moves that are searched at least; the square of the depth comes on top.
const LMP_BASE: i32 = 4;
/// Futility pruning: the highest LMR depth, and the margin for each ply of it and in addition.
const FUTILITY_DEPTH: i32 = 7;
const FUTILITY_MARGIN: (i32, i32) = (70, 60);

/// What to do with a move.
#[derive(Debug)]
pub(super) enum MovePruning {
    Search,
    SkipMove,
    /// Skip this and all later quiet moves.
    SkipQuiets,
}

impl MovePruning {
    fn skip_if(skip: bool) -> MovePruning {
        if skip {
            MovePruning::SkipMove
        } else {
            MovePruning::Search
        }
    }
}

impl SearchThread<'_> {
    /// Ends a null-window node without searching its moves, if its score is all but certain. Never in check.
    pub(super) fn prune_node(&mut self, node: &Node, info: &NodeInfo) -> Option<i32> {
        let static_eval = info.static_eval?;
        let tt_entry = info.tt_entry.filter(|entry| entry.refines(static_eval));
        let eval = tt_entry.map_or(static_eval, |entry| entry.score);
        // Reverse futility pruning.
        let (each_ply, base) = RFP_MARGIN;
        let margin = each_ply * (info.depth - i32::from(info.improving)) + base;
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
        let (each_ply, base) = NMP_STATIC_MARGIN;
        if !info.cut_node
            || info.depth < NMP_DEPTH
            || eval < beta
            || info.static_eval? + each_ply * info.depth < beta + base
            || node.ply < self.null_move_min_ply
            || self.stack_entry(node.ply - 1).piece_to == NO_MOVE
            || is_mate(beta)
            || !non_pawns(&node.position).has_several()
        {
            return None;
        }
        let reduction = NMP_REDUCTION + info.depth / 3 + ((eval - beta) / NMP_EVAL_MARGIN).min(3);
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

    /// Late move, futility and SEE pruning. Never while every move so far is mated, nor with pawns only, where quiet
    /// moves and sacrifices decide.
    pub(super) fn prune_move<const PV: bool>(
        &self,
        node: &Node,
        info: &NodeInfo,
        (alpha, best_score): (i32, i32),
        candidate: &Candidate,
    ) -> MovePruning {
        let position = &node.position;
        if best_score <= -MATE_BOUND || non_pawns(position).is_empty() {
            return MovePruning::Search;
        }
        let Candidate { m, history, .. } = *candidate;
        let depth = info.depth;
        if !candidate.quiet {
            let threshold = (SEE_CAPTURE_MARGIN * depth - history / 64).min(0);
            return MovePruning::skip_if(
                depth <= SEE_CAPTURE_DEPTH && !position.see_ge(m, threshold),
            );
        }
        let reduction = base_reduction(depth, candidate.number) - history / LMR_DEPTH_HISTORY;
        let lmr_depth = (depth - reduction / ONE_PLY).max(0);
        if candidate.gives_check {
            let threshold = SEE_CHECK_MARGIN * lmr_depth + SEE_QUIET_BASE;
            return MovePruning::skip_if(
                depth <= SEE_QUIET_DEPTH && !position.see_ge(m, threshold),
            );
        }
        let move_limit = (LMP_BASE + depth * depth) / if info.improving { 1 } else { 2 };
        if !PV && candidate.number > move_limit as usize {
            return MovePruning::SkipQuiets;
        }
        let (each_ply, base) = FUTILITY_MARGIN;
        if let Some(static_eval) = info.static_eval
            && lmr_depth <= FUTILITY_DEPTH
            && static_eval + base + each_ply * lmr_depth + history / 128 <= alpha
        {
            return MovePruning::SkipQuiets;
        }
        let threshold = SEE_QUIET_MARGIN * lmr_depth * lmr_depth + SEE_QUIET_BASE;
        MovePruning::skip_if(depth <= SEE_QUIET_DEPTH && !position.see_ge(m, threshold))
    }
}

/// The pieces of the side to move other than pawns and king.
fn non_pawns(position: &Position) -> Bitboard {
    let board = position.board();
    let pawns_and_kings = board.by_role(Role::Pawn) | board.by_role(Role::King);
    board.by_color(position.turn()) - pawns_and_kings
}
