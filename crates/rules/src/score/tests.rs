//! Scores change sides without loss, are ordered, and survive their text.

use std::vec::Vec;

use super::*;

/// From the worst to the best.
const ORDERED: [Score; 13] = [
    Score::MatedIn(0),
    Score::MatedIn(1),
    Score::MatedIn(u32::MAX),
    Score::Centipawns(i32::MIN),
    Score::Centipawns(-100),
    Score::Centipawns(-1),
    Score::EVEN,
    Score::Centipawns(1),
    Score::Centipawns(100),
    Score::Centipawns(i32::MAX),
    Score::MateIn(u32::MAX),
    Score::MateIn(1),
    Score::MateIn(0),
];

#[test]
fn scores_are_ordered_from_the_worst_to_the_best() {
    let mut sorted = ORDERED;
    sorted.reverse();
    sorted.sort();
    assert_eq!(sorted, ORDERED);
    for pair in ORDERED.windows(2) {
        assert!(pair[0] < pair[1], "{pair:?}");
    }
}

#[test]
fn the_opponent_orders_them_the_other_way() {
    let reversed: Vec<Score> = ORDERED.iter().rev().map(|&score| -score).collect();
    assert!(reversed.is_sorted(), "{reversed:?}");
    for score in ORDERED {
        // The lowest number cannot be negated.
        if score != Score::Centipawns(i32::MIN) {
            assert_eq!(-(-score), score);
            for side in Color::ALL {
                assert_eq!(score.for_white(side).for_side(side), score);
            }
        }
    }
}

#[test]
fn a_mate_is_a_ply_further_away_before_each_move() {
    let mut score = Score::MatedIn(0);
    for plies in 0..20 {
        assert_eq!(score.plies_to_mate(), Some(plies));
        let (counted, wins) = match plies % 2 {
            0 => (Score::mated_in_plies(plies), false),
            _ => (Score::mate_in_plies(plies), true),
        };
        assert_eq!(score, counted);
        assert_eq!(score > Score::EVEN, wins);
        assert!(score.is_mate() && score.centipawns().is_none());
        score = score.before_move();
    }
}

#[test]
fn moves_to_mate_are_those_of_the_protocol() {
    for moves in [-10_000, -1, 0, 1, 10_000] {
        assert_eq!(Score::mate(moves).moves_to_mate(), Some(moves));
    }
    assert_eq!(Score::MateIn(u32::MAX).moves_to_mate(), Some(i32::MAX));
    assert_eq!(Score::MatedIn(u32::MAX).moves_to_mate(), Some(-i32::MAX));
    assert_eq!(Score::EVEN.moves_to_mate(), None);
}

#[test]
fn text_is_as_in_pgn() {
    for (text, score) in [
        ("0.35", Score::Centipawns(35)),
        ("-0.35", Score::Centipawns(-35)),
        ("12.00", Score::Centipawns(1200)),
        ("#3", Score::MateIn(3)),
        ("#-3", Score::MatedIn(3)),
        ("#0", Score::MateIn(0)),
        ("#-0", Score::MatedIn(0)),
    ] {
        assert_eq!(score.to_string(), text);
        assert_eq!(text.parse(), Ok(score));
    }
    for (text, score) in [
        ("+1", Score::Centipawns(100)),
        ("1.2", Score::Centipawns(120)),
        ("1.259", Score::Centipawns(125)),
        ("-0", Score::EVEN),
        ("#+2", Score::MateIn(2)),
        ("21474836.47", Score::Centipawns(i32::MAX)),
    ] {
        assert_eq!(text.parse(), Ok(score), "{text}");
    }
    for text in [
        "",
        "-",
        "#",
        "#-",
        "1.",
        ".5",
        "1.x",
        "x",
        "#1.5",
        "+-1",
        "--1",
        "1,5",
        "21474836.48",
        "#2147483648",
        "٣",
    ] {
        assert_eq!(text.parse::<Score>(), Err(ParseScoreError), "{text}");
    }
}
