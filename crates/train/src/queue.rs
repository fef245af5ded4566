//! The exercises of a day: first what is about to be forgotten, then a few new ones.

use std::collections::HashMap;

use crate::day::Day;
use crate::item::{Item, ItemId, ItemKind};
use crate::memory::{Known, Memory};
use crate::player;

/// The most reviews of a day.
pub const MAX_REVIEWS: usize = 20;

/// The most new exercises of a day.
pub const MAX_NEW: usize = 5;

/// The probability of recall at which an exercise is due, unless the player wants another.
pub const RETENTION: f64 = 0.85;

/// A new tactic suits a player whose rating is no further from its own than this. If there are none, the nearest are asked.
const SUITS: f64 = 150.0;

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

/// The exercises of a day that have not been asked on it yet, of all kinds or of one. What has been done of the other kinds
/// does not count then.
#[must_use]
pub fn of(memory: &Memory, today: Day, retention: f64, kind: Option<ItemKind>) -> Queue {
    let (mut due, mut fresh, mut tactics) = (Vec::new(), Vec::new(), Vec::new());
    // How many have been asked today, for the first time or again.
    let (mut begun, mut reviewed) = (0, 0);
    let is_asked = |item: &Item| kind.is_none_or(|kind| kind == item.kind);
    for (item, known) in memory.items().filter(|(item, _)| is_asked(item)) {
        let candidate = Candidate { item, known };
        match known.progress() {
            Some(progress) if progress.last >= today => {
                if progress.first >= today {
                    begun += 1;
                } else {
                    reviewed += 1;
                }
            }
            // Lines are kept, but not asked yet.
            _ if !known.is_askable() || item.kind == ItemKind::Line => {}
            Some(progress) if progress.due(retention) <= today => {
                due.push((progress.retrievability(today), candidate));
            }
            Some(_) => {}
            None if item.kind == ItemKind::Tactic => tactics.push(candidate),
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
    let room = new_today.saturating_sub(begun);
    if fresh.len() < room && !tactics.is_empty() {
        let rating = player::rating(memory, today).unwrap_or_default().rating;
        tactics.sort_by_cached_key(|one| (distance(one.item, rating), one.item.id));
        fresh.append(&mut tactics);
    }
    fresh.truncate(room);
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

/// How far the rating of a tactic is from the ones that suit the player. Of those that suit, the key of the position chooses,
/// which has no order that anybody would see.
fn distance(item: &Item, rating: f64) -> u32 {
    let of_item = item.rating.map_or(f64::INFINITY, f64::from);
    ((of_item - rating).abs() - SUITS).max(0.0) as u32
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
