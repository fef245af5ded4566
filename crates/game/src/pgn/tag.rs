//! The tags of one game: strict where possible, and forgiving where not.

use core::ops::ControlFlow;

use super::error::PgnErrorKind;
use super::movetext::{Parser, run_length, skip_line};
use super::scan;
use super::source::{Buffer, LOOKAHEAD, SourceFailed};
use super::text::Text;
use super::visitor::{Halt, Interrupt, ReadError, Visitor};
use super::{MAX_TAG_LENGTH, MAX_TAGS};

/// The longest tag name that ends an unclosed comment.
const PLAIN_NAME: usize = 64;

/// What is between two tags, or before a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    /// Whether it contains an empty line.
    pub(super) has_empty_line: bool,
    /// Whether only white space comes before its end on the same line.
    pub(super) ends_line: bool,
}

/// A tag at the beginning of a text. Its parts are ranges of the text.
#[derive(Debug, PartialEq, Eq)]
enum Scanned {
    Tag {
        name: (usize, usize),
        value: (usize, usize),
        length: usize,
    },
    /// Not a tag; its line has this length.
    Broken { length: usize },
    /// The text ends before the tag does.
    Open,
}

impl<V: Visitor> Parser<'_, V> {
    /// Reads tags up to the first thing that is not a tag. Returns whether moves, or anything like them, follow.
    pub(super) fn tags(&mut self) -> Result<bool, Halt<V>> {
        let mut count = 0;
        let mut is_begun = false;
        loop {
            self.quick_tags(&mut count)?;
            is_begun |= count > 0;
            let gap = skip_blank(&mut self.buffer, count > 0)?;
            if self.buffer.is_at_end() {
                return Ok(false);
            }
            let byte = self.buffer.peek(0);
            if begins_movetext(byte) {
                return Ok(true);
            }
            if byte != b'[' {
                self.foreign_line()?;
            } else if is_begun && gap.has_empty_line && self.buffer.rest().starts_with(b"[Event \"")
            {
                // The tag that every game begins with, after an empty line: the previous game has no moves.
                return Ok(false);
            } else {
                self.tag(&mut count)?;
            }
            is_begun = true;
        }
    }

    /// Skips the rest of a line that begins with something that neither tags nor moves can begin with, such as the
    /// markup of the web page that the game was copied from.
    fn foreign_line(&mut self) -> Result<(), Halt<V>> {
        let rest = &self.buffer.rest()[..self.buffer.rest().len().min(LOOKAHEAD / 2)];
        let length = run_length(rest, |byte| !matches!(byte, b'\n' | b'\r'));
        self.report_meaningless_text(length, PgnErrorKind::Unexpected);
        Ok(skip_line(&mut self.buffer)?)
    }

    /// Reads ordinary tags, one on each line.
    fn quick_tags(&mut self, count: &mut usize) -> Result<(), Halt<V>> {
        while *count < MAX_TAGS && self.buffer.at < self.buffer.limit() {
            let bytes = &self.buffer.bytes()[self.buffer.at..];
            let Some((name, value)) = quick_tag(bytes) else {
                return Ok(());
            };
            let length = name + value + 5;
            if length > MAX_TAG_LENGTH {
                return Ok(());
            }
            let next = usize::from(bytes[length] == b'\n' && bytes[length + 1] == b'[');
            self.show_tag((1, 1 + name), (name + 3, name + 3 + value))?;
            self.buffer.at += length + next;
            *count += 1;
            if next == 0 {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Reads the tag at the cursor, whatever it looks like.
    fn tag(&mut self, count: &mut usize) -> Result<(), Halt<V>> {
        let mut wanted = LOOKAHEAD;
        let scanned = loop {
            self.buffer.need(wanted)?;
            let rest = self.buffer.rest();
            let window = &rest[..rest.len().min(MAX_TAG_LENGTH)];
            let whole = self.buffer.is_complete() && window.len() == rest.len();
            let scanned = scan_tag(window, whole);
            if scanned != Scanned::Open || window.len() == MAX_TAG_LENGTH {
                break scanned;
            }
            wanted = (rest.len() * 2).min(MAX_TAG_LENGTH);
        };
        *count += 1;
        match scanned {
            Scanned::Tag {
                name,
                value,
                length,
            } => {
                if *count <= MAX_TAGS {
                    self.show_tag(name, value)?;
                } else if *count == MAX_TAGS + 1 {
                    self.report(self.buffer.at, length, PgnErrorKind::TooManyTags);
                }
                self.buffer.at += length;
            }
            Scanned::Broken { length } => {
                let rest = self.buffer.rest();
                let ends = length == rest.len() && rest.last() != Some(&b']');
                let kind = if ends {
                    PgnErrorKind::UnfinishedTag
                } else {
                    PgnErrorKind::Tag
                };
                self.report(self.buffer.at, length, kind);
                self.buffer.at += length;
            }
            Scanned::Open => {
                self.report(self.buffer.at, MAX_TAG_LENGTH, PgnErrorKind::TagTooLong);
                skip_line(&mut self.buffer)?;
            }
        }
        Ok(())
    }

    /// Shows a tag, given the ranges of its parts from the cursor.
    fn show_tag(&mut self, name: (usize, usize), value: (usize, usize)) -> Result<(), Halt<V>> {
        if self.silent {
            return Ok(());
        }
        let rest = self.buffer.rest();
        let text = Text::quoted(&rest[value.0..value.1]);
        match self.visitor.tag(&rest[name.0..name.1], text) {
            ControlFlow::Continue(()) => {}
            ControlFlow::Break(Interrupt::Error(kind)) => {
                self.report(self.buffer.at + value.0, value.1 - value.0, kind);
            }
            ControlFlow::Break(Interrupt::Stop(stop)) => return Err(ReadError::Stopped(stop)),
        }
        Ok(())
    }
}

/// Skips white space, padding, empty lines, lines that begin with `%`, and comments that belong to no game.
pub(super) fn skip_blank(buffer: &mut Buffer<'_>, after_tags: bool) -> Result<Gap, SourceFailed> {
    let mut line_ends = 0;
    let mut gap = Gap {
        has_empty_line: false,
        ends_line: buffer.offset() == 0,
    };
    let mut line_start = gap.ends_line;
    loop {
        buffer.need(LOOKAHEAD)?;
        match buffer.peek(0) {
            b'\n' | b'\r' => {
                buffer.at += if buffer.rest().starts_with(b"\r\n") {
                    2
                } else {
                    1
                };
                line_ends += 1;
                gap.has_empty_line |= line_ends > 1;
                gap.ends_line = true;
                line_start = true;
                continue;
            }
            b' ' | b'\t' | b'\x0B' | b'\x0C' => buffer.at += 1,
            // Zeros and the end-of-file character, with which old systems pad files.
            0 | b'\x1A' if !buffer.is_at_end() => buffer.at += 1,
            b'%' if line_start => {
                skip_line(buffer)?;
                line_ends = 0;
            }
            // A comment between the tags and the moves belongs to the game.
            b';' if !(after_tags && gap.has_empty_line) => {
                skip_line(buffer)?;
                line_ends = 0;
            }
            0xEF if buffer.rest().starts_with("\u{FEFF}".as_bytes()) => buffer.at += 3,
            _ => return Ok(gap),
        }
        line_start = false;
    }
}

/// Returns whether a text clearly begins with a tag: a bracket, a plain name, white space and a quote.
pub(super) fn looks_like_tag(text: &[u8]) -> bool {
    let [b'[', first, rest @ ..] = text else {
        return false;
    };
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let name = rest
        .iter()
        .take(PLAIN_NAME)
        .take_while(|byte| is_plain(byte))
        .count();
    let blank = rest[name..]
        .iter()
        .take(PLAIN_NAME)
        .take_while(|byte| is_blank(byte))
        .count();
    first.is_ascii_alphabetic() && blank > 0 && rest.get(name + blank) == Some(&b'"')
}

/// Returns the lengths of the name and the value of an ordinary tag.
#[inline(always)]
fn quick_tag(bytes: &[u8]) -> Option<(usize, usize)> {
    if bytes[0] != b'[' || !bytes[1].is_ascii_alphabetic() {
        return None;
    }
    let mut name = scan::alphanumeric_prefix(scan::load(bytes, 1));
    if name == 8 {
        name += scan::alphanumeric_prefix(scan::load(bytes, 9));
    }
    if bytes[name + 1] != b' ' || bytes[name + 2] != b'"' {
        return None;
    }
    let value = scan::short_value(bytes, name + 3)?;
    (bytes[name + value + 4] == b']').then_some((name, value))
}

/// Reads a tag. A value ends with a quote and a bracket; it may span several lines, but not include an empty line
/// or one that begins with a bracket. If that fails, the last quote and bracket of the first line end it.
fn scan_tag(text: &[u8], whole: bool) -> Scanned {
    let skip = |from: usize| {
        from + text[from..]
            .iter()
            .take_while(|byte| is_blank(byte))
            .count()
    };
    let name = skip(1);
    let is_name =
        |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'[' | b']' | b'\\');
    let name_end = name + text[name..].iter().take_while(|byte| is_name(byte)).count();
    let quote = skip(name_end);
    let Some(&opening) = text.get(quote) else {
        return fall_back(text, None, whole);
    };
    if opening != b'"' || !(1..=255).contains(&(name_end - name)) {
        return fall_back(text, None, whole);
    }
    let parts = Some(((name, name_end), quote + 1));
    let mut at = quote + 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => {
                let bracket = skip(at + 1);
                return match text.get(bracket) {
                    Some(b']') => Scanned::Tag {
                        name: (name, name_end),
                        value: (quote + 1, at),
                        length: bracket + 1,
                    },
                    None if !whole => Scanned::Open,
                    _ => fall_back(text, parts, whole),
                };
            }
            b'\\' if matches!(text.get(at + 1), Some(b'"' | b'\\')) => at += 2,
            b'\n' | b'\r' => {
                at += if text[at..].starts_with(b"\r\n") {
                    2
                } else {
                    1
                };
                if let Some(b'[' | b'\n' | b'\r') = text.get(at) {
                    return fall_back(text, parts, whole);
                }
            }
            _ => at += 1,
        }
    }
    if whole {
        fall_back(text, parts, whole)
    } else {
        Scanned::Open
    }
}

/// Reads the first line of a faulty tag, given its name and where its value begins.
fn fall_back(text: &[u8], parts: Option<((usize, usize), usize)>, whole: bool) -> Scanned {
    let end = text.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    let Some(length) = end.or(whole.then_some(text.len())) else {
        return Scanned::Open;
    };
    let value_end = text[..length]
        .trim_ascii_end()
        .strip_suffix(b"]")
        .and_then(|line| line.trim_ascii_end().strip_suffix(b"\""))
        .map(<[u8]>::len);
    match (parts, value_end) {
        (Some((name, value)), Some(value_end)) if value <= value_end => Scanned::Tag {
            name,
            value: (value, value_end),
            length,
        },
        _ => Scanned::Broken { length },
    }
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Returns whether moves can begin with this byte.
fn begins_movetext(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80 || b"{}();$*!?.,-+=~@%".contains(&byte)
}
