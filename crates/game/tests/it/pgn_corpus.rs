//! The PGN files of the suites, compared with the games they are known to hold.

use std::collections::{BTreeMap, BTreeSet};

use tabiya_game::pgn::{self, Format, PgnErrorKind, PgnGame};
use tabiya_rules::{CastlingNotation, EnPassantMode};
use test_suites::{PGN_FILES, PGN_GAMES, PGN_LISTS, Suite, Suites, test_on_suites};

test_on_suites!(
    every_file_holds_its_games,
    every_game_survives_being_written,
    every_prefix_of_a_short_file_is_read
);

/// Files that the reader behind the list of games does not understand, because it takes a line that begins with a
/// bracket for one tag, or needs an empty line to end a game. Each has the number of plies in the main line of each
/// game.
const READ_FURTHER: [(&str, &[usize]); 4] = [
    ("inline/dense.pgn", &[4]),
    ("inline/cr_only.pgn", &[2]),
    ("inline/glued_games.pgn", &[0, 2]),
    ("inline/many_results.pgn", &[0, 0, 0, 0, 0]),
];

/// Files whose first game has one error that the reader behind the list ignores: meaningless text between the
/// moves, or an end inside a comment or variation.
const TOLD_HERE_ONLY: [(&str, PgnErrorKind); 6] = [
    ("chess-library/corrupted.pgn", PgnErrorKind::Unexpected),
    ("chess.js/0.pgn", PgnErrorKind::Unexpected),
    ("inline/junk_suffix.pgn", PgnErrorKind::Unexpected),
    ("inline/percent_mid.pgn", PgnErrorKind::Unexpected),
    (
        "inline/unclosed_comment.pgn",
        PgnErrorKind::UnfinishedComment,
    ),
    (
        "inline/unclosed_variation.pgn",
        PgnErrorKind::UnfinishedVariation,
    ),
];

/// One line of the list of games.
struct Expected {
    plies: usize,
    moves: usize,
    errors: usize,
    result: String,
    fen: String,
}

/// Returns what is known about the games of each file, by its name in the folder.
fn expected(suites: &Suites) -> BTreeMap<String, Vec<Expected>> {
    let mut files: BTreeMap<String, Vec<Expected>> = BTreeMap::new();
    for fields in suites.rows(PGN_GAMES) {
        let number = |index: usize| fields[index].parse().expect("a number");
        files.entry(fields[0].clone()).or_default().push(Expected {
            plies: number(2),
            moves: number(3),
            errors: number(6),
            result: fields[7].clone(),
            fen: fields[9].clone(),
        });
    }
    files
}

/// Returns the files of games with their names in the folder, as in the lists, whether they are listed or not.
fn files(suites: &Suites) -> impl Iterator<Item = (String, Suite)> {
    let below = |suite: Suite| (suite.name["pgn/".len()..].to_owned(), suite);
    suites.files(PGN_FILES).into_iter().map(below)
}

fn main_line(game: &PgnGame) -> usize {
    game.record.main_line_end().ply() as usize
}

fn compare(file: &str, games: &[PgnGame], expected: &[Expected]) {
    assert_eq!(games.len(), expected.len(), "{file}: number of games");
    for (number, (game, expected)) in games.iter().zip(expected).enumerate() {
        let name = format!("{file}, game {}", number + 1);
        let end = game.record.main_line_end();
        assert_eq!(main_line(game), expected.plies, "{name}: plies");
        assert_eq!(game.record.len() - 1, expected.moves, "{name}: moves");
        let fen = end
            .position()
            .fen_with(EnPassantMode::Legal, CastlingNotation::XFen);
        assert_eq!(fen, expected.fen, "{name}: last position");
        if expected.errors == 0 {
            assert_eq!(
                game.record.result().as_str(),
                expected.result,
                "{name}: result"
            );
        }
        if expected.errors > 0 {
            assert!(
                game.errors.len() >= expected.errors,
                "{name}: {:?}",
                game.errors
            );
        } else {
            let told = TOLD_HERE_ONLY.iter();
            let told = told.filter(|(named, _)| *named == file && number == 0);
            let kinds = told.map(|(_, kind)| kind);
            let found = game.errors.iter().map(|error| &error.kind);
            assert!(found.eq(kinds), "{name}: {:?}", game.errors);
        }
    }
}

fn every_file_holds_its_games(suites: &Suites) {
    let expected = expected(suites);
    let listed: BTreeSet<String> = suites
        .rows(PGN_LISTS)
        .into_iter()
        .map(|row| row[0].clone())
        .collect();
    let mut read = BTreeSet::new();
    for (file, suite) in files(suites) {
        let games: Vec<_> = pgn::games(&suite.bytes()).collect();
        if let Some((_, plies)) = READ_FURTHER.iter().find(|(name, _)| *name == file) {
            let lines: Vec<_> = games.iter().map(main_line).collect();
            assert_eq!(lines, *plies, "{file}");
        } else if let Some(expected) = expected.get(&file) {
            compare(&file, &games, expected);
        } else if listed.contains(&file) {
            // The reader behind the list fails here, for a reason that this reader reports as well.
            assert!(games.iter().any(|game| !game.errors.is_empty()), "{file}");
        }
        read.insert(file);
    }
    let absent: Vec<_> = listed.difference(&read).collect();
    assert!(absent.is_empty(), "listed and not there: {absent:?}");
}

/// The error of a game with other rules. Its tag is written as it is, so it is found again.
fn of_another_game(game: &PgnGame) -> Vec<&PgnErrorKind> {
    let kinds = game.errors.iter().map(|error| &error.kind);
    kinds
        .filter(|kind| **kind == PgnErrorKind::Variant)
        .collect()
}

fn every_game_survives_being_written(suites: &Suites) {
    for (file, suite) in files(suites) {
        for game in pgn::games(&suite.bytes()) {
            for format in [Format::Export, Format::Compact] {
                let written = pgn::to_string(&game.record, format);
                let again: Vec<_> = pgn::games(written.as_bytes()).collect();
                assert_eq!(again.len(), 1, "{file}:\n{written}");
                let kinds: Vec<_> = again[0].errors.iter().map(|error| &error.kind).collect();
                assert_eq!(kinds, of_another_game(&game), "{file}:\n{written}");
                assert_eq!(again[0].record, game.record, "{file}:\n{written}");
            }
        }
    }
}

/// Reads everything from a text, for comparison.
fn everything(text: &[u8]) -> Vec<PgnGame> {
    pgn::games(text).collect()
}

fn every_prefix_of_a_short_file_is_read(suites: &Suites) {
    for (file, suite) in files(suites) {
        let text = suite.bytes();
        // Everywhere before a release; otherwise at fewer places of long files, because their contents repeat.
        let release = std::env::var_os("TABIYA_RELEASE").is_some();
        let step = if release { 1 } else { 1 + text.len() / 400 };
        for length in (0..text.len().min(4096)).step_by(step) {
            let prefix = &text[..length];
            let whole = everything(prefix);
            let mut reader = pgn::RecordReader::new(super::pgn_properties::Pieces {
                bytes: prefix,
                sizes: &[3, 1],
                next: 0,
            });
            for game in whole {
                assert_eq!(reader.read(), Ok(Some(game)), "{file} to {length}");
            }
            assert_eq!(reader.read(), Ok(None));
        }
    }
}
