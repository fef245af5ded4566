//! Wraps words into lines. The last word is held back until it is known what follows it without a
//! space.

use core::fmt::{self, Write};
use core::mem;

use super::writer::Format;

/// Lines in export format have fewer columns than this.
const COLUMNS: usize = 80;

/// Writes words with single spaces or line breaks between them.
pub(super) struct Words<'w, W> {
    out: &'w mut W,
    format: Format,
    /// The last word, which is not written yet.
    held: String,
    /// Parentheses to put before the next word.
    opening: String,
    column: usize,
}

impl<'w, W: Write> Words<'w, W> {
    pub(super) fn new(out: &'w mut W, format: Format) -> Words<'w, W> {
        Words {
            out,
            format,
            held: String::new(),
            opening: String::new(),
            column: 0,
        }
    }

    /// Adds a word, which contains no line break.
    pub(super) fn word(&mut self, word: &str) -> fmt::Result {
        self.flush()?;
        mem::swap(&mut self.held, &mut self.opening);
        self.held.push_str(word);
        Ok(())
    }

    /// Adds a word that must stay on the line of the previous one.
    pub(super) fn join(&mut self, word: &str) {
        self.held.push(' ');
        self.held.push_str(word);
    }

    /// Adds a character to the last word.
    pub(super) fn append(&mut self, c: char) {
        self.held.push(c);
    }

    /// Puts an opening parenthesis before the next word.
    pub(super) fn open(&mut self) {
        self.opening.push('(');
    }

    /// Puts a closing parenthesis after the last word.
    pub(super) fn close(&mut self) {
        self.held.push(')');
    }

    /// Writes what is held back and ends the line.
    pub(super) fn finish(mut self) -> fmt::Result {
        self.flush()?;
        self.out.write_char('\n')
    }

    /// Writes the held word, on a new line if it does not fit.
    fn flush(&mut self) -> fmt::Result {
        if self.held.is_empty() {
            return Ok(());
        }
        let width = self.held.chars().count();
        if self.column > 0 {
            let breaks = self.format == Format::Export && self.column + 1 + width >= COLUMNS;
            self.out.write_char(if breaks { '\n' } else { ' ' })?;
            self.column = if breaks { 0 } else { self.column + 1 };
        }
        self.out.write_str(&self.held)?;
        self.column += width;
        self.held.clear();
        Ok(())
    }
}
