//! Every move is picked exactly once, in stages.

use tabiya_rules::SplitMix64;

use super::*;
use crate::search::history::NO_MOVE;
use crate::search::threats::Threats;

fn context(position: &Position) -> HistoryContext {
    HistoryContext {
        turn: position.turn(),
        previous: [NO_MOVE; 3],
        pawn_key: 0,
        threats: Threats::NONE,
    }
}

/// All moves of a picker, which begins with an empty stack and leaves it empty.
fn all(position: &Position, make: impl FnOnce(&MoveStack) -> MovePicker) -> Vec<Move> {
    let histories = Histories::new();
    let context = context(position);
    let in_check = position.is_check();
    let mut stack = MoveStack::default();
    let mut picker = make(&stack);
    let mut next = || picker.next(&mut stack, position, in_check, &histories, &context);
    let moves = std::iter::from_fn(&mut next).collect();
    picker.finish(&mut stack);
    assert!(stack.moves.is_empty());
    moves
}

#[test]
fn every_move_is_picked_once() {
    for seed in 0..60 {
        let mut random = SplitMix64::new(seed);
        let mut position = Position::start();
        let mut last: Vec<Move> = Vec::new();
        for _ in 0..150 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            // A move of another position, or of this one.
            let tt_move = last.get(random.below(last.len().max(1))).copied();
            let tt_move = tt_move.or(moves.first().copied());
            let mut picked = all(&position, |stack| {
                MovePicker::new(stack, &position, position.is_check(), tt_move)
            });
            let mut expected = moves.to_vec();
            picked.sort();
            expected.sort();
            assert_eq!(picked, expected, "{position} {tt_move:?}");
            last = expected;
            position = position.play_unchecked(moves[random.below(moves.len())]);
        }
    }
}

#[test]
fn good_captures_come_first_and_bad_ones_last() {
    let position = Position::from_fen("4k3/8/3p4/p3p3/8/8/4R3/R3K3 w - - 0 1").expect("valid");
    let picked = all(&position, |stack| {
        MovePicker::new(stack, &position, false, None)
    });
    let (first, last) = (picked[0], picked[picked.len() - 1]);
    assert_eq!(position.uci(first).to_string(), "a1a5");
    assert_eq!(position.uci(last).to_string(), "e2e5");
    let picked = all(&position, |stack| {
        MovePicker::quiescence(stack, &position, false, None)
    });
    assert_eq!(picked, [first]);
}

#[test]
fn pickers_of_later_nodes_do_not_disturb_earlier_ones() {
    let (histories, mut random) = (Histories::new(), SplitMix64::new(5));
    let mut position = Position::start();
    for _ in 0..200 {
        let alone = all(&position, |stack| {
            MovePicker::new(stack, &position, position.is_check(), None)
        });
        if alone.is_empty() {
            break;
        }
        let mut stack = MoveStack::default();
        let mut picker = MovePicker::new(&stack, &position, position.is_check(), None);
        let mut picked = Vec::new();
        loop {
            let (in_check, context) = (position.is_check(), context(&position));
            let next = picker.next(&mut stack, &position, in_check, &histories, &context);
            let Some(m) = next else {
                break;
            };
            picked.push(m);
            // Pick some moves of the child, as a search with a cutoff does.
            let after = position.play_unchecked(m);
            let mut inner = MovePicker::new(&stack, &after, after.is_check(), None);
            let context = self::context(&after);
            for _ in 0..random.below(4) {
                inner.next(&mut stack, &after, after.is_check(), &histories, &context);
            }
            inner.finish(&mut stack);
        }
        assert_eq!(picked, alone, "{position}");
        position = position.play_unchecked(alone[random.below(alone.len())]);
    }
}
