//! Properties of moves and of the ways to generate them.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use tabiya_rules::{
    Bitboard, MAX_MOVES, Move, MoveFilter, MoveList, Position, Role, SplitMix64, Square,
};

use crate::support::{positions, random_placements, random_positions};

fn set(moves: impl IntoIterator<Item = Move>) -> BTreeSet<Move> {
    moves.into_iter().collect()
}

#[test]
fn a_move_between_two_squares_is_found_exactly_if_it_is_generated() {
    let promotions: Vec<Option<Role>> = [None].into_iter().chain(Role::ALL.map(Some)).collect();
    let check = |position: &Position| {
        let legal = position.legal_moves();
        let mut found = BTreeSet::new();
        for (from, to) in pairs() {
            for &promotion in &promotions {
                if let Ok(m) = position.find_move(from, to, promotion) {
                    assert!(legal.contains(&m), "{position}: {m:?}");
                    assert_eq!((m.from(), m.promotion()), (from, promotion));
                    assert!(m.to() == to || m.is_castle() && m.destination() == to);
                    found.insert(m);
                }
            }
        }
        assert_eq!(found, set(legal), "{position}");
    };
    random_positions(21, 400, check);
    random_placements(22, 400, check);
}

fn pairs() -> impl Iterator<Item = (Square, Square)> {
    Square::ALL
        .into_iter()
        .flat_map(|from| Square::ALL.map(|to| (from, to)))
}

#[test]
fn of_all_65536_bit_patterns_exactly_the_generated_moves_are_legal() {
    let check = |position: &Position| {
        let legal: MoveList = position.legal_moves();
        let by_bits = (0..=u16::MAX).filter_map(|bits| position.move_from_bits(bits));
        assert_eq!(set(by_bits), set(legal), "{position}");
    };
    random_positions(23, positions(400), check);
    random_placements(24, 400, check);
}

#[test]
fn bits_and_moves_are_the_same_thing() {
    let moves = (0..=u16::MAX).filter_map(Move::from_bits);
    let mut count = 0;
    for m in moves {
        assert_eq!(Move::from_bits(m.bits()), Some(m));
        assert_eq!(m.is_castle(), m.castling_side().is_some());
        assert!(!(m.is_en_passant() && m.is_double_push()));
        assert!(m.promotion().is_none() || m.role() == Role::Pawn);
        count += 1;
    }
    assert_eq!(
        count,
        13 * 4096,
        "thirteen kinds of moves between any two squares"
    );
    assert_eq!(Move::from_bits(0), None);
}

#[test]
fn captures_and_quiets_are_the_two_halves_of_all_moves() {
    let check = |position: &Position| {
        let (captures, quiets) = (position.captures(), position.quiets());
        assert!(
            captures.iter().all(|&m| position.captured(m).is_some()),
            "{position}"
        );
        assert!(
            quiets.iter().all(|&m| position.captured(m).is_none()),
            "{position}"
        );
        let legal = position.legal_moves();
        assert_eq!(captures.len() + quiets.len(), legal.len(), "{position}");
        assert_eq!(
            set(captures.into_iter().chain(quiets)),
            set(legal),
            "{position}"
        );
    };
    random_positions(25, 10_000, check);
    random_placements(26, 10_000, check);
}

#[test]
fn evasions_are_all_moves_in_check_and_none_otherwise() {
    random_positions(33, 5_000, |position| {
        let evasions = position.evasions();
        if position.is_check() {
            assert_eq!(evasions, position.legal_moves(), "{position}");
        } else {
            assert!(evasions.is_empty(), "{position}");
        }
    });
}

#[test]
fn restricted_moves_are_all_moves_filtered() {
    let mut random = SplitMix64::new(27);
    let mut check = |position: &Position| {
        let mut any = || Bitboard(random.next_u64() | random.next_u64());
        let (from, to) = (any(), any());
        for wanted in [
            MoveFilter { from, to },
            MoveFilter {
                from,
                to: Bitboard::FULL,
            },
            MoveFilter {
                from: Bitboard::FULL,
                to,
            },
            MoveFilter {
                from: Bitboard::EMPTY,
                to: Bitboard::FULL,
            },
        ] {
            let filtered = position
                .legal_moves()
                .into_iter()
                .filter(|m| wanted.from.contains(m.from()) && wanted.to.contains(m.to()));
            let within = position.legal_moves_within(wanted);
            assert_eq!(set(within), set(filtered), "{position}: {wanted:?}");
        }
    };
    random_positions(28, 5_000, &mut check);
    random_placements(29, 5_000, &mut check);
}

#[test]
fn visited_sets_hold_all_moves_and_a_break_ends_the_visit() {
    let check = |position: &Position| {
        let mut sets = Vec::new();
        let done = position.visit_moves(MoveFilter::ALL, |set| {
            assert!(!set.is_empty());
            assert_eq!(set.len(), set.moves().count());
            sets.push(set);
            ControlFlow::Continue(())
        });
        assert!(done.is_continue());
        let visited: Vec<Move> = sets.iter().flat_map(|set| set.moves()).collect();
        let legal = position.legal_moves();
        assert_eq!(visited.len(), legal.len(), "{position}");
        assert_eq!(set(visited), set(legal), "{position}");
        for set in &sets {
            assert_eq!(position.board().role_at(set.from), Some(set.role));
            assert!(set.moves().all(|m| m.is_castle() == set.castles));
        }
        for limit in 1..=sets.len() {
            let mut seen = 0;
            let stopped = position.visit_moves(MoveFilter::ALL, |_| {
                seen += 1;
                if seen == limit {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            assert!(stopped.is_break());
            assert_eq!(seen, limit, "nothing comes after a break");
        }
    };
    random_positions(30, 2_000, check);
    random_placements(31, 2_000, check);
}

#[test]
fn a_list_that_is_used_again_holds_only_the_new_moves() {
    let mut list = MoveList::default();
    random_positions(32, 5_000, |position| {
        position.legal_moves_into(&mut list);
        assert_eq!(list, position.legal_moves(), "{position}");
        position.captures_into(&mut list);
        assert_eq!(list, position.captures(), "{position}");
        position.quiets_into(&mut list);
        assert_eq!(list, position.quiets(), "{position}");
    });
}

#[test]
fn a_list_of_moves_keeps_their_order_and_never_overflows() {
    let moves = Position::start().legal_moves();
    let mut list = MoveList::new();
    assert!(list.is_empty());
    for &m in &moves {
        list.push(m);
    }
    assert_eq!(list, moves);
    assert_eq!(list.clone().into_iter().collect::<Vec<_>>(), moves.to_vec());
    assert_eq!(format!("{list:?}"), format!("{:?}", moves.to_vec()));
    for _ in 0..2 * MAX_MOVES {
        list.push(moves[0]);
    }
    assert_eq!(list.len(), MAX_MOVES, "a full list stays as it is");
    list.clear();
    assert!(list.is_empty());
    assert_ne!(list, moves);
}

#[test]
fn captures_and_irreversible_moves_are_told_by_what_they_change() {
    random_positions(23, 2_000, |position| {
        for &m in &position.legal_moves() {
            let after = position.play_unchecked(m);
            let fewer = after.board().occupied().count() < position.board().occupied().count();
            assert_eq!(position.is_capture(m), fewer, "{position} {m:?}");
            let lasting =
                after.halfmove_clock() == 0 || after.castling_rooks() != position.castling_rooks();
            assert_eq!(position.is_irreversible(m), lasting, "{position} {m:?}");
        }
    });
}
