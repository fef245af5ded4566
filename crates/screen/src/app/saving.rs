//! Saving on the full screen: every change of the game being played is saved in order and before it is shown.

use tabiya_game::Timestamp;
use tabiya_play::table::ResumedClocks;
use tabiya_store::{CLOCK_INTERVAL, SaveName, SaveNotice, SaveRemark, SavedGame, Summary};

use super::action::Action;
use super::overlay::dialog::{Choice, Dialog};
use super::overlay::saves_list::SavesList;
use super::{App, Overlay, Screen};
use crate::message::{
    Contents, Done, Effects, NotDone, Resumable, SaveEffect, StoreEffect, StoreMessage,
};
use tabiya_front::review::{Desk, Origin, Review, filed_game, reviewed_game};
use tabiya_front::saved;
use tabiya_front::wording::{Tone, ignored_options};
use tabiya_play::desk::{DeskRequest, Filed, SaveOrder, Saving};

/// What is saved and what is not.
#[derive(Debug, Default)]
pub(crate) struct SaveState {
    /// Whether there is a game to resume.
    pub(super) resume: Resumable,
    /// Whether the game being played could not be saved as it stands.
    pub(super) save_failed: bool,
    /// When the time on a running clock was saved last.
    clock_saved: Timestamp,
    /// An interrupted review, until it is offered.
    found_review: Option<(SaveName, Box<Summary>)>,
}

impl SaveState {
    /// What to save when the program exits: the time used since the last move.
    pub(crate) fn last_save(&self, desk: &Desk, now: Timestamp) -> Option<SaveEffect> {
        clock_to_save(desk, now).map(SaveEffect::Autosave)
    }

    /// Saves the time used since the last move every now and then, because a kill may come at any time.
    pub(super) fn save_clock(&mut self, desk: &Desk, now: Timestamp, effects: &mut Effects) {
        if now.since(self.clock_saved) < CLOCK_INTERVAL {
            return;
        }
        if let Some(game) = clock_to_save(desk, now) {
            self.clock_saved = now;
            effects.push(SaveEffect::SaveClock(game));
        }
    }
}

/// The game with the time used since the last move, if that is to be saved.
fn clock_to_save(desk: &Desk, now: Timestamp) -> Option<Box<SavedGame>> {
    let session = desk.clock_to_save(now)?;
    Some(saved::game(session, &desk.game().players()))
}

impl App {
    /// Saves what the desk orders, before anything that follows is shown.
    pub(super) fn save_ordered(&mut self, order: SaveOrder) {
        let saves = self.desk.saving() != Saving::Never;
        let effect = match order {
            SaveOrder::Game => SaveEffect::Autosave(filed_game(Filed::Game(self.desk.game()))),
            SaveOrder::ReleaseGame { .. } => {
                self.save_state.save_failed = false;
                SaveEffect::Release
            }
            SaveOrder::Review => match self.desk.review() {
                Some(review) => SaveEffect::AutosaveReview(reviewed_game(review)),
                None => return,
            },
            SaveOrder::DiscardReview => SaveEffect::DiscardReview,
            // That is not autosaving.
            SaveOrder::ReviewedSave => {
                if let Some(Origin::Save(name, _)) = self.desk.review().map(Review::source) {
                    self.perform(Action::SaveOver(name.clone()));
                }
                return;
            }
            // On this screen, the game stays on its board after it has ended.
            SaveOrder::Finished => return,
        };
        if saves {
            self.effects.push(effect);
        }
    }

