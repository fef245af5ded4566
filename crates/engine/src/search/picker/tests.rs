//! Every move comes exactly once, in stages.

use tabiya_rules::SplitMix64;

use super::*;
use crate::search::history::NO_MOVE;

fn context(position: &Position) -> Context {
    Context {
        turn: position.turn(),
        before: [NO_MOVE; 3],
        pawn_key: 0,
    }
}

/// Everything a picker hands out, which it makes for an empty stack and leaves empty.
fn all(position: &Position, make: impl FnOnce(&MoveStack) -> Picker) -> Vec<Move> {
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
fn every_move_comes_once() {
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
            let known = last.get(random.below(last.len().max(1))).copied();
            let known = known.or(moves.first().copied());
            let mut picked = all(&position, |stack| {
                Picker::new(stack, &position, position.is_check(), known)
            });
            let mut expected = moves.to_vec();
            picked.sort();
            expected.sort();
            assert_eq!(picked, expected, "{position} {known:?}");
            last = expected;
            position = position.play_unchecked(moves[random.below(moves.len())]);
        }
    }
}

#[test]
fn good_captures_come_first_and_bad_ones_last() {
    let position = Position::from_fen("4k3/8/3p4/p3p3/8/8/4R3/R3K3 w - - 0 1").expect("valid");
    let picked = all(&position, |stack| {
        Picker::new(stack, &position, false, None)
    });
    let (first, last) = (picked[0], picked[picked.len() - 1]);
    assert_eq!(position.uci(first).to_string(), "a1a5");
    assert_eq!(position.uci(last).to_string(), "e2e5");
    let picked = all(&position, |stack| {
        Picker::captures(stack, &position, false, None)
    });
    assert_eq!(picked, [first]);
}

#[test]
fn positions_further_on_do_not_disturb_those_before() {
    let (histories, mut random) = (Histories::new(), SplitMix64::new(5));
    let mut position = Position::start();
    for _ in 0..200 {
        let alone = all(&position, |stack| {
            Picker::new(stack, &position, position.is_check(), None)
        });
        if alone.is_empty() {
            break;
        }
        let mut stack = MoveStack::default();
        let mut picker = Picker::new(&stack, &position, position.is_check(), None);
        let mut picked = Vec::new();
        loop {
            let (in_check, context) = (position.is_check(), context(&position));
            let next = picker.next(&mut stack, &position, in_check, &histories, &context);
            let Some(m) = next else {
                break;
            };
            picked.push(m);
            // Some of the moves after it, as a search that is cut short does.
            let after = position.play_unchecked(m);
            let mut inner = Picker::new(&stack, &after, after.is_check(), None);
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
