//! The progress of long runs, on a line of stderr: a bar if the end is known, otherwise what is done so far.

#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use tabiya_game::clock_text;

use super::status_line::StatusLine;

/// How long a run takes before its progress is shown.
const PATIENCE: Duration = Duration::from_millis(700);

/// The progress of a run. Threads may share it. When it is dropped, its line is cleared.
#[derive(Debug)]
pub(crate) struct Progress {
    begun: Instant,
    line: StatusLine,
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
            line: StatusLine::new(),
            measure,
        }
    }

    /// Shows how much of the work is done. The total may be unknown.
    pub(crate) fn reach(&self, done: u64, of: impl Into<Option<u64>>) {
        self.reach_games(done, of.into(), None);
    }

    /// Like [`Progress::reach`], with the number of games read, if it is known.
    pub(crate) fn reach_games(&self, done: u64, of: Option<u64>, games: Option<u64>) {
        let elapsed = self.begun.elapsed();
        if elapsed >= PATIENCE {
            let snapshot = Snapshot {
                measure: self.measure,
                done,
                of,
                games,
                elapsed,
            };
            self.line.show(|columns| snapshot.text(columns));
        }
    }

    /// Removes the line for good.
    pub(crate) fn close(&self) {
        self.line.close();
    }

    /// Prints something while the line is out of the way.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.line.aside(print)
    }
}

/// How far a run is at one moment.
struct Snapshot {
    measure: Measure,
    done: u64,
    of: Option<u64>,
    games: Option<u64>,
    elapsed: Duration,
}

impl Snapshot {
    /// The line, with a bar as wide as the columns allow.
    fn text(&self, columns: usize) -> String {
        let elapsed = clock(self.elapsed);
        let rate = bytes(self.done as f64 / self.elapsed.as_secs_f64().max(1e-3));
        let games = self
            .games
            .map(|games| format!("  {} games", grouped(games)));
        let games = games.unwrap_or_default();
        let spinner = spinner(self.elapsed);
        match (self.measure, self.of) {
            (Measure::Share | Measure::Positions, Some(of)) => {
                let left = clock(self.left(of));
                self.bar(of, &format!("  {elapsed} elapsed, {left} left"), columns)
            }
            (Measure::Bytes, Some(of)) => {
                let left = clock(self.left(of));
                self.bar(of, &format!("{games}  {rate}/s, {left} left"), columns)
            }
            (Measure::Share, None) => format!("{spinner} {elapsed} elapsed"),
            (Measure::Positions, None) => {
                let done = grouped(self.done);
                format!("{spinner} {done} positions  {elapsed} elapsed")
            }
            (Measure::Bytes, None) => {
                let done = bytes(self.done as f64);
                format!("{spinner} {done} read{games}  {rate}/s, {elapsed} elapsed")
            }
        }
    }

    /// The share that is done, as a bar and in percent, and what follows it.
    fn bar(&self, of: u64, rest: &str, columns: usize) -> String {
        let share = (self.done as f64 / of.max(1) as f64).min(1.0);
        let rest = format!(" {:.0}%{rest}", (100.0 * share).floor());
        let width = columns.saturating_sub(rest.len());
        let full = (share * width as f64) as usize;
        format!("{}{}{rest}", "█".repeat(full), "░".repeat(width - full))
    }

    /// The remaining time at the present speed.
    fn left(&self, of: u64) -> Duration {
        let left = of.saturating_sub(self.done) as f64 / self.done.max(1) as f64;
        Duration::try_from_secs_f64(self.elapsed.as_secs_f64() * left).unwrap_or(Duration::MAX)
    }
}

/// A sign of life: a stroke that turns with the time.
pub(crate) fn spinner(elapsed: Duration) -> char {
    match elapsed.as_millis() / 200 % 4 {
        0 => '|',
        1 => '/',
        2 => '-',
        _ => '\\',
    }
}

/// Whole seconds as `h:mm:ss`.
fn clock(time: Duration) -> String {
    clock_text(Duration::from_secs(time.as_secs())).to_string()
}

/// A number with commas, such as `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes in the unit that fits it, such as `12.3 MB`.
fn bytes(number: f64) -> String {
    let (unit, name) = match number {
        1e9.. => (1e9, "GB"),
        1e6.. => (1e6, "MB"),
        1e3.. => (1e3, "kB"),
        _ => return format!("{number:.0} B"),
    };
    format!("{:.1} {name}", number / unit)
}
