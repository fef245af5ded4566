//! Rematches: when a game is over and all its players want one, the same game with the colors swapped.

use std::sync::Arc;

use tabiya_play::players::PlayerSpec;
use tabiya_rules::{ByColor, Color};

use super::{GameTask, Rematch};
use crate::links::Links;
use crate::protocol::{self, ServerMessage};
use crate::role::{Denied, Role};

impl GameTask {
    /// Notes who wants a rematch. It begins when all players want it.
    pub(super) fn want_rematch(&mut self, role: Role) -> Result<(), Denied> {
        if role == Role::Watch {
            return Err(Denied::Watching);
        }
        if !self.room.is_over() {
            return Err(Denied::NotOver);
        }
        if self.next.is_some() {
            self.tell_next();
            return Ok(());
        }
        if self.beginning {
            return Ok(());
        }
        for by in Color::ALL.into_iter().filter(|&color| role.plays(color)) {
            self.wants[by] = true;
            if role != Role::Both {
                self.broadcast(&ServerMessage::Rematch { by });
            }
        }
        let wanted = |color: Color| self.wants[color] || !self.room.is_person(color);
        if !Color::ALL.into_iter().all(wanted) {
            return Ok(());
        }
        self.wants = ByColor::default();
        self.beginning = true;
        let plan = self.room.rematch();
        let mut roles: Vec<Role> = match role {
            Role::Both => vec![Role::Both],
            Role::White | Role::Black | Role::Watch => {
                let persons = Color::ALL.into_iter();
                let persons = persons.filter(|&color| plan.players[color] == PlayerSpec::Human);
                persons.map(Role::from).collect()
            }
        };
        roles.push(Role::Watch);
        let after = self.own.clone();
        let rematch = Rematch { plan, roles, after };
        if self.shared.rematches.try_send(rematch).is_err() {
            self.begin_next(None);
        }
        Ok(())
    }

    pub(super) fn begin_next(&mut self, next: Option<(String, Arc<Links>)>) {
        self.beginning = false;
        if next.is_none() {
            let sentences = vec!["No other game can begin now.".to_owned()];
            return self.broadcast(&ServerMessage::Notice { sentences });
        }
        self.next = next;
        self.tell_next();
    }

    /// Tells all clients the ID of the next game, and each its own token.
    fn tell_next(&mut self) {
        let Some((id, links)) = self.next.clone() else {
            return;
        };
        let told = self.clients.iter().filter_map(|(&number, client)| {
            let role = match client.role {
                Role::White => Role::Black,
                Role::Black => Role::White,
                same @ (Role::Both | Role::Watch) => same,
            };
            let (_, token) = links.iter().find(|(of, _)| *of == role)?;
            let token = token.reveal();
            Some((
                number,
                protocol::text(&ServerMessage::Next { id: &id, token }),
            ))
        });
        for (number, text) in told.collect::<Vec<_>>() {
            self.send(number, text.into());
        }
    }
}
