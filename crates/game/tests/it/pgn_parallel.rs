//! Several threads read what one reader reads: the same games in the same order, with the same
//! errors in the same places.

use std::convert::Infallible;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use tabiya_game::Step;
use tabiya_game::pgn::{
    self, Flow, Interrupt, PgnError, ReadError, Reader, Replay, Response, Visitor,
};
use tabiya_rules::Position;

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
