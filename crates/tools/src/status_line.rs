//! One line on stderr that is rewritten in place while a command runs, if stderr is a terminal.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crossterm::terminal;
use tabiya_front::cells::{assumed_size, fitted};

/// How long a text stays before the next one replaces it.
const INTERVAL: Duration = Duration::from_millis(50);

/// The line. Threads may share it. It clears itself when it is dropped.
#[derive(Debug)]
pub(crate) struct StatusLine {
    is_visible: bool,
    state: Mutex<LineState>,
}

/// What is on the terminal. This alone decides how often that changes.
#[derive(Debug, Default)]
struct LineState {
    /// The text that was shown last; empty if there is none.
    text: String,
    /// Whether it is there now.
    is_shown: bool,
    written: Option<Instant>,
    is_closed: bool,
}

impl StatusLine {
    pub(crate) fn new() -> StatusLine {
        StatusLine {
            is_visible: io::stderr().is_terminal(),
            state: Mutex::default(),
        }
    }

    /// Shows a text, which is made for a number of columns, unless another was shown a moment ago.
    pub(crate) fn show(&self, text: impl FnOnce(usize) -> String) {
        if !self.is_visible {
            return;
        }
        let mut state = self.lock();
        if state.is_due() {
            let (columns, _) = assumed_size(terminal::size().unwrap_or_default());
            // The last column stays empty: some terminals begin a new line as soon as it is filled.
            let columns = columns - 1;
            state.text = fitted(&text(columns.into()), columns);
            state.write();
        }
    }

    /// Removes the text for good: threads that go on show nothing more.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.erase();
        state.text.clear();
        state.is_closed = true;
    }

    /// Prints something else while the text is out of the way.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        // No other thread may show a text in between.
        let mut state = self.lock();
        state.erase();
        let printed = print();
        // It comes back at once, so that it can be read between two results.
        if !state.text.is_empty() && state.is_due() {
            state.write();
        }
        printed
    }

    fn lock(&self) -> MutexGuard<'_, LineState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LineState {
    /// Whether the last text has been there for long enough.
    fn is_due(&self) -> bool {
        !self.is_closed && self.written.is_none_or(|at| at.elapsed() >= INTERVAL)
    }

    /// Writes the text in place of what the line shows.
    fn write(&mut self) {
        write(&format!("\r{}\x1b[K", self.text));
        (self.is_shown, self.written) = (true, Some(Instant::now()));
    }

    /// Removes the text, if it is there.
    fn erase(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            write("\r\x1b[K");
        }
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        self.close();
    }
}

fn write(text: &str) {
    // A line that cannot be shown is no reason to stop.
    let _ = io::stderr().write_all(text.as_bytes());
}
