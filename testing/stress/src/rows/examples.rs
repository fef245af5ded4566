//! Rows measured by examples of the program and of the server: many saves, how soon the screen is ready, and load.

use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use crate::meter::{Fault, Meter, Samples, ensure};
use crate::process::{Program, streamed};

/// After this long, an example hangs, beside the time of its row.
const HANG: Duration = Duration::from_secs(15 * 60);

/// A unit, and the largest number before it that is good enough.
type Most<'a> = (&'a str, f64);

/// Measures a folder of 100,000 saves: the list, and saved moves.
pub(super) fn many_saves(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let count = meter.size_for(100_000, 100_000).to_string();
    measure(
        meter,
        &mut of(program, "saves", &["list", "PROGRAM", &count]),
        &[(" ms", 500.0), (" MB", 256.0)],
    )?;
    kept_moves(meter, program, "2000")
}

/// Checks that moves are on the disk when they are shown, and almost all of them soon.
fn kept_moves(meter: &mut Meter, program: &Program, count: &str) -> Result<(), Fault> {
    measure(
        meter,
        &mut of(program, "saves", &["moves", "PROGRAM", count]),
        &[(" ms, longest", 20.0)],
    )
}

/// Checks that keys are answered while an engine prints without end, and how soon.
pub(super) fn flooded(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let seconds = meter.size_for(60, 20).to_string();
    for line in measured(
        meter,
        &mut of(program, "screen", &["spam", "PROGRAM", &seconds]),
    )? {
        meter.attempt(|| {
            at_most(&line, " ms (99 %)", 50.0)?;
            let frames = number_of(&line, " frames a second")?;
            ensure(frames >= 20.0, || {
                format!("less than 20 frames a second: {line}")
            })
        });
    }
    Ok(())
}

/// Measures how soon the program starts, its screen is drawn and answers, and a move is saved; the median of several times.
pub(super) fn start(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let mut starts = Samples::default();
    for _ in 0..21 {
        let begun = Instant::now();
        let status: ExitStatus = program.command(&["--version"]).output()?.status;
        starts.add(begun.elapsed());
        ensure(status.success(), || "--version failed")?;
    }
    let line = format!(
        "start to end of --version: {:.2} ms (median)",
        starts.ms(50)
    );
    meter.attempt(|| at_most(&line, " ms (median)", 30.0));
    meter.figure(line);
    let lines = measured(meter, &mut of(program, "screen", &["bench", "PROGRAM"]))?;
    for (what, most) in [
        ("start to first frame", 30.0),
        ("key to frame", 10.0),
        ("key to last byte, 640×640 pixels", 20.0),
    ] {
        let of_kind: Vec<_> = lines.iter().filter(|line| line.starts_with(what)).collect();
        if of_kind.is_empty() {
            meter.fail(format!("{what} was not measured"));
        }
        for line in of_kind {
            meter.attempt(|| at_most(line, " ms (median)", most));
        }
    }
    kept_moves(meter, program, "500")
}

/// Games with two clients each and a move a second: how soon a move is with the other client, and the server's memory.
pub(super) fn games(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let count = meter.size_for(1000, 1000).to_string();
    let seconds = meter.time().as_secs().clamp(5, 60).to_string();
    measure(
        meter,
        &mut load(program, &["games", &count, &seconds]),
        &[(" ms (99 %)", 50.0), (" MiB", 1024.0)],
    )
}

/// Many who look on: all see every move.
pub(super) fn watchers(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let count = meter.size_for(10_000, 10_000).to_string();
    measure(
        meter,
        &mut load(program, &["watchers", &count, "30"]),
        &[(" MiB,", 1024.0)],
    )
}

/// Games that end and begin again, clients that come and go.
pub(super) fn soak(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let seconds = meter.time().as_secs().clamp(30, 3600).to_string();
    // Its games leave the memory soon, so that much more than an hour's worth of them come and go.
    let mut soak = of(program, "load", &["-", "soak", "50", &seconds]);
    measure(
        meter,
        &mut soak,
        &[(" % growth", 1.0), (" more files", 0.0)],
    )
}

/// A server that is killed in play: the example fails if anything that was shown is lost.
pub(super) fn kills(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let count = meter.size_for(1000, 200);
    measure(
        meter,
        &mut load(program, &["kills", &count.to_string()]),
        &[(" moves lost", 0.0)],
    )?;
    meter.count(count - 1);
    Ok(())
}

/// The example `load` of the server's crate, with the program as its server and a client process beside it.
fn load(program: &Program, arguments: &[&str]) -> Command {
    of(program, "load", &[&["PROGRAM"], arguments].concat())
}

/// An example with its arguments, in which PROGRAM stands for the program.
fn of(program: &Program, name: &str, arguments: &[&str]) -> Command {
    let mut command = program.example(name);
    for argument in arguments {
        match *argument {
            "PROGRAM" => command.arg(program.path()),
            argument => command.arg(argument),
        };
    }
    command
}

/// Checks the numbers in each line that an example prints.
fn measure(meter: &mut Meter, command: &mut Command, goals: &[Most<'_>]) -> Result<(), Fault> {
    for line in measured(meter, command)? {
        meter.attempt(|| {
            goals
                .iter()
                .try_for_each(|&(unit, most)| at_most(&line, unit, most))
        });
    }
    Ok(())
}

/// Returns the lines that an example prints, which become figures. An example that measures nothing is broken.
fn measured(meter: &mut Meter, command: &mut Command) -> Result<Vec<String>, Fault> {
    let mut lines = Vec::new();
    let status = streamed(command, meter.time() + HANG, |line| {
        lines.push(line.to_owned())
    })?;
    let last = lines.last().ok_or("nothing was measured")?;
    ensure(status.success(), || format!("{status}: {last}"))?;
    for line in &lines {
        meter.figure(line);
    }
    Ok(lines)
}

/// Checks that the first number before a unit is small enough.
fn at_most(line: &str, unit: &str, most: f64) -> Result<(), Fault> {
    let number = number_of(line, unit)?;
    ensure(number <= most, || {
        format!("{number}{unit}, more than {most}: {line}")
    })
}

fn number_of(line: &str, unit: &str) -> Result<f64, Fault> {
    let number = line
        .split_once(unit)
        .and_then(|(before, _)| before.rsplit(' ').next()?.parse().ok());
    number.ok_or_else(|| format!("no number of{unit} in: {line}").into())
}

#[cfg(test)]
mod tests {
    //! Numbers are found in sentences, and the unit tells which of several counts.

    use super::at_most;

    #[test]
    fn the_number_before_a_unit_counts() {
        let saves = "100000 saves listed in 412 ms, at most 60 MB of memory";
        let keys = "139 keys: 0.7 ms (median), 13.3 ms (99 %), 17.9 ms (worst); 46 frames a second";
        for (line, unit, most, holds) in [
            (saves, " ms", 500.0, true),
            (saves, " ms", 400.0, false),
            (saves, " MB", 256.0, true),
            (saves, " s", 1.0, false),
            (keys, " ms (99 %)", 13.3, true),
            (keys, " ms (99 %)", 13.2, false),
        ] {
            assert_eq!(
                at_most(line, unit, most).is_ok(),
                holds,
                "{line} {unit} {most}"
            );
        }
    }
}
