//! The exercises of a day.

use super::*;
use crate::log::ItemState;
use crate::memory::{LEARNED, MAX_INTERVAL, Memory};
use crate::queue::{self, RETENTION};

fn queue(memory: &Memory, day: i64) -> queue::Queue {
    queue::of(memory, noon(day, 0).day(), RETENTION, None)
}

/// A memory with items, each reviewed with these grades on these days.
fn memory(items: &[Item], reviews: &[(usize, i64, Grade)]) -> Memory {
    let items = items.iter().zip(1..);
    let mut entries: Vec<Entry> = items
        .clone()
        .map(|(item, n)| added(n, noon(0, 0), item))
        .collect();
    let items: Vec<&Item> = items.map(|(item, _)| item).collect();
    for (&(at, day, grade), n) in reviews.iter().zip(100_000..) {
        entries.push(reviewed(n, noon(day, at as i64), items[at].id, grade));
    }
    entries.sort_by_key(|entry| entry.stamp.t);
    Memory::of(entries)
}

#[test]
fn a_day_has_at_most_twenty_reviews_the_least_certain_first_and_no_new_ones_then() {
    let items = items(60);
    // The first thirty were failed at first, half of them twice.
    let mut reviews: Vec<(usize, i64, Grade)> = (0..30).map(|at| (at, 1, Grade::Again)).collect();
    reviews.extend((0..15).map(|at| (at, 2, Grade::Good)));
    let memory = memory(&items, &reviews);
    let queue = queue(&memory, 20);
    assert_eq!((queue.items.len(), queue.reviews, queue.due), (20, 20, 30));
    let today = noon(20, 0).day();
    let recalled = |id| {
        let known = memory.known(id).expect("it is known");
        known.progress().expect("reviewed").retrievability(today)
    };
    let order: Vec<f64> = queue.items.iter().map(|&id| recalled(id)).collect();
    assert!(order.is_sorted(), "{order:?}");
}

#[test]
fn few_reviews_leave_room_for_new_exercises_of_the_latest_games() {
    let items = items(40);
    let reviews: Vec<_> = (0..17).map(|at| (at, 1, Grade::Again)).collect();
    let with_reviews = memory(&items, &reviews);
    let day = queue(&with_reviews, 9);
    assert_eq!((day.reviews, day.items.len()), (17, 20));
    let day = queue(&memory(&items, &[]), 9);
    assert_eq!((day.reviews, day.items.len()), (0, 5));
    let dates: Vec<&str> = day
        .items
        .iter()
        .map(|&id| items.iter().find(|item| item.id == id).expect("known"))
        .filter_map(|item| item.date.as_deref())
        .collect();
    assert!(dates.is_sorted_by(|a, b| a >= b), "{dates:?}");
    assert_eq!(dates[0], "2026.01.28");
}

#[test]
fn what_was_done_today_counts() {
    let items = items(40);
    let mut reviews: Vec<_> = (0..25).map(|at| (at, 1, Grade::Again)).collect();
    let all = queue(&memory(&items, &reviews), 9);
    assert_eq!((all.reviews, all.items.len()), (20, 20));
    reviews.extend((0..8).map(|at| (at, 9, Grade::Good)));
    let rest = queue(&memory(&items, &reviews), 9);
    assert_eq!((rest.reviews, rest.items.len()), (12, 12));
    let begun = [
        (0, 9, Grade::Good),
        (1, 9, Grade::Again),
        (1, 9, Grade::Good),
    ];
    assert_eq!(queue(&memory(&items, &begun), 9).items.len(), 3);
}

#[test]
fn two_exercises_of_one_game_do_not_follow_each_other() {
    let mut random = SplitMix64::new(3);
    for _ in 0..200 {
        let mut items = items(12);
        let games = 1 + random.below(5);
        for item in &mut items {
            item.from = Some(format!("{}", random.below(games)));
        }
        let reviews: Vec<_> = (0..12).map(|at| (at, 1, Grade::Again)).collect();
        let memory = memory(&items, &reviews);
        let queue = queue(&memory, 9);
        let from = |id| memory.item(id).expect("known").from.clone();
        let order: Vec<_> = queue.items.iter().map(|&id| from(id)).collect();
        let most = order
            .iter()
            .map(|game| order.iter().filter(|one| *one == game).count());
        let can = most.max() <= Some(order.len().div_ceil(2));
        let meets = order.windows(2).any(|pair| pair[0] == pair[1]);
        assert!(!can || !meets, "{order:?}");
    }
}

#[test]
fn six_lapses_suspend_an_exercise_until_it_is_taken_up_again() {
    let items = items(1);
    let mut reviews = vec![(0, 1, Grade::Again)];
    for lapse in 1..=6 {
        reviews.push((0, 1 + 10 * lapse, Grade::Again));
        // The same evening, that is no other lapse.
        reviews.push((0, 1 + 10 * lapse, Grade::Again));
        let is_suspended = queue(&memory(&items, &reviews), 300).items.is_empty();
        assert_eq!(is_suspended, lapse == 6);
    }
    let mut memory = memory(&items, &reviews);
    let id = items[0].id;
    let to = ItemState::Active;
    memory.apply(entry(1 << 40, noon(310, 0), Change::State { id, to }));
    assert_eq!(queue(&memory, 310).items, [id]);
    let to = ItemState::Suspended;
    memory.apply(entry(1 << 41, noon(311, 0), Change::State { id, to }));
    assert_eq!(queue(&memory, 311).items, []);
}

#[test]
fn intervals_end_at_150_days_and_a_learned_exercise_still_comes_back() {
    let items = items(1);
    let mut reviews = vec![(0, 1, Grade::Good)];
    let mut day = 1;
    for _ in 0..20 {
        let memory = memory(&items, &reviews);
        let progress = *memory
            .known(items[0].id)
            .and_then(|it| it.progress())
            .expect("it");
        let interval = progress.interval(RETENTION);
        assert!((1..=MAX_INTERVAL).contains(&interval));
        assert_eq!(queue(&memory, day + i64::from(interval) - 1).items, []);
        day += i64::from(interval);
        assert_eq!(queue(&memory, day).items, [items[0].id]);
        reviews.push((0, day, Grade::Good));
    }
    let memory = memory(&items, &reviews);
    let progress = memory
        .known(items[0].id)
        .and_then(|it| it.progress())
        .expect("it");
    assert!(progress.interval(RETENTION) >= LEARNED);
}
