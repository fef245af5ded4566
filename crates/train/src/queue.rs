//! The exercises of a day: first what is about to be forgotten, then a few new ones.

use std::collections::HashMap;

use crate::day::Day;
use crate::item::{Item, ItemId, ItemKind};
use crate::memory::{Known, Memory};

/// The most reviews of a day.
pub const MAX_REVIEWS: usize = 20;

/// The most new exercises of a day.
pub const MAX_NEW: usize = 5;

/// The probability of recall at which an exercise is due, unless the player wants another.
pub const RETENTION: f64 = 0.85;

/// What is asked on a day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// In this order.
    pub items: Vec<ItemId>,
    /// How many of them are reviews; they come first.
    pub reviews: usize,
    /// How many exercises are due that day, also those that have to wait.
    pub due: usize,
}

/// An exercise that may be asked today, with the game it comes from.
struct Candidate<'a> {
    item: &'a Item,
    known: &'a Known,
}

impl Candidate<'_> {
    fn game(&self) -> Option<&str> {
        self.item.from.as_deref()
    }
}

/// The exercises of a day that have not been asked on it yet.
#[must_use]
pub fn of(memory: &Memory, today: Day, retention: f64) -> Queue {
    let (mut due, mut fresh) = (Vec::new(), Vec::new());
    // How many have been asked today, for the first time or again.
    let (mut begun, mut reviewed) = (0, 0);
    for (item, known) in memory.items() {
        let candidate = Candidate { item, known };
        match known.progress() {
            Some(progress) if progress.last >= today => {
                if progress.first >= today {
                    begun += 1;
                } else {
                    reviewed += 1;
                }
            }
            // Tactics and lines are kept, but not asked yet.
            _ if !known.is_askable() || item.kind != ItemKind::Own => {}
            Some(progress) if progress.due(retention) <= today => {
                due.push((progress.retrievability(today), candidate));
            }
            Some(_) => {}
            None => fresh.push(candidate),
        }
    }
    let all_due = due.len();
    due.sort_unstable_by(|(a, one), (b, other)| {
        a.total_cmp(b).then_with(|| one.item.id.cmp(&other.item.id))
    });
    due.truncate(MAX_REVIEWS.saturating_sub(reviewed));
    let reviews_today = reviewed + due.len();
    let new_today = MAX_NEW.min(MAX_REVIEWS.saturating_sub(reviews_today));
    fresh.sort_unstable_by(|one, other| newest_first(one).cmp(&newest_first(other)));
    fresh.truncate(new_today.saturating_sub(begun));
    let reviews = due.len();
    let due = due.into_iter().map(|(_, candidate)| candidate).collect();
    let mut items: Vec<&Item> = Vec::new();
    for candidates in [due, fresh] {
        let last = items.last().and_then(|item| item.from.as_deref());
        items.extend(games_apart(candidates, last));
    }
    Queue {
        items: items.into_iter().map(|item| item.id).collect(),
        reviews,
        due: all_due,
    }
}

/// The latest game first, and in it the dearest mistake, which was added first.
fn newest_first<'a>(
    candidate: &'a Candidate<'_>,
) -> (std::cmp::Reverse<(&'a str, i64)>, Option<u32>, ItemId) {
    let Candidate { item, known } = candidate;
    let date = item.date.as_deref().unwrap_or_default();
    (std::cmp::Reverse((date, known.added())), item.ply, item.id)
}

/// The exercises in their order, except that two of one game do not follow each other if that can be avoided.
fn games_apart<'a>(mut left: Vec<Candidate<'a>>, last: Option<&'a str>) -> Vec<&'a Item> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for candidate in &left {
        if let Some(game) = candidate.item.from.as_deref() {
            *counts.entry(game).or_default() += 1;
        }
    }
    let mut last = last;
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let differs = |one: &Candidate<'_>| one.game().is_none() || one.game() != last;
        // A game with more than half of what is left must go now, or two of it meet later.
        let count = |one: &Candidate<'_>| one.game().and_then(|game| counts.get(game));
        let presses = |one: &Candidate<'_>| count(one).is_some_and(|&count| count * 2 > left.len());
        let at = left
            .iter()
            .position(|one| differs(one) && presses(one))
            .or_else(|| left.iter().position(differs))
            .unwrap_or(0);
        let Candidate { item, .. } = left.remove(at);
        last = item.from.as_deref();
        if let Some(count) = last.and_then(|game| counts.get_mut(game)) {
            *count -= 1;
        }
        order.push(item);
    }
    order
}
