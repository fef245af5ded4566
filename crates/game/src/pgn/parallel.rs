//! Reading games with several threads.
//!
//! One thread reads the inputs and splits them where games begin, others parse the parts, and the calling thread receives
//! the results in order. Everything between them is a channel with a limit, so memory is bounded, and a thread that
//! ends closes its channels, so that no other waits for it forever.
//!
//! What splits, the tasks of the threads, and what waits in channels are compiled once for all readers; only the results
//! have a type.

use core::convert::Infallible;
use core::fmt;
use core::mem;
use core::num::NonZeroUsize;
use core::ops::ControlFlow;
use core::sync::atomic::{AtomicBool, Ordering};
use std::collections::VecDeque;
use std::io::{self, Cursor, Read};
use std::sync::mpsc::{self, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::reader::Reader;
use super::source::{ReadSource, Source};
use super::split::last_game;
use super::text_position::TextPosition;
use super::visitor::{ReadError, Visitor};

/// The most blocks that may wait for the thread that parses a part.
const MAX_WAITING_BLOCKS: usize = 2;

/// The most items that may wait, over all parts.
const MAX_WAITING_ITEMS: usize = 1 << 9;

/// More threads than this would only take memory.
const MAX_THREADS: usize = 64;

/// Reads all games of an input with several threads, and returns how many there were.
///
/// `new_visitor` creates a visitor for each part of the input, and `collect` receives the visitors in the order of the
/// input, in the calling thread. The visitors see exactly what a single [`Reader`] would show, including offsets and
/// places of errors. Memory is bounded by the number of threads, not by the input. If the system refuses threads, fewer
/// read; if it refuses all, the calling thread reads the input as one part.
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
/// Fails if the input fails, once everything before that has been read, or if a visitor stops, with the value of the
/// first one in the order of the input. Visitors of parts before the error have been collected.
///
/// # Panics
/// Panics if a visitor panics.
#[doc(alias = "rayon")]
#[doc(alias = "par_iter")]
pub fn read_parallel<R, V>(
    input: R,
    threads: NonZeroUsize,
    new_visitor: impl Fn() -> V + Send + Sync,
    mut collect: impl FnMut(V),
) -> Result<u64, ReadError<io::Error, V::Stop>>
where
    R: Read + Send,
    V: Visitor + Send,
    V::Stop: Send,
{
    let mut games = 0;
    let mut take = |event| match event {
        PartEvent::Item(Ok((visitor, count))) => {
            games += count;
            collect(visitor);
            ControlFlow::Continue(())
        }
        PartEvent::Item(Err(stop)) => ControlFlow::Break(ReadError::Stopped(stop)),
        PartEvent::Failed(_, error) => ControlFlow::Break(ReadError::Source(error)),
    };
    let reader = VisitorReader(Mutex::new(Some(input)), new_visitor);
    let read = thread::scope(|scope| {
        let mut spawn = |task| thread::Builder::new().spawn_scoped(scope, task).map(drop);
        // A lost thread has panicked, and the scope passes that on.
        read_parts(reader, Some(threads), &mut spawn, &mut take).map_err(io::Error::other)
    });
    match read? {
        ControlFlow::Continue(()) => Ok(games),
        ControlFlow::Break(error) => Err(error),
    }
}

/// Reads one input, until it is taken, with a new visitor for each part.
struct VisitorReader<R, F>(Mutex<Option<R>>, F);

impl<R, V, F> PartReader for VisitorReader<R, F>
where
    R: Read + Send,
    V: Visitor + Send,
    V::Stop: Send,
    F: Fn() -> V + Send + Sync,
{
    type Item = Result<(V, u64), V::Stop>;

    fn open(&self, _: usize) -> Option<io::Result<Box<dyn Read + '_>>> {
        Some(Ok(Box::new(lock(&self.0).take()?)))
    }

    fn read(&self, part: Part<'_>, give: &mut dyn FnMut(Self::Item)) -> Result<(), Canceled> {
        let mut visitor = self.1();
        match part.reader().read_all(&mut visitor) {
            Ok(count) => give(Ok((visitor, count))),
            Err(ReadError::Stopped(stop)) => give(Err(stop)),
            Err(ReadError::Source(canceled)) => return Err(canceled),
        }
        Ok(())
    }
}

