//! A plain search: deeper and deeper, alpha-beta, captures at the leaves.
//!
//! It is the seed of the real engine: it has no table, no pruning beyond alpha-beta, one thread. What it says is honest:
//! its scores are what it sees, its lines are legal, and it stops when it is told.

use tabiya_rules::{Move, MoveList, Position};
use tabiya_uci::ScoreValue;

use crate::evaluation::{VALUES, evaluate};
use crate::search::{Answer, Control, Report, Request, Searcher};

/// The deepest it goes.
const MAX_DEPTH: u32 = 64;
/// The score of giving mate at once. Each half-move of delay costs one.
const MATE: i32 = 30_000;
/// Scores beyond this are mates.
const MATE_BOUND: i32 = MATE - 1000;
/// More than any score.
const INFINITE: i32 = 32_000;
/// How many positions pass before the control is asked again: well under a millisecond of them.
const BETWEEN_LOOKS: u64 = 512;

/// Plain alpha-beta over material and placement.
#[derive(Clone, Default, Debug)]
pub struct PlainSearcher {
    _private: (),
}

impl Searcher for PlainSearcher {
    fn search(
        &mut self,
        request: &Request,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Answer {
        let position = *request.played.current();
        let mut tree = Tree {
            control,
            nodes: 0,
            most_nodes: most_nodes(request),
            stopped: false,
            deepest: 0,
            keys: request.played.positions().map(|p| p.key()).collect(),
        };
        let mut roots: Vec<Root> = request.moves.iter().map(|&m| Root::new(m)).collect();
        let depth = request.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        let depth = request
            .mate
            .map_or(depth, |moves| depth.min(moves.saturating_mul(2)));
        for depth in 1..=depth {
            let lines = request.lines.clamp(1, roots.len().max(1));
            if !tree.search_roots(&position, &mut roots, depth, lines) {
                break;
            }
            for (line, root) in (1..).zip(roots.iter().take(lines)) {
                report(root.report(depth, line, &tree));
            }
            let mated = request.mate.is_none() && lines == 1 && is_settled(&roots, depth);
            if mated || found_mate(request, &roots) {
                break;
            }
        }
        answer(&roots)
    }
}

/// Fewer positions for a weaker player: twice as many for every 200 points.
fn most_nodes(request: &Request) -> u64 {
    let limit = request.nodes.unwrap_or(u64::MAX);
    match request.elo {
        None => limit,
        Some(elo) => {
            let doublings = elo.saturating_sub(500) / 200;
            limit.min(50_u64 << doublings.min(40))
        }
    }
}

/// Is there nothing to find out? A mate that is nearer than the depth cannot become a nearer one.
fn is_settled(roots: &[Root], depth: u32) -> bool {
    roots.first().is_some_and(|best| {
        best.score.abs() > MATE_BOUND && (MATE - best.score.abs()).unsigned_abs() <= depth
    })
}

fn found_mate(request: &Request, roots: &[Root]) -> bool {
    match (request.mate, roots.first().map(|best| score(best.score))) {
        (Some(wanted), Some(ScoreValue::Mate(moves))) => {
            u32::try_from(moves).is_ok_and(|moves| moves > 0 && moves <= wanted)
        }
        _ => false,
    }
}

fn answer(roots: &[Root]) -> Answer {
    let mut pv = roots
        .first()
        .into_iter()
        .flat_map(|best| best.pv.iter().copied());
    Answer {
        best: pv.next(),
        ponder: pv.next(),
    }
}

fn score(value: i32) -> ScoreValue {
    let plies = MATE - value.abs();
    if value > MATE_BOUND {
        ScoreValue::Mate((plies + 1) / 2)
    } else if value < -MATE_BOUND {
        ScoreValue::Mate(-((plies + 1) / 2))
    } else {
        ScoreValue::Centipawns(value)
    }
}

/// A move of the position searched, with what is known about it.
#[derive(Clone, Debug)]
struct Root {
    score: i32,
    pv: Vec<Move>,
}

impl Root {
    fn new(m: Move) -> Root {
        Root {
            score: -INFINITE,
            pv: vec![m],
        }
    }

    fn report(&self, depth: u32, line: u32, tree: &Tree<'_>) -> Report {
        Report {
            depth,
            selective_depth: tree.deepest.max(depth),
            line,
            score: score(self.score),
            nodes: tree.nodes,
            pv: self.pv.clone(),
        }
    }
}

/// The tree that is being searched.
struct Tree<'a> {
    control: &'a Control,
    nodes: u64,
    most_nodes: u64,
    stopped: bool,
    deepest: u32,
    /// The keys of the game and of the line that is being looked at, for repetitions.
    keys: Vec<u64>,
}

