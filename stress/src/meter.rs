//! Counts what a row tried and what failed, and knows when its time is over.

use std::io::IsTerminal;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The most findings that are kept in words; all are counted.
const MOST_FINDINGS: usize = 8;

/// Why a row ended before it could try anything.
#[derive(Debug)]
pub(crate) enum Stop {
    /// This machine or folder lacks something, in a sentence.
    Impossible(String),
    /// The row itself came to grief, in a sentence.
    Broken(String),
}

/// What a row came to.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) tried: u64,
    pub(crate) failed: u64,
    /// The worst figure seen, in words.
    pub(crate) worst: String,
    pub(crate) findings: Vec<String>,
    pub(crate) impossible: Option<String>,
    pub(crate) broken: Option<String>,
    pub(crate) took: Duration,
}

/// The count of one row.
#[derive(Debug)]
pub(crate) struct Meter {
    row: &'static str,
    begun: Instant,
    time: Duration,
    tried: u64,
    failed: u64,
    figures: Vec<String>,
    findings: Vec<String>,
    shown: Instant,
    is_terminal: bool,
}

impl Meter {
    pub(crate) fn new(row: &'static str, time: Duration) -> Meter {
        let now = Instant::now();
        Meter {
            row,
            begun: now,
            time,
            tried: 0,
            failed: 0,
            figures: Vec::new(),
            findings: Vec::new(),
            shown: now,
            is_terminal: std::io::stderr().is_terminal(),
        }
    }

    /// The time this row has.
    pub(crate) fn time(&self) -> Duration {
        self.time
    }

    /// Whether there is more to do: the size is not reached and the time is not over.
    pub(crate) fn goes_on(&mut self, size: u64) -> bool {
        let part = self.begun.elapsed().as_secs_f64() / self.time.as_secs_f64();
        self.show(part.max(self.tried as f64 / size as f64));
        self.tried < size && part < 1.0
    }

    /// Tries something; an error or a panic is a failure, with its sentence.
    pub(crate) fn attempt(&mut self, what: impl FnOnce() -> Result<(), String>) {
        self.tried += 1;
        let problem = match catch_unwind(AssertUnwindSafe(what)) {
            Ok(Ok(())) => return,
            Ok(Err(sentence)) => sentence,
            Err(panic) => format!("panicked: {}", panic_text(&*panic)),
        };
        self.fail(problem);
    }

    /// Counts what was tried elsewhere.
    pub(crate) fn count(&mut self, tried: u64, failed: u64) {
        self.tried += tried;
        self.failed += failed;
    }

    pub(crate) fn fail(&mut self, sentence: String) {
        self.failed += 1;
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push(sentence);
        }
    }

    /// A figure for the table.
    pub(crate) fn figure(&mut self, text: String) {
        self.figures.push(text);
    }

    pub(crate) fn finish(self, ended: Result<(), Stop>, took: Duration) -> Outcome {
        if self.is_terminal {
            eprint!("\r\x1b[K");
        }
        let (impossible, broken) = match ended {
            Ok(()) => (None, None),
            Err(Stop::Impossible(sentence)) => (Some(sentence), None),
            Err(Stop::Broken(sentence)) => (None, Some(sentence)),
        };
        Outcome {
            tried: self.tried,
            failed: self.failed,
            worst: self.figures.join(", "),
            findings: self.findings,
            impossible,
            broken,
            took,
        }
    }

    fn show(&mut self, part: f64) {
        if !self.is_terminal || self.shown.elapsed() < Duration::from_millis(200) {
            return;
        }
        self.shown = Instant::now();
        let filled = (part.clamp(0.0, 1.0) * 30.0) as usize;
        eprint!(
            "\r\x1b[K{:4} [{:30}] {} tried, {} failed, {} s",
            self.row,
            "#".repeat(filled),
            self.tried,
            self.failed,
            self.begun.elapsed().as_secs()
        );
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    let text = text.unwrap_or("without a text");
    text.chars().take(200).collect()
}
