//! A progress bar on stderr for long runs, if stderr is a terminal.

use std::fmt::Write;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{
    DecimalBytes, FormattedDuration, HumanCount, ProgressBar, ProgressState, ProgressStyle,
};

/// How long a run takes before the bar appears.
const PATIENCE: Duration = Duration::from_millis(700);

/// The progress of a run. Threads may share it. A bar that is dropped clears itself.
#[derive(Debug)]
pub(crate) struct Progress {
    begun: Instant,
    bar: OnceLock<ProgressBar>,
    measure: Measure,
}

/// The unit of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// A share that means nothing to a reader.
    Share,
    /// Positions that an engine analyzes.
    Positions,
    /// Bytes, with their rate.
    Bytes,
}

impl Progress {
    pub(crate) fn new(measure: Measure) -> Progress {
        Progress {
            begun: Instant::now(),
            bar: OnceLock::new(),
            measure,
        }
    }

    /// Shows how much of the work is done. The total may be unknown.
    pub(crate) fn reach(&self, done: u64, of: impl Into<Option<u64>>) {
        let (begun, of) = (self.begun.elapsed(), of.into());
        if self.bar.get().is_some() || begun >= PATIENCE {
            // The bar hides itself if stderr is not a terminal.
            let bar = self.bar.get_or_init(|| {
                let bar = of.map_or_else(ProgressBar::no_length, ProgressBar::new);
                bar.with_style(style(self.measure, of.is_some()))
                    .with_elapsed(begun)
            });
            bar.set_position(done);
        }
    }

    /// Also shows the number of games read.
    pub(crate) fn count_games(&self, games: u64) {
        if let Some(bar) = self.bar.get() {
            bar.set_message(format!("  {} games", HumanCount(games)));
        }
    }

    /// Removes the bar.
    pub(crate) fn clear(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }

    /// Prints something while the bar is out of the way.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match self.bar.get() {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

fn style(measure: Measure, ends: bool) -> ProgressStyle {
    let template = match (measure, ends) {
        (Measure::Share, _) | (Measure::Positions, true) => {
            "{wide_bar} {percent}%  {elapsed} elapsed, {left} left"
        }
        (Measure::Positions, false) => "{spinner} {human_pos} positions  {elapsed} elapsed",
        (Measure::Bytes, true) => "{wide_bar} {percent}%{msg}  {rate}/s, {left} left",
        (Measure::Bytes, false) => {
            "{spinner} {decimal_bytes} read{msg}  {rate}/s, {elapsed} elapsed"
        }
    };
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("rate", write_rate)
        .with_key("left", write_left)
}

/// Bytes per second over the whole run. The bar's own rate would count everything before the bar appeared as done in an
/// instant.
fn write_rate(state: &ProgressState, out: &mut dyn Write) {
    let rate = state.pos() as f64 / state.elapsed().as_secs_f64().max(1e-3);
    // A bar that cannot be drawn is no reason to stop.
    let _ = write!(out, "{}", DecimalBytes(rate as u64));
}

/// The remaining time at the present speed.
fn write_left(state: &ProgressState, out: &mut dyn Write) {
    let done = state.pos().max(1) as f64;
    let left = state.len().unwrap_or_default().saturating_sub(state.pos()) as f64;
    let seconds = state.elapsed().as_secs_f64() * left / done;
    let left = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    let _ = write!(out, "{}", FormattedDuration(left));
}
