//! The inner loop: reads eight bytes at a time, for the tokens that make up nearly all of a file.
//!
//! It stops before anything unusual and leaves that to the slow path.

use core::ops::ControlFlow;

use super::text::Text;
use super::visitor::{Interrupt, Visitor};

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * ONES;

/// The most comment bytes searched here before the search for long texts takes over.
const SHORT_COMMENT: usize = 48;

/// Where the loop stopped, and why.
#[derive(Debug)]
pub(super) struct Pause<B> {
    /// The first byte that was not consumed.
    pub(super) at: usize,
    /// Whether a move was consumed.
    pub(super) moved: bool,
    /// What the visitor did not accept: where it begins, and why. It ends where the loop stopped.
    pub(super) refused: Option<(usize, Interrupt<B>)>,
}

/// Reads ordinary tokens that begin before `limit`. At least eight bytes must follow every index before it.
#[inline]
pub(super) fn movetext<V: Visitor>(
    bytes: &[u8],
    mut at: usize,
    limit: usize,
    visitor: &mut V,
) -> Pause<V::Stop> {
    let mut moved = false;
    while at < limit {
        let word = load(bytes, at);
        let first = word as u8;
        if first.is_ascii_alphabetic() {
            let Some((length, step)) = plain_move(bytes, at, word) else {
                break;
            };
            moved = true;
            if let ControlFlow::Break(why) = visitor.san(&bytes[at..at + length]) {
                return Pause {
                    at: at + length,
                    moved,
                    refused: Some((at, why)),
                };
            }
            at += step;
        } else if first == b' ' {
            at += 1;
        } else if matches!(first, b'1'..=b'9') {
            let Some(end) = number(bytes, at + 1) else {
                break;
            };
            at = end;
        } else if first == b'{' {
            let Some(length) = short_comment(bytes, at + 1) else {
                break;
            };
            let text = Text::comment(&bytes[at + 1..at + 1 + length]);
            if let ControlFlow::Break(why) = visitor.comment(text) {
                return Pause {
                    at: at + length + 2,
                    moved,
                    refused: Some((at, why)),
                };
            }
            at += length + 2;
        } else if first == b'\n' && bytes[at + 1].is_ascii_alphanumeric() {
            at += 1;
        } else if first == b'\r' && bytes[at + 1] == b'\n' && bytes[at + 2].is_ascii_alphanumeric()
        {
            at += 2;
        } else {
            break;
        }
    }
    Pause {
        at,
        moved,
        refused: None,
    }
}

/// Returns where a move number ends, periods included, if it is not the beginning of a result.
#[inline(always)]
fn number(bytes: &[u8], mut at: usize) -> Option<usize> {
    let start = at;
    while bytes[at].is_ascii_digit() {
        at += 1;
        if at - start > 8 {
            return None;
        }
    }
    if bytes[at] != b'.' {
        return is_bare_number(bytes, at).then_some(at);
    }
    while bytes[at] == b'.' {
        at += 1;
    }
    Some(at)
}

/// Returns whether digits that end here without a period are a move number, not the beginning of a result or a
/// date.
fn is_bare_number(bytes: &[u8], at: usize) -> bool {
    match bytes[at] {
        b' ' => bytes[at + 1].is_ascii_alphanumeric(),
        byte => byte.is_ascii_alphanumeric(),
    }
}

/// Returns the length of a move that ends with a square and an optional check mark and is followed by white space,
/// without and with a space after it.
#[inline(always)]
fn plain_move(bytes: &[u8], at: usize, word: u64) -> Option<(usize, usize)> {
    let length = alphanumeric_prefix(word);
    if !(2..8).contains(&length) {
        return None;
    }
    let file = (word >> (8 * length - 16)) as u8;
    let rank = (word >> (8 * length - 8)) as u8;
    if !matches!(file, b'a'..=b'h') || !matches!(rank, b'1'..=b'8') {
        return None;
    }
    if (word >> (8 * length)) as u8 == b' ' {
        return Some((length, length + 1));
    }
    let length = length + rare_end(bytes, at + length)?;
    Some((length, length))
}

/// Returns the number of bytes after a move's square that still belong to it, if white space follows: one for a
/// check mark, or none.
#[inline(always)]
fn rare_end(bytes: &[u8], at: usize) -> Option<usize> {
    let is_space = |byte: u8| matches!(byte, b' ' | b'\n' | b'\r');
    let extra = usize::from(bytes[at] == b'+' || bytes[at] == b'#');
    is_space(bytes[at + extra]).then_some(extra)
}

/// Returns the length of a comment that ends soon and on the same line.
#[inline(always)]
fn short_comment(bytes: &[u8], start: usize) -> Option<usize> {
    let mut length = 0;
    while length < SHORT_COMMENT {
        let word = bytes
            .get(start + length..)
            .and_then(|rest| rest.first_chunk())?;
        let word = u64::from_le_bytes(*word);
        let stops = first_equal(word, b'}') | first_below_space(word);
        if stops != 0 {
            length += (stops.trailing_zeros() / 8) as usize;
            return (bytes[start + length] == b'}').then_some(length);
        }
        length += 8;
    }
    None
}

/// Returns the length of a tag's value up to the first quote, backslash or control character, if that is a quote.
#[inline(always)]
pub(super) fn short_value(bytes: &[u8], start: usize) -> Option<usize> {
    let mut length = 0;
    loop {
        let word = bytes
            .get(start + length..)
            .and_then(|rest| rest.first_chunk())?;
        let word = u64::from_le_bytes(*word);
        let stops = first_equal(word, b'"') | first_equal(word, b'\\') | first_below_space(word);
        if stops != 0 {
            length += (stops.trailing_zeros() / 8) as usize;
            return (bytes[start + length] == b'"').then_some(length);
        }
        length += 8;
    }
}

/// Eight bytes, the first one lowest.
#[inline(always)]
pub(super) fn load(bytes: &[u8], at: usize) -> u64 {
    let bytes = &bytes[at..at + 8];
    u64::from_le_bytes([
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
    ])
}

/// Returns the number of letters and digits before the first of eight bytes that is neither.
#[inline(always)]
pub(super) fn alphanumeric_prefix(word: u64) -> usize {
    let low = word & !HIGH;
    let folded = low | (0x20 * ONES);
    let letter = (folded + (0x80 - b'a' as u64) * ONES) & !(folded + (0x7F - b'z' as u64) * ONES);
    let digit = (low + (0x80 - b'0' as u64) * ONES) & !(low + (0x7F - b'9' as u64) * ONES);
    prefix((letter | digit) & !word)
}

/// Returns the number of bytes with their highest bit set before the first without.
#[inline(always)]
fn prefix(flags: u64) -> usize {
    ((!flags & HIGH).trailing_zeros() / 8) as usize
}

/// Returns the highest bit of each byte that equals `byte`. Bytes above the first match may be flagged as well, so
/// this only finds the first.
#[inline(always)]
fn first_equal(word: u64, byte: u8) -> u64 {
    let difference = word ^ (u64::from(byte) * ONES);
    difference.wrapping_sub(ONES) & !difference & HIGH
}

/// Returns the highest bit of each byte below the space. Like [`first_equal`], it only finds the first.
#[inline(always)]
fn first_below_space(word: u64) -> u64 {
    word.wrapping_sub(0x20 * ONES) & !word & HIGH
}
