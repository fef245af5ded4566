//! What a watcher does about a match: keys become effects that pace it, stop it and write it to files.

use std::path::PathBuf;

use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::{Rect, Size};
use tabiya_game::Record;
use tabiya_play::contest::{ByEntrant, Event};
use tabiya_play::request::Target;
use tabiya_store::paths;

use super::super::dialog::{Act, Dialog};
use super::super::review::Origin;
use super::super::{App, Overlay, Screen, Sheet};
use super::Watch;
use crate::commands::FileCommand;
use crate::key_map::{Does, FAR};
use crate::matches::{self, ExportForm, MatchError, MatchOrder};
use crate::message::{MatchEffect, MatchFileError, MatchMessage};

/// The room that a board of a grid takes: squares of two cells, a line above and one below, and some air.
const PLACE: Size = Size::new(18, 11);

impl App {
    /// Asks for a match, unless another one goes on.
    pub(in crate::app) fn start_match(&mut self, wish: MatchOrder) {
        if self.watch.as_ref().is_some_and(|watch| !watch.is_over()) {
            self.screen = Screen::Match;
            self.say_in_match("A match goes on. Stop it with x before another begins.");
            return;
        }
        if self.watch.as_ref().is_some_and(Watch::has_unsaved_games) {
            let title = "The last match has games that no file has. Forget them?";
            self.ask(Dialog::forget(title, Act::StartMatch(Box::new(wish))));
            return;
        }
        self.effects.push(MatchEffect::Start(Box::new(wish)));
    }

    /// Takes in what there is to know about a match.
    pub(crate) fn take_match(&mut self, message: MatchMessage) {
        match message {
            MatchMessage::Started(started) => self.match_started(started),
            MatchMessage::Event(event) => self.match_event(*event),
            MatchMessage::Kept { game, at } => self.match_kept(game, at),
            MatchMessage::File(file) => self.match_file(file),
            MatchMessage::Game(number, read) => self.match_game(number, read),
        }
    }

    /// The match was started, or why it cannot be.
    fn match_started(&mut self, started: Result<(ByEntrant<String>, u32), MatchError>) {
        match started {
            Ok((names, games)) => {
                self.watch = Some(Watch::new(names, games));
                self.said_in_match = None;
                self.overlay = None;
                self.screen = Screen::Match;
            }
            Err(error) => {
                self.overlay = Some(Overlay::Text(Sheet {
                    title: "The match cannot begin",
                    lines: vec![error.to_string()],
                    scroll: 0,
                }));
            }
        }
    }

    fn match_event(&mut self, event: Event) {
        if let (Event::Overran { by, overrun }, Some(watch)) = (&event, &self.watch) {
            let sentence = matches::overran(&watch.names[*by], *overrun);
            self.say_in_match(&sentence);
        }
        let is_over = matches!(event, Event::Over(_));
        let Some(watch) = &mut self.watch else {
            return;
        };
        watch.take(event);
        if is_over {
            self.effects.push(MatchEffect::Keep(watch.unfinished()));
        }
    }

    /// What is to be kept of a match when the program is left in the middle of it.
    pub(crate) fn unfinished_match(&self) -> Vec<(u32, Record)> {
        self.watch.as_ref().map_or_else(Vec::new, Watch::unfinished)
    }

    /// A game was kept in the file of the match, or why not.
    fn match_kept(&mut self, game: u32, at: Result<u64, MatchFileError>) {
        match (at, &mut self.watch) {
            (Ok(at), Some(watch)) => watch.keep(game, at),
            (Err(error), Some(_)) => self.match_not_kept(&error),
            (_, None) => {}
        }
    }

    fn match_not_kept(&mut self, error: &MatchFileError) {
        self.say_in_match(&format!(
            "The games are not kept: {error} They can be written with :pgn FILE."
        ));
    }

    /// The match has a file, or why the last games are not in it.
    fn match_file(&mut self, file: Result<PathBuf, MatchFileError>) {
        match file {
            Err(error) => self.match_not_kept(&error),
            Ok(path) => {
                self.said_in_match = Some(format!("Kept as {}.", paths::shown(&path)));
            }
        }
    }

    /// A game of the match was read again, or why it cannot be.
    fn match_game(&mut self, number: u32, read: Result<Box<Record>, MatchFileError>) {
        match (read, &mut self.watch) {
            (Ok(record), Some(watch)) => watch.bring_back(number, *record),
            (Err(error), Some(watch)) => {
                watch.give_up(number);
                self.say_in_match(&error.to_string());
            }
            (_, None) => {}
        }
    }

    /// Writes the match to a file, if that is what is asked for. Returns whether it was.
    pub(in crate::app) fn export_match(&mut self, command: &FileCommand) -> bool {
        let watch = self.watch.as_mut();
        let Some(watch) = watch.filter(|_| self.screen == Screen::Match) else {
            return false;
        };
        let (path, form) = match command {
            FileCommand::Pgn(Some(path)) => (path, ExportForm::Pgn),
            FileCommand::Json(Some(path)) => (path, ExportForm::Json(watch.json())),
            _ => return false,
        };
        let export = watch.export(path.clone(), form);
        self.effects.push(MatchEffect::Export(Box::new(export)));
        true
    }

