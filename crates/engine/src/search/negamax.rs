//! Principal variation search: what is asked of one position.
//!
//! A node is answered by the table or by pruning where that is enough; otherwise its moves are tried (`moves`), and what
//! they came to is kept. `OPEN` says whether the window is open, as it is along the principal variation: everywhere else
//! the only question is whether the score reaches the window or not.

use tabiya_rules::Move;

use super::moves::Outcome;
use super::picker::is_quiet;
use super::quiescence::cuts;
use super::tree::{Here, MAX_PLY, Tree, draw};
use crate::score::{is_mate, mate_in, mated_in};
use crate::table::{Bound, Entry};

/// From this many half-moves without a capture or a pawn move on, no score of the table ends a node that is searched: it
/// knows nothing of the 50 moves, which are about to end.
const CLOCK_WITHOUT_TABLE: u32 = 90;
/// From this depth on, a node without a move to begin with is searched less deep.
const IIR_DEPTH: i32 = 4;

/// A node of the search, as its moves see it.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: i32,
    pub(super) in_check: bool,
    /// Whether the score is expected to be above the window.
    pub(super) cut: bool,
    /// The evaluation by itself; `None` in check.
    raw: Option<i32>,
    /// The evaluation with what was learned; `None` in check.
    pub(super) evaluation: Option<i32>,
    /// Whether that is better than at our last move.
    pub(super) improving: bool,
    pub(super) known: Option<Entry>,
    /// The move that is left out.
    pub(super) excluded: Option<Move>,
}

impl Tree<'_> {
    /// The score of a position, searched so deep, if it is within the window; a bound otherwise.
    pub(super) fn search<const OPEN: bool>(
        &mut self,
        here: &Here,
        alpha: i32,
        beta: i32,
        depth: i32,
        cut: bool,
    ) -> i32 {
        if depth <= 0 {
            return self.quiesce::<OPEN>(here, alpha, beta);
        }
        let (position, ply) = (&here.position, here.ply);
        debug_assert!(ply > 0, "the root has a search of its own");
        if OPEN {
            self.lines[ply].clear();
            self.deepest = self.deepest.max(ply);
        }
        if self.stopped {
            return 0;
        }
        let in_check = position.is_check();
        if self.is_draw(here, in_check) {
            return draw(self.nodes);
        }
        if ply >= MAX_PLY {
            return if in_check { 0 } else { self.evaluate(here) };
        }
        // A mate that was found nearer to the root is better than any from here.
        let alpha = alpha.max(mated_in(ply));
        let beta = beta.min(mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        let excluded = self.frame(ply).excluded;
        // What is known about the position is not what it is worth without one of its moves.
        let known = match excluded {
            None => self.shared.table.probe(position.key(), ply),
            Some(_) => None,
        };
        if let Some(entry) = known
            && !OPEN
            && entry.depth >= depth
            && cuts(&entry, alpha, beta)
            && position.halfmove_clock() < CLOCK_WITHOUT_TABLE
        {
            return entry.score;
        }
        let raw = match (in_check, known.and_then(|entry| entry.evaluation)) {
            (true, _) => None,
            (false, Some(raw)) => Some(raw),
            (false, None) => Some(self.evaluate(here)),
        };
        let evaluation = raw.map(|raw| self.corrected(here, raw));
        self.frame(ply).evaluation = evaluation;
        let node = Node {
            alpha,
            beta,
            depth,
            in_check,
            cut,
            raw,
            evaluation,
            improving: evaluation.is_some_and(|now| self.is_improving(ply, now)),
            known,
            excluded,
        };
        self.expand::<OPEN>(here, node)
    }

    /// Prunes the node or tries its moves.
    #[inline]
    fn expand<const OPEN: bool>(&mut self, here: &Here, mut node: Node) -> i32 {
        if !OPEN
            && node.excluded.is_none()
            && let Some(score) = self.prune(here, &node)
        {
            return score;
        }
        // A node without a move to begin with is searched less deep: the next time there will be one.
        let unknown = node.known.is_none_or(|entry| entry.best.is_none());
        if node.depth >= IIR_DEPTH && (OPEN || node.cut) && unknown {
            node.depth -= 1;
        }
        let outcome = self.moves::<OPEN>(here, &node);
        if self.stopped {
            return 0;
        }
        if !outcome.any {
            return match (node.excluded, node.in_check) {
                (Some(_), _) => node.alpha,
                (None, true) => mated_in(here.ply),
                (None, false) => draw(self.nodes),
            };
        }
        if node.excluded.is_none() {
            self.conclude::<OPEN>(here, &node, &outcome);
        }
        outcome.best
    }

    /// Is the side to move better off than at its last move, or the one before where that was in check?
    fn is_improving(&mut self, ply: usize, now: i32) -> bool {
        let back = |tree: &mut Self, plies: usize| {
            ply.checked_sub(plies)
                .and_then(|ply| tree.frame(ply).evaluation)
        };
        back(self, 2)
            .or_else(|| back(self, 4))
            .is_none_or(|before| now > before)
    }

    /// Keeps the result in the table, and learns from it how good the evaluation was.
    fn conclude<const OPEN: bool>(&mut self, here: &Here, node: &Node, outcome: &Outcome) {
        let bound = if outcome.best >= node.beta {
            Bound::Lower
        } else if OPEN && outcome.best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.correct_evaluation(here, node, outcome, bound);
        let entry = Entry {
            best: outcome.best_move,
            score: outcome.best,
            evaluation: node.raw,
            depth: node.depth,
            bound,
            open: OPEN || node.known.is_some_and(|entry| entry.open),
        };
        let key = here.position.key();
        self.shared.table.store(key, here.ply, entry);
    }

    /// Remembers how far the search found the evaluation to be off. A capture says nothing about that, for the evaluation
    /// is made for quiet positions; nor does a mate, or a bound that the evaluation is within.
    fn correct_evaluation(&mut self, here: &Here, node: &Node, outcome: &Outcome, bound: Bound) {
        let Some(evaluation) = node.evaluation else {
            return;
        };
        let best = outcome.best;
        let quiet = outcome
            .best_move
            .is_none_or(|m| is_quiet(&here.position, m));
        let telling = match bound {
            Bound::Exact => true,
            Bound::Lower => best > evaluation,
            Bound::Upper => best < evaluation,
        };
        if quiet && telling && !is_mate(best) {
            let turn = here.position.turn();
            let histories = &mut self.memory.histories;
            histories.correct(turn, &here.parts, best - evaluation, node.depth);
        }
    }
}
