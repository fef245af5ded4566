//! A child process behind a link: its pipes, its process group, and its end.
//!
//! Three threads serve the pipes, so that no caller ever waits for a pipe. The process has its own process group,
//! which ends with it. If this program is killed and cannot act itself, a guard kills the group: a shell that waits
//! for the end of a pipe that only this program holds. (A parent-death signal would follow the thread that started
//! the engine instead of the program, would miss the engine's own children, and needs unsafe code.)
//!
//! A process that an engine starts in a session of its own leaves the group. On Linux it is found by a variable of its
//! environment, which it has inherited, and is killed too; elsewhere, or if it has cleared its environment, it is not.

mod inbox;
#[cfg(not(unix))]
mod other;
mod outbox;
#[cfg(unix)]
mod unix;

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};

use inbox::Received;
pub(crate) use inbox::{End, Inbox, LinkRequest, Waited};
#[cfg(not(unix))]
use other as platform;
pub(crate) use outbox::Outbox;
pub use platform::wait_until_closed;
#[cfg(unix)]
use unix as platform;

use crate::option::SetOption;
use crate::text::{Line, LineReader, clean};
use platform::{Cancel, Guard, Watched};

/// How many bytes of an engine's standard error are kept: the last ones, which explain a crash.
const ERROR_TAIL: usize = 2048;

/// How to start an engine.
///
/// ```
/// use tabiya_uci::EngineCommand;
///
/// let command = EngineCommand::new("stockfish").with_option("Hash", "64");
/// assert_eq!(command.options[0].to_string(), "setoption name Hash value 64");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct EngineCommand {
    /// The program: a path, or a name to look up in PATH.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The working folder; the current folder if `None`.
    pub folder: Option<PathBuf>,
    /// Options to set before anything else.
    pub options: Vec<SetOption>,
}

crate::setters!(EngineCommand {
    /// Sets the arguments of the program.
    with_arguments(arguments: Vec<OsString>);
    /// Sets the working folder.
    with_folder(folder: impl Into<Option<PathBuf>>);
});

impl EngineCommand {
    /// Creates a command for a program without arguments or options.
    pub fn new(program: impl Into<PathBuf>) -> EngineCommand {
        EngineCommand {
            program: program.into(),
            arguments: Vec::new(),
            folder: None,
            options: Vec::new(),
        }
    }

    /// Adds an option to set before anything else.
    #[must_use]
    pub fn with_option(mut self, name: &str, value: &str) -> EngineCommand {
        self.set(name, value);
        self
    }

    /// Adds an option.
    pub fn set(&mut self, name: &str, value: &str) {
        self.options.push(SetOption {
            name: name.to_owned(),
            value: Some(value.to_owned()),
        });
    }
}

/// Returns the first executable file of that name in the folders of PATH.
///
/// Folders that are not absolute are skipped. An empty one, which one colon too many produces, would be the working
/// folder.
#[must_use]
pub fn find_program(name: &str) -> Option<PathBuf> {
    found_on_path(Path::new(name))
}

/// Returns the first executable file of that name in the folders of PATH.
fn found_on_path(name: &Path) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|path| platform::is_executable(path))
}

/// The variable by which everything is found that an engine has started.
const MARK: &str = "TABIYA_ENGINE";

/// A value of the variable that no other engine has.
fn new_mark() -> String {
    static ENGINES: AtomicU64 = AtomicU64::new(0);
    let number = ENGINES.fetch_add(1, Ordering::Relaxed);
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let nanos = time.unwrap_or_default().as_nanos();
    format!("{}-{number}-{nanos}.", std::process::id())
}

/// A running engine and its pipes. Dropping it kills it.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    inbox: Arc<Inbox>,
    outbox: Arc<Outbox>,
    errors: Arc<Mutex<Vec<u8>>>,
    guard: Option<Guard>,
    /// The value of [`MARK`] in its environment.
    mark: String,
    /// Dropping it ends the threads, even if another process holds the other end of a pipe.
    cancel: Option<Cancel>,
    threads: Vec<JoinHandle<()>>,
    status: Option<ExitStatus>,
}

impl Process {
    /// Starts an engine in a process group of its own.
    pub(crate) fn start(command: &EngineCommand) -> io::Result<Process> {
        let program = platform::located(&command.program)?;
        let mark = new_mark();
        let guard = Guard::start(&mark);
        let mut builder = std::process::Command::new(program);
        builder
            .args(&command.arguments)
            .env(MARK, &mark)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(folder) = &command.folder {
            builder.current_dir(folder);
        }
        platform::own_group(&mut builder);
        let mut child = builder.spawn()?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let mut process = Process {
            child,
            inbox: Arc::default(),
            outbox: Arc::default(),
            errors: Arc::default(),
            guard,
            mark,
            cancel: None,
            threads: Vec::new(),
            status: None,
        };
        if let Some(guard) = &mut process.guard {
            guard.watch(&process.child);
        }
        // From here on, a failure drops the process, which ends it.
        let missing = || io::Error::other("a pipe is missing");
        process.start_threads(
            stdin.ok_or_else(missing)?,
            stdout.ok_or_else(missing)?,
            stderr.ok_or_else(missing)?,
        )?;
        Ok(process)
    }

