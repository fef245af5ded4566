//! The moves of one game: the slow path around [`scan`](super::scan), and the rules for what ends a game.

use memchr::{memchr2, memchr3};

use super::error::{PgnError, PgnErrorKind};
use super::place::Place;
use super::scan;
use super::shape;
use super::source::{Buffer, LOOKAHEAD, Source};
use super::tag::looks_like_tag;
use super::text::Text;
use super::visitor::{Flow, Silent, Visitor};
use super::{MAX_COMMENT_LENGTH, MAX_DEPTH};
use crate::outcome::GameResult;

/// How many bytes a run of text without meaning may have before it counts as two.
const RUN: usize = LOOKAHEAD / 2;

/// Reads one game; see [`Reader`](super::Reader).
#[derive(Debug)]
pub(super) struct Parser<'a, S, V> {
    pub(super) buffer: &'a mut Buffer<S>,
    pub(super) visitor: &'a mut V,
    /// Nothing is shown, not even errors.
    pub(super) silent: bool,
    /// How many variations are open and were shown as begun.
    depth: usize,
    /// Where the outermost of them begins.
    outermost: Place,
    /// Set while text is passed over: the rest of a line, or a variation.
    skipped: Option<Skipped>,
    /// Whether the line that is being read has a move, so that a variation of it makes sense.
    moved: bool,
    /// Whether anything in the shape of a move was seen in this game.
    begun: bool,
    /// Whether the cursor stands where a line begins, white space aside.
    line_start: bool,
    /// Whether text without meaning was reported already.
    complained: bool,
    /// A result that stood inside a variation. If the variation never ends, it was the game's.
    inner_result: Option<GameResult>,
}

#[derive(Clone, Copy, Debug)]
struct Skipped {
    /// How many variations were opened and not closed since.
    inner: u64,
    /// Whether the variation that is passed over was shown as begun, so that its end is shown too.
    shown: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Token,
    EndOfGame,
}

impl<'a, S: Source, V: Visitor> Parser<'a, S, V> {
    pub(super) fn new(buffer: &'a mut Buffer<S>, visitor: &'a mut V, silent: bool) -> Self {
        Parser {
            buffer,
            visitor,
            silent,
            depth: 0,
            outermost: Place::START,
            skipped: None,
            moved: false,
            begun: false,
            line_start: false,
            complained: false,
            inner_result: None,
        }
    }

    /// Passes over everything up to the end of the game except its result.
    pub(super) fn skip_moves(&mut self) {
        self.skipped = Some(Skipped {
            inner: 0,
            shown: true,
        });
    }

    /// Reads up to the end of the game and leaves the cursor in front of whatever comes next.
    pub(super) fn movetext(&mut self) -> Result<(), S::Error> {
        loop {
            self.buffer.need(LOOKAHEAD)?;
            if self.buffer.is_at_end() {
                break;
            }
            self.ordinary();
            if self.buffer.at < self.buffer.limit() && self.special()? == Next::EndOfGame {
                break;
            }
        }
        self.close_variations();
        Ok(())
    }

    fn ordinary(&mut self) {
        let (start, limit) = (self.buffer.at, self.buffer.limit());
        let bytes = self.buffer.bytes();
        let pause = if self.silent || self.skipped.is_some() {
            scan::movetext(bytes, start, limit, &mut Silent)
        } else {
            scan::movetext(bytes, start, limit, self.visitor)
        };
        self.begun |= pause.moved;
        self.moved |= pause.moved;
        self.line_start &= pause.at == start;
        if let Some((begin, kind)) = pause.refused {
            self.buffer.at = begin;
            self.refuse(pause.at - begin, kind);
        }
        self.buffer.at = pause.at;
    }

    /// Reads one token that the inner loop left over.
    fn special(&mut self) -> Result<Next, S::Error> {
        let first = self.buffer.peek(0);
        let at_line_start = core::mem::take(&mut self.line_start);
        match first {
            b'\n' | b'\r' => return self.line_end(),
            b' ' | b'\t' | b'\x0B' | b'\x0C' | b'.' | b'}' => self.buffer.at += 1,
            b'{' => self.brace_comment()?,
            b';' => self.line_comment()?,
            b'(' => self.open(),
            b')' => self.close(),
            b'$' => self.numeric_glyph(),
            b'[' => return Ok(self.bracket(at_line_start)),
            b'0'..=b'9' | b'*' => return self.number_or_result(),
            _ => self.word(),
        }
        Ok(Next::Token)
    }

