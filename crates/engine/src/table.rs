//! The transposition table, shared by all threads without locks.
//!
//! A slot is two words: the entry's data, and the position's key XORed with the data. Two threads that write the same
//! slot at once leave words that do not match, and such a slot reads as empty: nothing waits, and an entry of another
//! position is returned only if the 64-bit keys are equal.

use std::sync::atomic::{AtomicU64, Ordering};

use tabiya_rules::Move;
use tabiya_uci::Bound;

use crate::prefetch::prefetch;
use crate::score::{MATE_BOUND, is_mate};
use crate::threads;

/// Slots in a bucket, which is one cache line.
const BUCKET_SLOTS: usize = 4;
/// Generations are counted modulo this.
const GENERATIONS: u8 = 32;
/// What an entry loses in replacement priority with every generation, in plies of depth.
const GENERATION_PENALTY: i32 = 8;

/// What a score found with a window says: fail high is a lower bound, fail low an upper bound.
pub(crate) fn bound_of(score: i32, alpha: i32, beta: i32) -> Bound {
    if score >= beta {
        Bound::Lower
    } else if score > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}

/// What the table knows about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TtEntry {
    /// The best or refutation move, if there was one.
    pub(crate) tt_move: Option<Move>,
    pub(crate) score: i32,
    /// The static evaluation before corrections; `None` in check.
    pub(crate) eval: Option<i32>,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// Whether the position was ever searched in a PV node.
    pub(crate) tt_pv: bool,
}

impl TtEntry {
    /// Does the score settle a search with this window?
    pub(crate) fn causes_cutoff(&self, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }

    /// Is the score a better estimate than a static evaluation? Mate scores are not: they have to be searched.
    pub(crate) fn refines(&self, static_eval: i32) -> bool {
        match self.bound {
            _ if is_mate(self.score) => false,
            Bound::Exact => true,
            Bound::Lower => self.score > static_eval,
            Bound::Upper => self.score < static_eval,
        }
    }
}

/// The key XORed with the data, and the data.
type Slot = [AtomicU64; 2];
/// As many slots as fit in a cache line.
type Bucket = [AtomicU64; BUCKET_WORDS];

const BUCKET_WORDS: usize = 2 * BUCKET_SLOTS;
const CACHE_LINE: usize = 64;
/// There must be memory for so many more. Once memory of this size has been freed, the allocator of glibc takes the next from
/// its heap, which it extends by more than what is asked for.
const SPARE_WORDS: usize = (1 << 20) / size_of::<AtomicU64>();
/// Tables up to this size are cleared in place.
const SMALL_TABLE_WORDS: usize = (32 << 20) / size_of::<AtomicU64>();

const _: () = assert!(BUCKET_WORDS * size_of::<AtomicU64>() == CACHE_LINE);

/// The transposition table.
#[derive(Debug)]
pub(crate) struct Table {
    words: Vec<AtomicU64>,
    /// The first word that is aligned to a cache line, where the buckets begin.
    begin: usize,
    /// Counts searches.
    generation: u8,
}

impl Table {
    /// Creates a table of this many MiB, or a smaller one if there is not enough memory.
    pub(crate) fn new(mebibytes: usize) -> Table {
        let mut mebibytes = mebibytes;
        loop {
            match Table::try_new(mebibytes) {
                Some(table) => return table,
                None => mebibytes /= 2,
            }
        }
    }

    /// Creates a table of this many MiB. Returns `None` if there is not enough memory; size 0, a single bucket, always
    /// fits.
    pub(crate) fn try_new(mebibytes: usize) -> Option<Table> {
        let buckets = (mebibytes.checked_mul(1 << 20)? / CACHE_LINE).max(1);
        // One more, because the memory may begin anywhere in a cache line.
        let len = (buckets + 1).checked_mul(BUCKET_WORDS)?;
        if buckets > 1 {
            Vec::<u64>::new()
                .try_reserve_exact(len + SPARE_WORDS)
                .ok()?;
        }
        // Zeroed memory comes from the system page by page, when it is first used, and the conversion happens in place:
        // with optimizations this takes no time however large the table is.
        let words: Vec<AtomicU64> = vec![0_u64; len].into_iter().map(AtomicU64::new).collect();
        let begin = words.as_ptr().align_offset(CACHE_LINE);
        Some(Table {
            begin: if begin < BUCKET_WORDS { begin } else { 0 },
            words,
            generation: 0,
        })
    }

    /// Removes all entries. A large table is replaced by a new one, which takes no time; the memory of a small one is
    /// kept, because it is in the caches.
    pub(crate) fn clear(&mut self) {
        if self.words.len() > SMALL_TABLE_WORDS {
            let mebibytes = (self.buckets().len() * CACHE_LINE) >> 20;
            match Table::try_new(mebibytes) {
                Some(table) => self.replace(table),
                None => {
                    // There is no room for both.
                    self.words = Vec::new();
                    *self = Table::new(mebibytes);
                }
            }
        } else {
            for word in &mut self.words {
                *word.get_mut() = 0;
            }
            self.generation = 0;
        }
    }

    /// Replaces this table by another. The memory of a large table is released in another thread: for a used one that
    /// takes a tenth of a second or more per GiB.
    pub(crate) fn replace(&mut self, table: Table) {
        let old = std::mem::replace(self, table);
        if old.words.len() > SMALL_TABLE_WORDS {
            threads::drop_in_background(old.words);
        }
    }