/// What threads read, and what they make of it: the work of [`read_parts`], which all threads share.
pub trait PartReader: Send + Sync {
    /// What reading gives. A part may give any number of them.
    type Item: Send;

    /// How many bytes of an input are read at once. A part is not longer, unless there is no place to split it.
    const BLOCK_SIZE: usize = 1 << 18;

    /// Opens the input with this number, counted from 0; `None` if there are no more.
    fn open(&self, input: usize) -> Option<io::Result<Box<dyn Read + '_>>>;

    /// Reads the games of a part and gives what it makes of them.
    ///
    /// # Errors
    /// Fails if the source of the part does.
    fn read(&self, part: Part<'_>, give: &mut dyn FnMut(Self::Item)) -> Result<(), Canceled>;
}

/// A part of an input, from the beginning of a game to that of another, or to the end. It is a [`Source`] of its bytes.
///
/// An input is split only where a game begins whatever precedes it ([`last_game`]), so that the parts together are
/// read exactly like the whole. A stretch without such a place is one part, however long. It arrives block by block,
/// so memory stays bounded whatever the input is.
#[allow(
    missing_debug_implementations,
    reason = "its bytes may come from anything that can be read"
)]
pub struct Part<'a> {
    /// The number of the input.
    pub input: usize,
    /// Where the part begins in its input.
    pub start: TextPosition,
    bytes: ReadSource<&'a mut dyn Read>,
    canceled: &'a AtomicBool,
    /// Why the bytes ended too early.
    error: &'a mut Option<io::Error>,
}

impl<'a> Part<'a> {
    /// Creates a reader of its games, with their places in the input.
    pub fn reader(self) -> Reader<Part<'a>> {
        let start = self.start;
        Reader::starting_at(self, start)
    }
}

impl Source for Part<'_> {
    type Error = Canceled;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Canceled> {
        if self.canceled.load(Ordering::Relaxed) {
            return Err(Canceled);
        }
        if self.error.is_some() {
            return Ok(0);
        }
        // What came before an error is still read.
        self.bytes.fill(buffer).or_else(|error| {
            *self.error = Some(error);
            Ok(0)
        })
    }
}

/// Nothing more is wanted, so reading stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canceled;

impl From<ReadError<Canceled, Infallible>> for Canceled {
    fn from(error: ReadError<Canceled, Infallible>) -> Canceled {
        error.into_source_error()
    }
}

/// What comes next in the order of the inputs.
#[derive(Debug)]
pub enum PartEvent<T> {
    /// A part gave this.
    Item(T),
    /// The input with this number could not be opened, or not be read to its end. What came before that has been read,
    /// and reading continues with the next input.
    Failed(usize, io::Error),
}

/// A thread ended before its work was done: it panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostThread;

impl fmt::Display for LostThread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a thread ended before its work was done")
    }
}

impl core::error::Error for LostThread {}

