use tabiya_rules::Position;

use super::{near, steps};

fn at_start(text: &str) -> Vec<String> {
    near(text, &Position::start())
}

#[test]
fn case_and_punctuation_are_no_difference() {
    assert_eq!(at_start("E2E4"), ["e2e4"]);
    assert_eq!(at_start("e2 e4"), ["e2e4"]);
    assert_eq!(at_start("N/f3"), ["Nf3"]);
}

#[test]
fn one_letter_may_be_wrong() {
    assert_eq!(at_start("undoo"), ["undo"]);
    assert_eq!(at_start("hlep"), ["help"]);
    assert_eq!(at_start("resin"), ["resign"]);
    assert_eq!(at_start("e2e44"), ["e2e4", "e2e3"].map(str::to_owned)[..1]);
}

#[test]
fn what_is_far_from_everything_gets_no_suggestion() {
    for text in [
        "",
        "x",
        "hello world",
        "♞♞♞",
        "zzzzzz",
        &"e2e4".repeat(1000),
    ] {
        assert!(at_start(text).is_empty(), "{text}");
    }
}

#[test]
fn steps_are_counted() {
    assert_eq!(steps("undo", "undo"), 0);
    assert_eq!(steps("undo", "und"), 1);
    assert_eq!(steps("ndo", "undo"), 1);
    assert_eq!(steps("unod", "undo"), 1);
    assert_eq!(steps("unda", "undo"), 1);
    assert_eq!(steps("u", "undo"), 2);
    assert_eq!(steps("", ""), 0);
    assert_eq!(steps("", "ab"), 2);
}
