//! What is beside the game on the board, line by line: the one that has ended, others that are looked at, and the way back.

use serde_json::Value;

use crate::line_support::{run_lines, said, said_from, said_with};
use crate::support::run;

const MATE: [&str; 4] = ["f3", "e5", "g4", "Qh4"];
const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";

fn events(arguments: &[&str], lines: &[&str]) -> Vec<Value> {
    let out = run_lines(arguments, lines).fine();
    let read = |line: &str| serde_json::from_str(line).expect("JSON");
    out.lines().map(read).collect()
}

#[test]
fn the_last_board_is_shown_and_the_finished_game_is_reached() {
    let out = run_lines(&[], &[&MATE[..], &["review", "goto end", "fen"]].concat()).fine();
    let (_, after) = out.split_once("Checkmate! Black wins.\n").expect("mate");
    assert!(after.starts_with("\n8 r n b . k b n r\n"), "{after}");
    assert!(after.contains("4 . . . . . . P q\n"), "{after}");
    assert!(after.contains(&format!("{MATED}\n")), "{after}");
    // JSON has no boards.
    let events = events(&["play", "--json"], &MATE);
    assert_eq!(events.last().expect("one")["event"], "goodbye");
    let said = said(&[&MATE[..], &["pgn", "fen", "copy fen", "e4", "fen", "pgn"]].concat());
    let text = said.join("\n");
    assert!(text.contains("2. g4 Qh4# 0-1"), "{text}");
    // The first move of the next game is the end of that.
    assert!(text.contains("/4P3/8/PPPP1PPP/RNBQKBNR b KQkq"), "{text}");
    assert!(text.contains("1. e4 *"), "{text}");
    // The position is that on the board.
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(said.iter().filter(|line| *line == start).count(), 2);
    assert!(!text.contains(MATED), "{text}");
}

/// The help on a command says that it reaches the finished game, and only then does it.
#[test]
fn the_commands_that_reach_the_finished_game_say_so() {
    for command in ["pgn", "json", "review", "study", "save NAME"] {
        let name = command.split(' ').next().expect("a word");
        let help = said(&[&format!("help {name}")]).join(" ");
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        let sentence = "In the line mode, it is about the game that has just ended, until you move in the next one.";
        assert!(help.contains(sentence), "{help}");
    }
    for (command, reached) in [
        ("pgn", "Qh4# 0-1"),
        ("copy pgn", "Qh4# 0-1"),
        ("json", "\"san\":\"Qh4#\""),
        ("review", "Reviewing a game, 0-1."),
        ("study", "2.g4?? "),
    ] {
        let out = run_lines(&["play"], &[&MATE[..], &[command]].concat()).fine();
        assert!(out.contains(reached), "{command}: {out}");
    }
    let out = run_lines(
        &["play"],
        &[&MATE[..], &["last", "undo", "moves e2"]].concat(),
    )
    .fine();
    for reached in ["No move has been played yet.", "Nothing to undo.", "e3 e4"] {
        assert!(out.contains(reached), "{out}");
    }
}

#[test]
fn a_picture_after_the_end_shows_the_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let [ended, next] = ["ended.svg", "next.svg"].map(|name| folder.path().join(name));
    let write = |path: &std::path::Path| format!("svg {}", path.display());
    run_lines(&["play"], &[&write(&next)]).fine();
    run_lines(&["play"], &[&MATE[..], &[&write(&ended)]].concat()).fine();
    let read = |path| std::fs::read_to_string(path).expect("it was written");
    assert_eq!(read(&ended), read(&next));
}

/// What was asked before `quit` is answered before the program ends.
#[test]
fn what_was_asked_is_answered_before_quit() {
    for (asked, answered) in [
        ("eval", "at depth"),
        ("hint", "Hint: the"),
        ("lines", "at depth"),
        ("study", "Accuracy: White"),
        ("match bot:1 bot:2 2 nodes 40", "2 games: +"),
    ] {
        let out = run_lines(&["play"], &["set board off", "e4", "e5", asked, "quit"]).fine();
        assert!(out.contains(answered), "{asked}: {out}");
        assert!(out.ends_with("Game over. Goodbye!\n"), "{asked}: {out}");
    }
}

