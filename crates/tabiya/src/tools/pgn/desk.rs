//! Where everything that comes of the files arrives, in their order: the one place that prints.

use std::io::IsTerminal;

use super::job::Piece;
use crate::failure::Failure;
use crate::output::{Output, say};
use crate::tools::progress::Progress;

/// Prints what arrives, with the progress bar out of the way.
#[derive(Debug)]
pub(crate) struct Desk<'a> {
    output: Output,
    progress: &'a Progress,
    /// Whether the bar and the results share a screen.
    shares_screen: bool,
    /// The last file that could not be used, and why.
    unusable: Option<String>,
}

impl<'a> Desk<'a> {
    pub(crate) fn new(progress: &'a Progress) -> Desk<'a> {
        Desk {
            output: Output::new(),
            progress,
            shares_screen: std::io::stdout().is_terminal(),
            unusable: None,
        }
    }

    /// Takes something in. Tallies go to whoever adds them up. Returns whether it was the end of a part.
    pub(crate) fn take<T>(
        &mut self,
        piece: Piece<T>,
        add: &mut dyn FnMut(T),
    ) -> Result<bool, Failure> {
        match piece {
            Piece::Text(text) if self.shares_screen => {
                let output = &mut self.output;
                self.progress.aside(|| {
                    output.bytes(&text)?;
                    output.flush()
                })?;
            }
            Piece::Text(text) => self.output.bytes(&text)?,
            Piece::Message(text) => self.progress.aside(|| say(&text)),
            Piece::Tally(tally) => add(tally),
            Piece::Done => return Ok(true),
        }
        Ok(false)
    }

    /// Remembers a file that could not be used, or not to its end. Reading goes on with the next.
    pub(crate) fn unusable(&mut self, sentence: String) {
        if let Some(earlier) = self.unusable.replace(sentence) {
            self.progress.aside(|| say(&format!("tabiya: {earlier}")));
        }
    }

    /// The reading is over, and the results may follow.
    pub(crate) fn close(self) -> Closed {
        Closed {
            output: self.output,
            unusable: self.unusable,
        }
    }
}

/// A desk at which nothing arrives any more.
#[derive(Debug)]
pub(crate) struct Closed {
    pub(crate) output: Output,
    unusable: Option<String>,
}

impl Closed {
    /// Whether a file could not be used.
    pub(crate) fn is_unusable(&self) -> bool {
        self.unusable.is_some()
    }

    /// Completes the output. A file that could not be used weighs more than an error in a game.
    pub(crate) fn finish(self, errors: u64) -> Result<(), Failure> {
        self.output.finish()?;
        match self.unusable {
            Some(sentence) => Err(Failure::Unusable(sentence)),
            None if errors > 0 => Err(Failure::Mismatch),
            None => Ok(()),
        }
    }
}
