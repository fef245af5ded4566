//! The root: deeper and deeper, each time with the best move of the last depth first, until a limit is reached.

use tabiya_rules::Move;

use super::reductions::{HALF_MOVE, reduction};
use super::tree::{Here, MAX_PLY, Tree};
use crate::score::{INFINITE, MATE, is_mate, value};
use crate::searcher::{Report, Request};
use crate::table::{Bound, Entry};

/// From this depth on the window is narrow at first: before, the score still jumps.
const ASPIRATION_DEPTH: i32 = 5;
/// Half of the narrow window, in hundredths of a pawn. It is doubled each time the score is outside.
const NARROW: i32 = 14;
/// A window that would be wider than this is opened altogether: the score may well be a mate.
const WIDE: i32 = 500;
/// A helping thread leaves out one of so many depths, and none of the first ones, which cost nothing.
const DEPTHS_A_SKIP: usize = 4;
/// From this number on, moves of the root are searched less deep at first.
const LATE_ROOT_MOVE: usize = 3;

/// A move of the position searched, with what is known about it.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub(crate) score: i32,
    /// Begins with the move itself.
    pub(crate) line: Vec<Move>,
    /// Positions searched below it.
    nodes: u64,
    deepest: usize,
}

impl Root {
    pub(crate) fn new(m: Move) -> Root {
        Root {
            score: -INFINITE,
            line: vec![m],
            nodes: 0,
            deepest: 0,
        }
    }
}

/// Who is told what was found out.
pub(crate) type Listener<'a> = &'a mut dyn FnMut(Report);

/// What is searched, and until when.
#[derive(Debug)]
pub(crate) struct Task<'a> {
    pub(crate) request: &'a Request,
    pub(crate) lines: usize,
    pub(crate) depth: u32,
}

