//! Tests of the crate, by theme.

mod any_logs;
mod formulas;
mod load;
mod logs;
mod mining;
mod puzzles;
mod queues;
mod records;
mod sessions;
mod tactics;

use tabiya_rules::{Position, SplitMix64};

use crate::day::Moment;
use crate::fsrs::Grade;
use crate::item::{Item, ItemId, ItemKind};
use crate::log::{Change, Entry, Review, Stamp};

/// A moment: a day of training from 1 on, at noon in UTC, and seconds after that.
fn noon(day: i64, second: i64) -> Moment {
    Moment {
        ms: (day * 86_400 + 12 * 3600 + second) * 1000,
        z: 0,
    }
}

/// Exercises in different positions, each from a game of its own.
fn items(count: usize) -> Vec<Item> {
    let mut random = SplitMix64::new(7);
    let mut found: Vec<Item> = Vec::new();
    let mut ids = std::collections::HashSet::new();
    while found.len() < count {
        let mut position = Position::start();
        for _ in 0..4 + random.below(12) {
            let moves = position.legal_moves();
            match moves.get(random.below(moves.len())) {
                Some(&next) => position = position.play_unchecked(next),
                None => break,
            }
        }
        let moves = position.legal_moves();
        if moves.len() < 2 || !ids.insert(ItemId::exercise(&position)) {
            continue;
        }
        let mut item = Item::new(ItemKind::Own, position, moves[0]);
        item.wrong = Some(moves[1]);
        item.w = Some(0.5);
        item.from = Some(format!("saves/game-{}.pgn", found.len()));
        item.date = Some(format!("2026.01.{:02}", found.len() % 28 + 1));
        item.ply = Some(9);
        found.push(item);
    }
    found
}

fn entry(n: u64, at: Moment, change: Change) -> Entry {
    let stamp = Stamp {
        t: at.seconds(),
        z: at.z,
        n,
    };
    Entry { stamp, change }
}

fn added(n: u64, at: Moment, item: &Item) -> Entry {
    entry(n, at, Change::Item(Box::new(item.clone())))
}

fn reviewed(n: u64, at: Moment, id: ItemId, grade: Grade) -> Entry {
    let review = Review {
        id,
        grade,
        ms: 8400,
        tried: vec!["e2e4".parse().expect("a move")],
        hints: 0,
    };
    entry(n, at, Change::Review(review))
}
