//! The root of the search: iterative deepening, aspiration windows, and the decision whether to start another iteration.

use std::cmp::Reverse;

use tabiya_rules::Move;
use tabiya_uci::{BestMove, Bound};

use super::reductions::{ONE_PLY, base_reduction};
use super::thread::{MAX_PLY, Node, SearchThread};
use crate::score::{INFINITE, MATE, is_mate, to_score};
use crate::searcher::{Report, Request};
use crate::table::{TtEntry, bound_of};

/// The lowest depth with an aspiration window: before, the score still jumps.
const ASPIRATION_DEPTH: i32 = 5;
/// A window wider than this is opened completely: the score may well be a mate.
const MAX_ASPIRATION_DELTA: i32 = 500;
/// A helper thread skips one of this many depths, but none of the first ones, which cost nothing.
const HELPER_SKIP_INTERVAL: usize = 4;
/// Root moves from this index on are reduced.
const ROOT_LMR_INDEX: usize = 3;

/// A move of the root position and what the search knows about it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) score: i32,
    /// The score after the last iteration, for the aspiration window of the next one.
    previous_score: i32,
    /// Whether the score is exact; a bound if it was outside the aspiration window.
    bound: Bound,
    /// Begins with the move itself.
    pub(crate) pv: Vec<Move>,
    /// Nodes searched below it.
    nodes: u64,
    seldepth: usize,
}

impl RootMove {
    pub(crate) fn new(m: Move) -> RootMove {
        RootMove {
            score: -INFINITE,
            previous_score: -INFINITE,
            bound: Bound::Exact,
            pv: vec![m],
            nodes: 0,
            seldepth: 0,
        }
    }

    /// The move with the reply it expects: what is answered if this is the best one.
    pub(crate) fn answer(&self) -> BestMove {
        BestMove {
            best: self.pv.first().copied(),
            ponder: self.pv.get(1).copied(),
        }
    }
}

/// Receives reports during the search.
pub(crate) type Listener<'a> = &'a mut dyn FnMut(Report);

/// The limits of a search other than nodes and time.
#[derive(Debug)]
pub(crate) struct RootLimits<'a> {
    request: &'a Request,
    multi_pv: usize,
    depth: u32,
}

impl<'a> RootLimits<'a> {
    pub(crate) fn new(request: &'a Request, move_count: usize) -> RootLimits<'a> {
        let max_depth = MAX_PLY as u32 - 1;
        let depth = request.depth.unwrap_or(max_depth).clamp(1, max_depth);
        RootLimits {
            request,
            multi_pv: request.multi_pv.clamp(1, move_count.max(1)),
            // Because of reductions a mate may only be found some plies later.
            depth: request.mate.map_or(depth, |moves| {
                depth.min(moves.saturating_mul(4).saturating_add(6))
            }),
        }
    }
}

impl SearchThread<'_> {
    /// Searches the root moves to greater and greater depths. They end up sorted, the best first.
    pub(crate) fn iterative_deepening(
        mut self,
        limits: &RootLimits<'_>,
        root_moves: &mut [RootMove],
        mut listener: Option<Listener<'_>>,
    ) {
        let root = self.root_node(limits.request.game.current());
        let mut stability = Stability::default();
        // The last complete iteration, for several lines: only complete ones are reported and played.
        let mut complete = root_moves.to_vec();
        let mut last_depth = 1;
        for depth in 1..=limits.depth {
            // Helper threads skip different depths, so that they do not all do the same work.
            let skips = self.index > 0 && depth as usize > HELPER_SKIP_INTERVAL;
            if skips && (depth as usize + self.index).is_multiple_of(HELPER_SKIP_INTERVAL) {
                continue;
            }
            (self.root_depth, last_depth) = (depth as i32, depth);
            for root_move in root_moves.iter_mut() {
                root_move.previous_score = root_move.score;
            }
            for pv_index in 0..limits.multi_pv {
                self.seldepth = 0;
                let mut silent = None;
                // Of several lines, only complete iterations are reported.
                let listener = if limits.multi_pv == 1 {
                    &mut listener
                } else {
                    &mut silent
                };
                self.aspiration_search(&root, root_moves, pv_index, depth as i32, listener);
                if self.stopped {
                    break;
                }
                // A later line may beat an earlier one, which was searched with less in the table.
                root_moves[..=pv_index].sort_by_key(|root_move| Reverse(root_move.score));
            }
            self.publish_nodes();
            if self.stopped {
                break;
            }
            if limits.multi_pv > 1 {
                complete.clone_from_slice(root_moves);
            }
            if let Some(listener) = &mut listener {
                for (number, root_move) in (1..).zip(root_moves.iter().take(limits.multi_pv)) {
                    listener(self.report(root_move, depth, number));
                }
                self.reported = root_moves.first().map(RootMove::answer);
            }
            if self.index == 0 && self.should_finish(limits, root_moves, depth, &mut stability) {
                break;
            }
        }
        self.publish_nodes();
        if self.stopped && limits.multi_pv > 1 && self.reported.is_some() {
            root_moves.clone_from_slice(&complete);
        }
        // A search that is stopped may have a new best move, or a new reply to it, that was not reported yet.
        if let (Some(listener), Some(best)) = (listener, root_moves.first())
            && Some(best.answer()) != self.reported
            && best.score > -INFINITE
        {
            listener(self.report(best, last_depth, 1));
        }
    }

