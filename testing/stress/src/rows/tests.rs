//! Rows whose checks are tests of the crates, run here at release size in a release build.
//!
//! A test reads its size from an environment variable, and what it prints becomes figures.

use std::time::Duration;

use tabiya_rules::{Position, perft};
use test_suites::KNOWN_COUNTS;

use super::streamed::streamed;
use crate::meter::{Meter, Stop};
use crate::program::{Programs, cargo};
use crate::table::thousands;

/// Some tests.
#[derive(Debug)]
pub(crate) struct Tests {
    packages: &'static [&'static str],
    /// Parts of the names of the tests. Each must match one.
    names: &'static [&'static str],
    sizes: &'static [Size],
}

impl Tests {
    /// Returns the folders of the packages below `crates`.
    pub(super) fn crates(&self) -> impl Iterator<Item = &'static str> + use<> {
        let packages = self.packages.iter();
        packages.map(|package| package.strip_prefix("tabiya-").unwrap_or(package))
    }
}

/// A size that an environment variable gives the tests.
#[derive(Debug)]
struct Size {
    variable: &'static str,
    /// The release size.
    whole: u64,
    /// Roughly how much fits into a minute.
    per_minute: u64,
}

const fn size(variable: &'static str, whole: u64, per_minute: u64) -> Size {
    Size {
        variable,
        whole,
        per_minute,
    }
}

/// Tests with their sizes.
const fn tests(
    packages: &'static [&'static str],
    names: &'static [&'static str],
    sizes: &'static [Size],
) -> Tests {
    Tests {
        packages,
        names,
        sizes,
    }
}

const RULES: &[&str] = &["tabiya-rules"];
const GAME: &[&str] = &["tabiya-game"];
const BOTH: &[&str] = &["tabiya-rules", "tabiya-game"];
const CLIENT: &[&str] = &["tabiya-uci"];
const ENGINE: &[&str] = &["tabiya-engine"];
/// The program: its code is in all of these crates.
const PROGRAM: &[&str] = &[
    "tabiya-front",
    "tabiya-line",
    "tabiya-screen",
    "tabiya-tools",
    "tabiya",
];
/// The crates that save games.
const SAVING: &[&str] = &[
    "tabiya-store",
    "tabiya-front",
    "tabiya-line",
    "tabiya-screen",
    "tabiya-tools",
    "tabiya",
];

const COUNTS: Tests = tests(
    RULES,
    &["perft_counts_of", "perft_of_unreachable"],
    &[size("TABIYA_PERFT_NODES", 10_000_000, 10_000_000)],
);

/// The largest perft count of the well-known positions that fits into a few minutes.
const LARGEST: u64 = 1_000_000_000;

pub(super) fn counts(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let (mut nodes, begun) = (0, std::time::Instant::now());
    for (fen, counts) in KNOWN_COUNTS {
        let position = Position::from_fen(fen).map_err(Stop::broken)?;
        for (depth, &count) in (1..).zip(counts).filter(|(_, count)| **count <= LARGEST) {
            meter.attempt(|| match perft(&position, depth) {
                found if found == count => Ok(()),
                found => Err(format!("{fen} at depth {depth}: {found}, not {count}")),
            });
            nodes += count;
        }
    }
    let speed = nodes as f64 / begun.elapsed().as_secs_f64();
    meter.figure(format!("perft {:.0} M nodes/s on one thread", speed / 1e6));
    run(meter, programs, &COUNTS)
}

