//! Tokens as people paste them from books, web pages and messages: figurines, long dashes, `½` and `×`, respelled in
//! ASCII.

use core::str;

use super::text::windows_1252;

/// More bytes than any move or result has.
const LONGEST: usize = 24;

/// A text respelled in ASCII as far as possible, and where each byte comes from.
#[derive(Debug)]
pub(super) struct Spelled {
    bytes: [u8; LONGEST],
    /// For each byte, where in the text its character ends.
    ends: [u8; LONGEST],
    length: usize,
}

impl Spelled {
    /// Respells the beginning of a text; `None` if it is already ASCII, or begins with something else.
    #[inline]
    pub(super) fn new(text: &[u8]) -> Option<Spelled> {
        const HIGH: u128 = u128::from_le_bytes([0x80; 16]);
        let is_ascii = match text.first_chunk() {
            Some(window) => u128::from_le_bytes(*window) & HIGH == 0,
            None => text.is_ascii(),
        };
        if is_ascii {
            return None;
        }
        Spelled::spell(text)
    }

    /// Respells characters as long as they belong to a move or a result.
    #[cold]
    fn spell(text: &[u8]) -> Option<Spelled> {
        let mut spelled = Spelled {
            bytes: [0; LONGEST],
            ends: [0; LONGEST],
            length: 0,
        };
        let mut at = 0;
        while let Some((c, length)) = first_char(&text[at..]) {
            at += length;
            let mut ascii = [0];
            let spelling = match c {
                '\0'..='\x7F' => {
                    ascii[0] = c as u8;
                    &ascii[..]
                }
                _ => match spelling(c) {
                    Some(spelling) => spelling,
                    None => break,
                },
            };
            if spelled.length + spelling.len() > LONGEST || at > usize::from(u8::MAX) {
                break;
            }
            for &byte in spelling {
                spelled.bytes[spelled.length] = byte;
                spelled.ends[spelled.length] = at as u8;
                spelled.length += 1;
            }
            // A character without a spelling belongs to the one before it.
            if spelling.is_empty() && spelled.length > 0 {
                spelled.ends[spelled.length - 1] = at as u8;
            }
        }
        (spelled.length > 0).then_some(spelled)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Returns the number of bytes of the text that the first bytes of the spelling stand for.
    pub(super) fn source_length(&self, length: usize) -> usize {
        match length.checked_sub(1) {
            Some(last) => usize::from(self.ends[last]),
            None => 0,
        }
    }
}

/// Returns the first character of a text and its length. A byte that is not UTF-8 is read as Windows-1252.
pub(super) fn first_char(text: &[u8]) -> Option<(char, usize)> {
    let &first = text.first()?;
    if first.is_ascii() {
        return Some((char::from(first), 1));
    }
    let decoded = (2..=4).find_map(|length| {
        let bytes = text.get(..length)?;
        str::from_utf8(bytes).ok()?.chars().next()
    });
    Some(match decoded {
        Some(c) => (c, c.len_utf8()),
        None => (windows_1252(first), 1),
    })
}

/// Returns what a character means in a move or a result.
fn spelling(c: char) -> Option<&'static [u8]> {
    Some(match c {
        '♔' | '♚' => b"K",
        '♕' | '♛' => b"Q",
        '♖' | '♜' => b"R",
        '♗' | '♝' => b"B",
        '♘' | '♞' => b"N",
        '♙' | '♟' => b"P",
        // Hyphens, dashes, the minus sign and their wide forms.
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' | '\u{FF0D}' => b"-",
        '×' | '✕' | '✖' => b"x",
        // The Cyrillic and the Greek letter that look like the O of castling.
        'О' | 'о' | 'Ο' | 'ο' => b"O",
        '½' => b"1/2",
        '⁄' | '∕' => b"/",
        '†' => b"+",
        '‡' => b"#",
        '\u{FE0E}' | '\u{FE0F}' => b"",
        _ => return None,
    })
}

/// Returns the glyph that a symbol stands for.
pub(super) fn glyph(c: char) -> Option<u8> {
    Some(match c {
        '‼' => 3,
        '⁇' => 4,
        '⁉' => 5,
        '⁈' => 6,
        '□' => 7,
        '∞' => 13,
        '⩲' => 14,
        '⩱' => 15,
        '±' => 16,
        '∓' => 17,
        '⨀' | '⊙' => 22,
        '○' => 26,
        '⟳' | '↻' => 32,
        '↑' => 36,
        '→' => 40,
        '⇆' | '⇄' => 132,
        '⊕' | '⨁' => 138,
        '∆' | '△' | 'Δ' => 140,
        '⌓' => 142,
        _ => return None,
    })
}

/// Returns whether a character separates tokens like white space: spaces of every width, invisible characters, and
/// the ellipsis.
pub(super) fn is_separator(c: char) -> bool {
    matches!(c,
        '…' | '\u{85}' | '\u{A0}' | '\u{AD}' | '\u{2000}'..='\u{200F}' | '\u{2028}'..='\u{202F}'
        | '\u{205F}'..='\u{2064}' | '\u{3000}' | '\u{FE0E}' | '\u{FE0F}' | '\u{FEFF}')
}
