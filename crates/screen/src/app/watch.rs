//! Watching a match: the state of its games. The watcher's actions are in `keys`.
//!
//! The match is played in threads of the runtime, by the same code as for `tabiya match`; here its events become what
//! is shown. Finished games are in a file of the match, and only those near the current one are also in memory.

mod draw;
mod keys;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use tabiya_front::matches::{self, Export, ExportForm, MatchSummary};
use tabiya_game::{GameResult, Record};
use tabiya_play::contest::{ByEntrant, End, Entrant, Event, Finished, Standing};
use tabiya_rules::{ByColor, Color, Move, Score};

use super::text_line::TextLine;
use crate::message::NotDone;

/// How many games of the file are also kept in memory. No screen shows as many boards.
const MAX_GAMES_IN_MEMORY: usize = 500;

/// How fast the moves can come: names, and the pause after each move, on top of the thinking time.
const SPEEDS: [(&str, Duration); 4] = [
    ("slow", Duration::from_millis(2000)),
    ("steady", Duration::from_millis(600)),
    ("fast", Duration::from_millis(120)),
    ("instant", Duration::ZERO),
];

/// The index of the speed of a new match.
const DEFAULT_SPEED: usize = 1;

/// A game of the match.
#[derive(Clone, Debug)]
pub(crate) struct Watched {
    pub(crate) number: u32,
    pub(crate) white: Entrant,
    /// The game, if it is in memory.
    pub(crate) record: Option<Record>,
    /// Where it begins in the file of the match, if it is there.
    place: Option<u64>,
    /// The evaluation of the player who moved last, from White's point of view.
    pub(crate) score: Option<Score>,
    pub(crate) left: ByColor<Option<Duration>>,
    /// How it ended, if it has.
    pub(crate) over: Option<(GameResult, String)>,
}

impl Watched {
    /// Creates a game without moves.
    fn new(number: u32, white: Entrant) -> Watched {
        Watched {
            number,
            white,
            record: None,
            place: None,
            score: None,
            left: ByColor::default(),
            over: None,
        }
    }
}

/// A match being watched.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    pub(crate) names: ByEntrant<String>,
    /// The number of games in the match.
    pub(crate) games: u32,
    /// The games so far, by their numbers.
    pub(crate) watched: BTreeMap<u32, Watched>,
    pub(crate) standing: Standing,
    /// The first player's wins, draws and losses, by who has White.
    by_white: ByEntrant<[u32; 3]>,
    pub(crate) end: Option<End>,
    /// The index of the speed.
    speed: usize,
    pub(crate) paused: bool,
    /// Whether several boards are shown.
    pub(crate) grid: bool,
    /// The current game; `None` follows the newest.
    pub(crate) chosen: Option<u32>,
    /// The typed number of a game to go to.
    pub(crate) typed: TextLine,
    /// Which games are being read again.
    awaited: BTreeSet<u32>,
    /// Which games that are only in memory were exported to another file as they are.
    exported: BTreeSet<u32>,
    /// Which of them are being exported.
    exporting: BTreeSet<u32>,
    /// The last message.
    said: Option<String>,
}

impl Watch {
    /// Begins to watch a match between these players.
    pub(crate) fn new(names: ByEntrant<String>, games: u32) -> Watch {
        Watch {
            names,
            games,
            speed: DEFAULT_SPEED,
            ..Watch::default()
        }
    }

    /// The current game.
    pub(crate) fn current(&self) -> Option<&Watched> {
        match self.chosen {
            Some(number) => self.watched.get(&number),
            None => self.watched.values().next_back(),
        }
    }

    /// The games of a grid with this many cells: the current one, all games in progress, and then those before and
    /// after it.
    pub(crate) fn shown(&self, places: usize) -> Vec<&Watched> {
        let last = self.current().map_or(0, |game| game.number);
        let games = || self.watched.values();
        let current = games().filter(|game| game.number == last);
        let played = games().filter(|game| game.over.is_none());
        let before = self.watched.range(..=last).rev().map(|(_, game)| game);
        let after = self.watched.range(last + 1..).map(|(_, game)| game);
        let mut shown: BTreeMap<u32, &Watched> = BTreeMap::new();
        for game in current.chain(played).chain(before).chain(after) {
            if shown.len() >= places {
                break;
            }
            shown.insert(game.number, game);
        }
        shown.into_values().collect()
    }

    pub(crate) fn player_name(&self, game: &Watched, color: Color) -> &str {
        let seat = match color {
            Color::White => game.white,
            Color::Black => !game.white,
        };
        &self.names[seat]
    }

    /// Whether the match is over.
    pub(crate) fn is_over(&self) -> bool {
        self.end.is_some()
    }

    /// Whether there are finished games that neither the file of the match nor a file of the user has.
    pub(crate) fn has_unsaved_games(&self) -> bool {
        self.finished_unstored()
            .any(|number| !self.exported.contains(&number))
    }

    /// The numbers of the finished games that are not in the file of the match yet.
    fn finished_unstored(&self) -> impl Iterator<Item = u32> {
        let games = self.unstored_games().map(|(game, _)| game);
        let ended = games.filter(|game| game.over.is_some() || self.is_over());
        ended.map(|game| game.number)
    }

    /// The games that are not in the file of the match yet, finished or not.
    fn unstored_games(&self) -> impl Iterator<Item = (&Watched, &Record)> {
        let outside = self.watched.values().filter(|game| game.place.is_none());
        let records = outside.filter_map(|game| Some((game, game.record.as_ref()?)));
        records.filter(|(game, record)| game.over.is_some() || !record.is_empty())
    }

    /// Shows a message.
    pub(super) fn say(&mut self, sentence: &str) {
        self.said = Some(sentence.to_owned());
    }

