//! Perft: counting the lines of legal moves to a depth, the standard test of a move generator.
//!
//! There is a plain form, one with a table of subtrees already counted, and one with several threads. All give the same
//! numbers.

use alloc::boxed::Box;
use core::sync::atomic::{AtomicU64, Ordering};

use crate::{Move, MoveList, Position};

/// Returns the number of sequences of `depth` legal moves, at most [`u64::MAX`]. The moves of the last ply are counted,
/// not played.
///
/// ```
/// use tabiya_rules::{perft, Position};
///
/// assert_eq!(perft(&Position::start(), 3), 8_902);
/// ```
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves() as u64,
        _ => {
            let mut moves = MoveList::new();
            position.legal_moves_into(&mut moves);
            sum(moves
                .iter()
                .map(|&m| perft(&position.play_unchecked(m), depth - 1)))
        }
    }
}

/// Returns the count below each legal move, in the order of the generator.
///
/// ```
/// use tabiya_rules::{Position, perft_divide};
///
/// let start = Position::start();
/// let counts: Vec<(String, u64)> = perft_divide(&start, 2)
///     .map(|(m, count)| (start.uci(m).to_string(), count))
///     .collect();
/// assert_eq!(counts.len(), 20);
/// assert!(counts.contains(&("e2e4".to_owned(), 20)));
/// ```
pub fn perft_divide(position: &Position, depth: u32) -> impl Iterator<Item = (Move, u64)> {
    let position = *position;
    let moves = match depth {
        0 => MoveList::new(),
        _ => position.legal_moves(),
    };
    let below = depth.saturating_sub(1);
    moves
        .into_iter()
        .map(move |m| (m, perft(&position.play_unchecked(m), below)))
}

/// Counts of subtrees by position and depth. Threads can share a table.
///
/// An entry is a count, and its key XORed with the count, so that an entry written half by one thread and half by
/// another is not believed.
///
/// ```
/// use tabiya_rules::{PerftTable, Position, perft_hashed};
///
/// let table = PerftTable::new(1);
/// assert_eq!(perft_hashed(&Position::start(), 3, &table), 8902);
/// ```
#[derive(Debug)]
pub struct PerftTable {
    entries: Box<[(AtomicU64, AtomicU64)]>,
}

impl PerftTable {
    /// Creates a table of about that many mebibytes, at least one.
    #[must_use]
    pub fn new(mebibytes: usize) -> PerftTable {
        let entries = mebibytes.max(1).saturating_mul(1 << 20) / 16;
        PerftTable {
            entries: (0..entries)
                .map(|_| (AtomicU64::new(0), AtomicU64::new(0)))
                .collect(),
        }
    }

    fn entry(&self, key: u64) -> Option<&(AtomicU64, AtomicU64)> {
        let index = (u128::from(key) * self.entries.len() as u128) >> 64;
        self.entries.get(index as usize)
    }

    /// The count below a position, if it is known for this depth.
    fn find(&self, key: u64, depth: u32) -> Option<u64> {
        let (mixed, value) = self.entry(key)?;
        let value = value.load(Ordering::Relaxed);
        let known = mixed.load(Ordering::Relaxed) ^ value == key;
        (known && value & 0xff == u64::from(depth)).then_some(value >> 8)
    }

    /// Records the count below a position.
    fn store(&self, key: u64, depth: u32, count: u64) {
        // A count that leaves no room for the depth is not stored; it is counted again instead.
        if let Some((mixed, value)) = self.entry(key)
            && count >> 56 == 0
            && depth <= 0xff
        {
            let packed = count << 8 | u64::from(depth);
            mixed.store(key ^ packed, Ordering::Relaxed);
            value.store(packed, Ordering::Relaxed);
        }
    }
}

/// Like [`perft`], but looks up subtrees in a table before it counts them.
///
/// ```
/// use tabiya_rules::{PerftTable, Position, perft_hashed};
///
/// let table = PerftTable::new(1);
/// assert_eq!(perft_hashed(&Position::start(), 4, &table), 197_281);
/// ```
#[must_use]
pub fn perft_hashed(position: &Position, depth: u32, table: &PerftTable) -> u64 {
    if depth < 2 {
        return perft(position, depth);
    }
    if let Some(count) = table.find(position.key(), depth) {
        return count;
    }
    let moves = position.legal_moves();
    let below = |m: &Move| perft_hashed(&position.play_unchecked(*m), depth - 1, table);
    let count = sum(moves.iter().map(below));
    table.store(position.key(), depth, count);
    count
}

/// Like [`perft`], but on several threads, which share the table if one is given.
///
/// ```
/// use tabiya_rules::{perft_threads, Position};
///
/// let threads = std::num::NonZero::new(2).unwrap();
/// assert_eq!(perft_threads(&Position::start(), 4, threads, None), 197_281);
/// ```
#[cfg(feature = "std")]
#[must_use]
pub fn perft_threads(
    position: &Position,
    depth: u32,
    threads: core::num::NonZero<usize>,
    table: Option<&PerftTable>,
) -> u64 {
    use alloc::vec::Vec;
    use core::sync::atomic::AtomicUsize;

    let count = |position: &Position, depth| match table {
        Some(table) => perft_hashed(position, depth, table),
        None => perft(position, depth),
    };
    if depth < 4 || threads.get() == 1 {
        return count(position, depth);
    }
    // Positions two plies deep are enough to share the work evenly.
    let after = |position: &Position| -> Vec<Position> {
        position
            .legal_moves()
            .iter()
            .map(|&m| position.play_unchecked(m))
            .collect()
    };
    let work: Vec<Position> = after(position).iter().flat_map(after).collect();
    let next = AtomicUsize::new(0);
    let counts: Vec<AtomicU64> = work.iter().map(|_| AtomicU64::new(0)).collect();
    std::thread::scope(|scope| {
        for _ in 0..threads.get().min(work.len()) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(position), Some(found)) = (work.get(index), counts.get(index)) else {
                        break;
                    };
                    found.store(count(position, depth - 2), Ordering::Relaxed);
                }
            });
        }
    });
    sum(counts.into_iter().map(AtomicU64::into_inner))
}

/// Adds up counts, saturating at [`u64::MAX`].
fn sum(counts: impl Iterator<Item = u64>) -> u64 {
    counts.fold(0, u64::saturating_add)
}
