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
use super::job::{AnyJob, Canceled, Job, OutputChunk, Part};
use super::printer::{AddTally, Meter, Printer};
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
pub(crate) fn run_job<J: Job>(
    job: J,
    reading: &Reading,
    add: AddTally<'_, J::Tally>,
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
        // `PartWriter<J::Tally>` is the only thing that makes tallies.
        let tally = tally.downcast::<J::Tally>();
        add(*tally.expect("a tally of this job"), output)
    };
    let done = match threads.min(MAX_THREADS) {
        1 => run_on_one_thread(&job, &inputs, &mut printer, &mut add),
        threads => run_on_threads(Box::new(job), inputs, threads, &mut printer, &mut add),
    };
    // Threads that are still reading hold the progress too, so dropping does not clear it.
    printer.meter.progress.clear();
    done.map(|()| printer)
}

/// Reads everything in this thread.
fn run_on_one_thread(
    job: &dyn AnyJob,
    inputs: &[InputFile],
    printer: &mut Printer,
    add: AddTally<'_, Box<dyn Any + Send>>,
) -> Result<(), Failure> {
    let canceled = AtomicBool::new(false);
    let meter = printer.meter.clone();
    // How it ended before the end of the files.
    let mut ended = None;
    for input in inputs {
        let mut trouble = None;
        match meter.open(input) {
            Err(error) => trouble = Some(error),
            Ok(mut reader) => {
                let mut deliver = |chunk| {
                    match printer.print_chunk(chunk, add) {
                        Ok(ControlFlow::Continue(())) => return,
                        Ok(ControlFlow::Break(())) => ended = Some(Ok(())),
                        Err(error) => ended = Some(Err(error)),
                    }
                    canceled.store(true, Ordering::Relaxed);
                };
                let part = Part {
                    name: &input.name,
                    source: &mut Cancelable {
                        canceled: &canceled,
                        source: DirectSource {
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

/// A source that can be canceled.
struct Cancelable<'a, S> {
    canceled: &'a AtomicBool,
    source: S,
}

impl<S: Source<Error = Infallible>> Source for Cancelable<'_, S> {
    type Error = Canceled;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Canceled> {
        if self.canceled.load(Ordering::Relaxed) {
            return Err(Canceled);
        }
        let Ok(count) = self.source.fill(buffer);
        Ok(count)
    }
}

/// A file read in the thread that uses it.
struct DirectSource<'a> {
    reader: ReadSource<&'a mut dyn Read>,
    trouble: &'a mut Option<io::Error>,
    meter: &'a Meter,
}

impl Source for DirectSource<'_> {
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
fn run_on_threads(
    job: Box<dyn AnyJob>,
    inputs: Vec<InputFile>,
    threads: usize,
    printer: &mut Printer,
    add: AddTally<'_, Box<dyn Any + Send>>,
) -> Result<(), Failure> {
    let shared = Arc::new(Shared {
        job,
        canceled: AtomicBool::new(false),
    });
    let (tasks, to_read) = sync_channel(threads);
    let (queue, printing) = sync_channel(2 * threads);
    let to_read = Arc::new(Mutex::new(to_read));
    // Nobody waits for the threads: one that reads from a silent pipe would keep the program from ending after its
    // output was closed.
    let start = |_| {
        let (shared, to_read) = (shared.clone(), to_read.clone());
        spawn(move || shared.read_parts(&to_read)).ok()
    };
    if (0..threads).map_while(start).count() == 0 {
        return run_on_one_thread(&*shared.job, &inputs, printer, add);
    }
    let dispatcher = Dispatcher {
        tasks,
        queue,
        max_chunks: (MAX_WAITING_CHUNKS / threads).max(4),
    };
    let inputs = Arc::new(inputs);
    let (meter, to_split) = (printer.meter.clone(), inputs.clone());
    // This ends with an error if nothing more is wanted.
    let splitting = spawn(move || dispatcher.split_all(&to_split, &meter).unwrap_or_default());
    if splitting.is_err() {
        return run_on_one_thread(&*shared.job, &inputs, printer, add);
    }
    let outcome = print(&printing, printer, add);
    shared.canceled.store(true, Ordering::Relaxed);
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
enum QueuedOutput {
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
    queue: SyncSender<QueuedOutput>,
    /// How many chunks of each part may wait to be printed.
    max_chunks: usize,
}

impl Dispatcher {
    /// Splits all files. Those that could not be read to their end are reported.
    fn split_all(&self, inputs: &[InputFile], meter: &Meter) -> Result<(), Canceled> {
        let splitter = Splitter::new(BLOCK_SIZE);
        for input in inputs {
            let split = match meter.open(input) {
                Ok(reader) => {
                    let name: Arc<str> = input.name.as_str().into();
                    splitter.split(reader, |start, source| {
                        let (chunks, output) = sync_channel(self.max_chunks);
                        self.enqueue(QueuedOutput::Part(output))?;
                        let task = PartTask {
                            name: name.clone(),
                            start,
                            source,
                            chunks,
                        };
                        self.tasks.send(task).map_err(|_| Canceled)
                    })
                }
                Err(error) => Err(ReadError::Source(error)),
            };
            match split {
                Ok(()) => {}
                Err(ReadError::Stopped(canceled)) => return Err(canceled),
                Err(ReadError::Source(error)) => {
                    self.enqueue(QueuedOutput::Unusable(input.name.clone(), error))?;
                }
            }
        }
        // Without this, a thread that failed would look like the end of the files.
        self.enqueue(QueuedOutput::End)
    }

    fn enqueue(&self, output: QueuedOutput) -> Result<(), Canceled> {
        self.queue.send(output).map_err(|_| Canceled)
    }
}

/// What the threads that read share.
struct Shared {
    job: Box<dyn AnyJob>,
    canceled: AtomicBool,
}

impl Shared {
    /// Reads parts until there are no more.
    fn read_parts(&self, tasks: &Mutex<Receiver<PartTask>>) {
        loop {
            let next = match tasks.lock() {
                Ok(tasks) => tasks.recv(),
                Err(_) => return,
            };
            let Ok(task) = next else { return };
            // The flag cancels the source of every thread.
            let mut deliver = |chunk| {
                if task.chunks.send(chunk).is_err() {
                    self.canceled.store(true, Ordering::Relaxed);
                }
            };
            let part = Part {
                name: &task.name,
                source: &mut Cancelable {
                    canceled: &self.canceled,
                    source: task.source,
                },
                start: task.start,
            };
            if let Err(Canceled) = self.job.read_part(part, &mut deliver) {
                return;
            }
        }
    }
}

/// Prints the output of the parts in order.
fn print(
    printing: &Receiver<QueuedOutput>,
    printer: &mut Printer,
    add: AddTally<'_, Box<dyn Any + Send>>,
) -> Result<(), Failure> {
    let broken = || Failure::Unusable("a thread ended before its work was done".to_owned());
    loop {
        match printing.recv().map_err(|_| broken())? {
            QueuedOutput::End => return Ok(()),
            QueuedOutput::Unusable(name, error) => printer.unusable(&name, &error),
            QueuedOutput::Part(chunks) => loop {
                let chunk = chunks.recv().map_err(|_| broken())?;
                printer.meter.show();
                if matches!(chunk, OutputChunk::Done) {
                    break;
                }
                if printer.print_chunk(chunk, add)?.is_break() {
                    return Ok(());
                }
            },
        }
    }
}