pub(super) const MOVES: Tests = tests(RULES, &["complete", "moves_are", "uci_moves"], &[]);
pub(super) const FEN: Tests = tests(RULES, &["every_fen_to_be", "fens_that_may"], &[]);
pub(super) const DRAWS: Tests = tests(
    BOTH,
    &["verdicts", "games_repeat", "draws_along", "draws_of_single"],
    &[],
);
pub(super) const PREFIXES: Tests = tests(GAME, &["every_prefix"], &[]);
pub(super) const CORPUS: Tests = tests(GAME, &["every_file_holds"], &[]);
pub(super) const WRITTEN: Tests = tests(GAME, &["every_game_survives"], &[]);
pub(super) const SCRIPTS: Tests = tests(ENGINE, &["every_script", "every_malformed"], &[]);
pub(super) const DATABASES: Tests = tests(
    &["tabiya-db", "tabiya-tools", "tabiya"],
    &[
        "damage::",
        "any_bytes::",
        "resuming::",
        "shares::",
        "db::killed",
    ],
    &[
        size("TABIYA_DB_KILLS", 2_000, 200),
        size("TABIYA_DB_CHANGES", 20_000, 2_700),
    ],
);
pub(super) const KILLS: Tests = tests(PROGRAM, &["kill::"], &[size("TABIYA_KILLS", 10_000, 3_000)]);
pub(super) const FAULTS: Tests = tests(
    SAVING,
    &[
        "tests::faults",
        "disk::tests::faults",
        "archive::tests",
        "config::file::tests",
        "faults::every_call_that_writes",
    ],
    &[],
);
pub(super) const POWER: Tests = tests(SAVING, &["tests::power", "disk::tests::faults"], &[]);
pub(super) const LONG_GAME: Tests = tests(
    PROGRAM,
    &["long_game::"],
    &[size("TABIYA_LONG_GAME", 100_000, 100_000)],
);
pub(super) const DAMAGE: Tests = tests(SAVING, &["tests::damage"], &[]);
pub(super) const TWO_PROGRAMS: Tests = tests(
    SAVING,
    &[
        "races::",
        "tests::keeping::two_programs",
        "saves::the_second_program",
    ],
    &[size("TABIYA_RACES", 1_000, 1_000)],
);
pub(super) const NAMES: Tests = tests(
    SAVING,
    &["tests::names", "names::no_name_leads_the_program"],
    &[size("TABIYA_NAMES", 10_000, 2_000)],
);
pub(super) const ODD_FOLDERS: Tests = tests(
    SAVING,
    &[
        "tests::places",
        "without_a_folder",
        "a_full_disk",
        "a_folder_that_cannot",
        "what_a_newer_version",
    ],
    &[],
);
pub(super) const RESTORED: Tests = tests(
    SAVING,
    &["saved_and_restored_games"],
    &[size("TABIYA_SAVED_GAMES", 10_000, 4_000)],
);
pub(super) const STRANGERS: Tests = tests(PROGRAM, &["hostile_saves::", "security::"], &[]);
pub(super) const OTHERS: Tests = tests(SAVING, &["tests::others", "a_folder_that_cannot"], &[]);
pub(super) const LIMITS: Tests = tests(
    &[
        "tabiya-engine",
        "tabiya-front",
        "tabiya-line",
        "tabiya-screen",
        "tabiya-tools",
        "tabiya",
    ],
    &["scarcity::", "ulimits::"],
    &[size("TABIYA_SCARCE_STARTS", 100, 100)],
);
pub(super) const LEAVING: Tests =
    tests(PROGRAM, &["leaving::"], &[size("TABIYA_LEAVES", 100, 100)]);
pub(super) const INJECTION: Tests = tests(
    &[
        "tabiya-rules",
        "tabiya-front",
        "tabiya-line",
        "tabiya-screen",
        "tabiya-tools",
        "tabiya",
    ],
    &[
        "app::tests::hostile",
        "injection::",
        "what_acts_on_a_terminal",
        "no_character_of_a_cleaned_text",
    ],
    &[size("TABIYA_STRINGS", 1_000_000, 200_000)],
);
pub(super) const EVENTS: Tests = tests(
    PROGRAM,
    &["app::tests::random"],
    &[size("TABIYA_EVENTS", 10_000_000, 8_000_000)],
);
pub(super) const FLOODED: Tests =
    tests(PROGRAM, &["spam::"], &[size("TABIYA_SPAM_SECONDS", 60, 20)]);
