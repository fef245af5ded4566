//! The file of a watched match: every game is written to it when it is over, so that the screen need not keep all games
//! in memory, and nothing is lost when the program exits.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};

use serde::ser::{Error, SerializeSeq};
use serde::{Serialize, Serializer};
use tabiya_front::game_file;
use tabiya_front::game_json::Game;
use tabiya_front::json;
use tabiya_front::matches::{Archive, Export, ExportForm, MatchSummary};
use tabiya_game::{Record, pgn};
use tabiya_store::disk::{FileError, NewFile};
use tabiya_store::local_time;
use tabiya_store::paths::{self, Folders, NoHomeFolder};
use tabiya_store::text_file::Written;

use crate::message::NotDone;

/// The file of one match.
pub(super) struct MatchFile {
    /// The folder for such files, or why there is none.
    folder: Result<PathBuf, NoHomeFolder>,
    /// The file, once a game is over.
    begun: Option<(PathBuf, Archive)>,
    /// The numbers of the games in it.
    numbers: BTreeSet<u32>,
}

impl MatchFile {
    /// A file in the user's folder.
    pub(super) fn new() -> MatchFile {
        MatchFile::below(folder())
    }

    /// A file in any folder.
    pub(super) fn below(folder: Result<PathBuf, NoHomeFolder>) -> MatchFile {
        MatchFile {
            folder,
            begun: None,
            numbers: BTreeSet::new(),
        }
    }

    /// Appends a game, and returns its offset.
    pub(super) fn append(&mut self, number: u32, game: &Record) -> Result<u64, NotDone> {
        let (path, archive) = match &mut self.begun {
            Some(begun) => begun,
            none => none.insert(begin(self.folder.as_ref().map_err(|&none| none)?)?),
        };
        let at = archive.add(&dated(game));
        let at = at.map_err(|error| FileError::new(path, &error))?;
        self.numbers.insert(number);
        Ok(at)
    }

    /// Whether a game is in it.
    pub(super) fn has(&self, number: u32) -> bool {
        self.numbers.contains(&number)
    }

    /// The path of the file, once there is a game in it.
    pub(super) fn path(&self) -> Option<&Path> {
        self.begun.as_ref().map(|(path, _)| path.as_path())
    }

    /// Reads the game at an offset.
    pub(super) fn read(&self, at: u64) -> Result<Record, NotDone> {
        let path = self.path().ok_or(NotDone::NoMatchFile)?;
        Ok(game_file::open_at(path, at)?.record)
    }

    /// Exports the match to a new file.
    pub(super) fn export(&self, export: &Export) -> Result<Written, FileError> {
        let path = &paths::from_home(&export.path);
        let failed = |error: io::Error| FileError::new(path, &error);
        let mut out = BufWriter::new(NewFile::begin(path).map_err(failed)?);
        // A game may have reached the file before the caller learned its offset.
        let rest = export.rest.iter().filter(|(number, _)| !self.has(*number));
        let rest: Vec<&Record> = rest.map(|(_, game)| game).collect();
        let written = match &export.form {
            ExportForm::Pgn => self.write_pgn(&rest, &mut out),
            ExportForm::Json(head) => self.write_json(head, &rest, &mut out),
        };
        let finished = written.and_then(|()| {
            let file = out.into_inner().map_err(IntoInnerError::into_error)?;
            file.finish()
        });
        finished.map_err(failed)?;
        Ok(Written(path.clone()))
    }

    fn write_pgn(&self, rest: &[&Record], out: &mut impl Write) -> io::Result<()> {
        let mut between = "";
        if let Some(path) = self.path() {
            io::copy(&mut File::open(path)?, out)?;
            between = "\n";
        }
        for game in rest {
            let text = pgn::to_string(game, pgn::Format::Export);
            write!(out, "{between}{text}")?;
            between = "\n";
        }
        Ok(())
    }

    fn write_json(
        &self,
        head: &MatchSummary,
        rest: &[&Record],
        out: &mut impl Write,
    ) -> io::Result<()> {
        let games = Games {
            file: self.path(),
            rest,
        };
        json::write(&MatchJson { head, games }, out)?;
        writeln!(out)
    }
}

/// A match as JSON.
#[derive(Serialize)]
struct MatchJson<'a> {
    #[serde(flatten)]
    head: &'a MatchSummary,
    games: Games<'a>,
}

/// The games of a file and some more. They are read one by one, because there may be more than fit into memory.
struct Games<'a> {
    file: Option<&'a Path>,
    rest: &'a [&'a Record],
}

impl Serialize for Games<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut games = serializer.serialize_seq(None)?;
        if let Some(path) = self.file {
            for game in game_file::all(path).map_err(S::Error::custom)? {
                let game = game.map_err(S::Error::custom)?;
                games.serialize_element(&Game::from(&game))?;
            }
        }
        for &game in self.rest {
            games.serialize_element(&Game::from(game))?;
        }
        games.end()
    }
}

/// A game with the date on which it was played; an unfinished one has none yet.
fn dated(game: &Record) -> Cow<'_, Record> {
    if game.tags().get("Date").is_some() {
        return Cow::Borrowed(game);
    }
    let mut game = game.clone();
    // A date is a single line, and a tag refuses nothing else.
    let _ = game.tags_mut().set("Date", &local_time::pgn_date());
    Cow::Owned(game)
}

/// The user's folder for such files.
pub(super) fn folder() -> Result<PathBuf, NoHomeFolder> {
    Ok(Folders::find()?.data().join("matches"))
}

/// Creates a file with a new name: the time, and a number if two matches begin within one second.
fn begin(folder: &Path) -> Result<(PathBuf, Archive), FileError> {
    fs::create_dir_all(folder).map_err(|error| FileError::new(folder, &error))?;
    let name = format!("match-{}", local_time::stamp());
    let mut number = 1;
    loop {
        let file = match number {
            1 => format!("{name}.pgn"),
            number => format!("{name}-{number}.pgn"),
        };
        let path = folder.join(file);
        match Archive::create(&path) {
            Ok(archive) => return Ok((path, archive)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => {
                number += 1;
            }
            Err(error) => return Err(FileError::new(&path, &error)),
        }
    }
}

#[cfg(test)]
mod tests;
