//! The commands of the line mode.

use crate::line_support::{run_lines, said, said_from, said_with};
use crate::support::run;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

#[test]
fn undo_and_redo() {
    assert_eq!(
        said(&["e2e4", "undo", "fen", "redo", "fen"]),
        ["Took back e4.", START, "Played again: e4.", AFTER_E4]
    );
    assert_eq!(said(&["undo"]), ["Nothing to undo."]);
    assert_eq!(said(&["redo"]), ["Nothing to redo."]);
    assert_eq!(said(&["e4", "e5", "Nf3", "undo 2"]), ["Took back e5 Nf3."]);
    assert_eq!(
        said(&["e4", "e5", "undo 99", "redo 99"]),
        ["Took back e4 e5.", "Played again: e4 e5."]
    );
    assert_eq!(said(&["undo x"])[0], "Usage: undo [n]");
}

#[test]
fn a_new_move_after_undo_loses_nothing() {
    let said = said(&["e4", "undo", "d4", "pgn"]);
    assert!(
        said.contains(&"1. d4 (1. e4) *".to_owned())
            || said.contains(&"1. e4 (1. d4) *".to_owned()),
        "{said:?}"
    );
}

#[test]
fn going_to_a_move() {
    let said = said(&[
        "e4",
        "e5",
        "Nf3",
        "goto 1b",
        "goto start",
        "goto end",
        "goto 1",
        "goto 2b",
        "goto 0",
    ]);
    assert_eq!(
        said,
        [
            "After 1...e5.",
            "At the start.",
            "After 2.Nf3.",
            "After 1.e4.",
            "There is no such move: the game has 3 plies.",
            "At the start."
        ]
    );
    let from_black = "4k3/8/8/8/8/8/8/R3K3 b - - 0 12";
    assert_eq!(
        said_from(
            from_black,
            &["Ke7", "Ra7", "goto 12b", "goto 13", "goto 12"]
        ),
        [
            "Black is in check!",
            "After 12...Ke7.",
            "After 13.Ra7+.",
            "There is no such move: the game has 2 plies."
        ]
    );
}

#[test]
fn offers() {
    let offered = "White offers a draw. Black can accept or decline.";
    assert_eq!(said(&["offer", "e4", "accept"]), [offered, "Draw agreed."]);
    assert_eq!(
        said(&["offer", "decline", "accept"]),
        [
            offered,
            "Black declines the draw.",
            "There is nothing to answer."
        ]
    );
    assert_eq!(
        said(&["offer black"]),
        ["Black offers a draw. White can accept or decline."]
    );
    assert_eq!(
        said(&["offer", "offer"]),
        [
            offered,
            "White has offered a draw already: Black can accept or decline."
        ]
    );
    assert_eq!(
        said(&["offer", "e4", "e5", "accept"]),
        [
            offered,
            "Black moved instead of taking the draw.",
            "There is nothing to answer."
        ]
    );
    assert_eq!(
        said(&["accept draw"]),
        ["There is no draw offer for White to answer."]
    );
}

#[test]
fn takebacks() {
    let asked = "White asks to take a move back. Black can accept or decline.";
    assert_eq!(
        said(&["e4", "takeback white", "accept", "fen"]),
        [
            asked,
            "Black lets the move be taken back.",
            "Took back e4.",
            START
        ]
    );
    assert_eq!(
        said(&["e4", "takeback", "decline"]),
        [asked, "Black declines the takeback."],
        "whoever moved last wants it"
    );
    assert_eq!(said(&["takeback"]), ["Black has no move to take back."]);
    assert_eq!(
        said(&[
            "e4",
            "takeback white",
            "offer white",
            "accept",
            "accept takeback"
        ])[2..],
        [
            "There is a draw offer and a takeback request: say which one you mean.",
            "Black lets the move be taken back.",
            "Took back e4."
        ]
    );
}

#[test]
fn pausing() {
    let paused = "The game is paused. Enter pause to go on.";
    assert_eq!(
        said(&["pause", "e4", "pause", "e4", "last"]),
        [
            paused,
            paused,
            "The game continues.",
            "White played e4 (e2e4)."
        ]
    );
    let said = said_with(&["play", "--clock", "5+3"], &["pause", "clock"]);
    assert!(
        said[1].ends_with(", Black 5:00. The clocks are stopped."),
        "{said:?}"
    );
}

