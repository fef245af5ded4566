//! What is written about a game, line by line: marks, comments, variations, other forms, and games from files.

use crate::line_support::run_lines;

#[test]
fn marks_comments_and_variations_are_in_the_game() {
    let out = run_lines(
        &["play", "--line"],
        &[
            "e4",
            "mark !",
            "comment best by test",
            "undo",
            "d4",
            "variation next",
            "pgn",
            "variation previous",
            "variation main",
            "fen",
            "variation delete",
            "pgn",
            "quit",
        ],
    )
    .fine();
    assert!(out.contains("1. d4 (1. e4 $1 {best by test})"), "{out}");
    assert!(
        out.contains("rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b"),
        "{out}"
    );
    let last = out.rsplit("[Event").next().expect("a game");
    assert!(last.contains("1. e4 $1 {best by test} *"), "{last}");
}

#[test]
fn a_game_is_shown_as_json_and_a_board_as_a_picture() {
    let folder = std::env::temp_dir().join(format!("tabiya-line-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (svg, games) = (folder.join("board.svg"), folder.join("games.pgn"));
    std::fs::write(&games, "[TimeControl \"1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n").expect("a file");
    let svg_line = format!("svg {}", svg.display());
    let review = format!("review {}", games.display());
    let lines = [
        "e4",
        "json",
        &svg_line,
        &review,
        "goto end",
        "review missing.pgn",
        "quit",
    ];
    let out = run_lines(&["play", "--line"], &lines).fine();
    let json = out
        .lines()
        .find_map(|line| line.find("{\"start\"").map(|at| &line[at..]));
    let json: serde_json::Value = serde_json::from_str(json.expect("JSON")).expect("JSON");
    assert_eq!(json["moves"][0]["uci"], "e2e4");
    let picture = std::fs::read_to_string(&svg).expect("it was written");
    assert!(picture.starts_with("<svg"));
    assert!(out.contains("Checkmate! Black wins."), "{out}");
    assert!(out.contains("missing.pgn"), "{out}");
    let _ = std::fs::remove_dir_all(folder);
}
