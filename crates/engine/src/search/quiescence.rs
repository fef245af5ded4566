//! Quiescence search: captures and queen promotions, and evasions in check, until the position is quiet enough to be
//! evaluated.

use tabiya_rules::Move;
use tabiya_uci::Bound;

use super::picker::{MovePicker, is_quiet};
use super::thread::{MAX_PLY, Node, SearchThread, draw_score};
use crate::score::{INFINITE, MATE_BOUND, mated_in};
use crate::table::TtEntry;

/// Quiet evasions searched once one is known that is not mated.
const MAX_QUIET_EVASIONS: usize = 2;
/// The nodes of one quiescence search. Ordinary ones are far smaller; with many queens on the board there would be no
/// end to the captures.
const MAX_NODES: u64 = 2_000;
/// The first iteration must end soon, so that there is a searched move: after this many nodes, each quiescence search gets
/// only a few.
const FIRST_ITERATION_NODES: u64 = 8_000;
const FIRST_ITERATION_MAX_NODES: u64 = 16;

impl SearchThread<'_> {
    /// Begins a quiescence search, with a limit on its nodes.
    pub(super) fn start_quiescence<const PV: bool>(
        &mut self,
        node: &Node,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let max_nodes = if self.root_depth == 1 && self.nodes > FIRST_ITERATION_NODES {
            FIRST_ITERATION_MAX_NODES
        } else {
            MAX_NODES
        };
        self.quiescence_limit = self.nodes + max_nodes;
        self.quiescence::<PV>(node, alpha, beta)
    }

    /// Searches captures that lose nothing by SEE; in check, evasions.
    fn quiescence<const PV: bool>(&mut self, node: &Node, mut alpha: i32, beta: i32) -> i32 {
        let (position, ply) = (&node.position, node.ply);
        if PV {
            self.pv[ply].clear();
            self.seldepth = self.seldepth.max(ply);
        }
        let in_check = position.is_check();
        if self.is_draw(node, in_check) {
            return draw_score(self.nodes);
        }
        if self.stopped || ply >= MAX_PLY {
            return if in_check { 0 } else { self.evaluate(node) };
        }
        if self.nodes >= self.quiescence_limit {
            let eval = self.evaluate(node);
            return self.corrected(node, eval);
        }
        let tt_entry = self.shared.table.probe(position.key(), ply);
        if let Some(entry) = tt_entry
            && !PV
            && entry.causes_cutoff(alpha, beta)
        {
            return entry.score;
        }
        let mut raw_eval = None;
        let mut best_score = -INFINITE;
        if !in_check {
            // Stand pat.
            let eval = match tt_entry.and_then(|entry| entry.eval) {
                Some(eval) => eval,
                None => self.evaluate(node),
            };
            raw_eval = Some(eval);
            best_score = self.corrected(node, eval);
            if let Some(entry) = tt_entry.filter(|entry| entry.refines(best_score)) {
                best_score = entry.score;
            }
            if best_score >= beta {
                if tt_entry.is_none() {
                    let entry = leaf_entry::<PV>(None, best_score, raw_eval, Bound::Lower);
                    self.store(node, entry);
                }
                return best_score;
            }
            alpha = alpha.max(best_score);
        }
        let tt_move = tt_entry.and_then(|entry| entry.tt_move);
        let (best_score, best_move) =
            self.search_quiescence_moves::<PV>(node, in_check, best_score, (alpha, beta), tt_move);
        if self.stopped {
            return best_score;
        }
        if in_check && best_score == -INFINITE {
            return mated_in(ply);
        }
        let bound = if best_score >= beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        let entry = leaf_entry::<PV>(best_move, best_score, raw_eval, bound);
        self.store(node, entry);
        best_score
    }

    /// The move loop. `best_score` is the stand-pat score.
    fn search_quiescence_moves<const PV: bool>(
        &mut self,
        node: &Node,
        in_check: bool,
        mut best_score: i32,
        (mut alpha, beta): (i32, i32),
        tt_move: Option<Move>,
    ) -> (i32, Option<Move>) {
        let position = &node.position;
        let tt_move = tt_move.filter(|&m| in_check || !is_quiet(position, m));
        let mut picker = MovePicker::quiescence(&self.move_stack, position, in_check, tt_move);
        let context = if in_check {
            self.history_context(node)
        } else {
            self.capture_context(node)
        };
        let futility_score = best_score + self.data.params.quiescence_futility;
        let last_to = self.stack_entry(node.ply - 1).to;
        let mut best_move = None;
        let mut quiet_evasions = 0;
        while let Some(m) = picker.next(
            &mut self.move_stack,
            position,
            in_check,
            &self.data.histories,
            &context,
        ) {
            if !in_check && self.handicap.overlooks(position, m) {
                continue;
            }
            if in_check && best_score > -MATE_BOUND && is_quiet(position, m) {
                quiet_evasions += 1;
                if quiet_evasions > MAX_QUIET_EVASIONS {
                    break;
                }
            }
            let recaptures = Some(m.to()) == last_to;
            if !in_check
                && !recaptures
                && m.promotion().is_none()
                && futility_score <= alpha
                && !position.see_ge(m, 1)
            {
                best_score = best_score.max(futility_score);
                continue;
            }
            let child = self.make_move(node, m);
            let score = -self.quiescence::<PV>(&child, -beta, -alpha);
            self.unmake_move();
            if self.stopped {
                break;
            }
            if self.nodes >= self.quiescence_limit && best_score > -INFINITE {
                best_score = best_score.max(score);
                break;
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(m);
                    alpha = score;
                    if PV {
                        self.update_pv(node.ply, m);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        picker.finish(&mut self.move_stack);
        (best_score, best_move)
    }
}

/// The table entry of a node without depth.
fn leaf_entry<const PV: bool>(
    tt_move: Option<Move>,
    score: i32,
    eval: Option<i32>,
    bound: Bound,
) -> TtEntry {
    TtEntry {
        tt_move,
        score,
        eval,
        depth: 0,
        bound,
        tt_pv: PV,
    }
}
