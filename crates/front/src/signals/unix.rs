//! Signals on Unix.

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

/// Other signals that end a program and come from outside: sent by someone, or at a limit. Signals of a fault in the
/// program itself (SIGSEGV and the like) cannot be handled; for SIGXFSZ, the write fails.
const OTHER_ENDS: [i32; 11] = [
    SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGIO, SIGABRT, SIGTRAP,
    SIGSYS,
];

/// The signals that concern a terminal.
const OF_TERMINAL: [i32; 3] = [SIGTSTP, SIGCONT, SIGWINCH];

/// All signals that end a program from outside.
fn every_end() -> impl Iterator<Item = i32> {
    ENDS.into_iter().chain(OTHER_ENDS).chain(of_this_system())
}

/// Further ones of Linux: two of its own, and the real-time signals that no C library reserves.
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

/// Calls `handle` with every signal of a kind, in a thread of its own, until it returns false.
pub fn watch(
    heard: Heard,
    mut handle: impl FnMut(Signal) -> bool + Send + 'static,
) -> io::Result<()> {
    let mut signals = match heard {
        Heard::Ends => Signals::new(ENDS)?,
        Heard::EndsAndStop => Signals::new(every_end().chain([SIGTSTP]))?,
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
            if !handle(signal) {
                return;
            }
        }
    })?;
    Ok(())
}

/// Makes a write beyond the limit on file sizes fail, as on a full disk, instead of ending the program. Programs
/// started by this one are not affected, because handlers do not survive the start.
pub fn survive_file_limit() -> io::Result<()> {
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    Ok(())
}

/// Returns a function that waits until the program is asked to end.
pub fn termination() -> io::Result<impl FnOnce() + Send + 'static> {
    let mut signals = Signals::new([SIGTERM])?;
    Ok(move || {
        signals.forever().next();
    })
}

/// Stops the program until the shell continues it.
pub fn stop() -> io::Result<()> {
    low_level::emulate_default_handler(SIGTSTP)
}

/// Ends the program as the signal would have, so that the sender sees it; or with the exit code that a shell uses.
pub fn die_by(number: i32) -> io::Result<()> {
    // This does not know all signals, and considers some harmless that are not so everywhere.
    let _ = low_level::emulate_default_handler(number);
    std::process::exit(128 + number)
}
