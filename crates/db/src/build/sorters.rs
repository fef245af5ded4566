//! Threads that sort what was read and write it to files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::entry::Entry;
use crate::error::DbError;
use crate::runs::{GameRecord, Run, write_sorted};
use crate::state::Checkpoint;

/// What one thread sorts at a time.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    pub(super) entries: Vec<Entry>,
    pub(super) games: Vec<GameRecord>,
    /// How many bytes of memory the games take.
    pub(super) bytes: usize,
    /// How much had been read when the chunk was complete.
    pub(super) reached: Checkpoint,
}

impl Chunk {
    /// How many bytes of memory it takes.
    pub(super) fn size(&self) -> usize {
        self.entries.len() * Entry::BYTES + self.bytes
    }

    /// Sorts a chunk, and writes it to two files with this number in their names.
    fn sort(self, work: &Path, parts: u32, number: usize) -> Result<Sorted, DbError> {
        let games = write_sorted(work, &format!("games-{number}"), parts, self.games)?;
        let entries = write_sorted(work, &format!("entries-{number}"), parts, self.entries)?;
        Ok(Sorted {
            entries,
            games,
            reached: self.reached,
        })
    }
}

/// A sorted chunk.
#[derive(Debug)]
pub(super) struct Sorted {
    pub(super) entries: Run,
    pub(super) games: Run,
    pub(super) reached: Checkpoint,
}

/// The threads and their results.
#[derive(Debug)]
pub(super) struct Sorters {
    work: PathBuf,
    parts: u32,
    /// Closed if no thread could be started; then the caller sorts.
    chunks: Option<SyncSender<(usize, Chunk)>>,
    /// Only used through `&mut`, so never locked. The mutex makes a `Builder` `Sync`.
    answers: Mutex<Receiver<(usize, Result<Sorted, DbError>)>>,
    answer: Sender<(usize, Result<Sorted, DbError>)>,
    /// The number of the next chunk.
    next: usize,
    /// The number of the next chunk to return.
    next_wanted: usize,
    /// Sorted chunks that came before those in front of them.
    ready: BTreeMap<usize, Sorted>,
}

impl Sorters {
    /// Starts threads. Chunks are numbered from `first`.
    pub(super) fn start(threads: usize, work: &Path, parts: u32, first: usize) -> Sorters {
        let (chunks, waiting) = sync_channel::<(usize, Chunk)>(0);
        let (answer, answers) = channel();
        let waiting = Arc::new(Mutex::new(waiting));
        let mut is_started = false;
        for _ in 0..threads {
            let (waiting, answer, work) = (waiting.clone(), answer.clone(), work.to_owned());
            let sort = move || {
                loop {
                    let next = match waiting.lock() {
                        Ok(waiting) => waiting.recv(),
                        Err(_) => return,
                    };
                    let Ok((number, chunk)) = next else { return };
                    if answer
                        .send((number, chunk.sort(&work, parts, number)))
                        .is_err()
                    {
                        return;
                    }
                }
            };
            is_started |= thread::Builder::new().spawn(sort).is_ok();
        }
        Sorters {
            work: work.to_owned(),
            parts,
            chunks: is_started.then_some(chunks),
            answers: Mutex::new(answers),
            answer,
            next: first,
            next_wanted: first,
            ready: BTreeMap::new(),
        }
    }

    /// Passes a chunk to a thread to be sorted. Waits while all threads are busy.
    pub(super) fn sort(&mut self, chunk: Chunk) -> Result<(), DbError> {
        let number = self.next;
        self.next += 1;
        match &self.chunks {
            Some(chunks) => chunks.send((number, chunk)).map_err(|_| DbError::Thread),
            None => {
                let sorted = chunk.sort(&self.work, self.parts, number);
                self.answer
                    .send((number, sorted))
                    .map_err(|_| DbError::Thread)
            }
        }
    }

    /// The next chunk in the order of reading, if it is sorted by now.
    pub(super) fn next_sorted(&mut self) -> Result<Option<Sorted>, DbError> {
        let answers = self.answers.get_mut();
        let answers = answers.unwrap_or_else(PoisonError::into_inner);
        while let Ok((number, sorted)) = answers.try_recv() {
            self.ready.insert(number, sorted?);
        }
        let sorted = self.ready.remove(&self.next_wanted);
        self.next_wanted += usize::from(sorted.is_some());
        Ok(sorted)
    }

    /// Waits until everything is sorted.
    pub(super) fn wait(&mut self) -> Result<(), DbError> {
        let answers = self.answers.get_mut();
        let answers = answers.unwrap_or_else(PoisonError::into_inner);
        while self.next_wanted + self.ready.len() < self.next {
            let (number, sorted) = answers.recv().map_err(|_| DbError::Thread)?;
            self.ready.insert(number, sorted?);
        }
        Ok(())
    }
}
