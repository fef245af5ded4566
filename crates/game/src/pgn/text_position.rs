//! Positions in a text, computed only when needed: for an error, or when the buffer moves on.

use core::fmt;

use memchr::{memchr, memchr_iter, memrchr2};

/// A position in the input: the number of bytes before it, and its line and column, which count from 1.
///
/// A line ends with LF, CR LF or CR. Columns count UTF-8 characters. It displays as `3:14`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextPosition {
    offset: u64,
    line: u64,
    column: u64,
    /// Whether the byte before was a CR, so that a following LF belongs to it.
    after_cr: bool,
}

impl TextPosition {
    /// The position before the first byte.
    pub const START: TextPosition = TextPosition {
        offset: 0,
        line: 1,
        column: 1,
        after_cr: false,
    };

    /// Returns the number of bytes before it.
    pub const fn offset(self) -> u64 {
        self.offset
    }

    /// Returns the line, from 1.
    pub const fn line(self) -> u64 {
        self.line
    }

    /// Returns the column, from 1.
    pub const fn column(self) -> u64 {
        self.column
    }

    /// Advances the position past these bytes. Use it when reading the parts of a file separately, to give each
    /// part its place in the whole.
    ///
    /// ```
    /// use tabiya_game::pgn::TextPosition;
    ///
    /// let mut place = TextPosition::START;
    /// place.advance(b"1. e4\n1... e5");
    /// assert_eq!((place.line(), place.column()), (2, 8));
    /// ```
    pub fn advance(&mut self, bytes: &[u8]) {
        let Some(&last) = bytes.last() else { return };
        self.offset += bytes.len() as u64;
        let breaks = line_ends(bytes, self.after_cr);
        self.after_cr = last == b'\r';
        let tail = match memrchr2(b'\n', b'\r', bytes) {
            Some(index) => {
                self.column = 1;
                &bytes[index + 1..]
            }
            None => bytes,
        };
        self.line += breaks;
        self.column += tail.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64;
    }
}

impl fmt::Debug for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "TextPosition({}:{} at {})",
            self.line, self.column, self.offset
        )
    }
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Returns the number of lines that end in these bytes. A CR counts as a line break, and an LF right after it
/// does not count again.
fn line_ends(bytes: &[u8], after_cr: bool) -> u64 {
    let feeds = memchr_iter(b'\n', bytes).count() as u64;
    let joined = u64::from(after_cr && bytes.first() == Some(&b'\n'));
    let Some(first) = memchr(b'\r', bytes) else {
        return feeds - joined;
    };
    let pairs = memchr_iter(b'\r', &bytes[first..])
        .map(|index| u64::from(bytes.get(first + index + 1) != Some(&b'\n')))
        .sum::<u64>();
    feeds - joined + pairs
}
