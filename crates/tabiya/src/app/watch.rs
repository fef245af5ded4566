//! Watching a match: what is known of its games, and what the watcher does about them.
//!
//! The match itself goes on in threads of the runtime, the same engine room that `tabiya match` uses; here its events
//! become what is shown, and keys become effects that pace or stop it.

use std::collections::BTreeMap;
use std::time::Duration;

use ratatui::crossterm::event::{KeyCode, KeyEvent};
use tabiya_game::{GameResult, Record, pgn};
use tabiya_rules::{ByColor, Color, Move};
use tabiya_uci::ScoreValue;

use super::dialog::{Act, Dialog};
use super::key_map::{Does, FAR};
use super::review::Origin;
use super::{App, Overlay, Screen, Sheet};
use crate::contest::{ByEntrant, End, Entrant, Event, Finished, Pace, Standing};
use crate::game_json;
use crate::json::Json;
use crate::message::Effect;
use crate::room::PlayerSpec;

/// What match is to be watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MatchWish {
    pub(crate) players: ByEntrant<PlayerSpec>,
    pub(crate) games: u32,
    pub(crate) pace: Pace,
}

/// How fast the moves come. Thinking takes its own time; this is what is waited after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Speed {
    Slow,
    #[default]
    Steady,
    Fast,
    Instant,
}

impl Speed {
    const ALL: [Speed; 4] = [Speed::Slow, Speed::Steady, Speed::Fast, Speed::Instant];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Speed::Slow => "slow",
            Speed::Steady => "steady",
            Speed::Fast => "fast",
            Speed::Instant => "instant",
        }
    }

    fn delay(self) -> Duration {
        Duration::from_millis(match self {
            Speed::Slow => 2000,
            Speed::Steady => 600,
            Speed::Fast => 120,
            Speed::Instant => 0,
        })
    }

    /// The next one in a direction; the ends hold.
    fn step(self, faster: bool) -> Speed {
        let at = Speed::ALL
            .iter()
            .position(|&known| known == self)
            .unwrap_or(0);
        let at = if faster { at + 1 } else { at.saturating_sub(1) };
        Speed::ALL.get(at).copied().unwrap_or(Speed::Instant)
    }
}

/// How the runtime lets a match go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pacing {
    pub(crate) paused: bool,
    /// Whether one more move may come although it is paused.
    pub(crate) step: bool,
    pub(crate) delay: Duration,
}

/// A game of the match.
#[derive(Clone, Debug)]
pub(crate) struct Watched {
    pub(crate) number: u32,
    pub(crate) white: Entrant,
    pub(crate) record: Record,
    /// What the mover of the last move thinks of it, from White's side.
    pub(crate) score: Option<ScoreValue>,
    pub(crate) left: ByColor<Option<Duration>>,
    /// How it ended, if it has.
    pub(crate) over: Option<(GameResult, String)>,
}

/// A match that is watched.
#[derive(Debug)]
pub(crate) struct Watch {
    pub(crate) names: ByEntrant<String>,
    /// How many games there are to be.
    pub(crate) games: u32,
    /// The games so far, by their numbers.
    pub(crate) watched: BTreeMap<u32, Watched>,
    pub(crate) standing: Standing,
    /// The first player's wins, draws and losses with each color.
    pub(crate) by_color: ByColor<[u32; 3]>,
    pub(crate) end: Option<End>,
    pub(crate) speed: Speed,
    pub(crate) paused: bool,
    /// Whether several boards are shown.
    pub(crate) grid: bool,
    /// How many games were over when they were last written to a file.
    pub(crate) exported: u32,
    /// The game that is looked at; `None` follows the newest.
    pub(crate) chosen: Option<u32>,
}

impl Watch {
    pub(crate) fn new(names: ByEntrant<String>, games: u32) -> Watch {
        Watch {
            names,
            games,
            watched: BTreeMap::new(),
            standing: Standing::new(None),
            by_color: ByColor::default(),
            end: None,
            speed: Speed::default(),
            paused: false,
            grid: false,
            exported: 0,
            chosen: None,
        }
    }

    /// The game that is looked at.
    pub(crate) fn current(&self) -> Option<&Watched> {
        match self.chosen {
            Some(number) => self.watched.get(&number),
            None => self.watched.values().next_back(),
        }
    }

    /// The games of a grid with so many places: the one that is looked at, and those before it.
    pub(crate) fn shown(&self, places: usize) -> Vec<&Watched> {
        let last = self.current().map_or(0, |game| game.number);
        let mut games: Vec<&Watched> = self
            .watched
            .range(..=last)
            .rev()
            .take(places)
            .map(|(_, game)| game)
            .collect();
        let after = self
            .watched
            .range(last + 1..)
            .take(places - games.len().min(places));
        games.reverse();
        games.extend(after.map(|(_, game)| game));
        games
    }