/// What a thread has to run.
pub type Task<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Reads any number of inputs with several threads of the caller's, or with none. [`read_parallel`] is simpler.
///
/// `take` receives what the parts give, in order and in the calling thread, and ends the reading with
/// [`ControlFlow::Break`]. Memory is bounded by the number of threads: those that are ahead wait.
///
/// `spawn` starts the threads: one that splits the inputs, and as many as requested, though no more than 64, that read
/// the parts. If it fails, fewer threads read the same. If there are none, or too few, the calling thread reads each
/// input as one part. Nothing waits for the threads to end, so one that reads from a silent pipe delays nobody.
///
/// ```
/// use core::num::NonZeroUsize;
/// use core::ops::ControlFlow;
/// use std::io::Read;
/// use tabiya_game::pgn::{Canceled, Part, PartEvent, PartReader, RecordReader, read_parts};
///
/// /// Reads the players of White.
/// struct White(Vec<&'static str>);
///
/// impl PartReader for White {
///     type Item = String;
///
///     fn open(&self, input: usize) -> Option<std::io::Result<Box<dyn Read + '_>>> {
///         let text = self.0.get(input)?;
///         Some(Ok(Box::new(text.as_bytes())))
///     }
///
///     fn read(&self, part: Part<'_>, give: &mut dyn FnMut(String)) -> Result<(), Canceled> {
///         let mut games = RecordReader::from_reader(part.reader());
///         while let Some(game) = games.read()? {
///             give(game.record.tags().get("White").unwrap_or_default().to_owned());
///         }
///         Ok(())
///     }
/// }
///
/// let inputs = White(vec!["[White \"A\"]\n\n*\n\n[White \"B\"]\n\n*\n", "[White \"C\"]\n\n*\n"]);
/// let mut players = Vec::new();
/// let read = read_parts(
///     inputs,
///     NonZeroUsize::new(2),
///     &mut |task| std::thread::Builder::new().spawn(task).map(drop),
///     &mut |event| match event {
///         PartEvent::Item(player) => {
///             players.push(player);
///             ControlFlow::Continue(())
///         }
///         PartEvent::Failed(_, error) => ControlFlow::Break(error),
///     },
/// );
/// assert!(matches!(read, Ok(ControlFlow::Continue(()))));
/// assert_eq!(players, ["A", "B", "C"]);
/// ```
///
/// # Errors
/// Fails if a thread panics.
pub fn read_parts<'a, P: PartReader + 'a, B>(
    reader: P,
    threads: Option<NonZeroUsize>,
    spawn: &mut dyn FnMut(Task<'a>) -> io::Result<()>,
    take: &mut dyn FnMut(PartEvent<P::Item>) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, LostThread> {
    let (reader, common) = (Arc::new(reader), Arc::new(Common::default()));
    let threads = threads.map_or(0, NonZeroUsize::get).min(MAX_THREADS);
    let (queue, queued) = channel(2 * threads);
    let is_started = start_workers(threads, spawn).is_some_and(|tasks| {
        let dispatcher = Dispatcher {
            reader: reader.clone(),
            common: common.clone(),
            tasks,
            queue,
            max_items: (MAX_WAITING_ITEMS / threads).max(4),
        };
        // It ends early if nothing more is wanted.
        spawn(Box::new(move || dispatcher.split_all().unwrap_or_default())).is_ok()
    });
    if !is_started {
        return Ok(read_alone(&*reader, take));
    }
    let outcome = take_in_order(&queued, take);
    common.canceled.store(true, Ordering::Relaxed);
    outcome
}

/// Starts as many threads as possible, up to a number, that run what is sent to them; `None` if there are none.
fn start_workers<'a>(
    threads: usize,
    spawn: &mut dyn FnMut(Task<'a>) -> io::Result<()>,
) -> Option<Sender<Task<'a>>> {
    let (tasks, waiting) = channel::<Task<'a>>(threads);
    let waiting = Arc::new(Mutex::new(waiting));
    let start = |_| {
        let waiting = waiting.clone();
        spawn(Box::new(move || {
            while let Ok(task) = next(&waiting) {
                task();
            }
        }))
        .ok()
    };
    ((0..threads).map_while(start).count() > 0).then_some(tasks)
}

/// Waits for the next task, while other threads wait for the lock.
fn next<T>(waiting: &Mutex<Receiver<T>>) -> Result<T, LostThread> {
    lock(waiting).receive()
}

/// What a part gives, and `None` at its end: without that, its thread was lost.
type Items<T> = Receiver<Option<T>>;

/// What all threads share.
#[derive(Default)]
struct Common {
    canceled: AtomicBool,
    /// Blocks to use again, whose memory is still in the cache.
    spare: Mutex<Vec<Vec<u8>>>,
}

/// Splits inputs and sends their parts off, to be read and to be taken in order.
struct Dispatcher<'a, P: PartReader> {
    reader: Arc<P>,
    common: Arc<Common>,
    tasks: Sender<Task<'a>>,
    /// What is taken next, and `None` at the end.
    queue: Sender<Option<PartEvent<Items<P::Item>>>>,
    /// How many items of each part may wait to be taken.
    max_items: usize,
}

