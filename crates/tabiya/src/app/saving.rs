//! Saving on the full screen: every change of the game being played is saved in order and before it is shown.

use tabiya_game::{Event, Timestamp};
use tabiya_play::outcome::Happened;
use tabiya_play::table::ResumedClocks;
use tabiya_store::{CLOCK_INTERVAL, SaveName, SaveNews, SaveNotice, SavedGame, Summary};

use super::action::Action;
use super::board::Board;
use super::boards::BoardId;
use super::overlay::dialog::{Choice, Dialog};
use super::overlay::saves::Saves;
use super::{App, Overlay, Screen};
use crate::message::{
    Contents, Done, Effects, NotDone, Resumable, SaveEffect, StoreEffect, StoreMessage,
};
use crate::review::Origin;
use crate::saved::{self, SaveStep};
use crate::wording::Tone;

/// What is saved and what is not.
#[derive(Debug, Default)]
pub(crate) struct SaveState {
    /// Whether games are saved at all.
    pub(crate) is_on: bool,
    /// Whether there is a game to resume.
    pub(super) resume: Resumable,
    /// Whether the game being played could not be saved as it stands.
    pub(super) save_failed: bool,
    /// Whether no save has it as it stands, because autosave is off.
    pub(super) is_unsaved: bool,
    /// When the time on a running clock was saved last.
    clock_saved: Timestamp,
    /// An interrupted review, until it is offered.
    found_review: Option<(SaveName, Box<Summary>)>,
}

impl SaveState {
    /// What to save when the program exits: the time used since the last move.
    pub(crate) fn last_save(&self, board: &Board, now: Timestamp) -> Option<SaveEffect> {
        self.clock_to_save(board, now).map(SaveEffect::Autosave)
    }

    /// Saves the time used since the last move every now and then, because a kill may come at any time.
    pub(super) fn save_clock(&mut self, board: &Board, now: Timestamp, effects: &mut Effects) {
        if now.since(self.clock_saved) < CLOCK_INTERVAL {
            return;
        }
        if let Some(game) = self.clock_to_save(board, now) {
            self.clock_saved = now;
            effects.push(SaveEffect::SaveClock(game));
        }
    }

    /// The game, if a clock runs in it that is to be saved.
    fn clock_to_save(&self, board: &Board, now: Timestamp) -> Option<Box<SavedGame>> {
        let runs = board.session().clock(now).running.is_some();
        let wanted = self.is_on && board.has_begun() && runs && !board.is_remote();
        wanted.then(|| board.game_to_save())
    }

    /// Saves what happened on a board, unless the game is on a server.
    pub(super) fn autosave(
        &mut self,
        id: BoardId,
        board: &mut Board,
        happened: &Happened,
        effects: &mut Effects,
    ) {
        match id {
            BoardId::Game if board.is_remote() => {}
            BoardId::Game => self.autosave_game(board, &happened.events, effects),
            BoardId::Review if happened.recorded => self.autosave_review(board, effects),
            BoardId::Review => {}
        }
    }

    /// Saves the game being played after something happened to it.
    fn autosave_game(&mut self, board: &Board, events: &[Event], effects: &mut Effects) {
        match saved::step_after(events).filter(|_| self.is_on) {
            Some(SaveStep::Save) => effects.push(SaveEffect::Autosave(board.game_to_save())),
            Some(SaveStep::Release) => {
                self.save_failed = false;
                self.is_unsaved = false;
                effects.push(SaveEffect::Release);
            }
            None => {}
        }
    }

    /// Saves the changes of a review.
    pub(super) fn autosave_review(&self, board: &mut Board, effects: &mut Effects) {
        if let Some(review) = &mut board.reviewed {
            review.changed = true;
        }
        if let Some(game) = board.reviewed_game().filter(|_| self.is_on) {
            effects.push(SaveEffect::AutosaveReview(game));
        }
    }

    /// Discards the saved changes of a review.
    pub(super) fn discard_review(&self, effects: &mut Effects) {
        if self.is_on {
            effects.push(SaveEffect::DiscardReview);
        }
    }
}

impl App {
    /// Offers an interrupted review where no board is in front.
    pub(super) fn offer_review(&mut self) {
        // A key that is meant for the board must not answer the question.
        let is_idle = matches!(self.screen, Screen::Home | Screen::Picker);
        if !is_idle || self.overlay.is_some() || self.boards.has_unsaved_review() {
            return;
        }
        if let Some((name, about)) = self.save_state.found_review.take() {
            let names = saved::shown_names(&about);
            let title = format!(
                "A review was cut off before its changes were in a file: {} – {}.",
                names.white, names.black
            );
            let delete = Action::effect(StoreEffect::DeleteReview(name.clone()));
            let trash = Dialog::confirmation("Move the review to the trash?", delete);
            let again = Action::effect(StoreEffect::OpenReview(name));
            let choices = vec![
                Choice::new('o', "Open it again", again),
                Choice::new('l', "Later", Action::Close),
                Choice::new('t', "Move it to the trash…", Action::open(trash)),
            ];
            self.open(Dialog::new(title, choices).came(Some(self.now)));
        }
    }

    /// Handles the result of writing a file.
    pub(super) fn handle_written(&mut self, contents: Contents, result: Result<Done, NotDone>) {
        let is_written = result.is_ok();
        match contents {
            Contents::Game if is_written => {
                self.save_state.is_unsaved = false;
                self.save_state.save_failed = false;
            }
            Contents::Review if is_written => {
                self.boards.mark_review_written();
                self.save_state.discard_review(&mut self.effects);
            }
            Contents::Match => {
                if let Some(watch) = &mut self.watch {
                    watch.end_export(is_written);
                }
            }
            Contents::Game | Contents::Review | Contents::Other => {}
        }
        self.show_result(result);
    }

