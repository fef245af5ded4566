//! What is stored is found again, and nothing else is.

use std::time::{Duration, Instant};

use tabiya_rules::MoveHistory;
use tabiya_rules::{Position, SplitMix64};

use super::*;
use crate::options::Settings;
use crate::score::{mate_in, mated_in};
use crate::search::AlphaBeta;
use crate::searcher::{Control, Request, Searcher};

fn entry(score: i32, depth: i32) -> TtEntry {
    TtEntry {
        tt_move: Position::start().legal_moves().first().copied(),
        score,
        eval: Some(-17),
        depth,
        bound: Bound::Exact,
        tt_pv: true,
    }
}

#[test]
fn every_field_comes_back() {
    let table = Table::new(1);
    for (key, bound, tt_pv, eval) in [
        (1, Bound::Upper, false, None),
        (u64::MAX, Bound::Lower, true, Some(-15_000)),
        (0x1234_5678_9abc_def0, Bound::Exact, false, Some(15_000)),
    ] {
        let stored = TtEntry {
            bound,
            tt_pv,
            eval,
            ..entry(-321, 17)
        };
        table.store(key, 3, stored);
        assert_eq!(table.probe(key, 3), Some(stored));
        assert_eq!(table.probe(key ^ 2, 3), None);
    }
}

#[test]
fn mate_scores_are_relative_to_the_position() {
    let table = Table::new(1);
    table.store(7, 4, entry(mate_in(9), 5));
    assert_eq!(table.probe(7, 2).map(|e| e.score), Some(mate_in(7)));
    table.store(8, 4, entry(mated_in(8), 5));
    assert_eq!(table.probe(8, 6).map(|e| e.score), Some(mated_in(10)));
}

#[test]
fn a_move_is_kept_when_a_later_search_has_none() {
    let table = Table::new(1);
    table.store(7, 0, entry(10, 5));
    let without = TtEntry {
        tt_move: None,
        ..entry(20, 6)
    };
    table.store(7, 0, without);
    let found = table.probe(7, 0).expect("stored");
    assert_eq!((found.tt_move, found.score), (entry(0, 0).tt_move, 20));
}

#[test]
fn old_and_shallow_entries_are_replaced_first() {
    // A single bucket holds every key.
    let mut table = Table::new(0);
    for key in 1..=4 {
        table.store(key, 0, entry(0, key as i32));
    }
    table.store(5, 0, entry(0, 1));
    assert_eq!(table.probe(1, 0), None);
    assert!(table.probe(4, 0).is_some() && table.probe(5, 0).is_some());
    table.new_generation();
    table.store(6, 0, entry(0, 1));
    table.store(7, 0, entry(0, 1));
    assert_eq!(table.probe(5, 0), None);
    assert!(table.probe(4, 0).is_some());
}

#[test]
fn words_of_different_writers_do_not_match() {
    let table = Table::new(0);
    table.store(1, 0, entry(1, 9));
    let [_, slot_data] = &slots(&table.buckets()[0])[0];
    let data = slot_data.load(Ordering::Relaxed);
    slot_data.store(data ^ 1 << 20, Ordering::Relaxed);
    assert_eq!(table.probe(1, 0), None);
}

#[test]
fn threads_read_only_what_some_thread_wrote() {
    let table = Table::new(0);
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let table = &table;
            scope.spawn(move || {
                let mut random = SplitMix64::new(seed);
                for _ in 0..100_000 {
                    let key = random.next_u64() % 8 + 1;
                    // The data follows from the key, so a mixture would show.
                    let data = entry(key as i32 * 100, key as i32);
                    table.store(key, 0, data);
                    let other = random.next_u64() % 8 + 1;
                    if let Some(found) = table.probe(other, 0) {
                        assert_eq!(found.score, other as i32 * 100);
                    }
                }
            });
        }
    });
}

#[test]
fn hashfull_counts_this_search() {
    let mut table = Table::new(1);
    assert_eq!(table.hashfull(), 0);
    let mut random = SplitMix64::new(1);
    for _ in 0..200_000 {
        table.store(random.next_u64(), 0, entry(0, 3));
    }
    assert!(table.hashfull() > 900);
    table.new_generation();
    assert_eq!(table.hashfull(), 0);
    table.clear();
    assert_eq!(table.hashfull(), 0);
}

#[test]
fn a_table_too_large_for_memory_is_refused() {
    const TOO_MUCH: usize = 1 << 40;
    assert!(Table::try_new(TOO_MUCH).is_none());
    let mut searcher = AlphaBeta::default();
    let wanted = Settings {
        hash: TOO_MUCH,
        ..Settings::default()
    };
    let problem = searcher.configure(&wanted).expect("a sentence");
    assert!(problem.contains("no memory"), "{problem}");
    assert_eq!(searcher.configure(&wanted), None, "it is said once");
    let answer = searcher.search(&one_ply(), &Control::new(), &mut |_| {});
    assert!(answer.best.is_some());
}

fn one_ply() -> Request {
    Request::new(MoveHistory::default()).with_depth(1)
}

#[test]
fn buckets_are_cache_lines_and_as_many_as_asked_for() {
    for mebibytes in [0, 1, 3] {
        let table = Table::new(mebibytes);
        let buckets = table.buckets();
        assert_eq!(buckets.len(), (mebibytes << 14).max(1));
        assert_eq!(buckets.as_ptr().align_offset(64), 0);
    }
}

#[test]
fn clearing_a_large_table_leaves_nothing() {
    let mut table = Table::new(40);
    let mut random = SplitMix64::new(9);
    let keys: Vec<u64> = (0..20_000).map(|_| random.next_u64()).collect();
    for &key in &keys {
        table.store(key, 0, entry(0, 3));
    }
    assert!(keys.iter().any(|&key| table.probe(key, 0).is_some()));
    table.clear();
    assert!(keys.iter().all(|&key| table.probe(key, 0).is_none()));
    assert!(
        table
            .words
            .iter()
            .all(|word| word.load(Ordering::Relaxed) == 0)
    );
}

/// Giving back memory that was used takes time in proportion to it, which would be missing from a move.
#[test]
fn a_used_table_is_given_back_beside_the_search() {
    const MEBIBYTES: usize = 256;
    let used = || {
        let table = Table::new(MEBIBYTES);
        for bucket in table.buckets().iter().step_by(32) {
            bucket[1].store(1, Ordering::Relaxed);
        }
        table
    };
    let took = |task: &mut dyn FnMut()| {
        let begun = Instant::now();
        task();
        begun.elapsed()
    };
    // The shortest of a few: others want the processor too.
    let shortest = |time: &dyn Fn() -> Duration| (0..5).map(|_| time()).min();
    let in_place = shortest(&|| {
        let mut table = Some(used());
        took(&mut || drop(table.take()))
    });
    let beside = shortest(&|| {
        let (mut table, mut new) = (used(), Some(Table::new(MEBIBYTES)));
        let time = took(&mut || new.take().into_iter().for_each(|new| table.replace(new)));
        assert_eq!(table.buckets()[0][1].load(Ordering::Relaxed), 0);
        time
    });
    assert!(
        beside < in_place.map(|time| time / 4),
        "{beside:?}, in place {in_place:?}"
    );
}
