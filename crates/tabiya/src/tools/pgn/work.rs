//! Runs a job on files, with one thread or many; the result is the same.

use std::io::Read;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

use tabiya_game::pgn::{Source, TextPosition};
use tabiya_play::threads::spawn;
use tabiya_store::disk;

use super::flags::Reading;
use super::job::{
    Add, AfterChunk, ClosedPrinter, Job, OutputChunk, Part, PartWriter, Printer, Stopped,
};
use super::parts::{Cutter, Fed, Item, PartTask, Pool};
use crate::failure::Failure;
use crate::input::{Input, inputs_in_folders, read_some, total};
use crate::tools::progress::Progress;

/// How many bytes of a file a thread gets at once, unless there is no place to cut.
const BLOCK: usize = 1 << 18;

/// How many chunks of output may wait, over all parts. A chunk is at most [`BLOCK`] / 4 bytes, or one game.
const WAITING_CHUNKS: usize = 1 << 9;

/// More threads than this would only take memory.
const MOST_THREADS: usize = 64;

/// Runs a job on the requested files. Text is printed and tallies are added in the order of the input.
pub(crate) fn perform<J: Job>(
    job: J,
    reading: &Reading,
    add: Add<'_, J::Tally>,
) -> Result<ClosedPrinter, Failure> {
    let inputs = inputs_in_folders(&reading.files);
    let threads = match reading.threads {
        Some(threads) => threads.get(),
        None => thread::available_parallelism().map_or(1, usize::from),
    };
    let meter = Meter {
        progress: Progress::of_bytes(),
        count: Arc::default(),
        total: total(&inputs),
        games: job.games(),
    };
    let mut printer = Printer::new(&meter.progress);
    match threads.min(MOST_THREADS) {
        1 => alone(&job, &inputs, &meter, &mut printer, add)?,
        threads => together(job, inputs, threads, &meter, &mut printer, add)?,
    }
    Ok(printer.close())
}

/// The progress of reading.
struct Meter {
    progress: Progress,
    /// The number of bytes read.
    count: Arc<AtomicU64>,
    /// The number of bytes in total, if it is known.
    total: Option<u64>,
    /// The number of games read, if the job counts them.
    games: Option<Arc<AtomicU64>>,
}

impl Meter {
    fn show(&self) {
        let read = self.count.load(Ordering::Relaxed);
        self.progress.reach_of(read, self.total);
        if let Some(games) = &self.games {
            self.progress.count_games(games.load(Ordering::Relaxed));
        }
    }
}

/// Reads everything in this thread.
fn alone<J: Job>(
    job: &J,
    inputs: &[Input],
    meter: &Meter,
    printer: &mut Printer<'_>,
    add: Add<'_, J::Tally>,
) -> Result<(), Failure> {
    let stop = AtomicBool::new(false);
    let mut failure = None;
    let mut is_enough = false;
    for input in inputs {
        let mut trouble = None;
        match input.open(&meter.count) {
            Err(error) => trouble = Some(error),
            Ok(mut reader) => {
                printer.opened();
                let mut deliver = |chunk| match printer.take(chunk, add) {
                    Ok(AfterChunk::GoesOn | AfterChunk::PartDone) => Ok(()),
                    Ok(AfterChunk::Enough) => {
                        is_enough = true;
                        Err(Stopped)
                    }
                    Err(error) => {
                        failure = Some(error);
                        Err(Stopped)
                    }
                };
                let mut writer = PartWriter::new(&stop, &mut deliver);
                let part = Part {
                    name: &input.name,
                    source: Direct {
                        reader: reader.as_mut(),
                        trouble: &mut trouble,
                        stop: &stop,
                        meter,
                    },
                    start: TextPosition::START,
                };
                if job.read(part, &mut writer).is_ok() {
                    writer.finish();
                }
            }
        }
        if let Some(failure) = failure {
            return Err(failure);
        }
        if is_enough {
            return Ok(());
        }
        if let Some(error) = trouble {
            printer.unusable(format!("{}: {}", input.name, disk::why(&error)));
        }
    }
    Ok(())
}