    pub(crate) fn name(&self, game: &Watched, color: Color) -> &str {
        let seat = match color {
            Color::White => game.white,
            Color::Black => !game.white,
        };
        &self.names[seat]
    }

    pub(crate) fn is_over(&self) -> bool {
        self.end.is_some()
    }

    /// Whether games are over that no file has.
    pub(crate) fn has_unsaved_games(&self) -> bool {
        self.standing.games() > self.exported
    }

    fn pacing(&self, step: bool) -> Pacing {
        Pacing {
            paused: self.paused,
            step,
            delay: self.speed.delay(),
        }
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::GameStarted {
                game,
                white,
                played,
            } => {
                let mut record = Record::new(*played.start());
                for &opening in played.moves() {
                    add(&mut record, opening);
                }
                let watched = Watched {
                    number: game,
                    white,
                    record,
                    score: None,
                    left: ByColor::default(),
                    over: None,
                };
                self.watched.insert(game, watched);
            }
            Event::Moved {
                game,
                played,
                score,
                left,
            } => {
                if let Some(watched) = self.watched.get_mut(&game) {
                    let mover = watched.record.cursor().position().turn();
                    add(&mut watched.record, played);
                    watched.score = score.map(|score| for_white(mover, score));
                    watched.left = left;
                }
            }
            Event::GameEnded(finished) => self.finish(*finished),
            Event::Score(standing) => self.standing = standing,
            Event::Over(end) => self.end = Some(end),
        }
    }

    fn finish(&mut self, finished: Finished) {
        let color = match finished.white {
            Entrant::A => Color::White,
            Entrant::B => Color::Black,
        };
        let at = match finished.winner() {
            Some(Entrant::A) => 0,
            None => 1,
            Some(Entrant::B) => 2,
        };
        self.by_color[color][at] += 1;
        let result = finished.record.result();
        let sentence = match &finished.fault {
            Some(fault) => format!("{} {}", finished.outcome, fault.sentence),
            None => finished.outcome.to_string(),
        };
        let mut record = finished.record;
        let end = record.main_line_end().id();
        record.go_to(end);
        let before = self.watched.remove(&finished.number);
        let watched = Watched {
            number: finished.number,
            white: finished.white,
            record,
            score: before.as_ref().and_then(|before| before.score),
            left: before.map_or_else(ByColor::default, |before| before.left),
            over: Some((result, sentence)),
        };
        self.watched.insert(finished.number, watched);
    }

    /// Looks at a neighbor of the game that is looked at. The newest is followed again from the end on.
    pub(super) fn step(&mut self, by: i64) {
        let now = self.current().map_or(1, |game| game.number);
        let last = self.watched.keys().next_back().copied().unwrap_or(1);
        let there = (i64::from(now) + by).clamp(1, i64::from(last));
        let there = u32::try_from(there).unwrap_or(1);
        self.chosen = Some(there).filter(|&there| there != last);
    }

    /// Everything that was played, one game after the other.
    pub(crate) fn pgn(&self) -> String {
        let over = self.watched.values().filter(|game| game.over.is_some());
        let texts: Vec<String> = over
            .map(|game| pgn::to_string(&game.record, pgn::Format::Export))
            .collect();
        texts.join("\n")
    }

    /// The score and the games as JSON.
    pub(crate) fn json(&self) -> String {
        let standing = &self.standing;
        let by = |color: Color| Json::from(self.by_color[color].to_vec());
        let over = self.watched.values().filter(|game| game.over.is_some());
        Json::Object(vec![
            ("a", self.names.a.clone().into()),
            ("b", self.names.b.clone().into()),
            ("wins", standing.wins.into()),
            ("draws", standing.draws.into()),
            ("losses", standing.losses.into()),
            ("as_white", by(Color::White)),
            ("as_black", by(Color::Black)),
            (
                "games",
                Json::List(over.map(|game| game_json::json(&game.record)).collect()),
            ),
        ])
        .to_string()
    }
}

/// A score of the mover, from White's side.
fn for_white(mover: Color, score: ScoreValue) -> ScoreValue {
    match (mover, score) {
        (Color::White, score) => score,
        (Color::Black, ScoreValue::Centipawns(points)) => ScoreValue::Centipawns(-points),
        (Color::Black, ScoreValue::Mate(moves)) => ScoreValue::Mate(-moves),
    }
}

fn add(record: &mut Record, played: Move) {
    let here = record.cursor().id();
    // A move that the match has made is legal.
    if let Ok(there) = record.add(here, played) {
        record.go_to(there);
    }
}

