//! Runs a job on files, with one thread or many; the result is the same.

use std::any::Any;
use std::convert::Infallible;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

use tabiya_game::pgn::{PartSource, ReadError, ReadSource, Source, Splitter, TextPosition};
use tabiya_play::threads::spawn;

use super::flags::Reading;
use super::job::{AnyJob, Job, OutputChunk, Part, Stopped};
use super::printer::{Add, Meter, Printer};
use crate::failure::Failure;
use crate::input_file::{InputFile, input_files};
use crate::output::Output;
use crate::tools::progress::{Measure, Progress};

/// How many bytes of a file a thread gets at once, unless there is no place to split it.
const BLOCK_SIZE: usize = 1 << 18;

/// How many chunks of output may wait, over all parts. A chunk is at most
/// `job::CHUNK_SIZE` bytes, or one game.
const MAX_WAITING_CHUNKS: usize = 1 << 9;

/// More threads than this would only take memory.
const MAX_THREADS: usize = 64;

/// Runs a job on the requested files. Text is printed and tallies are added in the order of the input.
pub(crate) fn perform<J: Job>(
    job: J,
    reading: &Reading,
    add: Add<'_, J::Tally>,
) -> Result<Printer, Failure> {
    let inputs = input_files(&reading.files);
    let threads = match reading.threads {
        Some(threads) => threads.get(),
        None => thread::available_parallelism().map_or(1, usize::from),
    };
    let mut printer = Printer::new(Meter {
        progress: Progress::new(Measure::Bytes),
        count: AtomicU64::new(0),
        is_opened: AtomicBool::new(false),
        total: inputs.iter().map(InputFile::size).sum(),
        games: job.games(),
    });
    let mut add = |tally: Box<dyn Any + Send>, output: &mut Output| {
        // Only the writer of this job's parts makes tallies, and it takes no others.
        let tally = tally.downcast::<J::Tally>();
        add(*tally.expect("a tally of this job"), output)
    };
    let done = match threads.min(MAX_THREADS) {
        1 => alone(&job, &inputs, &mut printer, &mut add),
        threads => together(Box::new(job), inputs, threads, &mut printer, &mut add),
    };
    // A thread that still reads would keep the bar.
    printer.meter.progress.clear();
    done.map(|()| printer)
}

/// Reads everything in this thread.
fn alone(
    job: &dyn AnyJob,
    inputs: &[InputFile],
    printer: &mut Printer,
    add: Add<'_, Box<dyn Any + Send>>,
) -> Result<(), Failure> {
    let stop = AtomicBool::new(false);
    let meter = printer.meter.clone();
    // How it ended before the end of the files.
    let mut ended = None;
    for input in inputs {
        let mut trouble = None;
        match meter.open(input) {
            Err(error) => trouble = Some(error),
            Ok(mut reader) => {
                let mut deliver = |chunk| {
                    match printer.take(chunk, add) {
                        Ok(ControlFlow::Continue(())) => return,
                        Ok(ControlFlow::Break(())) => ended = Some(Ok(())),
                        Err(error) => ended = Some(Err(error)),
                    }
                    stop.store(true, Ordering::Relaxed);
                };
                let part = Part {
                    name: &input.name,
                    source: &mut Stoppable {
                        stop: &stop,
                        source: Direct {
                            reader: ReadSource::new(reader.as_mut()),
                            trouble: &mut trouble,
                            meter: &meter,
                        },
                    },
                    start: TextPosition::START,
                };
                // Why it stopped is in `ended`.
                let _ = job.read_part(part, &mut deliver);
            }
        }
        if let Some(ended) = ended {
            return ended;
        }
        if let Some(error) = trouble {
            printer.unusable(&input.name, &error);
        }
    }
    Ok(())
}

/// A source that can be stopped.
struct Stoppable<'a, S> {
    stop: &'a AtomicBool,
    source: S,
}

impl<S: Source<Error = Infallible>> Source for Stoppable<'_, S> {
    type Error = Stopped;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Stopped> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        let Ok(count) = self.source.fill(buffer);
        Ok(count)
    }
}

/// A file read in the thread that uses it.
struct Direct<'a> {
    reader: ReadSource<&'a mut dyn Read>,
    trouble: &'a mut Option<io::Error>,
    meter: &'a Meter,
}

impl Source for Direct<'_> {
    type Error = Infallible;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        if self.trouble.is_some() {
            return Ok(0);
        }
        self.meter.show();
        // What came before an error is still read.
        self.reader.fill(buffer).or_else(|error| {
            *self.trouble = Some(error);
            Ok(0)
        })
    }
}

