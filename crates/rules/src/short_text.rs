//! A short ASCII text without allocation. Moves, squares and scores are written into it.

use core::fmt;
use core::ops::Deref;

/// Up to `N` ASCII bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ShortText<const N: usize> {
    length: u8,
    bytes: [u8; N],
}

impl<const N: usize> ShortText<N> {
    pub(crate) const fn new() -> Self {
        ShortText {
            length: 0,
            bytes: [0; N],
        }
    }

    /// Adds a byte. A byte that does not fit is dropped, but callers choose sizes that prevent
    /// this.
    #[inline(always)]
    pub(crate) fn push(&mut self, byte: u8) {
        debug_assert!(byte.is_ascii() && usize::from(self.length) < N);
        if let Some(place) = self.bytes.get_mut(usize::from(self.length)) {
            *place = byte;
            self.length += 1;
        }
    }

    pub(crate) fn push_all(&mut self, text: &str) {
        for byte in text.bytes() {
            self.push(byte);
        }
    }
}

impl<const N: usize> fmt::Write for ShortText<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_all(text);
        Ok(())
    }
}

impl<const N: usize> Deref for ShortText<N> {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        let bytes = self.bytes.get(..usize::from(self.length)).unwrap_or(&[]);
        core::str::from_utf8(bytes).unwrap_or("")
    }
}

impl<const N: usize> fmt::Display for ShortText<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl<const N: usize> fmt::Debug for ShortText<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
