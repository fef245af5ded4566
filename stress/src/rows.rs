//! The rows of the plan, each with its goal and what runs it.

mod engine;
mod pgn;
mod rules;
mod suites;

use crate::meter::{Meter, Stop};
use crate::program::Programs;

/// A check at the size of a release.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) id: &'static str,
    pub(crate) what: &'static str,
    pub(crate) goal: &'static str,
    pub(crate) run: fn(&mut Meter, &Programs) -> Result<(), Stop>,
}

const fn row(
    id: &'static str,
    what: &'static str,
    goal: &'static str,
    run: fn(&mut Meter, &Programs) -> Result<(), Stop>,
) -> Row {
    Row {
        id,
        what,
        goal,
        run,
    }
}

pub(crate) const ROWS: &[Row] = &[
    row(
        "A1",
        "perft counts of the suites, and of six well-known positions to 10^9",
        "exact",
        suites::counts,
    ),
    row(
        "A2",
        "complete sets of legal moves, SAN and UCI suites",
        "exact",
        suites::moves,
    ),
    row(
        "A3",
        "what must hold for every position of random games",
        "10,000,000 positions, 1 in 10 Chess960",
        rules::random_play,
    ),
    row(
        "A4",
        "FEN suites",
        "every text read or refused as it must be",
        suites::fen,
    ),
    row("A5", "draws: positions and games", "exact", suites::draws),
    row(
        "A6",
        "fuzz targets",
        "no panic, no slow input",
        suites::fuzz,
    ),
    row(
        "A7",
        "numbers at their edges, odd bytes, endless tokens",
        "no panic, each within 1 s",
        rules::limits,
    ),
    row(
        "A8",
        "address sanitizer over client and engine",
        "no report",
        suites::sanitizer,
    ),
    row(
        "B1",
        "1 GiB of PGN, every move checked",
        "64 MiB, 2,000,000 plies/s",
        pgn::big,
    ),
    row(
        "B3",
        "deep, wide and crowded games",
        "each within 5 s",
        pgn::deep_and_wide,
    ),
    row(
        "B4",
        "endless comments, tags, lines, blanks and noise",
        "64 MiB, linear time",
        pgn::endless,
    ),
    row(
        "B5",
        "a game of 100,000 plies",
        "within 2 s",
        pgn::long_game,
    ),
    row(
        "B6",
        "one-byte changes and any chunks",
        "chunks change nothing",
        pgn::mutations,
    ),
    row(
        "B7",
        "PGN corpus against its expected games; written and read again",
        "exact",
        suites::pgn,
    ),
    row(
        "B9",
        "files that are none, never end or cannot be read",
        "a sentence, or an end within 200 ms",
        pgn::odd_files,
    ),
    row(
        "C1",
        "scripts of interfaces and malformed lines",
        "all pass",
        suites::engine,
    ),
    row(
        "C2",
        "changed lines of the protocol",
        "10,000 lines, ready within 1 s, 64 MiB",
        engine::mutations,
    ),
    row(
        "C3",
        "random sessions",
        "10,000 sessions, one move for each go",
        engine::sessions,
    ),
    row(
        "C4",
        "stop and isready with four programs for each core",
        "p99 50 ms, max 200 ms",
        engine::latency,
    ),
    row(
        "C5",
        "games against itself at 1 s + 0.01 s and 0.1 s + 0.01 s",
        "20,000 games, no fault",
        engine::games,
    ),
    row(
        "C6",
        "end of input, SIGTERM and closed output at random moments",
        "3,000 ends within 500 ms",
        engine::endings,
    ),
    row(
        "C7",
        "the same search twice",
        "the same nodes",
        engine::reproducible,
    ),
    row(
        "C8",
        "truth of what a search says",
        "100,000 positions, 1 and 4 lines",
        engine::truth,
    ),
    row(
        "C9",
        "hash and threads at their edges",
        "honored within 5 %",
        engine::options,
    ),
    row(
        "C10",
        "soak: searches without end",
        "memory grows by 1 % at most",
        engine::soak,
    ),
    row(
        "D1-9",
        "saved games: kills, faults, names, two programs",
        "no move lost",
        suites::saves,
    ),
    row(
        "E1-5",
        "terminal: leaving, injection, random events",
        "terminal as before",
        suites::terminal,
    ),
    row(
        "F1-5",
        "engines that misbehave; 10,000 starts and ends",
        "nothing left behind",
        suites::engines,
    ),
];
