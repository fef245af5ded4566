//! The reports of thinking engines: the latest of each kind waits here until a frame is due.
//!
//! An engine may print more than anyone can read. Its reports bypass the queue of keys and clicks, so that these never
//! wait behind them, and the program sleeps between two frames however much is printed.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tabiya_play::opponents::Seat;
use tabiya_uci::{Bound, SearchInfo};

/// The greatest number kept. Three lines for each of three seats, in their kinds, are far fewer.
const MAX_REPORTS: usize = 64;

/// A report, and its search.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Report {
    pub(super) seat: Seat,
    pub(super) number: u64,
    pub(super) info: SearchInfo,
}

impl Report {
    /// Reports of the same kind replace each other. One without a score does not replace one with a score.
    fn kind(&self) -> (Seat, u32, Option<Bound>, bool) {
        let info = &self.info.info;
        (
            self.seat,
            info.multi_pv.unwrap_or(1),
            info.score.map(|score| score.bound),
            self.info.pv.is_empty(),
        )
    }
}

/// The unread reports, in the order of their last change.
#[derive(Debug, Default)]
pub(super) struct Reports {
    latest: Mutex<Vec<Report>>,
}

impl Reports {
    /// Adds a report. Returns whether it is the first, so that the receiver has to be woken.
    pub(super) fn put(&self, report: Report) -> bool {
        let mut latest = self.latest();
        let is_first = latest.is_empty();
        latest.retain(|known| known.kind() != report.kind());
        if latest.len() < MAX_REPORTS {
            latest.push(report);
        }
        is_first
    }

    /// Takes all of them.
    pub(super) fn take(&self) -> Vec<Report> {
        std::mem::take(&mut *self.latest())
    }

    /// The reports, whatever has happened to the thread that had them last.
    fn latest(&self) -> MutexGuard<'_, Vec<Report>> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
