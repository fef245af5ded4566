//! The blocks of files that were read and checked last, so that the next question finds them in memory.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

/// How many blocks are kept: 32 MiB.
const BLOCKS: usize = 1024;

/// Blocks of all open files of a database. The oldest make room for new ones.
#[derive(Debug, Default)]
pub(crate) struct BlockCache(Mutex<Kept>);

/// A file, by the number that the cache gave it, and a block of it.
type Place = (u64, u64);

#[derive(Debug, Default)]
struct Kept {
    files: u64,
    blocks: HashMap<Place, Bytes>,
    order: VecDeque<Place>,
}

impl BlockCache {
    /// A number for a file that no other file has.
    pub(crate) fn number_file(&self) -> u64 {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.files += 1;
        kept.files
    }

    pub(crate) fn get(&self, file: u64, block: u64) -> Option<Bytes> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.blocks.get(&(file, block)).cloned()
    }

    pub(crate) fn insert(&self, file: u64, block: u64, bytes: Bytes) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.blocks.insert((file, block), bytes).is_some() {
            return;
        }
        kept.order.push_back((file, block));
        if kept.order.len() > BLOCKS
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.blocks.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests;
