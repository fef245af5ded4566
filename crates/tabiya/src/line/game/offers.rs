//! What one player asks the other: a draw, a move back.

use tabiya_game::{Command, Timestamp};
use tabiya_rules::Color;

use super::{Effect, Game, Reply};
use crate::commands::Question;

impl Game {
    /// Answers what was asked, for the side that was asked.
    pub(super) fn answer(
        &mut self,
        what: Option<Question>,
        draw: fn(Color) -> Command,
        takeback: fn(Color) -> Command,
        now: Timestamp,
    ) -> Vec<Effect> {
        let offer = self.session.draw_offer();
        let wish = self.session.takeback().map(|takeback| takeback.by);
        let what = match (what, offer, wish) {
            (Some(what), ..) => Some(what),
            (None, Some(_), Some(_)) => {
                let sentence = "A draw is offered and a takeback is asked for: say which you mean.";
                return vec![Effect::Say(Reply::refusal(vec![sentence.to_owned()]))];
            }
            (None, Some(_), None) => Some(Question::Draw),
            (None, None, Some(_)) => Some(Question::Takeback),
            (None, None, None) => None,
        };
        let turn = self.session.turn();
        match what {
            Some(Question::Draw) => self.apply(draw(offer.map_or(turn, |by| !by)), now),
            Some(Question::Takeback) => self.apply(takeback(wish.map_or(turn, |by| !by)), now),
            None => {
                let sentence = "There is nothing to answer.".to_owned();
                vec![Effect::Say(Reply::refusal(vec![sentence]))]
            }
        }
    }
}
