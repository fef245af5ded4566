//! The programs under test: built here, run as processes, watched for time and memory.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::meter::Stop;

/// Where things are.
#[derive(Debug)]
pub(crate) struct Programs {
    pub(crate) root: PathBuf,
    pub(crate) tabiya: PathBuf,
}

impl Programs {
    /// Builds the program in release mode, and the examples that measure it.
    pub(crate) fn build() -> Result<Programs, String> {
        let built = cargo(&root())
            .args([
                "build",
                "--release",
                "--quiet",
                "-p",
                "tabiya",
                "-p",
                "tabiya-serve",
            ])
            .args(["--bins", "--examples"])
            .status();
        if !built.is_ok_and(|status| status.success()) {
            return Err("the program could not be built with cargo build --release".to_owned());
        }
        Programs::built()
    }

    /// Finds the program that was built before.
    pub(crate) fn built() -> Result<Programs, String> {
        let root = root();
        // This program is in the same folder as the one under test.
        let here = std::env::current_exe().map_err(|error| error.to_string())?;
        let name = format!("tabiya{}", std::env::consts::EXE_SUFFIX);
        let tabiya = here.with_file_name(name);
        if !tabiya.is_file() {
            let expected = tabiya.display();
            return Err(format!("the built program was expected at {expected}"));
        }
        Ok(Programs { root, tabiya })
    }

    /// Returns a command that runs the program with arguments, away from the user's own files.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.tabiya);
        command
            .args(arguments)
            .env("XDG_CONFIG_HOME", "/nonexistent/tabiya-stress")
            .env("XDG_DATA_HOME", "/nonexistent/tabiya-stress")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Returns a command that runs an example which measures the program.
    pub(crate) fn example(&self, name: &str) -> Command {
        let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        Command::new(self.tabiya.with_file_name("examples").join(file))
    }

    /// Runs the program on an input that is written while it is read, and watches its memory. A program that hangs
    /// is killed.
    pub(crate) fn feed(
        &self,
        arguments: &[&str],
        write: impl FnOnce(&mut ChildStdin) -> std::io::Result<()> + Send + 'static,
    ) -> Result<Fed, Stop> {
        let begun = Instant::now();
        let mut child = self.command(arguments).spawn().map_err(Stop::broken)?;
        let input = child.stdin.take();
        let writer = thread::spawn(move || {
            if let Some(mut input) = input {
                // A program may exit before it has read everything.
                let _ = write(&mut input);
            }
        });
        let out = collect(child.stdout.take());
        let err = collect(child.stderr.take());
        let (mut peak, mut worked) = (0, None);
        let status = loop {
            peak = peak.max(peak_kib(child.id()).unwrap_or(0));
            worked = processor_time(child.id()).or(worked);
            match child.try_wait().map_err(Stop::broken)? {
                Some(status) => break status,
                None if begun.elapsed() > FEEDING => {
                    // It may just have exited.
                    let _ = child.kill();
                }
                None => {}
            }
            thread::sleep(Duration::from_millis(5));
        };
        let took = begun.elapsed();
        let _ = writer.join();
        Ok(Fed {
            status,
            out: out.join().unwrap_or_default(),
            err: err.join().unwrap_or_default(),
            peak_kib: peak,
            took,
            worked: worked.unwrap_or(took),
        })
    }
}

/// After this long, a program hangs on its input.
const FEEDING: Duration = Duration::from_secs(15 * 60);

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Makes the process of a command the leader of a group, so that everything it starts can be killed with it.
pub(crate) fn own_group(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        command.process_group(0);
    }
    command
}

/// Sends a signal to a process, with the `kill` program that every Unix has.
pub(crate) fn signal(process: u32, name: &str) {
    kill(&process.to_string(), name);
}

/// Sends a signal to all processes of a group.
pub(crate) fn signal_group(group: u32, name: &str) {
    kill(&format!("-{group}"), name);
}

fn kill(whom: &str, name: &str) {
    // A process that has already exited needs no signal.
    let _ = Command::new("kill")
        .args([&format!("-{name}"), "--", whom])
        .stderr(Stdio::null())
        .status();
}

