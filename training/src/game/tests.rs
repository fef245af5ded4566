//! Starts differ, games end correctly, and pairs are fair.

use tabiya_rules::CastlingMode;

use super::*;

#[test]
fn starts_are_of_all_kinds_and_differ() {
    let mut starts = std::collections::HashSet::new();
    let (mut standard, mut black_to_move) = (0, 0);
    for number in 0..400 {
        let Some(start) = random_start(&mut SplitMix64::new(number)) else {
            continue;
        };
        assert_eq!(start.status(), Status::Ongoing);
        starts.insert(start.key());
        standard += usize::from(start.castling_mode() == CastlingMode::Standard);
        black_to_move += usize::from(start.turn() == Color::Black);
    }
    assert!(starts.len() > 390, "{}", starts.len());
    assert!((320..370).contains(&standard), "{standard}");
    assert!((150..250).contains(&black_to_move), "{black_to_move}");
}

#[test]
fn games_are_adjudicated_by_scores_in_a_row() {
    let of = |scores: &[i32]| {
        let mut adjudication = Adjudication::default();
        let results: Vec<_> = scores
            .iter()
            .map(|&score| adjudication.add(score))
            .collect();
        let (last, before) = results.split_last().expect("some");
        assert!(before.iter().all(Option::is_none), "{results:?}");
        *last
    };
    assert_eq!(of(&[1500; 3]), None);
    assert_eq!(of(&[1500; 4]), Some(GameResult::Won(Color::White)));
    assert_eq!(of(&[-1500; 4]), Some(GameResult::Won(Color::Black)));
    assert_eq!(of(&[1500, 1500, 1499, 1500, 1500, 1500]), None);
    assert_eq!(of(&[1500, 1500, -1500, -1500]), None);
    assert_eq!(of(&[10; 79]), None);
    assert_eq!(of(&[-10; 80]), Some(GameResult::Drawn));
    let mut scores = [0; 85];
    scores[74] = 11;
    assert_eq!(of(&scores), Some(GameResult::Drawn));
}

#[test]
fn games_end_by_the_rules() {
    let of = |fen: &str, moves: &[&str]| {
        let mut played = MoveHistory::new(Position::from_fen(fen).expect("valid"));
        for text in moves {
            let m = played.current().parse_uci(text).expect("legal");
            played.push(m).expect("legal");
        }
        result_by_rules(&played)
    };
    let king_and_rook = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    assert_eq!(of(king_and_rook, &[]), None);
    assert_eq!(
        of(king_and_rook, &["a1a8"]),
        Some(GameResult::Won(Color::White))
    );
    let shuffle = ["a1b1", "g8f8", "b1a1", "f8g8"];
    assert_eq!(of(king_and_rook, &shuffle), None);
    assert_eq!(
        of(king_and_rook, &[shuffle, shuffle].concat()),
        Some(GameResult::Drawn)
    );
    let clock = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 99 80";
    assert_eq!(of(clock, &["a1b1"]), Some(GameResult::Drawn));
    assert_eq!(
        of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &[]),
        Some(GameResult::Drawn)
    );
    assert_eq!(
        of("7k/8/6K1/8/8/8/8/8 b - - 0 1", &[]),
        Some(GameResult::Drawn)
    );
}

#[test]
fn a_pair_between_equal_players_is_even() {
    let mut players = [Scorer::new(None), Scorer::new(None)];
    for number in 1..4 {
        let mut random = random_of(number);
        let Some(start) = fair_start(&mut random, &mut players[0]) else {
            continue;
        };
        let [first, second] = &mut players;
        assert_eq!(play_pair(start, [first, second], 300), 2, "{number}");
    }
}
