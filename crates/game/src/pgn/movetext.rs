//! The moves of one game: the slow path around [`scan`](super::scan), and the rules for where a game ends.

use core::ops::ControlFlow;

use memchr::memchr2;

use super::MAX_DEPTH;
use super::error::{PgnError, PgnErrorKind};
use super::outside;
use super::pasted::{self, Spelled};
use super::scan::{self, Pause};
use super::shape;
use super::source::{Buffer, LOOKAHEAD, SourceFailed};
use super::tag::looks_like_tag;
use super::text_position::TextPosition;
use super::visitor::{Flow, Halt, Interrupt, ReadError, Silent, Visitor};
use crate::outcome::GameResult;

/// The most bytes in one run of meaningless text; a longer run counts as two.
pub(super) const RUN: usize = LOOKAHEAD / 2;

/// Reads one game; see [`Reader`](super::Reader).
pub(super) struct Parser<'a, V> {
    pub(super) buffer: Buffer<'a>,
    pub(super) visitor: &'a mut V,
    /// Whether nothing is shown, not even errors.
    pub(super) silent: bool,
    /// The number of open variations whose beginning was shown.
    pub(super) depth: usize,
    /// Where the outermost of them begins.
    outermost: TextPosition,
    /// Set while text is skipped: the rest of a line, or a variation.
    pub(super) skipped: Option<Skipped>,
    /// Whether the current line has a move, so that a variation can follow.
    moved: bool,
    /// Whether anything shaped like a move has been seen in this game.
    begun: bool,
    /// Whether the cursor is at the beginning of a line, apart from white space.
    line_start: bool,
    /// Whether meaningless text has already been reported.
    complained: bool,
    /// A result inside a variation, and the offset after it. If the variation is never closed, it is the game's
    /// result.
    inner_result: Option<(GameResult, u64)>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Skipped {
    /// The number of variations opened and not yet closed since then.
    inner: u64,
    /// Whether the beginning of the skipped variation was shown, so that its end has to be shown too.
    shown: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Token,
    EndOfGame,
}

impl<'a, V: Visitor> Parser<'a, V> {
    pub(super) fn new(buffer: Buffer<'a>, visitor: &'a mut V, silent: bool) -> Self {
        Parser {
            buffer,
            visitor,
            silent,
            depth: 0,
            outermost: TextPosition::START,
            skipped: None,
            moved: false,
            begun: false,
            line_start: false,
            complained: false,
            inner_result: None,
        }
    }

    /// Skips everything up to the end of the game except its result.
    pub(super) fn skip_moves(&mut self) {
        self.skipped = Some(Skipped {
            inner: 0,
            shown: true,
        });
    }

    /// Skips the rest of a game that a visitor stopped inside this many variations.
    pub(super) fn skip_rest(&mut self, depth: usize) {
        self.skipped = Some(Skipped {
            inner: depth as u64,
            shown: true,
        });
        self.begun = true;
        self.moved = true;
    }

    /// Reads up to the end of the game, and leaves the cursor before whatever comes next.
    pub(super) fn movetext(&mut self) -> Result<(), Halt<V>> {
        loop {
            self.buffer.need(LOOKAHEAD)?;
            if self.buffer.is_at_end() {
                break;
            }
            self.common_tokens()?;
            if self.buffer.at < self.buffer.limit() && self.other_token()? == Next::EndOfGame {
                break;
            }
        }
        self.close_variations();
        Ok(())
    }

    /// Reads the common tokens, up to one that the inner loop does not handle.
    fn common_tokens(&mut self) -> Result<(), Halt<V>> {
        let (start, limit) = (self.buffer.at, self.buffer.limit());
        let bytes = self.buffer.bytes();
        let pause = if self.skipped.is_some() {
            let Pause { at, moved, .. } = scan::movetext(bytes, start, limit, &mut Silent);
            Pause {
                at,
                moved,
                refused: None,
            }
        } else {
            scan::movetext(bytes, start, limit, self.visitor)
        };
        self.begun |= pause.moved;
        self.moved |= pause.moved;
        self.line_start &= pause.at == start;
        if let Some((begin, why)) = pause.refused {
            self.buffer.at = begin;
            self.interrupt(pause.at - begin, why)?;
        }
        self.buffer.at = pause.at;
        Ok(())
    }