impl<'a, P: PartReader + 'a> Dispatcher<'a, P> {
    /// Splits all inputs into parts, one after another.
    fn split_all(&self) -> Result<(), Canceled> {
        let opened = (0..).map_while(|input| Some((input, self.reader.open(input)?)));
        for (input, opened) in opened {
            let mut begin = |start| self.begin(input, start);
            let split = opened.and_then(|mut bytes| {
                split(&mut *bytes, P::BLOCK_SIZE.max(1), &self.common, &mut begin)
            });
            match split {
                Ok(split) => split?,
                Err(error) => self.queue.send(Some(PartEvent::Failed(input, error)))?,
            }
        }
        self.queue.send(None)
    }

    /// Begins a part, and returns where its bytes go.
    fn begin(&self, input: usize, start: TextPosition) -> Result<Sender<Vec<u8>>, Canceled> {
        let (items, taken) = channel(self.max_items);
        self.queue.send(Some(PartEvent::Item(taken)))?;
        let (reader, common) = (self.reader.clone(), self.common.clone());
        let (feed, blocks) = channel(MAX_WAITING_BLOCKS);
        let task = move || {
            let mut bytes = Blocks(blocks, Cursor::default(), common.clone());
            let part = Part {
                input,
                start,
                bytes: ReadSource::new(&mut bytes),
                canceled: &common.canceled,
                error: &mut None,
            };
            // Nobody waits for items if nothing more is wanted.
            let mut give = |item| items.send(Some(item)).unwrap_or_default();
            if reader.read(part, &mut give).is_ok() {
                let _ = items.send(None);
            }
        };
        self.tasks.send(Box::new(task))?;
        Ok(feed)
    }
}

/// Splits an input. Fails if it does, once everything before that has been passed on.
fn split(
    bytes: &mut dyn Read,
    block_size: usize,
    common: &Common,
    begin: &mut dyn FnMut(TextPosition) -> Result<Sender<Vec<u8>>, Canceled>,
) -> io::Result<Result<(), Canceled>> {
    let (mut place, mut rest, mut open) = (TextPosition::START, Vec::new(), None);
    while !common.canceled.load(Ordering::Relaxed) {
        let mut block = lock(&common.spare).pop().unwrap_or_default();
        block.clear();
        block.reserve_exact(block_size);
        block.append(&mut rest);
        let room = (block_size - block.len()) as u64;
        let read = bytes.take(room).read_to_end(&mut block);
        let goes_on = read.is_ok() && block.len() == block_size;
        let cut = if goes_on { last_game(&block) } else { None };
        if let Some(cut) = cut {
            rest.extend_from_slice(&block[cut..]);
            block.truncate(cut);
        }
        let begun = open.take().map_or_else(|| begin(place), Ok);
        let Ok(feed) = begun else { break };
        place.advance(&block);
        // A thread that wants no more of its part drops the rest.
        let _ = feed.send(block);
        open = cut.is_none().then_some(feed);
        if !goes_on {
            return read.map(|_| Ok(()));
        }
    }
    Ok(Err(Canceled))
}

/// The bytes of a part, block by block.
struct Blocks(Receiver<Vec<u8>>, Cursor<Vec<u8>>, Arc<Common>);

