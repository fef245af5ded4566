//! Cuts files into parts that several threads read at the same time.
//!
//! A file is cut only where a game begins whatever precedes it ([`pgn::last_game`]), so that the parts together are
//! read exactly like the whole. A stretch without such a place is one part, however long; its reader is fed block by
//! block, so no file needs more memory than a few blocks.

use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};

use tabiya_game::pgn::{self, Source, TextPosition};
use tabiya_store::disk;

use super::job::{OutputChunk, Stopped};
use crate::input::{Input, read_some};

/// How many blocks may wait for the reader of one part.
const WAITING: usize = 2;

/// A part for one thread to read.
pub(crate) struct PartTask<T> {
    pub(crate) name: Arc<str>,
    pub(crate) start: TextPosition,
    pub(crate) blocks: Receiver<Block>,
    pub(crate) out: SyncSender<OutputChunk<T>>,
}

/// What is printed next.
pub(crate) enum Item<T> {
    /// The output of a part.
    Part(Receiver<OutputChunk<T>>),
    /// A file could be opened.
    Opened,
    /// Why a file could not be read, or not to its end.
    Unusable(String),
    /// Everything has been read.
    End,
}

/// Some bytes of a file.
#[derive(Debug)]
pub(crate) struct Block {
    bytes: Vec<u8>,
    length: usize,
}

impl Block {
    fn filled(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    fn push(&mut self, bytes: &[u8]) {
        self.bytes[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    /// Reads until it is full, or the input ends.
    fn fill(&mut self, reader: &mut dyn Read) -> std::io::Result<Supply> {
        while self.length < self.bytes.len() {
            match read_some(reader, &mut self.bytes[self.length..])? {
                0 => return Ok(Supply::Ended),
                count => self.length += count,
            }
        }
        Ok(Supply::GoesOn)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Supply {
    GoesOn,
    Ended,
}

/// Blocks to reuse.
#[derive(Debug)]
pub(crate) struct Pool {
    size: usize,
    free: Mutex<Vec<Block>>,
}

impl Pool {
    pub(crate) fn new(size: usize) -> Pool {
        Pool {
            size,
            free: Mutex::default(),
        }
    }

    fn take(&self) -> Block {
        // The list is valid even if a thread panicked while it held the lock.
        let mut free = self
            .free
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        free.pop().unwrap_or_else(|| Block {
            bytes: vec![0; self.size],
            length: 0,
        })
    }

    fn put(&self, mut block: Block) {
        block.length = 0;
        let mut free = self
            .free
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        free.push(block);
    }
}

/// Cuts files and sends their parts off, to be read and to be printed in order.
pub(crate) struct Cutter<T> {
    pub(crate) pool: Arc<Pool>,
    pub(crate) tasks: SyncSender<PartTask<T>>,
    pub(crate) order: SyncSender<Item<T>>,
    /// How many chunks of each part may wait to be printed.
    pub(crate) chunks: usize,
}

impl<T> Cutter<T> {
    /// Cuts one file, and reports it if it could not be read to its end.
    ///
    /// # Errors
    /// If the parts are not wanted any more.
    pub(crate) fn cut(
        &self,
        input: &Input,
        reader: std::io::Result<Box<dyn Read + Send + '_>>,
    ) -> Result<(), Stopped> {
        let outcome = match reader {
            Ok(mut reader) => {
                self.order.send(Item::Opened).map_err(|_| Stopped)?;
                self.parts(&input.name, reader.as_mut())?
            }
            Err(error) => Err(error),
        };
        match outcome {
            Ok(()) => Ok(()),
            Err(error) => {
                let sentence = format!("{}: {}", input.name, disk::why(&error));
                self.order
                    .send(Item::Unusable(sentence))
                    .map_err(|_| Stopped)
            }
        }
    }

    fn parts(
        &self,
        name: &str,
        reader: &mut dyn Read,
    ) -> Result<Result<(), std::io::Error>, Stopped> {
        let name: Arc<str> = name.into();
        let mut place = TextPosition::START;
        let mut rest = Vec::new();
        let mut open: Option<SyncSender<Block>> = None;
        loop {
            let mut block = self.pool.take();
            block.push(&rest);
            rest.clear();
            // What came before an error is still read.
            let supply = block.fill(reader);
            let goes_on = matches!(supply, Ok(Supply::GoesOn));
            let cut = if goes_on {
                pgn::last_game(block.filled())
            } else {
                None
            };
            if let Some(cut) = cut {
                rest.extend_from_slice(&block.filled()[cut..]);
                block.length = cut;
            }
            let start = place;
            place.advance(block.filled());
            if block.length > 0 {
                let feed = match open.take() {
                    Some(feed) => feed,
                    None => self.begin(&name, start)?,
                };
                feed.send(block).map_err(|_| Stopped)?;
                open = cut.is_none().then_some(feed);
            }
            match supply {
                Ok(Supply::GoesOn) => {}
                Ok(Supply::Ended) => return Ok(Ok(())),
                Err(error) => return Ok(Err(error)),
            }
        }
    }

    fn begin(&self, name: &Arc<str>, start: TextPosition) -> Result<SyncSender<Block>, Stopped> {
        let (feed, blocks) = sync_channel(WAITING);
        let (out, chunks) = sync_channel(self.chunks);
        let task = PartTask {
            name: name.clone(),
            start,
            blocks,
            out,
        };
        self.order.send(Item::Part(chunks)).map_err(|_| Stopped)?;
        self.tasks.send(task).map_err(|_| Stopped)?;
        Ok(feed)
    }
}

/// The blocks of one part as a source of bytes.
pub(crate) struct Fed<'a> {
    pub(crate) blocks: Receiver<Block>,
    pub(crate) pool: &'a Pool,
    pub(crate) stop: &'a AtomicBool,
    current: Option<Block>,
    used: usize,
}

impl<'a> Fed<'a> {
    pub(crate) fn new(blocks: Receiver<Block>, pool: &'a Pool, stop: &'a AtomicBool) -> Fed<'a> {
        Fed {
            blocks,
            pool,
            stop,
            current: None,
            used: 0,
        }
    }
}

impl Source for Fed<'_> {
    type Error = Stopped;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Stopped> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        let block = match self.current.take() {
            Some(block) => block,
            None => match self.blocks.recv() {
                Ok(block) => block,
                // The part is over.
                Err(_) => return Ok(0),
            },
        };
        let left = &block.filled()[self.used..];
        let count = left.len().min(buffer.len());
        buffer[..count].copy_from_slice(&left[..count]);
        self.used += count;
        if self.used == block.length {
            self.used = 0;
            self.pool.put(block);
        } else {
            self.current = Some(block);
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests;
