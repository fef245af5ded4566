//! A match in the line mode: a line for each finished game, and the score at the end.

use tabiya_front::matches::{MatchError, MatchOrder, Report};
use tabiya_play::contest::Event;

use super::{LineEffect, LineGame, Reply, refuse};

impl LineGame {
    /// Starts a match, unless one is running.
    pub(super) fn start_match(&self, order: Box<MatchOrder>) -> Vec<LineEffect> {
        if self.running_match.is_none() {
            return vec![LineEffect::Match(order)];
        }
        refuse(
            "match",
            "A match is in progress. Wait for its end, or stop it by leaving with quit.",
        )
    }

    /// Handles the start of a match, or its failure.
    pub(crate) fn match_started(&mut self, started: Result<Report, MatchError>) -> Vec<LineEffect> {
        match started {
            Ok(report) => {
                self.running_match = Some(report);
                Vec::new()
            }
            Err(error) => refuse("match", error.to_string()),
        }
    }

    /// Handles an event of the match.
    pub(crate) fn match_event(&mut self, event: Event) -> Vec<LineEffect> {
        let Some(report) = &mut self.running_match else {
            return Vec::new();
        };
        let reply = match event {
            Event::GameStarted { .. } | Event::Moved { .. } => return Vec::new(),
            Event::Overran { by, overrun } => Reply::Overrun {
                by,
                sentence: report.overrun(by, overrun),
            },
            Event::Score(standing) => {
                report.standing = standing;
                return Vec::new();
            }
            Event::GameEnded(game) => Reply::MatchGame {
                line: report.game_line(&game),
                game,
            },
            Event::Over(end) => {
                let ended = report.ended(end);
                self.running_match = None;
                Reply::MatchScore(Box::new(ended))
            }
        };
        vec![LineEffect::Say(reply)]
    }
}
