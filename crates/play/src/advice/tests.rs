//! Hints come in stages, lines follow the player's view, and what was found elsewhere is forgotten.

use tabiya_uci::{BoundedScore, Info};

use super::*;

fn info(line: u32, score: i32, pv: Vec<Move>) -> SearchInfo {
    SearchInfo::new(
        Box::new(
            Info::new()
                .with_depth(7)
                .with_multi_pv(line)
                .with_score(BoundedScore::exact(Score::Centipawns(score))),
        ),
        pv,
    )
}

fn number(orders: &[EngineOrder]) -> u64 {
    match orders {
        [.., EngineOrder::Think(task)] => task.number,
        other => panic!("no search: {other:?}"),
    }
}

#[test]
fn a_hint_tells_more_each_time() {
    let record = Record::new(Position::start());
    let place = record.cursor().id();
    let mut adviser = Adviser::default();
    let search = number(&adviser.hint(&record, place));
    assert!(adviser.is_awaited());
    assert!(adviser.hinted().is_none());
    let knight = Position::start().parse_san("Nf3").expect("a move");
    adviser.report(search, info(1, 30, vec![knight]));
    assert!(adviser.hinted().is_none());
    assert_eq!(adviser.finish(search), Some(Purpose::Hint));
    assert!(!adviser.is_awaited());
    let hinted = |adviser: &Adviser| {
        let (stage, best, _) = adviser.hinted().expect("a hint");
        (stage, best)
    };
    assert_eq!(hinted(&adviser), (Stage::Piece, knight));
    assert_eq!(adviser.hint(&record, place), []);
    assert_eq!(hinted(&adviser), (Stage::Square, knight));
    adviser.hint(&record, place);
    assert_eq!(hinted(&adviser), (Stage::Move, knight));
}

#[test]
fn a_hint_stays_the_same_when_lines_prefer_another_move() {
    let record = Record::new(Position::start());
    let place = record.cursor().id();
    let mut adviser = Adviser::default();
    let search = number(&adviser.hint(&record, place));
    let knight = Position::start().parse_san("Nf3").expect("a move");
    let pawn = Position::start().parse_san("d4").expect("a move");
    adviser.report(search, info(1, 30, vec![knight]));
    adviser.finish(search);
    adviser.toggle_lines();
    let lines = number(&adviser.update(&record, place));
    adviser.report(lines, info(1, 40, vec![pawn]));
    for stage in [Stage::Square, Stage::Move, Stage::Move] {
        assert_eq!(adviser.hint(&record, place), []);
        let (told, best, _) = adviser.hinted().expect("a hint");
        assert_eq!((told, best), (stage, knight));
    }
}

#[test]
fn lines_follow_where_one_looks() {
    let mut record = Record::new(Position::start());
    let start = record.cursor().id();
    let pawn = Position::start().parse_san("e4").expect("a move");
    let next = record.add(start, pawn).expect("legal");
    let mut adviser = Adviser::default();
    assert_eq!(adviser.toggle_lines(), []);
    let first = number(&adviser.update(&record, start));
    assert_eq!(adviser.update(&record, start), []);
    adviser.report(first, info(2, 10, vec![pawn]));
    adviser.report(first, info(1, 20, vec![pawn]));
    let (_, lines) = adviser.found().expect("lines");
    let scores: Vec<_> = lines.iter().map(|line| line.info.multi_pv).collect();
    assert_eq!(scores, [Some(1), Some(2)]);
    let second = number(&adviser.update(&record, next));
    assert!(second > first);
    // A late report is about a position that is no longer viewed.
    adviser.report(first, info(1, 20, vec![pawn]));
    assert!(adviser.found().expect("a search").1.is_empty());
    assert_eq!(adviser.toggle_lines(), [EngineOrder::Stop(Seat::Adviser)]);
}

#[test]
fn scores_and_lines_are_written_for_white() {
    let score = Score::Centipawns(-35);
    assert_eq!(score_text(score, Color::White), "-0.35");
    assert_eq!(score_text(score, Color::Black), "+0.35");
    assert_eq!(score_text(Score::MateIn(3), Color::Black), "#-3");
    let start = Position::start();
    let pawn = start.parse_san("e4").expect("a move");
    let after = start.play_unchecked(pawn);
    let answer = after.parse_san("e5").expect("a move");
    assert_eq!(line_text(&start, &[pawn, answer], 9), "1. e4 e5");
    assert_eq!(line_text(&after, &[answer], 9), "1... e5");
}
