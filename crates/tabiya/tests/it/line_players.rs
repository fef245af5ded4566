//! Playing against the bot and against engines, line by line through the real program.

use std::path::PathBuf;

use serde_json::Value;

use crate::line_support::{run_lines, said_with};
use crate::support::run_with;

/// The events of a run with `--json`.
#[track_caller]
fn events(arguments: &[&str], lines: &[&str]) -> Vec<Value> {
    let out = run_lines(arguments, lines).fine();
    let read = |line: &str| serde_json::from_str(line).expect("JSON");
    out.lines().map(read).collect()
}

fn named<'a>(events: &'a [Value], name: &str) -> Vec<&'a Value> {
    events
        .iter()
        .filter(|event| event["event"] == name)
        .collect()
}

#[test]
fn the_bot_answers_and_a_script_may_be_ahead() {
    let said = said_with(
        &["play", "--black", "bot:1", "--seed", "1"],
        &["e4", "a3", "last"],
    );
    let plays = said
        .iter()
        .filter(|line| line.starts_with("Black plays "))
        .count();
    assert_eq!(plays, 2, "{said:?}");
    // Whatever was typed after the moves is answered after Black's.
    assert!(
        said.last().is_some_and(|last| last.contains("Black")),
        "{said:?}"
    );
}

#[test]
fn the_bot_does_not_move_where_one_only_looks_back() {
    let said = said_with(
        &["play", "--black", "bot:1", "--seed", "1"],
        &["e4", "a3", "goto 1", "e5", "goto start", "d4", "goto end"],
    );
    let plays = |line: &&String| line.starts_with("Black plays ");
    assert_eq!(said.iter().filter(plays).count(), 3, "{said:?}");
    let refused = "It is Black's turn, and Bot 1";
    let at = said.iter().position(|line| line.starts_with(refused));
    let before = at.map(|at| said[..at].iter().filter(plays).count());
    assert_eq!(before, Some(2), "{said:?}");
}

#[test]
fn the_bot_can_begin() {
    let events = events(&["play", "--white", "bot:2", "--json"], &["resign"]);
    assert_eq!(events[1]["event"], "thinking");
    assert_eq!(events[1]["player"], "bot:2");
    let resigned = named(&events, "resigned");
    // The person resigns, whoever is to move.
    assert_eq!(resigned[0]["side"], "black");
    assert_eq!(named(&events, "new_game").len(), 2, "another game follows");
}

#[test]
fn taking_back_takes_back_both_moves() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for back in ["undo", "takeback"] {
        let fens = events(
            &["play", "--black", "bot:1", "--json"],
            &["e4", "moves", back, "fen"],
        );
        let answers = named(&fens, "answer");
        let fen = answers.last().expect("an answer")["lines"][0].as_str();
        assert_eq!(fen, Some(start), "{back}");
    }
}

#[test]
fn a_draw_is_not_given_away_at_once() {
    let said = said_with(&["play", "--black", "bot:1"], &["e4", "board", "offer"]);
    assert!(
        said.contains(&"Black declines the draw.".to_owned()),
        "{said:?}"
    );
}

#[test]
fn hints_come_in_stages_and_evaluations_with_a_line() {
    let said = said_with(&["play"], &["hint", "hint", "hint", "eval", "lines"]);
    assert!(said[0].starts_with("Hint: the "), "{said:?}");
    assert!(said[1].contains(" goes to "), "{said:?}");
    assert!(said[2].starts_with("Hint: "), "{said:?}");
    assert!(said[3].contains(" at depth "), "{said:?}");
    assert_eq!(said.len(), 7, "{said:?}");
}

#[test]
fn bots_play_each_other_to_the_end() {
    let white = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let black = "8/8/8/8/8/5k2/7q/5K2 b - - 0 1";
    for (fen, ends) in [
        (white, "Checkmate! White wins."),
        (black, "Checkmate! Black wins."),
    ] {
        let run = run_with(
            &[
                "play", "--white", "bot", "--black", "bot", "--fen", fen, "--draws", "auto",
            ],
            "",
        );
        assert_eq!(run.code, 0);
        assert!(!run.out.contains("Goodbye"), "{}", run.out);
        assert!(run.out.contains(ends), "{}", run.out);
    }
}

#[test]
fn an_engine_that_is_not_there_is_noticed_before_the_game() {
    let run = run_with(&["play", "--black", "uci:no-such-engine"], "");
    assert_eq!((run.code, run.out.as_str()), (3, ""));
    assert!(
        run.err.contains("There is no engine 'no-such-engine'"),
        "{}",
        run.err
    );
    let run = run_with(&["play", "--black", "bot:11"], "");
    assert_eq!(run.code, 2);
    let run = run_with(&["play", "--option", "Hash=1"], "");
    assert_eq!(run.code, 2);
}

#[test]
#[cfg(unix)]
fn a_game_outlives_its_engine() {
    let events = events(
        &["play", "--black", "uci:/bin/false", "--json"],
        &["e4", "e5", "opponent bot 1", "d4", "fen"],
    );
    let refused = named(&events, "refused");
    let sentence = refused[0]["lines"][0].as_str().expect("a sentence");
    assert!(sentence.contains("exit code 1"), "{sentence}");
    // A person moved for it once, then the bot took over.
    let moves: Vec<&str> = named(&events, "moved")
        .iter()
        .map(|moved| moved["san"].as_str().expect("a move"))
        .collect();
    assert_eq!(moves[..3], ["e4", "e5", "d4"]);
    assert_eq!(moves.len(), 4);
}

#[test]
#[ignore = "needs Stockfish"]
#[cfg(unix)]
fn a_real_engine_plays_with_clocks_and_options() {
    let stockfish = stockfish();
    let player = format!("uci:{}", stockfish.display());
    let events = events(
        &[
            "play",
            "--black",
            &player,
            "--option",
            "Skill Level=1",
            "--clock",
            "10s+0.1s",
            "--json",
        ],
        &["e4", "d4", "pgn"],
    );
    assert_eq!(named(&events, "moved").len(), 4);
    assert!(named(&events, "refused").is_empty(), "{events:?}");
    let pgn = named(&events, "answer")[0]["lines"].to_string();
    assert!(pgn.contains("[Black \\\"stockfish"), "{pgn}");
    // What an engine does not have is said, and the game goes on.
    let events = self::events(
        &[
            "play",
            "--black",
            &player,
            "--option",
            "No Such=1",
            "--json",
        ],
        &["e4", "e5"],
    );
    let sentence = named(&events, "refused")[0]["lines"][0].to_string();
    assert!(sentence.contains("no option named No Such"), "{sentence}");
}

/// Stockfish: the one in `TABIYA_STOCKFISH`, on PATH or in /usr/games.
pub(crate) fn stockfish() -> PathBuf {
    let named = std::env::var_os("TABIYA_STOCKFISH").map(PathBuf::from);
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join("stockfish"));
    named
        .into_iter()
        .chain(found)
        .chain([PathBuf::from("/usr/games/stockfish")])
        .find(|path| path.is_file())
        .expect("Stockfish is installed")
}
