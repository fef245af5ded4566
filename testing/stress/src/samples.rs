//! Measured times and their summary.

use std::time::Duration;

#[derive(Debug, Default)]
pub(crate) struct Samples(Vec<Duration>);

impl Samples {
    pub(crate) fn add(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// Returns the time below which this many percent lie.
    pub(crate) fn percentile(&self, percent: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let at = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
        sorted.get(at).copied().unwrap_or_default()
    }

    pub(crate) fn worst(&self) -> Duration {
        self.percentile(100)
    }

    /// Returns the 99th percentile and the maximum as text.
    pub(crate) fn words(&self, what: &str) -> String {
        format!(
            "{what} p99 {:.1} ms, max {:.1} ms",
            self.percentile(99).as_secs_f64() * 1e3,
            self.worst().as_secs_f64() * 1e3
        )
    }
}
