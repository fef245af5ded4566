//! Signals as Unix has them.

use std::io;
use std::thread;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use super::{Heard, Signal};

/// Tells of every signal until nobody listens any more.
pub(crate) fn watch(
    heard: Heard,
    mut tell: impl FnMut(Signal) -> bool + Send + 'static,
) -> io::Result<()> {
    let ends = [SIGTERM, SIGHUP, SIGINT];
    let mut signals = match heard {
        Heard::Ends => Signals::new(ends)?,
        Heard::All => Signals::new([SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT, SIGWINCH])?,
    };
    thread::spawn(move || {
        for number in &mut signals {
            let signal = match number {
                SIGTSTP => Signal::Suspend,
                SIGCONT => Signal::Continued,
                SIGWINCH => Signal::Resized,
                number => Signal::End(number),
            };
            if !tell(signal) {
                return;
            }
        }
    });
    Ok(())
}

/// Something that waits until the program is asked to end.
pub(crate) fn termination() -> io::Result<impl FnOnce() + Send + 'static> {
    let mut signals = Signals::new([SIGTERM])?;
    Ok(move || {
        signals.forever().next();
    })
}

/// Stops the program until the shell lets it go on.
pub(crate) fn stop() -> io::Result<()> {
    low_level::emulate_default_handler(SIGTSTP)
}

/// Ends the program as the signal would have ended it, so that whoever sent it sees that.
pub(crate) fn die_by(number: i32) -> io::Result<()> {
    low_level::emulate_default_handler(number)
}
