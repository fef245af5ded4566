//! Where results go: stdout for what was asked, stderr for everything else.

use std::io::{self, BufWriter, StdoutLock, Write};

use serde::Serialize;
use tabiya_rules::text::clean_lines;

use crate::failure::Failure;
use crate::json;

/// The results of a command. They are written in large pieces and must be completed with [`Output::finish`].
#[derive(Debug)]
pub(crate) struct Output {
    out: BufWriter<StdoutLock<'static>>,
}

impl Output {
    pub(crate) fn new() -> Output {
        Output {
            out: BufWriter::new(io::stdout().lock()),
        }
    }

    /// Writes a line that this program made itself.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(b"\n")?;
        Ok(())
    }

    /// Writes a text that may have any number of lines.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.out.write_all(text.as_bytes())?)
    }

    /// Writes bytes that may be no text: a file's own.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        Ok(self.out.write_all(bytes)?)
    }

    /// Writes a value on a line of its own.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        Ok(writeln!(self.out, "{}", json::line(value))?)
    }

    /// Hands over what was written so far.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// Hands over everything, and says whether all of it arrived.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.flush()
    }
}

/// Says something on stderr. Nothing is left to be done where even that is closed.
pub(crate) fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{}", clean_lines(text));
}

/// Whether the terminal can only print one line after another, so that nothing can be edited on it.
pub(crate) fn is_dumb() -> bool {
    std::env::var("TERM").is_ok_and(|term| matches!(&*term, "dumb" | "emacs" | "cons25"))
}
