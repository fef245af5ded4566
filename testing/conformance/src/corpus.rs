//! Real games to measure on: the two collections that come inside the package
//! of `pgn-reader`, found where Cargo unpacked it and never copied from there.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use shakmaty::{Chess, EnPassantMode, Position as _, fen::Fen};

use crate::{library::Library as _, peers::shakmaty::Shakmaty};

/// The standard start position.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The files of the package that are read: amateur games and masters' games,
/// about a megabyte of each.
const FILES: [&str; 2] = ["benches/lichess_db_1000k.pgn", "benches/twic1599_1000k.pgn"];

/// Why there are no games.
#[derive(Debug)]
pub enum CorpusError {
    /// Cargo could not be asked where the package is.
    Cargo(io::Error),
    /// Cargo answered, but without the package; this is what it said instead.
    NoPackage(String),
    /// A file could not be read.
    Read(PathBuf, io::Error),
    /// The texts hold no complete game from the standard start.
    NoGames,
}

impl fmt::Display for CorpusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cargo(error) => write!(f, "`cargo metadata` could not be run: {error}"),
            Self::NoPackage(said) => write!(
                f,
                "`cargo metadata` does not name the package pgn-reader; name a PGN file with --games\n{said}"
            ),
            Self::Read(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            Self::NoGames => write!(f, "no complete game from the standard start in the texts"),
        }
    }
}

impl std::error::Error for CorpusError {}

/// The given files, or the collections of the package if there are none, each with its name and the bytes in it.
///
/// # Errors
/// If the package or one of the files cannot be found and read.
pub fn files(given: &[PathBuf]) -> Result<Vec<(String, Vec<u8>)>, CorpusError> {
    let paths = if given.is_empty() {
        let folder = package_folder()?;
        FILES.iter().map(|file| folder.join(file)).collect()
    } else {
        given.to_vec()
    };
    paths
        .into_iter()
        .map(|path| {
            let name = path.file_name().unwrap_or_default();
            let name = name.to_string_lossy().into_owned();
            let bytes = fs::read(&path).map_err(|error| CorpusError::Read(path, error))?;
            Ok((name, bytes))
        })
        .collect()
}

/// The texts of some files as one.
#[must_use]
pub fn text(files: &[(String, Vec<u8>)]) -> String {
    let mut all = String::new();
    for (_, bytes) in files {
        // Names of players may be Latin-1; the moves are ASCII.
        all.push_str(&String::from_utf8_lossy(bytes));
        all.push_str("\n\n");
    }
    all
}

fn package_folder() -> Result<PathBuf, CorpusError> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let output = Command::new(option_env!("CARGO").unwrap_or("cargo"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--locked",
            "--manifest-path",
        ])
        .arg(manifest)
        .output()
        .map_err(CorpusError::Cargo)?;
    let json = String::from_utf8_lossy(&output.stdout);
    // One value of the JSON is needed, and the key cannot occur inside another
    // value unescaped, so a search for it is exact.
    json.split("\"manifest_path\":\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .map(|path| PathBuf::from(path.replace("\\\\", "\\")))
        .filter_map(|path| path.parent().map(Path::to_path_buf))
        .find(|folder| {
            folder
                .file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("pgn-reader-"))
        })
        .ok_or_else(|| CorpusError::NoPackage(String::from_utf8_lossy(&output.stderr).into_owned()))
}

/// One game: its moves in SAN, as they stand in the text.
pub type Game<'a> = Vec<&'a str>;

/// The complete games from the standard start in a PGN text, each of which
/// shakmaty can play to its end.
///
/// # Errors
/// If there is none.
pub fn games(text: &str) -> Result<Vec<Game<'_>>, CorpusError> {
    let games: Vec<_> = split_games(text)
        .into_iter()
        .filter(|game| !game.is_empty() && replays(game))
        .collect();
    if games.is_empty() {
        return Err(CorpusError::NoGames);
    }
    Ok(games)
}

fn replays(game: &[&str]) -> bool {
    let mut position = Chess::default();
    game.iter()
        .all(|san| Shakmaty::play_san(&mut position, san))
}

/// FENs of positions spread evenly over all games, at most `most`. Positions
/// that some library cannot read are left out for all: those without a legal
/// move, and those with more than 100 quiet plies, which cozy-chess
/// refuses.
#[must_use]
pub fn positions(games: &[Game<'_>], most: usize) -> Vec<String> {
    let plies: usize = games.iter().map(Vec::len).sum();
    let step = plies.div_ceil(most.max(1)).max(1);
    let mut fens = Vec::new();
    let mut ply = 0;
    for game in games {
        let mut position = Chess::default();
        for san in game {
            if !Shakmaty::play_san(&mut position, san) {
                break;
            }
            let usable = position.halfmoves() <= 100 && !position.legal_moves().is_empty();
            if ply % step == 0 && usable {
                fens.push(Fen::from_position(&position, EnPassantMode::Legal).to_string());
            }
            ply += 1;
        }
    }
    fens
}

/// Splits PGN text into the main lines of its finished games. Games with a
/// start position or variant of their own are left out.
#[must_use]
pub fn split_games(text: &str) -> Vec<Game<'_>> {
    let mut games = Vec::new();
    let mut game = Vec::new();
    let mut special = false;
    let mut depth = 0_u32;
    let mut rest = text;
    while let Some(byte) = rest.bytes().next() {
        match byte {
            b'[' if depth == 0 => {
                let (tag, after) = split_after(rest, '\n');
                special |= tag.starts_with("[FEN ") || tag.starts_with("[Variant ");
                rest = after;
            }
            b'{' => rest = split_after(rest, '}').1,
            b';' | b'%' => rest = split_after(rest, '\n').1,
            b'(' => {
                depth += 1;
                rest = &rest[1..];
            }
            b')' => {
                depth = depth.saturating_sub(1);
                rest = &rest[1..];
            }
            _ if byte.is_ascii_whitespace() => rest = &rest[1..],
            _ => {
                let end = rest
                    .find(|c: char| c.is_ascii_whitespace() || "{;()".contains(c))
                    .unwrap_or(rest.len());
                let (token, after) = rest.split_at(end);
                rest = after;
                if depth > 0 {
                    continue;
                }
                if matches!(token, "1-0" | "0-1" | "1/2-1/2" | "*") {
                    let finished = std::mem::take(&mut game);
                    if !special {
                        games.push(finished);
                    }
                    special = false;
                } else if let Some(san) = move_text(token) {
                    game.push(san);
                }
            }
        }
    }
    games
}

/// The text behind the first `end`, and what is before it.
fn split_after(text: &str, end: char) -> (&str, &str) {
    text.split_once(end).unwrap_or((text, ""))
}

/// The move in a token, without its number and its marks; `None` for a number
/// alone or a numeric annotation.
fn move_text(token: &str) -> Option<&str> {
    let token = token
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .trim_start_matches('.')
        .trim_end_matches(['!', '?']);
    (!token.is_empty() && !token.starts_with('$')).then_some(token)
}
