//! Searches the positions of games again, and writes the games with the new scores.
//!
//!     rescore SECONDS THREADS NODES IN OUT [NETWORK]
//!
//! A stronger engine is a better teacher, and searching a position again takes a fraction of the time of a new game.
//! Games keep their moves and results. Lines are written in the order of IN, as far as the time allows. Plies that
//! `pack` leaves out are not searched and keep their score; a position whose best move now captures or promotes gets
//! the score 30000, so that `pack` leaves it out too.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tabiya_engine::Network;
use tabiya_rules::MoveHistory;
use training::game_line::{FIRST_PLY, Game, HIGHEST_SCORE, MAX_SCORE, is_tactical};
use training::scorer::Scorer;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(order) = Order::parse(&arguments) else {
        eprintln!("usage: rescore SECONDS THREADS NODES IN OUT [NETWORK]");
        return ExitCode::from(2);
    };
    match run(&order) {
        Ok((games, searched)) => {
            println!("games {games}, positions searched {searched}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("rescore: {error}");
            ExitCode::from(3)
        }
    }
}

struct Order<'a> {
    time: Duration,
    threads: usize,
    nodes: u64,
    input: &'a Path,
    output: &'a Path,
    network: Option<&'a Path>,
}

impl Order<'_> {
    fn parse(arguments: &[String]) -> Option<Order<'_>> {
        let ([seconds, threads, nodes, input, output], network) =
            arguments.split_first_chunk::<5>()?;
        if network.len() > 1 {
            return None;
        }
        Some(Order {
            time: Duration::from_secs(seconds.parse().ok()?),
            threads: threads.parse().ok().filter(|&threads| threads > 0)?,
            nodes: nodes.parse().ok().filter(|&nodes| nodes > 0)?,
            input: Path::new(input),
            output: Path::new(output),
            network: network.first().map(Path::new),
        })
    }
}

/// The lines left to read, with the number of the next one.
type Input = (u64, io::Lines<BufReader<File>>);

fn run(order: &Order<'_>) -> io::Result<(u64, u64)> {
    let network = match order.network {
        Some(path) => Some(Arc::new(Network::open(path).map_err(io::Error::other)?)),
        None => None,
    };
    let lines = BufReader::new(File::open(order.input)?).lines();
    let input: Mutex<Input> = Mutex::new((0, lines));
    let output = Mutex::new(Output {
        writer: BufWriter::new(File::create(order.output)?),
        next: 0,
        waiting: BTreeMap::new(),
        games: 0,
        searched: 0,
        error: None,
    });
    let end = Instant::now() + order.time;
    std::thread::scope(|scope| {
        for _ in 0..order.threads {
            scope.spawn(|| {
                let mut scorer = Scorer::new(network.clone());
                while Instant::now() < end {
                    let Some((number, line)) = next_line(&input) else {
                        break;
                    };
                    let done = line.and_then(|line| {
                        let mut game: Game = line.parse().map_err(|error| {
                            let line = number + 1;
                            io::Error::other(format!("line {line}: {error}"))
                        })?;
                        let searched = rescore(&mut game, &mut scorer, order.nodes);
                        Ok((game, searched))
                    });
                    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
                    output.add(number, done);
                    if output.error.is_some() {
                        break;
                    }
                }
            });
        }
    });
    let output = output.into_inner().unwrap_or_else(PoisonError::into_inner);
    output.finish()
}

fn next_line(input: &Mutex<Input>) -> Option<(u64, io::Result<String>)> {
    let mut input = input.lock().unwrap_or_else(PoisonError::into_inner);
    let line = input.1.next()?;
    input.0 += 1;
    Some((input.0 - 1, line))
}

/// Gives new scores to the positions that are learned from, and returns their number.
fn rescore(game: &mut Game, scorer: &mut Scorer, nodes: u64) -> u64 {
    scorer.new_game();
    let mut played = MoveHistory::new(game.start);
    let mut searched = 0;
    for (index, ply) in game.plies.iter_mut().enumerate() {
        let position = *played.current();
        let learned_from = index >= FIRST_PLY
            && !position.is_check()
            && !is_tactical(&position, ply.played)
            && ply.score.abs() <= HIGHEST_SCORE;
        if learned_from && let Some((best, score)) = scorer.search(&played, nodes) {
            searched += 1;
            ply.score = if is_tactical(&position, best) {
                MAX_SCORE
            } else {
                score
            };
        }
        // The moves of a game are legal.
        let pushed = played.push(ply.played);
        debug_assert!(pushed.is_ok());
    }
    searched
}

/// Writes games in the order of their numbers, in whatever order they finish.
struct Output {
    writer: BufWriter<File>,
    /// The next number to write.
    next: u64,
    /// Games that finished before one with a lower number.
    waiting: BTreeMap<u64, (Game, u64)>,
    games: u64,
    searched: u64,
    /// The first error; nothing is written after it.
    error: Option<io::Error>,
}

impl Output {
    fn add(&mut self, number: u64, done: io::Result<(Game, u64)>) {
        match done {
            Ok(done) => _ = self.waiting.insert(number, done),
            Err(error) => _ = self.error.get_or_insert(error),
        }
        while self.error.is_none()
            && let Some((game, searched)) = self.waiting.remove(&self.next)
        {
            self.next += 1;
            self.games += 1;
            self.searched += searched;
            self.error = writeln!(self.writer, "{game}").err();
        }
    }

    fn finish(mut self) -> io::Result<(u64, u64)> {
        self.writer.flush()?;
        match self.error {
            Some(error) => Err(error),
            None => Ok((self.games, self.searched)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positions_that_are_learned_from_get_new_scores() {
        // The last move but one is a capture; in the last position White wins a queen.
        let line = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\tw\t\
            e2e4 1 e7e5 2 g1f3 3 b8c6 4 f1c4 9999 d8g5 6 f3g5 7 g8f6 8 d2d3 9";
        let mut game: Game = line.parse().expect("a game");
        let searched = rescore(&mut game, &mut Scorer::new(None), 300);
        let scores: Vec<i32> = game.plies.iter().map(|ply| ply.score).collect();
        assert_eq!(scores[..5], [1, 2, 3, 4, 9999], "too early, or decided");
        assert!(scores[5] != 6 && scores[5].abs() < 300, "{scores:?}");
        assert_eq!(scores[6], 7, "a capture");
        assert!(scores[7] < -500, "{scores:?}");
        assert_eq!(searched, 3);
    }

    #[test]
    fn games_are_written_in_the_order_of_the_input() {
        let folder = std::env::temp_dir().join(format!("rescore-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let (input, output) = (folder.join("in"), folder.join("out"));
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let lines: Vec<String> = ["e2e4 1", "d2d4 2", "c2c4 3", "g1f3 4 d7d5 5"]
            .iter()
            .map(|moves| format!("{start}\td\t{moves}\n"))
            .collect();
        std::fs::write(&input, lines.concat()).expect("written");
        let words: Vec<String> = ["60", "3", "100"]
            .into_iter()
            .map(str::to_owned)
            .chain([&input, &output].map(|path| path.display().to_string()))
            .collect();
        let order = Order::parse(&words).expect("an order");
        assert_eq!(run(&order).expect("done"), (4, 0));
        let written = std::fs::read_to_string(&output).expect("text");
        assert_eq!(written, lines.concat());
        std::fs::write(&input, "nonsense\n").expect("written");
        let error = run(&order).expect_err("refused").to_string();
        assert_eq!(error, "line 1: 'nonsense' is not a position");
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
