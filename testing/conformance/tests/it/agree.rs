//! The cross-check: a short run agrees, meets what it should, and repeats.

use std::process::Command;

use tabiya_conformance::{
    agree::{
        Plan,
        compare::Comparison,
        history::{History, Occurrences},
        report::Report,
        run,
        start::{Kind, Start},
        trio::{Trio, code, code_text, reversed},
    },
    random::SplitMix64,
};

fn plan(positions: u64) -> Plan {
    Plan {
        positions,
        seed: 7,
        kinds: Kind::ALL.to_vec(),
    }
}

#[test]
fn a_short_run_agrees_and_meets_special_moves() {
    let report = run(&plan(10_000));
    assert!(report.failures.is_empty(), "{report}");
    assert!(report.positions >= 10_000);
    for what in ["castles played", "promotions played", "positions in check"] {
        assert!(report.times(what) > 0, "no {what}");
    }
}

#[test]
fn the_same_seed_plays_the_same_games() {
    assert_eq!(run(&plan(2_000)).to_string(), run(&plan(2_000)).to_string());
}

#[test]
fn every_start_is_accepted_by_all_libraries() {
    let mut random = SplitMix64::new(1);
    for kind in Kind::ALL {
        for round in 0..960 {
            let start = Start::new(kind, round, &mut random);
            assert!(Trio::read(&start).is_some(), "{}", start.fen);
        }
    }
}

#[test]
fn a_difference_is_a_failure() {
    let mut random = SplitMix64::new(1);
    let start = Start::new(Kind::Standard, 0, &mut random);
    let good = Trio::read(&start).unwrap();
    let moves = good.moves();
    // cozy-chess and shakmaty have played a move that Tabiya has not.
    let mut bad = good.play(&moves, 0);
    bad.tabiya = good.tabiya;

    let mut report = Report::default();
    let comparison = Comparison {
        trio: &bad,
        moves: &bad.moves(),
        game: 0,
        report: &mut report,
    };
    let once = Occurrences {
        by_key: 1,
        by_equality: 1,
        shakmaty: 1,
        cozy: 1,
        cozy_pawns: 1,
    };
    assert!(!comparison.run(once));
    assert_eq!(report.failures[0].what, "legal moves");
    assert!(report.to_string().contains("DISAGREEMENTS"));
}

#[test]
fn knights_out_and_back_repeat_the_start() {
    let mut random = SplitMix64::new(1);
    let start = Start::new(Kind::Standard, 0, &mut random);
    let mut trio = Trio::read(&start).unwrap();
    let mut history = History::default();
    assert_eq!(history.push(&trio).by_key, 1);
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
        let moves = trio.moves();
        let index = moves
            .tabiya
            .iter()
            .position(|(code, _)| code_text(*code) == text)
            .unwrap();
        trio = trio.play(&moves, index);
        let occurrences = history.push(&trio);
        assert!(occurrences.agree());
        assert_eq!(occurrences.by_key, if text == "f6g8" { 2 } else { 1 });
    }
}

#[test]
fn codes_are_readable_and_reversible() {
    assert_eq!(code_text(code(52, 60, 4)), "e7e8q");
    assert_eq!(code_text(reversed(code(6, 21, 0))), "f3g1");
}

#[test]
fn wrong_options_are_refused() {
    for words in [
        ["--positions", "many"],
        ["--kinds", "checkers"],
        ["--colour", "red"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_agree"))
            .args(words)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
    }
}
