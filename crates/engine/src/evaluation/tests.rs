//! Fair to both sides, followed exactly, and worth something.

use tabiya_rules::cpu::{Sliders, Task};
use tabiya_rules::{Bitboard, Position, SplitMix64, attacks};

use super::*;

/// The hand-written evaluation for random games.
fn hand_written() -> HandWritten {
    HandWritten::new(Weights::STANDARD, 200)
}

fn evaluate(position: &Position) -> i32 {
    let mut evaluator = hand_written();
    evaluator.set_root(position);
    evaluator.evaluate(position, &SubKeys::of(position), 0)
}

fn of(fen: &str) -> i32 {
    evaluate(&Position::from_fen(fen).expect("valid"))
}

/// Calls `each` for the positions of random games, with the moves that lead on from them.
fn random_games(count: u64, mut each: impl FnMut(&Position, Option<tabiya_rules::Move>)) {
    for seed in 0..count {
        let mut random = SplitMix64::new(seed);
        let mut position = Position::chess960(random.below(960) as u16).expect("below 960");
        for i in 0..200 {
            let moves = position.legal_moves();
            // The last position of a game leads nowhere.
            let next = (!moves.is_empty() && i < 199).then(|| moves[random.below(moves.len())]);
            each(&position, next);
            match next {
                Some(m) => position = position.play_unchecked(m),
                None => break,
            }
        }
    }
}

#[test]
fn both_sides_are_seen_alike() {
    random_games(20, |position, _| {
        assert_eq!(
            evaluate(position),
            evaluate(&position.mirror()),
            "{position}"
        );
        assert!(evaluate(position).abs() <= MAX_EVAL);
    });
}

#[test]
fn left_and_right_are_the_same() {
    random_games(20, |position, _| {
        if let Some(flipped) = position.flip_horizontal() {
            assert_eq!(evaluate(position), evaluate(&flipped), "{position}");
        }
    });
}

#[test]
fn following_moves_is_the_same_as_beginning_anew() {
    let (mut followed, mut anew) = (hand_written(), hand_written());
    let mut next_keys = None;
    let mut ply = 0;
    random_games(30, |position, next| {
        anew.set_root(position);
        let sub_keys = next_keys.take().unwrap_or_else(|| {
            followed.set_root(position);
            ply = 0;
            SubKeys::of(position)
        });
        assert_eq!(sub_keys, SubKeys::of(position), "{position}");
        assert_eq!(followed.states[ply], anew.states[0], "{position}");
        next_keys = next.map(|m| {
            ply += 1;
            let change = position.change(m);
            followed.make_move(ply, &change);
            sub_keys.update(&change)
        });
    });
}

#[test]
fn what_was_kept_about_pawns_changes_nothing() {
    let mut used = hand_written();
    random_games(10, |position, _| {
        used.set_root(position);
        let again = used.evaluate(position, &SubKeys::of(position), 0);
        assert_eq!(again, evaluate(position));
    });
}

#[test]
fn boards_without_kings_are_judged_too() {
    use tabiya_rules::{Setup, Waivers};
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
        // A queen, a passed pawn that is further on, a pair of bishops, a rook on an open file.
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
    assert!(middle > 3000 && edge > middle);
    // With a bishop of the dark squares the corners are a1 and h8.
    let right = of("7k/5K2/8/8/8/8/8/2B1N3 w - - 0 1");
    let wrong = of("k7/2K5/8/8/8/8/8/2B1N3 w - - 0 1");
    assert!(right > wrong);
}

/// Attacks as any CPU finds them.
#[derive(Clone, Copy)]
struct Plain;

impl Sliders for Plain {
    fn rook_bits(self, square: usize, occupied: u64) -> u64 {
        attacks::rook(Square::ALL[square], Bitboard(occupied)).0
    }

    fn bishop_bits(self, square: usize, occupied: u64) -> u64 {
        attacks::bishop(Square::ALL[square], Bitboard(occupied)).0
    }
}

#[test]
fn every_cpu_judges_alike() {
    let mut evaluation = hand_written();
    random_games(20, |position, _| {
        let board = position.board();
        let key = SubKeys::of(position).pawns;
        let weights = &*evaluation.weights;
        let structure = evaluation.structures.of(board, key, &weights.pawns);
        let pieces = || Pieces {
            board,
            structure: &structure,
            weights,
        };
        assert_eq!(cpu::run(pieces()), pieces().run(Plain), "{position}");
    });
}
