//! Rows that need more of a compiler: fuzzing, sanitizers, and the coverage of the tests.

use std::process::Command;
use std::time::Duration;

use crate::meter::{Fault, Impossible, Meter, ensure, thousands};
use crate::process::{Program, root, said, streamed};

const BUILDING: Duration = Duration::from_secs(12 * 60);

/// Runs all fuzz targets, and divides the row's time among them.
pub(super) fn fuzz(meter: &mut Meter, _: &Program) -> Result<(), Fault> {
    let targets = std::fs::read_dir(root().join("testing/fuzz/fuzz_targets"))?.count();
    has_nightly()?;
    let seconds = (meter.time().as_secs() / targets.max(1) as u64).max(1);
    let mut command = Command::new(root().join("testing/fuzz/run.sh"));
    command.arg(seconds.to_string());
    let limit = meter.time() * 2 + BUILDING;
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
        if ["ERROR", "error", "breaks a property"]
            .iter()
            .any(|word| line.contains(word))
        {
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
pub(super) fn coverage(meter: &mut Meter, _: &Program) -> Result<(), Fault> {
    let mut command = Command::new(root().join("testing/coverage.sh"));
    command.arg("--check").env_remove("TABIYA_SUITES");
    let mut last = String::new();
    let ended = streamed(&mut command, meter.time() * 2 + BUILDING, |line| {
        if let Some(figures) = line.strip_prefix("crates/") {
            meter.figure(figures);
            let complaint = ["less than", "there should be"]
                .iter()
                .any(|word| line.contains(word));
            meter.attempt(|| ensure(!complaint, || line));
        }
        line.clone_into(&mut last);
    })?;
    match ended.code() {
        Some(0 | 1) => Ok(()),
        Some(3) => Err(Impossible(
            "no llvm-tools: testing/coverage.sh --check says what to install",
        )
        .into()),
        _ => Err(format!("{ended}: {last}").into()),
    }
}

/// Options of the address sanitizer that the tests need: a table that is too large is refused and does not end the
/// program, an engine that dies of a signal really does, and freed memory counts as free.
const OPTIONS: &str = "allocator_may_return_null=1:handle_segv=0:quarantine_size_mb=4";

/// Runs the tests of the client and the engine with the address sanitizer of the nightly compiler.
pub(super) fn sanitizers(meter: &mut Meter, _: &Program) -> Result<(), Fault> {
    has_nightly()?;
    let version = said("rustc", &["-vV"]).unwrap_or_default();
    let target = version.lines().find_map(|line| line.strip_prefix("host: "));
    let target = target.ok_or("rustc names no host")?;
    let sanitized = |words: &str| {
        let mut command = nightly();
        command
            .args(words.split(' '))
            .args(["--target", target])
            .env(
                "RUSTFLAGS",
                "-Zsanitizer=address -Coverflow-checks=on -Cdebug-assertions=on",
            )
            .env("ASAN_OPTIONS", OPTIONS)
            .env("CARGO_TARGET_DIR", root().join("target/sanitizer"));
        command
    };
    let limit = meter.time() * 2 + BUILDING;
    let (mut tried, mut failed, mut last) = (0, 0, String::new());
    // Some tests start examples as programs.
    let mut building = sanitized("build --examples --release -p tabiya-uci -p tabiya-engine");
    let built = streamed(&mut building, limit, |line| line.clone_into(&mut last))?;
    ensure(built.success(), || {
        format!("the examples were not built: {last}")
    })?;
    let mut testing =
        sanitized("test --tests --release -p tabiya-uci -p tabiya-engine --no-fail-fast");
    // The sanitizer reserves terabytes of address space, so no program starts under a limit on it, and takes memory and time of
    // its own, so what a release is measured by means nothing.
    testing.args("-- --test-threads=2 --skip scarcity:: --skip release::".split(' '));
    let ended = streamed(&mut testing, limit, |line| {
        let is_failed = line.starts_with("test ") && line.ends_with("FAILED");
        if is_failed || line.starts_with("test ") && line.ends_with(" ... ok") {
            tried += 1;
            meter.count(1);
        }
        if is_failed || is_report(line) {
            failed += 1;
            meter.fail(line);
        } else if line.starts_with("error") {
            line.clone_into(&mut last);
        }
    })?;
    ensure(tried > 0, || format!("no test ran: {last}"))?;
    if !ended.success() && failed == 0 {
        meter.fail(format!("the tests ended with {ended}: {last}"));
    }
    meter.figure("address sanitizer with overflow checks and debug assertions, without the tests of limits on memory and of goals");
    Ok(())
}

/// Returns whether a line begins the report of any sanitizer.
fn is_report(line: &str) -> bool {
    let name = line
        .split_once("ERROR: ")
        .and_then(|(_, rest)| rest.split([':', ' ']).next());
    name.is_some_and(|name| name.ends_with("Sanitizer"))
}

/// Cargo of the nightly toolchain.
fn nightly() -> Command {
    let mut command = Command::new("cargo");
    command
        .current_dir(root())
        .arg("+nightly")
        .env_remove("CARGO")
        .env_remove("RUSTUP_TOOLCHAIN");
    command
}

fn has_nightly() -> Result<(), Fault> {
    let there = said("rustc", &["+nightly", "--version"]).is_some();
    ensure(there, || Impossible("there is no nightly toolchain"))
}

#[cfg(test)]
mod tests {
    //! Sanitizer reports are distinguished from other errors.

    use super::is_report;

    #[test]
    fn a_report_of_any_sanitizer_counts() {
        for (line, expected) in [
            ("==12==ERROR: AddressSanitizer: heap-use-after-free", true),
            ("==12==ERROR: LeakSanitizer: detected memory leaks", true),
            ("==9==ERROR: AddressSanitizer failed to allocate", true),
            ("error: test failed, to rerun pass `-p tabiya-uci`", false),
            ("ERROR: no such file", false),
        ] {
            assert_eq!(is_report(line), expected, "{line}");
        }
    }
}