#[test]
fn a_finished_game_is_judged_in_a_review() {
    let lines = [
        &["set board off"],
        &MATE[..],
        &["study", "resign", "back", "fen", "e4"],
    ]
    .concat();
    let out = run_lines(&["play"], &lines).fine();
    assert!(out.contains("Enter back to return to your game."), "{out}");
    assert!(out.contains("2.g4?? "), "{out}");
    assert!(out.contains("2.g4?? allows mate in 1: 2...Qh4#."), "{out}");
    let refused = "That only works in a game being played. Enter back to return to your game.";
    assert!(out.contains(refused), "{out}");
    assert!(out.contains("Reviewing, White to move: \n"), "{out}");
    assert!(out.contains("Back in your game.\n"), "{out}");
    assert!(
        out.ends_with("Black's turn. Enter move: \nGame over. Goodbye!\n"),
        "{out}"
    );
}

#[test]
fn a_review_leaves_the_game_where_it_is() {
    let folder = std::env::temp_dir().join(format!("tabiya-beside-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (file, json) = (folder.join("a game.pgn"), folder.join("game.json"));
    let game = "[White \"Morphy\"]\n[Black \"The Duke\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
    std::fs::write(&file, game).expect("a file");
    for quoted in [true, false] {
        let review = match quoted {
            true => format!("review \"{}\"", file.display()),
            false => format!("review {}", file.display()),
        };
        let lines = [
            "set board off",
            "d4",
            "offer white",
            &review,
            "goto end",
            "resign",
            "draw",
            "back",
            "fen",
            "accept",
        ];
        let out = run_lines(&["play"], &lines).fine();
        assert!(
            out.contains("Reviewing Morphy – The Duke, 1-0. Enter back"),
            "{out}"
        );
        assert!(out.contains("After 1...e5.\n"), "{out}");
        assert_eq!(
            out.matches("That only works in a game being played.")
                .count(),
            2,
            "{out}"
        );
        assert!(out.contains("/3P4/8/PPP1PPPP/RNBQKBNR b KQkq"), "{out}");
        assert!(out.contains("Draw agreed."), "{out}");
    }
    // What the program writes as JSON is not taken for PGN.
    let (write, review) = (
        format!("json {}", json.display()),
        format!("review {}", json.display()),
    );
    let out = run_lines(&["play"], &["set board off", "e4", &write, &review, "fen"]).fine();
    assert!(
        out.contains("this is a game as JSON, which is not read"),
        "{out}"
    );
    assert!(out.contains("/4P3/8/PPPP1PPP/RNBQKBNR b"), "{out}");
    std::fs::remove_dir_all(folder).expect("it is ours");
}

#[test]
fn a_game_is_looked_back_at_and_returned_to() {
    let out = run_lines(
        &["play"],
        &[
            "set board off",
            "e4",
            "e5",
            "review",
            "goto end",
            "review",
            "goto 1",
            "resign",
        ],
    )
    .fine();
    let looking = "Looking back at your game. Enter goto end to return to where it stands.\nAt the start.\nReviewing, White to move: \n";
    assert!(out.contains(looking), "{out}");
    assert!(
        out.contains("After 1...e5.\nWhite's turn. Enter move: \n"),
        "{out}"
    );
    assert!(out.contains("White resigns. Black wins."), "{out}");
    assert_eq!(
        said(&["back"]),
        ["This is your game; nothing else is looked at."]
    );
}

#[test]
fn a_position_takes_the_place_of_a_game_with_a_word() {
    let said = said(&["e4", "fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "fen startpos"]);
    assert_eq!(
        said,
        ["The game before was left as it stood; a new one begins here."]
    );
}

#[test]
fn no_game_begins_where_one_is_over() {
    let mate = "k6Q/8/K7/8/8/8/8/8 b - - 0 1";
    for flags in [
        &["play", "--fen", mate][..],
        &["play", "--json", "--fen", mate],
    ] {
        let sentence = run(flags).refused();
        assert!(
            sentence.contains("the position is the end of a game: Checkmate! White wins."),
            "{sentence}"
        );
    }
    let lines = [
        "e4",
        &format!("fen {mate}"),
        &format!("new fen \"{mate}\""),
        "fen",
    ];
    let said = said(&lines);
    assert_eq!(
        said[..2],
        ["No game can begin there: Checkmate! White wins."; 2]
    );
    assert!(said[2].contains("/4P3/8/"), "{said:?}");
}

#[test]
fn quotes_hold_positions_together_and_have_to_end() {
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    for line in [
        format!("new white fen \"{fen}\" 5+3"),
        format!("fen \"{fen}\""),
    ] {
        let said = said(&[&line, "fen"]);
        assert_eq!(said.last().map(String::as_str), Some(fen), "{said:?}");
    }
    let out = run_lines(
        &["play"],
        &["set board off", &format!("review \"{fen}\""), "fen"],
    )
    .fine();
    assert!(out.contains(&format!("\n{fen}\n")), "{out}");
    for line in [
        format!("new fen \"{fen}"),
        format!("review \"{fen}"),
        "save \"x".to_owned(),
    ] {
        let said = said(&[&line]);
        assert!(said[0].ends_with("has no end."), "{said:?}");
    }
    let said = said(&["review 4k3/8/8/8/8/8/8/R3K4 w - - 0 1"]);
    assert!(!said[0].contains("no such file"), "{said:?}");
}

#[test]
fn an_engine_that_is_not_there_is_noticed_before_the_game_begins() {
    for line in [
        "new white uci:/no/such/engine",
        "opponent uci:/no/such/engine",
    ] {
        let said = said(&["e4", line, "e5"]);
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(
            said[0].starts_with("There is no engine '/no/such/engine'"),
            "{said:?}"
        );
    }
}

#[test]
fn an_offer_does_not_outlive_what_it_was_about() {
    let said = said(&["e4", "offer white", "undo", "d4", "accept"]);
    assert_eq!(
        said.last().map(String::as_str),
        Some("There is nothing to answer.")
    );
}

#[test]
fn a_rule_is_claimed_by_its_name() {
    let fifty = "4k3/8/8/8/8/8/4P3/R3K3 w - - 100 90";
    let said = said_from(fifty, &["draw threefold", "draw e3", "draw fifty"]);
    let not_three = "Draw cannot be claimed: the position has not occurred three times.";
    assert_eq!(said[3], not_three);
    let spoiled = "Draw cannot be claimed with that move, but the position on the board allows it: claim without a move.";
    assert_eq!(said[7], spoiled);
    assert_eq!(said[11], "Draw claimed by 50-move rule.");
    let near = "4k3/8/8/8/8/8/4P3/R3K3 w - - 99 90";
    let events = events(
        &["play", "--json", "--fen", near],
        &["draw threefold Ra2", "draw fifty Ra2", "pgn"],
    );
    let find = |name: &str| {
        events
            .iter()
            .find(|event| event["event"] == name)
            .expect("one")
    };
    assert_eq!(find("refused")["code"], "claim");
    let claimed = find("draw_claimed");
    assert_eq!(
        (&claimed["intended"], &claimed["claims"][0]["rule"]),
        (&"Ra2".into(), &"fifty".into())
    );
    let pgn = find("answer")["lines"].to_string();
    assert!(pgn.contains("[%claim fifty Ra2]"), "{pgn}");
}

#[test]
fn refusals_have_a_code_for_programs() {
    let lines = [
        "xyzzy",
        "e5e6",
        "e7e5",
        "e2e5",
        "Nd4",
        "undo",
        "goto",
        "pgn /no/such/folder/x.pgn",
        "e7e8",
        "pause",
        "e4",
    ];
    let events = events(&["play", "--json"], &lines);
    let codes: Vec<&str> = events
        .iter()
        .filter(|event| event["event"] == "refused")
        .map(|event| event["code"].as_str().expect("a word"))
        .collect();
    let wanted = [
        "move_format",
        "empty_square",
        "opponents_piece",
        "illegal_move",
        "illegal_move",
        "nothing_to_undo",
        "usage",
        "pgn",
        "opponents_piece",
        "paused",
    ];
    assert_eq!(codes, wanted);
}

#[test]
fn blindfold_never_turns_a_board_on() {
    let out = run_lines(
        &["play"],
        &["set board off", "blindfold", "e4", "blindfold", "e5"],
    )
    .fine();
    assert_eq!(out.matches("  a b c d e f g h\n").count(), 1, "{out}");
    let out = run_lines(&["play"], &["blindfold", "e4", "blindfold"]).fine();
    assert_eq!(out.matches("  a b c d e f g h\n").count(), 2, "{out}");
}

#[test]
fn words_for_ears() {
    let same = |a: &str, b: &str| assert_eq!(said(&[a]), said(&[b]), "{a}");
    for (words, short) in [
        ("where knights", "p n"),
        ("where knight", "p n"),
        ("where n", "p n"),
        ("read file a", "s a"),
        ("read rank 4", "s 4"),
        ("read e2", "s e2"),
        ("READ File A", "s a"),
    ] {
        same(words, short);
    }
    let lines = [
        "e4", "d5", "exd5", "s e4", "read d5", "read d8", "captured", "Qxd5", "captured",
    ];
    let out = said(&lines);
    assert_eq!(
        out,
        [
            "White captures Black Pawn on d5",
            "e4 is empty.",
            "d5: White Pawn, attacked by Queen d8.",
            "d8: Black Queen, defended by King e8.",
            "White has captured a pawn; Black has captured nothing.",
            "Black captures White Pawn on d5",
            "White has captured a pawn; Black has captured a pawn.",
        ]
    );
}

#[test]
fn material_is_what_one_side_has_more_of() {
    let position = "fen \"4k3/pppp4/2b5/8/8/8/PPPP4/3RK2N w - - 0 1\"";
    let out = said(&[
        "material", "e4", "d5", "exd5", "material", position, "material",
    ]);
    assert_eq!(
        out,
        [
            "Both sides have the same pieces.",
            "White captures Black Pawn on d5",
            "White has a pawn more.",
            "The game before was left as it stood; a new one begins here.",
            "White has a knight and a rook more; Black has a bishop more.",
        ]
    );
}

/// A move that comes through a pipe after the flag fell belongs to the game that is over.
#[test]
fn a_move_after_the_flag_is_not_played_in_the_next_game() {
    use std::io::{BufRead, BufReader, Write};
    let mut child = crate::support::spawn(&["play", "--clock", "0.2s"]);
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    writeln!(stdin, "set board off\ne4").expect("the child reads");
    let stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
    let mut lines = stdout.lines().map(|line| line.expect("UTF-8"));
    assert!(lines.any(|line| line == "Black ran out of time. White wins."));
    writeln!(stdin, "d4\npause\nfen").expect("the child reads");
    drop(stdin);
    let rest: Vec<String> = lines.collect();
    let late = "That move came after the flag fell, so it was not played: this is the next game.";
    assert!(rest.contains(&late.to_owned()), "{rest:?}");
    assert!(
        !rest.iter().any(|line| line.starts_with("Black's turn")),
        "{rest:?}"
    );
    assert!(child.wait().expect("the child ends").success());
}

#[test]
fn a_move_waits_for_its_turn() {
    let said = said_with(
        &["play", "--black", "bot:1", "--seed", "7"],
        &["premove", "premove e4", "premove"],
    );
    assert_eq!(said[0], "There is no premove.");
    assert!(
        said[1].starts_with("Black plays "),
        "on one's turn it is played: {said:?}"
    );
}
