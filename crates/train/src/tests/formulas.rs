//! The model of memory against numbers of fsrs-rs, and the day of training.

use crate::day::{Day, Moment};
use crate::fsrs::{Card, Grade};

#[test]
fn a_series_of_reviews_has_the_values_of_fsrs_rs() {
    let reviews = [
        (2, Grade::Good),
        (9, Grade::Good),
        (30, Grade::Again),
        (1, Grade::Good),
        (5, Grade::Hard),
    ];
    let expected = [2.3065, 10.9643, 41.4645, 2.7124, 4.7439, 9.2030];
    let mut card = Card::first(Grade::Good);
    let mut found = vec![card.stability];
    for (days, grade) in reviews {
        card = card.review(days, grade);
        found.push(card.stability);
    }
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-3, "{found} for {expected}");
    }
    assert!((card.difficulty - 8.2445).abs() < 1e-3, "{card:?}");
}

#[test]
fn an_interval_ends_when_recall_is_as_likely_as_wanted() {
    for (stability, retention) in [(0.5, 0.9), (10.0, 0.85), (300.0, 0.7)] {
        let card = Card {
            stability,
            difficulty: 5.0,
        };
        let days = card.interval(retention);
        assert!((card.interval(0.9) - stability).abs() < 1e-9);
        let recalled = card.retrievability(days.round() as u32);
        assert!(
            days < 2.0 || (recalled - retention).abs() < 0.03,
            "{recalled}"
        );
    }
    // On the day of a review, a pass never makes it less stable, and a failure never more.
    for grade in [Grade::Hard, Grade::Good, Grade::Easy] {
        let card = Card::first(grade);
        assert!(card.review(0, Grade::Good).stability >= card.stability);
        assert!(card.review(0, Grade::Again).stability <= card.stability);
    }
}

#[test]
fn a_day_begins_at_four_where_the_player_is() {
    let day = |hour: i64, minute: i64, z: i16| {
        let ms = (100 * 86_400 + hour * 3600 + minute * 60) * 1000;
        Moment { ms, z }.day()
    };
    assert_eq!(day(3, 59, 0), Day(99));
    assert_eq!(day(4, 0, 0), Day(100));
    assert_eq!(day(27, 59, 0), Day(100));
    assert_eq!(day(1, 59, 120), Day(99), "in Berlin it is 03:59");
    assert_eq!(day(2, 0, 120), Day(100));
    assert_eq!(day(8, 59, -300), Day(99), "in New York it is 03:59");
    assert_eq!(Day(3).since(Day(5)), 0);
}
