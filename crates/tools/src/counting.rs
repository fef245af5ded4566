//! Perft with all options of the command: the count below each move, threads, a table and progress.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tabiya_front::failure::Failure;
use tabiya_play::threads;
use tabiya_rules::{Move, PerftTable, Position, perft, perft_hashed};

use super::progress::Progress;

/// Counts with several threads, and with a table if one was asked for.
#[derive(Debug)]
pub(crate) struct Counter {
    threads: NonZeroUsize,
    table: Option<PerftTable>,
}

/// From this depth on, the work is divided by the replies to the first moves too.
const MIN_DEPTH_FOR_REPLIES: u32 = 4;

/// A part of the work: the index of a root move, and a position that it leads to.
type Part = (usize, Position);

impl Counter {
    pub(crate) fn new(threads: NonZeroUsize, mebibytes: Option<u32>) -> Result<Counter, Failure> {
        let table = mebibytes.map(table).transpose()?;
        Ok(Counter { threads, table })
    }

    /// Counts the sequences of `depth` moves.
    pub(crate) fn count(&self, position: &Position, depth: u32) -> u64 {
        self.divide(position, depth, None).1
    }

    /// Counts the sequences of `depth` moves by their first moves, and in all.
    pub(crate) fn divide(
        &self,
        position: &Position,
        depth: u32,
        progress: Option<&Progress>,
    ) -> (Vec<(Move, u64)>, u64) {
        let moves = position.legal_moves();
        if depth == 0 {
            // There is one way to play no moves.
            return (Vec::new(), 1);
        }
        let (parts, depth_left) = parts(position, &moves, depth);
        let counts: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
        let next = AtomicUsize::new(0);
        let finished = AtomicU64::new(0);
        let work = || {
            while let Some((root, position)) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
                let count = self.count_alone(position, depth_left);
                if let Some(total) = counts.get(*root) {
                    total.fetch_add(count, Ordering::Relaxed);
                }
                let finished = finished.fetch_add(1, Ordering::Relaxed) + 1;
                if let Some(progress) = progress {
                    progress.reach(finished, parts.len() as u64);
                }
            }
        };
        std::thread::scope(|scope| {
            // One of the threads is this one.
            for _ in 1..self.threads.get().min(parts.len()) {
                // With fewer threads it takes longer.
                if threads::spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
        let counts: Vec<u64> = counts.into_iter().map(AtomicU64::into_inner).collect();
        let total = counts.iter().sum();
        (moves.into_iter().zip(counts).collect(), total)
    }

    fn count_alone(&self, position: &Position, depth: u32) -> u64 {
        match &self.table {
            Some(table) => perft_hashed(position, depth, table),
            None => perft(position, depth),
        }
    }
}

/// Divides the work into parts that are small enough to share evenly, and returns the depth that is left below each: the
/// positions after one ply, or after two if the depth is large enough for that to pay.
fn parts(position: &Position, moves: &[Move], depth: u32) -> (Vec<Part>, u32) {
    let first = moves.iter().map(|&played| position.play_unchecked(played));
    let first: Vec<Part> = first.enumerate().collect();
    if depth < MIN_DEPTH_FOR_REPLIES {
        return (first, depth - 1);
    }
    let second = first.into_iter().flat_map(|(root, position)| {
        let replies = position.legal_moves().into_iter();
        replies.map(move |reply| (root, position.play_unchecked(reply)))
    });
    (second.collect(), depth - 2)
}

/// A table, if there is enough memory: checking first gives an error message instead of an abort.
fn table(mebibytes: u32) -> Result<PerftTable, Failure> {
    let table = || {
        let size = usize::try_from(mebibytes).ok()?;
        let bytes = size.checked_mul(1 << 20)?;
        Vec::<u8>::new().try_reserve_exact(bytes).ok()?;
        Some(PerftTable::new(size))
    };
    let no_memory = format!("there is no memory for a table of {mebibytes} MiB");
    table().ok_or(Failure::Unusable(no_memory))
}
