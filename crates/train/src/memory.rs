//! What all logs together amount to: the exercises, how well each is known, and when it is due.
//!
//! It is a fold over entries, so that the order in which logs are read does not matter, nor whether an entry is in two of
//! them.

use std::collections::{HashMap, HashSet};

use tabiya_rules::{Move, UciMove};

use crate::day::Day;
use crate::fsrs::{Card, Grade};
use crate::item::{Item, ItemId};
use crate::log::{Change, Entry, ItemState, Review, Stamp};

/// The greatest number of exercises. More are left out.
pub const MAX_ITEMS: usize = 200_000;

/// The longest interval between two reviews, in days.
pub const MAX_INTERVAL: u32 = 150;

/// The interval from which an exercise is called learned, in days.
pub const LEARNED: u32 = 120;

/// An exercise that was forgotten so often is suspended.
const MAX_LAPSES: u32 = 6;

/// What is known about all exercises.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    known: HashMap<ItemId, Known>,
    /// The numbers of the entries that count.
    seen: HashSet<u64>,
    /// The numbers of withdrawn reviews.
    undone: HashSet<u64>,
    /// The exercise of each review.
    reviewed: HashMap<u64, ItemId>,
    /// The games that were searched for mistakes, with the version of the rules.
    scanned: HashMap<u64, u32>,
    /// How many exercises have an item.
    items: usize,
    left_out: usize,
}

/// What is known about an exercise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Known {
    item: Option<Item>,
    /// When the exercise was added, in seconds.
    added: i64,
    reviews: Vec<PastReview>,
    state: Option<(i64, ItemState)>,
    retracted: Vec<Move>,
    progress: Option<Progress>,
}

/// A review that counts.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PastReview {
    stamp: Stamp,
    grade: Grade,
}

/// Where the repetition of an exercise stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// How well it is known.
    pub card: Card,
    /// The day of the first review.
    pub first: Day,
    /// The day of the last review.
    pub last: Day,
    /// How often it was forgotten since it was last taken up.
    pub lapses: u32,
}

impl Progress {
    /// The days from the last review to the next one, so that it is recalled with this probability.
    #[must_use]
    pub fn interval(&self, retention: f64) -> u32 {
        let days = self.card.interval(retention).round();
        days.clamp(1.0, f64::from(MAX_INTERVAL)) as u32
    }

    /// The day on which it is due.
    #[must_use]
    pub fn due(&self, retention: f64) -> Day {
        self.last.after(self.interval(retention))
    }

    /// The probability that it is recalled on a day.
    #[must_use]
    pub fn retrievability(&self, day: Day) -> f64 {
        self.card.retrievability(day.since(self.last))
    }
}

/// Where an exercise stands on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It was never asked.
    New,
    /// It is due.
    Due,
    /// It is due in so many days.
    Waiting(u32),
    /// It is due in so many days, and comes back so rarely that it counts as learned.
    Learned(u32),
    /// It is not asked.
    Suspended,
}

impl Known {
    /// Where it stands on a day, if it is to be recalled with this probability.
    #[must_use]
    pub fn standing(&self, today: Day, retention: f64) -> Standing {
        let Some(progress) = self.progress else {
            return match self.is_suspended() {
                true => Standing::Suspended,
                false => Standing::New,
            };
        };
        match progress.due(retention).since(today) {
            _ if self.is_suspended() => Standing::Suspended,
            0 => Standing::Due,
            days if progress.interval(retention) >= LEARNED => Standing::Learned(days),
            days => Standing::Waiting(days),
        }
    }

    /// The exercise; `None` if only reviews of it have been read so far.
    #[must_use]
    pub fn item(&self) -> Option<&Item> {
        self.item.as_ref()
    }

    /// When it was added, in seconds.
    #[must_use]
    pub fn added(&self) -> i64 {
        self.added
    }

    /// Where its repetition stands; `None` before the first review.
    #[must_use]
    pub fn progress(&self) -> Option<&Progress> {
        self.progress.as_ref()
    }

    /// The day and the grade of the first review.
    #[must_use]
    pub fn first_attempt(&self) -> Option<(Day, Grade)> {
        let PastReview { stamp, grade } = self.reviews.first()?;
        Some((Day::of(stamp.t, stamp.z), *grade))
    }

    /// Whether it is not asked: the player says so, or it was forgotten too often.
    #[must_use]
    pub fn is_suspended(&self) -> bool {
        let lapses = self.progress.map_or(0, |progress| progress.lapses);
        matches!(self.state, Some((_, ItemState::Suspended))) || lapses >= MAX_LAPSES
    }

    /// Whether it can be asked: it has a solution and is not suspended.
    #[must_use]
    pub fn is_askable(&self) -> bool {
        let solution = self.item.as_ref().and_then(Item::solution);
        solution.is_some() && !self.is_suspended()
    }

    /// Works out the progress from the reviews.
    fn update_progress(&mut self) {
        let active_since = match self.state {
            Some((since, ItemState::Active)) => since,
            Some((_, ItemState::Suspended)) | None => i64::MIN,
        };
        let mut progress: Option<Progress> = None;
        for &PastReview { stamp, grade } in &self.reviews {
            let day = Day::of(stamp.t, stamp.z);
            progress = Some(match progress {
                None => Progress {
                    card: Card::first(grade),
                    first: day,
                    last: day,
                    lapses: 0,
                },
                Some(known) => {
                    let days = day.since(known.last);
                    // Failing twice on one day is one lapse.
                    let lapse = grade == Grade::Again && days > 0 && stamp.t >= active_since;
                    Progress {
                        card: known.card.review(days, grade),
                        first: known.first,
                        last: known.last.max(day),
                        lapses: known.lapses + u32::from(lapse),
                    }
                }
            });
        }
        self.progress = progress;
    }
}

