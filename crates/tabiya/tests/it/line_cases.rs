//! Cases of the rules as a player sees them in text: castling, en passant, the half-move clock, undo.

use crate::line_support::{said, said_from};

/// The FEN after some moves.
fn after(fen: &str, moves: &[&str]) -> String {
    let said = said_from(fen, &[moves, &["fen"]].concat());
    let answer = said.iter().rfind(|line| line.contains('/'));
    answer.expect("a FEN").clone()
}

fn clock_after(fen: &str, moves: &[&str]) -> String {
    after(fen, moves)
        .split(' ')
        .nth(4)
        .expect("a clock")
        .to_owned()
}

#[test]
fn castling_both_ways() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_eq!(
        after(fen, &["e1g1", "e8c8"]),
        "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"
    );
    assert_eq!(
        after(fen, &["O-O-O", "0-0"]),
        "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2"
    );
    assert_eq!(
        after("k7/8/8/8/8/8/8/4K2R w K - 0 1", &["e1g1"]),
        "k7/8/8/8/8/8/8/5RK1 b - - 1 1"
    );
}

#[test]
fn castling_refused() {
    for fen in [
        "4k3/8/8/8/8/8/8/R3KB1R w KQ - 0 1",
        "4rk2/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "3k1r2/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "3k2r1/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "4k3/8/8/8/8/8/8/R3K2R w - - 0 1",
    ] {
        let said = said_from(fen, &["e1g1", "fen"]);
        assert!(said[0].starts_with("Illegal move. "), "{fen}: {said:?}");
        assert_eq!(said[1], fen, "nothing changes");
    }
    for fen in [
        "2r1k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1",
    ] {
        assert!(
            said_from(fen, &["e1c1"])[0].starts_with("Illegal move. "),
            "{fen}"
        );
    }
    assert_eq!(
        said_from("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", &["e1c1"]),
        [""; 0]
    );
}

#[test]
fn rights_go_with_king_and_rooks() {
    let rights = |fen: &str, played: &str| {
        after(fen, &[played])
            .split(' ')
            .nth(2)
            .expect("rights")
            .to_owned()
    };
    assert_eq!(rights("k7/8/8/8/8/8/7r/4K2R b K - 0 1", "h2h1"), "-");
    assert_eq!(rights("7k/8/8/8/8/8/r7/R3K3 b Q - 0 1", "a2a1"), "-");
    let black = "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1";
    assert_eq!(rights(black, "a8a1"), "k");
    assert_eq!(rights(black, "h8h4"), "q");
    assert_eq!(rights(black, "e8e7"), "-");
}

#[test]
fn en_passant_lives_for_one_move() {
    let fen = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1";
    assert_eq!(
        said_from(fen, &["d7d5", "e5d6"]),
        ["White captures Black Pawn on d6"]
    );
    let late = said_from(fen, &["d7d5", "e1e2", "e8e7", "e5d6"]);
    assert_eq!(
        late,
        ["Illegal move. A Pawn moves diagonally only to capture, and d6 is empty."]
    );
    assert_eq!(
        after("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", &["e5d6"]),
        "4k3/8/3P4/8/8/8/8/4K3 b - - 0 1"
    );
}

#[test]
fn en_passant_that_a_pin_forbids() {
    for (fen, played) in [
        ("7k/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "e5d6"),
        ("7k/b7/8/2pP4/8/8/5K2/8 w - c6 0 1", "d5c6"),
    ] {
        assert!(
            said_from(fen, &[played])[0].starts_with("Illegal move. "),
            "{fen}"
        );
    }
    let evasion = "7k/8/8/3pP3/2K5/8/8/8 w - d6 0 1";
    assert_eq!(
        said_from(evasion, &["e5d6"]),
        ["White captures Black Pawn on d6"]
    );
}

#[test]
fn a_pinned_rook_stays_on_its_line() {
    assert!(
        said_from("4rk2/8/8/8/4R3/8/8/4K3 w - - 0 1", &["e4d4"])[0].starts_with("Illegal move. ")
    );
    assert_eq!(
        said_from("4rk2/8/8/R7/8/8/8/4K3 w - - 0 1", &["a5e5"]),
        [""; 0]
    );
}

#[test]
fn the_half_move_clock() {
    assert_eq!(
        clock_after(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 10 20",
            &["e2e4"]
        ),
        "0"
    );
    assert_eq!(
        clock_after("7k/8/8/R2p4/8/8/8/7K w - - 15 20", &["a5d5"]),
        "0"
    );
    assert_eq!(
        clock_after("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 20", &["e5d6"]),
        "0"
    );
    assert_eq!(
        clock_after("4k3/8/8/8/8/8/8/R3K3 w - - 10 20", &["a1a5"]),
        "11"
    );
    assert_eq!(
        clock_after("7k/8/8/8/8/2K5/8/R7 w - - 7 20", &["a1a8"]),
        "8"
    );
    assert_eq!(
        clock_after("8/4P3/8/8/8/8/8/k6K w - - 9 20", &["e7e8q"]),
        "0"
    );
    assert_eq!(
        clock_after("k7/8/8/8/8/8/8/4K2R w K - 3 20", &["e1g1"]),
        "4"
    );
    assert_eq!(
        clock_after("startpos", &["g1f3", "g8f6", "e2e4", "b8c6"]),
        "1"
    );
}

#[test]
fn refused_moves_change_nothing() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let said = said(&["e4e5", "e7e5", "e2e5", "zzz", "draw", "undo", "redo", "fen"]);
    assert_eq!(said.last().map(String::as_str), Some(fen));
}

#[test]
fn moves_are_read_as_on_the_full_screen() {
    let open = "4k3/8/8/1p6/2P5/8/8/4K3 w - - 0 1";
    let taken = ["White captures Black Pawn on b5"];
    for text in ["cb", "cxb", "c4 - b5", "C4B5", "c4xb5"] {
        assert_eq!(said_from(open, &[text]), taken, "{text}");
    }
    for text in ["E4", "e2 e4", "e2 - e4"] {
        assert_eq!(said(&[text]), [""; 0], "{text}");
    }
    let both = "4k3/8/8/3B4/8/8/1P6/4K3 w - - 0 1";
    assert_eq!(
        said_from(both, &["bb3"]),
        ["Read as Bb3; the other move is written b3."]
    );
    assert_eq!(
        said_from(both, &["bxe4"]),
        ["Illegal move. Nothing stands on e4: Be4?"]
    );
    let two = "4k3/8/1p6/1pP5/2P5/8/8/4K3 w - - 0 1";
    assert_eq!(
        said_from(two, &["cb"]),
        ["Illegal move. Which one: cxb5 or cxb6?"]
    );
}
