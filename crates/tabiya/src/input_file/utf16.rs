//! Converts UTF-16 to UTF-8, block by block.

use std::io::{self, Read};

/// How many bytes are read at once.
const BLOCK: usize = 1 << 13;

/// The order of the two bytes of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

/// Reads UTF-16 and returns UTF-8. Invalid code units become `\u{FFFD}`; a byte order mark at the beginning is dropped.
#[derive(Debug)]
pub(super) struct Utf16<R> {
    reader: R,
    order: ByteOrder,
    /// The first byte of an incomplete unit.
    odd: Option<u8>,
    /// The first half of an incomplete surrogate pair.
    high: Option<u16>,
    is_begun: bool,
    is_ended: bool,
    text: String,
    /// How much of the text has been returned.
    given: usize,
}

impl<R: Read> Utf16<R> {
    pub(super) fn new(reader: R, order: ByteOrder) -> Utf16<R> {
        Utf16 {
            reader,
            order,
            odd: None,
            high: None,
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
        for &byte in &block[..count] {
            match self.odd.take() {
                None => self.odd = Some(byte),
                Some(first) => self.unit(match self.order {
                    ByteOrder::Little => u16::from_le_bytes([first, byte]),
                    ByteOrder::Big => u16::from_be_bytes([first, byte]),
                }),
            }
        }
        if count == 0 {
            self.is_ended = true;
            let is_cut = self.odd.take().is_some() | self.high.take().is_some();
            self.text
                .extend(is_cut.then_some(char::REPLACEMENT_CHARACTER));
        }
        Ok(())
    }

    fn unit(&mut self, unit: u16) {
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        if is_first && unit == 0xFEFF {
            return;
        }
        let units: &[u16] = match self.high.take() {
            Some(high) => &[high, unit],
            None => &[unit],
        };
        let mut left = units;
        while let [first, rest @ ..] = left {
            match (first, rest) {
                (0xD800..=0xDBFF, []) => self.high = Some(*first),
                (0xD800..=0xDBFF, [0xDC00..=0xDFFF]) => {
                    self.text
                        .extend(char::decode_utf16(left.iter().copied()).flatten());
                    return;
                }
                _ => {
                    let c = char::from_u32(u32::from(*first));
                    self.text.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
                }
            }
            left = rest;
        }
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