    /// A line ends: a game does too if an empty line or a tag follows. Lines that begin with `%` are passed over.
    fn line_end(&mut self) -> Result<Next, S::Error> {
        loop {
            self.buffer.at += if self.buffer.rest().starts_with(b"\r\n") {
                2
            } else {
                1
            };
            self.buffer.need(LOOKAHEAD)?;
            if self.buffer.peek(0) != b'%' {
                break;
            }
            skip_line(self.buffer)?;
            if self.buffer.is_at_end() {
                return Ok(Next::Token);
            }
        }
        while matches!(self.buffer.peek(0), b' ' | b'\t' | b'\x0B' | b'\x0C') {
            self.buffer.at += 1;
            self.buffer.need(LOOKAHEAD)?;
        }
        self.line_start = true;
        // A comment may stand by itself before the first move; an empty line after it ends nothing.
        let empty = matches!(self.buffer.peek(0), b'\n' | b'\r');
        Ok(if empty && self.begun {
            Next::EndOfGame
        } else {
            Next::Token
        })
    }

    /// At the beginning of a line, or with the name every game's tags begin with, a bracket begins the next game.
    fn bracket(&mut self, at_line_start: bool) -> Next {
        let rest = self.buffer.rest();
        if rest.starts_with(b"[Event \"") || at_line_start && looks_like_tag(rest) {
            return Next::EndOfGame;
        }
        let window = &rest[..rest.len().min(RUN)];
        let length = window
            .iter()
            .position(|byte| matches!(byte, b']' | b'\n' | b'\r'));
        self.unexpected(match length {
            Some(index) if window[index] == b']' => index + 1,
            _ => 1,
        });
        Next::Token
    }

    fn number_or_result(&mut self) -> Result<Next, S::Error> {
        let rest = self.buffer.rest();
        if let Some((result, length)) = shape::result(rest) {
            return self.result(result, length);
        }
        match shape::san(rest) {
            0 => {
                let digits = rest
                    .iter()
                    .take(RUN)
                    .take_while(|byte| byte.is_ascii_digit())
                    .count();
                self.buffer.at += digits.max(1);
            }
            length => self.san(length),
        }
        Ok(Next::Token)
    }

    fn result(&mut self, result: GameResult, length: usize) -> Result<Next, S::Error> {
        self.buffer.at += length;
        if self.depth > 0 || self.skipped.is_some_and(|skipped| skipped.inner > 0) {
            self.inner_result = Some(result);
            return Ok(Next::Token);
        }
        self.begun = true;
        if !self.silent {
            self.visitor.result(result);
        }
        self.after_result()?;
        Ok(Next::EndOfGame)
    }

    /// Comments and glyphs on the line of the result still belong to the game.
    fn after_result(&mut self) -> Result<(), S::Error> {
        loop {
            self.buffer.need(LOOKAHEAD)?;
            match self.buffer.peek(0) {
                b' ' | b'\t' | b'\x0B' | b'\x0C' | b')' | b'}' => self.buffer.at += 1,
                b'{' => self.brace_comment()?,
                b';' => self.line_comment()?,
                b'$' => self.numeric_glyph(),
                _ => return Ok(()),
            }
        }
    }

    fn open(&mut self) {
        self.buffer.at += 1;
        if let Some(skipped) = &mut self.skipped {
            skipped.inner += 1;
        } else if self.silent || !self.moved {
            // Without a move there is nothing it could be an alternative to.
        } else if self.depth == MAX_DEPTH {
            self.report(self.buffer.at - 1, 1, PgnErrorKind::TooDeep);
            self.skipped = Some(Skipped {
                inner: 0,
                shown: false,
            });
        } else if self.visitor.begin_variation() == Flow::Skip {
            self.skipped = Some(Skipped {
                inner: 0,
                shown: false,
            });
        } else {
            if self.depth == 0 {
                self.outermost = self.buffer.place(self.buffer.at - 1);
            }
            self.depth += 1;
            self.moved = false;
        }
    }

