//! Repetitions are those of the game, not of null moves.

use super::*;

fn is_draw_after(moves: &[Option<&str>]) -> bool {
    let (table, control) = (Table::new(0), Control::new());
    let shared = Shared {
        table: &table,
        control: &control,
        over: AtomicBool::new(false),
        nodes: vec![AtomicU64::new(0)],
    };
    let start = Position::start();
    let mut data = ThreadData::new(None);
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
    thread.is_draw(&node, false)
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
