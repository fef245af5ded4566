//! Claims in the line mode: the menu, what is typed there, and refused claims.

use crate::line_support::{run_lines, said, said_from};

const FIFTY: &str = "[50-move rule] White may claim a draw, or continue playing.";
const FIFTY_BLACK: &str = "[50-move rule] Black may claim a draw, or continue playing.";
const THREEFOLD: &str = "[Threefold repetition] White may claim a draw, or continue playing.";
const NOT_FIFTY: &str = "Draw cannot be claimed: the 50-move rule has not been triggered.";
const NOT_THREE: &str = "Draw cannot be claimed: the position has not occurred three times.";
const ALGEBRAIC: &str = "Algebraic notation is read too, e.g. Nf3.";
const ONE: &str = "1. Claim draw";
const TWO: &str = "2. Continue";
const CYCLE: [&str; 4] = ["Nf3", "Nf6", "Ng1", "Ng8"];

fn rook_ending(clock: u32) -> String {
    format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 90")
}

fn after_two_cycles(lines: &[&str]) -> Vec<String> {
    said(&[&CYCLE.repeat(2)[..], lines].concat())
}

#[test]
fn at_a_hundred_half_moves_a_draw_can_be_claimed() {
    for draw in ["draw", "DRAW", "Draw", "1"] {
        let said = said_from(&rook_ending(100), &[draw]);
        assert_eq!(
            said,
            [FIFTY, ONE, TWO, "Draw claimed by 50-move rule."],
            "{draw}"
        );
    }
}

#[test]
fn at_ninety_nine_it_cannot_and_nothing_changes() {
    let fen = rook_ending(99);
    assert_eq!(
        said_from(&fen, &["draw", "fen"]),
        [NOT_FIFTY, NOT_THREE, &fen]
    );
    assert_eq!(said(&["draw"]), [NOT_FIFTY, NOT_THREE]);
}

#[test]
fn the_menu_follows_the_move_that_reaches_a_hundred() {
    let said = said_from(&rook_ending(99), &["a1a2"]);
    assert_eq!(said, [FIFTY_BLACK, ONE, TWO]);
    assert_eq!(said_from(&rook_ending(5), &["a1a2"]), [""; 0]);
}

#[test]
fn the_board_stands_between_the_move_and_the_menu() {
    let out = run_lines(&["play", "--fen", &rook_ending(99)], &["a1a8"]).fine();
    let board = "\n8 R . . . k . . .\n7 . . . . . . . .\n6 . . . . . . . .\n5 . . . . . . . .\n4 . . . . . . . .\n\
                 3 . . . . . . . .\n2 . . . . . . . .\n1 . . . . K . . .\n  a b c d e f g h\n";
    let end = format!(
        "White's turn. Enter move: \nBlack is in check!\n{board}{FIFTY_BLACK}\n{ONE}\n{TWO}\nGame over. Goodbye!\n"
    );
    assert!(out.ends_with(&end), "{out}");
}

#[test]
fn going_on_leads_to_the_prompt_and_the_menu_returns_after_the_next_quiet_move() {
    let out = run_lines(
        &["play", "--fen", &rook_ending(99)],
        &["set board off", "a1a2", "2", "e8e7"],
    )
    .fine();
    let end = format!(
        "White's turn. Enter move: \n{FIFTY_BLACK}\n{ONE}\n{TWO}\nBlack's turn. Enter move: \n{FIFTY}\n{ONE}\n{TWO}\nGame over. Goodbye!\n"
    );
    assert!(out.ends_with(&end), "{out}");
}

#[test]
fn going_on_shows_the_board_again() {
    let out = run_lines(&["play", "--fen", &rook_ending(100)], &["2"]).fine();
    let again = format!("  a b c d e f g h\n{FIFTY}\n{ONE}\n{TWO}\n\n8 . . . . k . . .\n");
    assert!(out.contains(&again), "{out}");
}

#[test]
fn a_pawn_move_or_a_capture_ends_the_claim() {
    let fen = "4k3/8/8/8/8/8/4P3/R3K3 w - - 100 90";
    assert_eq!(
        said_from(fen, &["e2e4", "draw"]),
        [FIFTY, ONE, TWO, NOT_FIFTY, NOT_THREE]
    );
}

#[test]
fn a_move_typed_at_the_menu_is_made() {
    let said = said_from(&rook_ending(99), &["a1a2", "e8d8", "last"]);
    assert_eq!(
        said,
        [
            FIFTY_BLACK,
            ONE,
            TWO,
            FIFTY,
            ONE,
            TWO,
            "Black played Kd8 (e8d8).",
            FIFTY,
            ONE,
            TWO
        ]
    );
}

