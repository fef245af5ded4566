//! Compares the fast forms of the attacks with the slow walk, for every square and every relevant
//! occupancy.

extern crate std;

use std::vec::Vec;

use super::*;
use crate::SplitMix64;
use crate::cpu::{self, Sliders, Task};
use crate::sliders::hyperbola::HyperbolaQuintessence;
use crate::sliders::table::{ATTACKS, BISHOP, Entry, ROOK};
use crate::sliders::walk::{BISHOP_STEPS, KING_STEPS, KNIGHT_STEPS, ROOK_STEPS, Step, slide};

/// The attacks of a rook, a bishop and a queen on one code path.
struct Lookup {
    square: Square,
    occupied: Bitboard,
}

impl Task for Lookup {
    type Output = [u64; 3];

    fn run<S: Sliders>(self, sliders: S) -> [u64; 3] {
        [
            sliders.rook(self.square, self.occupied).0,
            sliders.bishop(self.square, self.occupied).0,
            sliders.queen(self.square, self.occupied).0,
        ]
    }
}

/// Returns all subsets of a set, the empty one first, in the order in which PEXT numbers them.
fn subsets(set: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(0u64);
    core::iter::from_fn(move || {
        let subset = next?;
        let following = subset.wrapping_sub(set) & set;
        next = (following != 0).then_some(following);
        Some(subset)
    })
}

fn all_forms(square: Square, set: u64) {
    let rook_slides = slide(square, set, &ROOK_STEPS);
    let bishop_slides = slide(square, set, &BISHOP_STEPS);
    let slow = [rook_slides, bishop_slides, rook_slides | bishop_slides];
    let occupied = Bitboard(set);
    let lookup = || Lookup { square, occupied };
    let plain = lookup().run(HyperbolaQuintessence);
    assert_eq!(plain, slow, "arithmetic: {square} {set:#x}");
    let chosen = cpu::run(lookup());
    assert_eq!(chosen, slow, "the path of this CPU: {square} {set:#x}");
    let public = [rook, bishop, queen].map(|reach| reach(square, occupied).0);
    assert_eq!(public, slow, "public: {square}");
}

#[test]
fn sliding_attacks_equal_the_slow_walk_for_every_relevant_occupancy() {
    let mut count = 0;
    for square in Square::ALL {
        for table in [&ROOK, &BISHOP] {
            for occupied in subsets(table[square.index()].mask) {
                all_forms(square, occupied);
                count += 1;
            }
        }
    }
    assert_eq!(count, ATTACKS.len());
}

#[test]
fn pieces_beyond_the_relevant_squares_change_nothing() {
    let mut random = SplitMix64::new(71);
    for square in Square::ALL {
        for _ in 0..500 {
            let (sparse, dense) = (random.next_u64(), random.next_u64());
            for occupied in [sparse & dense, sparse, sparse | dense, !0] {
                all_forms(square, occupied);
            }
        }
    }
}

/// Checks the table itself, even on CPUs that never use it.
#[test]
fn the_table_holds_the_slow_walk_in_the_order_of_the_gathered_bits() {
    let check = |table: &[Entry; 64], steps: &[Step]| {
        for square in Square::ALL {
            let entry = table[square.index()];
            for (index, occupied) in subsets(entry.mask).enumerate() {
                let attacks = ATTACKS[entry.offset + index];
                assert_eq!(
                    attacks,
                    slide(square, occupied, steps),
                    "{square} {occupied:#x}"
                );
            }
        }
    };
    check(&ROOK, &ROOK_STEPS);
    check(&BISHOP, &BISHOP_STEPS);
    assert!(
        size_of_val(&ATTACKS) < 1 << 20,
        "the tables stay under a mebibyte"
    );
}

#[test]
fn steps_are_the_squares_one_step_away() {
    let reached = |from: Square, steps: &[Step]| -> Bitboard {
        steps
            .iter()
            .filter_map(|step| from.offset(step.0, step.1))
            .collect()
    };
    for square in Square::ALL {
        assert_eq!(king(square), reached(square, &KING_STEPS));
        assert_eq!(knight(square), reached(square, &KNIGHT_STEPS));
        assert_eq!(
            pawn(Color::White, square),
            reached(square, &[(-1, 1), (1, 1)])
        );
        assert_eq!(
            pawn(Color::Black, square),
            reached(square, &[(-1, -1), (1, -1)])
        );
        for other in Square::ALL {
            assert_eq!(king(square).contains(other), square.distance(other) == 1);
            assert_eq!(
                knight(square).contains(other),
                knight(other).contains(square)
            );
        }
    }
}

#[test]
fn attacks_of_any_piece_are_those_of_its_kind() {
    let mut random = SplitMix64::new(72);
    for square in Square::ALL {
        let occupied = Bitboard(random.next_u64());
        for color in Color::ALL {
            let expected = [
                pawn(color, square),
                knight(square),
                bishop(square, occupied),
                rook(square, occupied),
                queen(square, occupied),
                king(square),
            ];
            let found = Role::ALL.map(|role| of(role, color, square, occupied));
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn between_and_line_are_what_their_names_say() {
    for from in Square::ALL {
        for to in Square::ALL {
            let files = (to.file() as i8) - (from.file() as i8);
            let ranks = (to.rank() as i8) - (from.rank() as i8);
            let aligned = from != to && (files == 0 || ranks == 0 || files.abs() == ranks.abs());
            let step = (files.signum(), ranks.signum());
            let walk = |start: Square, step: Step| -> Vec<Square> {
                let mut squares = Vec::new();
                let mut square = start;
                while let Some(next) = square.offset(step.0, step.1) {
                    squares.push(next);
                    square = next;
                }
                squares
            };
            let (mut strictly, mut whole) = (Bitboard::EMPTY, Bitboard::EMPTY);
            if aligned {
                let ahead = walk(from, step);
                strictly = ahead
                    .iter()
                    .copied()
                    .take_while(|&square| square != to)
                    .collect();
                let back = walk(from, (-step.0, -step.1));
                whole = ahead.into_iter().chain(back).chain([from]).collect();
            }
            assert_eq!(between(from, to), strictly, "{from} {to}");
            assert_eq!(line(from, to), whole, "{from} {to}");
        }
    }
}

/// The compiler evaluates these functions to make the tables; this test runs them at run time.
#[test]
fn tables_are_what_their_makers_make() {
    assert_eq!(KING, walk::steps(&KING_STEPS));
    assert_eq!(KNIGHT, walk::steps(&KNIGHT_STEPS));
    assert_eq!(BETWEEN, walk::between());
    assert_eq!(ROOK_RAYS, walk::rays(&ROOK_STEPS));
    assert_eq!(BISHOP_RAYS, walk::rays(&BISHOP_STEPS));
}

#[test]
fn rays_are_attacks_on_an_empty_board() {
    for square in Square::ALL {
        assert_eq!(ROOK_RAYS[square.index()], slide(square, 0, &ROOK_STEPS));
        assert_eq!(BISHOP_RAYS[square.index()], slide(square, 0, &BISHOP_STEPS));
    }
}
