//! Rows that the examples of the program measure: many saves, and how soon a screen stands.

use std::process::Command;
use std::time::Duration;

use super::streamed::streamed;
use crate::meter::{Meter, Stop};
use crate::program::Programs;

/// So long means that an example hangs.
const HANG: Duration = Duration::from_secs(15 * 60);

/// A folder of 100,000 saves: the list, and moves that are kept.
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
    let mut moving = programs.example("saves");
    moving.arg("moves").arg(&programs.tabiya).arg("2000");
    for line in measured(meter, &mut moving)? {
        let half = line.split("99 of 100 within").nth(1).unwrap_or(&line);
        let half = half.to_owned();
        meter.attempt(|| at_most(&half, " ms", 20.0));
    }
    Ok(())
}

/// Keys that are answered while an engine prints without end: that they are, and how soon.
pub(super) fn flooded(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    super::tests::run(meter, programs, &super::tests::FLOODED)?;
    let seconds = meter.size_for(60, 20).to_string();
    let mut spam = programs.example("screen");
    spam.arg("spam").arg(&programs.tabiya).arg(seconds);
    for line in measured(meter, &mut spam)? {
        let late = line.split("(median), ").nth(1).unwrap_or(&line).to_owned();
        meter.attempt(|| at_most(&late, " ms (99 %)", 50.0));
    }
    Ok(())
}

/// How soon the screen stands and answers.
pub(super) fn start(meter: &mut Meter, programs: &Programs) -> Result<(), Stop> {
    let mut bench = programs.example("screen");
    bench.arg("bench").arg(&programs.tabiya);
    let lines = measured(meter, &mut bench)?;
    meter.attempt(|| match lines.is_empty() {
        true => Err("nothing was measured".to_owned()),
        false => Ok(()),
    });
    Ok(())
}

/// The lines that an example prints, which are figures too.
fn measured(meter: &mut Meter, command: &mut Command) -> Result<Vec<String>, Stop> {
    let mut lines = Vec::new();
    let status = streamed(command, HANG, |line| lines.push(line.to_owned()))?;
    if !status.success() {
        let last = lines.last().cloned().unwrap_or_default();
        return Err(Stop::Broken(format!("{status}: {last}")));
    }
    for line in &lines {
        meter.figure(line.as_str());
    }
    Ok(lines)
}

/// Whether the first number before a unit is small enough.
fn at_most(line: &str, unit: &str, most: f64) -> Result<(), String> {
    let number = line
        .split_once(unit)
        .and_then(|(before, _)| before.rsplit(' ').next()?.parse::<f64>().ok());
    match number {
        Some(number) if number <= most => Ok(()),
        Some(number) => Err(format!("{number}{unit}, more than {most}: {line}")),
        None => Err(format!("no number of{unit} in: {line}")),
    }
}

#[cfg(test)]
mod tests {
    //! Numbers are found in sentences.

    use super::at_most;

    #[test]
    fn the_number_before_a_unit_counts() {
        let line = "100000 saves listed in 412 ms, at most 60 MB of memory";
        assert_eq!(at_most(line, " ms", 500.0), Ok(()));
        assert!(at_most(line, " ms", 400.0).is_err());
        assert_eq!(at_most(line, " MB", 256.0), Ok(()));
        assert!(at_most(line, " s", 1.0).is_err());
    }
}
