//! Signals: those that end or stop a program must not leave a terminal behind that cannot be used.

#[cfg_attr(unix, path = "signals/unix.rs")]
#[cfg_attr(not(unix), path = "signals/none.rs")]
mod system;

use crate::failure::Failure;

pub(super) use system::{stop, watch};

/// A signal that the program answers itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(unix), expect(dead_code, reason = "this system sends none"))]
pub(super) enum Signal {
    Suspend,
    Continued,
    /// The terminal has another size. The reader of keys tells so too, but only once it reads.
    Resized,
    /// The program is to end, by the signal of this number.
    End(i32),
}

impl Signal {
    /// Ends the program as the signal would have ended it, so that whoever sent it sees that.
    pub(super) fn die(self) -> Result<(), Failure> {
        if let Signal::End(number) = self {
            system::die_by(number)?;
        }
        Ok(())
    }
}
