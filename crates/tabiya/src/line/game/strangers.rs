//! An engine that only a save names, in the line mode: the next line decides whether it is started.

use tabiya_game::Timestamp;
use tabiya_play::opponents::Stranger;
use tabiya_play::outcome::Outcome;
use tabiya_play::table::Admission;

use super::{Effect, LineGame, Reply, refuse};
use crate::wording::Question;

impl LineGame {
    /// Asks about an engine that only the save names, before any engine thinks.
    pub(super) fn ask_about_stranger(&mut self, now: Timestamp) -> Vec<Effect> {
        let mut effects = Vec::new();
        while self.table().session().outcome().is_none()
            && let Some(stranger) = self.table().opponents().stranger()
            && self.asked_about.as_ref() != Some(&stranger)
        {
            match stranger.shown() {
                Some(shown) => {
                    effects.push(Effect::Say(question(&stranger, shown)));
                    self.asked_about = Some(stranger);
                }
                None => {
                    effects.extend(refuse("engine", stranger.introduction()));
                    effects.extend(self.turn_away(&stranger, now));
                }
            }
        }
        effects
    }

    /// Gives the side of a stranger to a person. It was never started, so there is nothing to dismiss.
    fn turn_away(&mut self, stranger: &Stranger, now: Timestamp) -> Vec<Effect> {
        let away = Admission::TurnAway;
        let mut outcomes = self.table_mut().answer_stranger(stranger, away, now);
        outcomes.retain(|outcome| !matches!(outcome, Outcome::Seated { .. }));
        self.show_outcomes(outcomes, now)
    }

    /// Takes a line as the answer to that, if it says yes or no. Any other line also gives the side to a person, and is
    /// then handled as usual. Returns whether it was an answer, and the effects.
    pub(super) fn answer_about_stranger(
        &mut self,
        line: &str,
        now: Timestamp,
    ) -> (bool, Vec<Effect>) {
        let Some(asked) = self.asked_about.take() else {
            return (false, Vec::new());
        };
        if self.table().opponents().stranger().as_ref() != Some(&asked) {
            return (false, Vec::new());
        }
        let answer = match line.trim().to_ascii_lowercase().as_str() {
            "yes" | "y" => Admission::Start,
            "no" | "n" | "" => Admission::TurnAway,
            _ => return (false, self.turn_away(&asked, now)),
        };
        let outcomes = self.table_mut().answer_stranger(&asked, answer, now);
        (true, self.show_outcomes(outcomes, now))
    }
}

fn question(stranger: &Stranger, shown: String) -> Reply {
    let color = stranger.color;
    Reply::Question(Question {
        command: "load",
        name: shown,
        lines: vec![
            stranger.introduction(),
            format!("Start it? Type yes; anything else leaves {color} to you."),
        ],
    })
}
