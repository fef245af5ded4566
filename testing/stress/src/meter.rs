//! Counts what a row tried and what failed, and knows when its time is over.

use std::any::Any;
use std::error::Error;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// Why a row, or one thing that it tried, failed.
pub(crate) type Fault = Box<dyn Error>;

/// What this machine or folder lacks for a row, as a sentence.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Impossible(pub(crate) &'static str);

/// The most findings kept as text; all are counted.
const MOST_FINDINGS: usize = 8;

/// The outcome of a row. Its process prints it as a line of JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) tried: u64,
    pub(crate) failed: u64,
    /// The figures seen, as text; the worst of their kind.
    pub(crate) figures: Vec<String>,
    pub(crate) findings: Vec<String>,
    /// This machine or folder lacks something, as a sentence.
    pub(crate) impossible: Option<String>,
    /// The row itself failed to run, as a sentence.
    pub(crate) broken: Option<String>,
    pub(crate) seconds: u64,
    /// The version of the project that was run, its commit, the day, and the machine.
    pub(crate) version: String,
    pub(crate) commit: String,
    pub(crate) date: String,
    pub(crate) machine: String,
}

impl Outcome {
    pub(crate) fn is_bad(&self) -> bool {
        self.failed > 0 || self.broken.is_some()
    }
}

/// The count of one row.
#[derive(Debug)]
pub(crate) struct Meter {
    begun: Instant,
    time: Duration,
    outcome: Outcome,
}

impl Meter {
    pub(crate) fn new(time: Duration) -> Meter {
        Meter {
            begun: Instant::now(),
            time,
            outcome: Outcome::default(),
        }
    }

    /// Returns the time this row has.
    pub(crate) fn time(&self) -> Duration {
        self.time
    }

    /// Starts the time again, because what was done so far was only preparation.
    pub(crate) fn restart(&mut self) {
        self.begun = Instant::now();
    }

    /// Returns a size that fits the time: this much per minute, and no more than the whole.
    pub(crate) fn size_for(&self, whole: u64, per_minute: u64) -> u64 {
        let minutes = self.time.as_secs_f64() / 60.0;
        ((per_minute as f64 * minutes) as u64).clamp(1, whole)
    }

    /// Tries something. An error or a panic is a failure, with its message.
    pub(crate) fn attempt(&mut self, what: impl FnOnce() -> Result<(), Fault>) {
        self.outcome.tried += 1;
        match catch_unwind(AssertUnwindSafe(what)) {
            Ok(Ok(())) => {}
            Ok(Err(fault)) => self.fail(fault),
            Err(panic) => self.fail(panic_text(&*panic)),
        }
    }

    /// Counts attempts made elsewhere.
    pub(crate) fn count(&mut self, tried: u64) {
        self.outcome.tried += tried;
    }

    pub(crate) fn fail(&mut self, sentence: impl Display) {
        self.outcome.failed += 1;
        if self.outcome.findings.len() < MOST_FINDINGS {
            self.outcome.findings.push(one_line(sentence));
        }
    }

    /// Adds a figure to the table.
    pub(crate) fn figure(&mut self, text: impl Display) {
        self.outcome.figures.push(one_line(text));
    }

    pub(crate) fn finish(self, ended: Result<(), Fault>) -> Outcome {
        let mut outcome = self.outcome;
        match ended {
            Ok(()) => {}
            Err(fault) if fault.is::<Impossible>() => outcome.impossible = Some(one_line(fault)),
            Err(fault) => outcome.broken = Some(one_line(fault)),
        }
        outcome
    }
}

/// Returns an error with a sentence unless a condition holds.
pub(crate) fn ensure<T: Into<Fault>>(
    holds: bool,
    sentence: impl FnOnce() -> T,
) -> Result<(), Fault> {
    if holds {
        Ok(())
    } else {
        Err(sentence().into())
    }
}

pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("panicked: {}", text.unwrap_or("without a text"))
}

/// Removes line breaks and anything else that could break a table or a terminal.
fn one_line(text: impl Display) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.to_string().chars().take(400).map(plain).collect()
}

/// Measured times, by the clock or of a processor.
#[derive(Debug, Default)]
pub(crate) struct Samples(Vec<Duration>);

impl Samples {
    pub(crate) fn add(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// Returns the time below which this many percent lie, in milliseconds.
    pub(crate) fn ms(&self, percent: usize) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let at = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
        sorted.get(at).map_or(0.0, Duration::as_secs_f64) * 1e3
    }
}

/// Returns a number with commas between its thousands.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    //! What is tried counts, whatever becomes of it.

    use super::*;

    #[test]
    fn a_panic_and_an_error_are_failures_of_one_line() {
        let mut meter = Meter::new(Duration::ZERO);
        meter.attempt(|| Ok(()));
        meter.attempt(|| Err("one\ntwo\u{1b}[2J".into()));
        meter.attempt(|| panic!("oh"));
        let outcome = meter.finish(Err(Impossible("no disk").into()));
        assert_eq!((outcome.tried, outcome.failed), (3, 2));
        assert_eq!(outcome.findings, ["one two [2J", "panicked: oh"]);
        assert_eq!(outcome.impossible.as_deref(), Some("no disk"));
        assert_eq!(outcome.broken, None);
    }

    #[test]
    fn commas_stand_between_thousands() {
        for (number, text) in [(0, "0"), (999, "999"), (1_234_567, "1,234,567")] {
            assert_eq!(thousands(number), text);
        }
    }
}
