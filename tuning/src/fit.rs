//! Numbers that say best what the games say.
//!
//! Around the present numbers the evaluation of a position is nearly linear: its value and what one more of each number
//! adds to it. With those the numbers are improved step by step (Adam) on nine games of ten; the tenth says whether what
//! was learned is true of others too.

use tabiya_engine::tuning::Evaluation;
use tabiya_rules::Color;

use crate::numbers;
use crate::samples::Sample;

/// How much of an aim is what the search thought; the rest is how the game ended.
const TRUST: f32 = 0.7;
/// How far a number is moved to see what it does: danger grows with its square, so less.
const NUDGE: i32 = 64;
const NUDGE_UNITS: i32 = 8;
const STEPS: i32 = 200;
/// How far a number moves in the first steps, in hundredths of a pawn.
const RATE: f32 = 0.5;
/// What keeps numbers near to where they were: each is tried, and the games set aside say which is best.
const TIES: [f32; 4] = [2e-8, 5e-9, 2e-9, 5e-10];
/// One game of so many is only looked at.
const SET_ASIDE: usize = 10;
/// Samples that are nudged together.
const BATCH: usize = 8192;

/// A position as the fit sees it: the aim, the value by the present numbers, and what each number adds.
struct Row {
    aim: f32,
    value: f32,
    terms: Box<[(u16, f32)]>,
}

/// Moves numbers towards the aims of the games' samples, the way from `first` to the new ones as short as it may be.
pub(crate) fn fit(first: &[i32], start: &[i32], games: &[Vec<Sample>]) -> Vec<i32> {
    let slope = slope(games);
    eprintln!(
        "a pawn more wins {:.1} % more",
        100.0 * (expected(100.0 * slope) - 0.5)
    );
    let (mut learned, mut aside) = (Vec::new(), Vec::new());
    for (i, game) in games.iter().enumerate() {
        let part = if i % SET_ASIDE == 0 {
            &mut aside
        } else {
            &mut learned
        };
        part.extend(game.iter().copied());
    }
    let learned = rows(start, &learned, slope);
    let aside = rows(start, &aside, slope);
    let came: Vec<f32> = start
        .iter()
        .zip(first)
        .map(|(start, first)| (start - first) as f32)
        .collect();
    let still = vec![0.0; start.len()];
    let before = look(&learned, &still, slope).0;
    eprintln!(
        "before: {before:.6}, of the games set aside {:.6}",
        look(&aside, &still, slope).0
    );
    let tries = TIES.map(|tie| {
        let moved = walk(&learned, &came, tie, slope);
        let (loss, other) = (
            look(&learned, &moved, slope).0,
            look(&aside, &moved, slope).0,
        );
        eprintln!("tie {tie}: {loss:.6}, of the games set aside {other:.6}");
        (other, moved)
    });
    let (_, best) = tries
        .into_iter()
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .expect("some ties");
    start
        .iter()
        .zip(&best)
        .map(|(number, moved)| number + moved.round() as i32)
        .collect()
}

/// Where the numbers go from where they came to, with a tie to where they came from.
fn walk(rows: &[Row], came: &[f32], tie: f32, slope: f32) -> Vec<f32> {
    let mut moved = vec![0.0; came.len()];
    let mut adam = Adam::new(came.len());
    for _ in 0..STEPS {
        let (_, mut slopes) = look(rows, &moved, slope);
        for ((slope, moved), came) in slopes.iter_mut().zip(&moved).zip(came) {
            *slope += tie * (came + moved);
        }
        adam.step(&mut moved, &slopes);
    }
    moved
}

