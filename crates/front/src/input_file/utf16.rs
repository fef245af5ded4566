//! Converts UTF-16 to UTF-8, block by block.

use std::io::{self, Read};

/// How many bytes are read at once.
const BLOCK: usize = 1 << 13;

const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// Reads UTF-16 and returns UTF-8. Invalid code units become `\u{FFFD}`; a byte order mark at the beginning is dropped.
#[derive(Debug)]
pub(super) struct Utf16<R> {
    reader: R,
    /// Reads a unit from its two bytes.
    unit: fn([u8; 2]) -> u16,
    /// The bytes of an incomplete character.
    rest: Vec<u8>,
    is_begun: bool,
    is_ended: bool,
    text: String,
    /// How much of the text has been returned.
    given: usize,
}

impl<R: Read> Utf16<R> {
    pub(super) fn new(reader: R, unit: fn([u8; 2]) -> u16) -> Utf16<R> {
        Utf16 {
            reader,
            unit,
            rest: Vec::new(),
            is_begun: false,
            is_ended: false,
            text: String::new(),
            given: 0,
        }
    }

    /// Converts more text, or reaches the end.
    fn refill(&mut self) -> io::Result<()> {
        self.text.clear();
        self.given = 0;
        let mut block = [0; BLOCK];
        let count = self.reader.read(&mut block)?;
        if count == 0 {
            self.is_ended = true;
            let is_cut = !self.rest.is_empty();
            self.text
                .extend(is_cut.then_some(char::REPLACEMENT_CHARACTER));
            return Ok(());
        }
        self.rest.extend_from_slice(&block[..count]);
        let (pairs, _) = self.rest.as_chunks::<2>();
        let mut units: Vec<u16> = pairs.iter().map(|&pair| (self.unit)(pair)).collect();
        // The first half of a surrogate pair waits for the second.
        units.pop_if(|last| (0xD800..=0xDBFF).contains(last));
        self.rest.drain(..2 * units.len());
        let decoded = char::decode_utf16(units);
        self.text
            .extend(decoded.map(|read| read.unwrap_or(char::REPLACEMENT_CHARACTER)));
        if !self.text.is_empty() && !std::mem::replace(&mut self.is_begun, true) {
            let mark = self.text.strip_prefix(BYTE_ORDER_MARK);
            self.given = mark.map_or(0, |_| BYTE_ORDER_MARK.len_utf8());
        }
        Ok(())
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() {
            if self.is_ended || buffer.is_empty() {
                return Ok(0);
            }
            self.refill()?;
        }
        let left = &self.text.as_bytes()[self.given..];
        let count = left.len().min(buffer.len());
        buffer[..count].copy_from_slice(&left[..count]);
        self.given += count;
        Ok(count)
    }
}
