//! The one place that prints the results of a job, in the order of the files.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tabiya_front::failure::Failure;
use tabiya_front::input_file::{InputFile, TextReader};
use tabiya_front::output::{Output, say};
use tabiya_store::disk;

use super::job::OutputChunk;
use crate::progress::{Measure, Progress};

/// Takes the items of a job in the order of the input, may print results, and says whether more are wanted.
pub(crate) type TakeItem<'a, T> =
    &'a mut dyn FnMut(T, &mut Output) -> Result<ControlFlow<()>, Failure>;

/// The progress of reading. Threads may share it.
#[derive(Debug)]
pub(super) struct Meter {
    pub(super) progress: Progress,
    /// The number of bytes read.
    pub(super) count: AtomicU64,
    /// Whether a file could be opened.
    pub(super) is_opened: AtomicBool,
    /// The number of bytes in total, if it is known.
    pub(super) total: Option<u64>,
    /// The number of games read, if the job counts them.
    pub(super) games: Option<Arc<AtomicU64>>,
}

impl Meter {
    /// A meter for files that have not been opened yet.
    pub(super) fn new(inputs: &[InputFile], games: Option<Arc<AtomicU64>>) -> Meter {
        Meter {
            progress: Progress::new(Measure::Bytes),
            count: AtomicU64::new(0),
            is_opened: AtomicBool::new(false),
            total: inputs.iter().map(InputFile::size).sum(),
            games,
        }
    }

    /// Opens a file, whose bytes are counted.
    pub(super) fn open(&self, input: &InputFile) -> io::Result<MeteredReader<'_>> {
        let reader = input.open(&self.count)?;
        self.is_opened.store(true, Ordering::Relaxed);
        Ok(MeteredReader {
            reader,
            meter: self,
        })
    }

    /// Shows how much has been read.
    fn show(&self) {
        let read = self.count.load(Ordering::Relaxed);
        let games = self
            .games
            .as_ref()
            .map(|games| games.load(Ordering::Relaxed));
        self.progress.reach_games(read, self.total, games);
    }
}

/// Shows the progress while it reads.
pub(super) struct MeteredReader<'a> {
    reader: TextReader<'a>,
    meter: &'a Meter,
}

impl Read for MeteredReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.meter.show();
        self.reader.read(buffer)
    }
}

/// Prints the chunks, with the progress bar out of the way, and what follows them.
#[derive(Debug)]
pub(crate) struct Printer {
    pub(super) meter: Arc<Meter>,
    pub(crate) output: Output,
    /// The last file that could not be read, or not to its end, and why.
    unusable: Option<String>,
}

impl Printer {
    pub(super) fn new(meter: Arc<Meter>) -> Printer {
        Printer {
            meter,
            output: Output::stdout(),
            unusable: None,
        }
    }

    /// Handles a chunk. Items are passed to `take`, which says whether more is wanted.
    pub(super) fn print_chunk<T>(
        &mut self,
        chunk: OutputChunk<T>,
        take: TakeItem<'_, T>,
    ) -> Result<ControlFlow<()>, Failure> {
        match chunk {
            OutputChunk::Text(text) => self.print(|output| output.bytes(&text))?,
            OutputChunk::Message(text) => self.meter.progress.aside(|| say(&text)),
            OutputChunk::Item(item) => return self.print(|output| take(item, output)),
        }
        Ok(ControlFlow::Continue(()))
    }

    fn print<R>(
        &mut self,
        write: impl FnOnce(&mut Output) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let output = &mut self.output;
        if !output.is_terminal {
            return write(output);
        }
        output.hold();
        let written = write(output);
        // The bar must not stand in the middle of the results; where there are none, it stays.
        if output.is_holding() {
            self.meter.progress.aside(|| output.flush())?;
        }
        written
    }

    /// Records a file that could not be read, or not to its end. Reading continues with the next.
    pub(crate) fn unusable(&mut self, name: &str, error: &io::Error) {
        let sentence = format!("{name}: {}", disk::why(error));
        if let Some(earlier) = self.unusable.replace(sentence) {
            self.meter
                .progress
                .aside(|| say(&format!("tabiya: {earlier}")));
        }
    }

    /// Whether there are counts to print: not if no file could be opened.
    pub(crate) fn has_counts(&self) -> bool {
        self.meter.is_opened.load(Ordering::Relaxed) || self.unusable.is_none()
    }

    /// Completes the output. Fails if a file could not be read.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.output.finish()?;
        self.unusable
            .map_or(Ok(()), |why| Err(Failure::Unusable(why)))
    }
}
