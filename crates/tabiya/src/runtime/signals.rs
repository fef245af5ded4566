//! Signals: those that end or stop a program must not leave a terminal behind that cannot be used.

use std::io;
use std::sync::mpsc::SyncSender;
use std::thread;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use super::Incoming;
use crate::failure::Failure;

/// A signal that the program answers itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
            low_level::emulate_default_handler(number)?;
        }
        Ok(())
    }
}

/// Sends every signal on.
pub(super) fn watch(sender: SyncSender<Incoming>) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT, SIGWINCH])?;
    thread::spawn(move || {
        for number in &mut signals {
            let signal = match number {
                SIGTSTP => Signal::Suspend,
                SIGCONT => Signal::Continued,
                SIGWINCH => Signal::Resized,
                number => Signal::End(number),
            };
            if sender.send(Incoming::Signal(signal)).is_err() {
                return;
            }
        }
    });
    Ok(())
}

/// Stops the program until the shell lets it go on.
pub(super) fn stop() -> io::Result<()> {
    low_level::emulate_default_handler(SIGTSTP)
}
