//! Rematches: when a game is over and all its players want one, the same game with the colors swapped.

use std::sync::Arc;

use tabiya_play::players::PlayerSpec;
use tabiya_rules::{ByColor, Color};

use super::{GameTask, Rematch};
use crate::links::Links;
use crate::protocol::{self, ServerMessage};
use crate::rates::SharedBucket;
use crate::role::{Denied, Role};

/// A rematch that has begun: its ID and its links.
pub(crate) type Next = (String, Arc<Links>);

/// What becomes of the game after its end.
pub(crate) struct Rematches {
    /// Counts this rematch and all after it, so that one player alone does not fill the server with one game after the other.
    budget: Arc<SharedBucket>,
    /// Who wants a rematch, whether it is about to begin, and the new game.
    wants: ByColor<bool>,
    beginning: bool,
    next: Option<Next>,
}

impl Rematches {
    pub(crate) fn new(budget: Arc<SharedBucket>, next: Option<Next>) -> Rematches {
        Rematches {
            budget,
            wants: ByColor::default(),
            beginning: false,
            next,
        }
    }

    pub(super) fn is_beginning(&self) -> bool {
        self.beginning
    }
}

impl GameTask {
    /// Notes who wants a rematch. It begins when all players want it.
    pub(super) fn want_rematch(&mut self, role: Role) -> Result<(), Denied> {
        if role == Role::Watch {
            return Err(Denied::Watching);
        }
        if !self.room.is_over() {
            return Err(Denied::NotOver);
        }
        if self.rematches.next.is_some() {
            self.send_next();
            return Ok(());
        }
        if self.rematches.beginning {
            return Ok(());
        }
        let wanted = |color: Color| {
            role.plays(color) || self.rematches.wants[color] || !self.room.is_person(color)
        };
        let all_want = Color::ALL.into_iter().all(wanted);
        if all_want && !self.rematches.budget.take() {
            return Err(Denied::TooManyRematches);
        }
        for by in Color::ALL.into_iter().filter(|&color| role.plays(color)) {
            self.rematches.wants[by] = true;
            if role != Role::Both {
                self.broadcast(&ServerMessage::Rematch { by });
            }
        }
        if !all_want {
            return Ok(());
        }
        self.order_rematch(role);
        Ok(())
    }

    /// Has the lobby begin the rematch that all players want; `role` is that of one of them.
    fn order_rematch(&mut self, role: Role) {
        self.rematches.wants = ByColor::default();
        self.rematches.beginning = true;
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
        let rematch = Rematch {
            plan,
            roles,
            budget: Arc::clone(&self.rematches.budget),
            of: self.room.id().to_owned(),
            after: self.own.clone(),
        };
        if self.shared.rematches.try_send(rematch).is_err() {
            self.begin_next(None);
        }
    }

    /// Tells all clients where the rematch is, or that none can begin.
    pub(super) fn begin_next(&mut self, next: Option<Next>) {
        self.rematches.beginning = false;
        if next.is_none() {
            let sentences = vec!["No other game can begin now.".to_owned()];
            return self.broadcast(&ServerMessage::Notice { sentences });
        }
        self.rematches.next = next;
        self.send_next();
    }

    /// Tells all clients the ID of the next game, and each its own token.
    fn send_next(&mut self) {
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
        let wants = Color::ALL.into_iter();
        let wants = wants.filter(|&by| self.rematches.wants[by]);
        let wants = wants.map(|by| protocol::text(&ServerMessage::Rematch { by }));
        wants.chain(self.next_for(role, true)).collect()
    }

    /// The message about the next game. `joined` says that it began before the client came.
    fn next_for(&self, role: Role, joined: bool) -> Option<String> {
        let (id, links) = self.rematches.next.as_ref()?;
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
