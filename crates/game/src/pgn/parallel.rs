//! Reading the games of one input with several threads.
//!
//! The calling thread reads the input and splits it ([`Splitter`]); the others parse the parts, each with its own
//! visitor.

use core::convert::Infallible;
use core::num::NonZeroUsize;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::reader::Reader;
use super::source::Source;
use super::split::last_game;
use super::text_position::TextPosition;
use super::visitor::{ReadError, Visitor};

/// The number of bytes read at once.
const BLOCK_SIZE: usize = 1 << 20;

/// The most blocks that may wait for the thread that parses a part.
const MAX_WAITING_BLOCKS: usize = 2;

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
        let mut results = Results {
            pending: VecDeque::new(),
            collect,
            games: 0,
        };
        let split = Splitter::new(BLOCK_SIZE).split(input, |start, source| {
            if results.pending.len() >= 2 * threads.get() {
                results.collect_first()?;
            }
            let (parsed, result) = sync_channel(1);
            results.pending.push_back(result);
            // If no thread is left to take it, its result is missing below, which ends the reading.
            let _ = parts.send(ParseTask {
                start,
                source,
                parsed,
            });
            Ok(())
        });
        // What came before an error of the input still counts.
        if !matches!(split, Err(ReadError::Stopped(_))) {
            while results.collect_first().map_err(ReadError::Stopped)? {}
        }
        split.map(|()| results.games)
    })
}

/// The result of parsing a part.
type Parsed<V> = Result<(V, u64), <V as Visitor>::Stop>;

/// A part of the input for one thread to parse.
struct ParseTask<V: Visitor> {
    start: TextPosition,
    source: PartSource,
    parsed: SyncSender<Parsed<V>>,
}

fn parse_parts<V: Visitor>(tasks: &Mutex<Receiver<ParseTask<V>>>, new_visitor: impl Fn() -> V) {
    loop {
        let task = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(task) = task else { return };
        let mut visitor = new_visitor();
        let read = Reader::starting_at(task.source, task.start).read_all(&mut visitor);
        // Nobody waits for the result if reading was given up.
        let _ = task.parsed.send(match read {
            Ok(count) => Ok((visitor, count)),
            Err(ReadError::Stopped(stop)) => Err(stop),
        });
    }
}

/// Collects the results of the parts in order.
struct Results<V: Visitor, C> {
    /// The results of the parts that were handed out.
    pending: VecDeque<Receiver<Parsed<V>>>,
    collect: C,
    games: u64,
}

impl<V: Visitor, C: FnMut(V)> Results<V, C> {
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

/// Blocks to reuse.
#[derive(Clone, Debug, Default)]
struct FreeBlocks(Arc<Mutex<Vec<Vec<u8>>>>);

impl FreeBlocks {
    fn lock(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        // The list is valid even if a thread panicked while it held the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Splits inputs into parts that other threads parse. [`read_parallel`] also starts the threads.
///
/// An input is split only where a game begins whatever precedes it ([`last_game`]), so that the parts together are
/// read exactly like the whole. A stretch without such a place is one part, however long. It is sent block by block,
/// so memory stays bounded whatever the input is.
#[derive(Clone, Debug)]
pub struct Splitter {
    block_size: usize,
    free: FreeBlocks,
}

impl Splitter {
    /// Creates a splitter that reads this many bytes at once.
    pub fn new(block_size: usize) -> Splitter {
        Splitter {
            block_size: block_size.max(1),
            free: FreeBlocks::default(),
        }
    }

    /// Reads an input. `begin` receives the beginning of each part in the input, and its bytes, which another thread
    /// has to read, with [`Reader::starting_at`]. Splitting ends early, without an error, if that thread drops them.
    ///
    /// # Errors
    /// Fails if the input fails, once everything before that has been passed on, or with an error of `begin`.
    pub fn split<E>(
        &self,
        mut input: impl Read,
        mut begin: impl FnMut(TextPosition, PartSource) -> Result<(), E>,
    ) -> Result<(), ReadError<io::Error, E>> {
        let mut place = TextPosition::START;
        let mut rest = Vec::new();
        let mut open: Option<SyncSender<Vec<u8>>> = None;
        loop {
            let free = self.free.lock().pop();
            let mut block = free.unwrap_or_else(|| Vec::with_capacity(self.block_size));
            block.append(&mut rest);
            let room = (self.block_size - block.len()) as u64;
            let read = input.by_ref().take(room).read_to_end(&mut block);
            let goes_on = read.is_ok() && block.len() == self.block_size;
            let cut = if goes_on { last_game(&block) } else { None };
            if let Some(cut) = cut {
                rest.extend_from_slice(&block[cut..]);
                block.truncate(cut);
            }
            let start = place;
            place.advance(&block);
            let feed = match open.take() {
                Some(feed) => feed,
                None => {
                    let (feed, blocks) = sync_channel(MAX_WAITING_BLOCKS);
                    let source = PartSource {
                        blocks,
                        current: Vec::new(),
                        used: 0,
                        free: self.free.clone(),
                    };
                    begin(start, source).map_err(ReadError::Stopped)?;
                    feed
                }
            };
            let is_wanted = feed.send(block).is_ok();
            open = cut.is_none().then_some(feed);
            if !is_wanted || !goes_on {
                return read.map(drop).map_err(ReadError::Source);
            }
        }
    }
}

/// The bytes of a part of an input.
#[derive(Debug)]
pub struct PartSource {
    blocks: Receiver<Vec<u8>>,
    current: Vec<u8>,
    used: usize,
    free: FreeBlocks,
}

impl Source for PartSource {
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
        if self.used == self.current.len() {
            let mut block = std::mem::take(&mut self.current);
            self.used = 0;
            block.clear();
            self.free.lock().push(block);
        }
        Ok(count)
    }
}
