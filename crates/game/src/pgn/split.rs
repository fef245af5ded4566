//! Splitting a file into parts that can be read in parallel.

use memchr::memmem;

/// The tag that every game in export format begins with, after an empty line.
const BEGINNING: &[u8] = b"[Event \"";

/// Returns where the last game in a part of a file begins: the index of an `Event` tag after an empty line, or `None`
/// if there is none after the first byte.
///
/// A game begins there whatever comes before it, even an unclosed comment. So a file can be split at these places and
/// its parts read by different threads, as [`read_parts`](super::read_parts) does, each with
/// [`Reader::starting_at`](super::Reader::starting_at) and a [`TextPosition`](super::TextPosition) advanced over the
/// parts before it. Games, errors and positions are then the same as for one reader of the whole.
///
/// ```
/// use tabiya_game::pgn;
///
/// let text = b"[Event \"A\"]\n\n1. e4 {open *\n\n[Event \"B\"]\n\n1. d4 *\n";
/// let cut = pgn::last_game(text).unwrap();
/// assert_eq!(pgn::games(text).count(), 2);
/// assert_eq!(pgn::games(&text[..cut]).count() + pgn::games(&text[cut..]).count(), 2);
/// ```
pub fn last_game(part: &[u8]) -> Option<usize> {
    memmem::rfind_iter(part, BEGINNING).find(|&index| {
        let before = &part[..index];
        before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n") || before.ends_with(b"\r\r")
    })
}
