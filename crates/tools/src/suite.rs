//! `tabiya perft --suite`: checks a file of positions with their counts.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::flags::Perft;
use serde::{Serialize, Serializer};
use tabiya_front::failure::Failure;
use tabiya_front::output::{Output, say};
use tabiya_rules::text::{clean, excerpt};
use tabiya_rules::{FenError, Position, Setup, SetupError, Waivers};
use thiserror::Error;

use super::counting::Counter;
use super::progress::{Measure, Progress};

/// No suite is longer. A longer file may be a device that never ends.
const MAX_SUITE_SIZE: u64 = 1 << 28;

/// A line of a suite.
struct Case {
    /// Counted from 1.
    line: usize,
    fen: String,
    /// Depths and counts, or what is wrong with the line.
    counts: Result<Vec<(u32, u64)>, LineError>,
}

/// A wrong count, or a line that cannot be checked.
#[derive(Debug, Error, Serialize)]
#[serde(untagged)]
enum Fault {
    #[error("D{depth} expected {expected}, found {found}")]
    Count {
        depth: u32,
        expected: u64,
        found: u64,
    },
    #[error(transparent)]
    Line {
        #[serde(serialize_with = "as_text")]
        error: LineError,
    },
}

/// Why a line cannot be checked.
#[derive(Debug, Error)]
enum LineError {
    #[error("expected a depth and a count such as D3 8902, not '{0}'")]
    Count(String),
    #[error("expected counts such as ;D1 20 ;D2 400 after the FEN")]
    NoCounts,
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error(transparent)]
    Position(#[from] SetupError),
}

fn as_text<S: Serializer>(error: &LineError, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(error)
}

/// How many positions were right, wrong, and not checked.
#[derive(Default, Serialize)]
struct CaseCounts {
    passed: u64,
    failed: u64,
    /// Positions whose counts are all too large.
    skipped: u64,
}

/// Checks the positions of a file, and prints those whose counts are wrong.
pub(crate) fn run(file: &Path, args: &Perft) -> Result<(), Failure> {
    let max_nodes = args.max_nodes.unwrap_or(u64::MAX);
    let cases: Vec<Case> = cases(&read(file)?, max_nodes);
    let counter = Counter::new(args.threads, args.hash)?;
    let progress = Progress::new(Measure::Share);
    let mut output = Output::stdout();
    let mut counted = CaseCounts::default();
    let nodes = |case: &Case| {
        let counts = case.counts.as_deref().unwrap_or_default().iter();
        counts.map(|&(_, nodes)| nodes).fold(0, u64::saturating_add)
    };
    let total = cases.iter().map(nodes).fold(0, u64::saturating_add);
    let mut done = 0_u64;
    for case in cases {
        done = done.saturating_add(nodes(&case));
        let Case { line, fen, counts } = case;
        if counts.as_ref().is_ok_and(Vec::is_empty) {
            counted.skipped += 1;
            continue;
        }
        let faults = counts.and_then(|counts| check(&fen, &counts, &counter));
        let faults = faults.unwrap_or_else(|error| vec![Fault::Line { error }]);
        if faults.is_empty() {
            counted.passed += 1;
        } else {
            counted.failed += 1;
            let fen = &*fen;
            progress.aside(|| {
                for fault in &faults {
                    let text = format!("line {line}: {fault}: {}", clean(fen));
                    output.answer(args.json, &ResultJson { line, fen, fault }, [text])?;
                }
                output.flush()
            })?;
        }
        progress.reach(done, total);
    }
    drop(progress);
    finish(output, &counted, args.json)
}

/// Reads a file, which must be text and not too long.
fn read(file: &Path) -> Result<String, Failure> {
    let name = file.display().to_string();
    let unusable = |error: io::Error| Failure::system(&name, &error);
    let input: Box<dyn Read> = if file == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(file).map_err(unusable)?)
    };
    let mut bytes = Vec::new();
    let mut input = input.take(MAX_SUITE_SIZE + 1);
    input.read_to_end(&mut bytes).map_err(unusable)?;
    if bytes.len() as u64 > MAX_SUITE_SIZE {
        let sentence = format!("{name}: longer than any suite, {MAX_SUITE_SIZE} bytes");
        return Err(Failure::Unusable(sentence));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The positions of a suite, with their counts up to `max_nodes`.
fn cases(text: &str, max_nodes: u64) -> Vec<Case> {
    let lines = text.lines().map(str::trim).enumerate();
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(at, line)| {
            let (fen, counts) = line.split_once(';').unwrap_or((line, ""));
            let counts = read_counts(counts).map(|mut counts| {
                counts.retain(|&(_, nodes)| nodes <= max_nodes);
                counts
            });
            Case {
                line: at + 1,
                fen: fen.trim().to_owned(),
                counts,
            }
        })
        .collect()
}

/// Parses `D1 20 ;D2 400`. Fields with other names are ignored.
fn read_counts(text: &str) -> Result<Vec<(u32, u64)>, LineError> {
    let mut counts = Vec::new();
    for field in text.split(';').map(str::trim) {
        let digit = |c: char| c.is_ascii_digit();
        let Some(count) = field
            .strip_prefix('D')
            .filter(|rest| rest.starts_with(digit))
        else {
            continue;
        };
        let read = count
            .split_once(char::is_whitespace)
            .and_then(|(depth, nodes)| {
                let depth = depth.parse::<u8>().ok()?;
                Some((u32::from(depth), nodes.trim().parse().ok()?))
            });
        counts.push(read.ok_or_else(|| LineError::Count(excerpt(field)))?);
    }
    if counts.is_empty() {
        return Err(LineError::NoCounts);
    }
    Ok(counts)
}

/// Checks a position, and returns every count that is wrong.
fn check(fen: &str, counts: &[(u32, u64)], counter: &Counter) -> Result<Vec<Fault>, LineError> {
    let position = position(fen)?;
    let faults = counts.iter().filter_map(|&(depth, expected)| {
        let found = counter.count(&position, depth);
        (found != expected).then_some(Fault::Count {
            depth,
            expected,
            found,
        })
    });
    Ok(faults.collect())
}

/// Reads a position of a suite. Some of them no game reaches, because move generators agree on those too.
fn position(fen: &str) -> Result<Position, LineError> {
    let overlooked = Waivers::EN_PASSANT
        .union(Waivers::IMPOSSIBLE_CHECK)
        .union(Waivers::MATERIAL);
    Ok(Setup::from_fen(fen)?.position_waiving(overlooked)?)
}

/// A fault for `--json`.
#[derive(Serialize)]
struct ResultJson<'a> {
    line: usize,
    fen: &'a str,
    #[serde(flatten)]
    fault: &'a Fault,
}

/// Prints how many positions were right and wrong.
fn finish(mut output: Output, counted: &CaseCounts, json: bool) -> Result<(), Failure> {
    let (passed, failed, skipped) = (counted.passed, counted.failed, counted.skipped);
    if skipped > 0 {
        say(&format!(
            "{skipped} left out: every count is over --max-nodes"
        ));
    }
    let text = format!("suite: {passed} passed, {failed} failed");
    output.answer(json, counted, [text])?;
    output.finish()?;
    Failure::if_errors(failed)
}
