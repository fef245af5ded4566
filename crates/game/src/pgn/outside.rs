//! What is outside of games: headings, ornaments, comments and padding, up to where the next game begins.
//!
//! A game has a tag, a move or a result, so the text before the first of these is examined without being consumed. A
//! line that begins with a word of prose is a heading: in it, only `1. e4` and a tag begin a game.

use memchr::{memchr2, memchr3};

use super::MAX_COMMENT_LENGTH;
use super::comments::game_follows;
use super::movetext::{RUN, digits, junk_run, separator, skip_line};
use super::pasted::Spelled;
use super::shape;
use super::source::{Buffer, LOOKAHEAD, SourceFailed};
use super::tag::{looks_like_tag, skip_blank};
use super::text::Text;
use super::visitor::Visitor;

/// The longest look-ahead. Anything longer counts as a game.
const MAX_LOOKAHEAD: usize = MAX_COMMENT_LENGTH + (1 << 16);

/// The most bytes of a heading that are examined.
const MAX_HEADING_LENGTH: usize = 1 << 12;

/// Moves the cursor to where the next game begins. Returns whether there is one.
pub(super) fn find_game<V: Visitor>(
    buffer: &mut Buffer<'_>,
    visitor: &mut V,
) -> Result<bool, SourceFailed> {
    let mut is_line_start = buffer.offset() == 0;
    loop {
        let before = buffer.offset();
        buffer.need(LOOKAHEAD)?;
        let gap = skip_blank(buffer, false)?;
        if buffer.is_at_end() {
            return Ok(false);
        }
        is_line_start |= gap.ends_line || before == 0;
        if buffer.peek(0) == b'[' {
            buffer.need(2 * LOOKAHEAD)?;
            if begins_tags(buffer.rest(), is_line_start) {
                return Ok(true);
            }
        }
        let mut ahead = LookAhead {
            buffer: &mut *buffer,
            at: 0,
            heading: None,
            is_line_start,
            line_start: 0,
            begins_with_one: false,
            one: None,
            is_mere_number: false,
        };
        let found = ahead.find_game()?;
        let (at, heading) = (ahead.at, ahead.heading);
        if let Some(begin) = heading {
            let end = match found {
                Found::Game(game) => game,
                Found::Nothing | Found::LongLine => at,
            };
            let start = buffer.at + begin;
            let place = buffer.place(start);
            let text = &buffer.rest()[begin..end.clamp(begin, begin + RUN)];
            let end = memchr2(b'\n', b'\r', text).unwrap_or(text.len());
            visitor.stray_text(place, Text::comment(text[..end].trim_ascii()));
        }
        match found {
            Found::Game(begin) => {
                buffer.at += begin;
                return Ok(true);
            }
            Found::Nothing => buffer.at += at,
            Found::LongLine => {
                buffer.at += at;
                skip_line(buffer)?;
            }
        }
        is_line_start = false;
    }
}

/// The result of looking ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    /// A game that begins this many bytes after the cursor.
    Game(usize),
    /// No game in the text examined.
    Nothing,
    /// No game in the beginning of a very long line.
    LongLine,
}

/// Looks ahead from the cursor, token by token.
struct LookAhead<'a, 'b> {
    buffer: &'a mut Buffer<'b>,
    /// How far it has read.
    at: usize,
    /// Where the heading begins, if the current line is one.
    heading: Option<usize>,
    /// Whether it is at the beginning of a line, apart from white space.
    is_line_start: bool,
    /// Where the current line begins, apart from white space.
    line_start: usize,
    /// Whether the current line begins with `1.`.
    begins_with_one: bool,
    /// Where the last token begins, if it is the move number 1.
    one: Option<usize>,
    /// Whether there was only the number of a first move: a game whose moves are missing.
    is_mere_number: bool,
}

