//! Visitors that want little, sources that fail, and the positions that readers report.

use core::convert::Infallible;
use core::ops::ControlFlow;
use std::io::{self, Read, Write};

use super::super::{
    Flow, Format, Interrupt, PgnErrorKind, ReadError, Reader, RecordReader, Replay, Response,
    Source, Text, Visitor, games, to_string, write_to,
};
use crate::record::Step;
use tabiya_rules::Position;

const TEXT: &[u8] =
    b"[Event \"a\"]\n\n{c} 1. e4! $2 {d} (1. d4 d5) e5 2. zz Nf3 1-0 {e}\n\n1. d4 *";

/// Accepts everything.
struct Indifferent;

impl Visitor for Indifferent {
    type Output = ();
    type Stop = Infallible;

    fn end_game(&mut self) {}
}

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

impl Visitor for Steps {
    type Output = ();
    type Stop = Infallible;

    fn start(&mut self, position: &Position) {
        assert_eq!(*position, Position::start());
    }

    fn end_tags(&mut self) -> ControlFlow<Infallible, Flow> {
        if self.skips_moves {
            ControlFlow::Continue(Flow::Skip)
        } else {
            ControlFlow::Continue(Flow::Read)
        }
    }

    fn step(&mut self, before: &Position, step: Step, after: &Position) -> Response<Infallible> {
        let Some(played) = step.played() else {
            return ControlFlow::Break(PgnErrorKind::GameTooLong.into());
        };
        assert_eq!(before.play_unchecked(played), *after);
        self.steps.push(before.san(played).to_string());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, _: Text<'_>) -> Response<Infallible> {
        if self.refuses_comments {
            ControlFlow::Break(PgnErrorKind::GameTooLong.into())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn begin_variation(&mut self) -> ControlFlow<Infallible, Flow> {
        if self.skips_variations {
            ControlFlow::Continue(Flow::Skip)
        } else {
            ControlFlow::Continue(Flow::Read)
        }
    }

    fn error(&mut self, _: super::super::PgnError) {
        self.errors += 1;
    }

    fn end_game(&mut self) {}
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

/// Stops at a tag, a move, a comment, a glyph, or the beginning of a game, its moves or a variation, and says
/// where.
struct StopsAt(&'static str);

impl StopsAt {
    fn look(&self, what: &str) -> ControlFlow<String> {
        match what == self.0 {
            true => ControlFlow::Break(what.to_owned()),
            false => ControlFlow::Continue(()),
        }
    }

    fn see(&self, what: &[u8]) -> Response<String> {
        match self.look(&String::from_utf8_lossy(what)) {
            ControlFlow::Break(found) => ControlFlow::Break(Interrupt::Stop(found)),
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
        }
    }
}

impl Visitor for StopsAt {
    type Output = &'static str;
    type Stop = String;

    fn begin_game(&mut self, _: u64) -> ControlFlow<String, Flow> {
        self.look("game")?;
        ControlFlow::Continue(Flow::Read)
    }

    fn tag(&mut self, name: &[u8], _: Text<'_>) -> Response<String> {
        self.see(name)
    }

    fn end_tags(&mut self) -> ControlFlow<String, Flow> {
        self.look("moves")?;
        ControlFlow::Continue(Flow::Read)
    }

    fn san(&mut self, san: &[u8]) -> Response<String> {
        self.see(san)
    }

    fn glyph(&mut self, glyph: u8) -> Response<String> {
        self.see(format!("${glyph}").as_bytes())
    }

    fn comment(&mut self, text: Text<'_>) -> Response<String> {
        self.see(text.raw())
    }

    fn begin_variation(&mut self) -> ControlFlow<String, Flow> {
        self.look("(")?;
        ControlFlow::Continue(Flow::Read)
    }

    fn end_game(&mut self) -> &'static str {
        "a game"
    }
}

#[test]
fn visitors_stop_anywhere_and_the_rest_of_the_game_is_passed_over() {
    let text = b"[Event \"a\"]\n[Site \"b\"]\n\n{c} 1. e4 $9 {long comment, longer than what is looked at at once} \
        (1. d4 (1. c4 1-0) 1... d5) e5! ;line\n2. Nf3 1-0 {e}\n\n[Event \"b\"]\n\n[Event \"c\"]\n\n1. h4 *";
    let places = [
        "game",
        "Event",
        "Site",
        "moves",
        "c",
        "e4",
        "$9",
        "(",
        "d4",
        "c4",
        "d5",
        "e5",
        "$1",
        "line",
        "Nf3",
        "e",
        "long comment, longer than what is looked at at once",
    ];
    for place in places {
        let mut reader = Reader::new(&text[..]);
        let found = reader.read_game(&mut StopsAt(place));
        assert_eq!(found, Err(ReadError::Stopped(place.to_owned())));
        // Two games follow, the first of which has no moves.
        assert_eq!(reader.read_all(&mut StopsAt("nothing")), Ok(2), "{place}");
    }
    let mut reader = Reader::new(&b"[Event \"b\"]\n\n[Event \"c\"]\n\n1. h4 *"[..]);
    assert!(reader.read_game(&mut StopsAt("moves")).is_err());
    assert_eq!(
        reader.read_game(&mut StopsAt("nothing")),
        Ok(Some("a game"))
    );
    assert_eq!(reader.read_game(&mut StopsAt("nothing")), Ok(None));
}

/// Fails on every other call.
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
            Ok(Some(())) => games += 1,
            Ok(None) => break,
            Err(error) => {
                assert_eq!(error.into_source_error(), "not now");
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

/// Returns a text, then fails forever.
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

/// Accepts this many bytes and no more.
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
