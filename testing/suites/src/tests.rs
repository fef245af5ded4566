//! Files are found by class, and escapes are decoded as the suites mean them.

use super::*;

/// How many cases each class of the project's own suites has at least. A position of [`MOVE_SETS`] begins with `pos`.
const AT_LEAST: [(Class, usize); 22] = [
    (PERFT, 620),
    (MOVE_SETS, 400),
    (FEN_REJECT, 150),
    (FEN_ACCEPT, 300),
    (FEN_EITHER, 50),
    (FEN_STARTS, 960),
    (SAN_PARSE, 300),
    (SAN_PRINT, 100),
    (SAN_SETS, 50),
    (UCI_MOVES, 250),
    (UCI_LINES, 30),
    (DRAW_POSITIONS, 120),
    (DRAW_GAMES, 80),
    (BOOK_KEYS, 100),
    (OPENINGS, 100),
    (UCI_SCRIPTS, 100),
    (UCI_MALFORMED, 500),
    (UCI_HOSTILE, 46),
    (PGN_FILES, 100),
    (PGN_LISTS, 100),
    (PGN_GAMES, 130),
    (PGN_EVENTS, 130),
];

#[test]
fn the_suites_of_the_project_are_complete() {
    let suites = Suites::own();
    for (class, least) in AT_LEAST {
        let count = match class {
            PGN_FILES => suites.files(class).len(),
            MOVE_SETS => suites
                .rows(class)
                .iter()
                .filter(|row| row[0].starts_with("pos "))
                .count(),
            _ => suites.rows(class).len(),
        };
        assert!(count >= least, "{class}: {count}, not {least}");
    }
    let counted: Vec<Class> = AT_LEAST.iter().map(|(class, _)| *class).collect();
    assert_eq!(counted, CLASSES);
    for suite in files(&suites.folder) {
        let classes = CLASSES.iter().filter(|class| class.holds(&suite.name));
        assert_eq!(classes.count(), 1, "{}: a file has one class", suite.name);
    }
}

mod outside {
    use super::*;

    #[test]
    #[ignore = "needs a folder of suites, which TABIYA_SUITES names"]
    fn every_class_has_files() {
        let suites = Suites::outside();
        for class in CLASSES.into_iter().filter(|class| *class != PGN_EVENTS) {
            println!("{class}: {} files", suites.files(class).len());
        }
        for suite in files(&suites.folder) {
            if !CLASSES.iter().any(|class| class.holds(&suite.name)) {
                println!("left out: {}, which belongs to no class", suite.name);
            }
        }
    }
}

#[test]
fn a_class_is_a_word_in_a_folder() {
    for (name, class) in [
        ("fen/reject.tsv", FEN_REJECT),
        ("fen/more/Hard_Rejects.tsv", FEN_REJECT),
        ("perft/anything", PERFT),
        ("uci/gui_scripts/game.txt", UCI_SCRIPTS),
        ("pgn/some/games.pgn", PGN_FILES),
        ("pgn/MANIFEST.tsv", PGN_LISTS),
    ] {
        let found: Vec<&Class> = CLASSES.iter().filter(|class| class.holds(name)).collect();
        assert_eq!(found, [&class], "{name}");
    }
    for name in ["reject.tsv", "fenreject.tsv", "fen/other.tsv", "perft"] {
        assert!(!CLASSES.iter().any(|class| class.holds(name)), "{name}");
    }
}

#[test]
fn escapes_are_bytes() {
    for (text, bytes) in [
        ("plain", &b"plain"[..]),
        ("\\x00\\xff!", b"\x00\xff!"),
        ("a\\\\b", b"a\\b"),
        ("a\\b \\xzz \\", b"a\\b \\xzz \\"),
        ("N@rep:ab:3", b"Nababab"),
        ("@gen:repeat:\\x41:4", b"AAAA"),
    ] {
        assert_eq!(unescape(text), bytes, "{text}");
    }
}

#[test]
fn comments_are_no_rows() {
    let rows: Vec<_> = columns("# head\n\na\tb\n\tc\n").collect();
    assert_eq!(rows, [["a", "b"], ["", "c"]]);
}

#[test]
fn every_fuzz_target_has_a_corpus_that_the_tests_replay() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sources = String::new();
    for file in files(&root.join("crates")) {
        if file.name.ends_with(".rs") {
            sources += &file.text();
        }
    }
    let targets = files(&root.join("testing/fuzz/fuzz_targets"));
    assert!(targets.len() >= 14, "{targets:?}");
    for target in targets {
        let name = target.name.trim_end_matches(".rs");
        assert!(
            !files(&corpora().join(name)).is_empty(),
            "{name}: no corpus"
        );
        let replayed = sources.contains(&format!("replay(\"{name}\""));
        assert!(replayed, "{name}: no test replays its corpus");
    }
}

#[test]
fn the_examples_of_the_libraries_are_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut seen = 0;
    for library in ["rules", "game", "uci", "openings", "engine"] {
        for example in files(&root.join("crates").join(library).join("examples")) {
            let lines = example.text().lines().count();
            assert!((15..=60).contains(&lines), "{library}/{example:?}: {lines}");
            seen += 1;
        }
    }
    assert!(seen >= 14, "{seen}");
}
