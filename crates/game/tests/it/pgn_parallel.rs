//! Several threads read what one reader reads: the same games in the same order, with the same
//! errors in the same places.

use std::convert::Infallible;
use std::io::{self, Cursor, Read};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::thread;

use tabiya_game::Step;
use tabiya_game::pgn::{
    self, Canceled, Flow, Interrupt, LostThread, Part, PartEvent, PartReader, PgnError, PgnGame,
    ReadError, Reader, RecordReader, Replay, Response, Task, Visitor, read_parts,
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

fn together(input: impl Read + Send, threads: usize) -> (Log, u64, Result<u64, io::Error>) {
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

/// Reads the games of texts that are split into blocks of a size, each part as one item.
struct Games<const BLOCK_SIZE: usize>(Vec<Vec<u8>>);

impl<const SIZE: usize> PartReader for Games<SIZE> {
    type Item = Vec<PgnGame>;

    const BLOCK_SIZE: usize = SIZE;

    fn open(&self, input: usize) -> Option<io::Result<Box<dyn Read + '_>>> {
        Some(Ok(Box::new(&self.0.get(input)?[..])))
    }

    fn read(&self, part: Part<'_>, give: &mut dyn FnMut(Vec<PgnGame>)) -> Result<(), Canceled> {
        let games: Result<_, _> = RecordReader::from_reader(part.reader()).collect();
        give(games?);
        Ok(())
    }
}

/// Starts a thread, and never waits for it.
fn detached(task: Task<'static>) -> io::Result<()> {
    thread::Builder::new().spawn(task).map(drop)
}

/// What a reader gives, with two threads, and the inputs that failed.
fn items<P: PartReader + 'static>(reader: P) -> (Vec<P::Item>, Vec<usize>) {
    let (mut items, mut failed) = (Vec::new(), Vec::new());
    let read = read_parts(reader, NonZeroUsize::new(2), &mut detached, &mut |event| {
        match event {
            PartEvent::Item(item) => items.push(item),
            PartEvent::Failed(input, _) => failed.push(input),
        }
        ControlFlow::<Infallible>::Continue(())
    });
    assert_eq!(read, Ok(ControlFlow::Continue(())));
    (items, failed)
}

/// Returns the games of a text that is split into blocks of this size, and the number of parts.
fn in_parts<const BLOCK_SIZE: usize>(text: &[u8]) -> (Vec<PgnGame>, usize) {
    let (parts, _) = items(Games::<BLOCK_SIZE>(vec![text.to_owned()]));
    let count = parts.len();
    (parts.into_iter().flatten().collect(), count)
}

#[track_caller]
fn compare_with_whole<const BLOCK_SIZE: usize>(text: &[u8]) {
    let (games, _) = in_parts::<BLOCK_SIZE>(text);
    assert!(
        games.into_iter().eq(pgn::games(text)),
        "split by {BLOCK_SIZE}: {}",
        text.escape_ascii()
    );
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
        compare_with_whole::<1>(&text);
        compare_with_whole::<16>(&text);
        compare_with_whole::<19>(&text);
        compare_with_whole::<40>(&text);
        compare_with_whole::<64>(&text);
        compare_with_whole::<111>(&text);
    }
}

#[test]
fn ordinary_games_are_split_into_many_parts() {
    let game = "[Event \"x\"]\n[Site \"?\"]\n\n1. e4 {a} e5 2. Qh7 Nc6 1-0\n\n";
    let text = game.repeat(2_000);
    let (games, parts) = in_parts::<4096>(text.as_bytes());
    assert_eq!((games.len(), parts), (2_000, text.len().div_ceil(4096)));
    assert!(games.into_iter().eq(pgn::games(text.as_bytes())));
}

fn the_files_of_the_suites_are_split(suites: &Suites) {
    let mut all = Vec::new();
    for suite in suites.files(PGN_FILES) {
        let text = suite.bytes();
        if text.len() < 20_000 {
            compare_with_whole::<64>(&text);
            compare_with_whole::<333>(&text);
        }
        compare_with_whole::<4096>(&text);
        if all.len() + text.len() < 3_000_000 {
            all.extend_from_slice(&text);
            all.extend_from_slice(b"\n\n");
        }
    }
    compare_with_whole::<1024>(&all);
    compare_with_whole::<16384>(&all);
}

