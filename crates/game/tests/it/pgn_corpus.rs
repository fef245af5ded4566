//! The PGN files of the folder that `TABIYA_SUITES` names, against the games they are known to hold.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tabiya_game::pgn::{self, Format, PgnGame};
use tabiya_rules::{CastlingNotation, EnPassantMode};

/// Files that the reader behind the list of games does not understand, because it takes a line that begins with a
/// bracket for one tag, or only an empty line for the end of a game. Here is what they hold: the number of plies in
/// the main line of each game.
const READ_FURTHER: [(&str, &[usize]); 4] = [
    ("inline/dense.pgn", &[4]),
    ("inline/cr_only.pgn", &[2]),
    ("inline/glued_games.pgn", &[0, 2]),
    ("inline/many_results.pgn", &[0, 0, 0, 0, 0]),
];

/// Files in which something is reported although they are listed without errors: text without meaning between the
/// moves, a file that ends inside a move, comment or variation, and a page of HTML.
const REPORTED: [&str; 7] = [
    "chess-library/corrupted.pgn",
    "chess.js/0.pgn",
    "inline/clk.pgn",
    "inline/junk_suffix.pgn",
    "inline/percent_mid.pgn",
    "inline/unclosed_comment.pgn",
    "inline/unclosed_variation.pgn",
];

/// One line of the list of games.
struct Expected {
    plies: usize,
    moves: usize,
    errors: usize,
    result: String,
    fen: String,
}

fn folder() -> Option<PathBuf> {
    let Some(suites) = std::env::var_os("TABIYA_SUITES") else {
        println!("left out: TABIYA_SUITES is not set, so the PGN files are not read");
        return None;
    };
    Some(Path::new(&suites).join("pgn"))
}

/// The lines of a list, without comments, as fields.
fn table(path: &Path) -> Vec<Vec<String>> {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect()
}

fn expected(folder: &Path) -> BTreeMap<String, Vec<Expected>> {
    let mut files: BTreeMap<String, Vec<Expected>> = BTreeMap::new();
    for fields in table(&folder.join("EXPECTED_GAMES.tsv")) {
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
        } else if !REPORTED.contains(&file) {
            assert_eq!(game.errors, [], "{name}");
        }
    }
}

#[test]
fn every_file_holds_its_games() {
    let Some(folder) = folder() else { return };
    let expected = expected(&folder);
    let mut read = 0;
    for fields in table(&folder.join("MANIFEST.tsv")) {
        let file = fields[0].as_str();
        let text = fs::read(folder.join(file)).expect("a file of the list");
        let games: Vec<_> = pgn::games(&text).collect();
        if let Some((_, plies)) = READ_FURTHER.iter().find(|(name, _)| *name == file) {
            let lines: Vec<_> = games.iter().map(main_line).collect();
            assert_eq!(lines, *plies, "{file}");
        } else if let Some(expected) = expected.get(file) {
            compare(file, &games, expected);
        } else {
            // The reader behind the list fails here: an illegal move, and a parenthesis that closes nothing.
            assert_eq!(
                games.iter().map(|game| game.errors.len()).sum::<usize>(),
                1,
                "{file}"
            );
        }
        read += games.len();
    }
    println!("{read} games");
}

#[test]
fn every_game_survives_being_written() {
    let Some(folder) = folder() else { return };
    for fields in table(&folder.join("MANIFEST.tsv")) {
        let text = fs::read(folder.join(&fields[0])).expect("a file of the list");
        for game in pgn::games(&text) {
            for format in [Format::Export, Format::Compact] {
                let written = pgn::to_string(&game.record, format);
                let again: Vec<_> = pgn::games(written.as_bytes()).collect();
                assert_eq!(again.len(), 1, "{}:\n{written}", fields[0]);
                assert_eq!(again[0].errors, [], "{}:\n{written}", fields[0]);
                assert_eq!(again[0].record, game.record, "{}:\n{written}", fields[0]);
            }
        }
    }
}

/// Everything that is read from a text, to be compared.
fn everything(text: &[u8]) -> Vec<PgnGame> {
    pgn::games(text).collect()
}

#[test]
fn every_prefix_of_a_short_file_is_read() {
    let Some(folder) = folder() else { return };
    for fields in table(&folder.join("MANIFEST.tsv")) {
        let text = fs::read(folder.join(&fields[0])).expect("a file of the list");
        // Long files are cut at fewer places; what they hold repeats itself.
        let step = 1 + text.len() / 400;
        for length in (0..text.len().min(4096)).step_by(step) {
            let prefix = &text[..length];
            let whole = everything(prefix);
            let mut reader = pgn::RecordReader::new(super::pgn_properties::Pieces {
                bytes: prefix,
                sizes: &[3, 1],
                next: 0,
            });
            for game in whole {
                assert_eq!(reader.read(), Ok(Some(game)), "{} to {length}", fields[0]);
            }
            assert_eq!(reader.read(), Ok(None));
        }
    }
}
