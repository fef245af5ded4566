//! Visitors that want little, sources that fail, and what readers say about themselves.

use super::super::{
    Flow, MoveVisitor, PgnErrorKind, Reader, RecordReader, Replay, Source, Text, Visitor,
};
use crate::record::Step;
use tabiya_rules::Position;

const TEXT: &[u8] =
    b"[Event \"a\"]\n\n{c} 1. e4! $2 {d} (1. d4 d5) e5 2. zz Nf3 1-0 {e}\n\n1. d4 *";

/// Takes everything as it comes.
struct Indifferent;

impl Visitor for Indifferent {}
impl MoveVisitor for Indifferent {}

#[test]
fn visitors_need_not_look() {
    assert_eq!(Reader::new(TEXT).read_all(&mut Indifferent), Ok(2));
    assert_eq!(
        Reader::new(TEXT).read_all(&mut Replay::new(Indifferent)),
        Ok(2)
    );
}

/// Counts steps, and refuses and skips what it is told to.
#[derive(Default)]
struct Steps {
    steps: Vec<String>,
    skips_variations: bool,
    skips_moves: bool,
    refuses_comments: bool,
    errors: usize,
}

impl MoveVisitor for Steps {
    fn end_tags(&mut self, start: &Position) -> Flow {
        assert_eq!(*start, Position::start());
        if self.skips_moves {
            Flow::Skip
        } else {
            Flow::Read
        }
    }

    fn step(
        &mut self,
        before: &Position,
        step: Step,
        after: &Position,
    ) -> Result<(), PgnErrorKind> {
        let Some(played) = step.played() else {
            return Err(PgnErrorKind::GameTooLong);
        };
        assert_eq!(before.play_unchecked(played), *after);
        self.steps.push(before.san(played).to_string());
        Ok(())
    }

    fn comment(&mut self, _: Text<'_>) -> Result<(), PgnErrorKind> {
        if self.refuses_comments {
            Err(PgnErrorKind::GameTooLong)
        } else {
            Ok(())
        }
    }

    fn begin_variation(&mut self) -> Flow {
        if self.skips_variations {
            Flow::Skip
        } else {
            Flow::Read
        }
    }

    fn error(&mut self, _: super::super::PgnError) {
        self.errors += 1;
    }
}

fn steps(text: &[u8], visitor: Steps) -> (String, usize) {
    let mut replay = Replay::new(visitor);
    Reader::new(text)
        .read_all(&mut replay)
        .unwrap_or_else(|never| match never {});
    assert!(replay.visitor().errors < 2);
    replay.visitor_mut().skips_moves = false;
    let visitor = replay.into_visitor();
    (visitor.steps.join(" "), visitor.errors)
}

#[test]
fn moves_come_with_their_positions() {
    let all = ("e4 d4 d5 e5 Nf3 d4".to_owned(), 1);
    assert_eq!(steps(TEXT, Steps::default()), all);
    let skips_variations = Steps {
        skips_variations: true,
        ..Steps::default()
    };
    assert_eq!(
        steps(TEXT, skips_variations),
        ("e4 e5 Nf3 d4".to_owned(), 1)
    );
    let skips_moves = Steps {
        skips_moves: true,
        ..Steps::default()
    };
    assert_eq!(steps(TEXT, skips_moves), (String::new(), 0));
}

#[test]
fn visitors_can_refuse_anything() {
    let refuses_comments = || Steps {
        refuses_comments: true,
        ..Steps::default()
    };
    assert_eq!(
        steps(b"1. e4 {short} e5 *", refuses_comments()),
        ("e4".to_owned(), 1)
    );
    assert_eq!(
        steps(b"1. e4 ;line\n e5 *", refuses_comments()),
        ("e4".to_owned(), 1)
    );
    assert_eq!(
        steps(b"1. e4 -- 2. d4 *", Steps::default()),
        ("e4".to_owned(), 1)
    );
}

/// Fails at every other call.
struct Unreliable<'a> {
    bytes: &'a [u8],
    fails: bool,
}

impl Source for Unreliable<'_> {
    type Error = &'static str;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, &'static str> {
        self.fails = !self.fails;
        if self.fails {
            return Err("not now");
        }
        let size = buffer.len().min(100);
        self.bytes
            .fill(&mut buffer[..size])
            .map_err(|never| match never {})
    }
}

#[test]
fn errors_of_the_source_are_handed_on_and_reading_may_go_on() {
    let text = TEXT.repeat(20);
    let mut source = Unreliable {
        bytes: &text,
        fails: false,
    };
    let mut reader = Reader::new(&mut source);
    let (mut games, mut failures) = (0, 0);
    loop {
        match reader.read_game(&mut Indifferent) {
            Ok(true) => games += 1,
            Ok(false) => break,
            Err(error) => {
                assert_eq!(error, "not now");
                failures += 1;
            }
        }
    }
    assert!(games >= 20 && failures >= 10, "{games} {failures}");
    assert_eq!(reader.offset(), text.len() as u64);
    assert!(reader.into_source().bytes.is_empty());

    let mut records = RecordReader::new(Unreliable {
        bytes: b"1. e4 *",
        fails: false,
    });
    assert_eq!(records.read(), Err("not now"));
    let game = (0..3).find_map(|_| records.read().ok()).flatten();
    assert_eq!(game.map(|game| game.record.cursor_line().count()), Some(1));
    assert_eq!(records.offset(), 7);
}
