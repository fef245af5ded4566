//! The rows of the plan, each with its goal, the crates that it tests, and what runs it: code of this program, tests of those
//! crates at release size, or both.

mod compiler;
mod database;
mod examples;
mod matches;
mod odd_files;
mod pgn;
mod rules;
mod shapes;
mod tests;

use crate::meter::{Fault, Meter};
use crate::process::Program;

type Code = fn(&mut Meter, &Program) -> Result<(), Fault>;

/// A check at release size.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) id: &'static str,
    pub(crate) what: &'static str,
    pub(crate) goal: &'static str,
    /// The folders below `crates` with the code that this row tests.
    pub(crate) crates: &'static [&'static str],
    code: Option<Code>,
    /// Parts of the names of tests of these crates. Each must match one.
    tests: &'static [&'static str],
    sizes: &'static [Size],
}

/// A size that an environment variable gives the tests: its name, the release size, and roughly how much fits into a minute.
type Size = (&'static str, u64, u64);

impl Row {
    pub(crate) fn run(&self, meter: &mut Meter, program: &Program) -> Result<(), Fault> {
        if let Some(code) = self.code {
            code(meter, program)?;
        }
        if self.tests.is_empty() {
            return Ok(());
        }
        tests::run(meter, self)
    }

    const fn code(mut self, code: Code) -> Row {
        self.code = Some(code);
        self
    }

    const fn tests(mut self, tests: &'static [&'static str], sizes: &'static [Size]) -> Row {
        self.tests = tests;
        self.sizes = sizes;
        self
    }
}

const fn row(
    id: &'static str,
    what: &'static str,
    goal: &'static str,
    crates: &'static [&'static str],
) -> Row {
    Row {
        id,
        what,
        goal,
        crates,
        code: None,
        tests: &[],
        sizes: &[],
    }
}

const RULES: &[&str] = &["rules"];
const GAME: &[&str] = &["game"];
const BOTH: &[&str] = &["rules", "game"];
const PGN: &[&str] = &["rules", "game", "tools"];
const CLIENT: &[&str] = &["uci"];
const ENGINE: &[&str] = &["engine"];
const BOTH_ENDS: &[&str] = &["uci", "engine"];
/// The program: its code is in all of these crates.
const PROGRAM: &[&str] = &["front", "line", "screen", "tools", "tabiya"];
/// The crates that save games.
const SAVING: &[&str] = &["store", "front", "line", "screen", "tools", "tabiya"];
const SERVER: &[&str] = &["serve"];
/// What the fuzz targets read with.
const READERS: &[&str] = &[
    "rules", "game", "uci", "engine", "openings", "store", "db", "serve", "front", "screen",
];