impl App {
    /// Asks for a match, unless another one goes on.
    pub(super) fn start_match(&mut self, wish: MatchWish) -> Vec<Effect> {
        if self.watch.as_ref().is_some_and(|watch| !watch.is_over()) {
            self.screen = Screen::Match;
            self.say_in_match("A match goes on. Stop it with x before another begins.");
            return Vec::new();
        }
        if self.watch.as_ref().is_some_and(Watch::has_unsaved_games) {
            let title = "The last match has games that no file has. Forget them?";
            self.ask(Dialog::forget(title, Act::StartMatch(Box::new(wish))));
            return Vec::new();
        }
        vec![Effect::StartMatch(Box::new(wish))]
    }

    /// The match was started, or why it cannot be.
    pub(super) fn match_started(&mut self, started: Result<(ByEntrant<String>, u32), String>) {
        match started {
            Ok((names, games)) => {
                self.watch = Some(Watch::new(names, games));
                self.said_in_match = None;
                self.overlay = None;
                self.screen = Screen::Match;
            }
            Err(sentence) => {
                self.overlay = Some(Overlay::Text(Sheet {
                    title: "The match cannot begin",
                    lines: vec![sentence],
                    scroll: 0,
                }));
            }
        }
    }

    pub(super) fn match_event(&mut self, event: Event) {
        if let Some(watch) = &mut self.watch {
            watch.take(event);
        }
    }

    pub(super) fn say_in_match(&mut self, sentence: &str) {
        self.said_in_match = Some(sentence.to_owned());
    }

    pub(super) fn match_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let Some(watch) = &mut self.watch else {
            self.screen = Screen::Home;
            return Vec::new();
        };
        self.said_in_match = None;
        match key.code {
            KeyCode::Esc => {
                self.screen = Screen::Home;
                self.home = 0;
            }
            KeyCode::Left | KeyCode::Up => watch.step(-1),
            KeyCode::Right | KeyCode::Down => watch.step(1),
            KeyCode::PageUp => watch.step(-10),
            KeyCode::PageDown => watch.step(10),
            KeyCode::Home => watch.step(i64::MIN / 2),
            KeyCode::End => watch.chosen = None,
            KeyCode::Tab | KeyCode::Char('g') => watch.grid = !watch.grid,
            KeyCode::Char('+' | '=') => {
                return self.pace_match(|watch| watch.speed = watch.speed.step(true));
            }
            KeyCode::Char('-') => {
                return self.pace_match(|watch| watch.speed = watch.speed.step(false));
            }
            KeyCode::Char(' ') => return self.pace_match(|watch| watch.paused = !watch.paused),
            KeyCode::Enter => self.open_watched(),
            KeyCode::Char('x') => self.ask_to_stop(),
            _ => return self.match_shortcut(key),
        }
        Vec::new()
    }

    /// The keys that mean on this screen what they mean on the board.
    fn match_shortcut(&mut self, key: KeyEvent) -> Vec<Effect> {
        match self.keys.find(key).map(|(_, shortcut)| shortcut.does) {
            Some(Does::Run("pause")) => self.pace_match(|watch| watch.paused = !watch.paused),
            Some(Does::Walk(1)) => self.step_match(),
            Some(Does::Palette) => {
                self.open_palette();
                Vec::new()
            }
            Some(Does::Run(line @ ("help" | "theme" | "flip"))) => self.run(line),
            _ => Vec::new(),
        }
    }

    fn pace_match(&mut self, change: impl FnOnce(&mut Watch)) -> Vec<Effect> {
        let Some(watch) = &mut self.watch else {
            return Vec::new();
        };
        change(watch);
        vec![Effect::PaceMatch(watch.pacing(false))]
    }

    /// Lets one move come, and waits then.
    fn step_match(&mut self) -> Vec<Effect> {
        let Some(watch) = &mut self.watch else {
            return Vec::new();
        };
        watch.paused = true;
        vec![Effect::PaceMatch(watch.pacing(true))]
    }

    fn ask_to_stop(&mut self) {
        let over = self.watch.as_ref().is_none_or(Watch::is_over);
        if over {
            self.say_in_match("The match is over.");
        } else {
            let title = "Stop the match? What was played is kept.".to_owned();
            self.ask(Dialog::yes_or_no(title, Act::StopMatch).at_no());
        }
    }

    /// Opens the game that is looked at in a review of its own.
    fn open_watched(&mut self) {
        let Some(game) = self.watch.as_ref().and_then(Watch::current) else {
            return;
        };
        let (number, record) = (game.number, game.record.clone());
        if self.open_review(record, Origin::Match(number)) {
            self.walk(FAR);
        }
    }
}
