//! A run over the numbers of games: from which number on, for how long, with how many threads and soft nodes.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The first four arguments of each program that plays games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The first number.
    pub first_number: u64,
    /// How long new numbers are begun.
    pub time: Duration,
    /// The number of threads.
    pub threads: usize,
    /// The soft node limit of a move.
    pub nodes: u64,
}

impl Run {
    /// Reads `FIRST_NUMBER SECONDS THREADS NODES`, and returns the arguments that follow.
    #[must_use]
    pub fn parse(arguments: &[String]) -> Option<(Run, &[String])> {
        let ([first_number, seconds, threads, nodes], rest) = arguments.split_first_chunk::<4>()?;
        let run = Run {
            first_number: first_number.parse().ok()?,
            time: Duration::from_secs(seconds.parse().ok()?),
            threads: threads.parse().ok().filter(|&threads| threads > 0)?,
            nodes: nodes.parse().ok().filter(|&nodes| nodes > 0)?,
        };
        Some((run, rest))
    }

    /// Runs a worker in each thread, with one number after another, until the time is over or the worker breaks.
    pub fn for_each_number<W>(&self, worker: impl Fn() -> W + Sync)
    where
        W: FnMut(u64) -> ControlFlow<()>,
    {
        let next_number = AtomicU64::new(self.first_number);
        let end = Instant::now() + self.time;
        std::thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| {
                    let mut work = worker();
                    while Instant::now() < end {
                        let number = next_number.fetch_add(1, Ordering::Relaxed);
                        if work(number).is_break() {
                            break;
                        }
                    }
                });
            }
        });
    }
}

#[cfg(test)]
mod tests {
    //! Arguments are checked, and each number is worked on once.

    use super::*;

    #[test]
    fn wrong_arguments_are_refused() {
        let words = |line: &str| -> Vec<String> { line.split(' ').map(str::to_owned).collect() };
        let line = words("1 60 2 5000 out.txt");
        let (run, rest) = Run::parse(&line).expect("valid");
        assert_eq!((run.first_number, run.threads, run.nodes), (1, 2, 5000));
        assert_eq!(rest, ["out.txt"]);
        for wrong in [
            "1 60 2",
            "x 60 2 5000",
            "1 60 0 5000",
            "1 60 2 0",
            "1 60 -2 5000",
        ] {
            assert_eq!(Run::parse(&words(wrong)), None, "{wrong}");
        }
    }

    #[test]
    fn numbers_are_worked_on_once_each() {
        let run = Run {
            first_number: 5,
            time: Duration::from_secs(60),
            threads: 2,
            nodes: 1,
        };
        let seen = std::sync::Mutex::new(Vec::new());
        run.for_each_number(|| {
            |number| {
                let mut seen = seen.lock().expect("no thread panicked");
                seen.push(number);
                match seen.len() < 20 {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            }
        });
        let mut seen = seen.into_inner().expect("no thread panicked");
        seen.sort_unstable();
        assert!(seen.len() >= 20);
        assert!(seen.iter().copied().eq(5..5 + seen.len() as u64));
    }
}
