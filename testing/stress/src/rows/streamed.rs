//! A command whose lines are read as they come, and which cannot hang.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::meter::Stop;

/// Runs a command, and shows each line of its standard output and standard error. A command that does not exit in
/// time is left to the process that watches this row, which kills everything that the row has started.
pub(super) fn streamed(
    command: &mut Command,
    limit: Duration,
    mut line: impl FnMut(&str),
) -> Result<ExitStatus, Stop> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| Stop::Impossible(error.to_string()))?;
    let (sender, lines) = channel();
    hand_on(child.stdout.take(), sender.clone());
    hand_on(child.stderr.take(), sender);
    let end = Instant::now() + limit;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        match lines.recv_timeout(left) {
            Ok(text) => line(&text),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                let seconds = limit.as_secs();
                return Err(Stop::Broken(format!("it did not end within {seconds} s")));
            }
        }
    }
    child.wait().map_err(Stop::broken)
}

fn hand_on(output: Option<impl Read + Send + 'static>, lines: Sender<String>) {
    let Some(output) = output else { return };
    thread::spawn(move || {
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned();
            if lines.send(line).is_err() {
                break;
            }
        }
    });
}
