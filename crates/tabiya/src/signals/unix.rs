//! Signals as Unix has them.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGTERM, SIGTRAP, SIGTSTP,
    SIGUSR1, SIGUSR2, SIGVTALRM, SIGWINCH, SIGXCPU, SIGXFSZ,
};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use signal_hook::low_level;
use tabiya_play::threads;

use super::{Heard, Signal};

/// The signals that ask for an end.
const ENDS: [i32; 3] = [SIGTERM, SIGHUP, SIGINT];

/// The others that end a program and come from outside of it: sent by somebody, or at a limit. Those that a fault of the
/// program raises (SIGSEGV and the like) cannot be answered; SIGXFSZ is answered by the write that failed.
const OTHER_ENDS: [i32; 10] = [
    SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO, SIGABRT, SIGTRAP,
];

/// The signals that a terminal is concerned in.
const OF_TERMINAL: [i32; 3] = [SIGTSTP, SIGCONT, SIGWINCH];

/// Tells of every signal until nobody listens any more.
pub(crate) fn watch(
    heard: Heard,
    mut tell: impl FnMut(Signal) -> bool + Send + 'static,
) -> io::Result<()> {
    let mut signals = match heard {
        Heard::Ends => Signals::new(ENDS)?,
        Heard::EveryEnd => Signals::new(ENDS.into_iter().chain(OTHER_ENDS))?,
        Heard::All => Signals::new(ENDS.into_iter().chain(OTHER_ENDS).chain(OF_TERMINAL))?,
    };
    threads::spawn(move || {
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
    })?;
    Ok(())
}

/// Lets a write beyond the limit on the size of files fail, as on a full disk, instead of ending the program. Programs that
/// this one starts are not concerned: a handler does not outlive the start.
pub(crate) fn survive_file_limit() -> io::Result<()> {
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
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
