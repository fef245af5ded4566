//! Several threads read what one reader reads: the same games in the same order, with the same
//! errors in the same places.

use std::convert::Infallible;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::mpsc::sync_channel;
use std::thread;

use tabiya_game::Step;
use tabiya_game::pgn::{
    self, Flow, Interrupt, PgnError, PgnGame, ReadError, Reader, RecordReader, Replay, Response,
    Splitter, Visitor,
};
use tabiya_rules::{Position, SplitMix64};
use test_suites::{PGN_FILES, Suites, test_on_suites};

test_on_suites!(the_files_of_the_suites_are_split);

/// Records everything that distinguishes games.
#[derive(Default, Debug, PartialEq)]
struct Log {
    games: Vec<(u64, u32)>,
    errors: Vec<PgnError>,
}

impl Visitor for Log {
    type Output = ();
    type Stop = Infallible;

    fn begin_game(&mut self, offset: u64) -> ControlFlow<Infallible, Flow> {
        self.games.push((offset, 0));
        ControlFlow::Continue(Flow::Read)
    }

    fn step(&mut self, _: &Position, _: Step, _: &Position) -> Response<Infallible> {
        if let Some((_, moves)) = self.games.last_mut() {
            *moves += 1;
        }
        ControlFlow::Continue(())
    }

    fn error(&mut self, error: PgnError) {
        self.errors.push(error);
    }

    fn end_game(&mut self) {}
}

fn alone(text: &[u8]) -> Log {
    let mut log = Replay::new(Log::default());
    let Ok(_) = Reader::new(text).read_all(&mut log);
    log.into_visitor()
}

fn together(input: impl Read, threads: usize) -> (Log, u64, Result<u64, io::Error>) {
    let (mut log, mut parts) = (Log::default(), 0);
    let threads = NonZeroUsize::new(threads).expect("a thread");
    let read = pgn::read_parallel(
        input,
        threads,
        || Replay::new(Log::default()),
        |part| {
            let part = part.into_visitor();
            log.games.extend(part.games);
            log.errors.extend(part.errors);
            parts += 1;
        },
    );
    (log, parts, read.map_err(io::Error::from))
}

/// Returns about this many bytes of games, some of them with an error.
fn games(bytes: usize, tag: &str) -> Vec<u8> {
    let mut text = String::new();
    for number in 0.. {
        if text.len() > bytes {
            break;
        }
        let wrong = if number % 97 == 0 { "Qh8 " } else { "" };
        let padding = "x".repeat(number % 1000);
        text += &format!("[{tag} \"{number}\"]\n\n1. e4 {wrong}e5 {{{padding}}} 2. Nf3 *\n\n");
    }
    text.into_bytes()
}

#[test]
fn many_threads_read_what_one_reads() {
    let text = games(5 << 20, "Event");
    let whole = alone(&text);
    assert!(whole.errors.len() > 50);
    for threads in [1, 2, 5] {
        let (log, parts, read) = together(&text[..], threads);
        assert!(log == whole, "{threads} threads read something else");
        assert_eq!(read.expect("memory"), whole.games.len() as u64);
        assert!(parts >= 5, "the text was cut into {parts} parts");
    }
}

#[test]
fn a_text_without_a_place_to_cut_at_is_one_part() {
    let text = games(3 << 20, "White");
    let (log, parts, read) = together(&text[..], 3);
    assert!(log == alone(&text));
    assert_eq!((parts, read.is_ok()), (1, true));
    let (log, _, read) = together(&b""[..], 3);
    assert_eq!((log, read.expect("memory")), (Log::default(), 0));
}

#[test]
fn what_came_before_an_error_of_the_input_is_read() {
    struct Cut<'a>(&'a [u8]);

    impl Read for Cut<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buffer)? {
                0 => Err(io::ErrorKind::ConnectionReset.into()),
                count => Ok(count),
            }
        }
    }

    let text = games(3 << 20, "Event");
    let (log, _, read) = together(Cut(&text), 2);
    assert!(log == alone(&text));
    let error = read.expect_err("the input failed");
    assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
}

#[test]
fn a_visitor_stops_all_of_them() {
    /// Stops at the first game that begins after this byte.
    struct Until(u64);

    impl Visitor for Until {
        type Output = ();
        type Stop = u64;

        fn begin_game(&mut self, offset: u64) -> ControlFlow<u64, Flow> {
            if offset > self.0 {
                return ControlFlow::Break(offset);
            }
            ControlFlow::Continue(Flow::Skip)
        }

        fn tag(&mut self, _: &[u8], _: pgn::Text<'_>) -> Response<u64> {
            ControlFlow::Break(Interrupt::Stop(0))
        }

        fn end_game(&mut self) {}
    }

    let text = games(6 << 20, "Event");
    let wanted = alone(&text).games.into_iter().map(|(offset, _)| offset);
    let first = wanted.into_iter().find(|&offset| offset > 3 << 20);
    let threads = NonZeroUsize::new(4).expect("four");
    let read = pgn::read_parallel(&text[..], threads, || Until(3 << 20), |_| {});
    let Err(ReadError::Stopped(offset)) = read else {
        panic!("it was not stopped");
    };
    assert_eq!(Some(offset), first);
}

