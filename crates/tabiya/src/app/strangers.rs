//! An engine that only a save knows, on the full screen: it is shown, and asked about before anybody thinks.

use tabiya_game::Command;
use tabiya_play::opponents::Stranger;

use super::overlay::dialog::Dialog;
use super::{App, Screen};

/// What is to be done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Start,
    TurnAway,
}

impl App {
    /// Asks about such an engine where its game is in front, as often as it takes.
    pub(super) fn ask_about_stranger(&mut self) {
        while self.overlay.is_none()
            && self.screen == Screen::Game
            && !self.table.is_review()
            && self.table.session.outcome().is_none()
            && let Some(stranger) = self.opponents.stranger()
        {
            let dialog = Dialog {
                // Whoever resumed the game by a key has not read the question yet.
                came: Some(self.now),
                ..Dialog::stranger(stranger.clone())
            };
            if stranger.shown().is_some() && dialog.fits(self) {
                return self.open(dialog);
            }
            let sentence = stranger.refusal();
            self.answer_about_stranger(&stranger, Answer::TurnAway);
            self.show("Saves", vec![sentence]);
        }
    }

    /// Starts it or does not; the clocks begin when nothing is left to be asked.
    pub(super) fn answer_about_stranger(&mut self, stranger: &Stranger, answer: Answer) {
        if self.opponents.stranger().as_ref() != Some(stranger) {
            return;
        }
        let color = stranger.color;
        let orders = match answer {
            Answer::Start => self.opponents.admit(stranger),
            Answer::TurnAway => self.opponents.fail(color),
        };
        self.effects.order(orders);
        self.table.say(match self.opponents.name(color) {
            Some(name) => format!("{name} plays {color}."),
            None => format!("A person plays {color}."),
        });
        if self.opponents.stranger().is_none() {
            self.apply(Command::Tick);
        }
    }
}
