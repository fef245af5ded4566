//! Reading the games of one input with several threads.
//!
//! The calling thread reads the input and splits it where games begin ([`last_game`]); the others parse the parts, each
//! with its own visitor. A stretch without a place to split is one part, sent block by block, so that memory stays
//! bounded whatever the input is.

use core::convert::Infallible;
use core::num::NonZeroUsize;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::reader::Reader;
use super::source::{ReadSource, Source};
use super::split::last_game;
use super::text_position::TextPosition;
use super::visitor::{ReadError, Visitor};

/// The number of bytes read at once.
const BLOCK: usize = 1 << 20;

/// The most blocks that may wait for the thread that parses a part.
const WAITING: usize = 2;

/// Reads all games of an input with several threads, and returns how many there were.
///
/// `new_visitor` creates a visitor for each part of the input, and `collect` receives the visitors in the order of the
/// input, in the calling thread. The visitors see exactly what a single [`Reader`] would show, including offsets and
/// places of errors. Memory is bounded by the number of threads, not by the input.
///
/// ```
/// use core::convert::Infallible;
/// use core::num::NonZeroUsize;
/// use core::ops::ControlFlow;
/// use tabiya_game::Step;
/// use tabiya_game::pgn::{self, Replay, Response, Visitor};
/// use tabiya_rules::Position;
///
/// /// Counts legal moves.
/// #[derive(Default)]
/// struct Count(u64);
///
/// impl Visitor for Count {
///     type Output = ();
///     type Stop = Infallible;
///
///     fn step(&mut self, _: &Position, _: Step, _: &Position) -> Response<Infallible> {
///         self.0 += 1;
///         ControlFlow::Continue(())
///     }
///
///     fn end_game(&mut self) {}
/// }
///
/// let text = &b"[Event \"A\"]\n\n1. e4 e5 *\n\n[Event \"B\"]\n\n1. d4 *\n"[..];
/// let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
/// let mut moves = 0;
/// let games = pgn::read_parallel(text, threads, || Replay::new(Count::default()), |part| {
///     moves += part.into_visitor().0;
/// })?;
/// assert_eq!((games, moves), (2, 3));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Fails if the input fails, once everything before that has been read; if a visitor stops, with the value of the first
/// one in the order of the input; or if the system refuses every thread. Visitors of parts before the error have been
/// collected.
#[doc(alias = "rayon")]
#[doc(alias = "par_iter")]
pub fn read_parallel<R, V>(
    input: R,
    threads: NonZeroUsize,
    new_visitor: impl Fn() -> V + Sync,
    collect: impl FnMut(V),
) -> Result<u64, ReadError<io::Error, V::Stop>>
where
    R: Read,
    V: Visitor + Send,
    V::Stop: Send,
{
    let (parts, tasks) = sync_channel(threads.get());
    let tasks = Mutex::new(tasks);
    thread::scope(|scope| {
        // Whatever ends the calling thread's work closes the channel, and with it the threads.
        let parts = parts;
        for started in 0..threads.get() {
            let spawned =
                thread::Builder::new().spawn_scoped(scope, || parse_parts(&tasks, &new_visitor));
            match spawned {
                Ok(_) => {}
                Err(error) if started == 0 => return Err(ReadError::Source(error)),
                // Fewer threads read the same.
                Err(_) => break,
            }
        }
        Splitter {
            parts,
            most: 2 * threads.get(),
            pending: VecDeque::new(),
            collect,
            games: 0,
        }
        .split(ReadSource::new(input))
    })
}

/// The result of parsing a part.
type Parsed<V> = Result<(V, u64), <V as Visitor>::Stop>;

/// A part of the input for one thread to parse.
struct Part<V: Visitor> {
    start: TextPosition,
    blocks: Receiver<Vec<u8>>,
    parsed: SyncSender<Parsed<V>>,
}

fn parse_parts<V: Visitor>(tasks: &Mutex<Receiver<Part<V>>>, new_visitor: impl Fn() -> V) {
    loop {
        let part = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Part {
            start,
            blocks,
            parsed,
        }) = part
        else {
            return;
        };
        let mut visitor = new_visitor();
        let blocks = Blocks {
            blocks,
            current: Vec::new(),
            used: 0,
        };
        let read = Reader::starting_at(blocks, start).read_all(&mut visitor);
        // Nobody waits for the result if reading was given up.
        let _ = parsed.send(match read {
            Ok(count) => Ok((visitor, count)),
            Err(ReadError::Stopped(stop)) => Err(stop),
        });
    }
}

