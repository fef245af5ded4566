//! The programs under test and other processes: built, run, watched for time and memory, and ended.

use std::env::consts::EXE_SUFFIX;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::meter::{Fault, ensure};

/// After this long, a program hangs on its input.
const FEEDING: Duration = Duration::from_secs(15 * 60);

/// The folder of the project.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The program under test, in the same folder as this one.
#[derive(Debug)]
pub(crate) struct Program(PathBuf);

impl Program {
    /// Builds the program in release mode, and the examples that measure it.
    pub(crate) fn build() -> Result<Program, Fault> {
        let words = "build --release --quiet -p tabiya -p tabiya-serve --bins --examples";
        let built = cargo().args(words.split(' ')).status()?;
        ensure(built.success(), || format!("cargo {words}: {built}"))?;
        Program::built()
    }

    /// Finds the program that was built before.
    pub(crate) fn built() -> Result<Program, Fault> {
        let path = std::env::current_exe()?.with_file_name(format!("tabiya{EXE_SUFFIX}"));
        ensure(path.is_file(), || {
            format!("the built program was expected at {}", path.display())
        })?;
        Ok(Program(path))
    }

    pub(crate) fn path(&self) -> &PathBuf {
        &self.0
    }

    /// Returns a command that runs the program with arguments, away from the user's own files.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.0);
        command
            .args(arguments)
            .env("XDG_CONFIG_HOME", "/nonexistent/tabiya-stress")
            .env("XDG_DATA_HOME", "/nonexistent/tabiya-stress");
        command
    }

    /// Returns a command that runs an example which measures the program.
    pub(crate) fn example(&self, name: &str) -> Command {
        Command::new(
            self.0
                .with_file_name("examples")
                .join(format!("{name}{EXE_SUFFIX}")),
        )
    }

    /// Runs the program on an input that is written while it is read, and watches its memory. A program that hangs
    /// is killed.
    pub(crate) fn feed(
        &self,
        arguments: &[&str],
        write: impl FnOnce(&mut ChildStdin) -> std::io::Result<()> + Send + 'static,
    ) -> Result<Fed, Fault> {
        let begun = Instant::now();
        let mut child = piped(&mut self.command(arguments)).spawn()?;
        let input = child.stdin.take();
        let writer = thread::spawn(move || {
            if let Some(mut input) = input {
                // A program may exit before it has read everything.
                let _ = write(&mut input);
            }
        });
        let (out, err) = (collect(child.stdout.take()), collect(child.stderr.take()));
        let (mut peak_kib, mut worked) = (0, None);
        let status = loop {
            peak_kib = self::peak_kib(child.id()).unwrap_or(0).max(peak_kib);
            worked = processor_time(child.id()).or(worked);
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if begun.elapsed() > FEEDING {
                // It may just have exited.
                let _ = child.kill();
            }
            thread::sleep(Duration::from_millis(5));
        };
        let took = begun.elapsed();
        let _ = writer.join();
        Ok(Fed {
            status,
            out: out.join().unwrap_or_default(),
            err: err.join().unwrap_or_default(),
            peak_kib,
            took,
            worked: worked.unwrap_or(took),
        })
    }
}

/// What is known about a program that was fed.
#[derive(Debug)]
pub(crate) struct Fed {
    pub(crate) status: ExitStatus,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) peak_kib: u64,
    pub(crate) took: Duration,
    /// Its CPU time, if the system reports it; otherwise the same.
    pub(crate) worked: Duration,
}

/// Makes pipes of all three streams of a command.
pub(crate) fn piped(command: &mut Command) -> &mut Command {
    let (input, output) = (Stdio::piped(), Stdio::piped());
    command.stdin(input).stdout(output).stderr(Stdio::piped())
}

/// Returns a Cargo command in the root of the project.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Makes the process of a command the leader of a group, so that everything it starts can be killed with it.
pub(crate) fn own_group(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    command
}

/// Sends a signal with the `kill` program that every Unix has: to a process, or to a group if `whom` begins with a dash.
pub(crate) fn signal(whom: impl std::fmt::Display, name: &str) {
    // A process that has already exited needs no signal.
    let _ = Command::new("kill")
        .args([&format!("-{name}"), "--", &whom.to_string()])
        .stderr(Stdio::null())
        .status();
}

/// Runs a command, and shows each line that it prints, to either stream. One that does not exit in time is left to the
/// process that watches this row, which kills everything that the row has started.
pub(crate) fn streamed(
    command: &mut Command,
    limit: Duration,
    line: impl FnMut(&str),
) -> Result<ExitStatus, Fault> {
    let mut child = piped(command).stdin(Stdio::null()).spawn()?;
    follow(&mut child, limit, line)
}

/// Shows the lines of a process until it exits.
pub(crate) fn follow(
    child: &mut Child,
    limit: Duration,
    mut line: impl FnMut(&str),
) -> Result<ExitStatus, Fault> {
    let (sender, lines) = channel();
    hand_on(child.stdout.take(), sender.clone());
    hand_on(child.stderr.take(), sender);
    let end = Instant::now() + limit;
    loop {
        match lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok((_, text)) => line(&text),
            Err(RecvTimeoutError::Disconnected) => return Ok(child.wait()?),
            Err(RecvTimeoutError::Timeout) => {
                return Err(format!("it did not end within {} s", limit.as_secs()).into());
            }
        }
    }
}

/// Sends the lines of a stream with their times of arrival, until nobody receives them.
pub(crate) fn hand_on(
    stream: Option<impl Read + Send + 'static>,
    lines: Sender<(Instant, String)>,
) {
    let Some(stream) = stream else { return };
    thread::spawn(move || {
        for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned();
            if lines.send((Instant::now(), line)).is_err() {
                break;
            }
        }
    });
}

/// Reads to the end, keeping only the last part of long output.
fn collect(stream: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    const KEPT: usize = 1 << 16;
    thread::spawn(move || {
        let (mut kept, mut buffer) = (Vec::new(), [0; 1 << 14]);
        let Some(mut stream) = stream else {
            return String::new();
        };
        while let Ok(count @ 1..) = stream.read(&mut buffer) {
            kept.extend_from_slice(&buffer[..count]);
            if kept.len() > 2 * KEPT {
                kept.drain(..kept.len() - KEPT);
            }
        }
        String::from_utf8_lossy(&kept).into_owned()
    })
}

/// Returns the peak memory of a process, if the system reports it.
pub(crate) fn peak_kib(process: u32) -> Option<u64> {
    status_kib(process, "VmHWM:")
}

/// Returns the current memory of a process.
pub(crate) fn resident_kib(process: u32) -> Option<u64> {
    status_kib(process, "VmRSS:")
}

fn status_kib(process: u32, field: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Returns the CPU time of a process so far, if the system reports it.
fn processor_time(process: u32) -> Option<Duration> {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name may contain anything, including a parenthesis.
    let (_, fields) = status.rsplit_once(')')?;
    let mut ticks = fields.split_whitespace().skip(11);
    let (user, system): (u64, u64) = (ticks.next()?.parse().ok()?, ticks.next()?.parse().ok()?);
    // Linux reports it in hundredths of a second, whatever its own clock is.
    Some(Duration::from_millis(10 * (user + system)))
}

/// Returns what a program prints, if it succeeds and prints anything.
pub(crate) fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    let output = command
        .args(arguments)
        .env_remove("RUSTUP_TOOLCHAIN")
        .output()
        .ok();
    let output = output.filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