impl LookAhead<'_, '_> {
    /// Looks ahead until it is clear whether a game begins.
    fn find_game(&mut self) -> Result<Found, SourceFailed> {
        loop {
            if self.at > MAX_LOOKAHEAD {
                return Ok(Found::Game(0));
            }
            if let Some(begin) = self.heading
                && self.at - begin > MAX_HEADING_LENGTH
            {
                return Ok(Found::LongLine);
            }
            self.buffer.need(self.at + 2 * LOOKAHEAD)?;
            let text = &self.buffer.rest()[self.at..];
            let Some(&first) = text.first() else {
                return Ok(self.at_end());
            };
            let at_line_start = core::mem::replace(&mut self.is_line_start, false);
            if at_line_start {
                self.line_start = self.at;
            }
            match first {
                b'\n' | b'\r' if self.heading.is_some() => return Ok(Found::Nothing),
                b'\n' | b'\r' => {
                    self.at += 1;
                    self.is_line_start = true;
                    self.begins_with_one = false;
                }
                b' ' | b'\t' | b'\x0B' | b'\x0C' | 0 | b'\x1A' => {
                    self.at += 1;
                    self.is_line_start = at_line_start;
                }
                b'[' if begins_tags(text, at_line_start) => {
                    return Ok(match self.at_end() {
                        Found::Nothing => Found::Game(self.at),
                        found => found,
                    });
                }
                b'%' if at_line_start => self.skip_line()?,
                b';' => self.skip_line()?,
                b'{' if self.heading.is_none() => match comment_end(self.buffer, self.at)? {
                    Some(end) => self.at = end,
                    None => return Ok(Found::Game(0)),
                },
                b'{' | b'(' | b')' | b'}' | b'.' | b',' | b'$' => self.at += 1,
                b'0'..=b'9' | b'*' => {
                    if let Some(game) = self.number_or_result(at_line_start) {
                        return Ok(game);
                    }
                }
                _ => {
                    if let Some(game) = self.word() {
                        return Ok(game);
                    }
                }
            }
        }
    }

    /// Returns what was found where the text, or what belongs to no game, ends without a move or a result.
    fn at_end(&self) -> Found {
        if self.is_mere_number {
            Found::Game(0)
        } else {
            Found::Nothing
        }
    }

    /// Skips the rest of a line without meaning: a comment or an escape.
    fn skip_line(&mut self) -> Result<(), SourceFailed> {
        while !matches!(self.buffer.rest().get(self.at), None | Some(b'\n' | b'\r'))
            && self.at <= MAX_LOOKAHEAD
        {
            self.at += 1;
            self.buffer.need(self.at + LOOKAHEAD)?;
        }
        Ok(())
    }

    /// Handles a token that begins with a digit or a star. Returns what was found, if that is clear now.
    fn number_or_result(&mut self, at_line_start: bool) -> Option<Found> {
        let text = &self.buffer.rest()[self.at..];
        if is_ornament(text) {
            self.heading.get_or_insert(self.line_start);
            self.at += 1;
            return None;
        }
        if self.heading.is_none() && result(text).is_some() {
            return Some(Found::Game(0));
        }
        let digits = digits(text);
        if digits == 0 || san(text).is_some() {
            return self.word();
        }
        let is_number = text.get(digits) == Some(&b'.');
        self.one = (text.starts_with(b"1") && digits == 1).then_some(self.at);
        self.begins_with_one |= at_line_start && is_number && self.one.is_some();
        self.is_mere_number = self.at == 0 && self.begins_with_one;
        self.at += digits;
        if is_number {
            self.at += 1;
        }
        None
    }

    /// Handles any other token. Returns what was found, if that is clear now.
    fn word(&mut self) -> Option<Found> {
        let text = &self.buffer.rest()[self.at..];
        let one = self.one.take();
        self.is_mere_number = false;
        if let Some((length, is_null)) = san(text) {
            let begin = match self.heading {
                _ if is_null => None,
                None => Some(0),
                Some(_) if self.begins_with_one => {
                    // The words before it were meant as moves; the game will report them.
                    self.heading = None;
                    Some(0)
                }
                Some(_) => one,
            };
            if let Some(begin) = begin {
                return Some(Found::Game(begin));
            }
            self.at += length;
        } else if self.heading.is_none() && result(text).is_some() {
            return Some(Found::Game(0));
        } else if let Some((_, length)) = shape::pasted_sign(text) {
            self.at += length;
        } else if let Some(length) = separator(text) {
            self.at += length;
            // White space between a number and its move.
            self.one = one;
        } else {
            let length = junk_run(text).max(1);
            self.heading.get_or_insert(self.line_start);
            self.at += length;
        }
        None
    }
}

