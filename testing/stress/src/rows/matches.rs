//! Rows of whole games, which `tabiya match` plays: against itself, and against Stockfish.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tabiya_rules::Position;

use crate::meter::{Fault, Impossible, Meter, ensure, thousands};
use crate::process::{Program, signal};

/// The time controls: hardly any increment, or none.
const SHORT_CLOCKS: [(&str, &str); 2] = [("1 s + 0", "1s+0s"), ("0.1 s + 0.001 s", "0.1s+0.001s")];

/// Plays games of the engine against itself on short clocks: nobody loses on time, crashes or plays an illegal move.
pub(super) fn itself(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let mut starts = tempfile::Builder::new().suffix(".epd").tempfile()?;
    for start in (0..960).filter_map(Position::chess960) {
        writeln!(starts, "{}", start.fen())?;
    }
    // Each kind has a share of the time, in sixths.
    for (name, clock, count, share, openings) in [
        ("1 s + 0.01 s", "1s+0.01s", 20_000, 3, None),
        ("0.1 s + 0.01 s", "0.1s+0.01s", 5_000, 2, None),
        ("Chess960", "0.2s+0.01s", 2_000, 1, Some(starts.path())),
    ] {
        let time = meter.time() * share / 6;
        let played = play(program, ("bot", openings), clock, count, time, |line| {
            meter.attempt(|| {
                ensure(line.contains("\"fault\":null"), || {
                    format!("{name}: {line}")
                })
            });
        })?;
        meter.figure(format!("{} games of {name}", thousands(played)));
    }
    Ok(())
}

/// Plays against Stockfish with hardly any increment: our engine never loses on time.
pub(super) fn without_increment(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    for (name, clock) in SHORT_CLOCKS {
        let time = meter.time() / 2;
        let games = against_stockfish(program, clock, time, |line| {
            meter.attempt(|| ensure(!lost_on_time(line, "A"), || format!("{name}: {line}")));
        })?;
        meter.figure(format!("{games} games of {name}"));
    }
    Ok(())
}

/// Plays the same games beside two busy loops: our engine loses no more games on time than Stockfish.
pub(super) fn under_load(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let _loops = [BusyLoop::start()?, BusyLoop::start()?];
    for (name, clock) in SHORT_CLOCKS {
        let (mut ours, mut theirs) = (0, 0);
        let time = meter.time() / 2;
        let games = against_stockfish(program, clock, time, |line| {
            ours += u32::from(lost_on_time(line, "A"));
            theirs += u32::from(lost_on_time(line, "B"));
        })?;
        let losses = format!("{games} games of {name}: {ours} lost on time, Stockfish {theirs}");
        meter.attempt(|| ensure(ours <= theirs, || losses.clone()));
        meter.figure(losses);
    }
    Ok(())
}

fn lost_on_time(line: &str, player: &str) -> bool {
    line.contains("\"kind\":\"time\"") && line.contains(&format!("\"by\":\"{player}\""))
}

fn against_stockfish(
    program: &Program,
    clock: &str,
    time: Duration,
    tell: impl FnMut(&str),
) -> Result<u64, Fault> {
    // The program looks for it in more places than the PATH here.
    let known = program.command(&["engines"]).output()?.stdout;
    let is_there = known
        .split(|&byte| byte == b'\n')
        .any(|line| line.starts_with(b"stockfish "));
    ensure(is_there, || Impossible("stockfish is not installed"))?;
    play(program, ("uci:stockfish", None), clock, 500, time, tell)
}

/// Plays games of our engine, player A, until there are enough or the time is over, but at least one. Reports each, and
/// returns their number.
fn play(
    program: &Program,
    (opponent, openings): (&str, Option<&Path>),
    clock: &str,
    count: u64,
    time: Duration,
    mut tell: impl FnMut(&str),
) -> Result<u64, Fault> {
    let games = count.to_string();
    let mut command = program.command(&[
        "match", "bot", opponent, "--json", "--clock", clock, "--games", &games,
    ]);
    if let Some(openings) = openings {
        command.arg("--openings").arg(openings);
    }
    if opponent != "bot" {
        command.args(["--concurrency", "1"]);
    }
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let output = child.stdout.take().ok_or("no output")?;
    let end = Instant::now() + time;
    let (mut played, mut is_over) = (0, false);
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        if line.contains("\"event\":\"game\"") && !is_over {
            played += 1;
            tell(&line);
        }
        if played > 0 && Instant::now() > end && !is_over {
            // With an interrupt, so that the running games end properly.
            signal(child.id(), "INT");
            is_over = true;
        }
    }
    let status = child.wait()?;
    ensure(played > 0 && (status.success() || is_over), || {
        format!("the match at {clock} ended with {status} after {played} games")
    })?;
    Ok(played)
}

/// A process that wants a CPU all the time.
struct BusyLoop(Child);

impl BusyLoop {
    fn start() -> Result<BusyLoop, Fault> {
        Ok(BusyLoop(
            Command::new("sh")
                .args(["-c", "while :; do :; done"])
                .spawn()?,
        ))
    }
}

impl Drop for BusyLoop {
    fn drop(&mut self) {
        // It is killed, or it has exited.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
