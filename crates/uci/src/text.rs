//! The text of the protocol: lines of bounded length, words, numbers, and nothing that affects a terminal.
//!
//! Everything that enters a value goes through [`clean`], and everything that leaves one through [`OneLine`]. So no
//! value contains a control character, and no value can smuggle a second line into the protocol.

use std::fmt::{self, Write};
use std::io::{self, Read};

/// The longest line that is read, in bytes. A game of 13,000 plies fits into a `position` line.
pub const MAX_LINE: usize = 64 * 1024;

/// The most bytes of free text that a value keeps: names, strings, lines that were not understood.
pub const MAX_TEXT: usize = 4096;

/// Whether a character may be part of a value. Control characters, marks that reverse the order of letters, and
/// invisible characters may not.
pub use tabiya_rules::text::is_safe as is_plain;

/// Returns a line as text: without its line break, with tabs as spaces, and with the replacement character for
/// anything that is not UTF-8 or not [plain](is_plain).
#[must_use]
pub fn clean(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mut text = String::with_capacity(line.len());
    for chunk in line.utf8_chunks() {
        text.extend(chunk.valid().chars().map(plain));
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    text
}

fn plain(c: char) -> char {
    match c {
        '\t' => ' ',
        c if is_plain(c) => c,
        _ => char::REPLACEMENT_CHARACTER,
    }
}

/// Returns the words of a cleaned line.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|word| !word.is_empty())
}

/// Joins words with single spaces, as many as fit into [`MAX_TEXT`]. Only an overlong first word is truncated, because
/// part of a word may be a word with a meaning.
pub(crate) fn joined<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for word in words {
        if text.is_empty() {
            text.push_str(shortened(word));
        } else if text.len() + 1 + word.len() <= MAX_TEXT {
            text.push(' ');
            text.push_str(word);
        } else {
            break;
        }
    }
    text
}

/// Returns the text without surrounding spaces, truncated to [`MAX_TEXT`].
pub(crate) fn shortened(text: &str) -> &str {
    let most = MAX_TEXT.min(text.len());
    // A character has at most four bytes, so a boundary is near.
    let end = (0..=most).rev().find(|&end| text.is_char_boundary(end));
    text.get(..end.unwrap_or(0))
        .unwrap_or(text)
        .trim_matches(' ')
}

/// Writes text so that it stays one line and does not affect a terminal.
pub(crate) struct OneLine<'a>(pub(crate) &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| f.write_char(plain(c)))
    }
}

/// Reads a whole number in ASCII digits, with an optional minus sign. A number that does not fit is clamped.
pub(crate) fn number(word: &str) -> Option<i64> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word),
    };
    if digits.is_empty() {
        return None;
    }
    digits.bytes().try_fold(0_i64, |value, digit| {
        let digit = i64::from(char::from(digit).to_digit(10)?);
        let value = value.saturating_mul(10);
        Some(if negative {
            value.saturating_sub(digit)
        } else {
            value.saturating_add(digit)
        })
    })
}

/// Reads a number that is not negative and fits its type.
pub(crate) fn count<T: TryFrom<u64>>(word: &str) -> Option<T> {
    if !word.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    T::try_from(word.parse::<u64>().ok()?).ok()
}

/// What a [`LineReader`] returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// A line without its line feed.
    Whole(Vec<u8>),
    /// A line of more than [`MAX_LINE`] bytes, which are discarded.
    TooLong,
    /// The end of the input. What comes after the last line feed is not a line: half a `bestmove` must not become a
    /// move. [`LineReader::take_unfinished`] returns it.
    End,
}

/// Splits a stream of bytes into lines, with bounded memory.
///
/// ```
/// use tabiya_uci::{Line, LineReader};
///
/// let mut lines = LineReader::new(&b"uci\nquit\n"[..]);
/// let Line::Whole(first) = lines.next_line()? else { panic!("a line") };
/// assert!(first.starts_with(b"uci"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct LineReader<R> {
    source: R,
    chunk: Vec<u8>,
    used: usize,
    filled: usize,
    /// Whether the reader is in the rest of a line that was too long.
    skipping: bool,
    /// The beginning of a line whose line feed has not been read yet.
    partial: Vec<u8>,
}

impl<R: Read> LineReader<R> {
    /// Creates a reader of the lines of a source.
    pub fn new(source: R) -> LineReader<R> {
        LineReader {
            source,
            chunk: vec![0; 16 * 1024],
            used: 0,
            filled: 0,
            skipping: false,
            partial: Vec::new(),
        }
    }

    /// Takes what came after the last line feed; empty if there was nothing.
    pub fn take_unfinished(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.partial)
    }

    /// Reads the next line. It blocks only if the source's `read` blocks. A line that becomes too long is reported at
    /// once, and the rest of it is skipped when the next line is read.
    ///
    /// # Errors
    /// Fails if the source fails; an interrupted read is retried. Nothing is lost: after a temporary error, such as
    /// [`io::ErrorKind::WouldBlock`], the next call continues where this one stopped.
    pub fn next_line(&mut self) -> io::Result<Line> {
        loop {
            let rest = self.chunk.get(self.used..self.filled).unwrap_or_default();
            if rest.is_empty() {
                match self.source.read(&mut self.chunk) {
                    Ok(0) => return Ok(Line::End),
                    Ok(count) => (self.used, self.filled) = (0, count),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
                continue;
            }
            let end = rest.iter().position(|&byte| byte == b'\n');
            let piece = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            let too_long = !self.skipping && self.partial.len() + piece.len() > MAX_LINE;
            if !self.skipping && !too_long {
                self.partial.extend_from_slice(piece);
            }
            self.used += piece.len() + usize::from(end.is_some());
            let skipped = self.skipping && end.is_some();
            self.skipping = (self.skipping || too_long) && end.is_none();
            if too_long {
                self.partial.clear();
                return Ok(Line::TooLong);
            }
            if end.is_some() && !skipped {
                return Ok(Line::Whole(std::mem::take(&mut self.partial)));
            }
        }
    }
}

#[cfg(test)]
mod tests;
