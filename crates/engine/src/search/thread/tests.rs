//! Repetitions are those of the game, not of null moves.

use super::*;
use crate::params::SearchParams;

fn is_draw_after(moves: &[Option<&str>]) -> bool {
    after(moves).0
}

fn can_repeat_after(moves: &[Option<&str>]) -> bool {
    after(moves).1
}

/// Whether the position after some moves, of which `None` is a null move, is a draw, and whether one move can repeat an
/// earlier one.
fn after(moves: &[Option<&str>]) -> (bool, bool) {
    let (table, control) = (Table::new(0), Control::new());
    let shared = SharedSearch {
        table: &table,
        control: &control,
        over: AtomicBool::new(false),
        nodes: vec![AtomicU64::new(0)],
    };
    let start = Position::start();
    let mut data = ThreadData::new(Network::built_in(), SearchParams::default());
    let keys = vec![start.key()];
    let mut thread = SearchThread::new(&shared, &mut data, Handicap::NONE, keys, 0, u64::MAX);
    let mut node = thread.root_node(&start);
    for text in moves {
        node = match text {
            Some(text) => {
                let m = node.position.parse_uci(text).expect("legal");
                thread.make_move(&node, m)
            }
            None => thread.make_null_move(&node).expect("not in check"),
        };
    }
    (
        thread.is_draw(&node, false),
        thread.has_upcoming_repetition(&node),
    )
}

#[test]
fn a_repetition_in_the_line_is_a_draw() {
    let line = ["b1c3", "b8c6", "g1f3", "g8f6", "f3g1", "f6g8"];
    assert!(is_draw_after(&line.map(Some)));
}

#[test]
fn null_moves_repeat_nothing() {
    let line = [
        Some("b1c3"),
        Some("b8c6"),
        Some("g1f3"),
        None,
        Some("f3g1"),
        None,
    ];
    assert!(!is_draw_after(&line));
}

#[test]
fn a_repetition_is_seen_before_it_comes() {
    let line = ["b1c3", "b8c6", "g1f3", "g8f6", "f3g1"];
    assert!(can_repeat_after(&line.map(Some)));
    assert!(!can_repeat_after(
        &line[..4].iter().copied().map(Some).collect::<Vec<_>>()
    ));
    // Sliding pieces too, but a pawn's move ends it.
    let line = ["e2e4", "e7e5", "f1c4", "f8c5", "c4f1"];
    assert!(can_repeat_after(&line.map(Some)));
    let line = ["b1c3", "b8c6", "g1f3", "e7e5", "f3g1"];
    assert!(!can_repeat_after(&line.map(Some)));
    let line = [Some("b1c3"), Some("b8c6"), Some("g1f3"), None, Some("f3g1")];
    assert!(!can_repeat_after(&line));
}
