use tabiya_play::opponents::Seat;
use tabiya_rules::{Color, Score};
use tabiya_uci::{BoundedScore, Info, SearchInfo};

use super::{MAX_REPORTS, Report, Reports};

fn report(seat: Seat, line: u32, score: Option<i32>, number: u64) -> Report {
    let score = score.map(|points| BoundedScore::exact(Score::Centipawns(points)));
    let info = Box::new(Info::new().with_multi_pv(line).with_score(score));
    Report {
        seat,
        number,
        info: SearchInfo::new(info, Vec::new()),
    }
}

#[test]
fn the_latest_of_each_kind_is_kept_and_told_once() {
    let reports = Reports::default();
    let black = Seat::Side(Color::Black);
    assert!(reports.put(report(black, 1, Some(10), 1)));
    for points in 0..1000 {
        let next = report(black, 1, Some(points), 1);
        assert!(!reports.put(next));
    }
    // A report without a score says nothing about the score, and another seat is separate.
    reports.put(report(black, 1, None, 1));
    reports.put(report(Seat::Adviser, 1, Some(5), 7));
    reports.put(report(Seat::Adviser, 2, Some(4), 7));
    assert_eq!(
        reports.take(),
        [
            report(black, 1, Some(999), 1),
            report(black, 1, None, 1),
            report(Seat::Adviser, 1, Some(5), 7),
            report(Seat::Adviser, 2, Some(4), 7),
        ]
    );
    assert_eq!(reports.take(), []);
    assert!(reports.put(report(black, 1, None, 2)));
}

#[test]
fn an_engine_that_numbers_its_lines_without_end_fills_no_memory() {
    let reports = Reports::default();
    for line in 0..10_000 {
        reports.put(report(Seat::Adviser, line, Some(1), 1));
    }
    assert_eq!(reports.take().len(), MAX_REPORTS);
}
