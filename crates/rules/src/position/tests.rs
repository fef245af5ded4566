//! Tests of what a position is made of: the numbers of its key, its size, its counters at their
//! limits.

extern crate std;

use std::collections::HashSet;
use std::vec::Vec;

use super::*;
use crate::zobrist;

/// Returns all numbers that keys are made of.
fn numbers() -> Vec<u64> {
    let mut numbers = Vec::new();
    for color in Color::ALL {
        for role in Role::ALL {
            numbers.extend(Square::ALL.map(|square| zobrist::piece(color, role, square)));
        }
    }
    numbers.extend(File::ALL.map(|file| zobrist::en_passant(Some(file))));
    numbers.push(zobrist::turn(Color::Black));
    numbers
}

#[test]
fn the_numbers_of_a_key_are_different_and_so_are_their_pairs() {
    let numbers = numbers();
    assert_eq!(numbers.len(), 2 * 6 * 64 + 8 + 1);
    assert!(numbers.iter().all(|&number| number != 0));
    let mut pairs: HashSet<u64> = numbers.iter().copied().collect();
    assert_eq!(pairs.len(), numbers.len());
    for (index, one) in numbers.iter().enumerate() {
        for other in &numbers[..index] {
            assert!(
                pairs.insert(one ^ other),
                "two changes of a position would cancel out"
            );
        }
    }
}

#[test]
fn nothing_to_say_is_zero_in_a_key() {
    let parts = [
        zobrist::turn(Color::White),
        zobrist::en_passant(None),
        zobrist::castling(0),
    ];
    assert_eq!(parts, [0; 3]);
}

#[test]
fn every_set_of_castling_rooks_has_its_own_number() {
    let sets = (0..=u16::MAX).map(|bits| u64::from(bits & 0xff) | u64::from(bits >> 8) << 56);
    let numbers: HashSet<u64> = sets.map(zobrist::castling).collect();
    assert_eq!(numbers.len(), 1 << 16);
}

#[test]
fn a_position_is_small() {
    assert!(size_of::<Position>() <= 160);
    assert_eq!(size_of::<crate::Move>(), 2);
}

#[test]
fn counters_at_their_limit_do_not_stop_the_play() {
    let mut setup = Position::start().setup();
    setup.halfmove_clock = u32::MAX;
    setup.fullmove_number = core::num::NonZeroU32::MAX;
    let mut position = setup.position().expect("only the counters are odd");
    for text in ["Nf3", "Nf6", "Ng1", "Ng8"] {
        position = position.play_unchecked(position.parse_san(text).expect("legal"));
    }
    assert_eq!(position, Position::start());
    assert!(position.pass().is_some());
}
