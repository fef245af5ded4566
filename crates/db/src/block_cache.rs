//! A cache of the blocks that were read and checked last.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

/// The most blocks in the cache, 32 MiB.
const BLOCKS: usize = 1024;

/// Blocks of all open files of a database. New blocks replace the oldest.
#[derive(Debug, Default)]
pub(crate) struct BlockCache(Mutex<CachedBlocks>);

/// The number of a file and of a block in it.
type BlockId = (u64, u64);

#[derive(Debug, Default)]
struct CachedBlocks {
    files: u64,
    blocks: HashMap<BlockId, Bytes>,
    order: VecDeque<BlockId>,
}

impl BlockCache {
    /// A new number for a file.
    pub(crate) fn number_file(&self) -> u64 {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.files += 1;
        kept.files
    }

    pub(crate) fn get(&self, file: u64, block: u64) -> Option<Bytes> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.blocks.get(&(file, block)).cloned()
    }

    /// Puts a block there, in place of the oldest if there is no room.
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
