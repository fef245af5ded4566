//! Performs the effects on saves. They are listed in another thread, because there may be very many.

use std::sync::mpsc::SyncSender;

use tabiya_play::threads;
use tabiya_store::{Autosaver, Remark, SaveError, SaveName, Store};

use super::Incoming;
use crate::message::{Resumable, SaveEffect, StoreEffect, StoreMessage};

pub(super) struct Saves {
    autosaver: Autosaver,
    /// Saves the changes of a review that no file has yet.
    reviews: Autosaver,
    sender: SyncSender<Incoming>,
}

impl Saves {
    pub(super) fn new(autosaver: Autosaver, sender: SyncSender<Incoming>) -> Saves {
        let reviews = Autosaver::of_reviews(autosaver.autosave());
        Saves {
            autosaver,
            reviews,
            sender,
        }
    }

    /// Looks for an interrupted review.
    pub(super) fn look_for_a_review(&self) {
        self.with_store(&self.reviews, |store| {
            let (name, about) = store.ok()?.abandoned()?;
            Some(StoreMessage::ReviewFound(name, Box::new(about)))
        });
    }

    /// Closes the saved changes of a review, which are offered again at the next start.
    pub(super) fn release_review(&mut self) {
        // A failed write was reported when it happened.
        let _ = self.reviews.release();
    }

    /// Looks for a game to resume.
    pub(super) fn look_for_a_game(&self) {
        self.with_store(&self.autosaver, |store| {
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

    /// Writes to disk what must be there before anything is shown. Returns the messages that follow.
    pub(super) fn perform_save(&mut self, effect: SaveEffect) -> Vec<StoreMessage> {
        let warning = |remark: Option<Remark>| match remark {
            Some(remark) => vec![StoreMessage::Warning(remark.to_string())],
            None => Vec::new(),
        };
        match effect {
            SaveEffect::Autosave(game) => {
                let remark = self.autosaver.save(&game).map(StoreMessage::Autosaved);
                let unsaved = StoreMessage::Unsaved(!self.autosaver.saves_changes());
                remark.into_iter().chain([unsaved]).collect()
            }
            SaveEffect::Release => warning(self.release()),
            SaveEffect::AutosaveReview(game) => warning(self.reviews.save(&game)),
            SaveEffect::DiscardReview => {
                self.reviews.discard();
                Vec::new()
            }
        }
    }

    /// Performs an effect. Returns the messages that follow.
    pub(super) fn perform_store(&mut self, effect: StoreEffect) -> Vec<StoreMessage> {
        let autosaver = &mut self.autosaver;
        match effect {
            StoreEffect::OpenReview(name) => {
                let opened = self.reviews.open(&name);
                let opened = opened.map(|game| Box::new(game.session.publish()));
                vec![StoreMessage::ReviewOpened(opened)]
            }
            StoreEffect::DeleteReview(name) => {
                vec![StoreMessage::trashed(self.reviews.delete(&name))]
            }
            StoreEffect::SaveAs { name, game } => {
                vec![StoreMessage::saved(autosaver.save_as(name.as_ref(), &game))]
            }
            StoreEffect::SaveOver { name, game } => {
                vec![StoreMessage::saved(autosaver.save_over(&name, &game))]
            }
            StoreEffect::SaveCopy { name, game } => {
                vec![StoreMessage::saved(autosaver.save_copy(&name, &game))]
            }
            StoreEffect::Read(name) => {
                let read = autosaver.look(&name).map(Box::new);
                vec![StoreMessage::Read(name, read)]
            }
            StoreEffect::Resume(name) => {
                let (opened, warning) = match name {
                    Some(name) => (autosaver.open(&name), None),
                    None => match autosaver.open_latest() {
                        Ok((game, warning)) => (Ok(game), warning),
                        Err(error) => (Err(error), None),
                    },
                };
                let mut messages = vec![StoreMessage::Resumed(opened.map(Box::new))];
                messages.extend(warning.map(|warning| StoreMessage::Warning(warning.to_string())));
                messages
            }
            StoreEffect::List => {
                self.with_store(&self.autosaver, |store| {
                    Some(StoreMessage::Listed(store.and_then(|store| store.list())))
                });
                Vec::new()
            }
            StoreEffect::Name(line) => {
                self.with_store(&self.autosaver, |store| {
                    let names = store.map_or_else(|_| Vec::new(), |store| store.names());
                    Some(StoreMessage::Named { line, names })
                });
                Vec::new()
            }
            StoreEffect::Peek(names) => names
                .into_iter()
                .map(|name| {
                    let about = autosaver.peek(&name).map(Box::new);
                    StoreMessage::Peeked(name, about)
                })
                .collect(),
            StoreEffect::AskToDelete(name) => {
                let can = autosaver.can_delete(&name);
                vec![StoreMessage::CanDelete(name, can)]
            }
            StoreEffect::Delete(name) => {
                let done = autosaver.delete(&name);
                vec![StoreMessage::Deleted(name, done)]
            }
            StoreEffect::SetAutosave(autosave) => {
                autosaver.set_autosave(autosave);
                self.reviews.set_autosave(autosave);
                Vec::new()
            }
        }
    }

    /// The name of the save that has the whole game.
    pub(super) fn saved_as(&self) -> Option<SaveName> {
        let followed = self
            .autosaver
            .name()
            .filter(|_| self.autosaver.saves_changes());
        followed.cloned()
    }

    /// Closes the game's save, as PGN.
    pub(super) fn release(&mut self) -> Option<Remark> {
        self.autosaver.release()
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
