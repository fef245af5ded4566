//! Signals as Unix has them.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP,
    SIGTSTP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGWINCH, SIGXCPU, SIGXFSZ,
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
const OTHER_ENDS: [i32; 11] = [
    SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO, SIGABRT, SIGTRAP,
    SIGSYS,
];

/// The signals that a terminal is concerned in.
const OF_TERMINAL: [i32; 3] = [SIGTSTP, SIGCONT, SIGWINCH];

/// All signals that end a program from outside.
fn every_end() -> impl Iterator<Item = i32> {
    ENDS.into_iter().chain(OTHER_ENDS).chain(of_this_system())
}

/// Those that Linux has besides: two of its own, and the real-time signals that no C library keeps for itself.
#[cfg(target_os = "linux")]
fn of_this_system() -> impl Iterator<Item = i32> {
    use rustix::process::Signal;
    let own = [Signal::POWER, Signal::STKFLT].map(Signal::as_raw);
    own.into_iter().chain(35..=64)
}

#[cfg(not(target_os = "linux"))]
fn of_this_system() -> impl Iterator<Item = i32> {
    std::iter::empty()
}

/// Reports every signal until the receiver is gone.
pub(crate) fn watch(
    heard: Heard,
    mut tell: impl FnMut(Signal) -> bool + Send + 'static,
) -> io::Result<()> {
    let mut signals = match heard {
        Heard::Ends => Signals::new(ENDS)?,
        Heard::EveryEnd => Signals::new(every_end())?,
        Heard::All => Signals::new(every_end().chain(OF_TERMINAL))?,
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

/// Stops the program until the shell continues it.
pub(crate) fn stop() -> io::Result<()> {
    low_level::emulate_default_handler(SIGTSTP)
}

/// Ends the program as the signal would have ended it, so that the sender sees that; or with the exit code that a shell
/// has for it.
pub(crate) fn die_by(number: i32) -> io::Result<()> {
    // This knows not all signals, and takes some for harmless that are not so everywhere.
    let _ = low_level::emulate_default_handler(number);
    std::process::exit(128 + number)
}