    fn start_threads(
        &mut self,
        stdin: ChildStdin,
        stdout: ChildStdout,
        stderr: ChildStderr,
    ) -> io::Result<()> {
        let (cancel, cancelled) = Cancel::new()?;
        self.cancel = Some(cancel);
        let stdout = Watched::new(stdout, cancelled.clone());
        let stderr = Watched::new(stderr, cancelled.clone());
        let inbox = Arc::clone(&self.inbox);
        self.spawn("engine-output", move || read_replies(stdout, &inbox))?;
        let errors = Arc::clone(&self.errors);
        self.spawn("engine-errors", move || read_errors(stderr, &errors))?;
        let (inbox, outbox) = (Arc::clone(&self.inbox), Arc::clone(&self.outbox));
        self.spawn("engine-input", move || {
            if outbox.write_all_to(stdin, &cancelled).is_err() {
                inbox.end(End::InputClosed);
            }
        })
    }

    fn spawn(&mut self, name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let thread = thread::Builder::new().name(name.to_owned());
        self.threads.push(thread.spawn(work)?);
        Ok(())
    }

    pub(crate) fn inbox(&self) -> &Arc<Inbox> {
        &self.inbox
    }

    pub(crate) fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns whether it has exited. Its status is not collected yet, so that the ID of its group cannot be
    /// reused.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.status.is_some() || platform::has_ended(&mut self.child)
    }

    /// Waits for its exit, but no longer than `limit`.
    pub(crate) fn wait_for_end(&mut self, limit: Duration) -> bool {
        let until = Instant::now() + limit;
        let mut pause = Duration::from_micros(200);
        loop {
            if self.has_ended() {
                return true;
            }
            let now = Instant::now();
            if now >= until {
                return false;
            }
            thread::sleep(pause.min(until - now));
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }

    /// Asks the whole group to exit.
    pub(crate) fn terminate(&mut self) {
        if self.status.is_none() {
            platform::terminate_group(&mut self.child);
        }
    }

    /// Kills the whole group, collects the status, and ends the threads. Nothing is left afterwards.
    pub(crate) fn kill(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            // The group outlives its leader if the engine has children.
            platform::kill_group(&mut self.child);
            platform::kill_marked(&self.mark);
            if let Some(guard) = self.guard.take() {
                guard.dismiss();
            }
            self.status = self.child.wait().ok();
        }
        self.outbox.close();
        self.cancel = None;
        for thread in self.threads.drain(..) {
            if platform::THREADS_CAN_BE_CANCELLED {
                // A thread that panicked has nothing left to do.
                let _ = thread.join();
            }
        }
        self.status
    }

    /// Returns the last line that it wrote to standard error, cleaned.
    pub(crate) fn last_error_line(&self) -> Option<String> {
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        errors
            .split(|&byte| byte == b'\n')
            .map(clean)
            .map(|line| line.trim().to_owned())
            .rfind(|line| !line.is_empty())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Reads an engine's output line by line, until it ends or nothing more is wanted.
fn read_replies(stdout: impl Read, inbox: &Inbox) {
    let mut lines = LineReader::new(stdout);
    loop {
        match lines.next_line() {
            Ok(Line::Whole(line)) => {
                if inbox.deliver(&line) == Received::Enough {
                    return;
                }
            }
            Ok(Line::TooLong) => return inbox.end(End::LineTooLong),
            Ok(Line::End) | Err(_) => return inbox.end(End::OutputClosed),
        }
    }
}

/// Reads an engine's standard error, and keeps the end of it.
fn read_errors(mut stderr: Watched<ChildStderr>, errors: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 4096];
    loop {
        match stderr.read(&mut chunk) {
            Ok(0) => return,
            Ok(count) => {
                let mut kept = errors.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(chunk.get(..count).unwrap_or_default());
                let excess = kept.len().saturating_sub(ERROR_TAIL);
                kept.drain(..excess);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// Returns why a program could not be started, as a sentence.
pub(crate) fn start_problem(program: &Path, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => {
            "there is no such file, or a file that it needs is missing".into()
        }
        io::ErrorKind::PermissionDenied if program.is_dir() => "it is a folder".into(),
        io::ErrorKind::PermissionDenied => "the file may not be executed".into(),
        _ if platform::is_no_program(error) => "the file is not a program".into(),
        _ => clean(error.to_string().as_bytes()),
    }
}
