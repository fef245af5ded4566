//! Output: stdout and files for results, stderr for everything else.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, IsTerminal, StdoutLock, Write};
use std::path::Path;

use serde::Serialize;
use tabiya_rules::text::clean_lines;
use tabiya_store::disk::{self, NewFile, SystemDisk, draft_of};

use crate::failure::Failure;
use crate::input_file::beginning;
use crate::json;

/// The results of a command. They are buffered and must be completed with [`Output::finish`].
#[derive(Debug)]
pub struct Output {
    out: BufWriter<StdoutLock<'static>>,
    /// What is not passed on before the next flush.
    held: Option<Vec<u8>>,
    pub is_terminal: bool,
}

impl Output {
    pub fn stdout() -> Output {
        Output {
            out: BufWriter::new(io::stdout().lock()),
            held: None,
            is_terminal: io::stdout().is_terminal(),
        }
    }

    /// Writes a line that this program made.
    pub fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.bytes(text.as_bytes())?;
        self.bytes(b"\n")
    }

    /// From now until the next flush, nothing reaches stdout.
    pub fn hold(&mut self) {
        self.held.get_or_insert_default();
    }

    /// Whether anything waits for a flush.
    pub fn is_holding(&self) -> bool {
        self.held.as_ref().is_some_and(|held| !held.is_empty())
    }

    /// Writes a text of any number of lines.
    pub fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.bytes(text.as_bytes())
    }

    /// Writes bytes that may not be text.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match &mut self.held {
            Some(held) => held.extend_from_slice(bytes),
            None => self.out.write_all(bytes)?,
        }
        Ok(())
    }

    /// Writes a text that comes from a file. Unlike a pipe, a terminal gets it without control characters.
    pub fn foreign(&mut self, text: &[u8]) -> Result<(), Failure> {
        match self.is_terminal {
            true => self.text(&clean_lines(&String::from_utf8_lossy(text))),
            false => self.bytes(text),
        }
    }

    /// Writes a value on its own line.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        self.line(&json::line(value))
    }

    /// Writes an answer as JSON or line by line.
    pub fn answer<L: AsRef<str>>(
        &mut self,
        json: bool,
        value: &impl Serialize,
        lines: impl IntoIterator<Item = L>,
    ) -> Result<(), Failure> {
        if json {
            return self.json(value);
        }
        let mut lines = lines.into_iter();
        lines.try_for_each(|line| self.line(line.as_ref()))
    }

    /// Flushes what was written so far.
    pub fn flush(&mut self) -> Result<(), Failure> {
        if let Some(held) = self.held.take() {
            self.out.write_all(&held)?;
        }
        Ok(self.out.flush()?)
    }

    /// Flushes everything, and reports whether all of it arrived.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.flush()
    }
}

/// Prints a text, and completes the output.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut output = Output::stdout();
    output.text(text)?;
    output.finish()
}

/// Prints an answer as JSON or line by line, and completes the output.
pub fn answer<L: AsRef<str>>(
    json: bool,
    value: &impl Serialize,
    lines: impl IntoIterator<Item = L>,
) -> Result<(), Failure> {
    let mut output = Output::stdout();
    output.answer(json, value, lines)?;
    output.finish()
}

/// A new file for results. Its errors name it.
#[derive(Debug)]
pub struct OutputFile(NewFile);

impl OutputFile {
    /// Begins a file, which must not exist yet.
    pub fn begin(path: &Path) -> Result<OutputFile, Failure> {
        let file = NewFile::begin(path);
        Ok(OutputFile(file.map_err(|error| failed(path, &error))?))
    }

    pub fn add(&mut self, text: &str) -> Result<(), Failure> {
        let added = self.0.add(text);
        added.map_err(|error| failed(self.0.path(), &error))
    }

    pub fn finish(self) -> Result<(), Failure> {
        let path = self.0.path().to_owned();
        self.0.finish().map_err(|error| failed(&path, &error))
    }
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::system(path.display(), error)
}

/// A kind of file that the program generates: a picture or a page.
#[derive(Clone, Copy, Debug)]
pub struct GeneratedKind {
    /// How such files begin.
    pub beginning: &'static str,
    /// The name of the kind, as in "there is a file that is no …".
    pub name: &'static str,
}

/// Writes a text to a file. An existing file is replaced if it is of the same kind; anything else is left alone.
pub fn write_generated(path: &Path, text: &str, kind: GeneratedKind) -> Result<(), Failure> {
    let failed = |error: io::Error| failed(path, &error);
    let written = match fs::metadata(path) {
        Ok(there) if there.is_file() => {
            if !is_of(path, kind).map_err(failed)? {
                return Err(Failure::Unusable(format!(
                    "{}: the existing file is not a {}, so it was left alone",
                    path.display(),
                    kind.name
                )));
            }
            // A link to such a file stays a link.
            fs::canonicalize(path).and_then(|target| {
                disk::replace(&SystemDisk, &target, &draft_of(&target), text.as_bytes())
            })
        }
        // Pipes and terminals are written to.
        Ok(_) => fs::write(path, text),
        Err(error) if error.kind() == ErrorKind::NotFound => NewFile::write_text(path, text),
        Err(error) => Err(error),
    };
    written.map_err(failed)
}

/// Whether a file is of a kind, or empty.
fn is_of(path: &Path, kind: GeneratedKind) -> io::Result<bool> {
    let beginning = beginning(&mut File::open(path)?, kind.beginning.len())?;
    Ok(beginning.is_empty() || beginning == kind.beginning.as_bytes())
}

/// Prints a message on stderr. If that is closed too, there is nothing left to do.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{}", clean_lines(text));
}

/// Whether the terminal can only print line after line, so that nothing can be edited on it.
pub fn is_dumb() -> bool {
    std::env::var("TERM").is_ok_and(|term| matches!(&*term, "dumb" | "emacs" | "cons25"))
}