impl Memory {
    /// Folds entries, which are in their order: by time, device, and line.
    pub fn of(entries: impl IntoIterator<Item = Entry>) -> Memory {
        let mut memory = Memory::default();
        for entry in entries {
            memory.add(entry);
        }
        for known in memory.known.values_mut() {
            known.update_progress();
        }
        memory
    }

    /// Adds an entry that has just been made.
    pub fn apply(&mut self, entry: Entry) {
        if let Some(id) = self.add(entry)
            && let Some(known) = self.known.get_mut(&id)
        {
            known.update_progress();
        }
    }

    /// Adds an entry, and returns the exercise whose progress has to be worked out again.
    fn add(&mut self, Entry { stamp, change }: Entry) -> Option<ItemId> {
        // The head of a log says nothing about exercises.
        if change == Change::Head || !self.seen.insert(stamp.n) {
            return None;
        }
        match change {
            Change::Head => None,
            Change::Item(item) => {
                self.add_item(*item, stamp);
                None
            }
            Change::Review(review) => self.add_review(&review, stamp),
            Change::Undo { of } => {
                self.undone.insert(of);
                let id = *self.reviewed.get(&of)?;
                let known = self.known.get_mut(&id)?;
                known.reviews.retain(|review| review.stamp.n != of);
                Some(id)
            }
            Change::State { id, to } => {
                self.known.entry(id).or_default().state = Some((stamp.t, to));
                Some(id)
            }
            Change::Retract { id, played } => {
                self.retract(id, played);
                None
            }
            Change::Scanned { game, rules } => {
                let known = self.scanned.entry(game).or_default();
                *known = rules.max(*known);
                None
            }
        }
    }

    /// Adds an exercise, or what is new about a known one, unless there are too many.
    fn add_item(&mut self, item: Item, stamp: Stamp) {
        let is_new = self.item(item.id).is_none();
        if is_new && self.items >= MAX_ITEMS {
            self.left_out += 1;
            return;
        }
        self.items += usize::from(is_new);
        let known = self.known.entry(item.id).or_default();
        match &mut known.item {
            Some(there) => there.merge(item),
            None => {
                known.added = stamp.t;
                known.item = Some(item);
            }
        }
    }

    /// Adds a review, and returns its exercise.
    fn add_review(&mut self, review: &Review, stamp: Stamp) -> Option<ItemId> {
        let id = review.id;
        self.reviewed.insert(stamp.n, id);
        if self.undone.contains(&stamp.n) {
            return None;
        }
        let grade = review.grade;
        let reviews = &mut self.known.entry(id).or_default().reviews;
        // Those of another device may be later than this one, by that device's clock.
        let at = reviews.partition_point(|known| known.stamp.t <= stamp.t);
        reviews.insert(at, PastReview { stamp, grade });
        Some(id)
    }

    /// Takes an accepted move of an exercise back.
    fn retract(&mut self, id: ItemId, played: UciMove) {
        let Some(known) = self.known.get_mut(&id) else {
            return;
        };
        if let Some(item) = &mut known.item
            && let Ok(played) = item.position.resolve_uci(played)
        {
            item.retract(played);
            known.retracted.push(played);
        }
    }

    /// What is known about an exercise.
    #[must_use]
    pub fn known(&self, id: ItemId) -> Option<&Known> {
        self.known.get(&id)
    }

    /// An exercise.
    #[must_use]
    pub fn item(&self, id: ItemId) -> Option<&Item> {
        self.known.get(&id)?.item.as_ref()
    }

    /// All exercises with what is known about them, in no order.
    pub fn items(&self) -> impl Iterator<Item = (&Item, &Known)> {
        let known = self.known.values();
        known.filter_map(|known| Some((known.item.as_ref()?, known)))
    }

    /// The number of exercises.
    #[must_use]
    pub fn count(&self) -> usize {
        self.items
    }

    /// How many exercises were left out because there are too many.
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The version of the rules by which a game was searched for mistakes, if it was.
    #[must_use]
    pub fn scanned(&self, game: u64) -> Option<u32> {
        self.scanned.get(&game).copied()
    }

    /// The games that were searched for mistakes by these rules, or later ones.
    #[must_use]
    pub fn all_scanned(&self, rules: u32) -> HashSet<u64> {
        let scanned = self.scanned.iter();
        let scanned = scanned.filter(|&(_, &known)| known >= rules);
        scanned.map(|(&game, _)| game).collect()
    }

    /// What has to be stored so that an exercise is known; `None` if there is nothing new about it. A move that was
    /// retracted does not come back by itself.
    #[must_use]
    pub fn news(&self, mut item: Item) -> Option<Item> {
        let Some(known) = self.known.get(&item.id) else {
            return (self.items < MAX_ITEMS).then_some(item);
        };
        for &retracted in &known.retracted {
            item.retract(retracted);
        }
        let covered = known.item.as_ref().is_some_and(|there| there.covers(&item));
        (!covered && !item.best.is_empty()).then_some(item)
    }
}
