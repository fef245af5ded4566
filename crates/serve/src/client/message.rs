//! Parses and checks the messages of a server. Texts are cut and made safe to show. Messages of an unknown kind are ignored,
//! because later servers may send them; messages that make no sense are reported.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use tabiya_game::{NewGame, Policy, TimeControl};
use tabiya_play::players::PlayerSpec;
use tabiya_play::remote::{Joined, Presence, RemoteState, ServerEvent};
use tabiya_rules::text::clean;
use tabiya_rules::{ByColor, CastlingMode, Color, UciMove};

use crate::PROTOCOL;
use crate::json;
use crate::links::is_id;
use crate::protocol::{Connections, MAX_PLIES, Standing, State};
use crate::token::Token;

/// The largest length of a name and of a sentence, in characters, and the largest number of sentences in a message.
const MAX_NAME_LENGTH: usize = 40;
const MAX_SENTENCE_LENGTH: usize = 300;
const MAX_SENTENCES: usize = 8;
/// What a message means.
#[derive(Debug)]
pub(crate) enum ParsedMessage {
    Event(ServerEvent),
    /// The answer to the request with this number.
    Answer(u32, ServerEvent),
    /// The server asks whether the client is still there, and says how long an earlier answer took.
    Ping(Option<Duration>),
    /// It can be ignored.
    Nothing,
    /// It does not fit the messages before it, or cannot be parsed.
    Nonsense,
    /// A rematch has begun.
    Next {
        id: String,
        token: Token,
    },
}

/// The moves that the server has sent so far, and the number of the last message.
#[derive(Debug, Default)]
pub(crate) struct Mirror {
    moves: Vec<UciMove>,
    number: u64,
    /// A state whose moves have not all arrived.
    partial: Option<Box<ReceivedState>>,
}

/// The server's messages as far as a client needs them. Other messages and keys are not parsed, so that a later server may
/// change them; texts are still to be checked.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ServerMessage {
    Ping {
        #[serde(default)]
        lag_ms: Option<u32>,
    },
    State(Box<ReceivedState>),
    More {
        items: Value,
    },
    Happened(Box<Happened>),
    Done {
        id: u32,
    },
    Refused {
        id: u32,
        sentences: Vec<String>,
    },
    Notice {
        sentences: Vec<String>,
    },
    Presence(Connections),
    Rematch {
        by: Color,
    },
    Next {
        id: String,
        token: String,
        /// Whether it had begun when this client joined. Whoever joins a game that is over wants to see that game.
        #[serde(default)]
        joined: bool,
    },
    #[serde(other)]
    Unknown,
}

type ReceivedState = State<ReceivedMove, Standing>;

#[derive(Deserialize)]
struct Happened {
    number: u64,
    moves_from: usize,
    moves: Vec<ReceivedMove>,
    board: Standing,
}

#[derive(Debug, Deserialize)]
struct ReceivedMove {
    uci: UciMove,
}

impl Mirror {
    /// Whether a state has arrived without all of its moves.
    pub(crate) fn is_partial(&self) -> bool {
        self.partial.is_some()
    }

    /// Parses and checks a message.
    pub(crate) fn receive(&mut self, text: &str) -> ParsedMessage {
        let Ok(received) = json::read(text.as_bytes()) else {
            return ParsedMessage::Nonsense;
        };
        match received {
            ServerMessage::State(state) => self.complete_state(state),
            ServerMessage::More { items } => self.receive_more(items),
            ServerMessage::Happened(happened) => match self.receive_happened(*happened) {
                Some(state) => ParsedMessage::Event(ServerEvent::State(Box::new(state))),
                None => ParsedMessage::Nonsense,
            },
            ServerMessage::Ping { lag_ms } => {
                ParsedMessage::Ping(lag_ms.map(|lag| Duration::from_millis(lag.into())))
            }
            ServerMessage::Done { id } => ParsedMessage::Answer(id, ServerEvent::Done),
            ServerMessage::Refused { id, sentences } => {
                ParsedMessage::Answer(id, ServerEvent::Refused(safe_sentences(sentences)))
            }
            ServerMessage::Notice { sentences } => {
                ParsedMessage::Event(ServerEvent::Notice(safe_sentences(sentences)))
            }
            ServerMessage::Presence(connected) => {
                ParsedMessage::Event(ServerEvent::Presence(presence(&connected)))
            }
            ServerMessage::Rematch { by } => ParsedMessage::Event(ServerEvent::RematchWanted(by)),
            ServerMessage::Next { joined: true, .. } => ParsedMessage::Nothing,
            ServerMessage::Next { id, token, .. } => match Token::read(&token) {
                Some(token) if is_id(&id) => ParsedMessage::Next { id, token },
                Some(_) | None => ParsedMessage::Nonsense,
            },
            ServerMessage::Unknown => ParsedMessage::Nothing,
        }
    }

