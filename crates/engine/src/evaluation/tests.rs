//! The evaluation that the engine plays with is fair to both sides, worth something, and knows how to win.

use std::sync::Arc;

use tabiya_rules::{Position, SplitMix64};

use super::KNOWN_WIN;
use super::network::{Network, NetworkEvaluator};

fn evaluate(position: &Position) -> i32 {
    let mut evaluator = NetworkEvaluator::new(Arc::clone(Network::built_in()), 0);
    evaluator.set_root(position);
    evaluator.evaluate(position, 0)
}

fn of(fen: &str) -> i32 {
    evaluate(&Position::from_fen(fen).expect("valid"))
}

/// Calls `each` for the positions of random games of Chess960.
fn random_games(count: u64, mut each: impl FnMut(&Position)) {
    for seed in 0..count {
        let mut random = SplitMix64::new(seed);
        let mut position = Position::chess960(random.below(960) as u16).expect("below 960");
        for _ in 0..200 {
            each(&position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play_unchecked(moves[random.below(moves.len())]);
        }
    }
}

#[test]
fn both_sides_are_seen_alike() {
    random_games(20, |position| {
        assert_eq!(
            evaluate(position),
            evaluate(&position.mirror()),
            "{position}"
        );
    });
}

#[test]
fn left_and_right_are_the_same() {
    random_games(20, |position| {
        if let Some(flipped) = position.flip_horizontal() {
            assert_eq!(evaluate(position), evaluate(&flipped), "{position}");
        }
    });
}

#[test]
fn boards_without_kings_are_judged_too() {
    use tabiya_rules::{Setup, Square, Waivers};
    let position = Position::from_fen("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1").expect("valid");
    let mut setup: Setup = position.setup();
    for square in [Square::E1, Square::E8] {
        setup.board.remove(square);
    }
    let position = setup
        .position_waiving(Waivers::MISSING_KING)
        .expect("waived");
    assert!(evaluate(&position) > 1000);
}

#[test]
fn the_start_is_even_but_for_the_move() {
    let score = evaluate(&Position::start());
    assert!((1..60).contains(&score), "{score}");
}

#[test]
fn more_is_better() {
    for (better, worse) in [
        // A queen, a passed pawn that is further on, a pair of bishops.
        (
            "4k3/pppp4/8/8/8/8/PPPP4/Q3K3 w - - 0 1",
            "4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1",
        ),
        (
            "4k3/8/P7/8/8/8/7p/4K2R w - - 0 1",
            "4k3/8/8/8/P7/8/7p/4K2R w - - 0 1",
        ),
        (
            "4k3/pppp4/8/8/8/8/PPPP4/2B1KB2 w - - 0 1",
            "4k3/pppp4/8/8/8/8/PPPP4/1NB1K3 w - - 0 1",
        ),
    ] {
        assert!(of(better) > of(worse), "{better}");
    }
}

#[test]
fn endings_that_cannot_be_won_are_even() {
    for fen in [
        "4k3/8/8/8/8/8/8/2NNK3 w - - 0 1",
        "4k3/8/8/8/8/8/8/2B1K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/2N1K3 b - - 0 1",
    ] {
        assert_eq!(of(fen), 0, "{fen}");
    }
}

#[test]
fn a_lone_king_is_driven_where_it_can_be_mated() {
    let middle = of("8/8/8/3k4/8/3K4/8/3R4 w - - 0 1");
    let edge = of("3k4/8/3K4/8/8/8/8/3R4 w - - 0 1");
    assert!(middle > KNOWN_WIN && edge > middle);
    // With a bishop of the dark squares the corners are a1 and h8.
    let right = of("7k/5K2/8/8/8/8/8/2B1N3 w - - 0 1");
    let wrong = of("k7/2K5/8/8/8/8/8/2B1N3 w - - 0 1");
    assert!(right > wrong);
}
