//! The end of every line: captures only, until the position is quiet enough to be judged.

use tabiya_rules::Move;

use super::picker::{Picker, is_quiet};
use super::tree::{Here, MAX_PLY, Tree, draw};
use crate::score::{INFINITE, MATE_BOUND, is_mate, mated_in};
use crate::table::{Bound, Entry};

/// In check so many quiet ways out are tried once one is known that is no mate.
const QUIET_EVASIONS: usize = 2;

impl Tree<'_> {
    /// The score of a position with captures played out; in check with every way out.
    pub(super) fn quiesce<const OPEN: bool>(
        &mut self,
        here: &Here,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        let (position, ply) = (&here.position, here.ply);
        if OPEN {
            self.lines[ply].clear();
            self.deepest = self.deepest.max(ply);
        }
        let in_check = position.is_check();
        if self.is_draw(here, in_check) {
            return draw(self.nodes);
        }
        if self.stopped || ply >= MAX_PLY {
            return if in_check { 0 } else { self.evaluate(here) };
        }
        let key = position.key();
        let known = self.shared.table.probe(key, ply);
        if let Some(entry) = known
            && !OPEN
            && cuts(&entry, alpha, beta)
        {
            return entry.score;
        }
        let mut evaluation = None;
        let mut best = -INFINITE;
        if !in_check {
            let raw = match known.and_then(|entry| entry.evaluation) {
                Some(raw) => raw,
                None => self.evaluate(here),
            };
            evaluation = Some(raw);
            best = self.corrected(here, raw);
            if let Some(entry) = known.filter(|entry| improves(entry, best)) {
                best = entry.score;
            }
            if best >= beta {
                if known.is_none() {
                    self.note(here, None, best, evaluation, Bound::Lower, OPEN);
                }
                return best;
            }
            alpha = alpha.max(best);
        }
        let (best, best_move) =
            self.captures::<OPEN>(here, in_check, best, (alpha, beta), known.as_ref());
        if self.stopped {
            return best;
        }
        if in_check && best == -INFINITE {
            return mated_in(ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        self.note(here, best_move, best, evaluation, bound, OPEN);
        best
    }

    /// Tries the moves; `best` is what not capturing is worth.
    fn captures<const OPEN: bool>(
        &mut self,
        here: &Here,
        in_check: bool,
        mut best: i32,
        (mut alpha, beta): (i32, i32),
        known: Option<&Entry>,
    ) -> (i32, Option<Move>) {
        let position = &here.position;
        let known = known
            .and_then(|entry| entry.best)
            .filter(|&m| in_check || !is_quiet(position, m));
        let mut picker = Picker::captures(&self.stack, position, in_check, known);
        let context = self.context(here);
        let mut best_move = None;
        let mut quiet_evasions = 0;
        while let Some(m) = picker.next(
            &mut self.stack,
            position,
            in_check,
            &self.memory.histories,
            &context,
        ) {
            if !in_check && self.handicap.overlooks(position, m) {
                continue;
            }
            // In check, once a way out is found, quiet moves are not all tried.
            if in_check && best > -MATE_BOUND && is_quiet(position, m) {
                quiet_evasions += 1;
                if quiet_evasions > QUIET_EVASIONS {
                    break;
                }
            }
            let next = self.enter(here, m);
            let score = -self.quiesce::<OPEN>(&next, -beta, -alpha);
            self.leave();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(m);
                    alpha = score;
                    if OPEN {
                        self.keep_line(here.ply, m);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        picker.finish(&mut self.stack);
        (best, best_move)
    }

    /// Keeps a result in the table.
    fn note(
        &self,
        here: &Here,
        best: Option<Move>,
        score: i32,
        evaluation: Option<i32>,
        bound: Bound,
        open: bool,
    ) {
        let entry = Entry {
            best,
            score,
            evaluation,
            depth: 0,
            bound,
            open,
        };
        self.shared
            .table
            .store(here.position.key(), here.ply, entry);
    }
}

/// Does what is known settle the question whether the score is below, above or beyond the window?
pub(super) fn cuts(entry: &Entry, alpha: i32, beta: i32) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    }
}

/// Is what is known from a search better than an evaluation? Mates are not taken over: whoever claims one has to show it.
pub(super) fn improves(entry: &Entry, evaluation: i32) -> bool {
    match entry.bound {
        _ if is_mate(entry.score) => false,
        Bound::Exact => true,
        Bound::Lower => entry.score > evaluation,
        Bound::Upper => entry.score < evaluation,
    }
}
