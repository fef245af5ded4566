//! The autosavers of the game being played and of the review, which perform the effects on saves. Saves are listed in another
//! thread, because there may be very many.

use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use tabiya_front::setup::SAVE_AGAIN;
use tabiya_play::threads;
use tabiya_store::{Autosaver, SaveError, SaveName, SaveNotice, Store};

use super::Incoming;
use crate::message::{Contents, Message, Resumable, SaveEffect, StoreEffect, StoreMessage};

pub(super) struct Autosavers {
    /// Saves the game being played.
    of_game: Autosaver,
    /// Saves the changes of a review that no file has yet.
    of_review: Autosaver,
    /// Whether the last message said that no save has the whole game.
    told_unsaved: bool,
    /// When a game or a review that could not be saved is saved again.
    again_at: Option<Instant>,
    sender: SyncSender<Incoming>,
}

impl Autosavers {
    /// The autosavers of the game and of reviews.
    pub(super) fn new(of_game: Autosaver, sender: SyncSender<Incoming>) -> Autosavers {
        let of_review = Autosaver::of_reviews(of_game.autosave());
        Autosavers {
            of_game,
            of_review,
            told_unsaved: false,
            again_at: None,
            sender,
        }
    }

    /// Looks for an interrupted review.
    pub(super) fn look_for_a_review(&self) {
        self.with_store(&self.of_review, |store| {
            let (name, about) = store.ok()?.abandoned()?;
            Some(StoreMessage::ReviewFound(name, Box::new(about)))
        });
    }

    /// Closes the saved changes of a review, which are offered again at the next start.
    pub(super) fn release_review(&mut self) {
        // A failed write was reported when it happened.
        let _ = self.of_review.release();
    }

    /// Looks for a game to resume.
    pub(super) fn look_for_a_game(&self) {
        self.with_store(&self.of_game, |store| {
            let found = store.and_then(|store| {
                let (name, _) = store.latest()?;
                Ok(store.is_free(&name))
            });
            Some(StoreMessage::CanResume(match found {
                Ok(true) => Resumable::Here,
                Ok(false) => Resumable::Elsewhere,
                Err(_) => Resumable::Nowhere,
            }))
        });
    }

    /// The time until [`Autosavers::save_again`] has something to do.
    pub(super) fn save_again_in(&mut self) -> Option<Duration> {
        let fails = self.of_game.has_failed() || self.of_review.has_failed();
        let now = Instant::now();
        self.again_at = fails.then(|| self.again_at.unwrap_or(now + SAVE_AGAIN));
        Some(self.again_at?.saturating_duration_since(now))
    }

    /// Tries again, from time to time, to save what could not be saved. Returns the messages that follow.
    pub(super) fn save_again(&mut self) -> Vec<Message> {
        if self.again_at.is_none_or(|at| Instant::now() < at) {
            return Vec::new();
        }
        self.again_at = None;
        let game = self.of_game.save_again().map(StoreMessage::Autosaved);
        let review = self.of_review.save_again();
        let review = review.map(|notice| StoreMessage::Warning(notice.to_string()));
        game.into_iter().chain(review).map(Message::from).collect()
    }

    /// Writes to disk what must be there before anything is shown. Returns the messages that follow.
    pub(super) fn perform_save(&mut self, effect: SaveEffect) -> Vec<Message> {
        let warning = |notice: SaveNotice| StoreMessage::Warning(notice.to_string()).into();
        match effect {
            SaveEffect::Autosave(game) => {
                let notice = self.of_game.save(&game).map(StoreMessage::Autosaved);
                let unsaved = !self.of_game.saves_changes();
                let told_unsaved = std::mem::replace(&mut self.told_unsaved, unsaved);
                let unsaved =
                    (unsaved || told_unsaved).then_some(StoreMessage::UnsavedGame(unsaved));
                notice
                    .into_iter()
                    .chain(unsaved)
                    .map(Message::from)
                    .collect()
            }
            SaveEffect::SaveClock(game) => {
                let notice = self.of_game.save_clock(&game);
                let notice = notice.map(StoreMessage::Autosaved);
                notice.into_iter().map(Message::from).collect()
            }
            SaveEffect::Release => self.release().map(warning).into_iter().collect(),
            SaveEffect::AutosaveReview(game) => self
                .of_review
                .save(&game)
                .map(warning)
                .into_iter()
                .collect(),
            SaveEffect::DiscardReview => {
                self.of_review.discard();
                Vec::new()
            }
        }
    }

