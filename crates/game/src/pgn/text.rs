//! The text of a file as bytes, and the one way to decode it.

use core::fmt;
use core::str;
use std::borrow::Cow;

/// The bytes of a comment, without its braces or semicolon, or of a tag's value, without its quotes.
///
/// They are decoded on demand, because most readers do not need the characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Text<'a> {
    raw: &'a [u8],
    escapes: Escapes,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Escapes {
    /// A backslash stands for itself.
    Literal,
    /// A backslash before a quote or a backslash stands for that character.
    Quoted,
}

impl<'a> Text<'a> {
    /// Wraps the text of a comment.
    pub const fn comment(raw: &'a [u8]) -> Text<'a> {
        Text {
            raw,
            escapes: Escapes::Literal,
        }
    }

    /// Wraps the raw value of a tag, as between the quotes.
    pub const fn quoted(raw: &'a [u8]) -> Text<'a> {
        Text {
            raw,
            escapes: Escapes::Quoted,
        }
    }

    /// Returns the bytes as they are in the file.
    pub const fn raw(self) -> &'a [u8] {
        self.raw
    }

    /// Returns the characters. Bytes that are not valid UTF-8 are read as Windows-1252, the encoding of most old
    /// files, and in a tag's value the escaping backslashes are removed.
    ///
    /// ```
    /// use tabiya_game::pgn::Text;
    ///
    /// assert_eq!(Text::comment("Márczy".as_bytes()).decode(), "Márczy");
    /// assert_eq!(Text::comment(b"M\xE1rczy \x96 so").decode(), "Márczy – so");
    /// assert_eq!(Text::quoted(br#"the \"Immortal\""#).decode(), "the \"Immortal\"");
    /// ```
    pub fn decode(self) -> Cow<'a, str> {
        let text = decode(self.raw);
        match self.escapes {
            Escapes::Quoted if self.raw.contains(&b'\\') => Cow::Owned(unescape(&text)),
            _ => text,
        }
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Text({:?})", self.decode())
    }
}

/// Decodes UTF-8, and every byte that is not valid UTF-8 as Windows-1252.
pub(super) fn decode(raw: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(raw) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(raw.len() + raw.len() / 8);
    for chunk in raw.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|&byte| windows_1252(byte)));
    }
    Cow::Owned(text)
}

/// Decodes a byte of Windows-1252, which is Latin-1 with letters and symbols in place of 27 of its 32 upper control
/// characters.
pub(super) fn windows_1252(byte: u8) -> char {
    const UPPER: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž',
        '\u{8F}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}',
        'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9F => UPPER[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// Removes the backslashes before quotes and backslashes.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, characters.peek()) {
            ('\\', Some(&next @ ('"' | '\\'))) => {
                plain.push(next);
                characters.next();
            }
            _ => plain.push(c),
        }
    }
    plain
}
