//! A system without signals: there is nothing to handle, and no shell to stop for.

use std::io;
use std::thread;

use super::{Heard, Signal};

pub(crate) fn watch(_: Heard, _: impl FnMut(Signal) -> bool + Send + 'static) -> io::Result<()> {
    Ok(())
}

pub(crate) fn termination() -> io::Result<impl FnOnce() + Send + 'static> {
    // Nobody asks, so this waits until the program ends by itself.
    Ok(|| {
        loop {
            thread::park();
        }
    })
}

pub(crate) fn survive_file_limit() -> io::Result<()> {
    Ok(())
}

pub(crate) fn stop() -> io::Result<()> {
    Ok(())
}

pub(crate) fn die_by(_: i32) -> io::Result<()> {
    Ok(())
}