    /// Reads one of the other tokens.
    fn other_token(&mut self) -> Result<Next, Halt<V>> {
        let first = self.buffer.peek(0);
        let at_line_start = core::mem::take(&mut self.line_start);
        match first {
            b'\n' | b'\r' => return self.line_end(),
            b' ' | b'\t' | b'\x0B' | b'\x0C' | b'.' | b'}' => self.buffer.at += 1,
            b'{' => self.brace_comment()?,
            b';' => self.line_comment()?,
            b'(' => self.open_variation()?,
            b')' => self.close_variation(),
            b'$' => self.numeric_glyph()?,
            b'[' => return Ok(self.bracket(at_line_start)),
            b'0'..=b'9' | b'*' => return self.number_or_result(),
            0 | b'\x1A' => self.padding()?,
            _ => return self.word(),
        }
        Ok(Next::Token)
    }

    /// Handles a line break. The game ends if a tag follows, or a first move after an empty line. Lines that begin
    /// with `%` are skipped.
    fn line_end(&mut self) -> Result<Next, Halt<V>> {
        let here = self.buffer.offset();
        let is_after_result = self.inner_result.is_some_and(|(_, at)| at == here);
        let mut is_empty = false;
        loop {
            self.buffer.at += if self.buffer.rest().starts_with(b"\r\n") {
                2
            } else {
                1
            };
            self.buffer.need(LOOKAHEAD)?;
            if self.buffer.peek(0) == b'%' {
                skip_line(&mut self.buffer)?;
                if self.buffer.is_at_end() {
                    return Ok(Next::Token);
                }
                continue;
            }
            while matches!(self.buffer.peek(0), b' ' | b'\t' | b'\x0B' | b'\x0C') {
                self.buffer.at += 1;
                self.buffer.need(LOOKAHEAD)?;
            }
            if !matches!(self.buffer.peek(0), b'\n' | b'\r') {
                break;
            }
            is_empty = true;
        }
        self.line_start = true;
        // A variation may begin with an empty line and the first move.
        if !(is_empty && self.begun && self.moved) {
            return Ok(Next::Token);
        }
        // An empty line after a result inside a variation: the closing parenthesis is missing.
        let is_over = is_after_result && self.buffer.peek(0) != b')';
        Ok(
            if is_over || outside::first_move_follows(&mut self.buffer)? {
                Next::EndOfGame
            } else {
                Next::Token
            },
        )
    }

    /// Handles a bracket. At the beginning of a line, or with the name of the tag that every game begins with, it
    /// begins the next game.
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

    /// Reads a token that begins with a digit or a star.
    fn number_or_result(&mut self) -> Result<Next, Halt<V>> {
        let rest = self.buffer.rest();
        let result = shape::result(rest);
        if let Some((result, length)) = result
            && is_ascii_after(rest, length)
        {
            return self.result(result, length);
        }
        if let Some(spelled) = Spelled::new(rest)
            && let Some(next) = self.pasted(&spelled)?
        {
            return Ok(next);
        }
        if let Some((result, length)) = result {
            return self.result(result, length);
        }
        let rest = self.buffer.rest();
        match shape::san(rest) {
            0 if rest[0] == b'*' => {
                let stars = run_length(&rest[..rest.len().min(RUN)], |byte| byte == b'*');
                self.unexpected(stars);
            }
            0 => self.buffer.at += digits(rest).max(1),
            length => self.san(None, length)?,
        }
        Ok(Next::Token)
    }

    /// Reads a result, a move or a glyph that is not written in ASCII; `None` for anything else.
    #[cold]
    fn pasted(&mut self, spelled: &Spelled) -> Result<Option<Next>, Halt<V>> {
        let text = spelled.bytes();
        if let Some((result, length)) = shape::result(text) {
            let length = spelled.source_length(length);
            return self.result(result, length).map(Some);
        }
        let length = shape::san(text);
        if length > 0 {
            self.san_and_junk(Some(&text[..length]), spelled.source_length(length))?;
        } else if let Some((glyph, length)) = shape::sign(text) {
            self.glyph(glyph, spelled.source_length(length))?;
        } else {
            return Ok(None);
        }
        Ok(Some(Next::Token))
    }

