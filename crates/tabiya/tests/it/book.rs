//! `tabiya book`: a book is built from games, and shown.

use std::fs;

use serde_json::json;

use crate::line_support::{run_lines, said_with};
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

/// A folder that is not there.
fn folder(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path.to_str().expect("a path in UTF-8").to_owned()
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

/// A book of the given lines of moves, each a won game of White's.
fn book_of(name: &str, lines: &[&str]) -> String {
    let games: String = lines
        .iter()
        .map(|line| format!("[Result \"1-0\"]\n\n{line} 1-0\n\n[Result \"0-1\"]\n\n{line} 0-1\n\n"))
        .collect();
    let games = file(&format!("{name}.pgn"), games.as_bytes());
    let book = absent(name);
    run(&["book", "build", &games, "--min-games", "1", "--out", &book]).fine();
    book
}

#[test]
fn bots_play_from_a_book() {
    // No bot would find these moves by itself.
    let book = book_of("rare.bin", &["1. Na3 Na6 2. Nb1 Nb8 3. h4 h5"]);
    let arguments = ["play", "--black", "bot:5", "--book", &book];
    let said = said_with(&arguments, &["Na3", "Nb1", "h4"]);
    let played: Vec<&str> = said
        .iter()
        .filter_map(|line| line.strip_prefix("Black plays "))
        .collect();
    assert_eq!(played, ["Na6.", "Nb8.", "h5."], "{said:?}");
    // Where the book ends, the bot thinks.
    let said = said_with(&arguments, &["e4"]);
    assert!(
        said.iter().any(|line| line.starts_with("Black plays ")),
        "{said:?}"
    );
}

#[test]
fn bots_play_from_a_database() {
    let line = "1. Na3 Na6 2. Nb1 Nb8 3. h4 h5";
    let game = |white: &str| format!("[White \"{white}\"]\n[Result \"0-1\"]\n\n{line} 0-1\n\n");
    let games = file("book_db.pgn", (game("A") + &game("B")).as_bytes());
    let db = folder("book.db");
    run(&["db", "build", &db, &games]).fine();
    let arguments = ["play", "--black", "bot:5", "--book", &db];
    let moves = ["Na3", "Nb1", "h4"];
    let replies = |said: &[String]| -> Vec<String> {
        let plays = |line: &String| Some(line.strip_prefix("Black plays ")?.to_owned());
        said.iter().filter_map(plays).collect()
    };
    let said = said_with(&arguments, &moves);
    assert_eq!(replies(&said), ["Na6.", "Nb8.", "h5."], "{said:?}");
    // A folder without a database is no book, and a part that is lost makes the bot think for itself.
    let other = folder("not_a_book");
    fs::create_dir(&other).expect("a folder");
    let refused = run_lines(&["play", "--black", "bot", "--book", &other], &[]);
    assert_eq!((refused.code, refused.out.as_str()), (3, ""));
    assert!(refused.err.contains("no database"), "{}", refused.err);
    for data in fs::read_dir(&db).expect("a folder") {
        let data = data.expect("an entry").path();
        if data.is_dir() {
            fs::remove_dir_all(data).expect("it is ours");
        }
    }
    let said = said_with(&arguments, &moves);
    assert_eq!(replies(&said).len(), 3, "{said:?}");
}

#[test]
fn a_match_has_its_openings_from_a_book() {
    let book = book_of("two.bin", &["1. e4 e5 2. Ba6 Ba3", "1. d4 d5 2. Bh6 Bh3"]);
    let pgn = absent("from_book.pgn");
    let arguments = [
        "match", "bot:1", "bot:1", "--games", "8", "--nodes", "1", "--seed", "3", "--pgn", &pgn,
    ];
    run(&[
        &arguments[..],
        &["--book", &book, "--adjudicate", "length:4"],
    ]
    .concat())
    .fine();
    let games = fs::read(&pgn).expect("the games");
    let openings: Vec<String> = tabiya_game::pgn::games(&games)
        .map(|game| {
            let moves = game.record.main_line().take(4);
            let texts = moves.filter_map(|node| Some(node.san()?.to_string()));
            texts.collect::<Vec<_>>().join(" ")
        })
        .collect();
    assert_eq!(openings.len(), 8);
    for pair in openings.chunks(2) {
        assert_eq!(pair[0], pair[1]);
        assert!(
            ["e4 e5 Ba6 Ba3", "d4 d5 Bh6 Bh3"].contains(&pair[0].as_str()),
            "{pair:?}"
        );
    }
    // A name that ends in .bin is a book for --openings too.
    let pgn = absent("from_openings.pgn");
    let arguments = [
        "match", "bot:1", "bot:1", "--games", "2", "--nodes", "1", "--pgn", &pgn, "--plies", "2",
    ];
    run(&[
        &arguments[..],
        &["--openings", &book, "--adjudicate", "length:2"],
    ]
    .concat())
    .fine();
}

#[test]
fn what_is_no_book_is_said() {
    let cut = file("cut.bin", &[0; 17]);
    let empty = file("empty.bin", b"");
    let missing = absent("missing.bin");
    for (book, end) in [(&cut, "found 17 bytes"), (&missing, "no such file")] {
        let run = run_lines(&["play", "--black", "bot", "--book", book], &[]);
        assert_eq!((run.code, run.out.as_str()), (3, ""), "{}", run.err);
        assert!(
            run.err.contains(book.as_str()) && run.err.contains(end),
            "{}",
            run.err
        );
    }
    let refused = run(&["match", "bot:1", "bot:2", "--book", &empty]);
    assert_eq!(refused.code, 3);
    assert!(
        refused.err.contains("no move for the start position"),
        "{}",
        refused.err
    );
    let both = run(&[
        "match",
        "bot:1",
        "bot:2",
        "--book",
        &empty,
        "--openings",
        &empty,
    ]);
    assert_eq!(both.code, 2);
}