#[test]
fn the_menu_returns_after_refused_input_and_after_a_question() {
    let said = said_from(&rook_ending(100), &["3", "e1e5", "clock", "", "1"]);
    assert_eq!(
        said,
        [
            FIFTY,
            ONE,
            TWO,
            "Invalid move format '3'. Use coordinate notation, e.g. e2e4.",
            ALGEBRAIC,
            FIFTY,
            ONE,
            TWO,
            "Illegal move. A King cannot move from e1 to e5.",
            FIFTY,
            ONE,
            TWO,
            "There is no clock.",
            FIFTY,
            ONE,
            TWO,
            "Invalid move format ''. Use coordinate notation, e.g. e2e4.",
            ALGEBRAIC,
            FIFTY,
            ONE,
            TWO,
            "Draw claimed by 50-move rule.",
        ]
    );
}

#[test]
fn after_going_on_the_numbers_mean_nothing() {
    let said = said_from(&rook_ending(100), &["2", "1", "draw"]);
    assert_eq!(
        said[3..],
        [
            "Invalid move format '1'. Use coordinate notation, e.g. e2e4.",
            ALGEBRAIC,
            "Draw claimed by 50-move rule.",
        ]
    );
}

#[test]
fn threefold_repetition() {
    assert_eq!(after_two_cycles(&[]), [THREEFOLD, ONE, TWO]);
    for draw in ["1", "draw"] {
        assert_eq!(
            after_two_cycles(&[draw]),
            [THREEFOLD, ONE, TWO, "Draw claimed by threefold repetition."]
        );
    }
    assert_eq!(said(&CYCLE), [""; 0]);
    let going_on = after_two_cycles(&["2", "Nf3"]);
    assert_eq!(
        going_on[3..],
        [
            "[Threefold repetition] Black may claim a draw, or continue playing.",
            ONE,
            TWO
        ]
    );
}

#[test]
fn where_both_rules_are_open_the_fifty_moves_come_first() {
    let moves = ["a1a2", "e8e7", "a2a1", "e7e8"].repeat(2);
    let said = said_from(&rook_ending(95), &[&moves[..], &["draw"]].concat());
    assert_eq!(
        said[said.len() - 4..],
        [FIFTY, ONE, TWO, "Draw claimed by 50-move rule."]
    );
    assert!(!said.contains(&THREEFOLD.to_owned()), "{said:?}");
}

#[test]
fn a_claim_can_rest_on_an_intended_move() {
    assert_eq!(
        said_from(&rook_ending(99), &["draw a1a2"]),
        ["Draw claimed by 50-move rule."]
    );
    let before = [&CYCLE[..], &CYCLE[..3]].concat();
    assert_eq!(
        said(&[&before[..], &["draw Ng8"]].concat()),
        ["Draw claimed by threefold repetition."]
    );
    // The third occurrence is near, and yet it is not announced.
    assert_eq!(said(&before), [""; 0]);
    assert_eq!(
        said(&[&before[..], &["draw e5", "fen"]].concat())[..2],
        [NOT_FIFTY, NOT_THREE]
    );
    assert_eq!(
        said(&["draw e2e5"]),
        ["Illegal move. A Pawn cannot move from e2 to e5."]
    );
    assert_eq!(
        said(&["draw now"])[0],
        "Invalid move format 'now'. Use coordinate notation, e.g. e2e4."
    );
}

#[test]
fn mate_on_the_hundredth_half_move_is_mate() {
    assert_eq!(
        said_from("k7/8/K7/8/8/8/8/Q7 w - - 99 90", &["a1h8"]),
        ["Checkmate! White wins."]
    );
    assert_eq!(
        said_from("k7/8/2K5/8/8/8/8/1Q6 w - - 99 90", &["b1b6"]),
        ["Stalemate! The game is a draw."]
    );
}

#[test]
fn undo_takes_the_claim_with_it_and_redo_brings_it_back() {
    let said = said_from(&rook_ending(99), &["a1a2", "undo", "draw", "redo"]);
    assert_eq!(
        said,
        [
            FIFTY_BLACK,
            ONE,
            TWO,
            "Took back Ra2.",
            NOT_FIFTY,
            NOT_THREE,
            "Played again: Ra2.",
            FIFTY_BLACK,
            ONE,
            TWO
        ]
    );
}

#[test]
fn repetition_follows_undo() {
    let said = after_two_cycles(&["undo", "draw", "Ng8"]);
    assert_eq!(
        said[3..],
        ["Took back Ng8.", NOT_FIFTY, NOT_THREE, THREEFOLD, ONE, TWO]
    );
}
