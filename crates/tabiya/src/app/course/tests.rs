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
    assert!(course.is_empty());
    course.note(root, known(30, 9));
    course.note(root, known(-50, 2));
    assert_eq!(course.at(root), Some(known(30, 9)));
    course.note(root, known(10, 9));
    assert_eq!(course.at(root), Some(known(10, 9)));
    course.clear();
    assert_eq!(course.at(root), None);
}

#[test]
fn gaps_are_bridged_and_a_mate_is_known() {
    let mut app = start();
    play(&mut app, "f3 e5 g4 Qh4");
    let record = app.table.session.record();
    let mut course = Course::default();
    let second = record.on_line(2).expect("two half-moves").id();
    course.note(second, known(0, 5));
    assert_eq!(
        course.chances(record),
        [None, None, Some(0.5), Some(0.5), Some(0.0)]
    );
    course.note(
        second,
        Known {
            score: ScoreValue::Mate(-3),
            depth: 6,
        },
    );
    assert_eq!(course.chances(record)[2], Some(0.0));
}
