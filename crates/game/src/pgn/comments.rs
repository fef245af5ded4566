//! Comments of any length, and where a comment ends that is never closed.

use core::ops::ControlFlow;

use memchr::{memchr2, memchr3};

use super::MAX_COMMENT_LENGTH;
use super::error::PgnErrorKind;
use super::movetext::Parser;
use super::source::LOOKAHEAD;
use super::tag::looks_like_tag;
use super::text::Text;
use super::visitor::{Halt, Visitor};

impl<V: Visitor> Parser<'_, V> {
    /// Shows the comment at the cursor, which has `length` bytes after its first one.
    fn comment(&mut self, length: usize) -> Result<(), Halt<V>> {
        if length > MAX_COMMENT_LENGTH {
            self.report_if_shown(length + 1, PgnErrorKind::CommentTooLong);
        } else if self.skipped.is_none() {
            let text = Text::comment(&self.buffer.rest()[1..=length]);
            if let ControlFlow::Break(why) = self.visitor.comment(text) {
                self.interrupt(length + 1, why)?;
            }
        }
        Ok(())
    }

    /// Reads a comment in braces of any length. It also ends where a game clearly begins, so that a missing closing
    /// brace does not affect other games.
    pub(super) fn brace_comment(&mut self) -> Result<(), Halt<V>> {
        let mut seen = 1;
        let mut kept = true;
        loop {
            let rest = self.buffer.rest();
            match memchr3(b'}', b'\n', b'\r', &rest[seen..]) {
                Some(index) if rest[seen + index] == b'}' => {
                    if kept {
                        self.comment(seen + index - 1)?;
                    }
                    self.buffer.at += seen + index + 1;
                    return Ok(());
                }
                Some(index) => {
                    seen += index;
                    self.buffer.need(seen + LOOKAHEAD)?;
                    if game_follows(&self.buffer.rest()[seen..]) {
                        break;
                    }
                    seen += 1;
                }
                None if self.buffer.is_complete() => {
                    seen = rest.len() - empty_line(rest);
                    break;
                }
                None => {
                    seen = rest.len();
                    self.buffer.need(seen + seen.max(LOOKAHEAD))?;
                }
            }
            self.drop_long_comment(&mut seen, &mut kept);
        }
        if kept {
            if seen - 1 <= MAX_COMMENT_LENGTH {
                self.report_if_shown(seen, PgnErrorKind::UnfinishedComment);
            }
            self.comment(seen - 1)?;
        }
        self.buffer.at += seen;
        Ok(())
    }

    /// Reads a comment up to the end of the line.
    pub(super) fn line_comment(&mut self) -> Result<(), Halt<V>> {
        let mut seen = 1;
        let mut kept = true;
        loop {
            let rest = self.buffer.rest();
            let end = memchr2(b'\n', b'\r', &rest[seen..]).map(|index| seen + index);
            let end = end.or_else(|| self.buffer.is_complete().then_some(rest.len()));
            if let Some(end) = end {
                if kept {
                    self.comment(end - 1)?;
                }
                self.buffer.at += end;
                return Ok(());
            }
            seen = rest.len();
            self.buffer.need(seen + seen.max(LOOKAHEAD))?;
            self.drop_long_comment(&mut seen, &mut kept);
        }
    }

    /// Drops what has been read of a comment once it is too long, or at once if the visitor does not want it.
    fn drop_long_comment(&mut self, seen: &mut usize, kept: &mut bool) {
        if *kept && *seen - 1 <= MAX_COMMENT_LENGTH && self.skipped.is_none() {
            return;
        }
        if *kept {
            self.report_if_shown(*seen, PgnErrorKind::CommentTooLong);
        }
        *kept = false;
        self.buffer.at += *seen;
        *seen = 0;
    }

    /// Reports an error, unless what it is in is skipped.
    fn report_if_shown(&mut self, length: usize, kind: PgnErrorKind) {
        if self.skipped.is_none() {
            self.report(self.buffer.at, length, kind);
        }
    }
}

/// Returns whether a text that begins with a line break continues with the tags of a game: after an empty line, or at
/// once if the tag is the one that every game begins with.
pub(super) fn game_follows(text: &[u8]) -> bool {
    let next = after_line_end(text);
    if next.starts_with(b"[Event \"") {
        return true;
    }
    matches!(next.first(), Some(b'\n' | b'\r')) && looks_like_tag(after_line_end(next))
}

/// Returns the number of bytes in the last two line breaks of a text. Before another game they would end an unclosed
/// comment, so they do at the end of the input as well.
fn empty_line(text: &[u8]) -> usize {
    let line_end = |text: &[u8]| match text {
        [.., b'\r', b'\n'] => 2,
        [.., b'\r' | b'\n'] => 1,
        _ => 0,
    };
    let last = line_end(text);
    last + line_end(&text[..text.len() - last])
}

fn after_line_end(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\r\n")
        .unwrap_or_else(|| text.get(1..).unwrap_or(&[]))
}
