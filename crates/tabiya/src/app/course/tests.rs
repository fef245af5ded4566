use super::*;
use crate::app::tests::{play, start};

fn known(points: i32, depth: u32) -> Known {
    Known {
        score: ScoreValue::Centipawns(points),
        depth,
    }
}

#[test]
fn a_search_that_has_only_begun_replaces_nothing_deeper() {
    let app = start();
    let root = app.table.session.record().root().id();
    let mut course = Course::default();
    course.note(root, known(30, 9));
    course.note(root, known(-50, 2));
    assert_eq!(course.at(root), Some(known(30, 9)));
    course.note(root, known(10, 9));
    assert_eq!(course.at(root), Some(known(10, 9)));
    course.clear();
    assert_eq!(course.at(root), None);
}

#[test]
fn short_gaps_are_bridged_and_long_ones_are_not() {
    let mut app = start();
    play(&mut app, "f3 e5 a3 a6 b3 b6 g4 Qh4");
    let record = app.table.session.record();
    let mut course = Course::default();
    let after = |ply| record.on_line(ply).expect("a half-move").id();
    course.note(after(2), known(0, 5));
    let none = [None; 5];
    let mate = Some(0.0);
    let mut expected = vec![None, None, Some(0.5)];
    expected.extend(none);
    expected.push(mate);
    assert_eq!(
        course.chances(record),
        expected,
        "nobody knows what was between"
    );
    assert!(!course.is_a_curve(record), "one hint is no curve");
    course.note(after(5), known(0, 5));
    assert_eq!(course.chances(record)[2..6], [Some(0.5); 4]);
    course.note(
        after(6),
        Known {
            score: ScoreValue::Mate(-3),
            depth: 6,
        },
    );
    assert_eq!(course.chances(record)[6..], [mate; 3]);
    assert!(course.is_a_curve(record));
}
