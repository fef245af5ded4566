//! A watcher's actions: keys become acts and effects that pace a match, stop it and export it.

use std::path::PathBuf;

use crossterm::event::KeyEvent;
use tabiya_front::commands::FileCommand;
use tabiya_front::key_map::KeyAction;
use tabiya_front::matches::{ExportForm, MatchOrder, Pacing};
use tabiya_play::contest::Event;
use tabiya_play::request::Target;
use tabiya_store::paths;

use super::super::action::Action;
use super::super::canvas::Canvas;
use super::super::overlay::dialog::Dialog;
use super::super::overlay::sheet::Sheet;
use super::super::overlay::{Component, Response, on_any_screen};
use super::super::{App, Screen};
use super::{SPEEDS, Watch, draw};
use crate::app::press::{Edit, Press, moved};
use crate::message::{Hit, MatchEffect, MatchMessage};

impl App {
    /// Starts a match, unless another one is running.
    pub(in crate::app) fn start_match(&mut self, order: MatchOrder) {
        let start = MatchEffect::Start(Box::new(order));
        match &mut self.screens.watch {
            Some(watch) if !watch.is_over() => {
                self.screens.front = Screen::Match;
                watch.say("A match is in progress. Stop it with x before you start another.");
            }
            Some(watch) if watch.has_unsaved_games() => {
                let title = "The last match has unsaved games. Discard them?";
                self.open(Dialog::confirmation(title, Action::effect(start)));
            }
            Some(_) | None => self.effects.push(start),
        }
    }

    /// Handles a message about a match.
    pub(crate) fn handle_match(&mut self, message: MatchMessage) {
        match (message, &mut self.screens.watch) {
            (MatchMessage::Started(Ok((names, games))), _) => {
                self.screens.watch = Some(Watch::new(names, games));
                self.overlay = None;
                self.screens.front = Screen::Match;
            }
            (MatchMessage::Started(Err(error)), _) => {
                let lines = vec![error.to_string()];
                self.open(Sheet::new("The match cannot begin", lines));
            }
            (MatchMessage::Event(event), Some(watch)) => {
                let is_over = matches!(*event, Event::Over(_));
                watch.record_event(*event);
                if is_over {
                    self.effects.push(MatchEffect::Store(watch.unfinished()));
                }
            }
            (MatchMessage::Stored { game, at: Ok(at) }, Some(watch)) => watch.mark_stored(game, at),
            (MatchMessage::File(Ok(path)), Some(watch)) => {
                watch.say(&format!("Kept as {}.", paths::shown(&path)));
            }
            (
                MatchMessage::Stored { at: Err(error), .. } | MatchMessage::File(Err(error)),
                Some(watch),
            ) => watch.say(&format!(
                "The games are not saved: {error} They can be written with {}.",
                self.keys.typed("pgn FILE")
            )),
            (MatchMessage::Game(number, read), Some(watch)) => watch.restore_record(number, read),
            (
                MatchMessage::Event(_)
                | MatchMessage::Stored { .. }
                | MatchMessage::File(_)
                | MatchMessage::Game(..),
                None,
            ) => {}
        }
    }

    /// Requests the visible games that are not in memory.
    pub(in crate::app) fn read_match(&mut self) {
        let cells = draw::places(self).len();
        let watch = self.screens.watch.as_mut();
        // While a number is being typed, the view is about to change.
        let Some(watch) = watch.filter(|watch| watch.typed.is_empty()) else {
            return;
        };
        let games = match watch.grid {
            true => watch.shown(cells),
            false => watch.current().into_iter().collect(),
        };
        let away = games.iter().filter(|game| game.record.is_none());
        let places = away.filter_map(|game| Some((game.number, game.place?)));
        let mut away: Vec<(u32, u64)> = places.collect();
        away.retain(|(number, _)| watch.awaited.insert(*number));
        if !away.is_empty() {
            self.effects.push(MatchEffect::Read(away));
        }
    }
}

impl Watch {
    /// The effect of a command that exports the match; `None` for any other command.
    pub(in crate::app) fn export_effect(&mut self, command: &FileCommand) -> Option<MatchEffect> {
        let (path, form) = match command {
            FileCommand::Pgn(Some(path)) => (path, ExportForm::Pgn),
            FileCommand::Json(Some(path)) => (path, ExportForm::Json(Box::new(self.summary()))),
            FileCommand::Pgn(None)
            | FileCommand::Json(None)
            | FileCommand::Svg(_)
            | FileCommand::Fen
            | FileCommand::Copy(_)
            | FileCommand::Save(_)
            | FileCommand::Load(_)
            | FileCommand::Saves
            | FileCommand::Delete(_) => return None,
        };
        let export = self.export(PathBuf::clone(path), form);
        Some(MatchEffect::Export(Box::new(export)))
    }