    /// Handles the end of an export.
    pub(super) fn end_export(&mut self, is_written: bool) {
        let exporting = std::mem::take(&mut self.exporting);
        if is_written {
            self.exported.extend(exporting);
        }
    }

    /// Records what has happened in the match.
    fn record_event(&mut self, event: Event) {
        match event {
            Event::GameStarted {
                game,
                white,
                played,
            } => {
                let mut record = Record::new(*played.start());
                for &opening in played.moves() {
                    add_move(&mut record, opening);
                }
                for (name, value) in [
                    ("Round", game.to_string()),
                    ("White", self.names[white].clone()),
                    ("Black", self.names[!white].clone()),
                ] {
                    // Only control characters in an engine's name are refused.
                    let _ = record.tags_mut().set(name, &value);
                }
                let watched = Watched {
                    record: Some(record),
                    ..Watched::new(game, white)
                };
                self.watched.insert(game, watched);
            }
            Event::Moved {
                game,
                played,
                score,
                left,
            } => {
                if let Some(watched) = self.watched.get_mut(&game)
                    && let Some(record) = &mut watched.record
                {
                    let mover = record.cursor().position().turn();
                    add_move(record, played);
                    watched.score = score.map(|score| score.for_white(mover));
                    watched.left = left;
                }
            }
            // It belongs to no game.
            Event::Overran { by, overrun } => {
                self.say(&matches::overran(&self.names[by], overrun));
            }
            Event::GameEnded(finished) => self.finish(*finished),
            Event::Score(standing) => self.standing = standing,
            Event::Over(end) => self.end = Some(end),
        }
    }

    /// Records the end of a game.
    fn finish(&mut self, finished: Finished) {
        let at = match finished.winner() {
            Some(Entrant::A) => 0,
            None => 1,
            Some(Entrant::B) => 2,
        };
        self.by_white[finished.white][at] += 1;
        let result = finished.record.result();
        let sentence = match &finished.fault {
            Some(fault) => format!("{} {}", finished.outcome, fault.cause),
            None => finished.outcome.to_string(),
        };
        let watched = self.watched.entry(finished.number);
        let watched = watched.or_insert_with(|| Watched::new(finished.number, finished.white));
        watched.record = Some(at_its_end(finished.record));
        watched.over = Some((result, sentence));
    }

    /// Keeps only games near the current one in memory, and those that are nowhere else.
    fn drop_distant_records(&mut self) {
        let here = self.current().map_or(0, |game| game.number);
        let is_whole = |game: &&mut Watched| game.place.is_some() && game.record.is_some();
        let mut whole: Vec<_> = self.watched.values_mut().filter(is_whole).collect();
        whole.sort_by_key(|game| game.number.abs_diff(here));
        for far in whole.into_iter().skip(MAX_GAMES_IN_MEMORY) {
            far.record = None;
        }
    }

    /// Records where a game is in the file of the match.
    fn mark_stored(&mut self, number: u32, at: u64) {
        if let Some(game) = self.watched.get_mut(&number) {
            game.place = Some(at);
        }
        self.drop_distant_records();
    }

    /// Puts a game that was read back into memory. If reading failed, it is requested again when it is next viewed.
    fn restore_record(&mut self, number: u32, read: Result<Box<Record>, NotDone>) {
        self.awaited.remove(&number);
        let record = match read {
            Ok(record) => *record,
            Err(error) => return self.say(&error.to_string()),
        };
        if let Some(game) = self.watched.get_mut(&number) {
            game.record = Some(at_its_end(record));
        }
        self.drop_distant_records();
    }

    /// Goes to the next or previous game. From the end on, the newest is followed again.
    pub(super) fn step(&mut self, by: i64) {
        let now = self.current().map_or(1, |game| game.number);
        let last = self.watched.keys().next_back().copied().unwrap_or(1);
        let there = (i64::from(now) + by).clamp(1, i64::from(last));
        let there = u32::try_from(there).unwrap_or(1);
        self.chosen = Some(there).filter(|&there| there != last);
    }

    /// Goes to a game by its number, if it exists.
    fn go_to(&mut self, number: u32) {
        if self.watched.contains_key(&number) {
            self.step(i64::from(number) - i64::from(self.current().map_or(1, |game| game.number)));
        } else {
            self.say(&format!("There is no game {number} yet."));
        }
    }

    /// The unfinished games that are not in the file of the match, with their numbers.
    pub(crate) fn unfinished(&self) -> Vec<(u32, Record)> {
        let going_on = self
            .unstored_games()
            .filter(|(game, _)| game.over.is_none());
        going_on.map(numbered).collect()
    }

    /// An export to a separate file.
    fn export(&mut self, path: PathBuf, form: ExportForm) -> Export {
        self.exporting = self.finished_unstored().collect();
        let rest = self.unstored_games().map(numbered).collect();
        Export { path, form, rest }
    }

    /// The score, which is written with the games.
    fn summary(&self) -> MatchSummary {
        let standing = &self.standing;
        MatchSummary {
            a: self.names.a.clone(),
            b: self.names.b.clone(),
            wins: standing.wins,
            draws: standing.draws,
            losses: standing.losses,
            as_white: self.by_white.a,
            as_black: self.by_white.b,
        }
    }
}

/// A game with its number, to be stored.
fn numbered((game, record): (&Watched, &Record)) -> (u32, Record) {
    (game.number, record.clone())
}

/// A game at its end.
fn at_its_end(mut record: Record) -> Record {
    let end = record.main_line_end().id();
    record.go_to(end);
    record
}

/// Adds a move at the end of a game.
fn add_move(record: &mut Record, played: Move) {
    let here = record.cursor().id();
    // A move of the match is legal.
    if let Ok(there) = record.add(here, played) {
        record.go_to(there);
    }
}
