//! Summarizes a file of games: how many there are, how they ended, the distribution of the scores,
//! and how often a score wins.
//!
//!     xz -dc games-*.txt.xz | look
//!
//! Reads lines as `play` or `rescore` writes them from standard input. [`curve`] fits the win
//! probability to the positions that are learned from, once for all of them and once with coefficients
//! that depend on the material. The latter are the chances that the program shows.

mod curve;

use std::io::{self, BufRead};
use std::process::ExitCode;

use curve::{Curve, Sample};
use tabiya_rules::Color;
use tabiya_uci::material;
use training::game_line::{FIRST_PLY, Game, GameResult, HIGHEST_SCORE, is_tactical};

/// Upper ends of the ranges of the score histogram, in centipawns.
const RANGES: [i32; 9] = [10, 25, 50, 100, 200, 400, 800, 1500, HIGHEST_SCORE];
/// Scores for which the table shows the probabilities.
const SHOWN_SCORES: [i32; 7] = [0, 50, 100, 200, 300, 500, 1000];
/// Amounts of material for which the table shows the probabilities.
const SHOWN_MATERIAL: [i32; 4] = [70, 50, 30, 15];

/// The totals over all games.
#[derive(Debug, Default)]
struct Summary {
    games: u64,
    bad_lines: u64,
    /// Won by White, drawn, won by Black.
    results: [u64; 3],
    plies: u64,
    longest: usize,
    /// By range of the absolute score; the last is for higher scores, including mates.
    scores: [u64; RANGES.len() + 1],
    samples: curve::Samples,
}

impl Summary {
    fn add(&mut self, game: &Game) {
        self.games += 1;
        self.results[match game.result {
            GameResult::Won(Color::White) => 0,
            GameResult::Drawn => 1,
            GameResult::Won(Color::Black) => 2,
        }] += 1;
        self.plies += game.plies.len() as u64;
        self.longest = self.longest.max(game.plies.len());
        for (index, (position, ply)) in game.positions().enumerate() {
            let size = ply.score.abs();
            let range = RANGES.iter().position(|&end| size <= end);
            self.scores[range.unwrap_or(RANGES.len())] += 1;
            // As in `pack`. After `rescore` the others still have the scores of another engine.
            let learned_from = index >= FIRST_PLY
                && size <= HIGHEST_SCORE
                && !position.is_check()
                && !is_tactical(&position, ply.played);
            if learned_from {
                self.samples.add(Sample {
                    score: ply.score,
                    material: material(&position) as i32,
                    result: match game.result {
                        GameResult::Won(winner) => Some(winner == position.turn()),
                        GameResult::Drawn => None,
                    },
                });
            }
        }
    }

    fn print(&self) {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let [white, drawn, black] = self.results;
        println!("games {}, unreadable lines {}", self.games, self.bad_lines);
        println!(
            "White won {white} ({:.1} %), drawn {drawn} ({:.1} %), Black won {black} ({:.1} %)",
            share(white, self.games),
            share(drawn, self.games),
            share(black, self.games)
        );
        println!(
            "plies {}, {:.1} for each game, {} in the longest",
            self.plies,
            self.plies as f64 / self.games.max(1) as f64,
            self.longest
        );
        println!("\nscores, either sign");
        for (i, &count) in self.scores.iter().enumerate() {
            let range = match (i.checked_sub(1).map(|before| RANGES[before]), RANGES.get(i)) {
                (_, Some(end)) => format!("up to {end}"),
                (last, None) => format!("beyond {}", last.unwrap_or(0)),
            };
            println!(
                "  {range:<12} {count:>10}  {:5.1} %",
                share(count, self.plies)
            );
        }
    }
}

fn print_curve(name: &str, curve: &Curve) {
    println!("\n{name}: a win has the chance 1 / (1 + exp(-(a + b * score / 100)))");
    println!("  a = {}", polynomial(curve.place()));
    println!("  b = {}", polynomial(curve.slope()));
    println!("  mean log loss {:.5}", curve.loss());
    if curve.place().len() > 1 {
        println!("  as the code has them (crates/uci/src/reply/wdl.rs):");
        println!(
            "  PLACE: {:.4?}, SLOPE: {:.4?}",
            curve.place(),
            curve.slope()
        );
    }
    println!("  material   score: expected points (won, drawn, lost)");
    for material in SHOWN_MATERIAL {
        print!("  {material:>8}");
        for score in SHOWN_SCORES {
            let (win, loss) = (curve.win(score, material), curve.win(-score, material));
            let expected = win + (1.0 - win - loss) / 2.0;
            print!(
                "  {score}: {:.0} % ({:.0}, {:.0}, {:.0})",
                100.0 * expected,
                100.0 * win,
                100.0 * (1.0 - win - loss),
                100.0 * loss
            );
        }
        println!();
        if curve.place().len() == 1 {
            break;
        }
    }
}

fn polynomial(coefficients: &[f64]) -> String {
    let term = |(power, c): (usize, &f64)| match power {
        0 => format!("{c:+.4}"),
        1 => format!("{c:+.4} m"),
        _ => format!("{c:+.4} m^{power}"),
    };
    let terms: Vec<String> = coefficients.iter().enumerate().map(term).collect();
    let unit = if coefficients.len() > 1 {
        ", m = material / 78"
    } else {
        ""
    };
    terms.join(" ") + unit
}

fn main() -> ExitCode {
    if std::env::args().len() > 1 {
        eprintln!("usage: xz -dc games-*.txt.xz | look");
        return ExitCode::from(2);
    }
    let mut summary = Summary::default();
    for line in io::stdin().lock().lines() {
        match line {
            // A line that a killed program left half-written is counted and skipped.
            Ok(line) => match line.parse() {
                Ok(game) => summary.add(&game),
                Err(_) => summary.bad_lines += 1,
            },
            Err(error) => {
                eprintln!("look: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    summary.print();
    for (name, degree) in [("all material", 0), ("by material", 3)] {
        match Curve::fit(&summary.samples, degree) {
            Some(curve) => print_curve(name, &curve),
            None => println!("\n{name}: too few different positions for a curve"),
        }
    }
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    //! The curve is fitted to the positions that are learned from.

    use super::*;

    /// Returns the samples of a game with this score for the seventh move, a capture, and this one for the eighth.
    fn samples(capture: i32, quiet: i32) -> curve::Samples {
        let line = format!(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\tw\t\
             e2e4 1 e7e5 2 g1f3 3 b8c6 4 f1c4 5 d8g5 6 f3g5 {capture} g8f6 {quiet} d2d3 9"
        );
        let mut summary = Summary::default();
        summary.add(&line.parse().expect("a game"));
        summary.samples
    }

    #[test]
    fn only_positions_that_are_learned_from_count() {
        assert_eq!(samples(700, -700), samples(-2000, -700));
        assert_ne!(samples(700, -700), samples(700, -500));
    }
}
