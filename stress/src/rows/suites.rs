//! Rows whose checks are tests of the crates: run here at their release size, in a release build.

use std::process::Stdio;
use std::time::Instant;

use tabiya_rules::{Position, perft};

use crate::meter::{Meter, Stop};
use crate::program::{Programs, cargo};

/// Perft of well-known positions that a few minutes suffice for; the deepest has 10^9 nodes.
const KNOWN: [(&str, &[u64]); 6] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324],
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2_039, 97_862, 4_085_603, 193_690_690],
    ),
    (
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        &[14, 191, 2_812, 43_238, 674_624, 11_030_083, 178_633_661],
    ),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9_467, 422_333, 15_833_292, 706_045_033],
    ),
    (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[44, 1_486, 62_379, 2_103_487, 89_941_194],
    ),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890, 3_894_594, 164_075_551],
    ),
];

pub(crate) fn counts(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    for (fen, counts) in KNOWN {
        let position = Position::from_fen(fen).map_err(|error| Stop::Broken(error.to_string()))?;
        for (depth, &nodes) in (1..).zip(counts) {
            meter.attempt(|| match perft(&position, depth) {
                found if found == nodes => Ok(()),
                found => Err(format!("{fen} at depth {depth}: {found}, not {nodes}")),
            });
        }
    }
    let nodes = [("TABIYA_PERFT_NODES", "10000000")];
    with_suites(meter, programs, &["-p", "tabiya-rules"], &["perft"], &nodes)
}

pub(crate) fn moves(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let names = ["complete", "moves_are"];
    with_suites(meter, programs, &["-p", "tabiya-rules"], &names, &[])
}

pub(crate) fn fen(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    with_suites(meter, programs, &["-p", "tabiya-rules"], &["fen"], &[])
}

pub(crate) fn draws(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let packages = ["-p", "tabiya-rules", "-p", "tabiya-game"];
    with_suites(
        meter,
        programs,
        &packages,
        &["verdicts", "games_repeat", "draws"],
        &[],
    )
}

pub(crate) fn pgn(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    with_suites(meter, programs, &["-p", "tabiya-game"], &["pgn"], &[])
}

pub(crate) fn engine(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let names = ["scripts", "malformed"];
    with_suites(meter, programs, &["-p", "tabiya-engine"], &names, &[])
}

pub(crate) fn saves(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let names = ["save", "store", "kill", "resume"];
    tests(meter, programs, &["-p", "tabiya"], &names, &[])
}

pub(crate) fn terminal(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let names = ["terminal", "tui", "leave", "clean", "random"];
    tests(meter, programs, &["-p", "tabiya"], &names, &[])
}

pub(crate) fn engines(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let names = ["hostile", "cycles", "worker"];
    tests(meter, programs, &["-p", "tabiya-uci"], &names, &[])
}

/// As [`tests`], but with the suites, which must be there.
fn with_suites(
    meter: &mut Meter,
    programs: &Programs,
    packages: &[&str],
    names: &[&str],
    variables: &[(&str, &str)],
) -> Result<(), Stop> {
    if std::env::var_os("TABIYA_SUITES").is_none() {
        let sentence = "TABIYA_SUITES does not name the folder of suites".to_owned();
        return Err(Stop::Impossible(sentence));
    }
    tests(meter, programs, packages, names, variables)
}

/// Runs the tests whose names contain one of some words, and counts them.
fn tests(
    meter: &mut Meter,
    programs: &Programs,
    packages: &[&str],
    names: &[&str],
    variables: &[(&str, &str)],
) -> Result<(), Stop> {
    let mut command = cargo(&programs.root);
    command
        .args(["test", "--release"])
        .args(packages)
        .arg("--")
        .args(names)
        .env("TABIYA_RELEASE", "1")
        .envs(variables.iter().copied());
    let begun = Instant::now();
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Stop::Broken(error.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let (mut passed, mut failed) = (0, 0);
    for line in text.lines() {
        if let Some(counts) = line.strip_prefix("test result: ") {
            passed += number_before(counts, " passed");
            failed += number_before(counts, " failed");
        } else if line.starts_with("test ") && line.ends_with("FAILED") {
            meter.fail(line.to_owned());
        }
    }
    if passed + failed == 0 {
        let error = String::from_utf8_lossy(&output.stderr);
        let last = error.lines().last().unwrap_or("no test ran").to_owned();
        return Err(Stop::Broken(last));
    }
    meter.count(passed + failed, 0);
    meter.figure(format!("tests took {} s", begun.elapsed().as_secs()));
    Ok(())
}

/// The number just before a word, or 0.
fn number_before(text: &str, word: &str) -> u64 {
    text.split_once(word)
        .and_then(|(before, _)| before.rsplit(' ').next()?.parse().ok())
        .unwrap_or(0)
}

/// All fuzz targets, the row's time divided among them.
pub(crate) fn fuzz(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let targets = std::fs::read_dir(programs.root.join("fuzz/fuzz_targets"))
        .map_err(|error| Stop::Broken(error.to_string()))?
        .count();
    let seconds = (meter.time().as_secs() / targets.max(1) as u64).max(1);
    let output = std::process::Command::new(programs.root.join("fuzz/run.sh"))
        .arg(seconds.to_string())
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Stop::Impossible(error.to_string()))?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    for line in text.lines() {
        meter.count(number_before(line, " inputs in "), 0);
    }
    if !output.status.success() {
        let last = text.lines().rev().find(|line| line.contains("ERROR"));
        meter.fail(last.unwrap_or("fuzz/run.sh failed").to_owned());
    }
    meter.figure(format!("{targets} targets, {seconds} s each"));
    Ok(())
}

/// The tests of client and engine with the address sanitizer of the nightly compiler.
pub(crate) fn sanitizer(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let target = host().ok_or_else(|| Stop::Impossible("rustc names no host".to_owned()))?;
    let output = std::process::Command::new("cargo")
        .current_dir(&programs.root)
        .args(["+nightly", "test", "--release", "--target", &target])
        .args(["-p", "tabiya-uci", "-p", "tabiya-engine", "--tests"])
        .env("RUSTFLAGS", "-Zsanitizer=address")
        .env("CARGO_TARGET_DIR", programs.root.join("target/sanitizer"))
        .env_remove("CARGO")
        .env_remove("RUSTUP_TOOLCHAIN")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Stop::Impossible(error.to_string()))?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let results = text
        .lines()
        .filter_map(|line| line.strip_prefix("test result: "));
    let mut tried = 0;
    for result in results {
        let failed = number_before(result, " failed");
        tried += number_before(result, " passed") + failed;
        meter.count(0, failed);
    }
    if tried == 0 {
        let last = text.lines().last().unwrap_or("no output").to_owned();
        return Err(Stop::Impossible(last));
    }
    meter.count(tried, 0);
    for line in text
        .lines()
        .filter(|line| line.contains("ERROR: AddressSanitizer"))
    {
        meter.fail(line.to_owned());
    }
    Ok(())
}

fn host() -> Option<String> {
    let output = std::process::Command::new("rustc")
        .arg("-vV")
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("host: "))?;
    Some(line.to_owned())
}
