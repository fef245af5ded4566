//! Signals as Unix has them.

use std::io;
use std::sync::mpsc::SyncSender;
use std::thread;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use super::Signal;
use crate::runtime::Incoming;

/// Sends every signal on.
pub(in crate::runtime) fn watch(sender: SyncSender<Incoming>) -> io::Result<()> {
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
pub(in crate::runtime) fn stop() -> io::Result<()> {
    low_level::emulate_default_handler(SIGTSTP)
}

pub(super) fn die_by(number: i32) -> io::Result<()> {
    low_level::emulate_default_handler(number)
}
