//! The fixed texts of the line mode, to the letter, through pipes.

use crate::line_support::{run_lines, said, said_from, said_with};
use crate::support::{run_with, spawn};

const START_BOARD: &str = "
8 r n b q k b n r
7 p p p p p p p p
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 P P P P P P P P
1 R N B Q K B N R
  a b c d e f g h
";

#[test]
fn the_whole_output_of_a_short_game() {
    let out = run_lines(&[], &["e2e4", "quit"]).fine();
    let expected = format!(
        "{START_BOARD}White's turn. Enter move: \n\
         {}Black's turn. Enter move: \nGame over. Goodbye!\n",
        START_BOARD
            .replace("4 . . . . . . . .", "4 . . . . P . . .")
            .replace("2 P P P P P P P P", "2 P P P P . P P P")
    );
    assert_eq!(out, expected);
    for arguments in [&["play"][..], &["--line"], &["play", "--line"]] {
        assert_eq!(
            run_lines(arguments, &["e2e4", "quit"]).fine(),
            expected,
            "{arguments:?}"
        );
    }
}

#[test]
fn the_board_can_be_left_out() {
    let out = run_lines(&[], &["set board off", "e2e4", "e7e5", "set board on"]).fine();
    let turns =
        "White's turn. Enter move: \nBlack's turn. Enter move: \nWhite's turn. Enter move: \n";
    let begin = format!("{START_BOARD}White's turn. Enter move: \n{turns}\n8 r n b q k b n r\n");
    assert!(out.starts_with(&begin), "{out}");
}

#[test]
fn leaving() {
    for input in ["quit\n", "q\n", "QUIT\n", "Quit", "  quit  \r\n", ""] {
        let out = run_with(&[], input).fine();
        assert_eq!(
            out,
            format!("{START_BOARD}White's turn. Enter move: \nGame over. Goodbye!\n")
        );
    }
}

#[test]
fn unreadable_input() {
    for input in [
        "", "x", "castle", "e2e9", "i2i4", "e7e8k", "e7e8p", "e7e8qx", "e2e4e5", "1", "2",
    ] {
        let said = said(&["set board off", input]);
        let complaint =
            format!("Invalid move format '{input}'. Use coordinate notation, e.g. e2e4.");
        assert_eq!(said.first(), Some(&complaint), "{input}");
    }
}

#[test]
fn a_near_miss_gets_a_suggestion_on_the_next_line() {
    assert_eq!(
        said(&["e2e44"]),
        [
            "Invalid move format 'e2e44'. Use coordinate notation, e.g. e2e4.",
            "Algebraic notation is read too, e.g. Nf3.",
            "Did you mean e2e4?"
        ]
    );
    assert_eq!(
        said(&["undoo"]),
        [
            "Invalid move format 'undoo'. Use coordinate notation, e.g. e2e4.",
            "Algebraic notation is read too, e.g. Nf3.",
            "Did you mean undo?"
        ]
    );
}

#[test]
fn an_empty_square_and_the_opponents_piece() {
    assert_eq!(said(&["e4e5"]), ["No piece on e4."]);
    assert_eq!(said(&["e3-e4"]), ["No piece on e3."]);
    assert_eq!(said(&["e7e5"]), ["That is not your piece."]);
    assert_eq!(said(&["e2e4", "d2d4"]), ["That is not your piece."]);
}

#[test]
fn illegal_moves_say_why_on_the_same_line() {
    assert_eq!(
        said(&["e2e5"]),
        ["Illegal move. A Pawn cannot move from e2 to e5."]
    );
    assert_eq!(
        said(&["a1a5"]),
        ["Illegal move. The way is blocked by the piece on a2."]
    );
    assert_eq!(
        said(&["e2d3"]),
        ["Illegal move. A Pawn moves diagonally only to capture, and d3 is empty."]
    );
    assert_eq!(said(&["d1d2"]), ["Illegal move. Your own Pawn is on d2."]);
    assert_eq!(
        said(&["e1g1"]),
        ["Illegal move. Castling is blocked by the piece on f1."]
    );
    assert_eq!(said(&["e2e4q"]).len(), 1);
    assert_eq!(
        said_from("k3r3/8/8/8/8/8/3P4/4K3 w - - 0 1", &["d2d4"]),
        ["Illegal move. It leaves the King on e1 in check from e8."]
    );
    assert_eq!(
        said_from("3k1r2/8/8/8/8/8/8/R3K2R w KQ - 0 1", &["e1g1"]),
        ["Illegal move. The King would castle through f1, attacked from f8."]
    );
    assert!(said(&["--"])[0].starts_with("Illegal move. "));
    assert!(said(&["0000"])[0].starts_with("Illegal move. "));
}

