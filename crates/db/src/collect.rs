//! A PGN visitor that turns each game into a row and its positions into entries.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Arc;

use tabiya_game::pgn::{self, Flow, PgnError, Response, Text, Visitor};
use tabiya_game::{GameResult, Step};
use tabiya_rules::Position;

use crate::entry::Entry;
use crate::facts::Speed;
use crate::game_row::{Game, Line, complete, start_fen, text};
use crate::move_code::MoveCode;
use crate::partition::Scope;

/// How many bytes of tags without a column are kept for each game.
const OTHER_TAGS: usize = 1 << 14;

/// Consecutive games with their positions, ready to be sorted.
#[derive(Debug, Default)]
pub struct Batch {
    pub(crate) games: Vec<(u64, Game)>,
    pub(crate) entries: Vec<Entry>,
    /// How many games were read, including those that belong to other shares.
    pub(crate) read: u64,
    /// The byte offset of the last game that was begun.
    pub(crate) last: Option<u64>,
    /// How many errors the games have.
    pub errors: u64,
    /// The file that they were read from.
    pub(crate) source: Arc<str>,
}

impl Batch {
    /// Whether it is large enough to be passed on.
    #[must_use]
    pub fn is_large(&self) -> bool {
        self.entries.len() >= 1 << 13 || self.games.len() >= 1 << 10
    }

    /// How many games were read.
    #[must_use]
    pub fn read(&self) -> u64 {
        self.read
    }

    /// Adds a game and its positions.
    pub(crate) fn push(&mut self, game: Game, line: &Line, scope: &Scope) {
        let sequence = self.read;
        self.read += 1;
        let facts = game.facts();
        for place in &line.places {
            let counts = scope.full || place.code != MoveCode::NONE;
            if counts && scope.holds(place.key.hash) {
                self.entries.push(Entry::new(
                    place.key, place.code, game.id, sequence, place.ply, &facts,
                ));
            }
        }
        if scope.holds(game.id) {
            self.games.push((sequence, game));
        }
    }
}

/// Which games of a file are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadFrom {
    /// All of them.
    Beginning,
    /// Those that begin after this offset; an interrupted build has read the others.
    Behind(u64),
}

/// A [`Visitor`] behind a [`Replay`](pgn::Replay) that collects the games of a file.
#[derive(Debug)]
pub struct Collector {
    scope: Scope,
    from: ReadFrom,
    source: Arc<str>,
    game: Game,
    other_tags: BTreeMap<String, String>,
    other_bytes: usize,
    utc_date: Option<String>,
    line: Line,
    is_skipped: bool,
    /// Whether the remaining moves do not count, because one is missing.
    is_cut: bool,
    batch: Batch,
}

impl Collector {
    /// A collector for the games of a file that has this name.
    #[must_use]
    pub fn new(scope: Scope, source: &str, from: ReadFrom) -> Collector {
        let source: Arc<str> = source.into();
        Collector {
            scope,
            from,
            source: source.clone(),
            game: Game::default(),
            other_tags: BTreeMap::new(),
            other_bytes: 0,
            utc_date: None,
            line: Line::default(),
            is_skipped: false,
            is_cut: false,
            batch: Batch {
                source,
                ..Batch::default()
            },
        }
    }

    /// Takes what was collected so far.
    pub fn take(&mut self) -> Batch {
        let empty = Batch {
            source: self.source.clone(),
            ..Batch::default()
        };
        std::mem::replace(&mut self.batch, empty)
    }

    /// Whether enough was collected to be passed on.
    #[must_use]
    pub fn is_large(&self) -> bool {
        self.batch.is_large()
    }

    /// Adds a tag that has no column of its own to the others.
    fn other_tag(&mut self, name: &[u8], value: Text<'_>) {
        let (Ok(name), value) = (str::from_utf8(name), value.decode()) else {
            return;
        };
        self.other_bytes += name.len() + value.len();
        if self.other_bytes <= OTHER_TAGS {
            self.other_tags.insert(name.to_owned(), value.into_owned());
        }
    }

