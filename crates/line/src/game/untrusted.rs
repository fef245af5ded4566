//! An engine that only a save names, in the line mode: the next line decides whether it is started.

use tabiya_front::wording::Question;
use tabiya_game::Timestamp;
use tabiya_play::desk::{DeskOutcome, DeskRequest};
use tabiya_play::opponents::UntrustedEngine;
use tabiya_play::outcome::Outcome;
use tabiya_play::table::Permission;

use super::{LineEffect, LineGame, Reply, refuse};

impl LineGame {
    /// Asks about an engine that only the save names, before any engine thinks.
    pub(super) fn ask_about_untrusted(&mut self, now: Timestamp) -> Vec<LineEffect> {
        let mut effects = Vec::new();
        while self.table().session().outcome().is_none()
            && let Some(untrusted) = self.table().opponents().untrusted_engine()
            && self.offered_engine.as_ref() != Some(&untrusted)
        {
            match untrusted.shown() {
                Some(shown) => {
                    effects.push(LineEffect::Say(question(&untrusted, shown)));
                    self.offered_engine = Some(untrusted);
                }
                None => {
                    effects.extend(refuse("engine", untrusted.introduction()));
                    effects.extend(self.deny(&untrusted, now));
                }
            }
        }
        effects
    }

    /// Gives the side of an engine that the user did not allow to a person. The engine never ran, so nothing is announced.
    fn deny(&mut self, untrusted: &UntrustedEngine, now: Timestamp) -> Vec<LineEffect> {
        let deny = Permission::Deny;
        let denied = DeskRequest::AnswerUntrusted(Box::new(untrusted.clone()), deny);
        let mut outcomes = self.desk.handle(denied, now);
        let is_seated =
            |outcome: &DeskOutcome| matches!(outcome, DeskOutcome::At(_, Outcome::Seated { .. }));
        outcomes.retain(|outcome| !is_seated(outcome));
        self.show_outcomes(outcomes, now)
    }

    /// Takes a line as the answer to that, if it says yes or no. Any other line also gives the side to a person, and is
    /// then handled as usual. Returns whether it was an answer, and the effects.
    pub(super) fn answer_about_untrusted(
        &mut self,
        line: &str,
        now: Timestamp,
    ) -> (bool, Vec<LineEffect>) {
        let Some(offered) = self.offered_engine.take() else {
            return (false, Vec::new());
        };
        if self.table().opponents().untrusted_engine().as_ref() != Some(&offered) {
            return (false, Vec::new());
        }
        let answer = match line.trim().to_ascii_lowercase().as_str() {
            "yes" | "y" => Permission::Allow,
            "no" | "n" | "" => Permission::Deny,
            _ => return (false, self.deny(&offered, now)),
        };
        let answered = DeskRequest::AnswerUntrusted(Box::new(offered), answer);
        (true, self.handle(answered, now))
    }
}

fn question(untrusted: &UntrustedEngine, shown: String) -> Reply {
    let color = untrusted.color;
    Reply::Question(Question {
        command: "load",
        name: shown,
        lines: vec![
            untrusted.introduction(),
            format!("Start it? Type yes; anything else leaves {color} to you."),
        ],
    })
}
