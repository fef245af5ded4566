//! Output: stdout for results, stderr for everything else.

use std::io::{self, BufWriter, StdoutLock, Write};

use serde::Serialize;
use tabiya_rules::text::clean_lines;

use crate::failure::Failure;
use crate::json;

/// The results of a command. They are buffered and must be completed with [`Output::finish`].
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

    /// Writes a line that this program made.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(b"\n")?;
        Ok(())
    }

    /// Writes a text of any number of lines.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.out.write_all(text.as_bytes())?)
    }

    /// Writes bytes that may not be text.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        Ok(self.out.write_all(bytes)?)
    }

    /// Writes a value on its own line.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        Ok(writeln!(self.out, "{}", json::line(value))?)
    }

    /// Flushes what was written so far.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// Flushes everything, and reports whether all of it arrived.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.flush()
    }
}

/// Prints a message on stderr. If that is closed too, there is nothing left to do.
pub(crate) fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{}", clean_lines(text));
}

/// Whether the terminal can only print line after line, so that nothing can be edited on it.
pub(crate) fn is_dumb() -> bool {
    std::env::var("TERM").is_ok_and(|term| matches!(&*term, "dumb" | "emacs" | "cons25"))
}