    /// Waits until all moves of a state have arrived.
    fn complete_state(&mut self, state: Box<ReceivedState>) -> ParsedMessage {
        if state.count > MAX_PLIES + 1 {
            return ParsedMessage::Nonsense;
        }
        if state.moves.len() < state.count {
            self.partial = Some(state);
            return ParsedMessage::Nothing;
        }
        match self.joined(*state) {
            Some(joined) => ParsedMessage::Event(ServerEvent::Joined(Box::new(joined))),
            None => ParsedMessage::Nonsense,
        }
    }

    fn receive_more(&mut self, items: Value) -> ParsedMessage {
        let Some(mut state) = self.partial.take() else {
            // It belongs to a review, which is of no interest here.
            return ParsedMessage::Nothing;
        };
        match json::of_value::<Vec<ReceivedMove>>(items) {
            Ok(items) if !items.is_empty() => {
                state.moves.extend(items);
                self.complete_state(state)
            }
            Ok(_) | Err(_) => ParsedMessage::Nonsense,
        }
    }

    fn joined(&mut self, state: ReceivedState) -> Option<Joined> {
        if state.protocol != PROTOCOL {
            return None;
        }
        // Positions are read that only an editor accepts.
        let start = state.start.setup().position().ok()?;
        let start = match state.chess960 {
            true => start.with_castling_mode(CastlingMode::Chess960),
            false => start,
        };
        let control = |text: &str| text.parse::<TimeControl>().ok();
        let clocks = ByColor::new(control(&state.time.white)?, control(&state.time.black)?);
        let names = ByColor::new(safe_name(&state.names.white), safe_name(&state.names.black));
        let policy = Policy::new().with_draws(state.draws);
        let mut game = NewGame::new(start).with_policy(policy);
        game.clocks = clocks;
        for color in Color::ALL {
            // A name without control characters is one line, and `set` would refuse nothing else.
            let _ = game.tags.set(color.name(), &names[color]);
        }
        let players = ByColor::from_fn(|color: Color| match state.you.plays(color) {
            true => PlayerSpec::Human,
            false => PlayerSpec::Remote(names[color].clone()),
        });
        let is_person = |player: &str| player == "human";
        let both_here = state.you.plays(Color::White) && state.you.plays(Color::Black);
        let between_people = is_person(&state.players.white) && is_person(&state.players.black);
        self.number = state.number;
        self.moves.clear();
        let here = self.follow(0, state.moves, &state.board)?;
        Some(Joined {
            game,
            players,
            between_people: between_people && !both_here,
            state: here,
            presence: presence(&state.presence),
        })
    }

    fn receive_happened(&mut self, happened: Happened) -> Option<RemoteState> {
        if happened.number != self.number.checked_add(1)? {
            return None;
        }
        self.number = happened.number;
        self.follow(happened.moves_from, happened.moves, &happened.board)
    }

    /// The state of the game after the first `from` known moves and the new ones.
    fn follow(
        &mut self,
        from: usize,
        made: Vec<ReceivedMove>,
        standing: &Standing,
    ) -> Option<RemoteState> {
        let count = from.checked_add(made.len())?;
        if from > self.moves.len() || count > MAX_PLIES + 1 || standing.ply as usize > count {
            return None;
        }
        self.moves.truncate(from);
        self.moves.extend(made.into_iter().map(|made| made.uci));
        Some(RemoteState {
            moves: self.moves.clone(),
            ply: standing.ply,
            offer: standing.offer,
            takeback: standing.takeback,
            outcome: standing.outcome,
            paused: standing.paused,
            begun: standing.begun,
            clock: standing.clock,
        })
    }
}

/// A name that is safe to show.
fn safe_name(text: &str) -> String {
    let cut: String = text.chars().take(MAX_NAME_LENGTH).collect();
    clean(&cut).into_owned()
}

/// Sentences that are safe to show.
fn safe_sentences(sentences: Vec<String>) -> Vec<String> {
    let cut = sentences.into_iter().take(MAX_SENTENCES).map(|sentence| {
        let cut: String = sentence.chars().take(MAX_SENTENCE_LENGTH).collect();
        clean(&cut).into_owned()
    });
    cut.collect()
}

fn presence(connected: &Connections) -> ByColor<Presence> {
    let of = |here: bool, claim_in: Option<u64>| match here {
        true => Presence::Here,
        false => Presence::Away {
            claim_in: claim_in.map(Duration::from_millis),
        },
    };
    ByColor::new(
        of(connected.here.white, connected.claim_in_ms.white),
        of(connected.here.black, connected.claim_in_ms.black),
    )
}

#[cfg(test)]
mod tests;
