//! Any bytes as a file of games, in any format.

use std::convert::Infallible;
use std::io::Read;

use tabiya_front::input_file::text;
use tabiya_game::pgn::{Reader, Visitor};

/// How much is read of a file that may unpack to much more.
const MOST: u64 = 1 << 22;

/// Reads any bytes as text without a panic, with the same result in chunks of any size. What comes out of UTF-16 is
/// UTF-8. However much a file unpacks to, no chunk is larger than requested.
pub fn text_input(bytes: &[u8]) {
    let (size, bytes) = match bytes {
        [size, rest @ ..] => (usize::from(*size).max(1), rest),
        [] => (1, bytes),
    };
    let whole = everything(bytes, 1 << 16);
    // One byte at a time takes long for a file that unpacks to much.
    if whole.as_ref().is_none_or(|(text, _)| text.len() < 1 << 14) {
        match (everything(Pieces { bytes, size }, size), &whole) {
            // How much is read before a fault is noticed depends on the size of the chunks.
            (Some((pieces, false)), Some((whole, false))) => {
                let common = pieces.len().min(whole.len());
                assert_eq!(pieces[..common], whole[..common], "in pieces of {size}");
            }
            // What comes before the fault also determines what the file is, and so whether it is read at all.
            (Some((_, false)), None) | (None, Some((_, false))) => {}
            (pieces, whole) => assert_eq!(&pieces, whole, "in pieces of {size}"),
        }
    }
    let Some((text, _)) = whole else { return };
    if let [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] = bytes {
        assert!(std::str::from_utf8(&text).is_ok());
    }
    let mut games = Reader::new(&text[..]);
    let read = games.read_all(&mut Nobody);
    let Ok(_) = read;
}

/// Returns what is read, and whether it ended without a fault; `None` if it is not read at all.
fn everything<'a>(bytes: impl Read + Send + 'a, size: usize) -> Option<(Vec<u8>, bool)> {
    let mut reader = text(bytes).ok()?.take(MOST);
    let mut out = Vec::new();
    let mut buffer = vec![0; size];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Some((out, true)),
            Ok(count) => out.extend_from_slice(&buffer[..count]),
            Err(_) => return Some((out, false)),
        }
    }
}

struct Pieces<'a> {
    bytes: &'a [u8],
    size: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let size = self.size.min(buffer.len());
        self.bytes.read(&mut buffer[..size])
    }
}

struct Nobody;

impl Visitor for Nobody {
    type Output = ();
    type Stop = Infallible;

    fn end_game(&mut self) {}
}
