//! One line on stderr that is rewritten in place while a command runs, if stderr is a terminal.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a text stays before the next one replaces it.
const INTERVAL: Duration = Duration::from_millis(50);

/// The line. Threads may share it. It clears itself when it is dropped.
#[derive(Debug)]
pub(crate) struct StatusLine {
    is_visible: bool,
    /// When the text on the terminal was written, if there is one.
    written: Mutex<Option<Instant>>,
}

impl StatusLine {
    pub(crate) fn new() -> StatusLine {
        StatusLine {
            is_visible: io::stderr().is_terminal(),
            written: Mutex::new(None),
        }
    }

    /// Shows a text, which is made for a number of columns, unless another was shown a moment ago.
    pub(crate) fn show(&self, text: impl FnOnce(usize) -> String) {
        if !self.is_visible {
            return;
        }
        let mut written = self.lock();
        if written.is_none_or(|at| at.elapsed() >= INTERVAL) {
            let columns = crossterm::terminal::size().map_or(80, |(columns, _)| columns);
            // The last column stays empty: some terminals begin a new line as soon as it is filled.
            let columns = usize::from(columns).saturating_sub(1);
            let text: String = text(columns).chars().take(columns).collect();
            write(&format!("\r{text}\x1b[K"));
            *written = Some(Instant::now());
        }
    }

    /// Removes the text.
    pub(crate) fn clear(&self) {
        erase(&mut self.lock());
    }

    /// Prints something else while the text is out of the way.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        // No other thread may show a text in between.
        let mut written = self.lock();
        erase(&mut written);
        print()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Instant>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        self.clear();
    }
}

fn erase(written: &mut Option<Instant>) {
    if written.take().is_some() {
        write("\r\x1b[K");
    }
}

fn write(text: &str) {
    // A line that cannot be shown is no reason to stop.
    let _ = io::stderr().write_all(text.as_bytes());
}
