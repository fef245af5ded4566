//! Text of a file as bytes, and the one way it becomes characters.

use core::fmt;
use core::str;
use std::borrow::Cow;

/// The bytes of a comment, without its braces or semicolon, or of a tag's value, without its quotes.
///
/// They are not decoded until somebody asks, because most readers never do.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Text<'a> {
    raw: &'a [u8],
    escapes: Escapes,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Escapes {
    /// A backslash is itself.
    Literal,
    /// A backslash before a quote or a backslash stands for that character.
    Quoted,
}

impl<'a> Text<'a> {
    /// The text of a comment.
    pub const fn comment(raw: &'a [u8]) -> Text<'a> {
        Text {
            raw,
            escapes: Escapes::Literal,
        }
    }

    /// The value of a tag as it stands between the quotes.
    pub const fn quoted(raw: &'a [u8]) -> Text<'a> {
        Text {
            raw,
            escapes: Escapes::Quoted,
        }
    }

    /// The bytes as they stand in the file.
    pub const fn raw(self) -> &'a [u8] {
        self.raw
    }

    /// The characters. Bytes that are not valid UTF-8 are taken for Latin-1, all of them, and in a tag's value the
    /// backslashes that escape are gone.
    ///
    /// ```
    /// use tabiya_game::pgn::Text;
    ///
    /// assert_eq!(Text::comment("Márczy".as_bytes()).decode(), "Márczy");
    /// assert_eq!(Text::comment(b"M\xE1rczy").decode(), "Márczy");
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

/// UTF-8 if it is valid, otherwise Latin-1, in which every byte is the character of that number.
pub(super) fn decode(raw: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(raw) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(raw.iter().map(|&byte| char::from(byte)).collect()),
    }
}

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
