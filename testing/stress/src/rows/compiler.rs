//! Rows that need more of a compiler: fuzzing, sanitizers, and the coverage of the tests.

use std::process::Command;
use std::time::Duration;

use super::streamed::streamed;
use crate::meter::{Meter, Stop};
use crate::program::{Programs, said};
use crate::table::thousands;

/// Runs all fuzz targets, and divides the row's time among them.
pub(super) fn fuzz(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let targets = std::fs::read_dir(programs.root.join("testing/fuzz/fuzz_targets"))
        .map_err(Stop::broken)?
        .count();
    has_nightly()?;
    let seconds = (meter.time().as_secs() / targets.max(1) as u64).max(1);
    let mut command = Command::new(programs.root.join("testing/fuzz/run.sh"));
    command.arg(seconds.to_string());
    let limit = meter.time() * 2 + Duration::from_secs(12 * 60);
    let (mut run, mut last) = (0, String::new());
    let ended = streamed(&mut command, limit, |line| {
        if let Some((target, rest)) = line.split_once(": ")
            && let Some((inputs, _)) = rest.split_once(" inputs in ")
            && let Ok(inputs) = inputs.parse()
        {
            run += 1;
            meter.count(inputs);
            meter.figure(format!("{target} {}", thousands(inputs)));
        }
        if line.contains("ERROR") || line.contains("error") || line.contains("breaks a property") {
            line.clone_into(&mut last);
        }
    })?;
    if !ended.success() || run < targets {
        meter.fail(format!("{run} of {targets} targets passed: {last}"));
    }
    meter.figure(format!("{seconds} s for each"));
    Ok(())
}

/// Counts what the tests of rules and game run: `coverage.sh --check` prints a line for each crate.
pub(super) fn coverage(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let mut command = Command::new(programs.root.join("testing/coverage.sh"));
    command.arg("--check").env_remove("TABIYA_SUITES");
    let limit = meter.time() * 2 + Duration::from_secs(12 * 60);
    let mut last = String::new();
    let ended = streamed(&mut command, limit, |line| {
        if let Some(figures) = line.strip_prefix("crates/") {
            meter.figure(figures);
            meter.attempt(|| match line.contains("less than") {
                true => Err(line.to_owned()),
                false => Ok(()),
            });
        }
        line.clone_into(&mut last);
    })?;
    match ended.code() {
        Some(0 | 1) => Ok(()),
        Some(3) => Err(Stop::Impossible(last)),
        _ => Err(Stop::Broken(format!("{ended}: {last}"))),
    }
}

/// Options of the address sanitizer that the tests need: a table that is too large is refused and does not end the
/// program, an engine that dies of a signal really does, and freed memory counts as free.
const OPTIONS: &str = "allocator_may_return_null=1:handle_segv=0:quarantine_size_mb=4";