#[test]
fn several_inputs_are_read_in_order_with_any_number_of_threads() {
    let texts = vec![games(1 << 16, "Event"), Vec::new(), games(1 << 15, "Event")];
    let whole: Vec<PgnGame> = texts.iter().flat_map(|text| pgn::games(text)).collect();
    for (threads, granted) in [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (9, 9)] {
        // The last of those granted may be needed to split.
        let mut left = granted;
        let mut spawn = |task| {
            if left == 0 {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            left -= 1;
            detached(task)
        };
        let mut read_games = Vec::new();
        let mut take = |event| {
            match event {
                PartEvent::Item(games) => read_games.extend(games),
                PartEvent::Failed(input, error) => panic!("{input}: {error}"),
            }
            ControlFlow::<Infallible>::Continue(())
        };
        let reader = Games::<1024>(texts.clone());
        let read = read_parts(reader, NonZeroUsize::new(threads), &mut spawn, &mut take);
        assert_eq!(read, Ok(ControlFlow::Continue(())));
        assert!(read_games == whole, "{granted} of {threads} threads");
    }
}

#[test]
fn reading_ends_when_no_more_is_wanted() {
    /// Endless games.
    struct Endless(Cursor<Vec<u8>>);

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.position() == self.0.get_ref().len() as u64 {
                self.0.set_position(0);
            }
            self.0.read(buffer)
        }
    }

    /// Gives the offset of each game.
    struct Offsets(&'static str);

    impl PartReader for Offsets {
        type Item = u64;

        fn open(&self, _: usize) -> Option<io::Result<Box<dyn Read + '_>>> {
            Some(Ok(Box::new(Endless(Cursor::new(games(1 << 10, self.0))))))
        }

        fn read(&self, part: Part<'_>, give: &mut dyn FnMut(u64)) -> Result<(), Canceled> {
            for game in RecordReader::from_reader(part.reader()) {
                give(game?.offset);
            }
            Ok(())
        }
    }

    // Parts that end, and one that never does.
    for tag in ["Event", "White"] {
        for threads in [None, NonZeroUsize::new(3)] {
            let mut taken = 0;
            let read = read_parts(Offsets(tag), threads, &mut detached, &mut |event| {
                taken += 1;
                match event {
                    PartEvent::Item(offset) if offset > 1 << 20 => ControlFlow::Break(offset),
                    _ => ControlFlow::Continue(()),
                }
            });
            assert!(matches!(read, Ok(ControlFlow::Break(offset)) if offset > 1 << 20));
            assert!(taken > 1_000);
        }
    }
}

#[test]
fn an_input_that_fails_is_reported_and_others_are_read() {
    /// Inputs that cannot be opened, and one that can.
    struct Second(Games<64>);

    impl PartReader for Second {
        type Item = Vec<PgnGame>;

        fn open(&self, input: usize) -> Option<io::Result<Box<dyn Read + '_>>> {
            match input {
                0 | 2 => Some(Err(io::ErrorKind::NotFound.into())),
                1 => self.0.open(0),
                _ => None,
            }
        }

        fn read(&self, part: Part<'_>, give: &mut dyn FnMut(Vec<PgnGame>)) -> Result<(), Canceled> {
            self.0.read(part, give)
        }
    }

    let text = games(1 << 10, "Event");
    let (parts, failed) = items(Second(Games(vec![text.clone()])));
    assert!(parts.into_iter().flatten().eq(pgn::games(&text)));
    assert_eq!(failed, [0, 2]);
}

#[test]
fn a_thread_that_panics_is_reported() {
    /// Panics somewhere in the input, or while it opens the next.
    struct Panics {
        in_part: bool,
    }

    impl PartReader for Panics {
        type Item = ();

        const BLOCK_SIZE: usize = 1 << 10;

        fn open(&self, input: usize) -> Option<io::Result<Box<dyn Read + '_>>> {
            assert!(input == 0, "a test of a panic");
            Some(Ok(Box::new(Cursor::new(games(1 << 16, "Event")))))
        }

        fn read(&self, part: Part<'_>, give: &mut dyn FnMut(())) -> Result<(), Canceled> {
            assert!(
                !self.in_part || part.start.offset() < 1 << 15,
                "a test of a panic"
            );
            give(());
            Ok(())
        }
    }

    for in_part in [false, true] {
        let threads = NonZeroUsize::new(2);
        let read = read_parts(Panics { in_part }, threads, &mut detached, &mut |_| {
            ControlFlow::<Infallible>::Continue(())
        });
        assert_eq!(read, Err(LostThread));
    }
}