/// The blocks of a part as a source of bytes.
struct Blocks {
    blocks: Receiver<Vec<u8>>,
    current: Vec<u8>,
    used: usize,
}

impl Source for Blocks {
    type Error = Infallible;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        while self.used == self.current.len() {
            match self.blocks.recv() {
                Ok(block) => (self.current, self.used) = (block, 0),
                // The part is over.
                Err(_) => return Ok(0),
            }
        }
        let left = &self.current[self.used..];
        let count = left.len().min(buffer.len());
        buffer[..count].copy_from_slice(&left[..count]);
        self.used += count;
        Ok(count)
    }
}

/// Fills a block that begins with the given bytes. `Ok(true)` means that more may follow. After an error, the block
/// still holds what was read before it.
fn next_block(input: &mut ReadSource<impl Read>, begun: Vec<u8>) -> (Vec<u8>, io::Result<bool>) {
    let mut length = begun.len();
    let mut block = begun;
    block.resize(BLOCK, 0);
    let supply = loop {
        if length == BLOCK {
            break Ok(true);
        }
        match input.fill(&mut block[length..]) {
            Ok(0) => break Ok(false),
            Ok(count) => length += count,
            Err(error) => break Err(error),
        }
    };
    block.truncate(length);
    (block, supply)
}

/// Splits the input, hands out the parts, and collects the results.
struct Splitter<V: Visitor, C> {
    parts: SyncSender<Part<V>>,
    /// The most parts that may be parsed or waiting at once.
    most: usize,
    /// The results of the parts that were handed out, in order.
    pending: VecDeque<Receiver<Parsed<V>>>,
    collect: C,
    games: u64,
}

impl<V: Visitor, C: FnMut(V)> Splitter<V, C> {
    fn split(
        mut self,
        mut input: ReadSource<impl Read>,
    ) -> Result<u64, ReadError<io::Error, V::Stop>> {
        let mut place = TextPosition::START;
        let mut rest = Vec::new();
        let mut open: Option<SyncSender<Vec<u8>>> = None;
        let supply = loop {
            let (mut block, supply) = next_block(&mut input, std::mem::take(&mut rest));
            let goes_on = matches!(supply, Ok(true));
            let cut = if goes_on { last_game(&block) } else { None };
            if let Some(cut) = cut {
                rest.extend_from_slice(&block[cut..]);
                block.truncate(cut);
            }
            let start = place;
            place.advance(&block);
            let feed = match open.take() {
                Some(feed) => feed,
                None => self.begin(start).map_err(ReadError::Stopped)?,
            };
            let is_wanted = feed.send(block).is_ok();
            open = cut.is_none().then_some(feed);
            if !is_wanted || !goes_on {
                break supply;
            }
        };
        drop(open);
        while self.collect_first().map_err(ReadError::Stopped)? {}
        supply?;
        Ok(self.games)
    }

    /// Hands out a part, and returns the channel for its blocks.
    fn begin(&mut self, start: TextPosition) -> Result<SyncSender<Vec<u8>>, V::Stop> {
        if self.pending.len() >= self.most {
            self.collect_first()?;
        }
        let (feed, blocks) = sync_channel(WAITING);
        let (parsed, result) = sync_channel(1);
        self.pending.push_back(result);
        let part = Part {
            start,
            blocks,
            parsed,
        };
        // If no thread is left to take it, its result is missing below, which ends the reading.
        let _ = self.parts.send(part);
        Ok(feed)
    }

    /// Collects the next result; `false` if there is none.
    fn collect_first(&mut self) -> Result<bool, V::Stop> {
        let Some(first) = self.pending.pop_front() else {
            return Ok(false);
        };
        // A thread that panicked sends nothing; the scope propagates its panic.
        let Ok(parsed) = first.recv() else {
            return Ok(false);
        };
        let (visitor, count) = parsed?;
        self.games += count;
        (self.collect)(visitor);
        Ok(true)
    }
}
