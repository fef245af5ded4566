//! `tabiya moves`.

use serde_json::json;

use crate::support::{json, run};

const BOTH_CASTLES: &str = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";

fn words(arguments: &[&str]) -> String {
    run(arguments).fine().replace('\n', " ")
}

#[test]
fn the_start_position_is_the_default() {
    let expected = "Na3 Nc3 Nf3 Nh3 a3 a4 b3 b4 c3 c4 d3 d4 e3 e4 f3 f4 g3 g4 h3 h4 ";
    assert_eq!(words(&["moves"]), expected);
    assert_eq!(words(&["moves", "startpos"]), expected);
}

#[test]
fn a_fen_is_one_argument_or_bare_fields() {
    let one = words(&["moves", BOTH_CASTLES, "--from", "e1"]);
    assert_eq!(one, "Kd1 Kd2 Ke2 Kf1 Kf2 O-O O-O-O ");
    let bare: Vec<&str> = ["moves", "--from", "e1"]
        .into_iter()
        .chain(BOTH_CASTLES.split(' '))
        .collect();
    assert_eq!(words(&bare), one);
    let flags_last: Vec<&str> = ["moves"]
        .into_iter()
        .chain(BOTH_CASTLES.split(' '))
        .chain(["--from", "e1"])
        .collect();
    assert_eq!(words(&flags_last), one);
}

#[test]
fn coordinates_follow_the_mode() {
    let standard = words(&["moves", BOTH_CASTLES, "--uci", "--from", "e1"]);
    assert_eq!(standard, "e1c1 e1d1 e1d2 e1e2 e1f1 e1f2 e1g1 ");
    let chess960 = words(&["moves", BOTH_CASTLES, "--uci", "--from", "e1", "--chess960"]);
    assert_eq!(chess960, "e1a1 e1d1 e1d2 e1e2 e1f1 e1f2 e1h1 ");
    let shredder = "4k3/8/8/8/8/8/8/R3K2R w HA - 0 1";
    assert_eq!(
        words(&["moves", shredder, "--uci", "--from", "e1"]),
        chess960
    );
}

#[test]
fn a_position_without_moves_prints_none() {
    assert_eq!(words(&["moves", "k6Q/8/K7/8/8/8/8/8 b - - 0 1"]), "");
    assert_eq!(words(&["moves", "--from", "e4"]), "");
}

#[test]
fn json_has_the_position_and_the_moves() {
    assert_eq!(
        json(run(&["moves", "k7/8/K7/8/8/8/8/Q7 b - -", "--json"])),
        json!({"fen": "k7/8/K7/8/8/8/8/Q7 b - - 0 1", "moves": ["Kb8"]})
    );
}

#[test]
fn a_bad_fen_is_refused_with_its_field_and_what_was_expected() {
    let sentence = run(&["moves", "8/8/4k3/8/8/4K3/4P4/8 w - - 0 1"]).refused();
    assert_eq!(
        sentence,
        "tabiya: bad FEN, field 1 (placement), byte 19: expected exactly eight squares on each rank\n"
    );
    let sentence = run(&["moves", "8/8/4k3/8/8/4K3/4P3/8", "x", "-", "-"]).refused();
    assert_eq!(
        sentence,
        "tabiya: bad FEN, field 2 (side to move), byte 23: expected 'w' or 'b'\n"
    );
    assert!(run(&["moves", ""]).refused().starts_with("tabiya: bad FEN"));
}

#[test]
fn an_impossible_position_is_refused_with_every_reason() {
    let sentence = run(&["moves", "8/8/8/8/8/8/8/P7 w - - 0 1"]).refused();
    assert_eq!(
        sentence,
        "tabiya: impossible position: White has no king; Black has no king; a pawn stands on the first or eighth rank, on a1\n"
    );
}

#[test]
fn a_square_that_is_none_is_a_wrong_flag() {
    let run = run(&["moves", "--from", "e9"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("e9"), "{}", run.err);
}
