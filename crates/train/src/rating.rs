//! The rating of an exercise that nobody has tried: a linear model of what the built-in engine and the position say.
//!
//! `training/` in the repository has the program that fits it to rated puzzles, and docs/training.md says how far off it is:
//! it is an estimate, not a measurement of people.

use tabiya_engine::{AlphaBeta, Control, Report, Request, Searcher, Settings};
use tabiya_rules::{Move, MoveHistory, Position, Role, Score};

use crate::item::Item;

/// The deviation of a rating by the model.
pub const DEVIATION: u32 = 350;

/// The ratings that the model gives.
pub const RANGE: std::ops::RangeInclusive<u32> = 400..=2900;

/// The nodes of each search.
const NODES: u64 = 20_000;

/// The table of each search, in MiB.
const HASH: usize = 4;

/// What counts as the nodes of a move that the search never prefers, as a logarithm to base 2.
const NEVER: f64 = 15.29;

/// A search takes at least so many nodes, as a logarithm to base 2.
const AT_ONCE: f64 = 3.0;

/// The most solver moves after the first one that are searched.
const MAX_LATER: usize = 4;

/// What the model knows about an exercise. The letters are those of docs/training.md.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Features {
    /// The logarithm to base 2 of the nodes after which the engine prefers the first move for good.
    pub a: f64,
    /// The same for the later moves of the solution, summed up, from the least.
    pub l: f64,
    /// The share of the solution's moves that give check.
    pub c: f64,
    /// How many legal moves give check.
    pub checks: f64,
    /// How many legal moves capture.
    pub captures: f64,
    /// How much more the best capture wins by static exchange than the first move does, in pawns.
    pub g: f64,
    /// How many moves of the solution neither capture nor give check.
    pub q: f64,
    /// How many moves the solution has.
    pub n: f64,
    /// The engine's expected score.
    pub w: f64,
    /// How much the second best move is worse.
    pub d: f64,
    /// Whether the king moves first.
    pub king: f64,
}

/// Rates exercises.
#[derive(Debug)]
pub struct Rater {
    engine: AlphaBeta,
}

impl Default for Rater {
    fn default() -> Rater {
        Rater::new()
    }
}

impl Rater {
    /// Creates a rater with an engine of its own, which takes some megabytes.
    #[must_use]
    pub fn new() -> Rater {
        Rater {
            engine: AlphaBeta::new(&Settings::new().with_hash(HASH)),
        }
    }

    /// The rating of an exercise; `None` if it has no solution.
    #[must_use]
    pub fn rate(&mut self, item: &Item) -> Option<u32> {
        Some(self.features(&item.position, item.to_find())?.rating())
    }

    /// Gives an exercise a rating, unless it has one.
    pub fn complete(&mut self, item: &mut Item) {
        if item.rating.is_none() {
            item.rating = self.rate(item);
            item.rd = item.rating.map(|_| DEVIATION);
        }
    }

    /// The features of a solution, whose moves are legal; `None` if it is empty.
    #[must_use]
    pub fn features(&mut self, position: &Position, solution: &[Move]) -> Option<Features> {
        let first = *solution.first()?;
        let mut found = Features {
            king: f64::from(u8::from(first.role() == Role::King)),
            ..Features::default()
        };
        let legal = position.legal_moves();
        let mut best_capture: Option<i32> = None;
        for &m in &legal {
            found.checks += f64::from(u8::from(position.gives_check(m)));
            if position.is_capture(m) {
                found.captures += 1.0;
                best_capture = best_capture.max(Some(position.see(m)));
            }
        }
        if let Some(best) = best_capture {
            found.g = (f64::from(best - position.see(first)) / 100.0).clamp(0.0, 9.0);
        }
        let mut here = *position;
        let (mut checks, mut count) = (0.0, 0.0);
        for (at, &m) in solution.iter().enumerate() {
            if at % 2 == 0 {
                let nodes = match count as usize <= MAX_LATER {
                    true => self.nodes_until(&here, m),
                    false => AT_ONCE,
                };
                if at == 0 {
                    found.a = nodes;
                } else {
                    found.l += nodes - AT_ONCE;
                }
                let gives_check = here.gives_check(m);
                checks += f64::from(u8::from(gives_check));
                found.q += f64::from(u8::from(!gives_check && !here.is_capture(m)));
                count += 1.0;
            }
            here = here.play_unchecked(m);
        }
        found.c = checks / count;
        found.n = count.min(5.0);
        found.q = found.q.min(4.0);
        let [best, second] = self.two_best(position);
        found.w = best;
        found.d = best - second;
        Some(found)
    }