    /// Goes to a game of the match: the first, the newest, a neighbor, or the one of a number.
    pub(in crate::app) fn look_for(&mut self, target: Target) {
        match target {
            Target::Move { number, .. } => self.go_to(number),
            Target::Start => self.step(i64::MIN / 2),
            Target::End => self.step(i64::MAX / 2),
            Target::Step(steps) => self.step(i64::from(steps)),
        }
    }

    /// Types the number of a game to go to.
    fn type_number(&mut self, key: KeyEvent) {
        match Press::from(key) {
            Press::Esc => self.typed.clear(),
            Press::Enter => {
                let number = self.typed.text().parse();
                self.typed.clear();
                // No game has a number this large.
                self.go_to(number.unwrap_or(u32::MAX));
            }
            Press::Edit(Edit::Char(sign)) if !sign.is_ascii_digit() => {}
            Press::Edit(_) => drop(self.typed.edit(key)),
            Press::Tab
            | Press::BackTab
            | Press::Up
            | Press::Down
            | Press::PageUp
            | Press::PageDown => {}
        }
    }

    /// Sets the pace, and plays one more move of a paused match if it is a step.
    fn pace(&self, step: bool) -> Response {
        Response::effect(MatchEffect::Pace(Pacing {
            paused: self.paused,
            step,
            delay: SPEEDS[self.speed].1,
        }))
    }

    /// Pauses the match, or lets it go on.
    fn pause(&mut self) -> Response {
        self.paused = !self.paused;
        self.pace(false)
    }

    /// Sets the next or previous speed.
    fn change_speed(&mut self, by: isize) -> Response {
        self.speed = moved(self.speed, SPEEDS.len(), by);
        self.pace(false)
    }

    /// The keys that mean the same here as on the board.
    fn shortcut(&mut self, key: KeyEvent, app: &App) -> Response {
        match app.keys.find(key).map(|(_, shortcut)| shortcut.action) {
            Some(KeyAction::Run("pause")) => self.pause(),
            // One move is played, and then the match is paused.
            Some(KeyAction::Walk(1)) => {
                self.paused = true;
                self.pace(true)
            }
            action @ (Some(
                KeyAction::Run(_)
                | KeyAction::Walk(_)
                | KeyAction::Arrow(_)
                | KeyAction::Menu
                | KeyAction::Marks
                | KeyAction::Type(_),
            )
            | None) => on_any_screen(action, &["help", "theme", "flip"]),
        }
    }

    /// Asks before the match is stopped.
    fn ask_to_stop(&mut self) -> Response {
        if self.is_over() {
            self.say("The match is over.");
            return Response::Stay;
        }
        let title = "Stop the match? What was played is kept.";
        let stop = Action::effect(MatchEffect::Stop);
        Response::Do(Action::open(Dialog::confirmation(title, stop)))
    }

    /// Opens the current game for review.
    fn review(&self) -> Response {
        let game = self.current();
        let Some((game, record)) = game.and_then(|game| Some((game, game.record.clone()?))) else {
            return Response::Stay;
        };
        Response::Do(Action::ReviewMatch(Box::new(record), game.number))
    }
}

impl Component for Watch {
    fn key(&mut self, key: KeyEvent, app: &App) -> Response {
        self.said = None;
        let is_digit = matches!(Press::from(key), Press::Edit(Edit::Char('0'..='9')));
        if !self.typed.is_empty() || is_digit {
            self.type_number(key);
            return Response::Stay;
        }
        match Press::from(key) {
            Press::Esc => return Response::Close,
            Press::Edit(Edit::Left) | Press::Up => self.step(-1),
            Press::Edit(Edit::Right) | Press::Down => self.step(1),
            Press::PageUp => self.step(-10),
            Press::PageDown => self.step(10),
            Press::Edit(Edit::Home) => self.step(i64::MIN / 2),
            Press::Edit(Edit::End) => self.chosen = None,
            Press::Tab | Press::Edit(Edit::Char('g')) => self.grid = !self.grid,
            Press::Edit(Edit::Char('+' | '=')) => return self.change_speed(1),
            Press::Edit(Edit::Char('-')) => return self.change_speed(-1),
            Press::Edit(Edit::Char(' ')) => return self.pause(),
            Press::Enter => return self.review(),
            Press::Edit(Edit::Char('x')) => return self.ask_to_stop(),
            Press::BackTab | Press::Edit(_) => return self.shortcut(key, app),
        }
        Response::Stay
    }

    fn click(&mut self, hit: &Hit, _: &App) -> Response {
        if let Hit::Game(number) = hit {
            self.chosen = Some(*number);
            self.grid = false;
        }
        Response::Stay
    }

    fn wheel(&mut self, steps: isize, _: Option<&Hit>, _: &App) -> Response {
        self.step(if steps < 0 { -1 } else { 1 });
        Response::Stay
    }

    fn render(&self, app: &App, canvas: &mut Canvas<'_>) {
        draw::draw(self, app, canvas);
    }
}