    fn close(&mut self) {
        self.buffer.at += 1;
        match &mut self.skipped {
            Some(skipped) if skipped.inner > 0 => skipped.inner -= 1,
            Some(skipped) if !skipped.shown => self.skipped = None,
            // Outside all variations it closes nothing.
            _ if self.depth == 0 => {}
            _ => {
                self.skipped = None;
                self.depth -= 1;
                self.moved = true;
                self.visitor.end_variation();
            }
        }
    }

    fn close_variations(&mut self) {
        if self.silent || self.depth == 0 {
            return;
        }
        let kind = PgnErrorKind::UnfinishedVariation;
        self.visitor
            .error(PgnError::new(self.outermost, kind, b"("));
        for _ in 0..self.depth {
            self.visitor.end_variation();
        }
        self.depth = 0;
        if let Some(result) = self.inner_result {
            self.visitor.result(result);
        }
    }

    fn numeric_glyph(&mut self) {
        let rest = self.buffer.rest();
        let digits = rest[1..]
            .iter()
            .take(RUN)
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let value = rest[1..=digits].iter().try_fold(0u8, |sum, digit| {
            sum.checked_mul(10)?.checked_add(digit - b'0')
        });
        match value {
            Some(glyph) if digits > 0 => self.glyph(glyph, digits + 1),
            _ => {
                self.complain(digits + 1, PgnErrorKind::Glyph);
                self.buffer.at += digits + 1;
            }
        }
    }

    fn glyph(&mut self, glyph: u8, length: usize) {
        if self.is_shown()
            && let Err(kind) = self.visitor.glyph(glyph)
        {
            self.refuse(length, kind);
        }
        self.buffer.at += length;
    }

    fn word(&mut self) {
        let rest = self.buffer.rest();
        let length = shape::san(rest);
        if length > 0 {
            let checked = matches!(rest[length - 1], b'+' | b'#');
            let junk = if checked {
                0
            } else {
                junk_run(&rest[length..])
            };
            self.san(length);
            if junk > 0 {
                self.buffer.at -= length;
                self.unexpected(length + junk);
            }
        } else if let Some((glyph, length)) = shape::sign(rest) {
            self.glyph(glyph, length);
        } else if let Some(length) = separator(rest) {
            self.buffer.at += length;
        } else {
            let run = junk_run(rest);
            self.unexpected(run.max(1));
        }
    }

    fn san(&mut self, length: usize) {
        self.begun = true;
        self.moved = true;
        if self.is_shown()
            && let Err(kind) = self.visitor.san(&self.buffer.rest()[..length])
        {
            self.refuse(length, kind);
        }
        self.buffer.at += length;
    }

    fn is_shown(&self) -> bool {
        !self.silent && self.skipped.is_none()
    }

    /// Reports what the visitor refused at the cursor, and passes over the rest of its line, or of the game.
    fn refuse(&mut self, length: usize, kind: PgnErrorKind) {
        let mut inner = 0;
        if kind == PgnErrorKind::GameTooLong {
            inner = self.depth as u64;
            for _ in 0..core::mem::take(&mut self.depth) {
                self.visitor.end_variation();
            }
        }
        self.report(self.buffer.at, length, kind);
        self.skipped = Some(Skipped { inner, shown: true });
    }

    /// Passes over text at the cursor that has no meaning.
    fn unexpected(&mut self, length: usize) {
        self.complain(length, PgnErrorKind::Unexpected);
        self.buffer.at += length;
    }

    /// Reports the first text without meaning. More of it in the same game says nothing new.
    fn complain(&mut self, length: usize, kind: PgnErrorKind) {
        if self.skipped.is_none() && !core::mem::replace(&mut self.complained, true) {
            self.report(self.buffer.at, length, kind);
        }
    }

    pub(super) fn report(&mut self, index: usize, length: usize, kind: PgnErrorKind) {
        if !self.silent {
            let place = self.buffer.place(index);
            let text = &self.buffer.bytes()[index..index + length];
            self.visitor.error(PgnError::new(place, kind, text));
        }
    }

    /// Shows the comment at the cursor, which has so many bytes after its first one.
    fn comment(&mut self, length: usize) {
        if length > MAX_COMMENT_LENGTH {
            self.report_if_shown(length + 1, PgnErrorKind::CommentTooLong);
        } else if self.is_shown() {
            let text = Text::comment(&self.buffer.rest()[1..=length]);
            if let Err(kind) = self.visitor.comment(text) {
                self.refuse(length + 1, kind);
            }
        }
    }

