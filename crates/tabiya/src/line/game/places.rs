//! Other places of the game: by their number, and in variations.

use tabiya_game::{Command, Event, Place, Session, Timestamp};
use tabiya_rules::Color;

use super::{Effect, Game, Reply, answers};
use crate::commands::Target;
use crate::variations;
use crate::variations::Variation;

impl Game {
    pub(super) fn go_to(&mut self, target: Target, now: Timestamp) -> Vec<Effect> {
        let place = match target {
            Target::Start => Some(Place::Start),
            Target::End => Some(Place::End),
            Target::Move { number, by } => ply_after(&self.session, number, by).map(Place::Ply),
        };
        match place {
            Some(place) => self.apply(Command::GoTo(place), now),
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

/// The ply after the move of a side with a number, if the game has got there.
pub(crate) fn ply_after(session: &Session, number: u32, by: Color) -> Option<u32> {
    let start = session.record().start();
    let half = |color| u64::from(color == Color::Black);
    let first = u64::from(start.fullmove_number()) * 2 + half(start.turn());
    let wanted = u64::from(number) * 2 + half(by);
    let ply = wanted.checked_sub(first)? + 1;
    let last = session.record().line().len() as u64;
    u32::try_from(ply).ok().filter(|_| ply <= last)
}
