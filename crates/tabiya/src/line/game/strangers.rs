//! An engine that only a save knows, in the line mode: the next line says whether it is started.

use tabiya_play::opponents::Stranger;

use super::{Effect, Game, Reply, Tone, say};
use crate::json::Json;

impl Game {
    /// Asks about an engine that only the save knows, before anybody is to think.
    pub(super) fn ask_about_stranger(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        while self.session.outcome().is_none()
            && let Some(stranger) = self.opponents.stranger()
            && self.asked_about.as_ref() != Some(&stranger)
        {
            match stranger.shown() {
                Some(shown) => {
                    effects.push(Effect::Say(question(&stranger, &shown)));
                    self.asked_about = Some(stranger);
                }
                None => {
                    let sentence = stranger.introduction();
                    effects.push(Effect::Say(Reply::refusal(vec![sentence])));
                    let orders = self.opponents.fail(stranger.color);
                    effects.extend(orders.into_iter().map(Effect::Order));
                }
            }
        }
        effects
    }

    /// Takes a line as an answer to that, if it says yes or no. Any other line leaves the side to a person as well, and
    /// is then read as what it is.
    pub(super) fn answer_about_stranger(&mut self, line: &str) -> Option<Vec<Effect>> {
        let asked = self.asked_about.take()?;
        if self.opponents.stranger().as_ref() != Some(&asked) {
            return None;
        }
        let color = asked.color;
        let answer = line.trim().to_ascii_lowercase();
        let is_yes = matches!(answer.as_str(), "yes" | "y");
        let orders = if is_yes {
            self.opponents.admit(&asked)
        } else {
            self.opponents.fail(color)
        };
        let sentence = match self.opponents.name(color) {
            Some(name) => format!("{name} plays {color}."),
            None => format!("A person plays {color}."),
        };
        if !is_yes && !matches!(answer.as_str(), "no" | "n" | "") {
            // There was never anybody to be sent away.
            return None;
        }
        let mut effects = say("opponent", vec![sentence]);
        effects.extend(orders.into_iter().map(Effect::Order));
        Some(effects)
    }
}

fn question(stranger: &Stranger, shown: &str) -> Reply {
    let color = stranger.color;
    let lines = vec![
        stranger.introduction(),
        format!("Start it? Type yes; anything else leaves {color} to you."),
    ];
    let json = Json::Object(vec![
        ("event", "question".into()),
        ("command", "load".into()),
        ("name", shown.into()),
        ("lines", Json::from(lines.clone())),
    ]);
    Reply {
        text: lines,
        json,
        tone: Tone::News,
    }
}
