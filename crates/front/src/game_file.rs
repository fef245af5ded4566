//! Files of games: a list that grows while a file is read, and single games from it.
//!
//! A file of any size is listed by its tags and openings in one pass, and only the list stays in memory.

use std::convert::Infallible;
use std::fs::File;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::num::NonZeroU16;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use tabiya_game::pgn::{
    Flow, PgnGame, ReadSource, Reader, RecordReader, Response, Text, TextPosition, Visitor,
};
use tabiya_game::{GameResult, Record};
use tabiya_openings::Opening;
use tabiya_play::threads::NoThread;
use tabiya_rules::{ByColor, Color, Position};
use tabiya_store::disk::FileError;
use tabiya_store::paths;
use tabiya_store::text_file::{self, Written};
use thiserror::Error;

use crate::game_search::Word;
use crate::input_file;
use crate::opening_names;

/// How many games are reported at once. Every batch but the last has this many.
pub const BATCH: usize = 512;

/// How much of a player's name, an event or a site is kept, in bytes.
const MAX_NAME_LENGTH: usize = 64;

/// How many games back a game looks for one with the same event or site, whose text it shares. A few are enough: the
/// games of an event follow one another.
const SHARING_DISTANCE: usize = 8;

/// Consecutive games of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// White, Black and the date of every game, and its event and its site unless an earlier game has the same.
    text: String,
    /// The openings of its games, without duplicates.
    openings: Vec<Opening<'static>>,
    games: Vec<Entry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    offset: u64,
    /// The offsets of White, Black and the date in the text, and the end of the last.
    bounds: [u32; 4],
    /// The offsets of the event and the site, by [`SharedField`]. Earlier games may have the same ones.
    shared: [u32; 2],
    /// The lengths of these, at most [`MAX_NAME_LENGTH`].
    shared_lengths: [u8; 2],
    ratings: ByColor<Option<NonZeroU16>>,
    result: GameResult,
    /// The index of its opening.
    opening: Option<u16>,
}

/// A tag that many consecutive games have in common, so that its text is stored only once.
#[derive(Clone, Copy, Debug)]
enum SharedField {
    Event,
    Site,
}

/// A game in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed<'a> {
    /// Its offset in the file.
    pub offset: u64,
    pub white: &'a str,
    pub black: &'a str,
    pub date: &'a str,
    pub event: &'a str,
    /// Empty if it is the address of a page.
    pub site: &'a str,
    pub ratings: ByColor<Option<NonZeroU16>>,
    pub result: GameResult,
    /// Found from its moves, whatever its tags say.
    pub opening: Option<Opening<'static>>,
}

impl Listed<'_> {
    /// Whether a word of a search occurs in it.
    pub fn has(&self, word: &Word) -> bool {
        let texts = [self.white, self.black, self.date, self.event, self.site];
        texts.into_iter().any(|text| word.is_in(text))
            || word.is_in(self.result.as_str())
            || self.opening.is_some_and(|opening| {
                let names = [Some(opening.family), opening.variation];
                names.into_iter().flatten().any(|name| word.is_in(name))
                    || word.is_in(&opening.eco.to_string())
            })
    }
}

impl Batch {
    /// How many games there are.
    pub fn count(&self) -> usize {
        self.games.len()
    }

