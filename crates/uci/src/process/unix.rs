//! Process groups, pipes whose waiting threads can be cancelled, and the guard, on Unix.

use std::fs;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid,
};

pub(crate) const THREADS_CAN_BE_CANCELLED: bool = true;

/// Waits for the first line, the ID of a group, and then for the end of the input, which comes when the program that
/// started the group is gone. A second line means that the guard is no longer needed.
const GUARD: &str = r#"
trap '' HUP INT QUIT TERM
read -r group || exit 0
read -r end && exit 0
kill -s KILL -- "-$group"
for file in /proc/[0-9]*/environ; do
    if grep -qF "$0" "$file"; then
        process=${file#/proc/}
        kill -s KILL "${process%/environ}"
    fi
done
"#;

/// Puts a program that is about to start into its own group.
pub(crate) fn own_group(command: &mut Command) {
    command.process_group(0);
}

pub(crate) fn is_executable(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// Returns the path of a program given by name. The system would also search folders of PATH that are not absolute.
pub(crate) fn located(program: &Path) -> io::Result<PathBuf> {
    if program.parent() != Some(Path::new("")) {
        return Ok(program.to_owned());
    }
    super::found_on_path(program).ok_or_else(|| rustix::io::Errno::NOENT.into())
}

/// Returns whether the system refused to execute the file because of its contents.
pub(crate) fn is_no_program(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error())
}

/// Returns whether a process has exited, without collecting its status.
pub(crate) fn has_ended(child: &mut Child) -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    match waitid(WaitId::Pid(Pid::from_child(child)), look) {
        Ok(status) => status.is_some(),
        // It is no longer a child, so it has exited.
        Err(_) => true,
    }
}

pub(crate) fn terminate_group(child: &mut Child) {
    signal(child, Signal::TERM);
}

pub(crate) fn kill_group(child: &mut Child) {
    signal(child, Signal::KILL);
}

/// Sends a signal, which fails only if no process is left.
fn signal(child: &Child, signal: Signal) {
    let _ = kill_process_group(Pid::from_child(child), signal);
}

/// Kills whatever has a mark in its environment, and what it starts meanwhile.
pub(crate) fn kill_marked(mark: &str) {
    let marked = format!("{}={mark}", super::MARK);
    // Each round leaves fewer; a process that starts others without end is left to the next program.
    for _ in 0..8 {
        if !kill_all_with(marked.as_bytes()) {
            return;
        }
    }
}

/// Kills all processes with a variable in their environment. Returns whether there were any.
fn kill_all_with(variable: &[u8]) -> bool {
    let mut found = false;
    // Without this folder, as on systems other than Linux, nothing is found.
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let name = entry.file_name();
        let id = name.to_str().and_then(|name| name.parse().ok());
        let Some(process) = id.and_then(Pid::from_raw) else {
            continue;
        };
        // The environment of other users' processes cannot be read, and that of a dead one is empty.
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        if environment
            .split(|&byte| byte == 0)
            .any(|one| one == variable)
        {
            found |= kill_process(process, Signal::KILL).is_ok();
        }
    }
    found
}

/// Held by the process. Dropping it makes threads that wait for a pipe give up.
#[derive(Debug)]
pub(crate) struct Cancel {
    _held: PipeWriter,
}

/// The other end of a [`Cancel`].
#[derive(Clone, Debug)]
pub(crate) struct Cancelled(Arc<PipeReader>);

impl Cancel {
    pub(crate) fn new() -> io::Result<(Cancel, Cancelled)> {
        let (reader, writer) = io::pipe()?;
        Ok((Cancel { _held: writer }, Cancelled(Arc::new(reader))))
    }
}

/// The result of waiting for a pipe.
#[derive(Clone, Copy, Debug)]
struct Woken {
    /// Whether the pipe can be used, or its other end is closed.
    ready: bool,
    /// Whether the pipe is to be given up.
    given_up: bool,
}

