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
        let clients = self.clients.iter();
        let told = clients.filter_map(|(&number, client)| {
            let text = self.next_for(client.role, false)?;
            Some((number, text))
        });
        for (number, text) in told.collect::<Vec<_>>() {
            self.send(number, text.into());
        }
    }

    /// What somebody who joins has to know: who wants a rematch, or that it has begun.
    pub(super) fn rematch_for(&self, role: Role) -> Vec<String> {
        let wants = Color::ALL.into_iter().filter(|&by| self.wants[by]);
        let wants = wants.map(|by| protocol::text(&ServerMessage::Rematch { by }));
        wants.chain(self.next_for(role, true)).collect()
    }

    /// The message about the next game. `joined` says that it began before the client came.
    fn next_for(&self, role: Role, joined: bool) -> Option<String> {
        let (id, links) = self.next.as_ref()?;
        let role = match role {
            Role::White => Role::Black,
            Role::Black => Role::White,
            same @ (Role::Both | Role::Watch) => same,
        };
        let (_, token) = links.iter().find(|(of, _)| *of == role)?;
        let token = token.reveal();
        Some(protocol::text(&ServerMessage::Next { id, token, joined }))
    }
}
