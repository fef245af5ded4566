//! The rows of the plan, each with its goal and the function that runs it.

mod compiler;
mod database;
mod engine;
mod load;
mod odd_files;
mod pgn;
mod rules;
mod scarcity;
mod search;
mod serve;
mod shapes;
mod streamed;
mod tests;

use crate::meter::{Meter, Stop};
use crate::program::Programs;
use tests::Tests;

/// What runs a row.
#[derive(Clone, Copy, Debug)]
enum Run {
    /// Code of this program, and the folders below `crates` with what it tests.
    Code(
        fn(&mut Meter, &Programs) -> Result<(), Stop>,
        &'static [&'static str],
    ),
    Tests(&'static Tests),
}

/// A check at release size.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) id: &'static str,
    pub(crate) what: &'static str,
    pub(crate) goal: &'static str,
    run: Run,
}

impl Row {
    pub(crate) fn run(&self, meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
        match self.run {
            Run::Code(code, _) => code(meter, programs),
            Run::Tests(tests) => tests::run(meter, programs, tests),
        }
    }

    /// Returns the folders below `crates` with the code that this row tests.
    pub(crate) fn crates(&self) -> Vec<&'static str> {
        match self.run {
            Run::Code(_, crates) => crates.to_vec(),
            Run::Tests(tests) => tests.crates().collect(),
        }
    }
}

const RULES: &[&str] = &["rules"];
const BOTH: &[&str] = &["rules", "game"];
const PGN: &[&str] = &["rules", "game", "tools"];
const ENGINE: &[&str] = &["uci", "engine"];
const SAVING: &[&str] = &["store", "front", "line", "screen", "tools", "tabiya"];
const PROGRAM: &[&str] = &["front", "line", "screen", "tools", "tabiya"];
const SERVER: &[&str] = &["serve"];
/// What the fuzz targets read with.
const READERS: &[&str] = &[
    "rules", "game", "uci", "engine", "openings", "store", "db", "serve", "front", "screen",
];

const fn row(id: &'static str, what: &'static str, goal: &'static str, run: Run) -> Row {
    Row {
        id,
        what,
        goal,
        run,
    }
}