    /// Adds the game, if it belongs to the database.
    fn finish(&mut self) {
        let game = &mut self.game;
        let date = std::mem::take(&mut self.utc_date);
        if year(game.date.as_deref()).is_none() && date.is_some() {
            game.date = date;
        }
        game.year = year(game.date.as_deref());
        game.source = self.source.as_ref().into();
        if !self.other_tags.is_empty() {
            // A map of strings can always be written as JSON.
            game.tags = serde_json::to_string(&self.other_tags).ok();
        }
        complete(game, &mut self.line);
        let game = std::mem::take(game);
        self.batch.push(game, &self.line, &self.scope);
    }
}

impl Visitor for Collector {
    type Output = ();
    type Stop = Infallible;

    fn begin_game(&mut self, offset: u64) -> ControlFlow<Infallible, Flow> {
        self.is_skipped = match self.from {
            ReadFrom::Beginning => false,
            ReadFrom::Behind(place) => offset <= place,
        };
        if self.is_skipped {
            return ControlFlow::Continue(Flow::Skip);
        }
        self.batch.last = Some(offset);
        self.game.offset = offset;
        self.other_tags.clear();
        self.other_bytes = 0;
        self.utc_date = None;
        self.is_cut = false;
        self.line.begin(&Position::start());
        ControlFlow::Continue(Flow::Read)
    }

    fn tag(&mut self, name: &[u8], value: Text<'_>) -> Response<Infallible> {
        let game = &mut self.game;
        let place = match name {
            b"White" => &mut game.white,
            b"Black" => &mut game.black,
            b"Event" => &mut game.event,
            b"Site" => &mut game.site,
            b"Round" => &mut game.round,
            b"Date" => &mut game.date,
            b"UTCDate" => &mut self.utc_date,
            b"ECO" => &mut game.eco,
            b"TimeControl" => {
                let value = value.decode();
                game.speed = Speed::from_pgn(&value);
                // In this tag a dash has a meaning.
                game.time_control = text(&value).or_else(|| game.speed.map(|_| "-".to_owned()));
                return ControlFlow::Continue(());
            }
            b"WhiteElo" => {
                game.white_elo = rating(&value.decode());
                return ControlFlow::Continue(());
            }
            b"BlackElo" => {
                game.black_elo = rating(&value.decode());
                return ControlFlow::Continue(());
            }
            b"Result" => {
                game.result = pgn::parse_result(value).unwrap_or_default();
                return ControlFlow::Continue(());
            }
            // The start position has their values.
            b"FEN" | b"SetUp" => return ControlFlow::Continue(()),
            _ => {
                self.other_tag(name, value);
                return ControlFlow::Continue(());
            }
        };
        *place = text(&value.decode());
        ControlFlow::Continue(())
    }

    fn start(&mut self, position: &Position) {
        self.game.fen = start_fen(position);
        self.line.begin(position);
    }

    fn step(&mut self, before: &Position, step: Step, after: &Position) -> Response<Infallible> {
        match step {
            Step::Move(m) if !self.is_cut => self.line.play(before, m, after),
            Step::Move(_) => {}
            Step::Null => self.is_cut = true,
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Infallible, Flow> {
        ControlFlow::Continue(Flow::Skip)
    }

    fn result(&mut self, result: GameResult) {
        if self.game.result == GameResult::Unknown {
            self.game.result = result;
        }
    }

    fn error(&mut self, _: PgnError) {
        if !self.is_skipped {
            self.batch.errors += 1;
            self.is_cut = true;
        }
    }

    fn end_game(&mut self) {
        if !self.is_skipped {
            self.finish();
        }
    }
}

/// The year at the beginning of a date.
fn year(date: Option<&str>) -> Option<u16> {
    let digits = date?.get(..4)?;
    let is_year = digits.bytes().all(|byte| byte.is_ascii_digit());
    let year = is_year.then(|| digits.parse().ok()).flatten();
    year.filter(|&year| year > 0)
}

/// A rating, if it is plausible.
fn rating(text: &str) -> Option<u16> {
    let rating = text.trim().parse().ok()?;
    (1..10_000).contains(&rating).then_some(rating)
}