    /// Handles zeros and end-of-file characters. They are padding at the end of the input or before a tag, and
    /// meaningless elsewhere.
    fn padding(&mut self) -> Result<(), Halt<V>> {
        let at = self.buffer.at;
        let place = self.buffer.place(at);
        let length = run_length(self.buffer.rest(), is_padding).min(RUN);
        let text = self.buffer.rest()[..length].to_vec();
        loop {
            self.buffer.at += run_length(self.buffer.rest(), is_padding);
            self.buffer.need(LOOKAHEAD)?;
            if !self.buffer.rest().first().copied().is_some_and(is_padding) {
                break;
            }
        }
        self.buffer.need(2 * LOOKAHEAD)?;
        let rest = self.buffer.rest();
        let blank = run_length(rest, |byte| is_padding(byte) || byte.is_ascii_whitespace());
        // Concatenated files may each be padded.
        let is_last = blank < LOOKAHEAD && (blank == rest.len() || looks_like_tag(&rest[blank..]));
        if !is_last && !self.silent && self.skipped.is_none() && !self.complained {
            self.complained = true;
            let error = PgnError::new(place, PgnErrorKind::Unexpected, &text);
            self.visitor.error(error);
        }
        Ok(())
    }

    /// Handles a result. Inside a variation it does not end the game, and is only remembered.
    fn result(&mut self, result: GameResult, length: usize) -> Result<Next, Halt<V>> {
        self.buffer.at += length;
        if self.is_in_variation() {
            self.inner_result = Some((result, self.buffer.offset()));
            return Ok(Next::Token);
        }
        self.begun = true;
        if !self.silent {
            self.visitor.result(result);
        }
        self.after_result()?;
        Ok(Next::EndOfGame)
    }

    /// Whether a variation is open, whether shown or skipped.
    fn is_in_variation(&self) -> bool {
        let skipped = |skipped: Skipped| skipped.inner > 0 || !skipped.shown;
        self.depth > 0 || self.skipped.is_some_and(skipped)
    }

    /// Reads comments and glyphs on the line of the result, which still belong to the game.
    fn after_result(&mut self) -> Result<(), Halt<V>> {
        loop {
            self.buffer.need(LOOKAHEAD)?;
            match self.buffer.peek(0) {
                b' ' | b'\t' | b'\x0B' | b'\x0C' | b')' | b'}' => self.buffer.at += 1,
                b'{' => self.brace_comment()?,
                b';' => self.line_comment()?,
                b'$' => self.numeric_glyph()?,
                b'\n' | b'\r' | b'[' | b'0'..=b'9' | b'*' => return Ok(()),
                _ => {
                    let rest = self.buffer.rest();
                    if rest.is_empty() || shape::san(rest) > 0 || Spelled::new(rest).is_some() {
                        return Ok(());
                    }
                    // A word about how the game ended.
                    self.buffer.at += junk_run(rest).max(1);
                }
            }
        }
    }

    /// Opens a variation. Parentheses are counted in the same way whether the variation is shown or not, so that games
    /// end at the same places for every visitor.
    fn open_variation(&mut self) -> Result<(), Halt<V>> {
        self.buffer.at += 1;
        // Without a move, there is nothing to be an alternative to.
        if !core::mem::take(&mut self.moved) {
            return Ok(());
        }
        if let Some(skipped) = &mut self.skipped {
            skipped.inner += 1;
            return Ok(());
        }
        if self.depth == MAX_DEPTH {
            self.report(self.buffer.at - 1, 1, PgnErrorKind::TooDeep);
            self.skip_variation();
            return Ok(());
        }
        match self.visitor.begin_variation() {
            ControlFlow::Continue(Flow::Skip) => self.skip_variation(),
            ControlFlow::Continue(Flow::Read) => {
                if self.depth == 0 {
                    let parenthesis = self.buffer.at - 1;
                    self.outermost = self.buffer.place(parenthesis);
                }
                self.depth += 1;
            }
            ControlFlow::Break(stop) => {
                self.depth += 1;
                return Err(ReadError::Stopped(stop));
            }
        }
        Ok(())
    }

