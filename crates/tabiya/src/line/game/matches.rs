//! A match in the line mode: a line for each game that is over, and the score at the end.

use tabiya_play::contest::{End, Event, Standing};

use super::{Effect, Game, Reply, Tone};
use crate::matches::MatchOrder;
use crate::matches::Report;

/// A match that goes on.
#[derive(Debug)]
pub(crate) struct Going {
    report: Report,
    standing: Standing,
}

impl Game {
    /// Asks for a match, unless another one goes on.
    pub(super) fn start_match(&self, wish: Box<MatchOrder>) -> Vec<Effect> {
        if self.going.is_none() {
            return vec![Effect::Match(wish)];
        }
        let sentence = "A match goes on. Wait for its end, or stop it by leaving with quit.";
        vec![Effect::Say(Reply::refusal(vec![sentence.to_owned()]))]
    }

    /// A match was started, or why it cannot be.
    pub(crate) fn match_started(&mut self, started: Result<Report, String>) -> Vec<Effect> {
        match started {
            Ok(report) => {
                self.going = Some(Going {
                    report,
                    standing: Standing::default(),
                });
                Vec::new()
            }
            Err(sentence) => vec![Effect::Say(Reply::refusal(vec![sentence]))],
        }
    }

    /// Takes in what happened in the match.
    pub(crate) fn match_event(&mut self, event: Event) -> Vec<Effect> {
        let Some(going) = &mut self.going else {
            return Vec::new();
        };
        match event {
            Event::GameStarted { .. } | Event::Moved { .. } => Vec::new(),
            Event::Overran { by, sentence } => vec![Effect::Say(Reply {
                json: Report::overrun_json(by, &sentence),
                text: vec![sentence],
                tone: Tone::Plain,
            })],
            Event::Score(standing) => {
                going.standing = standing;
                Vec::new()
            }
            Event::GameEnded(game) => vec![Effect::Say(Reply {
                text: vec![going.report.game_line(&game)],
                json: Report::game_json(&game),
                tone: Tone::Plain,
            })],
            Event::Over(end) => {
                let mut text = going.report.lines(&going.standing, &end);
                if let End::Broken(sentence) = &end {
                    text.push(sentence.clone());
                }
                let json = going.report.score(&going.standing, &end);
                self.going = None;
                vec![Effect::Say(Reply {
                    text,
                    json,
                    tone: Tone::Plain,
                })]
            }
        }
    }
}
