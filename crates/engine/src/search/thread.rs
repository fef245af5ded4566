//! One thread of a search: its stack, its position in the tree, and what it shares with the other threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tabiya_rules::{Color, Move, Position, Square};
use tabiya_uci::BestMove;

use super::history::{Histories, HistoryContext, LastMoves, NO_MOVE, piece_to};
use super::picker::MoveStack;
use super::reversible_moves::is_reversible_move;
use super::threats::Threats;
use crate::evaluation::KNOWN_WIN;
use crate::evaluation::network::{Network, NetworkEvaluator};
use crate::level::Handicap;
use crate::params::SearchParams;
use crate::score::{DRAW, MAX_EVAL};
use crate::searcher::Control;
use crate::sub_keys::SubKeys;
use crate::table::{Table, TtEntry};

/// The greatest distance from the root, in plies.
pub(crate) const MAX_PLY: usize = 127;
/// Stack entries before the root, so that earlier moves can be looked up without a check.
const STACK_OFFSET: usize = 4;
/// Nodes between two checks of the limits: a fraction of a millisecond.
const CHECK_INTERVAL: u64 = 128;

/// What all threads of one search share.
#[derive(Debug)]
pub(crate) struct SharedSearch<'a> {
    pub(crate) table: &'a Table,
    pub(crate) control: &'a Control,
    /// Set when the main thread has its move.
    pub(crate) over: AtomicBool,
    /// Nodes searched, by thread.
    pub(crate) nodes: Vec<AtomicU64>,
}

impl SharedSearch<'_> {
    pub(crate) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|n| n.load(Ordering::Relaxed)).sum()
    }
}

/// What a thread keeps from one search to the next.
#[derive(Clone, Debug)]
pub(crate) struct ThreadData {
    pub(super) evaluator: NetworkEvaluator,
    pub(super) histories: Histories,
    pub(super) params: SearchParams,
}

impl ThreadData {
    pub(crate) fn new(network: &Arc<Network>, params: SearchParams) -> ThreadData {
        ThreadData {
            evaluator: NetworkEvaluator::new(Arc::clone(network), MAX_PLY),
            histories: Histories::new(),
            params,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.histories.clear();
    }
}

/// A node of the search tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) position: Position,
    pub(super) sub_keys: SubKeys,
    /// Plies from the root.
    pub(super) ply: usize,
    /// Plies since the last irreversible move or null move: no position before can be repeated.
    reversible_plies: usize,
}

/// The search stack: one entry for each ply of the current line.
#[derive(Clone, Copy, Debug)]
pub(super) struct StackEntry {
    /// The move made here, as an index into the continuation histories.
    pub(super) piece_to: usize,
    /// The target square of the move made here; `None` for a null move.
    pub(super) to: Option<Square>,
    /// `None` in check.
    pub(super) static_eval: Option<i32>,
    /// The move excluded by a singular search.
    pub(super) excluded: Option<Move>,
    /// Double extensions in the line so far.
    pub(super) double_extensions: u8,
    /// Beta cutoffs at this ply since its parent node was entered.
    pub(super) cutoffs: u32,
    /// The reduction of the move being searched, in plies.
    pub(super) reduction: i32,
}

impl Default for StackEntry {
    fn default() -> StackEntry {
        StackEntry {
            piece_to: NO_MOVE,
            to: None,
            static_eval: None,
            excluded: None,
            double_extensions: 0,
            cutoffs: 0,
            reduction: 0,
        }
    }
}

/// The search of one thread.
#[derive(Debug)]
pub(crate) struct SearchThread<'a> {
    pub(super) shared: &'a SharedSearch<'a>,
    pub(super) data: &'a mut ThreadData,
    pub(super) handicap: Handicap,
    stack: Vec<StackEntry>,
    /// The generated moves of all nodes of the current line.
    pub(super) move_stack: MoveStack,
    /// The principal variation from each ply on.
    pub(super) pv: Vec<Vec<Move>>,
    /// The position keys of the game and of the current line, for repetitions.
    keys: Vec<u64>,
    /// The number of the thread; 0 is the main thread.
    pub(super) index: usize,
    pub(super) nodes: u64,
    node_limit: u64,
    next_check: u64,
    pub(super) stopped: bool,
    pub(super) seldepth: usize,
    /// The depth of the current iteration.
    pub(super) root_depth: i32,
    /// Null-move pruning is off before this ply, during the verification of a null-move cutoff.
    pub(super) null_move_min_ply: usize,
    /// The best move of the last report, with the reply to it.
    pub(super) reported: Option<BestMove>,
    /// The node count at which the current quiescence search gives up.
    pub(super) quiescence_limit: u64,
}