    pub fn get(&self, index: usize) -> Option<Listed<'_>> {
        let entry = self.games.get(index)?;
        let bounds = entry.bounds.map(|offset| offset as usize);
        let text = |at| {
            self.text
                .get(bounds[at]..bounds[at + 1])
                .unwrap_or_default()
        };
        let [white, black, date] = std::array::from_fn(text);
        let opening = |index| self.openings.get(usize::from(index)).copied();
        Some(Listed {
            offset: entry.offset,
            white,
            black,
            date,
            event: self.shared_text(entry, SharedField::Event),
            site: self.shared_text(entry, SharedField::Site),
            ratings: entry.ratings,
            result: entry.result,
            opening: entry.opening.and_then(opening),
        })
    }

    /// Whether a game of it has a rating.
    pub fn is_rated(&self) -> bool {
        let is_rated = |entry: &Entry| {
            Color::ALL
                .iter()
                .any(|&color| entry.ratings[color].is_some())
        };
        self.games.iter().any(is_rated)
    }

    fn shared_text(&self, entry: &Entry, field: SharedField) -> &str {
        let from = entry.shared[field as usize] as usize;
        let length = usize::from(entry.shared_lengths[field as usize]);
        self.text.get(from..from + length).unwrap_or_default()
    }

    /// Returns the offset of an event or a site in the text, to which it is added unless one of the latest games has the
    /// same.
    fn intern(&mut self, field: SharedField, text: &str) -> u32 {
        let mut latest = self.games.iter().rev().take(SHARING_DISTANCE);
        if let Some(entry) = latest.find(|entry| self.shared_text(entry, field) == text) {
            return entry.shared[field as usize];
        }
        let offset = self.text.len() as u32;
        self.text.push_str(text);
        offset
    }

    fn push(&mut self, game: &Listing) {
        // A batch has 512 times at most 5 short texts, which fits into 32 bits easily.
        let shared = [
            self.intern(SharedField::Event, &game.event),
            self.intern(SharedField::Site, &game.site),
        ];
        let mut bounds = [self.text.len() as u32; 4];
        for (end, text) in bounds[1..]
            .iter_mut()
            .zip([&game.white, &game.black, &game.date])
        {
            self.text.push_str(text);
            *end = self.text.len() as u32;
        }
        let opening = game.opening.map(|opening| self.opening_index(opening));
        self.games.push(Entry {
            offset: game.offset,
            bounds,
            shared,
            // They are shortened to less than 256 bytes.
            shared_lengths: [&game.event, &game.site].map(|text| text.len() as u8),
            ratings: game.ratings,
            result: game.result.unwrap_or(GameResult::Unknown),
            opening,
        });
    }

    /// Returns the index of an opening among those of the batch, to which it is added if it is not there yet.
    fn opening_index(&mut self, opening: Opening<'static>) -> u16 {
        let known = self.openings.iter().position(|&other| other == opening);
        let index = known.unwrap_or_else(|| {
            self.openings.push(opening);
            self.openings.len() - 1
        });
        // A batch has at most 512 games.
        index as u16
    }
}

fn shortened(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_NAME_LENGTH)]
}

/// Reads a file and passes its games to `send` in batches, until `stop` is set or `send` returns false because nobody
/// receives them anymore.
pub fn list(path: &Path, stop: &AtomicBool, mut send: impl FnMut(Batch) -> bool) -> io::Result<()> {
    let mut reader = Reader::new(ReadSource::new(open(path)?));
    let mut listing = Listing::default();
    while reader.read_game(&mut listing)?.is_some() {
        if stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        if listing.batch.count() == BATCH && !send(std::mem::take(&mut listing.batch)) {
            return Ok(());
        }
    }
    send(listing.batch);
    Ok(())
}

/// A game from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    pub record: Record,
    /// Its first error as a sentence.
    pub problem: Option<String>,
    /// Where its text is in the file, so that it can be written back; `None` if it cannot, as in a compressed file or
    /// one in another encoding.
    pub extent: Option<Extent>,
}

/// The bytes of a game's text in a file, without the white space after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    offset: u64,
    length: u64,
    /// A checksum of the bytes, because the file may have changed since.
    sum: u64,
}

impl Extent {
    /// The game that was read from one offset up to another.
    fn of(file: &mut File, offset: u64, end: u64) -> io::Result<Extent> {
        file.seek(SeekFrom::Start(offset))?;
        let mut text = Vec::new();
        file.take(end - offset).read_to_end(&mut text)?;
        let text = text.trim_ascii_end();
        Ok(Extent {
            offset,
            length: text.len() as u64,
            sum: BuildHasherDefault::<DefaultHasher>::new().hash_one(text),
        })
    }

    /// Whether the file still has the same bytes there.
    fn is_as_it_was(self, path: &Path) -> io::Result<bool> {
        let end = self.offset + self.length;
        let mut file = File::open(path)?;
        Ok(file.metadata()?.len() >= end && Extent::of(&mut file, self.offset, end)? == self)
    }
}

