use tabiya_rules::{Position, Square};

use super::{Typing, candidates, squares};

fn found(typed: &str, position: &Position) -> Vec<String> {
    candidates(typed, position)
        .into_iter()
        .map(|candidate| candidate.san)
        .collect()
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect("a position")
}

#[test]
fn the_beginning_of_a_move_finds_it_in_every_spelling() {
    let start = Position::start();
    assert_eq!(found("N", &start), ["Na3", "Nc3", "Nf3", "Nh3"]);
    assert_eq!(found("Nf", &start), ["Nf3"]);
    assert_eq!(found("nf", &start), ["Nf3"]);
    assert_eq!(found("g1", &start), ["Nf3", "Nh3"]);
    assert_eq!(found("e", &start)[..2], ["e3", "e4"]);
    assert_eq!(found("Ng1-f", &start), ["Nf3"]);
    assert!(found("", &start).is_empty());
    assert!(found("Qh5", &start).is_empty());
    assert!(found("+", &start).is_empty());
}

#[test]
fn captures_need_no_sign_and_castling_takes_zeros() {
    let open = position("r3k2r/8/8/3p4/4P3/8/8/R3K2R w KQkq - 0 1");
    assert_eq!(found("ed", &open), ["exd5"]);
    assert_eq!(found("0-0", &open), ["O-O", "O-O-O"]);
    assert_eq!(found("0-0-0", &open), ["O-O-O"]);
    assert_eq!(found("e1g", &open), ["O-O"]);
}

#[test]
fn a_small_b_is_a_pawn_first_and_a_bishop_second() {
    let both = position("4k3/8/8/8/8/2n5/1P6/B3K3 w - - 0 1");
    assert_eq!(found("bxc3", &both)[0], "bxc3");
    let both = position("4k3/8/8/8/3n4/2p5/1P1B4/4K3 w - - 0 1");
    assert_eq!(found("bxc3", &both), ["bxc3", "Bxc3"]);
    assert_eq!(found("Bxc3", &both), ["Bxc3", "bxc3"]);
}

#[test]
fn promotions_are_all_there() {
    let pawn = position("8/4P3/8/8/8/8/8/k6K w - - 0 1");
    assert_eq!(found("e8", &pawn), ["e8=B", "e8=N", "e8=Q", "e8=R"]);
    assert_eq!(found("e8q", &pawn), ["e8=Q"]);
    assert_eq!(found("e7e8q", &pawn), ["e8=Q"]);
}

#[test]
fn tab_goes_around_and_the_board_points() {
    let start = Position::start();
    let mut typing = Typing::default();
    typing.line.insert("N");
    typing.cycle(&start, true);
    assert_eq!(typing.line.text(), "Na3");
    typing.cycle(&start, false);
    assert_eq!(typing.line.text(), "Nh3");
    typing.cycle(&start, true);
    typing.cycle(&start, true);
    assert_eq!(typing.line.text(), "Nc3");
    assert_eq!(typing.candidates(&start).len(), 4);
    let (from, to) = squares(&candidates("N", &start));
    assert_eq!((from.count(), to.count()), (2, 4));
    assert!(from.contains(Square::B1) && to.contains(Square::F3));
}
