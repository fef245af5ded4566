//! Perft: the six well-known positions, the 960 starts, and the agreement of all ways to count.
//!
//! `cargo test` counts some millions of nodes. With `TABIYA_RELEASE=1` in the environment, and best
//! with `--release`, it counts at least 10⁸ for each of the six positions and all 960 starts to
//! depth 4.

use std::ops::Range;
use std::thread;

use tabiya_rules::{PerftTable, Position, perft, perft_divide, perft_hashed};
use test_suites::KNOWN_COUNTS;

use crate::support::{position, random_placements, random_positions};
use fuzz_properties::slow::SlowPosition;

fn is_release_tier() -> bool {
    std::env::var_os("TABIYA_RELEASE").is_some_and(|value| value == "1")
}

/// Returns the count on two threads, or on this one if the crate is built without std.
fn threaded(position: &Position, depth: u32, table: Option<&PerftTable>) -> u64 {
    #[cfg(feature = "std")]
    {
        let two = std::num::NonZero::new(2).expect("2 is not 0");
        tabiya_rules::perft_threads(position, depth, two, table)
    }
    #[cfg(not(feature = "std"))]
    match table {
        Some(table) => perft_hashed(position, depth, table),
        None => perft(position, depth),
    }
}

/// Returns the least depth with at least that many nodes.
fn depth_with(counts: &[u64], nodes: u64) -> u32 {
    let deep_enough = counts.iter().position(|&count| count >= nodes);
    deep_enough.expect("a count that large") as u32 + 1
}

#[test]
fn the_six_known_positions() {
    let nodes = if is_release_tier() {
        100_000_000
    } else {
        1_000_000
    };
    for (fen, counts) in KNOWN_COUNTS {
        let start = position(fen);
        let depth = depth_with(counts, nodes);
        for depth in 1..=depth {
            assert_eq!(
                perft(&start, depth),
                counts[depth as usize - 1],
                "{fen} at depth {depth}"
            );
        }
        assert_eq!(perft(&start, 0), 1);
    }
}

#[test]
fn all_ways_to_count_agree() {
    let nodes = if is_release_tier() {
        100_000_000
    } else {
        1_000_000
    };
    // Small, so that entries are overwritten; shared by all positions, so that they must not be
    // confused.
    let table = PerftTable::new(1);
    for (fen, counts) in KNOWN_COUNTS {
        let start = position(fen);
        let depth = depth_with(counts, nodes);
        let count = counts[depth as usize - 1];
        assert_eq!(perft_hashed(&start, depth, &table), count, "{fen}");
        assert_eq!(threaded(&start, depth, None), count, "{fen}");
        let shared = PerftTable::new(1);
        assert_eq!(threaded(&start, depth, Some(&shared)), count, "{fen}");
        let divided: Vec<_> = perft_divide(&start, depth - 1).collect();
        let sum: u64 = divided.iter().map(|&(_, count)| count).sum();
        assert_eq!(sum, counts[depth as usize - 2], "{fen}");
        let moves: Vec<_> = divided.iter().map(|&(m, _)| m).collect();
        assert_eq!(moves, start.legal_moves().to_vec(), "{fen}");
    }
}

#[test]
fn shallow_counts_agree_too() {
    let start = Position::start();
    let table = PerftTable::new(1);
    for (depth, count) in [(0, 1), (1, 20), (2, 400), (3, 8_902)] {
        assert_eq!(perft(&start, depth), count);
        assert_eq!(perft_hashed(&start, depth, &table), count);
        assert_eq!(threaded(&start, depth, None), count);
        assert_eq!(threaded(&start, depth, Some(&table)), count);
    }
    assert_eq!(perft_divide(&start, 0).count(), 0);
    assert!(perft_divide(&start, 1).all(|(_, count)| count == 1));
    let mated = position("k6Q/8/K7/8/8/8/8/8 b - - 0 1");
    for depth in 1..6 {
        assert_eq!(perft(&mated, depth), 0, "there is nothing below a mate");
        assert_eq!(threaded(&mated, depth, None), 0);
    }
}

/// Goes to depth 2, and to depth 4 in the release tier.
#[test]
fn the_960_starts_agree_with_the_slow_rules() {
    let depth = if is_release_tier() { 4 } else { 2 };
    let check = |numbers: Range<u16>| {
        for number in numbers {
            let start = Position::chess960(number).expect("a number below 960");
            let slow = SlowPosition::from(&start);
            assert_eq!(perft(&start, depth), slow.perft(depth), "{start}");
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| check(0..480));
        scope.spawn(|| check(480..960));
    });
}

#[test]
fn all_ways_to_count_agree_on_the_960_starts() {
    let table = PerftTable::new(16);
    let every = if is_release_tier() { 1 } else { 37 };
    for number in (0..960).step_by(every) {
        let start = Position::chess960(number).expect("a number below 960");
        let count = perft(&start, 4);
        assert!(
            number != 518 || count == 197_281,
            "the standard start is one of them"
        );
        assert_eq!(perft_hashed(&start, 4, &table), count, "{start}");
        assert_eq!(threaded(&start, 4, Some(&table)), count, "{start}");
        let divided: u64 = perft_divide(&start, 4).map(|(_, count)| count).sum();
        assert_eq!(divided, count, "{start}");
        assert_eq!(
            perft(&start.mirror(), 4),
            count,
            "Black's game is the same: {start}"
        );
    }
}

#[test]
fn random_positions_agree_with_the_slow_rules() {
    let check = |position: &Position| {
        let slow = SlowPosition::from(position);
        assert_eq!(perft(position, 2), slow.perft(2), "{position}");
    };
    random_positions(51, 600, check);
    random_placements(52, 600, check);
}