    /// Skips the variation that has just been opened.
    fn skip_variation(&mut self) {
        self.skipped = Some(Skipped {
            inner: 0,
            shown: false,
        });
    }

    fn close_variation(&mut self) {
        self.buffer.at += 1;
        match &mut self.skipped {
            Some(skipped) if skipped.inner > 0 => skipped.inner -= 1,
            Some(skipped) if !skipped.shown => self.skipped = None,
            // Outside all variations, it closes nothing.
            _ if self.depth == 0 => return,
            _ => {
                self.skipped = None;
                self.depth -= 1;
                self.visitor.end_variation();
            }
        }
        self.moved = true;
    }

    /// Closes the variations that are open at the end of the game, which is an error.
    fn close_variations(&mut self) {
        if self.depth == 0 {
            return;
        }
        let kind = PgnErrorKind::UnfinishedVariation;
        self.visitor
            .error(PgnError::new(self.outermost, kind, b"("));
        for _ in 0..self.depth {
            self.visitor.end_variation();
        }
        self.depth = 0;
        if let Some((result, _)) = self.inner_result {
            self.visitor.result(result);
        }
    }

    /// Reads a glyph such as `$14`.
    fn numeric_glyph(&mut self) -> Result<(), Halt<V>> {
        let rest = self.buffer.rest();
        let digits = digits(&rest[1..]);
        let value = rest[1..=digits].iter().try_fold(0u8, |sum, digit| {
            sum.checked_mul(10)?.checked_add(digit - b'0')
        });
        match value {
            Some(glyph) if digits > 0 => self.glyph(glyph, digits + 1),
            _ => {
                self.report_meaningless_text(digits + 1, PgnErrorKind::Glyph);
                self.buffer.at += digits + 1;
                Ok(())
            }
        }
    }

    /// Shows a glyph, whose text has this many bytes.
    fn glyph(&mut self, glyph: u8, length: usize) -> Result<(), Halt<V>> {
        if self.skipped.is_none()
            && let ControlFlow::Break(why) = self.visitor.glyph(glyph)
        {
            self.interrupt(length, why)?;
        }
        self.buffer.at += length;
        Ok(())
    }

    /// Reads a token that begins with a letter or with a sign: a move, a symbol, or neither.
    fn word(&mut self) -> Result<Next, Halt<V>> {
        let rest = self.buffer.rest();
        let length = shape::san(rest);
        if length > 0 && is_ascii_after(rest, length) {
            self.san_and_junk(None, length)?;
        } else if let (0, Some((glyph, length))) = (length, shape::sign(rest)) {
            self.glyph(glyph, length)?;
        } else if let Some(spelled) = Spelled::new(rest)
            && let Some(next) = self.pasted(&spelled)?
        {
            return Ok(next);
        } else {
            self.unknown_word(length)?;
        }
        Ok(Next::Token)
    }

    /// Reads a word that looks like nothing known, or a move of this length followed by something odd.
    fn unknown_word(&mut self, length: usize) -> Result<(), Halt<V>> {
        let rest = self.buffer.rest();
        if length > 0 {
            self.san_and_junk(None, length)?;
        } else if let Some(length) = separator(rest) {
            self.buffer.at += length;
        } else {
            let run = junk_run(rest);
            self.unexpected(run.max(1));
        }
        Ok(())
    }

    /// Reads a move and the meaningless characters right after it.
    fn san_and_junk(&mut self, spelling: Option<&[u8]>, length: usize) -> Result<(), Halt<V>> {
        let rest = self.buffer.rest();
        let last = spelling.map_or(rest[length - 1], |spelling| spelling[spelling.len() - 1]);
        let junk = match last {
            b'+' | b'#' => 0,
            _ => junk_run(&rest[length..]),
        };
        self.san(spelling, length)?;
        if junk > 0 {
            self.buffer.at -= length;
            self.unexpected(length + junk);
        }
        Ok(())
    }