/// A file read in the thread that uses it.
struct Direct<'a> {
    reader: &'a mut dyn Read,
    trouble: &'a mut Option<std::io::Error>,
    stop: &'a AtomicBool,
    meter: &'a Meter,
}

impl Source for Direct<'_> {
    type Error = Stopped;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Stopped> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        if self.trouble.is_some() {
            return Ok(0);
        }
        self.meter.show();
        // What came before an error is still read.
        read_some(self.reader, buffer).or_else(|error| {
            *self.trouble = Some(error);
            Ok(0)
        })
    }
}

/// Reads with several threads, plus one that cuts the files into parts; this one prints. If the system grants fewer
/// threads, those are used; if it grants none, this thread reads alone.
fn together<J: Job>(
    job: J,
    inputs: Vec<Input>,
    threads: usize,
    meter: &Meter,
    printer: &mut Printer<'_>,
    add: Add<'_, J::Tally>,
) -> Result<(), Failure> {
    let shared = Arc::new(Shared {
        job,
        pool: Arc::new(Pool::new(BLOCK)),
        stop: AtomicBool::new(false),
    });
    let (tasks, waiting) = sync_channel(threads);
    let (order, items) = sync_channel(2 * threads);
    let waiting = Arc::new(Mutex::new(waiting));
    // Nobody waits for the threads: one that reads from a silent pipe would keep the program from ending after its
    // output was closed.
    let start = |_| {
        let (shared, waiting) = (shared.clone(), waiting.clone());
        spawn(move || shared.work(&waiting)).ok()
    };
    if (0..threads).map_while(start).count() == 0 {
        return alone(&shared.job, &inputs, meter, printer, add);
    }
    let cutter = Cutter {
        pool: shared.pool.clone(),
        tasks,
        order,
        chunks: (WAITING_CHUNKS / threads).max(4),
    };
    let inputs = Arc::new(inputs);
    let (count, cut) = (meter.count.clone(), inputs.clone());
    let cutting = spawn(move || {
        for input in &*cut {
            if cutter.cut(input, input.open(&count)).is_err() {
                return;
            }
        }
        // Without this, a thread that failed would look like the end of the files.
        let _ = cutter.order.send(Item::End);
    });
    if cutting.is_err() {
        return alone(&shared.job, &inputs, meter, printer, add);
    }
    let outcome = print(&items, meter, printer, add);
    shared.stop.store(true, Ordering::Relaxed);
    outcome
}

/// What the threads share.
struct Shared<J> {
    job: J,
    pool: Arc<Pool>,
    stop: AtomicBool,
}

impl<J: Job> Shared<J> {
    /// Reads parts until there are no more.
    fn work(&self, waiting: &Mutex<Receiver<PartTask<J::Tally>>>) {
        loop {
            let next = match waiting.lock() {
                Ok(waiting) => waiting.recv(),
                Err(_) => return,
            };
            let Ok(task) = next else { return };
            let mut deliver = |chunk| task.out.send(chunk).map_err(|_| Stopped);
            let mut writer = PartWriter::new(&self.stop, &mut deliver);
            let part = Part {
                name: &task.name,
                source: Fed::new(task.blocks, &self.pool, &self.stop),
                start: task.start,
            };
            match self.job.read(part, &mut writer) {
                Ok(()) => writer.finish(),
                Err(Stopped) => return,
            }
        }
    }
}

/// Prints the output of the parts in order.
fn print<T>(
    items: &Receiver<Item<T>>,
    meter: &Meter,
    printer: &mut Printer<'_>,
    add: Add<'_, T>,
) -> Result<(), Failure> {
    let broken = || Failure::Unusable("a thread ended before its work was done".to_owned());
    loop {
        match items.recv().map_err(|_| broken())? {
            Item::End => return Ok(()),
            Item::Opened => printer.opened(),
            Item::Unusable(sentence) => printer.unusable(sentence),
            Item::Part(chunks) => loop {
                let chunk: OutputChunk<T> = chunks.recv().map_err(|_| broken())?;
                meter.show();
                match printer.take(chunk, add)? {
                    AfterChunk::GoesOn => {}
                    AfterChunk::PartDone => break,
                    AfterChunk::Enough => return Ok(()),
                }
            },
        }
    }
}