    /// Begins another search: entries of earlier ones are replaced first.
    pub(crate) fn new_generation(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// Looks up a position at this distance from the root.
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        slots(self.bucket(key))
            .iter()
            .find_map(|[slot_key, slot_data]| {
                let data = slot_data.load(Ordering::Relaxed);
                let matches = slot_key.load(Ordering::Relaxed) ^ data == key;
                let entry = matches.then(|| unpack(data)).flatten()?;
                let score = score_from_table(entry.score, ply);
                Some(TtEntry { score, ..entry })
            })
    }

    /// Prefetches the bucket of a position.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// Stores an entry in the slot with the lowest replacement priority.
    pub(crate) fn store(&self, key: u64, ply: usize, mut entry: TtEntry) {
        let generation = self.generation;
        let mut victim = None;
        for slot @ [slot_key, slot_data] in slots(self.bucket(key)) {
            let data = slot_data.load(Ordering::Relaxed);
            if slot_key.load(Ordering::Relaxed) ^ data == key {
                if let Some(old) = unpack(data) {
                    entry.tt_move = entry.tt_move.or(old.tt_move);
                    let current = generation_of(data) == generation;
                    // A much deeper result of this search is worth more than a shallow bound.
                    if current && entry.bound != Bound::Exact && entry.depth + 4 < old.depth {
                        return;
                    }
                }
                victim = Some((slot, 0));
                break;
            }
            let priority = replacement_priority(data, generation);
            if victim.is_none_or(|(_, lowest)| priority < lowest) {
                victim = Some((slot, priority));
            }
        }
        if let Some(([slot_key, slot_data], _)) = victim {
            let score = score_to_table(entry.score, ply);
            let data = pack(&TtEntry { score, ..entry }, generation);
            slot_key.store(key ^ data, Ordering::Relaxed);
            slot_data.store(data, Ordering::Relaxed);
        }
    }

    /// The permille of slots with entries of this search, from a sample.
    pub(crate) fn hashfull(&self) -> u32 {
        let generation = self.generation;
        let sample = self.buckets().iter().take(250);
        let slot_count = sample.len() * BUCKET_SLOTS;
        let used = sample
            .flat_map(slots)
            .filter(|[_, slot_data]| {
                let data = slot_data.load(Ordering::Relaxed);
                data != 0 && generation_of(data) == generation
            })
            .count();
        u32::try_from(used * 1000 / slot_count).unwrap_or(1000)
    }

    #[inline]
    fn buckets(&self) -> &[Bucket] {
        // The last words are those that the alignment left over.
        let end = self.words.len() - BUCKET_WORDS + self.begin;
        self.words[self.begin..end].as_chunks().0
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        let buckets = self.buckets();
        let index = (u128::from(key) * buckets.len() as u128) >> 64;
        &buckets[index as usize]
    }
}

#[inline]
fn slots(bucket: &Bucket) -> &[Slot] {
    bucket.as_chunks().0
}

/// Mate scores are stored by their distance from the position, which is reached at different distances from the root.
fn score_to_table(score: i32, ply: usize) -> i32 {
    match score {
        s if s > MATE_BOUND => s + ply as i32,
        s if s < -MATE_BOUND => s - ply as i32,
        s => s,
    }
}

fn score_from_table(score: i32, ply: usize) -> i32 {
    match score {
        s if s > MATE_BOUND => s - ply as i32,
        s if s < -MATE_BOUND => s + ply as i32,
        s => s,
    }
}

/// The packed form of a missing evaluation.
const NO_EVAL: i16 = i16::MIN;

/// Packs an entry: move 16 bits, score 16, evaluation 16, depth 8, bound 2, PV 1, generation 5.
fn pack(entry: &TtEntry, generation: u8) -> u64 {
    let tt_move = entry.tt_move.map_or(0, Move::bits);
    let eval = entry.eval.map_or(NO_EVAL, |value| value as i16);
    let bound = match entry.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(tt_move)
        | u64::from(entry.score as u16) << 16
        | u64::from(eval as u16) << 32
        | (entry.depth.clamp(0, 255) as u64) << 48
        | bound << 56
        | u64::from(entry.tt_pv) << 58
        | u64::from(generation) << 59
}

/// Unpacks what [`pack`] packed. Returns `None` for a slot that was never written to.
fn unpack(data: u64) -> Option<TtEntry> {
    let bound = match data >> 56 & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    let eval = (data >> 32) as i16;
    Some(TtEntry {
        tt_move: Move::from_bits(data as u16),
        score: i32::from((data >> 16) as i16),
        eval: (eval != NO_EVAL).then_some(i32::from(eval)),
        depth: (data >> 48 & 255) as i32,
        bound,
        tt_pv: data >> 58 & 1 == 1,
    })
}

/// The generation of a packed entry.
fn generation_of(data: u64) -> u8 {
    (data >> 59) as u8
}

/// Depth, less a penalty for every generation since. Empty slots come first.
fn replacement_priority(data: u64, generation: u8) -> i32 {
    if data == 0 {
        return i32::MIN;
    }
    let age = (generation + GENERATIONS - generation_of(data)) % GENERATIONS;
    (data >> 48 & 255) as i32 - GENERATION_PENALTY * i32::from(age)
}

#[cfg(test)]
mod tests;
