//! `tabiya book`: a book is built from games, and shown.

use std::fs;

use serde_json::json;

use crate::pgn_support::file;
use crate::support::{json, run};

const GAMES: &str = "\
[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n
[Result \"1/2-1/2\"]\n\n1. e4 (1. c4) 1... e5 2. Nf3 Nf6 1/2-1/2\n
[Result \"0-1\"]\n\n1. Nf3 Nc6 2. e4 e5 0-1\n
1. e4 e5 *\n
[Result \"1-0\"]\n\n1. e4 c5 1-0\n
[Result \"0-1\"]\n\n1. d4 d5 0-1\n
[Result \"0-1\"]\n\n1. d4 d5 0-1\n";

/// The name of a file that is not there.
fn absent(name: &str) -> String {
    let path = file(name, b"");
    fs::remove_file(&path).expect("it was there");
    path
}

#[test]
fn a_book_is_built_and_shown() {
    let games = file("book_games.pgn", GAMES.as_bytes());
    let book = absent("built.bin");
    let built = run(&["book", "build", &games, "--min-games", "2", "--out", &book]).fine();
    // 1. e4 and 1. d4, the answers to both, and 2. Nf3.
    assert_eq!(built, "6 games, 5 entries\n");
    assert_eq!(fs::read(&book).expect("the book").len(), 5 * 16);
    // A win, a draw and a win for 1. e4; two losses for 1. d4.
    assert_eq!(
        run(&["book", "show", &book]).fine(),
        "e4          5 100.0 %\nd4          0   0.0 %\n"
    );
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert_eq!(
        json(run(&["book", "show", &book, fen, "--json"])),
        json!({"fen": fen, "moves": [{"uci": "g1f3", "san": "Nf3", "weight": 3, "learn": 0}]})
    );
    let other = absent("built_all.bin");
    let built = run(&[
        "book",
        "build",
        &games,
        "--min-games",
        "1",
        "--plies",
        "1",
        "--json",
        "--out",
        &other,
    ]);
    assert_eq!(json(built), json!({"games": 6, "entries": 3}));
}

#[test]
fn what_cannot_be_done_is_said() {
    let games = file("book_more_games.pgn", GAMES.as_bytes());
    let taken = file("taken.bin", b"something");
    let refused = run(&["book", "build", &games, "--out", &taken]);
    assert_eq!(refused.code, 3, "{}", refused.err);
    assert_eq!(fs::read(&taken).expect("the file"), b"something");
    let cut = run(&["book", "show", &taken]);
    assert_eq!((cut.code, cut.out.as_str()), (3, ""));
    let sentence = "not a whole Polyglot book: expected entries of 16 bytes, found 9 bytes\n";
    assert!(cut.err.ends_with(sentence), "{}", cut.err);
    let empty = file("empty.bin", b"");
    let none = run(&["book", "show", &empty]).refused();
    assert_eq!(none, "tabiya: the book has no move for the position\n");
    let missing = absent("missing.bin");
    assert_eq!(run(&["book", "show", &missing]).code, 3);
    let unmade = absent("unmade.bin");
    assert_eq!(run(&["book", "build", &missing, "--out", &unmade]).code, 3);
    assert!(!fs::exists(&unmade).expect("a folder"));
}

#[cfg(unix)]
#[test]
fn what_is_no_plain_file_is_no_book() {
    let pipe = absent("pipe.bin");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    for (path, said) in [
        (pipe.as_str(), "it is not a plain file"),
        ("/dev/zero", "it is not a plain file"),
        ("/", "it is a folder"),
    ] {
        let shown = run(&["book", "show", path]);
        assert_eq!(shown.code, 3, "{shown:?}");
        assert!(shown.err.contains(said), "{shown:?}");
    }
    fs::remove_file(&pipe).expect("it is ours");
}

#[test]
fn games_with_errors_count_up_to_them() {
    let games = file(
        "book_errors.pgn",
        b"[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 Nc6 1-0\n",
    );
    let book = absent("errors.bin");
    let built = run(&["book", "build", &games, "--min-games", "1", "--out", &book]);
    assert_eq!((built.code, built.out.as_str()), (1, "1 game, 2 entries\n"));
    assert_eq!(
        built.err,
        "tabiya: 1 error; `tabiya pgn check` shows where\n"
    );
}
