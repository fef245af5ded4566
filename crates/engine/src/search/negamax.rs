//! Principal variation search of one node.
//!
//! A node first tries the transposition table and node-level pruning (`pruning`), then searches its moves (`move_loop`) and
//! stores the result. `PV` says whether the node is on the principal variation, searched with an open window; all other
//! nodes have a null window.

use tabiya_rules::Move;
use tabiya_uci::Bound;

use super::move_loop::MoveLoop;
use super::picker::is_quiet;
use super::thread::{MAX_PLY, Node, SearchThread, draw_score};
use crate::score::{DRAW, is_mate, mate_in, mated_in};
use crate::table::TtEntry;

/// From this halfmove clock on, the table's scores cause no cutoffs: they know nothing of the 50-move rule.
const MAX_TT_CUTOFF_CLOCK: u32 = 90;
/// The lowest depth for internal iterative reductions.
const IIR_DEPTH: i32 = 4;

/// The smallest reductions of the parent, in plies, for which hindsight searches deeper, and shallower.
const DEEPER_HINDSIGHT: i32 = 3;
const SHALLOWER_HINDSIGHT: i32 = 2;

/// What the move loop and the pruning know about a node beyond its position.
#[derive(Debug)]
pub(super) struct NodeInfo {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: i32,
    pub(super) in_check: bool,
    /// Whether the node is expected to fail high.
    pub(super) cut_node: bool,
    /// The evaluation before corrections; `None` in check.
    raw_eval: Option<i32>,
    /// The corrected evaluation; `None` in check.
    pub(super) static_eval: Option<i32>,
    /// Whether the static evaluation is better than at our previous move.
    pub(super) improving: bool,
    pub(super) tt_entry: Option<TtEntry>,
    /// The move excluded by a singular search.
    pub(super) excluded: Option<Move>,
}

impl NodeInfo {
    /// The size of the correction of the static evaluation.
    pub(super) fn correction(&self) -> i32 {
        match (self.raw_eval, self.static_eval) {
            (Some(raw), Some(corrected)) => (corrected - raw).abs(),
            _ => 0,
        }
    }

    /// Whether the position was ever searched in a PV node.
    pub(super) fn tt_pv(&self) -> bool {
        self.tt_entry.is_some_and(|entry| entry.tt_pv)
    }
}