#[test]
fn clocks() {
    assert_eq!(said(&["clock"]), ["There is no clock."]);
    let said_now = said_with(&["play", "--clock", "5+3"], &["e4", "clock"]);
    assert!(said_now[0].starts_with("White 5:0"), "{said_now:?}");
    assert!(
        said_now[0].ends_with(". Black's clock is running."),
        "{said_now:?}"
    );
    let said_now = said_with(&["play", "--clock", "90+30"], &["clock"]);
    assert!(
        said_now[0].ends_with(", Black 1:30:00. White's clock is running."),
        "{said_now:?}"
    );
    let said_now = said(&["new 10s", "clock"]);
    assert!(
        said_now[0].ends_with(", Black 0:10.0. White's clock is running."),
        "{said_now:?}"
    );
}

#[test]
fn positions() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    assert_eq!(
        said(&[&format!("fen {fen}"), "fen", "undo"]),
        [fen, "Nothing to undo."]
    );
    let word = "The game before was left as it stood; a new one begins here.";
    assert_eq!(said(&["e4", "fen startpos", "fen"]), [word, START]);
    assert_eq!(
        said(&["fen 8/8"]),
        ["Bad FEN, field 1 (placement), byte 4: expected exactly eight ranks separated by '/'."]
    );
    assert_eq!(
        said(&["fen k6Q/8/K7/8/8/8/8/8 b - - 0 1", "fen"]),
        ["No game can begin there: Checkmate! White wins.", START]
    );
}

#[test]
fn the_game_as_pgn() {
    let said = said(&["e4", "e5", "pgn"]);
    assert_eq!(
        said[..7],
        [
            "[Event \"?\"]",
            "[Site \"?\"]",
            "[Date \"????.??.??\"]",
            "[Round \"?\"]",
            "[White \"?\"]",
            "[Black \"?\"]",
            "[Result \"*\"]",
        ]
    );
    assert_eq!(said.last().map(String::as_str), Some("1. e4 e5 *"));
}