#[rustfmt::skip]
pub(crate) const ROWS: &[Row] = &[
    row("A1", "perft counts of the suites, and of six well-known positions to 10^9", "counts to 10^7, exact", Run::Code(tests::counts, RULES)),
    row("A2", "complete sets of legal moves, SAN and UCI suites", "exact", Run::Tests(&tests::MOVES)),
    row("A3", "what must hold for every position of random games", "10^7 positions, 1 in 10 Chess960", Run::Code(rules::random_play, RULES)),
    row("A4", "FEN suites", "every text read or refused as it must be", Run::Tests(&tests::FEN)),
    row("A5", "draws: positions and games", "exact", Run::Tests(&tests::DRAWS)),
    row("A6", "fuzz targets", "no panic, no slow input", Run::Code(compiler::fuzz, READERS)),
    row("A7", "numbers at their edges, odd bytes, endless tokens", "no panic, each within 1 s", Run::Code(rules::limits, RULES)),
    row("A8", "address sanitizer over client and engine", "no report", Run::Code(compiler::sanitizers, ENGINE)),
    row("A9", "what the tests of rules and game run: testing/coverage.sh --check", "95 % of lines, 95 % of functions, 90 % of branches", Run::Code(compiler::coverage, BOTH)),
    row("B1", "1 GiB of PGN, every move checked", "64 MiB, 2,000,000 plies/s", Run::Code(pgn::big, PGN)),
    row("B2", "10 GiB of PGN, syntax only", "64 MiB, 200 MB/s", Run::Code(pgn::syntax, PGN)),
    row("B3", "a million nested or sibling variations, comments, glyphs, tags", "each within 5 s", Run::Code(shapes::deep_and_wide, PGN)),
    row("B4", "endless comments, tags, lines, blanks, noise, empty games", "64 MiB, twice the input in 2.2x the time", Run::Code(shapes::endless, PGN)),
    row("B5", "a game of 100,000 plies: checked, replayed, written, read again, drawn, walked, saved", "each within 2 s", Run::Code(pgn::long_game, PGN)),
    row("B6", "every prefix of the corpus, one-byte changes, any chunks", "10^6 changes; chunks change nothing", Run::Code(pgn::mutations, PGN)),
    row("B7", "PGN corpus against its expected games", "exact", Run::Tests(&tests::CORPUS)),
    row("B8", "read, written and read again", "the same tree", Run::Tests(&tests::WRITTEN)),
    row("B9", "files that are none, never end, shrink or cannot be read", "a sentence, or an end within 200 ms", Run::Code(odd_files::odd_files, PGN)),
    row("C1", "scripts of interfaces and malformed lines", "all pass", Run::Tests(&tests::SCRIPTS)),
    row("C2", "changed lines of the protocol", "10,000 lines, ready within 1 s, 64 MiB", Run::Code(engine::mutations, ENGINE)),
    row("C3", "random sessions of 100 commands", "10,000 sessions, one move for each go", Run::Code(engine::sessions, ENGINE)),
    row("C4", "stop and isready with four programs for each core", "p99 50 ms; stop 200 ms at most", Run::Code(engine::latency, ENGINE)),
    row("C5", "games against itself", "20,000 at 1 s, 5,000 at 0.1 s, 2,000 Chess960; no fault", Run::Code(search::games, ENGINE)),
    row("C6", "end of input, SIGTERM and closed output at random moments", "3,000 ends within 500 ms", Run::Code(engine::endings, ENGINE)),
    row("C7", "the same search twice, and 1,000 benches", "the same nodes", Run::Code(search::reproducible, ENGINE)),
    row("C8", "truth of what a search says", "100,000 positions, 1 and 4 lines", Run::Code(search::truth, ENGINE)),
    row("C9", "hash and threads at their edges", "honored within 5 %", Run::Code(search::options, ENGINE)),
    row("C10", "soak: searches without end", "in the second half memory grows by 1 % at most, descriptors not at all", Run::Code(search::soak, ENGINE)),
    row("C11", "depth 1 with many queens and rooks", "100,000 positions, 20,000 nodes each", Run::Code(scarcity::crowded, ENGINE)),
    row("C12", "little memory, few threads, a large hash before a timed search", "a searched move and a word about it; in time", Run::Code(scarcity::memory_and_threads, ENGINE)),
    row("C13", "games against Stockfish without increment", "500 at 1 s + 0, 500 at 0.1 s + 0.001 s; none lost on time", Run::Code(scarcity::time_without_increment, ENGINE)),
    row("C14", "the same games with two busy loops beside them", "no more lost on time than Stockfish", Run::Code(scarcity::time_under_load, ENGINE)),
    row("D1", "kill -9 at random moments while moves are kept", "10,000 kills, no shown move lost", Run::Tests(&tests::KILLS)),
    row("D2", "every system call that writes a file failing in every way", "old or new file whole, the user told", Run::Tests(&tests::FAULTS)),
    row("D3", "power cut at every moment", "old or new game whole", Run::Tests(&tests::POWER)),
    row("D4", "saves cut, flipped, with tails, huge", "no panic, nothing overwritten", Run::Tests(&tests::DAMAGE)),
    row("D5", "two programs on one folder", "no game lost", Run::Tests(&tests::TWO_PROGRAMS)),
    row("D6", "hostile names", "nothing opened outside", Run::Tests(&tests::NAMES)),
    row("D7", "a folder of 100,000 saves", "listed within 500 ms and 256 MiB, a save within 20 ms", Run::Code(load::many_saves, SAVING)),
    row("D8", "missing, full, read-only folder; other formats", "the game goes on, nothing overwritten", Run::Tests(&tests::ODD_FOLDERS)),
    row("D9", "random games saved and restored", "10,000 games equal", Run::Tests(&tests::RESTORED)),
    row("D10", "saves, games, configs and variables that want to run something", "nothing runs, nothing is written", Run::Tests(&tests::STRANGERS)),
    row("D11", "files of a game removed, renamed or changed while it is played", "nothing lost, the user told", Run::Tests(&tests::OTHERS)),
    row("D12", "limits on threads, memory, files", "a sentence, no hang, no panic", Run::Tests(&tests::LIMITS)),
    row("E1", "leaving the full screen by every path", "10 paths, 100 times; terminal as before", Run::Tests(&tests::LEAVING)),
    row("E2", "escape injection wherever outside text is shown", "10^6 strings, only our own sequences", Run::Tests(&tests::INJECTION)),
    row("E3", "random keys, mouse, paste, sizes", "10^7 events, board always legal", Run::Tests(&tests::EVENTS)),
    row("E4", "input while an engine floods", "p99 50 ms, 20 frames/s", Run::Code(load::flooded, PROGRAM)),
    row("E5", "no terminal, dumb, without color, slow", "usable or a clear message", Run::Tests(&tests::ODD_TERMINALS)),
    row("F1", "engines that misbehave in 46 ways", "the required result of each", Run::Tests(&tests::HOSTILE)),
    row("F2", "starting and ending engines", "10,000 cycles, nothing left", Run::Tests(&tests::CYCLES)),
    row("F3", "program killed while engines run", "1,000 kills, engine gone within 2 s", Run::Tests(&tests::ORPHANS)),
    row("F4", "floods of output", "64 MiB", Run::Tests(&tests::FLOODS)),
    row("F5", "illegal, late, doubled, garbled moves", "10,000, none played", Run::Tests(&tests::FALSE_MOVES)),
    row("G", "start, first frame, key to frame, key to last byte of pictures, save", "30 ms, 30 ms, 10 ms, 20 ms, 20 ms", Run::Code(load::start, SAVING)),
    row("H1", "a database of a large collection: built, counted by hand, asked", "334,000 games; tree and exits 60 bytes a game, 1,000 positions exact", Run::Code(database::large, &["db"])),
    row("H2", "databases killed while they are added to, cut, changed, missing, from the future", "old or new database whole, a sentence", Run::Tests(&tests::DATABASES)),
    row("I1", "games on a server with two clients each and a move a second, a client process beside it", "1,000 games; p99 50 ms from move to the other client, 1 GiB", Run::Code(serve::games, SERVER)),
    row("I2", "idle watchers of a game on a server", "10,000; all see every move, 1 GiB", Run::Code(serve::watchers, SERVER)),
    row("I3", "soak of a server: games, rematches, clients that come and go", "an hour; in the last quarter memory grows by 1 % at most, descriptors not at all", Run::Code(serve::soak, SERVER)),
    row("I4", "kill -9 of a server in play", "1,000 kills, no shown move lost, clocks go on", Run::Code(serve::kills, SERVER)),
];