    /// Performs an effect. Returns the messages that follow.
    pub(super) fn perform_store(&mut self, effect: StoreEffect) -> Vec<Message> {
        let autosaver = &mut self.of_game;
        vec![match effect {
            StoreEffect::OpenReview(name) => {
                let opened = self.of_review.open(&name);
                let opened = opened.map(|game| Box::new(game.session.publish()));
                StoreMessage::ReviewOpened(opened).into()
            }
            StoreEffect::DeleteReview(name) => {
                Message::written(Contents::Other, self.of_review.delete(&name))
            }
            StoreEffect::SaveAs { name, game } => {
                Message::written(Contents::Game, autosaver.save_as(name.as_ref(), &game))
            }
            StoreEffect::SaveOver { name, game } => {
                Message::written(Contents::Review, autosaver.save_over(&name, &game))
            }
            StoreEffect::SaveCopy { name, game } => {
                Message::written(Contents::Review, autosaver.save_copy(&name, &game))
            }
            StoreEffect::Read(name) => {
                let read = autosaver.look(&name).map(Box::new);
                StoreMessage::Read(name, read).into()
            }
            StoreEffect::Resume(name) => {
                let opened = match name {
                    Some(name) => autosaver.open(&name).map(|game| (game, None)),
                    None => autosaver.open_latest(),
                };
                let (opened, warning) = match opened {
                    Ok((game, warning)) => (Ok(Box::new(game)), warning),
                    Err(error) => (Err(error), None),
                };
                let warning = warning.map(|warning| StoreMessage::Warning(warning.to_string()));
                let messages = [StoreMessage::Resumed(opened)].into_iter().chain(warning);
                return messages.map(Message::from).collect();
            }
            StoreEffect::List => {
                self.with_store(&self.of_game, |store| {
                    Some(StoreMessage::Listed(store.and_then(|store| store.list())))
                });
                return Vec::new();
            }
            StoreEffect::CompleteSaveName(line) => {
                self.with_store(&self.of_game, |store| {
                    let names = store.map_or_else(|_| Vec::new(), |store| store.names());
                    Some(StoreMessage::SaveNames { line, names })
                });
                return Vec::new();
            }
            StoreEffect::Peek(names) => {
                let peek = |name| {
                    let about = autosaver.peek(&name).map(Box::new);
                    StoreMessage::Peeked(name, about).into()
                };
                return names.into_iter().map(peek).collect();
            }
            StoreEffect::AskToDelete(name) => {
                let can = autosaver.can_delete(&name);
                StoreMessage::CanDelete(name, can).into()
            }
            StoreEffect::Delete(name) => {
                let done = autosaver.delete(&name);
                StoreMessage::Deleted(name, done).into()
            }
            StoreEffect::SetAutosave(autosave) => {
                autosaver.set_autosave(autosave);
                self.of_review.set_autosave(autosave);
                return Vec::new();
            }
        }]
    }

    /// The name of the save that has the whole game.
    pub(super) fn saved_as(&self) -> Option<SaveName> {
        let followed = self.of_game.name().filter(|_| self.of_game.saves_changes());
        followed.cloned()
    }

    /// Closes the game's save, as PGN.
    pub(super) fn release(&mut self) -> Option<SaveNotice> {
        self.of_game.release()
    }

    /// Has another thread look something up in the folder of the saves or of the reviews.
    fn with_store(
        &self,
        autosaver: &Autosaver,
        ask: impl FnOnce(Result<Store, SaveError>) -> Option<StoreMessage> + Send + 'static,
    ) {
        let (store, sender) = (autosaver.store().cloned(), self.sender.clone());
        threads::spawn_or_run(move || {
            if let Some(found) = ask(store) {
                // Nobody receives it if the program is about to exit.
                let _ = sender.send(found.into());
            }
        });
    }
}