/// The part of a point that is expected at a value.
fn expected(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// The factor for values with which what the search thought foretells the results best.
fn slope(games: &[Vec<Sample>]) -> f32 {
    let miss = |slope: f32| -> f64 {
        let each = games
            .iter()
            .flatten()
            .map(|sample| f64::from((expected(sample.searched * slope) - sample.result).powi(2)));
        each.sum()
    };
    (10..100)
        .map(|i| i as f32 * 1e-4)
        .min_by(|a, b| miss(*a).total_cmp(&miss(*b)))
        .expect("a range that is not empty")
}

fn rows(numbers: &[i32], samples: &[Sample], slope: f32) -> Vec<Row> {
    let parts = on_every_core(samples, |part| -> Vec<Row> {
        part.chunks(BATCH)
            .flat_map(|batch| batch_rows(numbers, batch, slope))
            .collect()
    });
    parts.into_iter().flatten().collect()
}

/// Does work on equal parts of a list, one for each core, all at once.
fn on_every_core<T: Sync, R: Send>(list: &[T], work: impl Fn(&[T]) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let share = list.len().div_ceil(cores).max(1);
    let work = &work;
    std::thread::scope(|scope| {
        let parts: Vec<_> = list
            .chunks(share)
            .map(|part| scope.spawn(move || work(part)))
            .collect();
        parts
            .into_iter()
            .map(|part| part.join().expect("the work does not panic"))
            .collect()
    })
}

fn batch_rows(numbers: &[i32], samples: &[Sample], slope: f32) -> Vec<Row> {
    let values = values(numbers, samples);
    let mut terms: Vec<Vec<(u16, f32)>> = vec![Vec::new(); samples.len()];
    for i in 0..numbers.len() {
        let nudge = if i + numbers::UNITS < numbers.len() {
            NUDGE
        } else {
            NUDGE_UNITS
        };
        let mut nudged = numbers.to_vec();
        nudged[i] += nudge;
        for ((terms, new), old) in terms
            .iter_mut()
            .zip(self::values(&nudged, samples))
            .zip(&values)
        {
            if new != *old {
                terms.push((i as u16, (new - old) as f32 / nudge as f32));
            }
        }
    }
    let each = samples.iter().zip(values).zip(terms);
    each.map(|((sample, value), terms)| Row {
        aim: TRUST * expected(sample.searched * slope) + (1.0 - TRUST) * sample.result,
        value: value as f32,
        terms: terms.into(),
    })
    .collect()
}

/// What White thinks of each position by these numbers.
fn values(numbers: &[i32], samples: &[Sample]) -> Vec<i32> {
    let mut evaluation = Evaluation::new(numbers::set(numbers));
    let each = samples.iter().map(|sample| {
        let value = evaluation.evaluate(&sample.position);
        match sample.position.turn() {
            Color::White => value,
            Color::Black => -value,
        }
    });
    each.collect()
}

/// The mean squared distance to the aims, and how it changes with each number.
fn look(rows: &[Row], moved: &[f32], slope: f32) -> (f64, Vec<f32>) {
    let parts = on_every_core(rows, |part| look_at(part, moved, slope));
    let count = rows.len().max(1) as f32;
    let loss = parts.iter().map(|part| part.0).sum::<f64>() / f64::from(count);
    let mut slopes = vec![0.0; moved.len()];
    for (_, part) in &parts {
        for (sum, slope) in slopes.iter_mut().zip(part) {
            *sum += slope / count;
        }
    }
    (loss, slopes)
}

fn look_at(rows: &[Row], moved: &[f32], slope: f32) -> (f64, Vec<f32>) {
    let mut loss = 0.0;
    let mut slopes = vec![0.0; moved.len()];
    for row in rows {
        let added: f32 = row
            .terms
            .iter()
            .map(|&(i, term)| moved[usize::from(i)] * term)
            .sum();
        let says = expected((row.value + added) * slope);
        let miss = says - row.aim;
        loss += f64::from(miss * miss);
        let pull = 2.0 * miss * says * (1.0 - says) * slope;
        for &(i, term) in &row.terms {
            slopes[usize::from(i)] += pull * term;
        }
    }
    (loss, slopes)
}

/// Steps of a size of their own for each number, by the mean of its slopes and of their squares.
struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new(count: usize) -> Adam {
        Adam {
            means: vec![0.0; count],
            squares: vec![0.0; count],
            steps: 0,
        }
    }

    fn step(&mut self, moved: &mut [f32], slopes: &[f32]) {
        const MEAN: f32 = 0.9;
        const SQUARE: f32 = 0.999;
        self.steps += 1;
        for (i, &slope) in slopes.iter().enumerate() {
            self.means[i] = MEAN * self.means[i] + (1.0 - MEAN) * slope;
            self.squares[i] = SQUARE * self.squares[i] + (1.0 - SQUARE) * slope * slope;
            let mean = self.means[i] / (1.0 - MEAN.powi(self.steps));
            let square = self.squares[i] / (1.0 - SQUARE.powi(self.steps));
            moved[i] -= RATE * mean / (square.sqrt() + 1e-10);
        }
    }
}

#[cfg(test)]
mod tests {
    //! What the games say is found.

    use tabiya_engine::tuning::Weights;
    use tabiya_rules::{Position, SplitMix64};

    use super::*;

    /// Positions of games by chance.
    fn games() -> Vec<Vec<Sample>> {
        let game = |seed| {
            let mut random = SplitMix64::new(seed);
            let mut position = Position::start();
            let mut samples = Vec::new();
            for _ in 0..60 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play_unchecked(moves[random.below(moves.len())]);
                samples.push(Sample {
                    position,
                    searched: 0.0,
                    result: 0.5,
                });
            }
            samples
        };
        (0..60).map(game).collect()
    }

    #[test]
    fn what_was_made_wrong_is_made_up_for() {
        let truth = numbers::get(&Weights::STANDARD);
        let mut games = games();
        for game in &mut games {
            let values = values(&truth, game);
            for (sample, value) in game.iter_mut().zip(values) {
                sample.searched = value as f32;
                sample.result = expected(0.004 * value as f32);
            }
        }
        // Knights worth far too little: places and mobility of knights can make up for it as well.
        let mut wrong = truth.clone();
        wrong[2] -= 150;
        let fitted = fit(&wrong, &wrong, &games);
        let miss = |numbers: &[i32]| -> i32 {
            let each = games.iter().map(|game| {
                let pairs = values(numbers, game).into_iter().zip(values(&truth, game));
                pairs.map(|(a, b)| (a - b).abs()).sum::<i32>()
            });
            each.sum()
        };
        let (before, after) = (miss(&wrong), miss(&fitted));
        assert!(after * 2 < before, "{after} after {before}");
    }
}