#[test]
fn the_game_in_a_file() {
    let folder = std::env::temp_dir().join(format!("tabiya-pgn-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let file = folder.join("my game.pgn");
    let name = file.to_str().expect("UTF-8").to_owned();
    let said_now = said(&["e4", &format!("pgn {name}"), "e5", &format!("pgn {name}")]);
    assert_eq!(said_now[0], format!("Written to {name}."));
    assert!(
        said_now[1].starts_with(&format!("There is a file {name} already. Replace it?")),
        "a file is never written over without a word: {said_now:?}"
    );
    let text = || std::fs::read_to_string(&file).expect("the file is there");
    assert!(text().ends_with("1. e4 *\n"), "{}", text());
    let pgn = format!("pgn {name}");
    said(&["d4", &pgn, "d5", "yes"]);
    assert!(text().ends_with("1. e4 *\n"), "another line is no answer");
    assert_eq!(said(&["d4", &pgn, "yes"])[1], format!("Written to {name}."));
    assert!(text().ends_with("1. d4 *\n"), "{}", text());
    std::fs::remove_dir_all(&folder).expect("the folder can go");
    assert!(said(&["pgn /no/such/folder/game.pgn"])[0].starts_with("/no/such/folder/game.pgn: "));
}

#[test]
fn looking_without_eyes() {
    assert_eq!(
        said(&["p n"]),
        ["White Knight: b1 g1", "Black Knight: b8 g8"]
    );
    assert_eq!(
        said_from("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", &["p Q"]),
        ["White Queen: none", "Black Queen: none"]
    );
    assert_eq!(
        said(&["s e"]),
        ["e1 White King, e2 White Pawn, e7 Black Pawn, e8 Black King"]
    );
    assert_eq!(said(&["s 4"]), ["none"]);
    assert_eq!(said(&["last"]), ["No move has been played yet."]);
    assert_eq!(said(&["e4", "e5", "last"]), ["Black played e5 (e7e5)."]);
    assert_eq!(said(&["moves e2"]), ["e3 e4"]);
    assert_eq!(said(&["moves e4"]), ["No piece on e4."]);
    assert_eq!(said(&["moves e7"]), ["none"]);
    assert_eq!(
        said(&["moves"]),
        ["Na3 Nc3 Nf3 Nh3 a3 a4 b3 b4 c3 c4 d3 d4 e3 e4 f3 f4 g3 g4 h3 h4"]
    );
    assert_eq!(
        said(&["attackers f3"]),
        ["White: Knight g1, Pawn e2, Pawn g2", "Black: none"]
    );
    assert_eq!(said(&["attackers"]), ["Usage: attackers e4"]);
}

#[test]
fn the_board_on_demand_and_from_either_side() {
    let out = run_lines(&[], &["set board off", "flip", "board"]).fine();
    assert!(
        out.contains("\n1 R N B K Q B N R\n") && out.contains("\n  h g f e d c b a\n"),
        "{out}"
    );
    let out = run_lines(&[], &["set pieces figures"]).fine();
    assert!(out.contains("\n8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜\n"), "{out}");
    let out = run_lines(&[], &["new black"]).fine();
    assert!(out.contains("\n1 R N B K Q B N R\n"), "{out}");
}

#[test]
fn settings() {
    assert_eq!(
        said(&["set"]),
        ["board on", "pieces letters", "draws claim"]
    );
    assert_eq!(
        said(&[
            "set board off",
            "set pieces figures",
            "set draws auto",
            "set"
        ]),
        ["board off", "pieces figures", "draws automatic"]
    );
    assert_eq!(
        said(&["set fanfare on", "set draws never"]),
        [
            "There is no setting fanfare.",
            "draws is claim or automatic."
        ]
    );
}

#[test]
fn an_open_claim_ends_the_game_when_draws_become_automatic() {
    // By either name of the setting, and by either name of its value.
    for setting in ["draws", "game.draws"] {
        for value in ["automatic", "auto"] {
            let line = format!("set {setting} {value}");
            let said = said_from("4k3/8/8/8/8/8/8/R3K3 w - - 100 90", &[&line]);
            assert_eq!(said[3..], ["Draw by 50-move rule."], "{line}");
        }
    }
    let lines = said(&["set game.draws auto", "set", "set game.draws never"]);
    assert_eq!(
        lines[2..],
        ["draws automatic", "It can be claim, automatic."]
    );
}

#[test]
fn a_new_game() {
    assert_eq!(
        said(&["e4", "new", "fen", "undo"]),
        [START, "Nothing to undo."]
    );
    let chess960 = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1";
    assert_eq!(said(&["new 960 0", "fen"]), [chess960]);
    assert_eq!(
        said(&["new fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "fen"]),
        ["4k3/8/8/8/8/8/8/R3K3 w - - 0 1"]
    );
    assert_eq!(
        said(&["new bot 11"]),
        ["A level is a number from 1 to 10, not '11'."]
    );
    assert!(
        said(&["new nonsense"])[0]
            .contains("'nonsense' is neither a side, an opponent nor a clock")
    );
}

#[test]
fn help() {
    let list = said(&["help"]);
    for name in [
        "new",
        "undo",
        "redo",
        "goto",
        "flip",
        "draw",
        "offer",
        "accept",
        "decline",
        "takeback",
        "resign",
        "pause",
        "fen",
        "pgn",
        "board",
        "p",
        "s",
        "last",
        "clock",
        "moves",
        "attackers",
        "set",
        "help",
        "quit",
    ] {
        assert!(
            list.iter()
                .any(|line| line.split_whitespace().next() == Some(name)),
            "{name}"
        );
        assert!(
            said(&[&format!("help {name}")])[0].starts_with(name),
            "{name}"
        );
    }
    assert!(
        list.iter().all(|line| line.chars().count() <= 80),
        "{list:?}"
    );
    let reaching = "Until you move in the next game, these are about the one that has just ended:";
    let at = list
        .iter()
        .position(|line| line == reaching)
        .expect("it says so");
    assert_eq!(
        list[at + 1],
        "  pgn, save, json, review, study, retry, better, refutation"
    );
    assert_eq!(
        said(&["help undo"])[1],
        "  Take back a move, or n moves of either side."
    );
    assert_eq!(said(&["help me"]), ["There is no command 'me'."]);
}

#[test]
fn chess960_from_the_command_line() {
    let fen = |arguments: &[&str]| said_with(arguments, &["fen"]).remove(0);
    assert_eq!(
        fen(&["play", "--chess960=518"]),
        START.replace("KQkq", "HAha")
    );
    let by_seed = fen(&["play", "--chess960", "--seed", "7"]);
    assert_eq!(fen(&["play", "--chess960", "--seed", "7"]), by_seed);
    assert_ne!(fen(&["play", "--chess960", "--seed", "8"]), by_seed);
    let castles = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    assert_eq!(
        fen(&["play", "--chess960", "--fen", castles]),
        castles.replace("KQ", "HA")
    );
    assert_eq!(
        said_with(&["play", "--fen", castles], &["e1h1", "last"]),
        ["White played O-O (e1g1)."]
    );
}

#[test]
fn flags_that_are_refused() {
    for (arguments, code) in [
        (&["play", "--fen", "nothing"][..], 1),
        (&["play", "--clock", "soon"], 2),
        (&["play", "--chess960=960"], 2),
        (&["play", "--chess960=five"], 2),
        (&["play", "--chess960=5", "--fen", START], 2),
        (&["play", "--white", "nobody"], 2),
        (&["play", "--white", "uci:"], 2),
        (&["play", "--draws", "maybe"], 2),
        (&["play", "--white", "bot:0"], 2),
        (&["play", "--black", "uci:/no/such/engine"], 3),
        (&["play", "extra"], 2),
    ] {
        let run = run(arguments);
        assert_eq!((run.code, run.out.as_str()), (code, ""), "{arguments:?}");
        assert!(!run.err.is_empty(), "{arguments:?}");
    }
    let numbered = run(&["play", "--chess960=960"]).err;
    assert!(numbered.contains("numbered from 0 to 959"), "{numbered}");
}

#[test]
fn colors_only_where_they_are_wanted() {
    let refused = |color: &str| {
        let out = run_lines(&["play", "--color", color], &["e4e5"]).fine();
        out.lines()
            .find(|line| line.contains("No piece"))
            .expect("a refusal")
            .to_owned()
    };
    assert_eq!(refused("never"), "No piece on e4.");
    assert_eq!(refused("auto"), "No piece on e4.");
    assert_eq!(refused("always"), "\u{1b}[33mNo piece on e4.\u{1b}[0m");
}

#[test]
fn nothing_typed_acts_on_the_terminal() {
    let bad = "\u{1b}[31m\u{9b}2J\u{202e}\u{7}";
    for line in [
        bad.to_owned(),
        format!("draw {bad}"),
        format!("fen {bad}"),
        format!("help {bad}"),
        format!("new {bad}"),
        format!("pgn /no/such/folder/{bad}"),
        format!("set {bad} on"),
        "\0\u{7f}\u{feff}".to_owned(),
    ] {
        for arguments in [&[][..], &["--json"]] {
            let out = run_lines(arguments, &[&line]).fine();
            let acts = |c: char| c != '\n' && (c.is_control() || "\u{202e}\u{feff}".contains(c));
            assert!(!out.contains(acts), "{out:?}");
        }
    }
    assert_eq!(
        said(&["a\u{1b}b"])[0],
        "Invalid move format 'a\\u{1b}b'. Use coordinate notation, e.g. e2e4."
    );
}

#[test]
fn a_new_game_is_seen_from_its_own_side() {
    let boards = |lines: &[&str]| -> Vec<String> {
        let out = run_lines(&[], lines).fine();
        let above = |line: &&str| line.starts_with("8 ") || line.starts_with("1 ");
        let ranks = out.lines().filter(above).map(|line| line[..1].to_owned());
        // The first line of each board says from where it is seen.
        ranks.step_by(2).collect()
    };
    assert_eq!(boards(&["flip", "new"]), ["8", "1", "8"]);
    assert_eq!(boards(&["new black", "flip", "new"]), ["8", "1", "8", "1"]);
}

#[test]
fn a_line_that_is_too_long_is_refused_and_not_cut() {
    let long = format!("comment {}", "x".repeat(70_000));
    let out = crate::support::run_with(&["play"], &format!("e4\n{long}\npgn\nquit\n")).fine();
    let sentence = "The line is longer than 65536 bytes, so nothing was done with it.";
    assert!(out.contains(sentence), "{}", &out[..500]);
    assert!(!out.contains("xxx"));
}
