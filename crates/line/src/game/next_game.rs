//! The game that follows when one has ended. A person is told of it, and its clock waits for them.

use tabiya_front::commands;
use tabiya_front::config::settings::fitted_level;
use tabiya_front::wording::events;
use tabiya_game::Timestamp;
use tabiya_play::desk::DeskRequest;

use super::{LineEffect, LineGame, say};

impl LineGame {
    /// Says whom a person plays against; nothing if there are two people. A resumed game comes with its last move.
    pub(crate) fn introduction(&self, is_new: bool) -> Option<LineEffect> {
        let opponents = self.table().opponents();
        let person = opponents.person()?;
        let opponent = opponents.name(!person)?;
        let session = self.table().session();
        let clock = &session.clocks()[person];
        let time = match clock.is_unlimited() {
            true => "without a clock".to_owned(),
            false => format!("with {clock} on the clock"),
        };
        let mut sentence = format!("You play {person} against {opponent}, {time}.");
        if let Some(place) = events::place(session.record().cursor()).filter(|_| !is_new) {
            sentence += &format!(" The last move was {place}.");
        }
        say("opponent", vec![sentence]).pop()
    }

    /// Updates the level of the bot that fits the player after a game.
    pub(super) fn fit_level(&mut self) -> Option<LineEffect> {
        let level = fitted_level(
            self.table().opponents(),
            self.table().session(),
            self.level?,
        )?;
        self.level = Some(level);
        Some(LineEffect::StoreLevel(level))
    }

    /// Starts the same kind of game again; the previous one can still be reviewed.
    pub(super) fn replace_with_the_next(&mut self, now: Timestamp) -> Vec<LineEffect> {
        let mut effects = self.handle(DeskRequest::StartNext, now);
        if self.is_interactive {
            // The clock stands until somebody wants to play.
            self.is_clock_held = self.table().session().clock(now).running.is_some();
            if self.is_clock_held {
                effects.extend(self.toggle_clock(now));
            }
            effects.extend(say("new", vec![self.announcement()]));
        }
        effects
    }

    pub(super) fn toggle_clock(&mut self, now: Timestamp) -> Vec<LineEffect> {
        let outcomes = self.desk.hold_clock(now);
        self.show_outcomes(outcomes, now)
    }

    fn announcement(&self) -> String {
        let turn = self.table().session().turn();
        let (begins, until) = match (self.is_clock_held, self.table().opponents().is_human(turn)) {
            (true, true) => ("A new game begins with the first move", "then"),
            (true, false) => ("Enter pause to begin a new game", "your first move"),
            (false, _) => ("A new game begins", "your first move"),
        };
        let names = commands::reaching_last_game();
        format!("{begins}. Until {until}, these are about the last one: {names}.")
    }
}
