//! What changes about a game, and what stays.

use tabiya_game::pgn::{self, Format};

use super::Change;
use crate::pgn::options::Strip;

fn changed(text: &str, strip: &[Strip], fix_results: bool, classify: bool) -> String {
    let mut record = pgn::games(text.as_bytes()).next().expect("a game").record;
    let change = Change {
        strip: strip.to_vec(),
        fix_results,
        classify,
    };
    change.apply(&mut record);
    pgn::to_string(&record, Format::Compact)
}

#[test]
fn what_is_named_is_left_out_and_nothing_else() {
    let text = "[White \"A\"]\n[Odd \"x\"]\n\n{first} 1. e4! {[%clk 0:01:00] good} (1. d4 {x} d5 (1... c5?)) 1... e5 $14 *";
    for (strip, expected) in [
        (
            &[Strip::Comments][..],
            "[White \"A\"]\n[Odd \"x\"]\n\n1.e4 $1 (1.d4 d5 (1...c5 $2)) 1...e5 $14 *\n",
        ),
        (
            &[Strip::Variations],
            "[White \"A\"]\n[Odd \"x\"]\n\n{first} 1.e4 $1 {[%clk 0:01:00]} {good} 1...e5 $14 *\n",
        ),
        (
            &[Strip::Clocks, Strip::Glyphs, Strip::Variations],
            "[White \"A\"]\n[Odd \"x\"]\n\n{first} 1.e4 {good} 1...e5 *\n",
        ),
        (
            &[Strip::Tags, Strip::Variations, Strip::Comments],
            "[White \"A\"]\n\n1.e4 $1 e5 $14 *\n",
        ),
    ] {
        assert_eq!(changed(text, strip, false, false), expected, "{strip:?}");
    }
}

#[test]
fn results_on_the_board_count_for_more_than_those_that_are_written() {
    let fixed = |text: &str| changed(text, &[], true, false).trim_end().to_owned();
    assert!(fixed("1. f3 e5 2. g4 Qh4# 1-0").ends_with("Qh4# 0-1"));
    assert!(
        fixed("[FEN \"7k/8/5KQ1/8/8/8/8/8 w - - 0 1\"]\n\n1. Qf7 1-0").ends_with("Qf7 1/2-1/2")
    );
    assert!(fixed("1. e4 1-0").ends_with("e4 1-0"));
}

#[test]
fn openings_are_written_into_the_tags() {
    let text = changed("[ECO \"A00\"]\n\n1. e4 c5 *", &[], false, true);
    assert!(
        text.starts_with("[ECO \"B20\"]\n[Opening \"Sicilian Defense\"]\n"),
        "{text}"
    );
}
