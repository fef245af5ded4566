//! A game without a network, and a client without a connection: messages go in, and the messages that would be sent come out.
//! Fuzz targets and property tests use them.

use std::sync::Arc;
use std::time::Duration;

use tabiya_game::{Command, Policy, Session, TimeControl, Timestamp};
use tabiya_play::outcome::{Happened, TableRefusal};
use tabiya_rules::{ByColor, Position, SplitMix64};

use crate::assistant::AssistantMessage;
use crate::client::{Mirror, ParsedMessage};
use crate::config::Sentences;
use crate::protocol::{self, ClientRequest, Connections, NextGameRequest, Received, ServerMessage};
use crate::role::{Denied, Role};
use crate::room::{Effects, Plan, Room};

/// A game between two people who have both joined.
pub struct OfflineGame {
    room: Room,
    /// The simulated time; each message takes one second.
    passed: Duration,
}

impl std::fmt::Debug for OfflineGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OfflineGame").finish_non_exhaustive()
    }
}

impl Default for OfflineGame {
    fn default() -> OfflineGame {
        let plan = Plan {
            players: ByColor::default(),
            names: ByColor::default(),
            clock: TimeControl::default(),
            policy: Policy::default(),
            start: Position::start(),
            record: None,
        };
        let now = Timestamp::after_origin(Duration::ZERO);
        let id = "0".repeat(16);
        let (mut room, _) = Room::new(id, plan, Arc::new(Plain), SplitMix64::new(1), now);
        room.begin(now);
        OfflineGame {
            room,
            passed: Duration::ZERO,
        }
    }
}

impl OfflineGame {
    /// The message for a client that joins.
    pub fn state(&self, role: Role) -> String {
        let now = Timestamp::after_origin(self.passed);
        let state = self
            .room
            .state(role, Connections::default(), usize::MAX, now);
        protocol::text(&ServerMessage::State(&state))
    }

    /// Handles a message of a client. Returns everything that is sent because of it, to any client.
    pub fn take(&mut self, role: Role, text: &str) -> Vec<String> {
        let asked = match protocol::read(text) {
            Ok(Received::Pong) => return Vec::new(),
            Ok(Received::Asked(asked)) => *asked,
            Err(error) => return vec![protocol::text(&protocol::unreadable(&error))],
        };
        self.passed += Duration::from_secs(1);
        let now = Timestamp::after_origin(self.passed);
        let id = asked.id;
        let done = match asked.request {
            ClientRequest::Game(Command::Abandon {
                winner: Some(winner),
            }) => self.room.claim_game(role, winner, None, now),
            ClientRequest::Game(command) => self.room.ask(role, asked.ply, command, now),
            ClientRequest::Assistant(request) => self.room.ask_assistant(role, request, now),
            ClientRequest::NextGame(NextGameRequest::Rematch) => Err(Denied::NotOver),
        };
        match done {
            Ok(effects) => texts(id, effects),
            Err(denied) => vec![protocol::text(&ServerMessage::Refused {
                id,
                refusal: None,
                sentences: vec![denied.to_string()],
            })],
        }
    }
}

/// The messages about some effects, in the order in which a task sends them.
fn texts(id: u32, effects: Effects) -> Vec<String> {
    let mut texts = Vec::new();
    if let Some(happened) = effects.happened {
        texts.push(protocol::text(&ServerMessage::Happened(Box::new(happened))));
    }
    texts.extend(effects.advice.iter().map(|message| {
        protocol::text(&match message {
            AssistantMessage::Advice(advice) => ServerMessage::Advice(advice),
            AssistantMessage::Review(review) => ServerMessage::Review(review),
        })
    }));
    texts.push(protocol::text(&match effects.refused {
        None => ServerMessage::Done { id },
        Some((refusal, sentences)) => ServerMessage::Refused {
            id,
            refusal,
            sentences,
        },
    }));
    texts
}

/// A client that only listens.
#[derive(Debug, Default)]
pub struct OfflineClient(Mirror);

impl OfflineClient {
    /// Handles a message of a server. Returns whether it makes sense after the messages before it.
    pub fn hear(&mut self, text: &str) -> bool {
        !matches!(self.0.receive(text), ParsedMessage::Nonsense)
    }
}

/// Sentences for a game whose sentences nobody reads.
struct Plain;

impl Sentences for Plain {
    fn happened(&self, happened: &Happened, _: &Session) -> Vec<String> {
        vec![format!("{} events", happened.events.len())]
    }

    fn refused(&self, refused: &TableRefusal, _: &Position) -> Vec<String> {
        vec![format!("{refused:?}")]
    }
}
