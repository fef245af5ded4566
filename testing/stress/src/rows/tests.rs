//! Runs the tests of a row in a release build. A test reads its size from an environment variable, and what it prints becomes
//! figures.

use std::process::Command;
use std::time::Duration;

use super::Row;
use crate::meter::{Fault, Meter, thousands};
use crate::process::{cargo, streamed};

/// The longest time for a build.
const BUILDING: Duration = Duration::from_secs(12 * 60);

/// The most lines of tests that become figures.
const MOST_QUOTED: usize = 8;

impl Row {
    /// Returns a Cargo command about the packages of the row.
    fn cargo(&self, words: &str) -> Command {
        let mut command = cargo();
        command.args(words.split(' '));
        for name in self.crates {
            let package = if *name == "tabiya" {
                "tabiya"
            } else {
                &format!("tabiya-{name}")
            };
            command.args(["-p", package]);
        }
        command
    }
}

/// Builds the tests, runs them one after another, and counts them.
pub(super) fn run(meter: &mut Meter, row: &Row) -> Result<(), Fault> {
    // Some tests start examples as programs.
    for words in [
        "build --release --examples",
        "test --release --tests --no-run",
    ] {
        let mut last = String::new();
        let built = streamed(&mut row.cargo(words), BUILDING, |line| {
            line.clone_into(&mut last);
        })?;
        if !built.success() {
            return Err(format!("its tests were not built: {last}").into());
        }
    }
    meter.restart();
    // What needs other programs runs as well. They are there on a machine on which a release is tested.
    let mut testing = row.cargo("test --release --tests --no-fail-fast");
    testing.args([
        "--",
        "--test-threads=1",
        "--show-output",
        "--include-ignored",
    ]);
    if std::env::var_os("TABIYA_SUITES").is_none() {
        testing.args(["--skip", "outside::"]);
    }
    testing.args(row.tests).env("TABIYA_RELEASE", "1");
    for &(variable, whole, per_minute) in row.sizes {
        let number = meter.size_for(whole, per_minute);
        testing.env(variable, number.to_string());
        meter.figure(format!("{variable} {}", thousands(number)));
    }
    let mut report = Report::default();
    let limit = meter.time() * 2 + Duration::from_secs(120);
    let ended = streamed(&mut testing, limit, |line| report.note(meter, line))?;
    // A test that takes down its process never reports its failure.
    if !ended.success() && report.failed == 0 {
        meter.fail(format!("the tests ended with {ended} and named no failure"));
    }
    for name in row.tests {
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
    fn note(&mut self, meter: &mut Meter, line: &str) {
        let result = line
            .strip_prefix("test ")
            .and_then(|line| line.split_once(" ... "));
        if line.starts_with("---- ") && line.ends_with(" stdout ----") {
            self.quoting = true;
        } else if line.is_empty() || line.starts_with("successes:") || line.starts_with("failures:")
        {
            self.quoting = false;
        } else if self.quoting && self.quoted < MOST_QUOTED {
            self.quoted += 1;
            meter.figure(line);
        } else if let Some((name, result @ ("ok" | "FAILED"))) = result {
            meter.count(1);
            self.seen.push(name.to_owned());
            if result == "FAILED" {
                self.failed += 1;
                meter.fail(format!("the test {name}"));
            }
        }
    }
}

#[cfg(test)]
mod checks {
    //! The rows name tests, and tests are renamed and moved. Checks that each name still matches one, and each size is read
    //! by one.

    use std::fs;
    use std::path::{Path, PathBuf};

    use super::super::ROWS;
    use crate::process::root;

    fn sources(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten();
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let below = |path: PathBuf| {
            if path.is_dir() {
                sources(&path)
            } else {
                vec![path]
            }
        };
        let files = paths.flat_map(below);
        files
            .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
            .collect()
    }

    /// Returns the functions of a crate with their modules, and the text of all its sources.
    fn functions(name: &str) -> (Vec<String>, String) {
        let (mut names, mut all) = (Vec::new(), String::new());
        for part in ["src", "tests/it"] {
            let folder = root().join("crates").join(name).join(part);
            for file in sources(&folder) {
                let module = file
                    .strip_prefix(&folder)
                    .expect("it is below")
                    .with_extension("");
                let parts = module.iter().map(|part| part.to_str().expect("text"));
                let parts: Vec<_> = parts
                    .filter(|part| !matches!(*part, "lib" | "main" | "mod"))
                    .collect();
                let text = fs::read_to_string(&file).expect("a source is text");
                let named = text.split("fn ").skip(1).map(|rest| {
                    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                    format!("{}::{}", parts.join("::"), &rest[..end.unwrap_or(0)])
                });
                names.extend(named);
                all.push_str(&text);
            }
        }
        (names, all)
    }

    #[test]
    fn every_row_names_crates_and_tests_that_are_there() {
        for row in ROWS {
            let crates: Vec<_> = row.crates.iter().map(|name| functions(name)).collect();
            for (name, (functions, _)) in row.crates.iter().zip(&crates) {
                assert!(!functions.is_empty(), "{}: {name}", row.id);
            }
            assert!(row.code.is_some() || !row.tests.is_empty(), "{}", row.id);
            for name in row.tests {
                let found = crates
                    .iter()
                    .any(|(names, _)| names.iter().any(|test| test.contains(name)));
                assert!(found, "{}: no test of {:?} is {name}", row.id, row.crates);
            }
            for (variable, ..) in row.sizes {
                let is_read = crates.iter().any(|(_, text)| text.contains(variable));
                assert!(is_read, "{}: nobody reads {variable}", row.id);
            }
        }
    }
}
