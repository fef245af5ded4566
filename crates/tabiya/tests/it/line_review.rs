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
    let last_move = r##"fill="#d3c36a""##;
    assert_eq!(picture.matches(last_move).count(), 2);
    assert!(out.contains("Checkmate! Black wins."), "{out}");
    assert!(out.contains("missing.pgn"), "{out}");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_game_is_walked_through_with_the_words_for_it() {
    let folder = std::env::temp_dir().join(format!("tabiya-walk-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("game.pgn");
    std::fs::write(&path, "1. f3 e5 2. g4 Qh4# 0-1\n").expect("a file");
    let review = format!("review {}", path.display());
    let walk = |lines: &[&str]| {
        let lines = [&["set board off"], lines].concat();
        let out = run_lines(&["play"], &lines).fine();
        let said = out.lines().filter(|line| {
            line.starts_with("After") || line.starts_with("At ") || line.starts_with("Reviewing, ")
        });
        said.map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    let walked = walk(&[
        &review,
        "next",
        "forward 2",
        "previous",
        "PREV 9",
        "backward",
        "next 99",
    ]);
    let expected = [
        ("At the start.", "White"),
        ("After 1.f3.", "Black"),
        ("After 2.g4.", "Black"),
        ("After 1...e5.", "White"),
        ("At the start.", "White"),
        ("At the start.", "White"),
        ("After 2...Qh4#.", "White"),
    ];
    let expected: Vec<String> = expected
        .into_iter()
        .flat_map(|(place, side)| [place.to_owned(), format!("Reviewing, {side} to move:")])
        .collect();
    assert_eq!(walked, expected);
    let _ = std::fs::remove_dir_all(folder);
    // The same in a game of one's own, which back returns to as well.
    let walked = walk(&["e4", "e5", "review", "next", "redo", "back"]);
    assert_eq!(
        walked,
        [
            "At the start.",
            "Reviewing, White to move:",
            "After 1.e4.",
            "Reviewing, Black to move:",
        ]
    );
    let walked = walk(&["e4", "e5", "review", "next", "back"]);
    assert_eq!(walked.last().map(String::as_str), Some("After 1...e5."));
}

#[test]
fn a_game_goes_back_to_its_place_and_the_others_stay() {
    let folder = std::env::temp_dir().join(format!("tabiya-back-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("games.pgn");
    let others = "[White \"B\"]\r\n\r\n1. d4   {as it is} d5 1-0\n\n[White  \"C\" ]\n1.c4 *\n";
    let first = "[Event \"x\"]\n[White \"A\"]\n\n1. e4 e5 1/2-1/2";
    std::fs::write(&path, format!("{first}\n\n{others}")).expect("a file");
    let (review, write) = (
        format!("review {}", path.display()),
        format!("pgn {}", path.display()),
    );
    let text = || std::fs::read_to_string(&path).expect("a file");
    // Any answer but yes leaves the file alone, and the game is still there.
    let lines = [&review, "comment well played", &write, "no", "quit"];
    let out = run_lines(&["play", "--line"], &lines).fine();
    assert!(
        out.contains("leave the 2 other games there as they are?"),
        "{out}"
    );
    assert_eq!(text(), format!("{first}\n\n{others}"));
    let lines = [
        &review,
        "comment well played",
        &write,
        "yes",
        "mark !",
        &write,
        "yes",
        "quit",
    ];
    let out = run_lines(&["play", "--line"], &lines).fine();
    let written = format!("Written to {}.", path.display());
    assert_eq!(out.matches(&written).count(), 2, "{out}");
    let text = text();
    let (new, rest) = text.split_at(text.len() - others.len());
    assert_eq!(rest, others, "the others stay byte for byte");
    assert!(
        new.contains("[White \"A\"]") && new.contains("{well played}"),
        "{new}"
    );
    // A game that was not read from there still asks whether all of them shall be lost.
    let out = run_lines(&["play", "--line"], &["e4", &write, "no", "quit"]).fine();
    assert!(
        out.contains("Replace it, and lose the 3 games in it?"),
        "{out}"
    );
    let _ = std::fs::remove_dir_all(folder);
}
