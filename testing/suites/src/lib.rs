//! The suites of test data, the corpora of the fuzz targets, and players to measure others by.
//!
//! The project has its own suites in `suites/data`, made by `suites/make.py`. More cases of the same classes may lie in
//! a folder that `TABIYA_SUITES` names, under any name that contains the word of the class. A test on suites is a
//! function that [`test_on_suites`] makes two tests of; without that folder the second is reported as ignored. A class
//! without files fails.

#[cfg(unix)]
pub mod limits;
pub mod modules;
pub mod players;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// A class of suites: the files below a folder with a word in their names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Class {
    folder: &'static str,
    word: &'static str,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/*{}*", self.folder, self.word)
    }
}

const fn class(folder: &'static str, word: &'static str) -> Class {
    Class { folder, word }
}

/// FENs with perft counts.
pub const PERFT: Class = class("perft", "");
/// Positions with every legal move and the position after it.
pub const MOVE_SETS: Class = class("movegen", "");
/// FENs to refuse.
pub const FEN_REJECT: Class = class("fen", "reject");
/// FENs to accept, with what they print.
pub const FEN_ACCEPT: Class = class("fen", "accept");
/// FENs that may be refused; if accepted, they must be stable.
pub const FEN_EITHER: Class = class("fen", "either");
/// The start positions of Chess960 with their numbers.
pub const FEN_STARTS: Class = class("fen", "start");
/// Moves to read.
pub const SAN_PARSE: Class = class("san", "parse");
/// Moves to print.
pub const SAN_PRINT: Class = class("san", "print");
/// Positions with every legal move.
pub const SAN_SETS: Class = class("san", "sets");
/// Moves in UCI notation.
pub const UCI_MOVES: Class = class("san", "uci");
/// Lines of moves in UCI notation, with their final positions.
pub const UCI_LINES: Class = class("san", "lines");
/// Verdicts on single positions.
pub const DRAW_POSITIONS: Class = class("draws", "position");
/// Verdicts along games.
pub const DRAW_GAMES: Class = class("draws", "game");
/// Polyglot keys.
pub const BOOK_KEYS: Class = class("hash", "");
/// Openings: code, name, moves.
pub const OPENINGS: Class = class("openings", ".tsv");
/// Commands of GUIs to engines, with the expected replies.
pub const UCI_SCRIPTS: Class = class("uci", "script");
/// Lines that an engine must survive.
pub const UCI_MALFORMED: Class = class("uci", "malformed");
/// Ways in which engines misbehave.
pub const UCI_HOSTILE: Class = class("uci", "hostile");
/// PGN files.
pub const PGN_FILES: Class = class("pgn", ".pgn");
/// Lists of PGN files.
pub const PGN_LISTS: Class = class("pgn", "manifest");
/// What the games of the PGN files contain.
pub const PGN_GAMES: Class = class("pgn", "expected");
/// The games of the PGN files event by event. Only the project's own suites have it.
pub const PGN_EVENTS: Class = class("pgn", "events");

/// Every class.
pub const CLASSES: [Class; 22] = [
    PERFT,
    MOVE_SETS,
    FEN_REJECT,
    FEN_ACCEPT,
    FEN_EITHER,
    FEN_STARTS,
    SAN_PARSE,
    SAN_PRINT,
    SAN_SETS,
    UCI_MOVES,
    UCI_LINES,
    DRAW_POSITIONS,
    DRAW_GAMES,
    BOOK_KEYS,
    OPENINGS,
    UCI_SCRIPTS,
    UCI_MALFORMED,
    UCI_HOSTILE,
    PGN_FILES,
    PGN_LISTS,
    PGN_GAMES,
    PGN_EVENTS,
];

impl Class {
    /// Returns whether a file, given its name in the folder, is a suite of this class.
    fn holds(self, name: &str) -> bool {
        let below = name
            .strip_prefix(self.folder)
            .and_then(|rest| rest.strip_prefix('/'));
        below.is_some_and(|rest| rest.to_lowercase().contains(self.word))
    }
}

/// A file of the folder of suites.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Suite {
    /// Its name relative to the folder, with slashes.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
}

impl Suite {
    /// Returns the contents of the file.
    ///
    /// # Panics
    ///
    /// Panics if it cannot be read, so that a test that needs it fails.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        fs::read(&self.path).unwrap_or_else(|error| panic!("{}: {error}", self.path.display()))
    }

    /// Returns the contents as text, with invalid bytes replaced.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }
}

/// A folder of suites.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suites {
    folder: PathBuf,
}

impl Suites {
    /// Returns the suites of the project, which `make.py` makes.
    #[must_use]
    pub fn own() -> Suites {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
        Suites { folder }
    }

    /// Returns the suites in the folder that `TABIYA_SUITES` names.
    ///
    /// # Panics
    ///
    /// Panics if the variable is not set, so that a test that needs it fails.
    #[must_use]
    pub fn outside() -> Suites {
        let folder =
            std::env::var_os("TABIYA_SUITES").expect("TABIYA_SUITES names a folder of suites");
        Suites {
            folder: folder.into(),
        }
    }

    /// Returns the files of a class.
    ///
    /// # Panics
    ///
    /// Panics if there are none, or if the folder cannot be read.
    #[must_use]
    pub fn files(&self, class: Class) -> Vec<Suite> {
        let mut found = files(&self.folder);
        found.retain(|suite| class.holds(&suite.name));
        assert!(
            !found.is_empty(),
            "{} has no {class}",
            self.folder.display()
        );
        found
    }

