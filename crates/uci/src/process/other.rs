//! Processes on systems without process groups: only the engine itself is ended, and its pipes end with
//! it.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command};

/// A thread may wait for a pipe that another process holds, so it is never joined.
pub(crate) const THREADS_CAN_BE_CANCELLED: bool = false;

pub(crate) fn own_group(_: &mut Command) {}

pub(crate) fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// Returns the program unchanged: these systems do not search the working folder.
pub(crate) fn located(program: &Path) -> io::Result<PathBuf> {
    Ok(program.to_owned())
}

pub(crate) fn is_no_program(error: &io::Error) -> bool {
    // ERROR_BAD_EXE_FORMAT.
    error.raw_os_error() == Some(193)
}

pub(crate) fn has_ended(child: &mut Child) -> bool {
    // The standard library keeps the status for later calls.
    !matches!(child.try_wait(), Ok(None))
}

pub(crate) fn terminate_group(child: &mut Child) {
    kill_group(child);
}

pub(crate) fn kill_group(child: &mut Child) {
    // This fails only if the process has already exited.
    let _ = child.kill();
}

pub(crate) fn kill_marked(_: &str) {}

#[derive(Debug)]
pub(crate) struct Cancel;

#[derive(Clone, Debug)]
pub(crate) struct Cancelled;

impl Cancel {
    pub(crate) fn new() -> io::Result<(Cancel, Cancelled)> {
        Ok((Cancel, Cancelled))
    }
}

#[derive(Debug)]
pub(crate) struct Watched<T>(T);

impl<T> Watched<T> {
    pub(crate) fn new(pipe: T, _: Cancelled) -> Watched<T> {
        Watched(pipe)
    }
}

impl<T: Read> Read for Watched<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

pub(crate) fn write_some(pipe: &mut ChildStdin, bytes: &[u8], _: &Cancelled) -> io::Result<usize> {
    pipe.write(bytes)
}

/// There is no guard here: an engine whose GUI has exited sees the end of its input.
#[derive(Debug)]
pub(crate) struct Guard;

impl Guard {
    pub(crate) fn start(_: &str) -> Option<Guard> {
        None
    }

    pub(crate) fn watch(&mut self, _: &Child) {}

    pub(crate) fn dismiss(self) {}
}

/// Waits forever: here a closed pipe is noticed only when something is written to it.
///
/// # Errors
/// Never fails.
pub fn wait_until_closed<T>(_: T) -> io::Result<()> {
    loop {
        std::thread::park();
    }
}
