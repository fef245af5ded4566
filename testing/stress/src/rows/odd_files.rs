//! A row about paths that are not files, and files that never end, shrink or cannot be read.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::shapes::MOST_KIB;
use crate::meter::{Fault, Impossible, Meter, ensure};
use crate::process::{Program, resident_kib, signal};

/// How soon the program must end after an interrupt.
const SOON: Duration = Duration::from_millis(200);

pub(super) fn odd_files(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    ensure(!ignores_interrupts(), || {
        Impossible(
            "Ctrl-C is ignored by whatever started this; start it in the foreground of a shell",
        )
    })?;
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    refused(meter, program, &folder.join("locked.pgn"))?;
    shrinking(meter, program, &folder.join("shrinking.pgn"))?;
    let fifo = folder.join("fifo.pgn");
    ensure(
        Command::new("mkfifo").arg(&fifo).status()?.success(),
        || "mkfifo failed",
    )?;
    // Held open at both ends, so that opening does not wait for a writer and reading never ends.
    let mut held = File::options().read(true).write(true).open(&fifo)?;
    held.write_all(b"1. e4 e5 ")?;
    let mut slowest = Duration::ZERO;
    for path in [Path::new("/dev/zero"), &fifo] {
        for _ in 0..20 {
            slowest = slowest.max(interrupted(meter, program, path)?);
        }
    }
    meter.figure(format!(
        "ended within {:.0} ms",
        slowest.as_secs_f64() * 1e3
    ));
    Ok(())
}

/// Returns whether SIGINT is ignored here and in every program started from here. A shell does this to programs that
/// it starts in the background.
fn ignores_interrupts() -> bool {
    const INTERRUPT: u64 = 1 << 1;
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & INTERRUPT != 0)
}

/// Runs `pgn check` on a path, which must end with one of these exit codes.
fn check(meter: &mut Meter, program: &Program, path: &Path, codes: &[i32]) -> Result<(), Fault> {
    let fed = program.feed(&["pgn", "check", &path.to_string_lossy()], |_| Ok(()))?;
    meter.attempt(|| {
        let is_good = fed.status.code().is_some_and(|code| codes.contains(&code))
            && !fed.err.contains("panicked");
        ensure(is_good, || {
            format!("{}: {}, {}", path.display(), fed.status, fed.err.trim())
        })
    });
    Ok(())
}

fn refused(meter: &mut Meter, program: &Program, locked: &Path) -> Result<(), Fault> {
    fs::write(locked, "1. e4 *")?;
    Command::new("chmod").arg("000").arg(locked).status()?;
    // Root can read everything.
    let code = if File::open(locked).is_ok() { 0 } else { 3 };
    check(meter, program, locked, &[code])?;
    for (path, code) in [("/", 3), ("/nonexistent/games.pgn", 3), ("/dev/null", 0)] {
        check(meter, program, Path::new(path), &[code])?;
    }
    Ok(())
}

/// Reads a file that loses most of its contents meanwhile.
fn shrinking(meter: &mut Meter, program: &Program, path: &Path) -> Result<(), Fault> {
    let game = "[Event \"Shrinking\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n";
    for round in 0..10 {
        fs::write(path, game.repeat(2_000_000))?;
        thread::scope(|scope| {
            let cutter = scope.spawn(move || {
                thread::sleep(Duration::from_millis(50 + 20 * round));
                File::options().write(true).open(path)?.set_len(1000)
            });
            check(meter, program, path, &[0, 1, 3])?;
            Ok::<_, Fault>(cutter.join().map_err(|_| "the cutter panicked")??)
        })?;
    }
    Ok(())
}

/// Interrupts the reading of an endless file, and returns how long it took to end.
fn interrupted(meter: &mut Meter, program: &Program, path: &Path) -> Result<Duration, Fault> {
    let mut command = program.command(&["pgn", "check"]);
    command
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn()?;
    thread::sleep(Duration::from_millis(300));
    let memory = resident_kib(child.id()).unwrap_or(0);
    let begun = Instant::now();
    signal(child.id(), "INT");
    while child.try_wait()?.is_none() && begun.elapsed() < Duration::from_secs(10) {
        thread::sleep(Duration::from_millis(1));
    }
    let took = begun.elapsed();
    // It is gone in most cases.
    let _ = child.kill();
    child.wait()?;
    meter.attempt(|| {
        ensure(took <= SOON, || {
            format!("{}: ended after {took:?}", path.display())
        })?;
        ensure(memory <= MOST_KIB, || {
            format!("{}: {memory} KiB of memory", path.display())
        })
    });
    Ok(took)
}