/// Returns a Cargo command in the root of the project.
pub(crate) fn cargo(root: &std::path::Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
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

/// Reads to the end, keeping only the last part of long output.
fn collect(stream: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    const KEPT: usize = 1 << 16;
    thread::spawn(move || {
        let mut kept = Vec::new();
        let mut buffer = [0; 1 << 14];
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

/// Returns the CPU time of a process so far, if the system reports it.
pub(crate) fn processor_time(process: u32) -> Option<Duration> {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name may contain anything, including a parenthesis.
    let (_, fields) = status.rsplit_once(')')?;
    let mut ticks = fields.split_whitespace().skip(11);
    let (user, system): (u64, u64) = (ticks.next()?.parse().ok()?, ticks.next()?.parse().ok()?);
    // Linux reports it in hundredths of a second, whatever its own clock is.
    Some(Duration::from_millis(10 * (user + system)))
}

/// Returns the number of open descriptors of a process, if the system reports it.
pub(crate) fn descriptors(process: u32) -> Option<usize> {
    let folder = std::fs::read_dir(format!("/proc/{process}/fd")).ok()?;
    Some(folder.count())
}

fn status_kib(process: u32, field: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.split_whitespace().next()?.parse().ok()
}

/// A dialog with an engine, line by line, each with its time of arrival.
#[derive(Debug)]
pub(crate) struct Talk {
    pub(crate) child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    complaint: Option<JoinHandle<String>>,
}

impl Talk {
    pub(crate) fn start(programs: &Programs) -> Result<Talk, Stop> {
        Talk::with(programs.command(&["uci"]))
    }

    /// Starts the engine of a command, and a dialog with it.
    pub(crate) fn with(mut command: Command) -> Result<Talk, Stop> {
        command.stderr(Stdio::piped());
        let mut child = command.spawn().map_err(Stop::broken)?;
        let input = child.stdin.take();
        let output = child.stdout.take();
        let complaint = Some(collect(child.stderr.take()));
        let (sender, lines) = channel();
        thread::spawn(move || {
            let Some(output) = output else { return };
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line).into_owned();
                if sender.send((Instant::now(), line)).is_err() {
                    break;
                }
            }
        });
        Ok(Talk {
            child,
            input,
            lines,
            complaint,
        })
    }

    pub(crate) fn say(&mut self, line: &[u8]) {
        if let Some(input) = &mut self.input {
            // An engine that is gone is noticed when its output is read.
            let _ = input.write_all(&[line, b"\n"].concat());
        }
    }

    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Stops reading. The pipe is closed once the next line has come through it.
    pub(crate) fn close_output(&mut self) {
        self.lines = channel().1;
        self.say(b"isready");
    }

    /// Reads until a line begins with a word. Returns its time of arrival, and the lines up to it.
    pub(crate) fn until(
        &mut self,
        word: &str,
        limit: Duration,
    ) -> Result<(Instant, Vec<String>), String> {
        self.listen(word, limit, |line| {
            line.split_whitespace().next() == Some(word)
        })
    }

    /// Sets an option that does not exist. The engine answers with its name after everything before it; reads up
    /// to that answer.
    pub(crate) fn until_told_of(
        &mut self,
        option: &str,
        limit: Duration,
    ) -> Result<(Instant, Vec<String>), String> {
        self.say(format!("setoption name {option}").as_bytes());
        let quoted = format!("'{option}'");
        self.listen(option, limit, |line| {
            line.starts_with("info string") && line.ends_with(&quoted)
        })
    }

    /// Returns the lines up to the exit of the engine.
    pub(crate) fn rest(&mut self, limit: Duration) -> Result<Vec<String>, String> {
        let end = Instant::now() + limit;
        let mut seen = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok((_, line)) => seen.push(line),
                Err(RecvTimeoutError::Disconnected) => return Ok(seen),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("the output was still open after {limit:?}"));
                }
            }
        }
    }

    /// Reads until the expected line. Returns its time of arrival, and the lines up to it.
    fn listen(
        &mut self,
        what: &str,
        limit: Duration,
        is_it: impl Fn(&str) -> bool,
    ) -> Result<(Instant, Vec<String>), String> {
        let end = Instant::now() + limit;
        let mut seen = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok((at, line)) => {
                    let found = is_it(&line);
                    seen.push(line);
                    if found {
                        return Ok((at, seen));
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("no {what} within {limit:?}"));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(format!("the engine ended without {what}"));
                }
            }
        }
    }

    /// Returns what an engine that has exited wrote to standard error, where nothing should be.
    pub(crate) fn complaint(&mut self) -> String {
        let said = self.complaint.take().map(JoinHandle::join);
        said.and_then(Result::ok).unwrap_or_default()
    }

    /// Waits until the engine has exited.
    pub(crate) fn ended(&mut self, limit: Duration) -> Result<(Duration, ExitStatus), String> {
        let begun = Instant::now();
        while begun.elapsed() < limit {
            match self.child.try_wait() {
                Ok(Some(status)) => return Ok((begun.elapsed(), status)),
                Ok(None) => thread::sleep(Duration::from_millis(1)),
                Err(error) => return Err(error.to_string()),
            }
        }
        Err(format!("the engine still ran after {limit:?}"))
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns what a program prints, if it succeeds and prints anything.
pub(crate) fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program)
        .args(arguments)
        .env_remove("RUSTUP_TOOLCHAIN")
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