/// Why a game could not be read from a file, or not be written back.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameFileError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{}: there is no game.", .0.display())]
    NoGame(PathBuf),
    /// It is the output of the command `json`.
    #[error("{}: this is a game as JSON, which is not read; write it as PGN.", .0.display())]
    Json(PathBuf),
    /// Another program has changed it meanwhile.
    #[error(
        "{} was changed since the game was read, so it was left alone; write to another file.",
        paths::shown(.0)
    )]
    Changed(PathBuf),
    #[error(transparent)]
    NoThread(#[from] NoThread),
}

/// Replaces a game of a file with another text. The other games stay byte for byte.
pub fn put_back(
    path: &Path,
    extent: Extent,
    text: &str,
) -> Result<(Written, Extent), GameFileError> {
    let path = &paths::from_home(path);
    let failed = |error: io::Error| FileError::new(path, &error);
    if !extent.is_as_it_was(path).map_err(failed)? {
        return Err(GameFileError::Changed(path.clone()));
    }
    let text = text.trim_ascii_end();
    let end = extent.offset + extent.length;
    let written = text_file::replace_part(path, extent.offset..end, text)?;
    let end = extent.offset + text.len() as u64;
    let file = File::open(path).and_then(|mut file| Extent::of(&mut file, extent.offset, end));
    Ok((written, file.map_err(failed)?))
}

/// Whether two paths are the same file.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| paths::from_home(path).canonicalize().ok();
    real(one).is_some_and(|one| real(other) == Some(one))
}

/// Counts the games of a file, up to a limit.
pub fn count(path: &Path, most: usize) -> io::Result<usize> {
    let mut reader = Reader::new(ReadSource::new(open(&paths::from_home(path))?));
    let mut listing = Listing::default();
    let mut games = 0;
    while games < most && reader.read_game(&mut listing)?.is_some() {
        listing.batch = Batch::default();
        games += 1;
    }
    Ok(games)
}

/// Reads the game at an offset of a file.
pub fn open_at(path: &Path, offset: u64) -> Result<Opened, GameFileError> {
    if offset == 0 && is_own_json(path) {
        return Err(GameFileError::Json(path.to_owned()));
    }
    let read = read_at(path, offset).map_err(|error| FileError::new(path, &error))?;
    let (mut game, extent) = read.ok_or_else(|| GameFileError::NoGame(path.to_owned()))?;
    if let Some(error) = game.errors.first_mut().filter(|_| offset > 0) {
        let place = text_position(path, offset + error.place.offset());
        error.place = place.map_err(|error| FileError::new(path, &error))?;
    }
    let problem = game.errors.first().map(|error| match game.errors.len() {
        1 => error.to_string(),
        count => format!("{error} ({count} errors in all)"),
    });
    Ok(Opened {
        record: game.record,
        problem,
        extent,
    })
}

/// Reads a game, and where its text is, if the file is not compressed or in another encoding.
fn read_at(path: &Path, offset: u64) -> io::Result<Option<(PgnGame, Option<Extent>)>> {
    let mut file = File::open(path)?;
    if !input_file::is_plain(&mut file)? {
        // A compressed file, or one in another encoding, can only be read from its beginning.
        let mut bytes = open(path)?;
        io::copy(&mut (&mut bytes).take(offset), &mut io::sink())?;
        let game = RecordReader::from_read(&mut bytes).read()?;
        return Ok(game.map(|game| (game, None)));
    }
    file.seek(SeekFrom::Start(offset))?;
    let mut reader = RecordReader::from_read(&mut file);
    let Some(game) = reader.read()? else {
        return Ok(None);
    };
    let (begin, end) = (offset + game.offset, offset + reader.offset());
    let extent = Extent::of(&mut file, begin, end)?;
    Ok(Some((game, Some(extent))))
}

/// The line and column of an offset of a file.
fn text_position(path: &Path, offset: u64) -> io::Result<TextPosition> {
    let mut bytes = BufReader::new(open(path)?.take(offset));
    let mut place = TextPosition::START;
    loop {
        let read = bytes.fill_buf()?;
        if read.is_empty() {
            return Ok(place);
        }
        place.advance(read);
        let length = read.len();
        bytes.consume(length);
    }
}