impl Tree<'_> {
    /// Searches all moves to a depth and puts the best ones first; false if it was stopped. What was found before that
    /// counts all the same: the best move of the last depth is searched first, so a better one is better.
    fn search_roots(
        &mut self,
        position: &Position,
        roots: &mut [Root],
        depth: u32,
        lines: usize,
    ) -> bool {
        let mut searched: Vec<i32> = Vec::new();
        for i in 0..roots.len() {
            // With several lines every one of them needs its exact score.
            searched.sort_unstable_by(|a, b| b.cmp(a));
            let alpha = searched.get(lines - 1).copied().unwrap_or(-INFINITE);
            let m = roots[i].pv[0];
            let mut pv = Vec::new();
            let next = position.play(m);
            let value = -self.deeper(&next, depth - 1, 1, -INFINITE, -alpha, &mut pv);
            if self.stopped {
                break;
            }
            searched.push(value);
            roots[i].score = if value > alpha { value } else { -INFINITE };
            if value > alpha {
                roots[i].pv.truncate(1);
                roots[i].pv.append(&mut pv);
                // Only the moves up to here have scores of this depth; the sort keeps equal ones in their order.
                roots[..=i].sort_by_key(|root| std::cmp::Reverse(root.score));
            }
        }
        !self.stopped
    }

    /// Counts a position, and looks now and then whether to go on.
    fn enter(&mut self, ply: u32) {
        self.nodes += 1;
        self.deepest = self.deepest.max(ply);
        if self.nodes >= self.most_nodes
            || (self.nodes.is_multiple_of(BETWEEN_LOOKS) && self.control.should_stop())
        {
            self.stopped = true;
        }
    }

    /// A position below the root.
    fn deeper(
        &mut self,
        position: &Position,
        depth: u32,
        ply: u32,
        mut alpha: i32,
        beta: i32,
        pv: &mut Vec<Move>,
    ) -> i32 {
        if self.is_draw(position) {
            self.enter(ply);
            return 0;
        }
        // A check is answered before anything is judged.
        let checked = position.is_check();
        let depth = if checked && ply < 2 * MAX_DEPTH {
            depth.max(1)
        } else {
            depth
        };
        if depth == 0 {
            return self.quiet(position, ply, alpha, beta, pv);
        }
        self.enter(ply);
        if self.stopped {
            return 0;
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            return if checked { ply.cast_signed() - MATE } else { 0 };
        }
        let mut best = -INFINITE;
        self.keys.push(position.key());
        for m in ordered(position, &moves) {
            let mut line = Vec::new();
            let value = -self.deeper(
                &position.play(m),
                depth - 1,
                ply + 1,
                -beta,
                -alpha,
                &mut line,
            );
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    pv.clear();
                    pv.push(m);
                    pv.append(&mut line);
                }
                if value >= beta {
                    break;
                }
            }
        }
        self.keys.pop();
        best
    }

    /// Captures only, until nothing hangs.
    fn quiet(
        &mut self,
        position: &Position,
        ply: u32,
        mut alpha: i32,
        beta: i32,
        pv: &mut Vec<Move>,
    ) -> i32 {
        self.enter(ply);
        if self.stopped {
            return 0;
        }
        if !position.has_legal_move() {
            return 0;
        }
        let mut best = evaluate(position);
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        for m in ordered(position, &position.captures()) {
            let mut line = Vec::new();
            let value = -self.quiet_or_check(&position.play(m), ply + 1, -beta, -alpha, &mut line);
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    pv.clear();
                    pv.push(m);
                    pv.append(&mut line);
                }
                if value >= beta {
                    break;
                }
            }
        }
        best
    }

    /// Mates among the captures are seen; other checks are not answered here, which keeps this small.
    fn quiet_or_check(
        &mut self,
        position: &Position,
        ply: u32,
        alpha: i32,
        beta: i32,
        pv: &mut Vec<Move>,
    ) -> i32 {
        if position.is_check() && !position.has_legal_move() {
            self.enter(ply);
            return ply.cast_signed() - MATE;
        }
        self.quiet(position, ply, alpha, beta, pv)
    }

    /// Once is enough inside a search: what was repeated can be repeated again.
    fn is_draw(&self, position: &Position) -> bool {
        let clock = position.halfmove_clock();
        if clock >= 100 && (!position.is_check() || position.has_legal_move()) {
            return true;
        }
        let key = position.key();
        let back = self.keys.iter().rev().take(clock as usize);
        back.skip(1).step_by(2).any(|&earlier| earlier == key)
            || position.is_insufficient_material()
    }
}

/// The most valuable victims of the least valuable takers first, then promotions, then the rest in a fixed order.
fn ordered(position: &Position, moves: &MoveList) -> impl Iterator<Item = Move> + use<> {
    let mut keyed: Vec<(i32, u16, Move)> = moves
        .iter()
        .map(|&m| {
            let taken = position.captured(m).map_or(0, |(_, piece)| {
                10 * VALUES[piece.role as usize] - VALUES[m.role() as usize] / 10 + 1
            });
            let promoted = m.promotion().map_or(0, |role| VALUES[role as usize]);
            (-(taken + promoted), m.bits(), m)
        })
        .collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, _, m)| m)
}

#[cfg(test)]
mod tests;