    /// Returns the lines of all files of a class without comments, split into columns.
    ///
    /// # Panics
    ///
    /// Panics if there are none, or if a file cannot be read.
    #[must_use]
    pub fn rows(&self, class: Class) -> Vec<Vec<String>> {
        let files = self.files(class);
        let rows: Vec<_> = files
            .iter()
            .flat_map(|suite| columns(&suite.text()).collect::<Vec<_>>())
            .collect();
        assert!(
            !rows.is_empty(),
            "{class} has no rows in {}",
            self.folder.display()
        );
        rows
    }
}

/// Makes two tests of each function that takes [`Suites`]: one on the suites of the project, and one, ignored unless
/// it is asked for, on the folder that `TABIYA_SUITES` names.
#[macro_export]
macro_rules! test_on_suites {
    ($($function:ident),+ $(,)?) => {
        mod own {
            $(#[test]
            fn $function() {
                super::$function(&$crate::Suites::own());
            })+
        }

        mod outside {
            $(#[test]
            #[ignore = "needs a folder of suites, which TABIYA_SUITES names"]
            fn $function() {
                super::$function(&$crate::Suites::outside());
            })+
        }
    };
}

/// Returns the lines of a text without comments, split into columns.
pub fn columns(text: &str) -> impl Iterator<Item = Vec<String>> {
    lines(text).map(|line| line.split('\t').map(str::to_owned).collect())
}

/// Returns the lines of a suite without comments.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
}

/// Decodes the bytes that a suite writes as `\xNN`, `\\`, `@rep:TEXT:N` or `@gen:repeat:TEXT:N`.
///
/// # Panics
///
/// Panics if a repetition has no number.
#[must_use]
pub fn unescape(text: &str) -> Vec<u8> {
    if let Some((prefix, repeated)) = text.split_once("@rep:").or(text.split_once("@gen:repeat:")) {
        let (unit, times) = repeated.rsplit_once(':').expect("a text and a number");
        let mut bytes = unescape(prefix);
        bytes.extend(unescape(unit).repeat(times.parse().expect("a number")));
        return bytes;
    }
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend(rest[..at].bytes());
        let after = &rest[at + 1..];
        let hex = after.strip_prefix('x').and_then(|hex| hex.get(..2));
        if let Some(byte) = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            bytes.push(byte);
            rest = &after[3..];
        } else {
            bytes.push(b'\\');
            rest = after.strip_prefix('\\').unwrap_or(after);
        }
    }
    bytes.extend(rest.bytes());
    bytes
}

/// Tries a property on the seeds of a fuzz target and on everything it has found.
///
/// # Panics
///
/// Panics if the property does, or if the target has no corpus.
pub fn replay(target: &str, property: impl Fn(&[u8])) {
    let corpus = files(&corpora().join(target));
    assert!(!corpus.is_empty(), "the fuzz target {target} has no corpus");
    for input in corpus {
        // Printed so that a failure shows which input caused it.
        println!("{}", input.path.file_name().unwrap_or_default().display());
        property(&input.bytes());
    }
}

/// Returns the folder with the corpora of the fuzz targets.
fn corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus")
}

/// Returns all files below a folder, sorted by name.
fn files(folder: &Path) -> Vec<Suite> {
    let mut found = Vec::new();
    let mut waiting = vec![(folder.to_owned(), String::new())];
    while let Some((path, prefix)) = waiting.pop() {
        let entries =
            fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for entry in entries {
            let path = entry.expect("a folder that can be read").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = format!("{prefix}{name}");
            if path.is_dir() {
                waiting.push((path, format!("{name}/")));
            } else {
                found.push(Suite { name, path });
            }
        }
    }
    found.sort();
    found
}

/// Perft from depth 1 on, of the six positions that every program is tested with.
pub const KNOWN_COUNTS: [(&str, &[u64]); 6] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324],
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2_039, 97_862, 4_085_603, 193_690_690],
    ),
    (
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        &[14, 191, 2_812, 43_238, 674_624, 11_030_083, 178_633_661],
    ),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9_467, 422_333, 15_833_292, 706_045_033],
    ),
    (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[44, 1_486, 62_379, 2_103_487, 89_941_194, 3_048_196_529],
    ),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890, 3_894_594, 164_075_551],
    ),
];

/// The public types of a crate, by the list of its surface in docs/api, that a source does not name.
///
/// # Panics
///
/// If the crate has no such list, or one without types.
#[must_use]
pub fn unlisted_types(name: &str, source: &str) -> Vec<String> {
    let words: Vec<&str> = source.split(|c: char| !c.is_alphanumeric()).collect();
    let mut types = public_types(name);
    types.retain(|name| !words.contains(&name.as_str()));
    types
}

/// The names of the public types of a crate, from the list of its surface in docs/api.
fn public_types(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/api/{name}.txt"));
    let list =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let types = list.lines().filter_map(|line| {
        let item = line
            .strip_prefix("struct ")
            .or(line.strip_prefix("enum "))?;
        let path = item.split([' ', '<', '(']).next()?;
        path.rsplit("::").next().map(str::to_owned)
    });
    let types: Vec<_> = types.collect();
    assert!(!types.is_empty(), "{} names no type", path.display());
    types
}

#[cfg(test)]
mod tests;
