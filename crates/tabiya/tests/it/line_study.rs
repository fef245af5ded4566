//! What is a screen of its own elsewhere, in plain lines: a game judged by the engine, another try at a mistake, a match.

use serde_json::Value;

use crate::line_support::run_lines;

#[test]
fn a_game_is_judged_and_a_mistake_tried_again() {
    let out = run_lines(
        &["play"],
        &[
            "set board off",
            "retry",
            "study",
            "f3",
            "e5",
            "g4",
            "d6",
            "study",
            "retry",
            "retry",
            "f3",
            "h4",
            "moves e2",
            "pgn",
        ],
    )
    .fine();
    let place = |text: &str| {
        out.find(text)
            .unwrap_or_else(|| panic!("no {text:?} in {out}"))
    };
    assert!(place("The game is not judged yet: enter study first.") < place("no moves to judge"));
    assert!(
        place("2.g4?? allows mate in 1: 2...Qh4#. Best was ")
            < place("2...d6? misses mate in 1: 2...Qh4#.\n")
    );
    assert!(place("2...d6? ") < place("Accuracy: White "));
    assert!(
        out.contains("3 turning points: retry tries them again."),
        "{out}"
    );
    // The mistake on the board comes first, and while it is tried, the next one is another.
    let last = place("Black played d6 here. Find a better move.");
    assert!(last < place("White played f3 here. Find a better move."));
    place("That is what was played. Find a better move.");
    place("h4: the engine is checking it…");
    assert!(out.replace('\n', " ").contains("2. g4 $4 {"), "{out}");
}

#[test]
fn the_lines_about_a_mistake_are_variations_to_walk() {
    let lines = [
        "set board off",
        "f3",
        "e5",
        "g4",
        "d6",
        "better",
        "study",
        "better",
        "previous",
        "next",
        "goto 2w",
    ];
    let more = ["refutation", "variation leave", "next", "pgn"];
    let out = run_lines(&["play"], &[&lines[..], &more[..]].concat()).fine();
    assert!(
        out.contains("The game is not judged yet: enter study first."),
        "{out}"
    );
    let better = "Better was 2...Qh4#. Enter next to go through it, or variation leave to go back.";
    assert!(out.contains(better), "{out}");
    assert!(out.contains("The answer is 2...Qh4#. Enter next"), "{out}");
    assert!(out.contains("(2... Qh4#)"), "{out}");
}

#[test]
fn nobody_tries_again_where_an_engine_plays() {
    let out = run_lines(
        &["play", "--black", "bot:1"],
        &["set board off", "f3", "study", "retry"],
    )
    .fine();
    let sentence = "An engine plays a side of this game; enter opponent human first.";
    assert!(out.contains(sentence), "{out}");
}

#[test]
fn a_match_tells_each_game_and_the_score() {
    let lines = ["set board off", "match bot:1 bot:2 2 nodes 40", "last"];
    let out = run_lines(&["play"], &lines).fine();
    for text in ["Game 1 of 2: Bot ", "Game 2 of 2: Bot ", "2 games: +"] {
        assert!(out.contains(text), "no {text:?} in {out}");
    }
    // What was typed behind it waits until it is over.
    assert!(
        out.find("2 games: +") < out.find("No move has been played yet"),
        "{out}"
    );
    let refused = run_lines(&["play"], &["match bot:1 uci:/no/such/engine 2"]).fine();
    assert!(refused.contains("There is no engine"), "{refused}");
}

#[test]
fn a_match_and_a_judged_game_as_json() {
    let lines = ["match bot:1 bot:1 2 nodes 20", "f3", "e5", "study"];
    let out = run_lines(&["play", "--json"], &lines).fine();
    let events: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let count = |name: &str| events.iter().filter(|event| event["event"] == name).count();
    assert_eq!((count("game"), count("score")), (2, 1), "{out}");
    let judged = |event: &&Value| event["command"] == "study";
    let last = events.iter().rfind(judged).expect("an answer");
    let lines = last["lines"].to_string();
    assert!(lines.contains("Accuracy: White "), "{lines}");
}

/// What is written to a file is told under the name of the command that wrote it.
#[test]
fn files_are_told_under_their_own_command() {
    let folder = std::env::temp_dir().join(format!("tabiya-written-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for command in ["pgn", "json", "svg"] {
        let file = folder.join(format!("game.{command}"));
        let line = format!("{command} {}", file.display());
        let out = run_lines(&["play", "--json"], &[&line]).fine();
        let wanted =
            format!("{{\"event\":\"answer\",\"command\":\"{command}\",\"lines\":[\"Written to ");
        assert!(out.contains(&wanted), "{out}");
    }
    std::fs::remove_dir_all(folder).expect("it is ours");
}

#[test]
fn a_try_stays_beside_the_game_that_was_played() {
    let lines = [
        "set board off",
        "e4",
        "e5",
        "Qh5",
        "Nc6",
        "Bc4",
        "a6",
        "Bb3",
        "a5",
        "study",
        "retry",
        "g6",
        "pgn",
    ];
    let out = run_lines(&["play"], &lines).fine();
    let game = out
        .rsplit("[Event")
        .next()
        .expect("a game")
        .replace('\n', " ");
    let (played, tried) = (game.find("4... a5"), game.find("4... g6"));
    assert!(
        played.is_some() && tried.is_some() && played < tried,
        "{out}"
    );
}

/// The game that has just ended keeps its judgment, and a file of it needs no engine any more.
#[test]
fn a_judgment_is_kept_with_its_game() {
    let out = run_lines(
        &["play"],
        &[
            "set board off",
            "f3",
            "e5",
            "g4",
            "Qh4",
            "study",
            "back",
            "pgn",
        ],
    )
    .fine();
    let (before, game) = out.split_once("[Event").expect("a game");
    assert!(before.contains("2.g4?? "), "{out}");
    assert!(
        before.contains("Reviewing a game, 0-1. Enter back"),
        "{out}"
    );
    let (game, _) = game.split_once("White's turn").expect("a prompt");
    for kept in ["[%eval", "[%best", "WhiteAccuracy", "g4 $4"] {
        assert!(game.contains(kept), "{kept}: {out}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("judged.pgn");
    std::fs::write(&path, format!("[Event{game}")).expect("a file");
    let review = format!("review {}", path.display());
    let again = run_lines(&["play"], &["set board off", &review, "study", "retry"]).fine();
    let summary = before
        .lines()
        .find(|line| line.starts_with("Accuracy"))
        .expect("a summary");
    assert!(again.contains(summary), "{again}");
    assert!(!again.contains("g4??"), "nothing is judged again: {again}");
    assert!(
        again.contains("White played f3 here. Find a better move."),
        "{again}"
    );
}