    /// Offers an interrupted review where no board is in front.
    pub(super) fn offer_review(&mut self) {
        // A key that is meant for the board must not answer the question.
        let is_idle = matches!(self.screens.front, Screen::Home | Screen::Picker);
        if !is_idle || self.overlay.is_some() || self.desk.has_unsaved_review() {
            return;
        }
        if let Some((name, about)) = self.save_state.found_review.take() {
            let names = saved::shown_names(&about);
            let title = format!(
                "A review was cut off before its changes were saved: {} – {}.",
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
            self.open(Dialog::new(title, choices).appeared_by_itself(Some(self.now)));
        }
    }

    /// Handles the result of writing a file.
    pub(super) fn handle_written(&mut self, contents: Contents, result: Result<Done, NotDone>) {
        let is_written = result.is_ok();
        match contents {
            Contents::Game if is_written => {
                self.desk.set_unsaved_game(false);
                self.save_state.save_failed = false;
            }
            Contents::Review if is_written => {
                self.desk.set_unsaved_review(false);
                self.save_ordered(SaveOrder::DiscardReview);
            }
            Contents::Match => {
                if let Some(watch) = &mut self.screens.watch {
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
        match self.screens.front {
            Screen::Match => {
                if let Some(watch) = &mut self.screens.watch {
                    watch.say(&sentence);
                }
            }
            Screen::Train => {
                if let Some(train) = &mut self.screens.train {
                    train.say(&sentence);
                }
            }
            Screen::Home | Screen::Picker if self.overlay.is_none() => {
                self.show("Tabiya", vec![sentence]);
            }
            Screen::Home | Screen::Picker | Screen::Game => {
                self.view_mut().say_as(sentence, tone);
            }
        }
    }

    /// Handles a message about saves.
    pub(super) fn handle_store(&mut self, message: StoreMessage) {
        match message {
            StoreMessage::Autosaved(SaveNotice::Remark(remark)) => {
                self.save_state.save_failed = false;
                match remark {
                    SaveRemark::SavedAgain(_) => self.view_mut().say(remark.to_string()),
                    // It says where the files are, and only a refusal is shown in full.
                    SaveRemark::ExternalChanges(_) => self.view_mut().refuse(remark.to_string()),
                }
            }
            StoreMessage::Autosaved(SaveNotice::Problem(problem)) => {
                // While it lasts, the header says it.
                if !std::mem::replace(&mut self.save_state.save_failed, true) {
                    self.view_mut().refuse(problem.to_string());
                }
            }
            StoreMessage::Warning(sentence) => self.view_mut().refuse(sentence),
            StoreMessage::UnsavedGame(unsaved) => self.desk.set_unsaved_game(unsaved),
            StoreMessage::ReviewFound(name, about) => {
                self.save_state.found_review = Some((name, about));
            }
            StoreMessage::ReviewOpened(Ok(record)) => {
                self.replace_review(*record, Origin::Text);
                self.desk.set_unsaved_review(true);
            }
            StoreMessage::ReviewOpened(Err(error)) => self.show_result(Err(error.into())),
            StoreMessage::CanResume(found) => self.save_state.resume = found,
            StoreMessage::Resumed(Ok(game)) => self.resume_game(&game),
            StoreMessage::Read(name, Ok(game)) => {
                self.open_review(game.session.publish(), Origin::Save(name, game.players));
            }
            StoreMessage::Resumed(Err(error)) | StoreMessage::Read(_, Err(error)) => {
                let sentence = error.to_string();
                if let Some(Overlay::SavesList(saves)) = &mut self.overlay {
                    saves.message = Some(sentence);
                    // The save may have been set aside, or be gone.
                    self.effects.push(StoreEffect::List);
                } else {
                    self.show("Saves", vec![sentence]);
                }
            }
            StoreMessage::SaveNames { line, names } => {
                if let Some(Overlay::CommandPalette(command_palette)) = &mut self.overlay {
                    command_palette.offer_save_names(&line, names);
                }
            }
            StoreMessage::Listed(listed) => self.change_saves(|saves| saves.set_entries(listed)),
            StoreMessage::Peeked(name, None) => self.change_saves(|saves| saves.remove(&name)),
            StoreMessage::Peeked(name, Some(about)) => {
                if let Some(Overlay::SavesList(saves)) = &mut self.overlay {
                    saves.add_summary(name, *about);
                }
            }
            StoreMessage::CanDelete(name, Ok(())) => self.open(Dialog::deletion(name)),
            StoreMessage::CanDelete(_, Err(error)) => self.show_result(Err(error.into())),
            StoreMessage::Deleted(name, done) => {
                if !matches!(self.overlay, Some(Overlay::SavesList(_))) {
                    return self.show_result(done.map(Done::Trashed).map_err(NotDone::from));
                }
                self.change_saves(|saves| {
                    if done.is_ok() {
                        saves.remove(&name);
                    }
                    let done = done.map(|trashed| trashed.to_string());
                    saves.message = Some(done.unwrap_or_else(|error| error.to_string()));
                });
            }
        }
    }

    /// Changes the list of saves, if it is still open, and requests the visible entries that are not known yet.
    fn change_saves(&mut self, change: impl FnOnce(&mut SavesList)) {
        if let Some(Overlay::SavesList(saves)) = &mut self.overlay {
            change(saves);
            if let Some(effect) = saves.scroll_to_chosen(self.look.size) {
                self.effects.push(effect);
            }
        }
    }

    /// Opens the list of saves, which is read by another thread.
    pub(crate) fn open_saves(&mut self) {
        self.open(SavesList::default());
        self.effects.push(StoreEffect::List);
    }

    /// Resumes a saved game.
    pub(crate) fn resume_game(&mut self, game: &SavedGame) {
        self.save_state.save_failed = false;
        self.screens.front = Screen::Game;
        self.request(DeskRequest::Resume {
            game: Box::new(game.session.save()),
            players: saved::named(&game.players),
            clocks: ResumedClocks::Stopped,
        });
        let opponents = self.desk.game().opponents();
        let warning = opponents.engine_with_ignored_options().map(ignored_options);
        // A player against an engine sits at the bottom of the board.
        if let Some(person) = opponents.person() {
            self.look.bottom = person;
        }
        if let Some(sentence) = warning {
            self.view_mut().say(sentence);
        }
    }
}
