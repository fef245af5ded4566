//! Rows measured by examples of the program and of the server: many saves, how soon the screen is ready, and load.

use std::time::{Duration, Instant};

use crate::meter::{Fault, Meter, Samples, ensure};
use crate::process::{Program, streamed};

/// After this long, an example hangs, beside the time of its row.
const HANG: Duration = Duration::from_secs(15 * 60);

/// Measures a folder of 100,000 saves: the list, and saved moves.
pub(super) fn many_saves(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let count = meter.size_for(100_000, 100_000);
    let list = format!("saves list PROGRAM {count}");
    measure(meter, program, &list, &[(" ms", 500.0), (" MB", 256.0)])?;
    saved_moves(meter, program, 2000)
}

/// Checks that moves are on the disk when they are shown, and almost all of them soon.
fn saved_moves(meter: &mut Meter, program: &Program, count: u64) -> Result<(), Fault> {
    let moves = format!("saves moves PROGRAM {count}");
    measure(meter, program, &moves, &[(" ms, longest", 20.0)])
}

/// Checks that keys are answered while an engine prints without end, and how soon.
pub(super) fn flooded(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let spam = format!("screen spam PROGRAM {}", meter.size_for(60, 20));
    for line in measured(meter, program, &spam)? {
        meter.attempt(|| {
            at_most(&line, " ms (99 %)", 50.0)?;
            let frames = number_of(&line, " frames a second")?;
            ensure(frames >= 20.0, || format!("too few frames: {line}"))
        });
    }
    Ok(())
}

/// Measures how soon the program starts, its screen is drawn and answers, and a move is saved; the median of several times.
pub(super) fn start(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let mut starts = Samples::default();
    for _ in 0..21 {
        let begun = Instant::now();
        let output = program.command(&["--version"]).output()?;
        starts.add(begun.elapsed());
        ensure(output.status.success(), || "--version failed")?;
    }
    let middle = starts.ms(50);
    let mut lines = vec![format!(
        "start to end of --version: {middle:.2} ms (median)"
    )];
    meter.figure(&lines[0]);
    lines.extend(measured(meter, program, "screen bench PROGRAM")?);
    for (what, most) in [
        ("start to end of --version", 30.0),
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
    saved_moves(meter, program, 500)
}

/// Games with two clients each and a move a second: how soon a move is with the other client, and the server's memory.
pub(super) fn games(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let (count, seconds) = (
        meter.size_for(1000, 1000),
        meter.time().as_secs().clamp(5, 60),
    );
    let games = format!("load PROGRAM games {count} {seconds}");
    measure(
        meter,
        program,
        &games,
        &[(" ms (99 %)", 50.0), (" MiB", 1024.0)],
    )
}

/// Many who look on: all see every move.
pub(super) fn watchers(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let watchers = format!(
        "load PROGRAM watchers {} 30",
        meter.size_for(10_000, 10_000)
    );
    measure(meter, program, &watchers, &[(" MiB,", 1024.0)])
}

/// Games that end and begin again, clients that come and go, on a server of the example, whose games leave the memory soon, so
/// that much more than an hour's worth of them come and go. There are more of them than threads of the server for the disk, so
/// that all of these have begun before the memory is compared.
pub(super) fn soak(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let soak = format!("load - soak 100 {}", meter.time().as_secs().clamp(30, 3600));
    measure(
        meter,
        program,
        &soak,
        &[(" % growth", 1.0), (" more files", 0.0)],
    )
}

/// A server that is killed in play: the example fails if anything that was shown is lost.
pub(super) fn kills(meter: &mut Meter, program: &Program) -> Result<(), Fault> {
    let count = meter.size_for(1000, 200);
    measure(
        meter,
        program,
        &format!("load PROGRAM kills {count}"),
        &[(" moves lost", 0.0)],
    )?;
    meter.count(count - 1);
    Ok(())
}

/// Checks the numbers before some units in each line that an example prints: none may be larger than this.
fn measure(
    meter: &mut Meter,
    program: &Program,
    words: &str,
    goals: &[(&str, f64)],
) -> Result<(), Fault> {
    for line in measured(meter, program, words)? {
        let mut goals = goals.iter();
        meter.attempt(|| goals.try_for_each(|&(unit, most)| at_most(&line, unit, most)));
    }
    Ok(())
}

/// Runs an example with arguments, in which PROGRAM stands for the program, and returns the lines that it prints, which become
/// figures. An example that measures nothing is broken.
fn measured(meter: &mut Meter, program: &Program, words: &str) -> Result<Vec<String>, Fault> {
    let mut words = words.split(' ');
    let mut command = program.example(words.next().unwrap_or_default());
    for word in words {
        let is_program = word == "PROGRAM";
        command.arg(if is_program {
            program.path().as_os_str()
        } else {
            word.as_ref()
        });
    }
    let mut lines = Vec::new();
    let limit = meter.time() + HANG;
    let status = streamed(&mut command, limit, |line| lines.push(line.to_owned()))?;
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