/// Runs the tests of the client and the engine with the address sanitizer of the nightly compiler.
pub(super) fn sanitizers(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    has_nightly()?;
    let target = host().ok_or_else(|| Stop::Impossible("rustc names no host".to_owned()))?;
    let sanitized = |verb: &[&str], rest: &[&str]| {
        let flags = "-Zsanitizer=address -Coverflow-checks=on -Cdebug-assertions=on";
        let mut command = nightly(programs);
        command
            .args(verb)
            .args(["--release", "--target", &target])
            .args(["-p", "tabiya-uci", "-p", "tabiya-engine"])
            .args(rest)
            .env("RUSTFLAGS", flags)
            .env("ASAN_OPTIONS", OPTIONS)
            .env("CARGO_TARGET_DIR", programs.root.join("target/sanitizer"));
        command
    };
    let limit = meter.time() * 2 + Duration::from_secs(12 * 60);
    let (mut tried, mut failed, mut last) = (0, 0, String::new());
    // Some tests start examples as programs.
    let mut building = sanitized(&["build", "--examples"], &[]);
    if !streamed(&mut building, limit, |line| line.clone_into(&mut last))?.success() {
        return Err(Stop::Broken(format!("the examples were not built: {last}")));
    }
    // The sanitizer reserves terabytes of address space, so no program starts under a limit on it.
    let rest = &[
        "--no-fail-fast",
        "--",
        "--test-threads=2",
        "--skip",
        "scarcity::",
    ];
    let mut testing = sanitized(&["test", "--tests"], rest);
    let ended = streamed(&mut testing, limit, |line| {
        if line.starts_with("test ") && line.ends_with(" ... ok") {
            tried += 1;
            meter.count(1);
        } else if line.starts_with("test ") && line.ends_with("FAILED") {
            tried += 1;
            failed += 1;
            meter.count(1);
            meter.fail(line.to_owned());
        } else if is_report(line) {
            failed += 1;
            meter.fail(line.to_owned());
        } else if line.starts_with("error") {
            line.clone_into(&mut last);
        }
    })?;
    if tried == 0 {
        return Err(Stop::Broken(format!("no test ran: {last}")));
    }
    if !ended.success() && failed == 0 {
        meter.fail(format!("the tests ended with {ended}: {last}"));
    }
    meter.figure(
        "address sanitizer with overflow checks and debug assertions, without the tests of limits on memory",
    );
    for (what, lacks) in [
        ("Miri", lacks_miri(programs)),
        ("thread sanitizer", lacks_source()),
    ] {
        match lacks {
            Some(sentence) => meter.figure(format!("{what} not run: {sentence}")),
            None => meter.figure(format!(
                "{what} is installed: CONTRIBUTING.md says how to run it"
            )),
        }
    }
    Ok(())
}

/// Returns whether a line begins the report of any sanitizer.
fn is_report(line: &str) -> bool {
    line.split_once("ERROR: ")
        .and_then(|(_, rest)| rest.split([':', ' ']).next())
        .is_some_and(|name| name.ends_with("Sanitizer"))
}

/// Cargo of the nightly toolchain.
fn nightly(programs: &Programs) -> Command {
    let mut command = Command::new("cargo");
    command
        .current_dir(&programs.root)
        .arg("+nightly")
        .env_remove("CARGO")
        .env_remove("RUSTUP_TOOLCHAIN");
    command
}

fn has_nightly() -> Result<(), Stop> {
    match said("rustc", &["+nightly", "--version"]) {
        Some(_) => Ok(()),
        None => Err(Stop::Impossible("there is no nightly toolchain".to_owned())),
    }
}

fn lacks_miri(programs: &Programs) -> Option<String> {
    let output = nightly(programs).args(["miri", "--version"]).output();
    let there = output.is_ok_and(|output| output.status.success());
    (!there).then(|| "the nightly toolchain has no component miri".to_owned())
}

/// Returns what is missing to build the standard library. Without that, the thread sanitizer reports false
/// positives.
fn lacks_source() -> Option<String> {
    let root = said("rustc", &["+nightly", "--print", "sysroot"]).unwrap_or_default();
    let source = std::path::Path::new(&root).join("lib/rustlib/src/rust/library");
    (!source.is_dir()).then(|| "the nightly toolchain has no component rust-src".to_owned())
}

fn host() -> Option<String> {
    let text = said("rustc", &["-vV"])?;
    let line = text.lines().find_map(|line| line.strip_prefix("host: "))?;
    Some(line.to_owned())
}

#[cfg(test)]
mod tests {
    //! Sanitizer reports are distinguished from other errors.

    use super::is_report;

    #[test]
    fn a_report_of_any_sanitizer_counts() {
        assert!(is_report(
            "==12==ERROR: AddressSanitizer: heap-use-after-free"
        ));
        assert!(is_report(
            "==12==ERROR: LeakSanitizer: detected memory leaks"
        ));
        assert!(is_report("==9==ERROR: AddressSanitizer failed to allocate"));
        assert!(!is_report(
            "error: test failed, to rerun pass `-p tabiya-uci`"
        ));
        assert!(!is_report("ERROR: no such file"));
    }
}