#[test]
fn algebraic_notation_that_fits_nothing_or_is_ambiguous() {
    assert_eq!(
        said(&["Nd4"]),
        ["Illegal move. No piece can make that move. Possible: d4, Na3, Nc3, Nf3 or Nh3."]
    );
    assert!(said(&["Qd4"])[0].starts_with("Illegal move. "));
    assert!(said(&["O-O"])[0].starts_with("Illegal move. "));
    assert_eq!(
        said_from("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", &["Nd2"]),
        ["Illegal move. Which one: Nbd2 or Nfd2?"]
    );
}

#[test]
fn a_promotion_must_be_named() {
    let fen = "8/4P3/8/8/8/8/8/k6K w - - 0 1";
    for text in ["e7e8", "e8"] {
        assert_eq!(
            said_from(fen, &[text]),
            ["Illegal move. Promotion piece required: q, r, b or n."],
            "{text}"
        );
    }
    for piece in ["k", "p", "qx"] {
        assert_eq!(
            said_from(fen, &[&format!("e7e8{piece}")])[0],
            format!("Invalid move format 'e7e8{piece}'. Use coordinate notation, e.g. e2e4.")
        );
    }
    assert_eq!(said_from(fen, &["e7e8q"]), [""; 0]);
    assert_eq!(said_from(fen, &["e7e8r"]), [""; 0]);
    assert_eq!(
        said_from(fen, &["e7e8b"]),
        ["Draw by insufficient material."]
    );
    assert_eq!(
        said_from(fen, &["e7e8n"]),
        ["Draw by insufficient material."]
    );
}

#[test]
fn refusals_are_decided_in_order() {
    // Format, empty square, the opponent's piece, and only then the move itself.
    assert!(said(&["e5e9"])[0].starts_with("Invalid move format"));
    assert_eq!(said(&["e5e5"]), ["No piece on e5."]);
    assert_eq!(said(&["e7e2"]), ["That is not your piece."]);
    assert!(said(&["e2e2"])[0].starts_with("Illegal move."));
}

#[test]
fn captures() {
    assert_eq!(
        said(&["e2e4", "d7d5", "e4d5"]),
        ["White captures Black Pawn on d5"]
    );
    assert_eq!(
        said(&["e4", "d5", "exd5", "Qxd5"]),
        [
            "White captures Black Pawn on d5",
            "Black captures White Pawn on d5"
        ]
    );
}

#[test]
fn en_passant_names_the_destination() {
    assert_eq!(
        said_from("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", &["e5d6"]),
        ["White captures Black Pawn on d6"]
    );
    assert_eq!(
        said_from("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", &["d4e3"]),
        ["Black captures White Pawn on e3"]
    );
}

#[test]
fn check_and_capture_with_check() {
    assert_eq!(
        said_from("7k/8/8/8/8/2K5/8/R7 w - - 0 1", &["a1a8"]),
        ["Black is in check!"]
    );
    assert_eq!(
        said_from("n6k/8/8/8/8/2K5/8/R7 w - - 0 1", &["a1a8"]),
        ["White captures Black Knight on a8", "Black is in check!"]
    );
}

