//! What is known about the positions of a game, and the resulting curve.

use tabiya_game::{Command, Session, Timestamp};
use tabiya_rules::Score;

use super::*;

fn known(points: i32, depth: u32) -> Evaluation {
    Evaluation {
        score: Score::Centipawns(points),
        depth: Some(depth),
    }
}

#[test]
fn a_search_that_has_only_begun_replaces_nothing_deeper() {
    let session = Session::default();
    let root = session.record().root();
    let mut history = EvaluationHistory::default();
    history.record(root.id(), known(30, 9));
    history.record(root.id(), known(-50, 2));
    assert_eq!(history.at(root), Some(known(30, 9)));
    history.record(root.id(), known(10, 9));
    assert_eq!(history.at(root), Some(known(10, 9)));
    history.clear();
    assert_eq!(history.at(root), None);
}

#[test]
fn short_gaps_are_bridged_and_long_ones_are_not() {
    let mut session = Session::default();
    for text in ["f3", "e5", "a3", "a6", "b3", "b6", "g4", "Qh4"] {
        let played = session.apply(Command::play(text), Timestamp::ORIGIN);
        played.expect("a legal move");
    }
    let record = session.record();
    let mut history = EvaluationHistory::default();
    let after = |ply| record.on_line(ply).expect("a half-move").id();
    history.record(after(2), known(0, 5));
    let none = [None; 5];
    let mate = Some(0.0);
    let mut expected = vec![None, None, Some(0.5)];
    expected.extend(none);
    expected.push(mate);
    assert_eq!(
        history.chances(record),
        expected,
        "nobody knows what was between"
    );
    assert!(!history.is_a_curve(record), "one hint is no curve");
    history.record(after(5), known(0, 5));
    assert_eq!(history.chances(record)[2..6], [Some(0.5); 4]);
    history.record(
        after(6),
        Evaluation {
            score: Score::MatedIn(3),
            depth: Some(6),
        },
    );
    assert_eq!(history.chances(record)[6..], [mate; 3]);
    assert!(history.is_a_curve(record));
}

#[test]
fn what_is_written_in_a_file_counts() {
    let text = "1. e4 {[%eval 0.3]} e5 {[%eval 0.2,9]} 2. Ke2 {[%eval #-4]} *";
    let game = tabiya_game::pgn::games(text.as_bytes())
        .next()
        .expect("a game");
    let record = {
        let mut record = game.record;
        record.go_to(record.main_line_end().id());
        record
    };
    let history = EvaluationHistory::default();
    assert!(history.is_a_curve(&record));
    let chances = history.chances(&record);
    assert_eq!(chances[0], None);
    assert!(
        chances[1] > chances[2] && chances[2] > Some(0.5),
        "{chances:?}"
    );
    assert_eq!(chances[3], Some(0.0));
}
