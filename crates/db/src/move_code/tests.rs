//! Moves become numbers and come back.

use tabiya_rules::{CastlingMode, Position, SplitMix64};

use super::*;

fn check(position: &Position) {
    let moves = position.legal_moves();
    let mut places: Vec<u8> = Vec::new();
    for &m in &moves {
        let place = rank(&moves, m);
        assert_eq!(unrank(position, place), Some(m), "{}", position.fen());
        places.push(place);
        let code = MoveCode::new(m);
        assert_eq!(code.resolve(position), Some(m), "{}", position.fen());
        assert_eq!(MoveCode::from_uci(code.uci().as_bytes()), Some(code));
        assert_ne!(code, MoveCode::NONE);
    }
    places.sort_unstable();
    assert!(
        places
            .iter()
            .enumerate()
            .all(|(at, &place)| at == usize::from(place))
    );
    assert_eq!(unrank(position, moves.len() as u8), None);
}

#[test]
fn every_move_of_random_games_has_a_place_and_a_code() {
    let mut random = SplitMix64::new(22);
    for game in 0..60 {
        let mut position = match game % 3 {
            0 => Position::start(),
            1 => Position::chess960(random.below(960) as u16).expect("a start"),
            _ => Position::start().with_castling_mode(CastlingMode::Chess960),
        };
        for _ in 0..120 {
            check(&position);
            let moves = position.legal_moves();
            let Some(&m) = moves.get(random.below(moves.len())) else {
                break;
            };
            position = position.play_unchecked(m);
        }
    }
}

#[test]
fn castles_are_written_as_most_programs_write_them() {
    let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").expect("a position");
    for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
        let position = position.with_castling_mode(mode);
        let m = position.parse_san("O-O").expect("a castle");
        assert_eq!(MoveCode::new(m).uci(), "e1g1");
        let m = position.parse_san("O-O-O").expect("a castle");
        assert_eq!(MoveCode::new(m).uci(), "e1c1");
    }
}

#[test]
fn texts_that_are_no_moves_are_refused() {
    for text in ["", "e2", "e2e", "e2e9", "i2e4", "e7e8k", "e7e8qq", "é2e4"] {
        assert_eq!(MoveCode::from_uci(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn four_bytes_that_name_no_squares_are_no_move() {
    for byte in 0..=u8::MAX {
        for text in [
            [b'e', b'2', b'e', byte],
            [b'e', b'2', byte, b'4'],
            [byte; 4],
        ] {
            let named = text.iter().enumerate().all(|(at, &byte)| {
                let first = if at % 2 == 0 { b'a' } else { b'1' };
                (first..first + 8).contains(&byte)
            });
            assert_eq!(MoveCode::from_uci(&text).is_some(), named, "{text:?}");
        }
    }
}