#[test]
fn mate_and_stalemate_are_said_without_a_check() {
    assert_eq!(
        said(&["f2f3", "e7e5", "g2g4", "d8h4"]),
        ["Checkmate! Black wins."]
    );
    assert_eq!(
        said_from("k7/8/K7/8/8/8/8/Q7 w - - 0 1", &["a1h8"]),
        ["Checkmate! White wins."]
    );
    assert_eq!(
        said_from("k7/7P/1K6/8/8/8/8/8 w - - 0 1", &["h7h8q"]),
        ["Checkmate! White wins."]
    );
    assert_eq!(
        said_from("k7/8/2K5/8/8/8/8/1Q6 w - - 0 1", &["b1b6"]),
        ["Stalemate! The game is a draw."]
    );
    assert_eq!(
        said_from("k7/2P5/2N5/8/8/8/8/4K3 w - - 0 1", &["c7c8b"]),
        ["Stalemate! The game is a draw."]
    );
    assert_eq!(
        said(&["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]),
        ["White captures Black Pawn on f7", "Checkmate! White wins."]
    );
}

#[test]
fn draws_that_need_no_claim() {
    assert_eq!(
        said_from("8/8/4k3/8/8/3pK3/8/8 w - - 0 1", &["e3d3"]),
        [
            "White captures Black Pawn on d3",
            "Draw by insufficient material."
        ]
    );
    let cycle = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let said = said(&cycle.repeat(4));
    assert_eq!(
        said.last().map(String::as_str),
        Some("Draw by fivefold repetition.")
    );
    assert_eq!(
        said_from("4k3/8/8/8/8/8/8/R3K3 w - - 149 90", &["2", "a1a2"])
            .last()
            .map(String::as_str),
        Some("Draw by 75-move rule.")
    );
}

#[test]
fn draws_under_the_automatic_policy() {
    let cycle = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let auto = ["play", "--draws", "automatic"];
    assert_eq!(
        said_with(&auto, &cycle.repeat(2)),
        ["Draw by threefold repetition."]
    );
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 99 90";
    assert_eq!(
        said_with(&["play", "--draws", "auto", "--fen", fen], &["a1a2"]),
        ["Draw by 50-move rule."]
    );
    assert_eq!(
        said(&[&["set draws auto"], &cycle[..], &cycle[..]].concat()),
        ["Draw by threefold repetition."]
    );
}

#[test]
fn agreement_and_resignation() {
    assert_eq!(said(&["offer", "accept"])[1..], ["Draw agreed."]);
    assert_eq!(said(&["resign"]), ["White resigns. Black wins."]);
    assert_eq!(said(&["e4", "resign"]), ["Black resigns. White wins."]);
    assert_eq!(said(&["resign black"]), ["Black resigns. White wins."]);
}

#[test]
fn a_flag_falls_while_nobody_types() {
    use std::io::{BufRead, BufReader, Write};

    let bare_king = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    for (fen, first, expected) in [
        ("startpos", "e2e4", "Black ran out of time. White wins."),
        (bare_king, "a1a2", "Black ran out of time. White wins."),
        (
            "r3k3/8/8/8/8/8/8/4K3 b - - 0 1",
            "a8a7",
            "White ran out of time. Black wins.",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K3 b - - 0 1",
            "e8e7",
            "White ran out of time. The game is a draw.",
        ),
    ] {
        let mut child = spawn(&["play", "--clock", "0.2s", "--fen", fen]);
        let mut stdin = child.stdin.take().expect("stdin is a pipe");
        writeln!(stdin, "{first}").expect("the child reads");
        // The pipe stays open and nothing more is typed, and yet the end is announced.
        let stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        let mut lines = stdout.lines().map(|line| line.expect("UTF-8"));
        assert!(lines.any(|line| line == expected), "{fen}");
        // The next game stands on the board.
        assert!(lines.any(|line| line == "White's turn. Enter move: "));
        drop(stdin);
        assert_eq!(lines.last().as_deref(), Some("Game over. Goodbye!"));
        assert!(child.wait().expect("the child ends").success());
    }
}

#[test]
fn a_new_game_follows_every_end() {
    let out = run_lines(&[], &["f3", "e5", "g4", "Qh4", "undo", "e4"]).fine();
    let after = out
        .split("Checkmate! Black wins.\n")
        .nth(1)
        .expect("a mate");
    // The last board of the game that is over stands before the first of the next.
    let next =
        format!("  a b c d e f g h\n{START_BOARD}White's turn. Enter move: \nNothing to undo.\n");
    assert!(after.starts_with("\n8 r n b . k b n r\n"), "{after}");
    assert!(after.contains(&next), "{after}");
    assert!(after.ends_with("Black's turn. Enter move: \nGame over. Goodbye!\n"));
}

#[test]
fn the_next_game_keeps_the_policy_and_begins_at_the_standard_start() {
    let fen = "k7/8/K7/8/8/8/8/Q7 w - - 0 1";
    let cycle = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let lines = [&["a1h8", "fen"], &cycle[..], &cycle[..]].concat();
    assert_eq!(
        said_with(&["play", "--fen", fen, "--draws", "auto"], &lines),
        [
            "Checkmate! White wins.",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "Draw by threefold repetition.",
        ]
    );
}

/// Lines that are no moves, and what was probably meant by them.
#[test]
fn a_position_a_file_and_a_king_that_takes_its_rook() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let unreadable = |typed: &str| {
        [
            format!("Invalid move format '{typed}'. Use coordinate notation, e.g. e2e4."),
            "Algebraic notation is read too, e.g. Nf3.".to_owned(),
        ]
    };
    let mut expected = unreadable(fen).to_vec();
    expected.push(format!("Did you mean fen {fen}?"));
    expected.extend(unreadable("old/games.pgn"));
    expected.push("Did you mean review old/games.pgn?".to_owned());
    assert_eq!(said(&[fen, "old/games.pgn"]), expected);
    assert_eq!(
        said_from(fen, &["Kh1", "Ka1", "Kb1"]),
        [
            "Illegal move. Your own Rook is on h1; castling is O-O or Kg1.",
            "Illegal move. Your own Rook is on a1; castling is O-O-O or Kc1.",
            "Illegal move. A King cannot move from e1 to b1.",
        ]
    );
    assert_eq!(
        said(&["draw offer", "accept"])[0],
        "White offers a draw. Black can accept or decline."
    );
}
