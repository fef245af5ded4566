//! Other places of the game: by their number, and in variations.

use tabiya_game::{Command, Event, GoTo, Timestamp};
use tabiya_play::variations;
use tabiya_play::variations::Variation;

use super::{Effect, Game, Reply, answers};
use crate::commands::Target;

impl Game {
    pub(super) fn go_to(&mut self, target: Target, now: Timestamp) -> Vec<Effect> {
        match target.ply(&self.session) {
            Some(ply) => self.apply(Command::GoTo(GoTo::Ply(ply)), now),
            None => {
                let sentence = answers::no_such_move(&self.session);
                vec![Effect::Say(Reply::refusal(vec![sentence]))]
            }
        }
    }

    /// Whoever goes back looks around, until a move is made there or the game stands where it stood.
    pub(super) fn follow_looking(&mut self, event: &Event) {
        match event {
            Event::WentTo { .. } => {
                self.looking = self.session.record().cursor().next().is_some();
            }
            Event::Moved(_)
            | Event::Undone { .. }
            | Event::Redone { .. }
            | Event::NewGame
            | Event::PositionLoaded
            | Event::GameLoaded => self.looking = false,
            _ => {}
        }
    }

    /// Goes to another variation, or changes their order.
    pub(super) fn vary(&mut self, wish: Variation, now: Timestamp) -> Vec<Effect> {
        match variations::command(self.session.record().cursor(), wish) {
            Ok(command) => self.apply(command, now),
            Err(sentence) => vec![Effect::Say(Reply::refusal(vec![sentence.to_owned()]))],
        }
    }
}