/// Whether a file is a game that this program wrote as JSON.
fn is_own_json(path: &Path) -> bool {
    const BEGINNING: &[u8] = b"{\"start\":";
    let read = |mut file| input_file::beginning(&mut file, BEGINNING.len());
    File::open(path)
        .and_then(read)
        .is_ok_and(|bytes| bytes == BEGINNING)
}

/// Reads all games of a file in order.
pub fn all(path: &Path) -> io::Result<impl Iterator<Item = io::Result<Record>>> {
    let mut games = RecordReader::from_read(File::open(path)?);
    let next = move || Some(games.read().transpose()?.map(|game| game.record));
    Ok(std::iter::from_fn(next))
}

fn open(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    // The system's error for reading a folder is hard to understand.
    if path.is_dir() {
        return Err(io::Error::new(
            io::ErrorKind::IsADirectory,
            "this is a folder, and a file of games is needed",
        ));
    }
    input_file::text(File::open(path)?)
}

/// How many plies of a game are searched for the name of its opening. The standard names end at ply 28; a user's own may
/// be longer.
const OPENING_PLIES: u8 = 40;

/// Collects the tags of each game, finds its opening, and skips its other moves.
#[derive(Default)]
struct Listing {
    batch: Batch,
    offset: u64,
    white: String,
    black: String,
    date: String,
    event: String,
    site: String,
    ratings: ByColor<Option<NonZeroU16>>,
    result: Option<GameResult>,
    /// The current position, while the opening is being determined.
    position: Option<Position>,
    plies: u8,
    opening: Option<Opening<'static>>,
}

impl Visitor for Listing {
    type Output = ();
    type Stop = Infallible;

    fn begin_game(&mut self, offset: u64) -> ControlFlow<Infallible, Flow> {
        self.offset = offset;
        self.white.clear();
        self.black.clear();
        self.date.clear();
        self.event.clear();
        self.site.clear();
        self.ratings = ByColor::default();
        self.result = None;
        self.position = Some(Position::start());
        self.plies = 0;
        self.opening = None;
        ControlFlow::Continue(Flow::Read)
    }

    fn tag(&mut self, name: &[u8], value: Text<'_>) -> Response<Infallible> {
        let kept = match name {
            b"White" => &mut self.white,
            b"Black" => &mut self.black,
            b"Date" => &mut self.date,
            b"UTCDate" if self.date.is_empty() => &mut self.date,
            b"Event" => &mut self.event,
            b"Site" => &mut self.site,
            b"WhiteElo" | b"BlackElo" => {
                let color = if name[0] == b'W' {
                    Color::White
                } else {
                    Color::Black
                };
                self.ratings[color] = value.decode().trim().parse().ok();
                return ControlFlow::Continue(());
            }
            // Openings start from the standard position.
            b"FEN" => {
                self.position = None;
                return ControlFlow::Continue(());
            }
            _ => return ControlFlow::Continue(()),
        };
        let text = value.decode();
        match shortened(&text) {
            // Each game of an archive has an address of its own, which nobody types and which would fill the memory.
            address if address.contains("://") && name == b"Site" => kept.clear(),
            "?" => kept.clear(),
            known => known.clone_into(kept),
        }
        ControlFlow::Continue(())
    }

    fn end_tags(&mut self) -> ControlFlow<Infallible, Flow> {
        ControlFlow::Continue(match self.position {
            Some(_) => Flow::Read,
            None => Flow::Skip,
        })
    }

    fn san(&mut self, san: &[u8]) -> Response<Infallible> {
        if let Some(position) = self.position.take()
            && self.plies < OPENING_PLIES
            && let Ok(m) = position.parse_san_bytes(san)
        {
            let position = position.play_unchecked(m);
            self.opening = opening_names::known().lookup(&position).or(self.opening);
            self.plies += 1;
            self.position = Some(position);
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Infallible, Flow> {
        ControlFlow::Continue(Flow::Skip)
    }

    fn result(&mut self, result: GameResult) {
        self.result = Some(result);
    }

    fn end_game(&mut self) {
        // Taken out while it reads the rest of the listing.
        let mut batch = std::mem::take(&mut self.batch);
        batch.push(self);
        self.batch = batch;
    }
}

#[cfg(test)]
mod tests;
