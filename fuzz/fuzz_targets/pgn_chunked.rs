//! How bytes are cut into pieces never changes what is read, where a game plainly begins a file may be cut in two, and
//! skipping moves no game. The first two bytes say where to cut.

#![no_main]

use core::convert::Infallible;

use libfuzzer_sys::fuzz_target;
use tabiya_game::pgn::{self, Flow, PgnGame, Place, Reader, RecordReader, Source, Visitor};

struct Pieces<'a> {
    bytes: &'a [u8],
    size: usize,
}

impl Source for Pieces<'_> {
    type Error = Infallible;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let size = self.size.min(buffer.len());
        self.bytes.fill(&mut buffer[..size])
    }
}

/// Skips every game.
#[derive(Default)]
struct Offsets(Vec<u64>);

impl Visitor for Offsets {
    fn begin_game(&mut self, offset: u64) -> Flow {
        self.0.push(offset);
        Flow::Skip
    }
}

fn all<S: Source<Error = Infallible>>(mut reader: RecordReader<S>) -> Vec<PgnGame> {
    core::iter::from_fn(|| reader.read().unwrap_or_else(|never| match never {})).collect()
}

fuzz_target!(|data: &[u8]| {
    let [size, cut, text @ ..] = data else { return };
    let whole: Vec<_> = pgn::games(text).collect();
    let size = usize::from(*size).max(1);
    assert_eq!(all(RecordReader::new(Pieces { bytes: text, size })), whole);

    let mut offsets = Offsets::default();
    Reader::new(text)
        .read_all(&mut offsets)
        .unwrap_or_else(|never| match never {});
    assert_eq!(
        offsets.0,
        whole.iter().map(|game| game.offset).collect::<Vec<_>>()
    );

    let end = text.len() * usize::from(*cut) / 255;
    if let Some(cut) = pgn::last_game(&text[..end]) {
        let (first, second) = text.split_at(cut);
        let mut place = Place::START;
        place.advance(first);
        let mut parts = all(RecordReader::new(first));
        parts.extend(all(RecordReader::from_reader(Reader::starting_at(
            second, place,
        ))));
        assert_eq!(parts, whole);
    }
});