/// Returns the games of a text that is split into blocks of this size, and the number of parts.
fn in_parts(text: &[u8], block_size: usize) -> (Vec<PgnGame>, usize) {
    thread::scope(|scope| {
        let (parts, tasks) = sync_channel(1);
        let read = scope.spawn(move || {
            let (mut games, mut parts) = (Vec::new(), 0);
            for (start, source) in tasks {
                parts += 1;
                let mut reader = RecordReader::from_reader(Reader::starting_at(source, start));
                while let Ok(Some(game)) = reader.read() {
                    games.push(game);
                }
            }
            (games, parts)
        });
        let split = Splitter::new(block_size).split(text, |start, source| {
            parts.send((start, source)).map_err(|_| "nobody reads")
        });
        assert!(split.is_ok(), "{split:?}");
        drop(parts);
        read.join().expect("the parts were read")
    })
}

#[track_caller]
fn compare_with_whole(text: &[u8], block_sizes: &[usize]) {
    let whole: Vec<PgnGame> = pgn::games(text).collect();
    for &block_size in block_sizes {
        let (games, _) = in_parts(text, block_size);
        assert!(
            games == whole,
            "split by {block_size}: {}",
            text.escape_ascii()
        );
    }
}

/// Fragments of games, and texts that make it hard to see where games begin.
const FRAGMENTS: [&str; 30] = [
    "[Event \"a\"]\n",
    "[Event \"a\"]",
    "\n[Event \"",
    "\n\n[Event \"b\"]\n",
    "\r\n\r\n[Event \"b\"]\r\n",
    "\r\r[Event \"c\"]\r",
    "\n\r\n[Event \"c\"]\n",
    "[White \"x\\\"",
    "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n",
    "\n",
    "\n\n",
    "\r\n",
    " ",
    "1. e4 ",
    "e5 ",
    "2. Nf3 Nc6 ",
    "(",
    ") ",
    "{",
    "} ",
    "; rest ",
    "% line",
    "\n%",
    "1-0",
    "* ",
    "$1 ",
    "\"]",
    "Ke2 ",
    "\u{FEFF}",
    "é",
];

#[test]
fn split_texts_of_fragments_are_read_like_the_whole() {
    let mut random = SplitMix64::new(3);
    for _ in 0..1_500 {
        let mut text = Vec::new();
        for _ in 0..random.below(60) {
            text.extend_from_slice(FRAGMENTS[random.below(FRAGMENTS.len())].as_bytes());
        }
        compare_with_whole(&text, &[1, 16, 19, 40, 64 + random.below(100)]);
    }
}

#[test]
fn ordinary_games_are_split_into_many_parts() {
    let game = "[Event \"x\"]\n[Site \"?\"]\n\n1. e4 {a} e5 2. Qh7 Nc6 1-0\n\n";
    let text = game.repeat(2_000);
    let (games, parts) = in_parts(text.as_bytes(), 1 << 12);
    assert_eq!((games.len(), parts), (2_000, text.len().div_ceil(1 << 12)));
    assert!(games.into_iter().eq(pgn::games(text.as_bytes())));
}

fn the_files_of_the_suites_are_split(suites: &Suites) {
    let mut all = Vec::new();
    for suite in suites.files(PGN_FILES) {
        let text = suite.bytes();
        if text.len() < 20_000 {
            compare_with_whole(&text, &[64, 333]);
        }
        compare_with_whole(&text, &[1 << 12]);
        if all.len() + text.len() < 3_000_000 {
            all.extend_from_slice(&text);
            all.extend_from_slice(b"\n\n");
        }
    }
    compare_with_whole(&all, &[1 << 10, 1 << 14]);
}

#[test]
fn splitting_ends_when_a_part_is_refused_or_dropped() {
    let text = games(1 << 16, "Event");
    let mut sources = Vec::new();
    let split = Splitter::new(1 << 10).split(&text[..], |_, source| {
        sources.push(source);
        if sources.len() == 3 {
            Err("enough")
        } else {
            Ok(())
        }
    });
    assert!(matches!(split, Err(ReadError::Stopped("enough"))));
    let mut parts = 0;
    let split = Splitter::new(1 << 10).split(&text[..], |_, _| {
        parts += 1;
        Ok::<_, Infallible>(())
    });
    assert_eq!((split.is_ok(), parts), (true, 1));
}