    /// Shows the result of an action: in the form that asked for it, otherwise on the screen.
    pub(super) fn show_result(&mut self, result: Result<Done, NotDone>) {
        let (sentence, tone) = match result {
            // It says where the files are, and only a refusal is shown in full.
            Ok(Done::Saved(saved)) if !saved.external_changes.is_empty() => {
                (saved.to_string(), Tone::Refusal)
            }
            Ok(done) => (done.to_string(), Tone::Plain),
            Err(error) => {
                if let Some(Overlay::Settings(form)) = &mut self.overlay {
                    return form.not_written(error.to_string());
                }
                (error.to_string(), Tone::Refusal)
            }
        };
        match self.screen {
            Screen::Match => {
                if let Some(watch) = &mut self.watch {
                    watch.say(&sentence);
                }
            }
            Screen::Home | Screen::Picker if self.overlay.is_none() => {
                self.show("Tabiya", vec![sentence]);
            }
            Screen::Home | Screen::Picker | Screen::Game => {
                self.board_mut().say_as(sentence, tone);
            }
        }
    }

    /// Handles a message about saves.
    pub(super) fn handle_store(&mut self, message: StoreMessage) {
        match message {
            StoreMessage::Autosaved(SaveNotice::News(news)) => {
                self.save_state.save_failed = false;
                match news {
                    SaveNews::SavedAgain(_) => self.board_mut().say(news.to_string()),
                    // It says where the files are, and only a refusal is shown in full.
                    SaveNews::ExternalChanges(_) => self.board_mut().refuse(news.to_string()),
                }
            }
            StoreMessage::Autosaved(SaveNotice::Problem(problem)) => {
                // While it lasts, the header says it.
                if !std::mem::replace(&mut self.save_state.save_failed, true) {
                    self.board_mut().refuse(problem.to_string());
                }
            }
            StoreMessage::Warning(sentence) => self.board_mut().refuse(sentence),
            StoreMessage::Unsaved(unsaved) => self.save_state.is_unsaved = unsaved,
            StoreMessage::ReviewFound(name, about) => {
                self.save_state.found_review = Some((name, about));
            }
            StoreMessage::ReviewOpened(Ok(record)) => {
                self.put_review(*record, Origin::Text);
                if let Some(review) = &mut self.board_mut().reviewed {
                    review.changed = true;
                }
            }
            StoreMessage::ReviewOpened(Err(error)) => self.show_result(Err(error.into())),
            StoreMessage::CanResume(found) => self.save_state.resume = found,
            StoreMessage::Resumed(Ok(game)) => self.resume_game(&game),
            StoreMessage::Read(name, Ok(game)) => {
                self.open_review(game.session.publish(), Origin::Save(name, game.players));
            }
            StoreMessage::Resumed(Err(error)) | StoreMessage::Read(_, Err(error)) => {
                let sentence = error.to_string();
                if let Some(Overlay::Saves(saves)) = &mut self.overlay {
                    saves.said = Some(sentence);
                    // The save may have been set aside, or be gone.
                    self.effects.push(StoreEffect::List);
                } else {
                    self.show("Saves", vec![sentence]);
                }
            }
            StoreMessage::Named { line, names } => {
                if let Some(Overlay::Palette(palette)) = &mut self.overlay {
                    palette.name_saves(&line, names);
                }
            }
            StoreMessage::Listed(listed) => self.change_saves(|saves| saves.fill(listed)),
            StoreMessage::Peeked(name, None) => self.change_saves(|saves| saves.forget(&name)),
            StoreMessage::Peeked(name, Some(about)) => {
                if let Some(Overlay::Saves(saves)) = &mut self.overlay {
                    saves.learn(name, *about);
                }
            }
            StoreMessage::CanDelete(name, Ok(())) => self.open(Dialog::deletion(name)),
            StoreMessage::CanDelete(_, Err(error)) => self.show_result(Err(error.into())),
            StoreMessage::Deleted(name, done) => {
                if !matches!(self.overlay, Some(Overlay::Saves(_))) {
                    return self.show_result(done.map(Done::Trashed).map_err(NotDone::from));
                }
                self.change_saves(|saves| {
                    if done.is_ok() {
                        saves.forget(&name);
                    }
                    let done = done.map(|trashed| trashed.to_string());
                    saves.said = Some(done.unwrap_or_else(|error| error.to_string()));
                });
            }
        }
    }

    /// Changes the list of saves, if it is still open, and requests the visible entries that are not known yet.
    fn change_saves(&mut self, change: impl FnOnce(&mut Saves)) {
        if let Some(Overlay::Saves(saves)) = &mut self.overlay {
            change(saves);
            if let Some(effect) = saves.look(self.size) {
                self.effects.push(effect);
            }
        }
    }

    pub(crate) fn open_saves(&mut self) {
        self.open(Saves::default());
        self.effects.push(StoreEffect::List);
    }

    /// Resumes a saved game.
    pub(crate) fn resume_game(&mut self, game: &SavedGame) {
        self.show_board(BoardId::Game);
        self.save_state.save_failed = false;
        let players = saved::players(&game.players);
        let table = &mut self.boards.game.table;
        let (record, stopped) = (game.session.save(), ResumedClocks::Stopped);
        let outcomes = table.resume(record, players, stopped, self.now);
        // A player against an engine sits at the bottom of the board.
        if let Some(person) = table.opponents().person() {
            self.look.bottom = person;
        }
        let unset = table.opponents().unset_options();
        self.show_outcomes(BoardId::Game, outcomes);
        if let Some(sentence) = unset {
            self.board_mut().say(sentence);
        }
    }
}