impl Cancelled {
    /// Waits until a pipe is ready or to be given up; it may be both.
    fn wait_for(&self, pipe: BorrowedFd<'_>, ready: PollFlags) -> io::Result<Woken> {
        let mut waiting = [
            PollFd::from_borrowed_fd(pipe, ready),
            PollFd::from_borrowed_fd(self.0.as_fd(), PollFlags::IN),
        ];
        loop {
            match poll(&mut waiting, None) {
                Ok(_) => {
                    return Ok(Woken {
                        ready: !waiting[0].revents().is_empty(),
                        given_up: !waiting[1].revents().is_empty(),
                    });
                }
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// How much is still read from a pipe that is given up. It may hold the last output of a dead engine, and no pipe
/// holds more by default. Another process that keeps writing is not waited for.
const LEFT_IN_PIPE: usize = 1 << 16;

/// A pipe that can be canceled: reading then drains what is left, and ends.
#[derive(Debug)]
pub(crate) struct Watched<T> {
    pipe: T,
    cancelled: Cancelled,
    /// How much may still be read after it is given up.
    left: usize,
}

impl<T> Watched<T> {
    pub(crate) fn new(pipe: T, cancelled: Cancelled) -> Watched<T> {
        Watched {
            pipe,
            cancelled,
            left: LEFT_IN_PIPE,
        }
    }
}

impl<T: Read + AsFd> Read for Watched<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let woken = self.cancelled.wait_for(self.pipe.as_fd(), PollFlags::IN)?;
        if !woken.given_up {
            return self.pipe.read(buffer);
        }
        if !woken.ready {
            return Ok(0);
        }
        let most = buffer.len().min(self.left);
        let count = self.pipe.read(buffer.get_mut(..most).unwrap_or_default())?;
        self.left -= count;
        Ok(count)
    }
}

/// Writes the first of some bytes once there is room for them.
pub(crate) fn write_some(
    pipe: &mut ChildStdin,
    bytes: &[u8],
    cancelled: &Cancelled,
) -> io::Result<usize> {
    // Only this end becomes non-blocking: the engine's end is another open file.
    rustix::io::ioctl_fionbio(&*pipe, true)?;
    loop {
        if cancelled.wait_for(pipe.as_fd(), PollFlags::OUT)?.given_up {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        match pipe.write(bytes) {
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
                ) => {}
            written => return written,
        }
    }
}

/// A shell that kills a process group when this program is gone.
#[derive(Debug)]
pub(crate) struct Guard {
    shell: Child,
}

impl Guard {
    /// Starts the guard, before there is anything to guard. Without a shell there is no guard.
    pub(crate) fn start(mark: &str) -> Option<Guard> {
        let shell = Command::new("/bin/sh")
            .args(["-c", GUARD, &format!("{}={mark}", super::MARK)])
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn();
        shell.ok().map(|shell| Guard { shell })
    }

    /// Tells the guard which group to watch.
    pub(crate) fn watch(&mut self, child: &Child) {
        self.write_line(child.id());
    }

    /// Tells the guard that the group is gone.
    pub(crate) fn dismiss(mut self) {
        self.write_line("end");
    }

    fn write_line(&mut self, text: impl std::fmt::Display) {
        if let Some(pipe) = &mut self.shell.stdin {
            // A guard that was killed reads nothing.
            let _ = writeln!(pipe, "{text}");
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.shell.stdin = None;
        let _ = self.shell.wait();
    }
}

/// Waits until the other end of a pipe is closed; forever if it is not a pipe.
///
/// # Errors
/// Fails if the system cannot watch it.
pub fn wait_until_closed(pipe: impl AsFd) -> io::Result<()> {
    let mut waiting = [PollFd::new(&pipe, PollFlags::empty())];
    loop {
        match poll(&mut waiting, None) {
            Ok(_) => return Ok(()),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
