//! A row about paths that are not files, and files that never end, shrink or cannot be read.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::pgn::MOST_KIB;
use crate::meter::{Meter, Stop};
use crate::program::{Programs, resident_kib, signal};

/// How soon the program must end after an interrupt.
const SOON: Duration = Duration::from_millis(200);

pub(super) fn odd_files(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    if ignores_interrupts() {
        let sentence =
            "Ctrl-C is ignored by whatever started this; start it in the foreground of a shell";
        return Err(Stop::Impossible(sentence.to_owned()));
    }
    let folder = Folder::new().map_err(Stop::broken)?;
    refused(meter, programs, &folder)?;
    shrinking(meter, programs, &folder)?;
    let mut slowest = Duration::ZERO;
    for _ in 0..20 {
        slowest = slowest.max(interrupted(meter, programs, "/dev/zero")?);
    }
    let fifo = folder.0.join("fifo.pgn");
    let made = Command::new("mkfifo").arg(&fifo).status();
    if made.is_ok_and(|made| made.success()) {
        // Held open at both ends, so that opening does not wait for a writer and reading never ends.
        let held = File::options().read(true).write(true).open(&fifo);
        let mut held = held.map_err(Stop::broken)?;
        held.write_all(b"1. e4 e5 ").map_err(Stop::broken)?;
        for _ in 0..20 {
            let path = fifo.to_string_lossy().into_owned();
            slowest = slowest.max(interrupted(meter, programs, &path)?);
        }
    } else {
        meter.figure("no FIFO: mkfifo is missing");
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

/// A folder for this row, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> std::io::Result<Folder> {
        let name = format!("tabiya-stress-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder)?;
        Ok(Folder(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Anything left is in the folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn refused(meter: &mut Meter, programs: &Programs, folder: &Folder) -> Result<(), Stop> {
    let locked = folder.0.join("locked.pgn");
    fs::write(&locked, "1. e4 *").map_err(Stop::broken)?;
    let closed = Command::new("chmod").arg("000").arg(&locked).status();
    closed.map_err(Stop::broken)?;
    // Root can read everything.
    let code = if File::open(&locked).is_ok() { 0 } else { 3 };
    let locked = locked.to_string_lossy().into_owned();
    for (path, expected) in [
        ("/", 3),
        ("/nonexistent/games.pgn", 3),
        ("/dev/null", 0),
        (locked.as_str(), code),
    ] {
        let fed = programs.feed(&["pgn", "check", path], |_| Ok(()))?;
        meter.attempt(|| match fed.status.code() {
            Some(code) if code == expected && !fed.err.contains("panicked") => Ok(()),
            code => Err(format!("{path}: exit code {code:?}, {}", fed.err.trim())),
        });
    }
    Ok(())
}

/// Reads a file that loses most of its contents meanwhile.
fn shrinking(meter: &mut Meter, programs: &Programs, folder: &Folder) -> Result<(), Stop> {
    let path = folder.0.join("shrinking.pgn");
    let game = "[Event \"Shrinking\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n";
    for round in 0..10 {
        fs::write(&path, game.repeat(2_000_000)).map_err(Stop::broken)?;
        let cut = path.clone();
        let cutter = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50 + 20 * round));
            File::options().write(true).open(cut)?.set_len(1000)
        });
        let name = path.to_string_lossy().into_owned();
        let fed = programs.feed(&["pgn", "check", &name], |_| Ok(()))?;
        meter.attempt(|| {
            let cut = cutter.join().map_err(|_| "the cutter panicked")?;
            cut.map_err(|error| error.to_string())?;
            match fed.status.code() {
                Some(0 | 1 | 3) if !fed.err.contains("panicked") => Ok(()),
                code => Err(format!("shrinking: exit code {code:?}, {}", fed.err.trim())),
            }
        });
    }
    Ok(())
}

/// Interrupts the reading of an endless file, and returns how long it took to end.
fn interrupted(meter: &mut Meter, programs: &Programs, path: &str) -> Result<Duration, Stop> {
    let mut child = programs
        .command(&["pgn", "check", path])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(Stop::broken)?;
    std::thread::sleep(Duration::from_millis(300));
    let memory = resident_kib(child.id()).unwrap_or(0);
    let begun = Instant::now();
    signal(child.id(), "INT");
    let mut status = None;
    while status.is_none() && begun.elapsed() < Duration::from_secs(10) {
        status = child.try_wait().map_err(Stop::broken)?;
        std::thread::sleep(Duration::from_millis(1));
    }
    let took = begun.elapsed();
    if status.is_none() {
        // It is gone in any case.
        let _ = child.kill();
        child.wait().map_err(Stop::broken)?;
    }
    meter.attempt(|| match (took, memory) {
        (took, _) if took > SOON => Err(format!("{path}: ended after {took:?}")),
        (_, memory) if memory > MOST_KIB => Err(format!("{path}: {memory} KiB of memory")),
        _ => Ok(()),
    });
    Ok(took)
}
