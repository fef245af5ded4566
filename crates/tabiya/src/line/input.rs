//! Where lines come from: a pipe, or a person at a terminal.
//!
//! Both are read by a thread of their own, so that a flag can fall while nobody types.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use super::editor::{self, Printer, Question};
use super::game::Effect;
use super::screen::Screen;
use crate::failure::Failure;

/// The longest line that is read whole; what follows in a longer one is dropped.
const LONGEST: u64 = 1 << 16;

/// What came of waiting for a line.
#[derive(Debug)]
pub(crate) enum Taken {
    Line(String),
    /// Nothing came in time.
    TooLate,
    /// There will be no more lines.
    End,
    /// Reading failed.
    Broken(io::Error),
}

/// Lines, one after the other.
#[derive(Debug)]
pub(crate) enum Input {
    Pipe {
        lines: Receiver<Taken>,
    },
    Editor {
        questions: SyncSender<Question>,
        lines: Receiver<Taken>,
        printer: Printer,
        /// Whether a question was asked that has no answer yet.
        asked: bool,
    },
}

impl Input {
    pub(crate) fn new(screen: &Screen) -> Result<Input, Failure> {
        // A player who is ahead of the game waits, so that no input can fill the memory.
        let (sender, lines) = sync_channel(1);
        if screen.wants_editor() {
            let (questions, receiver) = sync_channel(1);
            let printer = editor::start(receiver, sender)?;
            return Ok(Input::Editor {
                questions,
                lines,
                printer,
                asked: false,
            });
        }
        thread::spawn(move || {
            let mut stdin = io::stdin().lock();
            while sender.send(next_line(&mut stdin)).is_ok() {}
        });
        Ok(Input::Pipe { lines })
    }

    /// Waits for the next line, at most so long. The words to complete with are made only if they can be used.
    pub(crate) fn take(
        &mut self,
        prompt: &str,
        words: impl FnOnce() -> Vec<String>,
        patience: Option<Duration>,
    ) -> Taken {
        let lines = match self {
            Input::Pipe { lines } => lines,
            Input::Editor {
                questions,
                lines,
                asked,
                ..
            } => {
                let question = Question {
                    prompt: prompt.to_owned(),
                    words: words(),
                };
                *asked = questions.send(question).is_ok();
                lines
            }
        };
        let taken = match patience {
            None => lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(patience) => lines.recv_timeout(patience),
        };
        match taken {
            Ok(taken) => {
                self.answered();
                taken
            }
            Err(RecvTimeoutError::Timeout) => Taken::TooLate,
            Err(RecvTimeoutError::Disconnected) => Taken::End,
        }
    }

    fn answered(&mut self) {
        if let Input::Editor { asked, .. } = self {
            *asked = false;
        }
    }

    /// Lets a line editor say something above the line that is being typed, and waits until that line is given up.
    /// Returns whether it did.
    pub(crate) fn announce(&mut self, effects: &[Effect]) -> bool {
        let Input::Editor {
            lines,
            printer,
            asked: true,
            ..
        } = self
        else {
            return false;
        };
        let said: Vec<&str> = effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Say(reply) => Some(&reply.text),
                _ => None,
            })
            .flatten()
            .map(String::as_str)
            .collect();
        if said.is_empty() {
            return false;
        }
        printer.print(&format!("{}\nPress Enter to go on.", said.join("\n")));
        // Whatever was typed was meant for a game that is over. The end of the input shows itself again.
        let _ = lines.recv();
        self.answered();
        true
    }
}

/// Reads up to the end of a line, whatever bytes there are.
fn next_line(input: &mut impl BufRead) -> Taken {
    let mut line = Vec::new();
    match input.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
        Err(error) => return Taken::Broken(error),
        Ok(0) => return Taken::End,
        Ok(_) => {}
    }
    if line.last() != Some(&b'\n')
        && let Err(error) = input.skip_until(b'\n')
    {
        return Taken::Broken(error);
    }
    Taken::Line(String::from_utf8_lossy(&line).into_owned())
}

#[cfg(test)]
mod tests;
