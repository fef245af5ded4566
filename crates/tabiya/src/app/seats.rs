//! The players of the game: those of the command line, and engines that only a save names.

use tabiya_play::players::PlayerSpec;
use tabiya_play::table::Admission;
use tabiya_rules::ByColor;

use super::act::Act;
use super::overlay::dialog::Dialog;
use super::{App, Screen};

impl App {
    /// Seats the players of the command line before the game begins.
    pub(crate) fn seat(&mut self, specs: ByColor<PlayerSpec>, engines: Vec<String>) {
        self.boards.game.table.lay_out(specs);
        self.engines = engines;
        if let Some(person) = self.boards.game.opponents().person() {
            self.look.bottom = person;
        }
    }

    /// Asks about engines that only a save names, while its game is in front.
    pub(super) fn ask_about_stranger(&mut self) {
        while self.overlay.is_none()
            && self.screen == Screen::Game
            && !self.board().is_review()
            && self.board().session().outcome().is_none()
            && let Some(stranger) = self.board().opponents().stranger()
        {
            let dialog = Dialog {
                // A player who resumed the game with a key has not read the question yet.
                came: Some(self.now),
                ..Dialog::stranger(stranger.clone())
            };
            if stranger.shown().is_some() && dialog.fits(self) {
                return self.open(dialog);
            }
            let sentence = stranger.refusal();
            self.act(Act::Answer(Box::new(stranger), Admission::TurnAway));
            self.show("Saves", vec![sentence]);
        }
    }
}