/// Reads with several threads, plus one that splits the files into parts; this one prints. If the system grants fewer
/// threads, those are used; if it grants none, this thread reads alone.
fn together(
    job: Box<dyn AnyJob>,
    inputs: Vec<InputFile>,
    threads: usize,
    printer: &mut Printer,
    add: Add<'_, Box<dyn Any + Send>>,
) -> Result<(), Failure> {
    let shared = Arc::new(Shared {
        job,
        stop: AtomicBool::new(false),
    });
    let (tasks, queue) = sync_channel(threads);
    let (items, printing) = sync_channel(2 * threads);
    let queue = Arc::new(Mutex::new(queue));
    // Nobody waits for the threads: one that reads from a silent pipe would keep the program from ending after its
    // output was closed.
    let start = |_| {
        let (shared, queue) = (shared.clone(), queue.clone());
        spawn(move || shared.read_parts(&queue)).ok()
    };
    if (0..threads).map_while(start).count() == 0 {
        return alone(&*shared.job, &inputs, printer, add);
    }
    let dispatcher = Dispatcher {
        tasks,
        items,
        max_chunks: (MAX_WAITING_CHUNKS / threads).max(4),
    };
    let inputs = Arc::new(inputs);
    let (meter, to_split) = (printer.meter.clone(), inputs.clone());
    // This ends with an error if nothing more is wanted.
    let splitting = spawn(move || dispatcher.split_all(&to_split, &meter).unwrap_or_default());
    if splitting.is_err() {
        return alone(&*shared.job, &inputs, printer, add);
    }
    let outcome = print(&printing, printer, add);
    shared.stop.store(true, Ordering::Relaxed);
    outcome
}

/// A part for one thread to read.
struct PartTask {
    name: Arc<str>,
    start: TextPosition,
    source: PartSource,
    chunks: SyncSender<OutputChunk>,
}

/// What is printed next.
enum Item {
    /// The output of a part.
    Part(Receiver<OutputChunk>),
    /// A file could not be read, or not to its end.
    Unusable(String, io::Error),
    /// Everything has been read.
    End,
}

/// Splits files and sends their parts off, to be read and to be printed in order.
struct Dispatcher {
    tasks: SyncSender<PartTask>,
    items: SyncSender<Item>,
    /// How many chunks of each part may wait to be printed.
    max_chunks: usize,
}

impl Dispatcher {
    /// Splits all files. Those that could not be read to their end are reported.
    fn split_all(&self, inputs: &[InputFile], meter: &Meter) -> Result<(), Stopped> {
        let splitter = Splitter::new(BLOCK_SIZE);
        for input in inputs {
            let split = match meter.open(input) {
                Ok(reader) => {
                    let name: Arc<str> = input.name.as_str().into();
                    splitter.split(reader, |start, source| {
                        let (chunks, output) = sync_channel(self.max_chunks);
                        self.print(Item::Part(output))?;
                        let task = PartTask {
                            name: name.clone(),
                            start,
                            source,
                            chunks,
                        };
                        self.tasks.send(task).map_err(|_| Stopped)
                    })
                }
                Err(error) => Err(ReadError::Source(error)),
            };
            match split {
                Ok(()) => {}
                Err(ReadError::Stopped(stopped)) => return Err(stopped),
                Err(ReadError::Source(error)) => {
                    self.print(Item::Unusable(input.name.clone(), error))?;
                }
            }
        }
        // Without this, a thread that failed would look like the end of the files.
        self.print(Item::End)
    }

    fn print(&self, item: Item) -> Result<(), Stopped> {
        self.items.send(item).map_err(|_| Stopped)
    }
}

/// What the threads that read share.
struct Shared {
    job: Box<dyn AnyJob>,
    stop: AtomicBool,
}

impl Shared {
    /// Reads parts until there are no more.
    fn read_parts(&self, queue: &Mutex<Receiver<PartTask>>) {
        loop {
            let next = match queue.lock() {
                Ok(queue) => queue.recv(),
                Err(_) => return,
            };
            let Ok(task) = next else { return };
            // The flag stops the source of every thread.
            let mut deliver = |chunk| {
                if task.chunks.send(chunk).is_err() {
                    self.stop.store(true, Ordering::Relaxed);
                }
            };
            let part = Part {
                name: &task.name,
                source: &mut Stoppable {
                    stop: &self.stop,
                    source: task.source,
                },
                start: task.start,
            };
            if let Err(Stopped) = self.job.read_part(part, &mut deliver) {
                return;
            }
        }
    }
}

/// Prints the output of the parts in order.
fn print(
    printing: &Receiver<Item>,
    printer: &mut Printer,
    add: Add<'_, Box<dyn Any + Send>>,
) -> Result<(), Failure> {
    let broken = || Failure::Unusable("a thread ended before its work was done".to_owned());
    loop {
        match printing.recv().map_err(|_| broken())? {
            Item::End => return Ok(()),
            Item::Unusable(name, error) => printer.unusable(&name, &error),
            Item::Part(chunks) => loop {
                let chunk = chunks.recv().map_err(|_| broken())?;
                printer.meter.show();
                if matches!(chunk, OutputChunk::Done) {
                    break;
                }
                if printer.take(chunk, add)?.is_break() {
                    return Ok(());
                }
            },
        }
    }
}