    /// A comment in braces of any length. It also ends where a game plainly begins, so that a brace somebody forgot
    /// costs no other game.
    fn brace_comment(&mut self) -> Result<(), S::Error> {
        let mut seen = 1;
        let mut kept = true;
        loop {
            let rest = self.buffer.rest();
            match memchr3(b'}', b'\n', b'\r', &rest[seen..]) {
                Some(index) if rest[seen + index] == b'}' => {
                    if kept {
                        self.comment(seen + index - 1);
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
            self.comment(seen - 1);
        }
        self.buffer.at += seen;
        Ok(())
    }

    /// A comment up to the end of the line.
    fn line_comment(&mut self) -> Result<(), S::Error> {
        let mut seen = 1;
        let mut kept = true;
        loop {
            let rest = self.buffer.rest();
            let end = memchr2(b'\n', b'\r', &rest[seen..]).map(|index| seen + index);
            let end = end.or_else(|| self.buffer.is_complete().then_some(rest.len()));
            if let Some(end) = end {
                if kept {
                    self.comment(end - 1);
                }
                self.buffer.at += end;
                return Ok(());
            }
            seen = rest.len();
            self.buffer.need(seen + seen.max(LOOKAHEAD))?;
            self.drop_long_comment(&mut seen, &mut kept);
        }
    }

    /// What was seen of a comment is given up once it is too long, or at once if nobody will be shown it.
    fn drop_long_comment(&mut self, seen: &mut usize, kept: &mut bool) {
        if *kept && *seen - 1 <= MAX_COMMENT_LENGTH && self.is_shown() {
            return;
        }
        if *kept {
            self.report_if_shown(*seen, PgnErrorKind::CommentTooLong);
        }
        *kept = false;
        self.buffer.at += *seen;
        *seen = 0;
    }

    fn report_if_shown(&mut self, length: usize, kind: PgnErrorKind) {
        if self.skipped.is_none() {
            self.report(self.buffer.at, length, kind);
        }
    }
}

/// Moves the cursor to the end of its line, however far that is.
pub(super) fn skip_line<S: Source>(buffer: &mut Buffer<S>) -> Result<(), S::Error> {
    loop {
        let rest = buffer.rest();
        if let Some(index) = memchr2(b'\n', b'\r', rest) {
            buffer.at += index;
            return buffer.need(LOOKAHEAD);
        }
        buffer.at += rest.len();
        if buffer.is_complete() {
            return Ok(());
        }
        buffer.need(LOOKAHEAD)?;
    }
}

/// Whether a text that begins with a line end goes on with the tags of a game: after an empty line, or at once if
/// it is the tag that every game begins with.
fn game_follows(text: &[u8]) -> bool {
    let next = after_line_end(text);
    if next.starts_with(b"[Event \"") {
        return true;
    }
    matches!(next.first(), Some(b'\n' | b'\r')) && looks_like_tag(after_line_end(next))
}

/// How many bytes the last two line ends of a text have. Before the next game they would end a comment that has no
/// end of its own, so they do at the end of the input too.
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

/// The length of something that separates tokens like white space: a byte order mark, a space that does not break,
/// the sign for three periods, or the words for en passant.
fn separator(text: &[u8]) -> Option<usize> {
    let signs = ["\u{FEFF}", "\u{A0}", "…"];
    match signs
        .into_iter()
        .find(|sign| text.starts_with(sign.as_bytes()))
    {
        Some(sign) => Some(sign.len()),
        None => Some(shape::en_passant(text)).filter(|&length| length > 0),
    }
}

/// How many bytes at the beginning of a text have no meaning: up to white space or what begins a token.
fn junk_run(text: &[u8]) -> usize {
    if shape::sign(text).is_some() || separator(text).is_some() {
        return 0;
    }
    let is_junk = |byte: &u8| {
        !matches!(
            byte,
            b' ' | b'\t'
                ..=b'\r' | b'{' | b'}' | b'(' | b')' | b'[' | b';' | b'$' | b'!' | b'?' | b'*'
        )
    };
    text.iter()
        .take(RUN)
        .take_while(|byte| is_junk(byte))
        .count()
}
