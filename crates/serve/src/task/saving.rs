//! The save of a game: what cannot be written is said for as long as that lasts, and tried again.

use std::time::{Duration, Instant};

use tabiya_rules::ByColor;
use tabiya_store::{CLOCK_INTERVAL, SaveNotice};

use super::GameTask;
use crate::protocol::ServerMessage;

impl GameTask {
    /// Saves the game. If that fails, the game goes on; returns what to tell the clients.
    pub(super) async fn save(&mut self) -> Option<String> {
        let game = self.room.to_save();
        let mut saver = self.saver.take()?;
        let kept = self.shared.disk.run(move || {
            let notice = saver.save(&game);
            (saver, notice)
        });
        // The saver is lost only if it panics.
        let (saver, notice) = kept.await?;
        self.saver = Some(saver);
        self.note_save(notice.as_ref())
    }

    /// Tries again to save what could not be saved, and tells all clients if it can.
    pub(super) async fn retry_save(&mut self) {
        let Some(mut saver) = self.saver.take() else {
            return;
        };
        let tried = self.shared.disk.run(move || {
            let notice = saver.save_again();
            (saver, notice)
        });
        let Some((saver, notice)) = tried.await else {
            return;
        };
        self.saver = Some(saver);
        if let Some(said) = self.note_save(notice.as_ref()) {
            self.broadcast(&ServerMessage::Notice {
                sentences: vec![said],
            });
        }
    }

    /// Logs a notice that says something new, and remembers a problem for as long as it lasts. Returns the notice as a
    /// sentence.
    fn note_save(&mut self, notice: Option<&SaveNotice>) -> Option<String> {
        let said = notice.map(ToString::to_string);
        if let Some(said) = said.as_ref().filter(|_| said != self.unsaved) {
            (self.shared.config.log)(said);
        }
        match notice {
            Some(SaveNotice::Problem(_)) => self.unsaved = said.clone(),
            Some(SaveNotice::Remark(_)) => self.unsaved = None,
            None => {}
        }
        said
    }

    /// The time until the game is to be saved again.
    pub(super) fn retry_save_in(&self) -> Option<Duration> {
        let limits = &self.shared.config.limits;
        self.unsaved.as_ref().map(|_| limits.save_again)
    }

    /// Saves the time spent on the current move, so that a server that is killed does not give it back.
    pub(super) async fn save_clock(&mut self) {
        self.clock_saved = Instant::now();
        let game = self.room.to_save();
        let Some(mut saver) = self.saver.take() else {
            return;
        };
        let kept = self.shared.disk.run(move || {
            let notice = saver.save_clock(&game);
            (saver, notice)
        });
        let Some((saver, notice)) = kept.await else {
            return;
        };
        self.saver = Some(saver);
        if let Some(said) = self.note_save(notice.as_ref()) {
            self.broadcast(&ServerMessage::Notice {
                sentences: vec![said],
            });
        }
    }

    /// The time until that is to be done again, if a clock runs: longer where there is more time than anybody counts.
    pub(super) fn save_clock_in(&self) -> Option<Duration> {
        let face = self.room.session().clock(self.shared.now());
        let left = face.left[face.running.filter(|_| self.room.has_begun())?]?;
        let interval = CLOCK_INTERVAL.max(left / 1000);
        let is_wanted = self.unsaved.is_none() && !left.is_zero();
        is_wanted.then(|| interval.saturating_sub(self.clock_saved.elapsed()))
    }

    /// Saves the game including the time spent on the current move, and releases the save.
    pub(super) async fn end(&mut self) {
        self.search = None;
        self.advice = ByColor::default();
        self.judging = ByColor::default();
        let now = self.advance_clock(Duration::ZERO);
        let effects = self.room.tick(now);
        self.apply(effects, None).await;
        self.save().await;
        if let Some(mut saver) = self.saver.take() {
            let released = self.shared.disk.run(move || saver.release()).await;
            self.note_save(released.flatten().as_ref());
        }
    }
}
