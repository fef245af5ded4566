//! Any bytes as PGN, whole and in chunks, and any record written and read back. The tests try them over a corpus and
//! with seeded input; the fuzz targets try their own bytes.

use core::convert::Infallible;
use core::ops::ControlFlow;
use core::time::Duration;

use tabiya_game::pgn::{
    self, Flow, Format, PgnGame, Reader, RecordReader, Source, TextPosition, Visitor,
};
use tabiya_game::{Comment, Evaluation, GameResult, Glyph, Node, NodeId, Record};
use tabiya_rules::{Position, Score};

/// Reads any bytes without a panic, and checks that every record in them survives being written.
///
/// # Panics
/// Panics if a property does not hold.
pub fn pgn(data: &[u8]) {
    for game in pgn::games(data) {
        for error in &game.errors {
            assert!(!error.to_string().chars().any(char::is_control));
            assert!(error.place.offset() <= data.len() as u64);
        }
        for format in [Format::Export, Format::Compact] {
            let text = pgn::to_string(&game.record, format);
            let again: Vec<_> = pgn::games(text.as_bytes()).collect();
            assert_eq!(again.len(), 1);
            assert_eq!(again[0].errors, []);
            assert_eq!(again[0].record, game.record);
        }
    }
}

/// Checks that chunk boundaries never change what is read, that a file may be split where a game clearly begins, and
/// that skipping does not move any game. The first two bytes say where to split.
///
/// # Panics
/// Panics if a property does not hold.
pub fn pgn_chunked(data: &[u8]) {
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
        let mut place = TextPosition::START;
        place.advance(first);
        let mut parts = all(RecordReader::new(first));
        parts.extend(all(RecordReader::from_reader(Reader::starting_at(
            second, place,
        ))));
        assert_eq!(parts, whole);
    }
}

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
    type Output = ();
    type Stop = Infallible;

    fn begin_game(&mut self, offset: u64) -> ControlFlow<Infallible, Flow> {
        self.0.push(offset);
        ControlFlow::Continue(Flow::Skip)
    }

    fn end_game(&mut self) {}
}

fn all<S: Source<Error = Infallible>>(mut reader: RecordReader<S>) -> Vec<PgnGame> {
    core::iter::from_fn(|| reader.read().unwrap_or_else(|never| match never {})).collect()
}

/// Checks that any record is read back as it was written. The bytes decide every step, comment and tag.
///
/// # Panics
/// Panics if a property does not hold.
pub fn pgn_write(data: &[u8]) {
    let mut choices = Choices(data);
    let start = match choices.byte() {
        number @ 0..128 => {
            Position::chess960(u16::from(number) * 7).unwrap_or_else(Position::start)
        }
        _ => Position::start(),
    };
    let mut record = Record::new(start);
    for _ in 0..choices.byte() % 4 {
        let (name, value) = (choices.text(), choices.text());
        // An invalid tag is refused.
        let _ = record.tags_mut().set(&name, &value);
    }
    let results = [
        GameResult::WhiteWins,
        GameResult::BlackWins,
        GameResult::Draw,
        GameResult::Unknown,
    ];
    record.set_result(results[choices.below(4)]);
    let mut nodes = vec![NodeId::ROOT];
    while !choices.0.is_empty() {
        let parent = match choices.byte() {
            0..64 => nodes[choices.below(nodes.len())],
            _ => nodes[nodes.len() - 1],
        };
        let Some(node) = record.node(parent) else {
            return;
        };
        let moves = node.position().legal_moves();
        let added = match choices.below(moves.len() + 1) {
            0 => record.add_null(parent),
            index => record.add(parent, moves[index - 1]),
        };
        if let Ok(id) = added {
            nodes.push(id);
            annotate(&mut choices, &mut record, id);
        }
    }
    for format in [Format::Export, Format::Compact] {
        let text = pgn::to_string(&record, format);
        let games: Vec<_> = pgn::games(text.as_bytes()).collect();
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].errors, []);
        assert_eq!(games[0].record, record);
    }
}

/// Bytes as choices; zeros once they are used up.
struct Choices<'a>(&'a [u8]);

impl<'a> Choices<'a> {
    fn byte(&mut self) -> u8 {
        match self.0 {
            [first, rest @ ..] => {
                self.0 = rest;
                *first
            }
            [] => 0,
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        (usize::from(self.byte()) << 8 | usize::from(self.byte())) % bound
    }

    fn text(&mut self) -> String {
        let length = usize::from(self.byte() & 31).min(self.0.len());
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8_lossy(text).into_owned()
    }
}

fn annotate(choices: &mut Choices<'_>, record: &mut Record, id: NodeId) {
    let is_variation = record
        .node(id)
        .and_then(Node::parent)
        .and_then(Node::next)
        .is_some_and(|first| first.id() != id);
    let Some(annotation) = record.annotation_mut(id) else {
        return;
    };
    match choices.byte() % 8 {
        0 => annotation.comments.extend(Comment::new(&choices.text())),
        1 => annotation.glyphs.push(Glyph(choices.byte())),
        2 => annotation.clock = Some(Duration::from_millis(choices.below(1 << 16) as u64)),
        3 => {
            let score = Score::Centipawns(choices.below(1 << 16) as i32 - (1 << 15));
            annotation.evaluation = Some(Evaluation { score, depth: None });
        }
        4 => {
            let (name, argument) = (choices.text(), choices.text());
            // An invalid command is refused.
            let _ = annotation.add_command(&name, &argument);
        }
        5 if is_variation => annotation.before.extend(Comment::new(&choices.text())),
        6 if is_variation => annotation.after.extend(Comment::new(&choices.text())),
        _ => {}
    }
}
