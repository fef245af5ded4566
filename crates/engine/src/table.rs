//! The transposition table: what was found out about positions, shared by all threads without locks.
//!
//! A slot is two words, the second the facts and the first the position's key mixed with them. Two threads that write
//! the same slot at once leave words that do not fit together, and such a slot reads as empty: nothing waits, and nothing
//! false is read but by the chance of equal keys.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use tabiya_rules::Move;

use crate::prefetch::prefetch;
use crate::score::MATE_BOUND;

/// Slots that a position can be in, one cache line of them.
const SLOTS: usize = 4;
/// Ages are counted up to this.
const AGES: u8 = 32;

/// What a score says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// Not more than that.
    Upper,
    /// Not less than that.
    Lower,
    /// That.
    Exact,
}

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) best: Option<Move>,
    pub(crate) score: i32,
    /// The evaluation without looking ahead; `None` in check.
    pub(crate) evaluation: Option<i32>,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// Whether the position was ever searched with an open window.
    pub(crate) open: bool,
}

#[derive(Debug, Default)]
struct Slot {
    key: AtomicU64,
    facts: AtomicU64,
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// The table.
#[derive(Debug)]
pub(crate) struct Table {
    buckets: Vec<Bucket>,
    age: AtomicU8,
}

impl Table {
    /// A table of so many MiB; a smaller one where there is not so much memory.
    pub(crate) fn new(mebibytes: usize) -> Table {
        let mut mebibytes = mebibytes;
        loop {
            match Table::try_new(mebibytes) {
                Some(table) => return table,
                None => mebibytes /= 2,
            }
        }
    }

    /// A table of so many MiB, if there is so much memory. One of none always fits: it has a single bucket.
    pub(crate) fn try_new(mebibytes: usize) -> Option<Table> {
        let count = ((mebibytes << 20) / size_of::<Bucket>()).max(1);
        let mut buckets = Vec::new();
        if count > 1 {
            buckets.try_reserve_exact(count).ok()?;
        }
        buckets.resize_with(count, Bucket::default);
        Some(Table {
            buckets,
            age: AtomicU8::new(0),
        })
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.buckets.fill_with(Bucket::default);
        self.age = AtomicU8::new(0);
    }

    /// Begins another search: what is known from earlier ones is given up first.
    pub(crate) fn grow_older(&self) {
        let age = (self.age.load(Ordering::Relaxed) + 1) % AGES;
        self.age.store(age, Ordering::Relaxed);
    }

    /// What is known about a position that is so many half-moves from the root.
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let facts = slot.facts.load(Ordering::Relaxed);
            let fits = slot.key.load(Ordering::Relaxed) ^ facts == key;
            let entry = fits.then(|| unpack(facts)).flatten()?;
            let score = from_root(entry.score, ply);
            Some(Entry { score, ..entry })
        })
    }

    /// Says that a position will be asked for soon.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// Keeps what was found out, in place of what is worth least.
    pub(crate) fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        let mut place = None;
        for slot in &self.bucket(key).0 {
            let facts = slot.facts.load(Ordering::Relaxed);
            if slot.key.load(Ordering::Relaxed) ^ facts == key {
                if let Some(known) = unpack(facts) {
                    entry.best = entry.best.or(known.best);
                    let fresh = age_of(facts) == age;
                    // A deeper result of this search is worth more than a shallow bound.
                    if fresh && entry.bound != Bound::Exact && entry.depth + 4 < known.depth {
                        return;
                    }
                }
                place = Some((slot, 0));
                break;
            }
            let worth = worth(facts, age);
            if place.is_none_or(|(_, least)| worth < least) {
                place = Some((slot, worth));
            }
        }
        if let Some((slot, _)) = place {
            let score = from_here(entry.score, ply);
            let facts = pack(&Entry { score, ..entry }, age);
            slot.key.store(key ^ facts, Ordering::Relaxed);
            slot.facts.store(facts, Ordering::Relaxed);
        }
    }

    /// How many of a thousand slots hold something from this search.
    pub(crate) fn permille_used(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let looked_at = self.buckets.iter().take(250);
        let slots = looked_at.len() * SLOTS;
        let used = looked_at
            .flat_map(|bucket| &bucket.0)
            .filter(|slot| {
                let facts = slot.facts.load(Ordering::Relaxed);
                facts != 0 && age_of(facts) == age
            })
            .count();
        u32::try_from(used * 1000 / slots).unwrap_or(1000)
    }

    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }
}

/// Mates are kept by their distance from the position, because the same position comes up at other distances from the
/// root.
fn from_here(score: i32, ply: usize) -> i32 {
    match score {
        s if s > MATE_BOUND => s + ply as i32,
        s if s < -MATE_BOUND => s - ply as i32,
        s => s,
    }
}

fn from_root(score: i32, ply: usize) -> i32 {
    match score {
        s if s > MATE_BOUND => s - ply as i32,
        s if s < -MATE_BOUND => s + ply as i32,
        s => s,
    }
}

/// No evaluation.
const NONE: i16 = i16::MIN;

fn pack(entry: &Entry, age: u8) -> u64 {
    let best = entry.best.map_or(0, Move::bits);
    let evaluation = entry.evaluation.map_or(NONE, |value| value as i16);
    let bound = match entry.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(best)
        | u64::from(entry.score as u16) << 16
        | u64::from(evaluation as u16) << 32
        | (entry.depth.clamp(0, 255) as u64) << 48
        | bound << 56
        | u64::from(entry.open) << 58
        | u64::from(age) << 59
}

/// `None` for a slot that nothing was ever written to.
fn unpack(facts: u64) -> Option<Entry> {
    let bound = match facts >> 56 & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    let evaluation = (facts >> 32) as i16;
    Some(Entry {
        best: Move::from_bits(facts as u16),
        score: i32::from((facts >> 16) as i16),
        evaluation: (evaluation != NONE).then_some(i32::from(evaluation)),
        depth: (facts >> 48 & 255) as i32,
        bound,
        open: facts >> 58 & 1 == 1,
    })
}

fn age_of(facts: u64) -> u8 {
    (facts >> 59) as u8
}

/// What a slot is worth keeping for: depth, less for every search that has begun since. An empty one is worth nothing.
fn worth(facts: u64, age: u8) -> i32 {
    if facts == 0 {
        return i32::MIN;
    }
    let searches = (age + AGES - age_of(facts)) % AGES;
    (facts >> 48 & 255) as i32 - 8 * i32::from(searches)
}

#[cfg(test)]
mod tests;