pub(super) const ODD_TERMINALS: Tests = tests(PROGRAM, &["poor_terminals::"], &[]);
pub(super) const HOSTILE: Tests = tests(CLIENT, &["hostile"], &[]);
pub(super) const CYCLES: Tests = tests(
    CLIENT,
    &["cycles_leave_nothing"],
    &[size("TABIYA_CYCLES", 10_000, 3_000)],
);
pub(super) const ORPHANS: Tests = tests(
    CLIENT,
    &["an_engine_dies"],
    &[size("TABIYA_ORPHANS", 1_000, 300)],
);
pub(super) const FLOODS: Tests = tests(
    CLIENT,
    &["floods_are_bounded", "a_flood_of_reports"],
    &[size("TABIYA_FLOOD_SECONDS", 60, 20)],
);
pub(super) const FALSE_MOVES: Tests = tests(
    CLIENT,
    &["false_moves"],
    &[size("TABIYA_FALSE_MOVES", 10_000, 5_000)],
);
/// The longest time for a build.
const BUILDING: Duration = Duration::from_secs(12 * 60);

/// Builds the tests, runs them one after another, and counts them.
pub(super) fn run(meter: &mut Meter, programs: &Programs, tests: &Tests) -> Result<(), Stop> {
    let command = |verb: &[&str], rest: &[&str]| {
        let mut command = cargo(&programs.root);
        command.args(verb);
        for package in tests.packages {
            command.args(["-p", package]);
        }
        command.args(rest);
        command
    };
    const TEST: &[&str] = &["test", "--release", "--tests"];
    // Some tests start examples as programs.
    let examples = command(&["build", "--release", "--examples"], &[]);
    for mut building in [examples, command(TEST, &["--no-run"])] {
        let mut last = String::new();
        let built = streamed(&mut building, BUILDING, |line| line.clone_into(&mut last))?;
        if !built.success() {
            return Err(Stop::Broken(format!("its tests were not built: {last}")));
        }
    }
    meter.restart();
    // What needs other programs runs as well. They are there on a machine on which a release is tested.
    let options = "--no-fail-fast -- --test-threads=1 --show-output --include-ignored";
    let mut testing = command(TEST, &options.split(' ').collect::<Vec<_>>());
    if std::env::var_os("TABIYA_SUITES").is_none() {
        testing.args(["--skip", "outside::"]);
    }
    testing.args(tests.names).env("TABIYA_RELEASE", "1");
    for size in tests.sizes {
        let number = meter.size_for(size.whole, size.per_minute);
        testing.env(size.variable, number.to_string());
        meter.figure(format!("{} {}", size.variable, thousands(number)));
    }
    let mut report = Report::default();
    let limit = meter.time() * 2 + Duration::from_secs(120);
    let ended = streamed(&mut testing, limit, |line| report.note(meter, line))?;
    // A test that takes down its process never reports its failure.
    if !ended.success() && report.failed == 0 {
        meter.fail(format!("the tests ended with {ended} and named no failure"));
    }
    for name in tests.names {
        if !report.seen.iter().any(|test| test.contains(name)) {
            meter.fail(format!("no test has {name} in its name"));
        }
    }
    Ok(())
}

/// What tests print while they run.
#[derive(Default)]
struct Report {
    /// The tests that ran.
    seen: Vec<String>,
    failed: u64,
    /// Whether the lines are output of a test itself.
    quoting: bool,
    quoted: usize,
}

impl Report {
    /// The most lines of tests that become figures.
    const MOST: usize = 8;

    fn note(&mut self, meter: &mut Meter, line: &str) {
        if line.starts_with("---- ") && line.ends_with(" stdout ----") {
            self.quoting = true;
        } else if line.is_empty() || line.starts_with("successes:") || line.starts_with("failures:")
        {
            self.quoting = false;
        } else if self.quoting && self.quoted < Report::MOST {
            self.quoted += 1;
            meter.figure(line);
        } else if let Some((name, result)) = line
            .strip_prefix("test ")
            .and_then(|line| line.split_once(" ... "))
        {
            match result.trim() {
                "ok" => {}
                "FAILED" => {
                    self.failed += 1;
                    meter.fail(format!("the test {name}"));
                }
                _ => return,
            }
            meter.count(1);
            self.seen.push(name.to_owned());
        }
    }
}

#[cfg(test)]
mod checks;
