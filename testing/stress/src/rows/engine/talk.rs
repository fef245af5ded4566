//! A dialog with an engine, line by line, each with its time of arrival.

use std::io::{Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::meter::Fault;
use crate::process::{Program, hand_on, piped};

/// After this long, the engine hangs.
const HANG: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub(super) struct Talk {
    pub(super) child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
}

impl Talk {
    pub(super) fn start(program: &Program) -> Result<Talk, Fault> {
        Talk::with(&mut program.command(&["uci"]))
    }

    /// Starts the engine of a command, and a dialog with it.
    pub(super) fn with(command: &mut Command) -> Result<Talk, Fault> {
        let mut child = piped(command).spawn()?;
        let (sender, lines) = channel();
        hand_on(child.stdout.take(), sender);
        Ok(Talk {
            input: child.stdin.take(),
            child,
            lines,
        })
    }

    pub(super) fn say(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            // An engine that is gone is noticed when its output is read.
            let _ = input.write_all(format!("{line}\n").as_bytes());
        }
    }

    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// Stops reading, and says something that is answered. The pipe is closed once the next line has come through it.
    pub(super) fn close_output(&mut self, line: &str) {
        self.lines = channel().1;
        self.say("isready");
        self.say(line);
    }

    /// Says something, and returns how long the line took that begins with the word of its answer.
    pub(super) fn time(&mut self, line: &str, word: &str) -> Result<Duration, Fault> {
        let begun = Instant::now();
        self.say(line);
        Ok(self.until(word)?.0.saturating_duration_since(begun))
    }

    /// Reads until a line begins with a word. Returns its time of arrival, and the lines up to it.
    pub(super) fn until(&mut self, word: &str) -> Result<(Instant, Vec<String>), Fault> {
        let end = Instant::now() + HANG;
        let mut seen = Vec::new();
        loop {
            match self
                .lines
                .recv_timeout(end.saturating_duration_since(Instant::now()))
            {
                Ok((at, line)) => {
                    let found = line.split_whitespace().next() == Some(word);
                    seen.push(line);
                    if found {
                        return Ok((at, seen));
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("no {word} within {HANG:?}").into());
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(format!("the engine ended without {word}").into());
                }
            }
        }
    }

    /// Waits until the engine has exited. Returns how long that took, and what it wrote to standard error, where nothing
    /// should be.
    pub(super) fn end(&mut self) -> Result<(Duration, ExitStatus, String), Fault> {
        let begun = Instant::now();
        while begun.elapsed() < HANG {
            if let Some(status) = self.child.try_wait()? {
                let (took, mut complaint) = (begun.elapsed(), String::new());
                if let Some(mut stream) = self.child.stderr.take() {
                    stream.read_to_string(&mut complaint)?;
                }
                return Ok((took, status, complaint));
            }
            thread::sleep(Duration::from_millis(1));
        }
        Err(format!("the engine still ran after {HANG:?}").into())
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        // It may have exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
