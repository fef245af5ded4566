//! Rows measured by examples of the program: many saves, and how soon the screen is ready.

use std::process::Command;
use std::time::{Duration, Instant};

use super::streamed::streamed;
use crate::meter::{Meter, Stop};
use crate::program::Programs;
use crate::samples::Samples;

/// After this long, an example hangs.
const HANG: Duration = Duration::from_secs(15 * 60);

/// Measures a folder of 100,000 saves: the list, and saved moves.
pub(super) fn many_saves(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let count = meter.size_for(100_000, 100_000).to_string();
    let mut listing = programs.example("saves");
    listing.arg("list").arg(&programs.tabiya).arg(count);
    for line in measured(meter, &mut listing)? {
        meter.attempt(|| {
            at_most(&line, " ms", 500.0)?;
            at_most(&line, " MB", 256.0)
        });
    }
    kept_moves(meter, programs, 2000)
}

/// Checks that moves are on the disk when they are shown, and almost all of them soon.
fn kept_moves(meter: &mut Meter, programs: &Programs, count: u64) -> Result<(), Stop> {
    let mut moving = programs.example("saves");
    moving.arg("moves").arg(&programs.tabiya);
    moving.arg(count.to_string());
    for line in measured(meter, &mut moving)? {
        meter.attempt(|| at_most(&line, " ms, longest", 20.0));
    }
    Ok(())
}

/// Checks that keys are answered while an engine prints without end, and how soon.
pub(super) fn flooded(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    super::tests::run(meter, programs, &super::tests::FLOODED)?;
    let seconds = meter.size_for(60, 20).to_string();
    let mut spam = programs.example("screen");
    spam.arg("spam").arg(&programs.tabiya).arg(seconds);
    for line in measured(meter, &mut spam)? {
        meter.attempt(|| {
            at_most(&line, " ms (99 %)", 50.0)?;
            at_least(&line, " frames a second", 20.0)
        });
    }
    Ok(())
}

/// Measures how soon the program starts, its screen is drawn and answers, and a move is saved; the median of
/// several times.
pub(super) fn start(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let mut starts = Samples::default();
    for _ in 0..21 {
        let begun = Instant::now();
        let output = programs.command(&["--version"]).output();
        starts.add(begun.elapsed());
        if !output.is_ok_and(|output| output.status.success()) {
            return Err(Stop::Broken("--version failed".to_owned()));
        }
    }
    let middle = starts.percentile(50).as_secs_f64() * 1e3;
    let line = format!("start to end of --version: {middle:.2} ms (median)");
    meter.attempt(|| at_most(&line, " ms (median)", 30.0));
    meter.figure(line);
    let mut bench = programs.example("screen");
    bench.arg("bench").arg(&programs.tabiya);
    let lines = measured(meter, &mut bench)?;
    let limits = [
        ("start to first frame", 30.0),
        ("key to frame", 10.0),
        ("key to last byte, 640×640 pixels", 20.0),
    ];
    for (what, most) in limits {
        let of_kind: Vec<_> = lines.iter().filter(|line| line.starts_with(what)).collect();
        if of_kind.is_empty() {
            meter.fail(format!("{what} was not measured"));
        }
        for line in of_kind {
            meter.attempt(|| at_most(line, " ms (median)", most));
        }
    }
    kept_moves(meter, programs, 500)
}

/// Returns the lines that an example prints, which become figures. An example that measures nothing is
/// broken.
pub(super) fn measured(meter: &mut Meter, command: &mut Command) -> Result<Vec<String>, Stop> {
    let mut lines = Vec::new();
    let status = streamed(command, HANG, |line| lines.push(line.to_owned()))?;
    if !status.success() {
        let last = lines.last().cloned().unwrap_or_default();
        return Err(Stop::Broken(format!("{status}: {last}")));
    }
    if lines.is_empty() {
        return Err(Stop::Broken("nothing was measured".to_owned()));
    }
    for line in &lines {
        meter.figure(line.as_str());
    }
    Ok(lines)
}

/// Checks that the first number before a unit is small enough.
pub(super) fn at_most(line: &str, unit: &str, most: f64) -> Result<(), String> {
    match number_of(line, unit)? {
        number if number <= most => Ok(()),
        number => Err(format!("{number}{unit}, more than {most}: {line}")),
    }
}

/// Checks that the first number before a unit is large enough.
fn at_least(line: &str, unit: &str, least: f64) -> Result<(), String> {
    match number_of(line, unit)? {
        number if number >= least => Ok(()),
        number => Err(format!("{number}{unit}, less than {least}: {line}")),
    }
}

fn number_of(line: &str, unit: &str) -> Result<f64, String> {
    line.split_once(unit)
        .and_then(|(before, _)| before.rsplit(' ').next()?.parse().ok())
        .ok_or_else(|| format!("no number of{unit} in: {line}"))
}

#[cfg(test)]
mod tests {
    //! Numbers are found in sentences.

    use super::{at_least, at_most};

    #[test]
    fn the_number_before_a_unit_counts() {
        let line = "100000 saves listed in 412 ms, at most 60 MB of memory";
        assert_eq!(at_most(line, " ms", 500.0), Ok(()));
        assert!(at_most(line, " ms", 400.0).is_err());
        assert_eq!(at_most(line, " MB", 256.0), Ok(()));
        assert!(at_most(line, " s", 1.0).is_err());
        assert_eq!(at_least(line, " MB", 60.0), Ok(()));
        assert!(at_least(line, " MB", 61.0).is_err());
        assert!(at_least(line, " frames a second", 0.0).is_err());
    }

    #[test]
    fn the_unit_tells_which_of_several_numbers_counts() {
        let line = "139 keys: 0.7 ms (median), 13.3 ms (99 %), 17.9 ms (worst); 46 frames a second";
        assert_eq!(at_most(line, " ms (99 %)", 13.3), Ok(()));
        assert!(at_most(line, " ms (99 %)", 13.2).is_err());
        assert_eq!(at_least(line, " frames a second", 46.0), Ok(()));
    }
}