    /// Reads the move at the cursor, which has this many bytes there and may have another spelling.
    fn san(&mut self, spelling: Option<&[u8]>, length: usize) -> Result<(), Halt<V>> {
        self.begun = true;
        self.moved = true;
        if self.skipped.is_none() {
            let san = spelling.unwrap_or(&self.buffer.rest()[..length]);
            if let ControlFlow::Break(why) = self.visitor.san(san) {
                self.interrupt(length, why)?;
            }
        }
        self.buffer.at += length;
        Ok(())
    }

    /// Applies the visitor's answer when it does not accept something of this many bytes at the cursor.
    #[cold]
    pub(super) fn interrupt(
        &mut self,
        length: usize,
        why: Interrupt<V::Stop>,
    ) -> Result<(), Halt<V>> {
        match why {
            Interrupt::Error(kind) => {
                self.refuse(length, kind);
                Ok(())
            }
            Interrupt::Stop(stop) => {
                self.buffer.at += length;
                Err(ReadError::Stopped(stop))
            }
        }
    }

    /// Reports what the visitor refused at the cursor, and skips the rest of its line or of the game.
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

    /// Skips meaningless text at the cursor.
    fn unexpected(&mut self, length: usize) {
        self.report_meaningless_text(length, PgnErrorKind::Unexpected);
        self.buffer.at += length;
    }

    /// Reports the first meaningless text of a game. More of it says nothing new.
    pub(super) fn report_meaningless_text(&mut self, length: usize, kind: PgnErrorKind) {
        if self.skipped.is_none() && !core::mem::replace(&mut self.complained, true) {
            self.report(self.buffer.at, length, kind);
        }
    }

    /// Reports an error in this many bytes from an index of the buffer.
    pub(super) fn report(&mut self, index: usize, length: usize, kind: PgnErrorKind) {
        if !self.silent {
            let place = self.buffer.place(index);
            let text = &self.buffer.bytes()[index..index + length];
            self.visitor.error(PgnError::new(place, kind, text));
        }
    }
}

/// Moves the cursor to the end of its line, however far that is.
pub(super) fn skip_line(buffer: &mut Buffer<'_>) -> Result<(), SourceFailed> {
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

/// Returns whether the two bytes after a token are ASCII, so that the token ends there.
fn is_ascii_after(text: &[u8], length: usize) -> bool {
    let after = text.iter().skip(length).take(2);
    after.fold(0, |bits, byte| bits | byte) < 0x80
}

/// Returns the length of something that separates tokens like white space: another kind of space, an invisible
/// character, an ellipsis, or the words for en passant.
pub(super) fn separator(text: &[u8]) -> Option<usize> {
    if let [0x80..=0xFF, ..] = text {
        let (c, length) = pasted::first_char(text)?;
        return pasted::is_separator(c).then_some(length);
    }
    Some(shape::en_passant(text)).filter(|&length| length > 0)
}

/// Returns whether a byte only fills a file up.
fn is_padding(byte: u8) -> bool {
    matches!(byte, 0 | b'\x1A')
}

/// Returns the number of digits at the beginning of a text, up to [`RUN`].
pub(super) fn digits(text: &[u8]) -> usize {
    run_length(&text[..text.len().min(RUN)], |byte| byte.is_ascii_digit())
}

/// Returns the number of bytes of a kind at the beginning of a text. Without type parameters, so that it is compiled
/// once and not for every source and visitor.
pub(super) fn run_length(text: &[u8], is_part: fn(u8) -> bool) -> usize {
    text.iter().take_while(|&&byte| is_part(byte)).count()
}

/// Returns the number of meaningless bytes at the beginning of a text: up to white space or the beginning of a token.
pub(super) fn junk_run(text: &[u8]) -> usize {
    let is_junk = |byte: &u8| {
        !matches!(
            byte,
            b' ' | 0 | b'\x1A' | b'\t'
                ..=b'\r' | b'{' | b'}' | b'(' | b')' | b'[' | b';' | b'$' | b'!' | b'?' | b'*'
        )
    };
    if !text.first().is_some_and(is_junk)
        || shape::pasted_sign(text).is_some()
        || separator(text).is_some()
    {
        return 0;
    }
    text.iter()
        .take(RUN)
        .take_while(|byte| is_junk(byte))
        .count()
}