impl Read for Blocks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.1.read(buffer)?;
            if count > 0 {
                return Ok(count);
            }
            let next = self.0.receive();
            let is_over = next.is_err();
            let used = mem::replace(&mut self.1, Cursor::new(next.unwrap_or_default()));
            if !used.get_ref().is_empty() {
                lock(&self.2.spare).push(used.into_inner());
            }
            if is_over {
                return Ok(0);
            }
        }
    }
}

/// Takes what the parts give, in order.
fn take_in_order<T, B>(
    queued: &Receiver<Option<PartEvent<Items<T>>>>,
    take: &mut dyn FnMut(PartEvent<T>) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, LostThread> {
    let mut flow = ControlFlow::Continue(());
    while flow.is_continue()
        && let Some(next) = queued.receive()?
    {
        match next {
            PartEvent::Failed(input, error) => flow = take(PartEvent::Failed(input, error)),
            PartEvent::Item(items) => {
                while flow.is_continue()
                    && let Some(item) = items.receive()?
                {
                    flow = take(PartEvent::Item(item));
                }
            }
        }
    }
    Ok(flow)
}

/// Reads everything in this thread, each input as one part.
fn read_alone<P: PartReader, B>(
    reader: &P,
    take: &mut dyn FnMut(PartEvent<P::Item>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let canceled = AtomicBool::new(false);
    let opened = (0..).map_while(|input| Some((input, reader.open(input)?)));
    for (input, opened) in opened {
        let (mut flow, mut failure) = (ControlFlow::Continue(()), None);
        match opened {
            Err(error) => failure = Some(error),
            Ok(mut bytes) => {
                let part = Part {
                    input,
                    start: TextPosition::START,
                    bytes: ReadSource::new(&mut *bytes),
                    canceled: &canceled,
                    error: &mut failure,
                };
                // Why it was canceled is in `flow`.
                let _ = reader.read(part, &mut |item| {
                    if flow.is_continue() {
                        flow = take(PartEvent::Item(item));
                        canceled.store(flow.is_break(), Ordering::Relaxed);
                    }
                });
            }
        }
        flow?;
        failure.map_or(ControlFlow::Continue(()), |error| {
            take(PartEvent::Failed(input, error))
        })?;
    }
    ControlFlow::Continue(())
}

/// The sending end of a channel. Its values are beside a channel of the standard library, which only says that there is
/// one: that has much code, and is so compiled once, not for each type of values.
struct Sender<T>(SyncSender<()>, Arc<Values<T>>);

/// The receiving end.
struct Receiver<T>(mpsc::Receiver<()>, Arc<Values<T>>);

/// The values that wait; `None` once nobody receives them.
type Values<T> = Mutex<Option<VecDeque<T>>>;

/// Creates a channel in which this many values may wait, besides the one being sent.
fn channel<T>(room: usize) -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = sync_channel(room);
    let values = Arc::new(Mutex::new(Some(VecDeque::new())));
    (Sender(sender, values.clone()), Receiver(receiver, values))
}

impl<T> Sender<T> {
    /// Sends a value, unless nobody receives it.
    fn send(&self, value: T) -> Result<(), Canceled> {
        lock(&self.1).as_mut().ok_or(Canceled)?.push_back(value);
        self.0.send(()).map_err(|_| Canceled)
    }
}

impl<T> Receiver<T> {
    /// Waits for the next value, unless nobody sends it.
    fn receive(&self) -> Result<T, LostThread> {
        self.0.recv().map_err(|_| LostThread)?;
        let mut values = lock(&self.1);
        values
            .as_mut()
            .and_then(VecDeque::pop_front)
            .ok_or(LostThread)
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        // The values are dropped too: those who wait for what a lost thread had to do learn so that it was lost.
        let values = lock(&self.1).take();
        drop(values);
    }
}

/// Everything behind a mutex here is valid even if a thread panicked while it held the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
