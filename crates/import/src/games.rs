//! The games in a text, and whole games out of a stream.

use std::convert::Infallible;
use std::io::{self, ErrorKind, Read};
use std::ops::{ControlFlow, Range};

use tabiya_game::GameResult;
use tabiya_game::pgn::{self, Flow, Reader, Response, Text, Visitor};

use crate::month::{Month, moment};

/// What a text has of one game.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Where it is in the text.
    pub(crate) range: Range<usize>,
    /// What the site calls it; `None` if it does not say.
    pub(crate) id: Option<String>,
    /// When it began.
    pub(crate) moment: Option<(Month, i64)>,
    /// Whether it is a variant that this program does not play.
    pub(crate) is_variant: bool,
    /// Whether it has its end.
    pub(crate) is_whole: bool,
}

/// The games in a text, without playing their moves.
pub(crate) fn games(text: &[u8]) -> Vec<Found> {
    let mut reader = Reader::new(text);
    let mut scan = Scan::default();
    let mut found: Vec<Found> = Vec::new();
    while let Ok(Some(game)) = reader.read_game(&mut scan) {
        if let Some(before) = found.last_mut() {
            before.range.end = game.range.start;
        }
        found.push(game);
    }
    if let Some(last) = found.last_mut() {
        last.range.end = text.len();
    }
    found
}

/// Collects what the tags say.
#[derive(Debug, Default)]
struct Scan {
    found: Found,
    link: Option<String>,
    date: String,
    time: String,
}

impl Visitor for Scan {
    type Output = Found;
    type Stop = Infallible;

    fn begin_game(&mut self, offset: u64) -> ControlFlow<Infallible, Flow> {
        *self = Scan::default();
        self.found.range.start = usize::try_from(offset).unwrap_or(usize::MAX);
        ControlFlow::Continue(Flow::Read)
    }

    fn tag(&mut self, name: &[u8], value: Text<'_>) -> Response<Infallible> {
        let value = value.decode();
        match name {
            b"Site" => self.found.id = id(&value),
            b"Link" => self.link = id(&value),
            b"UTCDate" => self.date = value.into_owned(),
            b"UTCTime" => self.time = value.into_owned(),
            b"Variant" => {
                let played = ["Standard", "Chess960", "From Position"];
                self.found.is_variant = !played.contains(&&*value);
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn end_tags(&mut self) -> ControlFlow<Infallible, Flow> {
        ControlFlow::Continue(Flow::Skip)
    }

    fn result(&mut self, _: GameResult) {
        self.found.is_whole = true;
    }

    fn end_game(&mut self) -> Found {
        let mut found = std::mem::take(&mut self.found);
        found.id = found.id.or_else(|| self.link.take());
        found.moment = moment(&self.date, &self.time);
        found
    }
}

/// The last part of an address, which is what a site calls a game.
pub(crate) fn id(address: &str) -> Option<String> {
    let path = address.strip_prefix("https://")?;
    let (_, last) = path.rsplit_once('/')?;
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let is_id = !last.is_empty() && last.len() <= 40 && last.chars().all(fits);
    is_id.then(|| last.to_owned())
}

/// The most bytes of one game.
const MAX_GAME: usize = 1 << 20;

/// A stream of games, from which whole ones are taken as they arrive.
#[derive(Debug)]
pub(crate) struct Stream<R> {
    reader: R,
    held: Vec<u8>,
    end: Option<io::Result<()>>,
}

/// What is between two reads of a stream.
#[derive(Debug)]
pub(crate) enum Arrived {
    /// Games, the last of which may be cut where the stream ends.
    Games(Vec<u8>),
    /// More than a game can have, and none in it.
    Nonsense,
}

impl<R: Read> Stream<R> {
    pub(crate) fn new(reader: R) -> Stream<R> {
        Stream {
            reader,
            held: Vec::new(),
            end: None,
        }
    }

    /// The next games; `None` at the end. An error comes after the games before it.
    pub(crate) fn next(&mut self) -> io::Result<Option<Arrived>> {
        let mut buffer = vec![0; 1 << 16];
        while self.end.is_none() {
            match self.reader.read(&mut buffer) {
                Ok(0) => self.end = Some(Ok(())),
                Ok(count) => self.held.extend(buffer.iter().take(count)),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => self.end = Some(Err(error)),
            }
            if let Some(cut) = pgn::last_game(&self.held) {
                let rest = self.held.split_off(cut);
                let games = std::mem::replace(&mut self.held, rest);
                return Ok(Some(Arrived::Games(games)));
            }
            if self.held.len() > MAX_GAME {
                return Ok(Some(Arrived::Nonsense));
            }
        }
        if self.held.is_empty() {
            return self.end.take().unwrap_or(Ok(())).map(|()| None);
        }
        Ok(Some(Arrived::Games(std::mem::take(&mut self.held))))
    }
}
