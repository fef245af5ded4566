//! What is to be brought to the disk: every change of the game that is played, in order and before it is shown.

use tabiya_game::Event;

use super::{App, Overlay, Screen};
use crate::message::{Effect, Message};
use crate::saved;
use crate::storage::{Game, Remark};

/// What waits to be kept.
#[derive(Debug, Default)]
pub(super) struct Keeping {
    /// Whether there is somebody who keeps games.
    is_on: bool,
    /// Whether there is a game to be resumed.
    pub(super) can_resume: bool,
    /// Whether the game that is played is not on the disk as it stands.
    pub(super) is_behind: bool,
    /// Whether it is being saved under a name.
    pub(super) naming: bool,
    waiting: Vec<Effect>,
}

impl App {
    /// From now on every change of the game is brought to the disk.
    pub(crate) fn keep_games(&mut self) {
        self.keeping.is_on = true;
    }

    /// Whether the game that is played is lost when the program ends, though it was to be kept.
    pub(crate) fn is_behind(&self) -> bool {
        self.keeping.is_behind
    }

    /// The game that is played, with its players.
    pub(super) fn game_to_keep(&self) -> Box<Game> {
        saved::game(self.game_table().session.clone(), self.opponents.specs())
    }

    /// Notes what happened to the game in front, unless it is only reviewed.
    pub(super) fn note(&mut self, happened: &[Event]) {
        if happened.is_empty() || !self.keeping.is_on || self.table.is_review() {
            return;
        }
        let begins = |event: &Event| matches!(event, Event::NewGame | Event::PositionLoaded);
        if happened.iter().any(begins) {
            self.keeping.is_behind = false;
            self.keeping.waiting.push(Effect::Release);
        } else if !happened.contains(&Event::GameLoaded) {
            let game = self.game_to_keep();
            self.keeping.waiting.push(Effect::Keep(game));
        }
    }

    /// Everything that is to be kept, and then the rest.
    pub(super) fn keep_first(&mut self, rest: Vec<Effect>) -> Vec<Effect> {
        let mut effects = std::mem::take(&mut self.keeping.waiting);
        effects.extend(rest);
        effects
    }

    /// What is to be kept when the program is left: how far the clocks have come since the last move.
    pub(crate) fn last_keep(&self) -> Option<Effect> {
        let table = self.game_table();
        let runs = table.session.clock(self.now).running.is_some();
        let wanted = self.keeping.is_on && table.begun && runs;
        wanted.then(|| Effect::Keep(self.game_to_keep()))
    }

    /// Whether a game has begun that is not over.
    pub(crate) fn is_unfinished(&self) -> bool {
        let table = self.game_table();
        table.begun && table.session.outcome().is_none()
    }

    /// A file was written, or why not.
    pub(super) fn written(&mut self, answer: Result<String, String>) {
        self.saved(answer.is_ok());
        if std::mem::take(&mut self.keeping.naming) && answer.is_ok() {
            self.keeping.is_behind = false;
        }
        if let Some(watch) = &mut self.watch {
            watch.written(answer.is_ok());
        }
        self.tell(answer);
    }

    /// Says how something went where it is seen: in the form that asked for it, or else on the screen.
    pub(super) fn tell(&mut self, answer: Result<String, String>) {
        match (&mut self.overlay, answer) {
            (Some(Overlay::Settings(form)), Err(sentence)) => form.problem = Some(sentence),
            (Some(Overlay::Engines(form)), Err(sentence)) => form.not_written(sentence),
            (_, Ok(sentence) | Err(sentence)) if self.screen == Screen::Match => {
                self.say_in_match(&sentence);
            }
            (None, Ok(sentence) | Err(sentence)) if self.screen != Screen::Game => {
                self.show("Tabiya", vec![sentence]);
            }
            (_, Ok(sentence)) => self.table.say(sentence),
            (_, Err(sentence)) => self.table.refuse(sentence),
        }
    }

    /// Takes in what there is to know about saves.
    pub(super) fn take_saves(&mut self, message: Message) -> Vec<Effect> {
        match message {
            Message::Kept(Remark::News(sentence)) => {
                self.keeping.is_behind = false;
                self.table.say(sentence);
            }
            Message::Kept(Remark::Trouble(sentence)) => {
                self.keeping.is_behind = true;
                self.table.refuse(sentence);
            }
            Message::Warning(sentence) => self.table.refuse(sentence),
            Message::Exists { path, text } => self.file_exists(path, text),
            Message::CanResume(can) => self.keeping.can_resume = can,
            Message::Resumed(resumed) => return self.resumed(resumed),
            Message::SaveRead(name, read) => return self.save_read(name, read),
            Message::SaveNames { line, names } => self.complete_with(&line, names),
            Message::Saves(listed) => return self.saves_listed(listed),
            Message::Peeked(name, about) => {
                return self.save_peeked(name, about.map(|about| *about));
            }
            Message::CanDelete(name, can) => self.ask_to_delete(name, can),
            Message::Deleted(name, done) => return self.save_deleted(&name, done),
            // Everything else is about something else.
            _ => {}
        }
        Vec::new()
    }
}
