//! The player's rating, worked out from the record: the first attempt at each tactic is a game against it.
//!
//! Own mistakes do not count: they are remembered rather than solved.

use std::collections::BTreeMap;

use tabiya_play::glicko2::{Played, Rating};

use crate::day::Day;
use crate::fsrs::Grade;
use crate::item::ItemKind;
use crate::memory::Memory;
use crate::rating::DEVIATION;

/// The rating on a day; `None` if no tactic has been tried. A period is a day of training.
#[must_use]
pub fn rating(memory: &Memory, today: Day) -> Option<Rating> {
    let mut days: BTreeMap<Day, Vec<Played>> = BTreeMap::new();
    for (item, known) in memory.items() {
        if let Some((day, grade)) = known.first_attempt()
            && item.kind == ItemKind::Tactic
            && let Some(rating) = item.rating
        {
            days.entry(day).or_default().push(Played {
                rating: f64::from(rating),
                deviation: f64::from(item.rd.unwrap_or(DEVIATION)),
                score: score(grade),
            });
        }
    }
    let (mut rating, mut last) = (Rating::default(), None);
    for (day, mut played) in days {
        // Sums do not depend on the order in which a map has the exercises.
        played.sort_by(|a, b| {
            a.rating
                .total_cmp(&b.rating)
                .then(a.score.total_cmp(&b.score))
        });
        rating = rating.idle(idle(last, day)).after(&played);
        last = Some(day);
    }
    last.map(|_| rating.idle(idle(last, today)))
}

/// The days between two days.
fn idle(last: Option<Day>, day: Day) -> u32 {
    last.map_or(0, |last| day.since(last).saturating_sub(1))
}

/// What an attempt is worth: solved with a hint or in the second place is half.
fn score(grade: Grade) -> f64 {
    match grade {
        Grade::Again => 0.0,
        Grade::Hard => 0.5,
        Grade::Good | Grade::Easy => 1.0,
    }
}