#[rustfmt::skip]
pub(crate) const ROWS: &[Row] = &[
    row("A1", "perft counts of the suites, and of six well-known positions to 10^9", "counts to 10^7, exact", RULES)
        .code(rules::counts).tests(&["perft_counts_of", "perft_of_unreachable"], &[("TABIYA_PERFT_NODES", 10_000_000, 10_000_000)]),
    row("A2", "complete sets of legal moves, SAN and UCI suites", "exact", RULES)
        .tests(&["complete", "moves_are", "uci_moves"], &[]),
    row("A3", "what must hold for every position of random games", "10^7 positions, 1 in 10 Chess960", RULES)
        .tests(&["positions_of_random_games", "exactly_the_generated_moves", "the_mirrored_moves"], &[("TABIYA_POSITIONS", 10_000_000, 80_000)]),
    row("A4", "FEN suites", "every text read or refused as it must be", RULES)
        .tests(&["every_fen_to_be", "fens_that_may"], &[]),
    row("A5", "draws: positions and games", "exact", BOTH)
        .tests(&["verdicts", "games_repeat", "draws_along", "draws_of_single"], &[]),
    row("A6", "fuzz targets", "no panic, no slow input", READERS).code(compiler::fuzz),
    row("A7", "numbers at their edges, odd bytes, endless tokens", "no panic, each within 1 s", BOTH)
        .tests(&["odd_tokens"], &[]),
    row("A8", "address sanitizer over client and engine", "no report", BOTH_ENDS).code(compiler::sanitizers),
    row("A9", "what the tests of rules and game run: testing/coverage.sh --check", "95 % of lines, 95 % of functions, 90 % of branches", BOTH)
        .code(compiler::coverage),
    row("B1", "1 GiB of PGN, every move checked", "64 MiB, 2,000,000 plies/s", PGN).code(pgn::big),
    row("B2", "10 GiB of PGN, syntax only", "64 MiB, 200 MB/s", PGN).code(pgn::syntax),
    row("B3", "a million nested or sibling variations, comments, glyphs, tags", "each within 5 s", PGN).code(shapes::deep_and_wide),
    row("B4", "endless comments, tags, lines, blanks, noise, empty games", "64 MiB, twice the input in 2.2x the time", PGN).code(shapes::endless),
    row("B5", "a game of 100,000 plies: checked, replayed, written, read again, drawn, walked, saved", "each within 2 s", &["rules", "game", "front", "line", "screen", "tools", "tabiya"])
        .code(pgn::long_game).tests(&["long_game::"], &[("TABIYA_LONG_GAME", 100_000, 100_000)]),
    row("B6", "every prefix of the corpus, one-byte changes, any chunks", "10^6 changes; chunks change nothing", BOTH)
        .tests(&["every_prefix", "changed_games"], &[("TABIYA_PGN_CHANGES", 1_000_000, 700_000)]),
    row("B7", "PGN corpus against its expected games", "exact", GAME).tests(&["every_file_holds"], &[]),
    row("B8", "read, written and read again", "the same tree", GAME).tests(&["every_game_survives"], &[]),
    row("B9", "files that are none, never end, shrink or cannot be read", "a sentence, or an end within 200 ms", PGN).code(odd_files::odd_files),
    row("C1", "scripts of interfaces and malformed lines", "all pass", ENGINE)
        .tests(&["every_script", "every_malformed"], &[]),
    row("C2", "changed lines of the protocol", "10,000 lines, ready within 1 s, 64 MiB", BOTH_ENDS)
        .tests(&["changed_lines"], &[("TABIYA_CHANGED_LINES", 10_000, 100_000)]),
    row("C3", "random sessions of 100 commands", "10,000 sessions, one move for each go", BOTH_ENDS)
        .tests(&["random_sessions"], &[("TABIYA_SESSIONS", 10_000, 300)]),
    row("C4", "stop and isready with four programs for each core", "p99 50 ms; stop 200 ms at most", BOTH_ENDS)
        .tests(&["it_stops_and_is_ready_soon"], &[("TABIYA_STOPS", 2_000, 1_000)]),
    row("C5", "games against itself", "20,000 at 1 s, 5,000 at 0.1 s, 2,000 Chess960; no fault", BOTH_ENDS).code(matches::itself),
    row("C6", "end of input, SIGTERM and closed output at random moments", "3,000 ends within 500 ms", &["uci", "engine", "tabiya"])
        .tests(&["uci_ends_soon"], &[("TABIYA_ENDS", 3_000, 2_000)]),
    row("C7", "the same search twice, and 1,000 benches", "the same nodes", BOTH_ENDS)
        .tests(&["another_process_searches"], &[("TABIYA_BENCHES", 1_000, 400)]),
    row("C8", "truth of what a search says", "100,000 positions, 1 and 4 lines", BOTH_ENDS)
        .tests(&["reports_are_true"], &[("TABIYA_SEARCHES", 100_000, 6_000)]),
    row("C9", "hash and threads at their edges", "honored within 5 %", BOTH_ENDS)
        .tests(&["options_beyond", "a_table_without_memory", "one_thread_some_and_many", "the_table_has_the_size"], &[]),
    row("C10", "soak: searches without end", "in the second half memory grows by 1 % at most, descriptors not at all", BOTH_ENDS)
        .tests(&["searches_without_end"], &[("TABIYA_SOAK_SECONDS", 1_000_000, 60)]),
    row("C11", "depth 1 with many queens and rooks", "100,000 positions, 20,000 nodes each", BOTH_ENDS)
        .tests(&["depth_one_ends"], &[("TABIYA_CROWDS", 100_000, 30_000)]),
    row("C12", "little memory, few threads, a large hash before a timed search", "a searched move and a word about it; in time", BOTH_ENDS)
        .tests(&["threads_without_memory", "under_any_limit_on_memory", "a_large_table_delays"], &[("TABIYA_SCARCE_STARTS", 25, 100)]),
    row("C13", "games against Stockfish without increment", "500 at 1 s + 0, 500 at 0.1 s + 0.001 s; none lost on time", BOTH_ENDS).code(matches::without_increment),
    row("C14", "the same games with two busy loops beside them", "no more lost on time than Stockfish", BOTH_ENDS).code(matches::under_load),
    row("D1", "kill -9 at random moments while moves are kept", "10,000 kills, no shown move lost", PROGRAM)
        .tests(&["kill::"], &[("TABIYA_KILLS", 10_000, 3_000)]),
    row("D2", "every system call that writes a file failing in every way", "old or new file whole, the user told", SAVING)
        .tests(&["tests::faults", "disk::tests::faults", "archive::tests", "config::file::tests", "faults::every_call_that_writes"], &[]),
    row("D3", "power cut at every moment", "old or new game whole", SAVING).tests(&["tests::power", "disk::tests::faults"], &[]),
    row("D4", "saves cut, flipped, with tails, huge", "no panic, nothing overwritten", SAVING).tests(&["tests::damage"], &[]),
    row("D5", "two programs on one folder", "no game lost", SAVING)
        .tests(&["races::", "tests::keeping::two_programs", "saves::the_second_program"], &[("TABIYA_RACES", 1_000, 1_000)]),
    row("D6", "hostile names", "nothing opened outside", SAVING)
        .tests(&["tests::names", "names::no_name_leads_the_program"], &[("TABIYA_NAMES", 10_000, 2_000)]),
    row("D7", "a folder of 100,000 saves", "listed within 500 ms and 256 MiB, a save within 20 ms", SAVING).code(examples::many_saves),
    row("D8", "missing, full, read-only folder; other formats", "the game goes on, nothing overwritten", SAVING)
        .tests(&["tests::places", "without_a_folder", "a_full_disk", "a_folder_that_cannot", "what_a_newer_version"], &[]),
    row("D9", "random games saved and restored", "10,000 games equal", SAVING)
        .tests(&["saved_and_restored_games"], &[("TABIYA_SAVED_GAMES", 10_000, 4_000)]),
    row("D10", "saves, games, configs and variables that want to run something", "nothing runs, nothing is written", PROGRAM)
        .tests(&["hostile_saves::", "security::"], &[]),
    row("D11", "files of a game removed, renamed or changed while it is played", "nothing lost, the user told", SAVING)
        .tests(&["tests::others", "a_folder_that_cannot"], &[]),
    row("D12", "limits on threads, memory, files", "a sentence, no hang, no panic", &["engine", "front", "line", "screen", "tools", "tabiya"])
        .tests(&["scarcity::", "ulimits::"], &[("TABIYA_SCARCE_STARTS", 100, 100)]),
    row("E1", "leaving the full screen by every path", "10 paths, 100 times; terminal as before", PROGRAM)
        .tests(&["leaving::"], &[("TABIYA_LEAVES", 100, 100)]),
    row("E2", "escape injection wherever outside text is shown", "10^6 strings, only our own sequences", &["rules", "front", "line", "screen", "tools", "tabiya"])
        .tests(&["app::tests::hostile", "injection::", "what_acts_on_a_terminal", "no_character_of_a_cleaned_text"], &[("TABIYA_STRINGS", 1_000_000, 200_000)]),
    row("E3", "random keys, mouse, paste, sizes", "10^7 events, board always legal", PROGRAM)
        .tests(&["app::tests::random"], &[("TABIYA_EVENTS", 10_000_000, 8_000_000)]),
    row("E4", "input while an engine floods", "p99 50 ms, 20 frames/s", PROGRAM)
        .code(examples::flooded).tests(&["spam::"], &[("TABIYA_SPAM_SECONDS", 60, 20)]),
    row("E5", "no terminal, dumb, without color, slow", "usable or a clear message", PROGRAM).tests(&["poor_terminals::"], &[]),
    row("F1", "engines that misbehave in 46 ways", "the required result of each", CLIENT).tests(&["hostile"], &[]),
    row("F2", "starting and ending engines", "10,000 cycles, nothing left", CLIENT)
        .tests(&["cycles_leave_nothing"], &[("TABIYA_CYCLES", 10_000, 3_000)]),
    row("F3", "program killed while engines run", "1,000 kills, engine gone within 2 s", CLIENT)
        .tests(&["an_engine_dies"], &[("TABIYA_ORPHANS", 1_000, 300)]),
    row("F4", "floods of output", "64 MiB", CLIENT)
        .tests(&["floods_are_bounded", "a_flood_of_reports"], &[("TABIYA_FLOOD_SECONDS", 60, 20)]),
    row("F5", "illegal, late, doubled, garbled moves", "10,000, none played", CLIENT)
        .tests(&["false_moves"], &[("TABIYA_FALSE_MOVES", 10_000, 5_000)]),
    row("G", "start, first frame, key to frame, key to last byte of pictures, save", "30 ms, 30 ms, 10 ms, 20 ms, 20 ms", SAVING).code(examples::start),
    row("H1", "a database of a large collection: built, counted by hand, asked", "334,000 games; tree and exits 60 bytes a game, 1,000 positions exact", &["db"])
        .code(database::large),
    row("H2", "databases killed while they are added to, cut, changed, missing, from the future", "old or new database whole, a sentence", &["db", "tools", "tabiya"])
        .tests(&["damage::", "any_bytes::", "resuming::", "shares::", "db::killed"], &[("TABIYA_DB_KILLS", 2_000, 200), ("TABIYA_DB_CHANGES", 20_000, 2_700)]),
    row("I1", "games on a server with two clients each and a move a second, a client process beside it", "1,000 games; p99 50 ms from move to the other client, 1 GiB", SERVER)
        .code(examples::games),
    row("I2", "idle watchers of a game on a server", "10,000; all see every move, 1 GiB", SERVER).code(examples::watchers),
    row("I3", "soak of a server: games, rematches, clients that come and go", "an hour; in the last quarter memory grows by 1 % at most, descriptors not at all", SERVER)
        .code(examples::soak),
    row("I4", "kill -9 of a server in play", "1,000 kills, no shown move lost, clocks go on", SERVER).code(examples::kills),
];
