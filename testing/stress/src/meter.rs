//! Counts what a row tried and what failed, and knows when its time is over.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::outcome::Outcome;

/// Why a row ended before it could try everything.
#[derive(Debug)]
pub(crate) enum Stop {
    /// This machine or folder lacks something, as a sentence.
    Impossible(String),
    /// The row itself failed to run, as a sentence.
    Broken(String),
}

impl Stop {
    /// Wraps an error that never occurs where a row can run at all.
    pub(crate) fn broken(error: impl std::fmt::Display) -> Stop {
        Stop::Broken(error.to_string())
    }
}

/// The count of one row.
#[derive(Debug)]
pub(crate) struct Meter {
    begun: Instant,
    time: Duration,
    outcome: Outcome,
    told: Instant,
}

impl Meter {
    pub(crate) fn new(time: Duration) -> Meter {
        let now = Instant::now();
        Meter {
            begun: now,
            time,
            outcome: Outcome::default(),
            told: now,
        }
    }

    /// Returns the time this row has.
    pub(crate) fn time(&self) -> Duration {
        self.time
    }

    /// Returns the time that is left.
    pub(crate) fn time_left(&self) -> Duration {
        self.time.saturating_sub(self.begun.elapsed())
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

    /// Returns whether there is more to do: the size is not reached, and the time is not over.
    pub(crate) fn goes_on(&mut self, size: u64) -> bool {
        self.tell();
        self.outcome.tried < size && !self.is_over()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.time_left().is_zero()
    }

    /// Tries something. An error or a panic is a failure, with its message.
    pub(crate) fn attempt(&mut self, what: impl FnOnce() -> Result<(), String>) {
        self.outcome.tried += 1;
        let problem = match catch_unwind(AssertUnwindSafe(what)) {
            Ok(Ok(())) => return,
            Ok(Err(sentence)) => sentence,
            Err(panic) => format!("panicked: {}", panic_text(&*panic)),
        };
        self.fail(problem);
    }

    /// Counts attempts made elsewhere.
    pub(crate) fn count(&mut self, tried: u64) {
        self.outcome.tried += tried;
        self.tell();
    }

    pub(crate) fn fail(&mut self, sentence: String) {
        self.outcome.failed += 1;
        self.outcome.find(sentence);
    }

    /// Adds a figure to the table.
    pub(crate) fn figure(&mut self, text: impl Into<String>) {
        self.outcome.figures.push(text.into());
    }

    pub(crate) fn finish(self, ended: Result<(), Stop>) -> Outcome {
        let mut outcome = self.outcome;
        match ended {
            Ok(()) => {}
            Err(Stop::Impossible(sentence)) => outcome.impossible = Some(sentence),
            Err(Stop::Broken(sentence)) => outcome.broken = Some(sentence),
        }
        outcome
    }

    /// Reports progress to the watching process now and then.
    fn tell(&mut self) {
        if self.told.elapsed() > Duration::from_millis(200) {
            self.told = Instant::now();
            println!("{}", self.outcome.count());
        }
    }
}

pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    let text = text.unwrap_or("without a text");
    text.chars().take(200).collect()
}
