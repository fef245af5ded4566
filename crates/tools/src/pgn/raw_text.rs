//! The raw text of the game being read, so that it can be copied as it is.

use std::cell::RefCell;
use std::rc::Rc;

use tabiya_game::pgn::Source;

/// How many bytes of one game are kept.
const MAX_GAME_LENGTH: usize = 1 << 23;

/// The message about a game that is longer than that, given the file and where the game begins.
pub(crate) fn too_long(file: &str, offset: u64) -> String {
    format!(
        "{file}: the game that begins after {offset} bytes is longer than {MAX_GAME_LENGTH} bytes and was left out"
    )
}

/// At least as many bytes as a reader takes from its source in advance.
const AHEAD: usize = 1 << 22;

/// What has passed through a [`Recording`] source since the beginning of a game.
#[derive(Clone, Debug)]
pub(crate) struct RawText(Rc<RefCell<Window>>);

#[derive(Debug)]
struct Window {
    bytes: Vec<u8>,
    /// The offset of the first byte in the file.
    base: u64,
    /// Nothing before this offset will be needed.
    needed: u64,
}

impl RawText {
    /// Records a source that begins at an offset of the file.
    pub(crate) fn record<S>(source: S, offset: u64) -> (RawText, Recording<S>) {
        let kept = RawText(Rc::new(RefCell::new(Window {
            bytes: Vec::new(),
            base: offset,
            needed: offset,
        })));
        (kept.clone(), Recording { source, kept })
    }

    /// Passes on the bytes between two offsets, unless they were too many to keep.
    pub(crate) fn with<T>(&self, from: u64, to: u64, act: impl FnOnce(&[u8]) -> T) -> Option<T> {
        let window = self.0.borrow();
        let index = |offset: u64| usize::try_from(offset.checked_sub(window.base)?).ok();
        let text = window.bytes.get(index(from)?..index(to)?)?;
        (text.len() <= MAX_GAME_LENGTH).then(|| act(text))
    }

    /// Forgets everything before an offset.
    pub(crate) fn forget(&self, before: u64) {
        self.0.borrow_mut().needed = before;
    }
}

impl Window {
    /// Adds bytes that have passed through, and drops those that are no longer needed.
    fn push(&mut self, bytes: &[u8]) {
        let done = usize::try_from(self.needed - self.base).unwrap_or(usize::MAX);
        let done = done.min(self.bytes.len());
        if done > self.bytes.len() / 2 {
            self.drop_front(done);
        } else if self.bytes.len() - done > MAX_GAME_LENGTH + AHEAD {
            // The game is too long, and the reader has not found the next one yet.
            self.drop_front(self.bytes.len() - AHEAD);
        }
        self.bytes.extend_from_slice(bytes);
    }

    fn drop_front(&mut self, count: usize) {
        self.bytes.drain(..count);
        self.base += count as u64;
        self.needed = self.needed.max(self.base);
    }
}

/// A source that records what passes through it.
#[derive(Debug)]
pub(crate) struct Recording<S> {
    source: S,
    kept: RawText,
}

impl<S: Source> Source for Recording<S> {
    type Error = S::Error;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, S::Error> {
        let count = self.source.fill(buffer)?;
        self.kept.0.borrow_mut().push(&buffer[..count]);
        Ok(count)
    }
}

#[cfg(test)]
mod tests;