    /// Where the boards of a grid go.
    pub(crate) fn match_places(&self) -> Vec<Rect> {
        let size = self.size;
        // Where there is no room for a line above the board, the boards begin at the top.
        let top = self.layout().map_or(0, |layout| layout.header.height);
        let room = Size::new(size.width, size.height.saturating_sub(6));
        let (columns, rows) = (room.width / PLACE.width, room.height / PLACE.height);
        let columns = columns.max(1);
        (0..rows.max(1))
            .flat_map(|down| (0..columns).map(move |right| (right, down)))
            .map(|(right, down)| {
                Rect::new(
                    right * PLACE.width + 1,
                    top + down * PLACE.height,
                    PLACE.width - 2,
                    PLACE.height,
                )
            })
            .collect()
    }

    /// The numbers of the games that are on the screen.
    fn visible_games(&self) -> Vec<u32> {
        let Some(watch) = &self.watch else {
            return Vec::new();
        };
        let games = if watch.grid {
            watch.shown(self.match_places().len())
        } else {
            watch.current().into_iter().collect()
        };
        games.iter().map(|game| game.number).collect()
    }

    /// Asks for the games on the screen that are not in memory.
    pub(in crate::app) fn read_match(&mut self) {
        let wanted = self.visible_games();
        let away = self.watch.as_mut().map(|watch| watch.await_games(wanted));
        match away {
            Some(away) if !away.is_empty() => self.effects.push(MatchEffect::Read(away)),
            _ => {}
        }
    }

    /// Looks at a game of the match: the first, the newest, or the one of a number.
    pub(in crate::app) fn go_to_in_match(&mut self, target: Target) {
        let there = match target {
            Target::Move { number, .. } => return self.go_to_match_game(number),
            Target::Start => i64::MIN / 2,
            Target::End => i64::MAX / 2,
        };
        if let Some(watch) = &mut self.watch {
            watch.step(there);
        }
        self.read_match();
    }

    /// Looks at the game of a number.
    pub(in crate::app) fn go_to_match_game(&mut self, number: u32) {
        let found = self.watch.as_mut().is_some_and(|watch| watch.go_to(number));
        if !found {
            self.say_in_match(&format!("There is no game {number} yet."));
        }
        self.read_match();
    }

    pub(in crate::app) fn say_in_match(&mut self, sentence: &str) {
        self.said_in_match = Some(sentence.to_owned());
    }

    pub(in crate::app) fn match_key(&mut self, key: KeyEvent) {
        let Some(watch) = &mut self.watch else {
            self.screen = Screen::Home;
            return;
        };
        self.said_in_match = None;
        if !watch.typed.is_empty() || matches!(key.code, KeyCode::Char('0'..='9')) {
            return self.type_number(key);
        }
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
        self.read_match();
    }

    /// The number of a game to go to.
    fn type_number(&mut self, key: KeyEvent) {
        let Some(watch) = &mut self.watch else {
            return;
        };
        match key.code {
            KeyCode::Esc => watch.typed.clear(),
            KeyCode::Enter => {
                let number = watch.typed.text().parse();
                watch.typed.clear();
                // A number that is too large is that of no game.
                self.go_to_match_game(number.unwrap_or(u32::MAX));
            }
            KeyCode::Char(sign) if !sign.is_ascii_digit() => {}
            _ => {
                watch.typed.edit(key);
            }
        }
    }

    /// The keys that mean on this screen what they mean on the board.
    fn match_shortcut(&mut self, key: KeyEvent) {
        match self.keys.find(key).map(|(_, shortcut)| shortcut.does) {
            Some(Does::Run("pause")) => self.pace_match(|watch| watch.paused = !watch.paused),
            Some(Does::Walk(1)) => self.step_match(),
            Some(Does::Palette) => {
                self.open_palette();
            }
            Some(Does::Run(line @ ("help" | "theme" | "flip"))) => self.run(line),
            _ => {}
        }
    }

    fn pace_match(&mut self, change: impl FnOnce(&mut Watch)) {
        let Some(watch) = &mut self.watch else {
            return;
        };
        change(watch);
        self.effects.push(MatchEffect::Pace(watch.pacing(false)));
    }

    /// Lets one move come, and waits then.
    fn step_match(&mut self) {
        let Some(watch) = &mut self.watch else {
            return;
        };
        watch.paused = true;
        self.effects.push(MatchEffect::Pace(watch.pacing(true)));
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
        let number = game.number;
        if let Some(record) = game.record.clone()
            && self.open_review(record, Origin::Match(number))
        {
            self.walk(FAR);
        }
    }
}
