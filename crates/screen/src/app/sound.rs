//! The terminal's bell: it rings when the opponent has moved, for a check, and when a person's time is short, if the
//! user wants that.

use tabiya_front::config::settings::Sound;
use tabiya_game::{Event, Timestamp};
use tabiya_play::outcome::Happened;
use tabiya_play::table::Table;
use tabiya_rules::{ByColor, Color};

use super::App;
use super::board::LOW;
use crate::message::Effect;

/// Which sides have been warned that their time is short.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LowTime(ByColor<bool>);

impl LowTime {
    /// Checks the clocks. Returns whether a person's time has just become short.
    pub(super) fn just_became_low(&mut self, table: &Table, now: Timestamp) -> bool {
        let face = table.session().clock(now);
        let mut is_new = false;
        for color in Color::ALL {
            let is_low = face.left[color].is_some_and(|left| left < LOW);
            let is_heard = face.running == Some(color) && table.opponents().is_human(color);
            if !is_low {
                self.0[color] = false;
            } else if is_heard && !self.0[color] {
                self.0[color] = true;
                is_new = true;
            }
        }
        is_new
    }
}

/// Whether the bell rings for what happened in the game.
pub(super) fn is_heard(happened: &Happened) -> bool {
    happened
        .events
        .iter()
        .any(|event| matches!(event, Event::Moved(moved) if happened.by_engine || moved.check))
}

impl App {
    /// Rings the bell, if the user wants to hear it.
    pub(super) fn ring(&mut self) {
        if self.settings.sound == Sound::Bell {
            self.effects.push(Effect::Ring);
        }
    }
}
