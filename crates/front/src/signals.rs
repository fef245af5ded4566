//! Signals: one that ends or stops the program must not leave a terminal, a file or an engine in a bad state.

#[cfg(unix)]
mod unix;

use std::time::Duration;

#[cfg(not(unix))]
pub use none::{die_by, stop, survive_file_limit, termination, watch};
#[cfg(unix)]
pub use unix::{die_by, stop, survive_file_limit, termination, watch};

/// Signals this close together are one request: `timeout` sends one to the program and another to its process group. A
/// later one says that somebody does not want to wait.
pub const SAME_REQUEST: Duration = Duration::from_millis(500);

/// Why signals cannot be handled, as a sentence without its full stop.
pub fn unusable(error: &std::io::Error) -> String {
    format!(
        "signals cannot be watched: {}",
        tabiya_store::disk::why(error)
    )
}

/// A signal that the program handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(unix), expect(dead_code, reason = "this system sends none"))]
pub enum Signal {
    Suspend,
    Continued,
    /// The terminal has another size. The thread that reads keys reports this too, but only when it reads.
    Resized,
    /// The program is to end, by the signal of this number.
    End(i32),
}

/// Which signals to handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(unix), expect(dead_code, reason = "this system sends none"))]
pub enum Heard {
    /// Those that ask for an end.
    Ends,
    /// Also all other signals that end a program from outside, and the stop signal.
    EndsAndStop,
    /// Those that concern a terminal as well.
    All,
}

/// A system without signals: there is nothing to handle, and no shell to stop for.
#[cfg(not(unix))]
mod none {
    use std::io;
    use std::thread;

    use super::{Heard, Signal};

    pub fn watch(_: Heard, _: impl FnMut(Signal) -> bool + Send + 'static) -> io::Result<()> {
        Ok(())
    }

    pub fn termination() -> io::Result<impl FnOnce() + Send + 'static> {
        // Nobody asks, so this waits until the program ends by itself.
        Ok(|| {
            loop {
                thread::park();
            }
        })
    }

    pub fn survive_file_limit() -> io::Result<()> {
        Ok(())
    }

    pub fn stop() -> io::Result<()> {
        Ok(())
    }

    pub fn die_by(_: i32) -> io::Result<()> {
        Ok(())
    }
}
