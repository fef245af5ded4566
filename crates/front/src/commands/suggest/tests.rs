use tabiya_rules::Position;

use super::{edit_distance, near};

fn at_start(text: &str) -> Vec<String> {
    near(text, &Position::start())
}

#[test]
fn a_move_is_suggested_for_what_looks_like_one() {
    assert_eq!(at_start("e2e5"), ["e2e4", "e2e3"]);
    assert_eq!(at_start("e5"), ["e4", "e3"]);
    assert_eq!(at_start("Ne5"), ["Nc3", "Nf3"], "and not the command new");
    assert_eq!(at_start("Nb5"), ["Na3", "Nc3"]);
    assert_eq!(at_start("fe3"), ["f3", "f4"], "and not the command fen");
    assert_eq!(at_start("Mf3"), ["f3", "Nf3"]);
    assert_eq!(at_start("e2e44"), ["e2e4"]);
    assert!(at_start("o-o").is_empty(), "castling is no king's step");
    assert!(at_start("Qe5").is_empty());
    let bishop = Position::from_fen("4k3/8/8/8/8/8/8/B3K3 w - - 0 1").expect("a position");
    assert_eq!(near("ba2", &bishop), ["Bb2", "Bc3"], "and not Be5 or Bh8");
}

#[test]
fn one_letter_of_a_command_may_be_wrong() {
    assert_eq!(at_start("undoo"), ["undo"]);
    assert_eq!(at_start("hlep"), ["help"]);
    assert_eq!(at_start("resin"), ["resign"]);
}

#[test]
fn words_of_other_programs_numbers_and_figures_are_understood() {
    for (typed, meant) in [
        ("exit", "quit"),
        ("Bye", "quit"),
        ("h", "help"),
        ("castle", "O-O"),
        ("1. e4", "e4"),
        ("1.e4", "e4"),
        ("12... Nf3", "Nf3"),
        ("♘f3", "Nf3"),
        ("♞f3", "Nf3"),
    ] {
        assert_eq!(at_start(typed), [meant], "{typed}");
    }
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert_eq!(at_start(fen), [format!("fen {fen}")]);
    assert_eq!(at_start("Games/My own.PGN"), ["review Games/My own.PGN"]);
    let pawn = Position::from_fen("8/4P3/8/8/8/8/8/k6K w - - 0 1").expect("a position");
    assert_eq!(near("e7e8k", &pawn), ["e7e8q", "e7e8r", "e7e8b", "e7e8n"]);
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
    assert_eq!(edit_distance(b"undo", b"undo"), 0);
    assert_eq!(edit_distance(b"undo", b"und"), 1);
    assert_eq!(edit_distance(b"ndo", b"undo"), 1);
    assert_eq!(edit_distance(b"unod", b"undo"), 1);
    assert_eq!(edit_distance(b"unda", b"undo"), 1);
    assert_eq!(edit_distance(b"u", b"undo"), 2);
    assert_eq!(edit_distance(b"", b""), 0);
    assert_eq!(edit_distance(b"", b"ab"), 2);
}