impl<'a> SearchThread<'a> {
    pub(crate) fn new(
        shared: &'a SharedSearch<'a>,
        data: &'a mut ThreadData,
        handicap: Handicap,
        keys: Vec<u64>,
        index: usize,
        node_limit: u64,
    ) -> SearchThread<'a> {
        SearchThread {
            shared,
            data,
            handicap,
            stack: vec![StackEntry::default(); MAX_PLY + STACK_OFFSET + 3],
            move_stack: MoveStack::default(),
            pv: vec![Vec::new(); MAX_PLY + 2],
            keys,
            index,
            nodes: 0,
            node_limit,
            next_check: CHECK_INTERVAL.min(node_limit),
            stopped: false,
            seldepth: 0,
            root_depth: 0,
            null_move_min_ply: 0,
            reported: None,
            quiescence_limit: 0,
        }
    }

    pub(super) fn root_node(&mut self, position: &Position) -> Node {
        self.data.evaluator.set_root(position);
        Node {
            position: *position,
            sub_keys: SubKeys::of(position),
            ply: 0,
            reversible_plies: position.halfmove_clock() as usize,
        }
    }

    pub(super) fn stack_entry(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.stack[ply + STACK_OFFSET]
    }

    /// Makes a legal move.
    pub(super) fn make_move(&mut self, node: &Node, m: Move) -> Node {
        let position = node.position.play_unchecked(m);
        self.shared.table.prefetch(position.key());
        let entry = self.stack_entry(node.ply);
        entry.piece_to = piece_to(node.position.turn(), m);
        entry.to = Some(m.to());
        let delta = node.position.delta(m);
        let sub_keys = node.sub_keys.update(&delta);
        self.data.evaluator.make_move(node.ply + 1, &delta);
        let reversible_plies = match position.halfmove_clock() {
            0 => 0,
            _ => node.reversible_plies + 1,
        };
        self.enter(position, sub_keys, node.ply + 1, reversible_plies)
    }

    /// Makes a null move; `None` in check.
    pub(super) fn make_null_move(&mut self, node: &Node) -> Option<Node> {
        let position = node.position.pass()?;
        self.shared.table.prefetch(position.key());
        self.stack_entry(node.ply).piece_to = NO_MOVE;
        self.stack_entry(node.ply).to = None;
        let double_extensions = self.stack_entry(node.ply).double_extensions;
        self.stack_entry(node.ply + 1).double_extensions = double_extensions;
        self.data.evaluator.make_null_move(node.ply + 1);
        Some(self.enter(position, node.sub_keys, node.ply + 1, 0))
    }

    /// Enters a node: its position counts as visited, and as part of the line.
    fn enter(
        &mut self,
        position: Position,
        sub_keys: SubKeys,
        ply: usize,
        reversible_plies: usize,
    ) -> Node {
        self.keys.push(position.key());
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.check_limits();
        }
        Node {
            position,
            sub_keys,
            ply,
            reversible_plies,
        }
    }

    /// Takes back a move or a null move.
    pub(super) fn unmake_move(&mut self) {
        self.keys.pop();
    }

    /// Stops the search if a limit is reached.
    #[cold]
    fn check_limits(&mut self) {
        self.next_check = (self.nodes + CHECK_INTERVAL).min(self.node_limit.max(self.nodes + 1));
        self.publish_nodes();
        let over = self.shared.over.load(Ordering::Relaxed);
        let out_of_nodes = self.nodes >= self.node_limit
            || (self.index == 0 && self.shared.total_nodes() >= self.node_limit);
        self.stopped |= over || out_of_nodes || self.shared.control.should_stop();
    }

    /// Publishes the node count to the other threads.
    pub(super) fn publish_nodes(&self) {
        self.shared.nodes[self.index].store(self.nodes, Ordering::Relaxed);
    }

    /// Is the node a draw by the 50-move rule, insufficient material or repetition?
    pub(super) fn is_draw(&self, node: &Node, in_check: bool) -> bool {
        let position = &node.position;
        if position.halfmove_clock() >= 100 {
            // Checkmate comes first.
            return !in_check || position.has_legal_move();
        }
        position.is_insufficient_material() || self.is_repetition(node)
    }

    /// One earlier occurrence after the root counts as a draw; positions before the root must have occurred twice.
    fn is_repetition(&self, node: &Node) -> bool {
        if node.reversible_plies < 4 {
            return false;
        }
        let Some((&key, earlier)) = self.keys.split_last() else {
            return false;
        };
        let mut occurrences = 0;
        let same_side = earlier
            .iter()
            .rev()
            .take(node.reversible_plies)
            .enumerate()
            .skip(1)
            .step_by(2);
        for (i, _) in same_side.filter(|&(_, &other)| other == key) {
            occurrences += 1;
            if i + 1 < node.ply || occurrences == 2 {
                return true;
            }
        }
        false
    }

    /// Does one reversible move lead from here to an earlier position of the line, after the root? It is usually a move of
    /// the side to move. It may also be the opponent's, if our own piece went out and back: then the opponent could have
    /// repeated the position earlier.
    pub(super) fn has_upcoming_repetition(&self, node: &Node) -> bool {
        let Some((&key, earlier)) = self.keys.split_last() else {
            return false;
        };
        let occupied = node.position.board().occupied();
        // With the other side to move: three plies ago, five, and so on.
        let after_root = node.reversible_plies.min(node.ply.saturating_sub(1));
        let other_side = earlier.iter().rev().take(after_root).skip(2).step_by(2);
        other_side
            .into_iter()
            .any(|other| is_reversible_move(key ^ other, occupied))
    }

    /// The static evaluation before corrections.
    pub(super) fn evaluate(&mut self, node: &Node) -> i32 {
        let evaluator = &mut self.data.evaluator;
        let score = evaluator.evaluate(&node.position, node.ply);
        self.handicap
            .misjudge(score, node.position.key())
            .clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// The static evaluation with the correction histories applied. Endings known to be won are left alone: noise would
    /// make the search lose its way there.
    pub(super) fn corrected(&self, node: &Node, raw_eval: i32) -> i32 {
        if raw_eval.abs() >= KNOWN_WIN {
            return raw_eval;
        }
        let turn: Color = node.position.turn();
        let eval = raw_eval
            + self
                .data
                .histories
                .correction(turn, &node.sub_keys, self.last_moves(node.ply));
        eval.clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Stores an entry in the transposition table. Every store of the search goes through here.
    pub(super) fn store(&self, node: &Node, entry: TtEntry) {
        let key = node.position.key();
        self.shared.table.store(key, node.ply, entry);
    }

    /// The indices under which the quiet moves of a node are looked up in the histories.
    pub(super) fn history_context(&mut self, node: &Node) -> HistoryContext {
        let at = node.ply + STACK_OFFSET;
        HistoryContext {
            turn: node.position.turn(),
            previous: [1, 2, 4].map(|plies| self.stack[at - plies].piece_to),
            pawn_key: node.sub_keys.pawns,
            threats: Threats::new(&node.position),
        }
    }

    /// The same without threats, where no quiet moves are looked up.
    pub(super) fn capture_context(&self, node: &Node) -> HistoryContext {
        HistoryContext {
            turn: node.position.turn(),
            previous: [NO_MOVE; 3],
            pawn_key: node.sub_keys.pawns,
            threats: Threats::NONE,
        }
    }

    /// The moves that led to a ply.
    pub(super) fn last_moves(&self, ply: usize) -> LastMoves {
        let at = ply + STACK_OFFSET;
        LastMoves {
            one: self.stack[at - 1].piece_to,
            two: self.stack[at - 2].piece_to,
        }
    }

    /// Makes the PV of a ply the move followed by the PV of the next ply.
    pub(super) fn update_pv(&mut self, ply: usize, m: Move) {
        let (head, tail) = self.pv.split_at_mut(ply + 1);
        let (Some(pv), Some(child_pv)) = (head.last_mut(), tail.first()) else {
            return;
        };
        pv.clear();
        pv.push(m);
        pv.extend_from_slice(child_pv);
    }
}

/// The score of a draw, varied by one centipawn, so that the search does not settle for the first repetition (threefold
/// blindness).
pub(super) fn draw_score(nodes: u64) -> i32 {
    DRAW + 1 - (nodes & 2) as i32
}

#[cfg(test)]
mod tests;