/// Returns whether the bracket at the beginning of a text begins the tags of a game. A tag does; at the beginning of a
/// line so does a faulty tag that has a quote, is followed by another bracket on the next line, or is cut off.
fn begins_tags(text: &[u8], is_line_start: bool) -> bool {
    if !is_line_start || looks_like_tag(text) {
        return looks_like_tag(text);
    }
    let window = &text[..text.len().min(LOOKAHEAD)];
    let Some(end) = memchr2(b'\n', b'\r', window) else {
        return true;
    };
    let next = text[end..]
        .strip_prefix(b"\r\n")
        .unwrap_or(&text[end + 1..]);
    window[..end].contains(&b'"') || next.first() == Some(&b'[')
}

/// Returns whether a text begins with stars that have nothing between them, as in `* * *`.
fn is_ornament(text: &[u8]) -> bool {
    let [b'*', rest @ ..] = text else {
        return false;
    };
    let blank = rest
        .iter()
        .take(RUN)
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    rest.get(blank) == Some(&b'*')
}

/// Returns the length of a move at the beginning of a text, unless it is only the beginning of a word, and whether it
/// is a null move.
fn san(text: &[u8]) -> Option<(usize, bool)> {
    let spelled = Spelled::new(text);
    let spelling = spelled.as_ref().map_or(text, Spelled::bytes);
    let length = shape::san(spelling);
    let is_null = shape::is_null_move(spelling.get(..length)?);
    let source = match &spelled {
        Some(spelled) => spelled.source_length(length),
        None => length,
    };
    (length > 0 && junk_run(&text[source..]) == 0).then_some((source, is_null))
}

fn result(text: &[u8]) -> Option<usize> {
    let spelled = Spelled::new(text);
    let (_, length) = shape::result(spelled.as_ref().map_or(text, Spelled::bytes))?;
    Some(length)
}

/// Returns where the comment ends that begins this many bytes after the cursor; `None` if it is too long to examine.
fn comment_end(buffer: &mut Buffer<'_>, begin: usize) -> Result<Option<usize>, SourceFailed> {
    let limit = begin + MAX_COMMENT_LENGTH;
    let mut seen = begin + 1;
    let end = loop {
        let rest = buffer.rest();
        match memchr3(b'}', b'\n', b'\r', &rest[seen..]) {
            Some(index) if rest[seen + index] == b'}' => break seen + index + 1,
            Some(index) => {
                seen += index;
                buffer.need(seen + LOOKAHEAD)?;
                if game_follows(&buffer.rest()[seen..]) {
                    break seen;
                }
                seen += 1;
            }
            None if buffer.is_complete() => break rest.len(),
            None => {
                seen = rest.len();
                buffer.need(seen + seen.max(LOOKAHEAD))?;
            }
        }
        if seen > limit {
            return Ok(None);
        }
    };
    Ok((end <= limit).then_some(end))
}

/// Returns whether a game's first move follows the cursor, apart from comments and white space.
pub(super) fn first_move_follows(buffer: &mut Buffer<'_>) -> Result<bool, SourceFailed> {
    let mut at = 0;
    while at <= MAX_LOOKAHEAD {
        buffer.need(at + LOOKAHEAD)?;
        let text = &buffer.rest()[at..];
        match text.first() {
            Some(b'{') => match comment_end(buffer, at)? {
                Some(end) => at = end,
                None => return Ok(false),
            },
            Some(b' ' | b'\t' | b'\n' | b'\r') => at += 1,
            Some(b'1') => return Ok(shape::is_first_move(text)),
            _ => return Ok(false),
        }
    }
    Ok(false)
}