impl SearchThread<'_> {
    /// Searches a node to a depth. Fail-soft: outside the window the score is a bound. Long, because everything that a node
    /// tries before and after its moves is here, in order.
    pub(super) fn search<const PV: bool>(
        &mut self,
        node: &Node,
        alpha: i32,
        beta: i32,
        depth: i32,
        cut_node: bool,
    ) -> i32 {
        if depth <= 0 {
            return self.start_quiescence::<PV>(node, alpha, beta);
        }
        let (position, ply) = (&node.position, node.ply);
        debug_assert!(ply > 0, "the root is searched by `search_root`");
        if PV {
            self.pv[ply].clear();
            self.seldepth = self.seldepth.max(ply);
        }
        if self.stopped {
            return 0;
        }
        let in_check = position.is_check();
        if self.is_draw(node, in_check) {
            return draw_score(self.nodes);
        }
        if ply >= MAX_PLY {
            return if in_check { 0 } else { self.evaluate(node) };
        }
        // A side that can repeat a position has at least a draw.
        let mut alpha = alpha;
        if alpha < DRAW && self.has_upcoming_repetition(node) {
            alpha = draw_score(self.nodes);
            if alpha >= beta {
                return alpha;
            }
        }
        // Mate distance pruning.
        let alpha = alpha.max(mated_in(ply));
        let beta = beta.min(mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        let excluded = self.stack_entry(ply).excluded;
        let tt_entry = self.shared.table.probe(position.key(), ply);
        // The table's score is that of all moves, the excluded one among them.
        if let Some(entry) = tt_entry
            && !PV
            && excluded.is_none()
            && entry.depth >= depth
            && entry.causes_cutoff(alpha, beta)
            && position.halfmove_clock() < MAX_TT_CUTOFF_CLOCK
        {
            self.reward_tt_move(node, &entry, depth, beta);
            return entry.score;
        }
        let (raw_eval, static_eval) = self.node_evals(node, in_check, tt_entry, excluded);
        self.stack_entry(ply).static_eval = static_eval;
        let depth = match excluded {
            None => depth + self.hindsight(ply, depth, static_eval),
            Some(_) => depth,
        };
        let mut info = NodeInfo {
            alpha,
            beta,
            depth,
            in_check,
            cut_node,
            raw_eval,
            static_eval,
            improving: static_eval.is_some_and(|eval| self.is_improving(ply, eval)),
            tt_entry,
            excluded,
        };
        if !PV
            && excluded.is_none()
            && let Some(score) = self.prune_node(node, &info)
        {
            return score;
        }
        // Internal iterative reduction: without a TT move, the next iteration will have one.
        let no_tt_move = tt_entry.is_none_or(|entry| entry.tt_move.is_none());
        if info.depth >= IIR_DEPTH && (PV || cut_node) && no_tt_move {
            info.depth -= 1;
        }
        let result = self.search_moves::<PV>(node, &info);
        if self.stopped {
            return 0;
        }
        if !result.has_legal_move {
            return match (excluded, in_check) {
                (Some(_), _) => alpha,
                (None, true) => mated_in(ply),
                (None, false) => draw_score(self.nodes),
            };
        }
        if excluded.is_none() {
            self.store_result::<PV>(node, &info, &result);
        }
        result.best_score
    }

    /// The evaluation of a node before and after corrections; `None` in check.
    #[inline]
    fn node_evals(
        &mut self,
        node: &Node,
        in_check: bool,
        tt_entry: Option<TtEntry>,
        excluded: Option<Move>,
    ) -> (Option<i32>, Option<i32>) {
        let raw = match (in_check, tt_entry.and_then(|entry| entry.eval)) {
            (true, _) => None,
            (false, Some(eval)) => Some(eval),
            // A singular search has the evaluation of the same node on the stack, and stores none.
            (false, None) if excluded.is_some() => None,
            (false, None) => Some(self.evaluate(node)),
        };
        let corrected = match excluded {
            Some(_) => self.stack_entry(node.ply).static_eval,
            None => raw.map(|eval| self.corrected(node, eval)),
        };
        (raw, corrected)
    }

    /// Rewards the quiet move of a TT entry that causes a beta cutoff.
    fn reward_tt_move(&mut self, node: &Node, entry: &TtEntry, depth: i32, beta: i32) {
        if let Some(m) = entry.tt_move
            && entry.score >= beta
            && is_quiet(&node.position, m)
            && node.position.is_legal(m)
        {
            let context = self.history_context(node);
            let bonus = self.data.params.history_bonus(depth);
            self.data.histories.update_quiet(&context, m, bonus);
        }
    }

    /// Hindsight: corrects the depth of a node that was reached by a reduced move. If the evaluation says that the move was
    /// better than expected, one ply deeper; if both sides' evaluations are high, one ply less.
    fn hindsight(&mut self, ply: usize, depth: i32, static_eval: Option<i32>) -> i32 {
        let parent = self.stack_entry(ply - 1);
        let reduction = parent.reduction;
        let (Some(ours), Some(theirs)) = (static_eval, parent.static_eval) else {
            return 0;
        };
        if reduction >= DEEPER_HINDSIGHT && ours + theirs <= 0 {
            1
        } else if reduction >= SHALLOWER_HINDSIGHT
            && depth >= 2
            && ours + theirs > self.data.params.hindsight
        {
            -1
        } else {
            0
        }
    }

    /// Is the static evaluation better than at our previous move, or the one before if we were in check there?
    fn is_improving(&mut self, ply: usize, static_eval: i32) -> bool {
        let earlier = |thread: &mut Self, plies: usize| {
            ply.checked_sub(plies)
                .and_then(|ply| thread.stack_entry(ply).static_eval)
        };
        earlier(self, 2)
            .or_else(|| earlier(self, 4))
            .is_none_or(|earlier| static_eval > earlier)
    }

    /// Stores the result in the table, and updates the correction histories.
    fn store_result<const PV: bool>(&mut self, node: &Node, info: &NodeInfo, result: &MoveLoop) {
        let bound = if result.best_score >= info.beta {
            Bound::Lower
        } else if PV && result.best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.update_corrections(node, info, result, bound);
        self.store(
            node,
            TtEntry {
                tt_move: result.best_move,
                score: result.best_score,
                eval: info.raw_eval,
                depth: info.depth,
                bound,
                tt_pv: PV || info.tt_pv(),
            },
        );
    }

    /// Updates the correction histories by the difference between search and static evaluation. Captures say nothing
    /// about an evaluation that is meant for quiet positions; neither do mates, nor bounds that the evaluation is
    /// within.
    fn update_corrections(
        &mut self,
        node: &Node,
        info: &NodeInfo,
        result: &MoveLoop,
        bound: Bound,
    ) {
        let Some(static_eval) = info.static_eval else {
            return;
        };
        let best = result.best_score;
        let quiet = result.best_move.is_none_or(|m| is_quiet(&node.position, m));
        let contradicts = match bound {
            Bound::Exact => true,
            Bound::Lower => best > static_eval,
            Bound::Upper => best < static_eval,
        };
        if quiet && contradicts && !is_mate(best) {
            let turn = node.position.turn();
            let (last, error) = (self.last_moves(node.ply), best - static_eval);
            let histories = &mut self.data.histories;
            histories.update_correction(turn, &node.sub_keys, last, error, info.depth);
        }
    }
}
