//! Runs a job on files, with one thread or many; the result is the same.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;

use tabiya_front::failure::Failure;
use tabiya_front::input_file::{InputFile, input_files};
use tabiya_game::pgn::{Canceled, Part, PartEvent, PartReader, Task, read_parts};
use tabiya_play::threads::spawn;

use super::flags::Reading;
use super::job::{Job, OutputChunk, PartWriter};
use super::printer::{Meter, Printer, TakeItem};

/// Runs a job on the requested files. Text is printed and items are taken in the order of the input.
pub(crate) fn run_job<J: Job>(
    job: J,
    reading: &Reading,
    take: TakeItem<'_, J::Item>,
) -> Result<Printer, Failure> {
    let inputs: Arc<[InputFile]> = input_files(&reading.files).into();
    let meter = Arc::new(Meter::new(&inputs, job.games()));
    let mut printer = Printer::new(meter.clone());
    let reader = JobReader {
        job,
        inputs: inputs.clone(),
        meter,
    };
    let cores = || thread::available_parallelism().ok();
    // A single thread is the calling one.
    let threads = reading
        .threads
        .or_else(cores)
        .filter(|threads| threads.get() > 1);
    // Nobody waits for the threads: one that reads from a silent pipe would keep the program from ending after its
    // output was closed.
    let mut start = |task: Task<'static>| Ok(spawn(task).map(drop)?);
    let read = read_parts(reader, threads, &mut start, &mut |event| match event {
        PartEvent::Item(chunk) => match printer.print_chunk(chunk, take) {
            Ok(flow) => flow.map_break(Ok),
            Err(failure) => ControlFlow::Break(Err(failure)),
        },
        PartEvent::Failed(input, error) => {
            printer.unusable(&inputs[input].name, &error);
            ControlFlow::Continue(())
        }
    });
    printer.meter.progress.close();
    match read {
        Ok(ControlFlow::Continue(())) => Ok(printer),
        Ok(ControlFlow::Break(ended)) => ended.map(|()| printer),
        Err(lost) => Err(Failure::Unusable(lost.to_string())),
    }
}

/// Reads the parts of files with a job.
struct JobReader<J> {
    job: J,
    inputs: Arc<[InputFile]>,
    meter: Arc<Meter>,
}

impl<J: Job> PartReader for JobReader<J> {
    type Item = OutputChunk<J::Item>;

    fn open(&self, input: usize) -> Option<io::Result<Box<dyn Read + '_>>> {
        let input = self.inputs.get(input)?;
        let opened = self.meter.open(input);
        Some(opened.map(|reader| Box::new(reader) as Box<dyn Read>))
    }

    fn read(&self, part: Part<'_>, give: &mut dyn FnMut(Self::Item)) -> Result<(), Canceled> {
        let mut writer = PartWriter {
            file: &self.inputs[part.input].name,
            text: Vec::new(),
            give,
        };
        self.job.read(part, &mut writer)?;
        writer.flush();
        Ok(())
    }
}