    /// Searches with a narrow window around the score of the last iteration, and widens it as long as the score is outside.
    fn aspiration_search(
        &mut self,
        root: &Node,
        root_moves: &mut [RootMove],
        pv_index: usize,
        depth: i32,
        listener: &mut Option<Listener<'_>>,
    ) {
        let last = root_moves[pv_index].previous_score;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        let mut delta = self.data.params.aspiration;
        if depth >= ASPIRATION_DEPTH && last > -INFINITE && !is_mate(last) {
            (alpha, beta) = (last - delta, last + delta);
        }
        let mut fail_high_reduction = 0;
        loop {
            let reduced = (depth - fail_high_reduction).max(1);
            let score =
                self.search_root(root, root_moves, pv_index, (alpha, beta), reduced, listener);
            if self.stopped {
                return;
            }
            root_moves[pv_index..].sort_by_key(|root_move| Reverse(root_move.score));
            if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (score - delta).max(-INFINITE);
                fail_high_reduction = 0;
            } else if score >= beta {
                beta = (score + delta).min(INFINITE);
                fail_high_reduction = (fail_high_reduction + 1).min(3);
            } else {
                return;
            }
            delta += delta;
            if delta > MAX_ASPIRATION_DELTA {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Searches the root moves from `pv_index` on. Moves that fail to raise alpha end up without a score.
    fn search_root(
        &mut self,
        root: &Node,
        root_moves: &mut [RootMove],
        pv_index: usize,
        (mut alpha, beta): (i32, i32),
        depth: i32,
        listener: &mut Option<Listener<'_>>,
    ) -> i32 {
        if !root.position.is_check() {
            let raw_eval = self.evaluate(root);
            self.stack_entry(0).static_eval = Some(self.corrected(root, raw_eval));
        }
        let mut best_score = -INFINITE;
        let mut best_move = None;
        let original_alpha = alpha;
        for i in pv_index..root_moves.len() {
            let m = root_moves[i].pv[0];
            let nodes_before = self.nodes;
            let child = self.make_move(root, m);
            let score = self.search_root_move(&child, i - pv_index, (alpha, beta), depth);
            self.unmake_move();
            if self.stopped {
                return best_score;
            }
            root_moves[i].nodes += self.nodes - nodes_before;
            let searched = &mut root_moves[pv_index..=i];
            self.update_root_moves(searched, score, (alpha, beta), depth, listener);
            if score > best_score {
                best_score = score;
                best_move = Some(m).filter(|_| score > alpha).or(best_move);
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        if pv_index == 0 {
            self.store_root(root, best_score, best_move, (original_alpha, beta), depth);
        }
        best_score
    }

    /// Takes the score of the last of these root moves, whose predecessors have been searched. A new best move comes first
    /// at once, because the search may be stopped at any time, and is reported.
    fn update_root_moves(
        &mut self,
        root_moves: &mut [RootMove],
        score: i32,
        (alpha, beta): (i32, i32),
        depth: i32,
        listener: &mut Option<Listener<'_>>,
    ) {
        let Some((root_move, earlier)) = root_moves.split_last_mut() else {
            return;
        };
        let first = earlier.is_empty();
        if !first && score <= alpha {
            root_move.score = -INFINITE;
            return;
        }
        root_move.score = score;
        root_move.seldepth = self.seldepth;
        root_move.bound = bound_of(score, alpha, beta);
        if score > alpha {
            root_move.pv.truncate(1);
            root_move.pv.extend_from_slice(&self.pv[1]);
        }
        if first || root_move.bound != Bound::Exact {
            return;
        }
        if let Some(listener) = listener {
            self.publish_nodes();
            listener(self.report(root_move, depth as u32, 1));
            self.reported = Some(root_move.answer());
        }
        for other in earlier {
            other.score = -INFINITE;
        }
        root_moves.rotate_right(1);
    }

    /// The score of a root move. The first gets the full window; the others a null window, late ones reduced.
    fn search_root_move(
        &mut self,
        child: &Node,
        index: usize,
        (alpha, beta): (i32, i32),
        depth: i32,
    ) -> i32 {
        if index == 0 {
            return -self.search::<true>(child, -beta, -alpha, depth - 1, false);
        }
        let mut score = alpha + 1;
        let mut reduction = 0;
        if depth >= 3 && index >= ROOT_LMR_INDEX && !child.position.is_check() {
            let plies = base_reduction(&self.data.params, depth, index) / ONE_PLY - 1;
            reduction = plies.clamp(0, depth - 2);
        }
        if reduction > 0 {
            score = -self.search::<false>(child, -alpha - 1, -alpha, depth - 1 - reduction, true);
        }
        if score > alpha {
            score = -self.search::<false>(child, -alpha - 1, -alpha, depth - 1, true);
        }
        if score > alpha {
            score = -self.search::<true>(child, -beta, -alpha, depth - 1, false);
        }
        score
    }

    /// Stores the root in the transposition table, with the score of its best move.
    fn store_root(
        &self,
        root: &Node,
        score: i32,
        tt_move: Option<Move>,
        (alpha, beta): (i32, i32),
        depth: i32,
    ) {
        self.store(
            root,
            TtEntry {
                tt_move,
                score,
                eval: None,
                depth,
                bound: bound_of(score, alpha, beta),
                tt_pv: true,
            },
        );
    }

    fn report(&self, root_move: &RootMove, depth: u32, multi_pv: u32) -> Report {
        Report {
            depth,
            seldepth: (root_move.seldepth as u32).max(depth),
            multi_pv,
            score: to_score(root_move.score),
            bound: root_move.bound,
            nodes: self.shared.total_nodes().max(self.nodes),
            hashfull: Some(self.shared.table.hashfull()),
            pv: root_move.pv.clone(),
        }
    }

    /// Is another iteration pointless, or too long for the time that is left?
    fn should_finish(
        &self,
        limits: &RootLimits<'_>,
        root_moves: &[RootMove],
        depth: u32,
        stability: &mut Stability,
    ) -> bool {
        let Some(best) = root_moves.first() else {
            return true;
        };
        let mate_plies = (MATE - best.score.abs()).unsigned_abs();
        if is_mate(best.score) {
            if let Some(wanted) = limits.request.mate {
                if best.score > 0 && mate_plies.div_ceil(2) <= wanted {
                    return true;
                }
            } else if limits.multi_pv == 1 && depth >= mate_plies + 4 {
                // A shorter mate would have been found by now.
                return true;
            }
        }
        let soft_nodes = limits.request.soft_nodes;
        if soft_nodes.is_some_and(|soft| self.shared.total_nodes() >= soft) {
            return true;
        }
        let control = self.shared.control;
        if root_moves.len() == 1 && depth >= 6 && control.is_past_soft_limit(1) {
            return true;
        }
        control.is_past_soft_limit(stability.soft_limit_percent(best, self.nodes))
    }
}

/// How stable the best move has been over the iterations.
#[derive(Debug, Default)]
struct Stability {
    best: Option<Move>,
    iterations: u32,
    score: i32,
}

impl Stability {
    /// The share of the soft time limit to use: less for a stable best move that took most of the nodes, more when the
    /// score drops.
    fn soft_limit_percent(&mut self, best: &RootMove, nodes: u64) -> u32 {
        let m = best.pv.first().copied();
        if m == self.best {
            self.iterations += 1;
        } else {
            self.iterations = 0;
        }
        let drop = (self.score - best.score).clamp(0, 80) as u32;
        (self.best, self.score) = (m, best.score);
        let stability = 160 - 12 * self.iterations.min(8);
        let node_share = (best.nodes * 100 / nodes.max(1)).min(100) as u32;
        let effort = 170 - node_share;
        stability * effort / 100 * (100 + drop) / 100
    }
}