    /// The logarithm to base 2 of the nodes after which the engine prefers a move for good.
    fn nodes_until(&mut self, position: &Position, wanted: Move) -> f64 {
        let mut since = None;
        self.search(position, 1, |report| {
            let is_wanted = report.pv.first() == Some(&wanted);
            since = is_wanted.then(|| since.unwrap_or(report.nodes));
        });
        since.map_or(NEVER, |nodes| (nodes.max(1) as f64).log2().max(AT_ONCE))
    }

    /// The expected scores of the two best moves; 0 for the second if there is none.
    fn two_best(&mut self, position: &Position) -> [f64; 2] {
        let mut found = [0.0; 2];
        self.search(position, 2, |report| {
            if let Some(place) = found.get_mut(report.multi_pv as usize - 1) {
                *place = expected(report.score);
            }
        });
        found
    }

    /// Searches a position as if nothing had been searched before.
    fn search(&mut self, position: &Position, lines: usize, mut report: impl FnMut(&Report)) {
        let request = Request::new(MoveHistory::new(*position));
        if request.moves.is_empty() {
            return;
        }
        self.engine.new_game();
        let request = request.with_multi_pv(lines).with_nodes(NODES);
        self.engine
            .search(&request, &Control::new(), &mut |found| report(&found));
    }
}

/// The expected score of the side to move, by a curve that stays as it is, so that ratings do too.
fn expected(score: Score) -> f64 {
    let centipawns = match score {
        Score::Centipawns(score) => f64::from(score.clamp(-1500, 1500)),
        Score::MateIn(_) => 1500.0,
        Score::MatedIn(_) => -1500.0,
    };
    1.0 / (1.0 + (-0.0037 * centipawns).exp())
}

impl Features {
    /// The rating by the model.
    #[must_use]
    pub fn rating(&self) -> u32 {
        let above = |value: f64, knot: f64| (value - knot).max(0.0);
        let (checks, captures) = (self.checks.ln_1p(), self.captures.ln_1p());
        let rating = 824.4 + 62.2 * self.l - 37.6 * above(self.l, 7.55)
            + 43.1 * above(self.a, 4.15)
            - 44.8 * above(self.a, 9.2)
            - 427.8 * self.c
            + 1051.6 * above(self.c, 0.5)
            - 970.1 * above(self.c, 0.65)
            + 70.1 * checks
            + 182.3 * above(checks, 0.7)
            + 100.7 * captures
            + 34.4 * self.g
            + 229.6 * self.q
            - 228.4 * above(self.q, 1.0)
            + 34.6 * above(self.n, 2.0)
            + 555.2 * self.w
            - 640.8 * above(self.w, 0.55)
            - 360.3 * above(self.w, 0.75)
            - 528.7 * above(self.d, 0.2)
            + 548.2 * above(self.d, 0.5)
            + 108.7 * self.king;
        let (least, most) = (f64::from(*RANGE.start()), f64::from(*RANGE.end()));
        rating.round().clamp(least, most) as u32
    }
}

/// How far off ratings are.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Accuracy {
    /// The mean of the absolute errors.
    pub mae: f64,
    /// Spearman's rank correlation: 1 if the ratings order the exercises as they should.
    pub spearman: f64,
}

/// How far off ratings are, from pairs of the rating that is right and the one to measure; `None` for fewer than two.
#[must_use]
pub fn accuracy(pairs: &[(f64, f64)]) -> Option<Accuracy> {
    if pairs.len() < 2 {
        return None;
    }
    let count = pairs.len() as f64;
    let mae = pairs.iter().map(|(a, b)| (a - b).abs()).sum::<f64>() / count;
    let right = ranks(&pairs.iter().map(|pair| pair.0).collect::<Vec<f64>>());
    let found = ranks(&pairs.iter().map(|pair| pair.1).collect::<Vec<f64>>());
    let mean = (count + 1.0) / 2.0;
    let sum = |a: &[f64], b: &[f64]| -> f64 {
        let products = a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean));
        products.sum()
    };
    let spread = (sum(&right, &right) * sum(&found, &found)).sqrt();
    let spearman = if spread > 0.0 {
        sum(&right, &found) / spread
    } else {
        0.0
    };
    Some(Accuracy { mae, spearman })
}

/// The rank of each value from 1; equal ones share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let same = order.chunk_by(|&a, &b| values[a] == values[b]);
    let mut before = 0;
    for group in same {
        let rank = before as f64 + (group.len() as f64 + 1.0) / 2.0;
        group.iter().for_each(|&at| ranks[at] = rank);
        before += group.len();
    }
    ranks
}