impl<'a> Task<'a> {
    pub(crate) fn new(request: &'a Request, moves: usize) -> Task<'a> {
        let deepest = MAX_PLY as u32 - 1;
        let depth = request.depth.unwrap_or(deepest).clamp(1, deepest);
        Task {
            request,
            lines: request.lines.clamp(1, moves.max(1)),
            // With its reductions the search may see a mate a little later than that.
            depth: request.mate.map_or(depth, |moves| {
                depth.min(moves.saturating_mul(4).saturating_add(6))
            }),
        }
    }
}

impl Tree<'_> {
    /// Searches the moves deeper and deeper; the best ones are then in front.
    pub(crate) fn deepen(
        mut self,
        task: &Task<'_>,
        roots: &mut [Root],
        mut listener: Option<Listener<'_>>,
    ) {
        let here = self.root(task.request.played.current());
        let mut steady = Steady::default();
        for depth in 1..=task.depth {
            // Helping threads leave out some depths, so that they do not all do the same.
            let turn = depth as usize + self.thread;
            let skips = self.thread > 0 && depth as usize > DEPTHS_A_SKIP;
            if skips && turn.is_multiple_of(DEPTHS_A_SKIP) {
                continue;
            }
            for line in 0..task.lines {
                self.deepest = 0;
                let listener: Option<Listener<'_>> = match &mut listener {
                    Some(listener) if task.lines == 1 => Some(*listener),
                    _ => None,
                };
                self.aspire(&here, roots, line, depth as i32, listener);
                if self.stopped {
                    break;
                }
                // A later line may turn out better than an earlier one that was searched when less was known.
                roots[..=line].sort_by_key(|root| std::cmp::Reverse(root.score));
            }
            self.publish();
            if self.stopped {
                break;
            }
            if let Some(listener) = &mut listener {
                for (number, root) in (1..).zip(roots.iter().take(task.lines)) {
                    listener(self.report(root, depth, number));
                }
            }
            if self.thread == 0 && self.is_enough(task, roots, depth, &mut steady) {
                break;
            }
        }
        self.publish();
    }

    /// Searches with a narrow window around the last score, and a wider one if the score is outside.
    fn aspire(
        &mut self,
        here: &Here,
        roots: &mut [Root],
        line: usize,
        depth: i32,
        mut listener: Option<Listener<'_>>,
    ) {
        let last = roots[line].score;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        let mut width = NARROW;
        if depth >= ASPIRATION_DEPTH && last > -INFINITE && !is_mate(last) {
            (alpha, beta) = (last - width, last + width);
        }
        let mut less = 0;
        loop {
            let inner: Option<Listener<'_>> = match &mut listener {
                Some(listener) => Some(*listener),
                None => None,
            };
            let searched = (depth - less).max(1);
            let score = self.search_root(here, roots, line, (alpha, beta), searched, inner);
            if self.stopped {
                return;
            }
            roots[line..].sort_by_key(|root| std::cmp::Reverse(root.score));
            if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (score - width).max(-INFINITE);
                less = 0;
            } else if score >= beta {
                beta = (score + width).min(INFINITE);
                less = (less + 1).min(3);
            } else {
                return;
            }
            width += width;
            if width > WIDE {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Searches the moves from a number on. Those that are not better than the first have no score then.
    fn search_root(
        &mut self,
        here: &Here,
        roots: &mut [Root],
        line: usize,
        (mut alpha, beta): (i32, i32),
        depth: i32,
        mut listener: Option<Listener<'_>>,
    ) -> i32 {
        if !here.position.is_check() {
            let raw = self.evaluate(here);
            self.frame(0).evaluation = Some(self.corrected(here, raw));
        }
        let mut best = -INFINITE;
        let mut best_move = None;
        let bottom = alpha;
        for i in line..roots.len() {
            let m = roots[i].line[0];
            let before = self.nodes;
            let next = self.enter(here, m);
            let score = self.root_move(&next, i - line, (alpha, beta), depth);
            self.leave();
            if self.stopped {
                return best;
            }
            roots[i].nodes += self.nodes - before;
            let first = i == line;
            if !first && score <= alpha {
                roots[i].score = -INFINITE;
            }
            if first || score > alpha {
                roots[i].score = score;
                roots[i].deepest = self.deepest;
                let exact = score > alpha && score < beta;
                if score > alpha {
                    roots[i].line.truncate(1);
                    roots[i].line.extend_from_slice(&self.lines[1]);
                }
                if let Some(listener) = &mut listener
                    && exact
                    && !first
                {
                    self.publish();
                    listener(self.report(&roots[i], depth as u32, 1));
                }
                // What is better comes first at once: the search may be stopped at any time.
                if exact && !first {
                    for other in &mut roots[line..i] {
                        other.score = -INFINITE;
                    }
                    roots[line..=i].rotate_right(1);
                }
            }
            if score > best {
                best = score;
                best_move = Some(m).filter(|_| score > alpha).or(best_move);
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        if line == 0 {
            self.note_root(here, best, best_move, (bottom, beta), depth);
        }
        best
    }

    /// The score of a move, the first of which gets the open window.
    fn root_move(
        &mut self,
        next: &Here,
        number: usize,
        (alpha, beta): (i32, i32),
        depth: i32,
    ) -> i32 {
        if number == 0 {
            return -self.search::<true>(next, -beta, -alpha, depth - 1, false);
        }
        let mut score = alpha + 1;
        let less = match depth >= 3 && number >= LATE_ROOT_MOVE && !next.position.is_check() {
            true => (reduction(depth, number) / HALF_MOVE - 1).clamp(0, depth - 2),
            false => 0,
        };
        if less > 0 {
            score = -self.search::<false>(next, -alpha - 1, -alpha, depth - 1 - less, true);
        }
        if score > alpha {
            score = -self.search::<false>(next, -alpha - 1, -alpha, depth - 1, true);
        }
        if score > alpha {
            score = -self.search::<true>(next, -beta, -alpha, depth - 1, false);
        }
        score
    }

    fn note_root(
        &self,
        here: &Here,
        score: i32,
        best: Option<Move>,
        (alpha, beta): (i32, i32),
        depth: i32,
    ) {
        let bound = if score >= beta {
            Bound::Lower
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry {
            best,
            score,
            evaluation: None,
            depth,
            bound,
            open: true,
        };
        self.shared.table.store(here.position.key(), 0, entry);
    }

    fn report(&self, root: &Root, depth: u32, line: u32) -> Report {
        Report {
            depth,
            selective_depth: (root.deepest as u32).max(depth),
            line,
            score: value(root.score),
            nodes: self.shared.all_nodes().max(self.nodes),
            table: self.shared.table.permille_used(),
            pv: root.line.clone(),
        }
    }

    /// Is there no use in another depth?
    fn is_enough(&self, task: &Task<'_>, roots: &[Root], depth: u32, steady: &mut Steady) -> bool {
        let Some(best) = roots.first() else {
            return true;
        };
        let plies = (MATE - best.score.abs()).unsigned_abs();
        if is_mate(best.score) {
            if let Some(wanted) = task.request.mate {
                if best.score > 0 && plies.div_ceil(2) <= wanted {
                    return true;
                }
            } else if task.lines == 1 && depth >= plies + 4 {
                // A mate so near was searched for long enough; a nearer one would have been found.
                return true;
            }
        }
        let control = self.shared.control;
        if roots.len() == 1 && depth >= 6 && control.is_time_to_move(1) {
            return true;
        }
        control.is_time_to_move(steady.percent(best, self.nodes))
    }
}

/// How steady the best move has been from depth to depth.
#[derive(Debug, Default)]
struct Steady {
    best: Option<Move>,
    depths: u32,
    score: i32,
}

impl Steady {
    /// How much of the usual time to take: less for a move that stays the best and takes up most of the tree, more
    /// when the score falls.
    fn percent(&mut self, best: &Root, nodes: u64) -> u32 {
        let m = best.line.first().copied();
        if m == self.best {
            self.depths += 1;
        } else {
            self.depths = 0;
        }
        let fall = (self.score - best.score).clamp(0, 80) as u32;
        (self.best, self.score) = (m, best.score);
        let stability = 160 - 12 * self.depths.min(8);
        let share = (best.nodes * 100 / nodes.max(1)).min(100) as u32;
        let effort = 170 - share;
        stability * effort / 100 * (100 + fall) / 100
    }
}
