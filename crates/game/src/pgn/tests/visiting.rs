//! Visitors that want little, sources that fail, and what readers say about themselves.

use std::io::{self, Read, Write};

use super::super::{
    Flow, Format, MoveVisitor, PgnErrorKind, Reader, RecordReader, Replay, Source, Text, Visitor,
    games, to_string, write_to,
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

/// Gives a text, then fails for ever.
struct Breaks<'a>(&'a [u8]);

impl Read for Breaks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::ErrorKind::TimedOut.into()),
            count => Ok(count),
        }
    }
}

#[test]
fn an_iterator_of_games_ends_after_the_first_error() {
    let text = "1. e4 *\n\n".repeat(20_000);
    let mut games = RecordReader::from_read(Breaks(text.as_bytes()));
    let read = games.by_ref().take_while(Result::is_ok).count();
    assert!((19_000..=20_000).contains(&read), "{read}");
    assert!(games.next().is_none());
}

/// Interrupted before every byte.
struct Nervous<'a>(&'a [u8], bool);

impl Read for Nervous<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        match self.1 {
            true => Err(io::ErrorKind::Interrupted.into()),
            false => self.0.read(&mut buffer[..1]),
        }
    }
}

#[test]
fn interruptions_do_not_matter() {
    let games: Vec<_> = RecordReader::from_read(Nervous(b"1. e4 e5 1-0 1. d4 *", false)).collect();
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(Result::is_ok));
}

/// Takes so many bytes and no more.
struct Small(usize);

impl Write for Small {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(self.0);
        self.0 -= count;
        match count {
            0 => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(count),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn what_an_output_reports_is_handed_on() {
    let game = games(b"[White \"x\"]\n\n1. e4 e5 2. Nf3 *")
        .next()
        .expect("a game");
    let whole = to_string(&game.record, Format::Export);
    for room in 0..whole.len() {
        let error =
            write_to(&game.record, Format::Export, &mut Small(room)).expect_err("too small");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
    assert!(write_to(&game.record, Format::Export, &mut Small(whole.len())).is_ok());
}
