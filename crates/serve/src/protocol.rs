//! The messages in both directions. docs/serve.md describes them; events and commands have the forms of docs/json.md.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use tabiya_game::{
    Claim, ClockFace, Command, DrawPolicy, Event, Node, Outcome, Refusal, Session, Timestamp,
};
use tabiya_openings::{Opening, Openings};
use tabiya_rules::{CastlingMode, Color, MoveList, Position, Square};

use crate::assistant::{Advice, AssistantRequest, ReviewMessage};
use crate::chunks::Items;
use crate::json;
use crate::moves::{self, PlayedMove};
use crate::role::Role;
use crate::sides::Sides;

/// The version of the protocol. A client can name the version that it uses; any other is refused.
pub const PROTOCOL: u32 = 2;

/// The largest number of plies of a game. No game that follows all rules from its start is that long.
pub(crate) const MAX_PLIES: usize = 20_000;

/// The largest message of the server. None comes near it: long lists come in chunks.
pub(crate) const MAX_MESSAGE_SIZE: usize = 2 << 20;

/// A message of a client: a request, with a number that the answer repeats.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ClientMessage {
    /// Chosen by the client.
    #[serde(default)]
    pub(crate) id: u32,
    /// The ply at which the client thinks the game stands. If it stands elsewhere, the request is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ply: Option<u32>,
    pub(crate) request: ClientRequest,
}

/// What a client sends.
#[derive(Clone, Debug)]
pub(crate) enum Received {
    /// The answer to a ping.
    Pong,
    Asked(Box<ClientMessage>),
}

/// Parses a message of a client.
pub(crate) fn read(text: &str) -> Result<Received, serde_json::Error> {
    let value: serde_json::Value = json::read(text.as_bytes())?;
    match value.get("type").and_then(serde_json::Value::as_str) {
        Some("pong") => Ok(Received::Pong),
        Some(_) | None => json::of_value(value).map(|asked| Received::Asked(Box::new(asked))),
    }
}

/// A request: a command of docs/json.md, a question to an engine, or a rematch.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ClientRequest {
    Game(Command),
    Assistant(AssistantRequest),
    NextGame(NextGameRequest),
}

/// A request about the game after this one.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub(crate) enum NextGameRequest {
    Rematch,
}

impl<'de> Deserialize<'de> for ClientRequest {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<ClientRequest, D::Error> {
        let value = serde_json::Value::deserialize(source)?;
        let name = value.get("command").and_then(serde_json::Value::as_str);
        let is_for_assistant = name.is_some_and(|name| AssistantRequest::NAMES.contains(&name));
        let wanted = if name == Some("rematch") {
            json::of_value(value).map(ClientRequest::NextGame)
        } else if is_for_assistant {
            json::of_value(value).map(ClientRequest::Assistant)
        } else {
            json::of_value(value).map(ClientRequest::Game)
        };
        wanted.map_err(D::Error::custom)
    }
}

/// A message of the server.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ServerMessage<'a> {
    /// Asks whether the client is still there, which scripts cannot see of the pings of a WebSocket.
    Ping {
        /// How long the answer to an earlier one took.
        #[serde(skip_serializing_if = "Option::is_none")]
        lag_ms: Option<u64>,
    },
    /// The whole game, for a client that joins.
    State(&'a State),
    /// More of the moves of the state before, or of the positions of the review before.
    More { items: Items<'a> },
    /// Something happened. These messages are numbered without gaps.
    Happened(Box<Happened>),
    /// The request with this number was carried out.
    Done { id: u32 },
    /// The request with this number was refused.
    Refused {
        id: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        refusal: Option<Refusal>,
        sentences: Vec<String>,
    },
    /// Something that is not about the moves, such as a failed engine or a full disk.
    Notice { sentences: Vec<String> },
    /// Who is connected.
    Presence(Connections),
    /// What an engine thinks of the current position of the game or the review.
    Advice(&'a Advice),
    /// The review of the game, sent when it changes.
    Review(&'a ReviewMessage),
    /// A player wants a rematch.
    Rematch { by: Color },
    /// The rematch has begun, perhaps before the client joined; the token is the client's own.
    Next {
        id: &'a str,
        token: String,
        joined: bool,
    },
}

/// A game as a whole. Clients that know the rules need less of each move, and of how the game stands.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct State<Move = PlayedMove, Standing = Board> {
    pub(crate) protocol: u32,
    pub(crate) number: u64,
    pub(crate) id: String,
    pub(crate) you: Role,
    pub(crate) start: Position,
    pub(crate) chess960: bool,
    pub(crate) names: Sides<String>,
    /// `human` or `bot:4`.
    pub(crate) players: Sides<String>,
    /// As people write it: `5+3`, `unlimited`.
    pub(crate) time: Sides<String>,
    #[serde(default)]
    pub(crate) draws: DrawPolicy,
    /// The moves, or the first chunk of them.
    pub(crate) moves: Vec<Move>,
    /// How many moves there are. Those that are missing follow in chunks.
    #[serde(default)]
    pub(crate) count: usize,
    pub(crate) board: Standing,
    pub(crate) presence: Connections,
}

/// What one command did, and how the game stands after it.
#[derive(Debug, Serialize)]
pub(crate) struct Happened {
    pub(crate) number: u64,
    pub(crate) events: Vec<Event>,
    pub(crate) sentences: Vec<String>,
    /// How many of the client's moves stay.
    pub(crate) moves_from: usize,
    /// The moves after them.
    pub(crate) moves: Vec<PlayedMove>,
    pub(crate) board: Board,
}

/// How a game stands, as far as the rules do not say it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Standing {
    /// How many of the moves are on the board; those beyond have been undone.
    pub(crate) ply: u32,
    /// Who offers a draw.
    pub(crate) offer: Option<Color>,
    /// Who wants to take a move back.
    pub(crate) takeback: Option<Color>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) paused: bool,
    /// Whether all players have joined, so that moves are accepted and clocks run.
    pub(crate) begun: bool,
    pub(crate) clock: ClockFace,
}

/// How a game stands, for clients that do not know the rules.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Board {
    #[serde(flatten)]
    pub(crate) standing: Standing,
    pub(crate) fen: String,
    pub(crate) turn: Color,
    pub(crate) check: bool,
    /// In coordinates; empty if nobody may move.
    pub(crate) legal: Vec<String>,
    /// The rook of each castling move, for a king that is moved to its rook.
    pub(crate) castling: BTreeMap<String, Square>,
    pub(crate) claims: Vec<Claim>,
    pub(crate) opening: Option<OpeningName>,
    /// The pieces that each side has lost, as FEN letters.
    pub(crate) captured: Sides<String>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct OpeningName {
    eco: String,
    name: String,
}

impl OpeningName {
    pub(crate) fn of(opening: &Opening<'_>) -> OpeningName {
        OpeningName {
            eco: opening.eco.to_string(),
            name: opening.to_string(),
        }
    }
}

/// Who is connected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Connections {
    /// Whether each side's player is connected; an engine always is.
    pub(crate) here: Sides<bool>,
    #[serde(default)]
    pub(crate) watchers: usize,
    /// For a side that is away, the milliseconds until the opponent can claim the game.
    pub(crate) claim_in_ms: Sides<Option<u64>>,
}

impl Board {
    pub(crate) fn of(session: &Session, begun: bool, now: Timestamp) -> Board {
        let position = session.position();
        let mut clock = session.clock(now);
        clock.running = clock.running.filter(|_| begun);
        let is_open = session.outcome().is_none() && !session.is_paused();
        let legal = match is_open {
            true => position.legal_moves(),
            false => MoveList::default(),
        };
        let record = session.record();
        let line = || (0..=session.ply()).filter_map(|ply| record.on_line(ply));
        let opening = Openings::standard().of_positions(line().map(Node::position));
        let standing = Standing {
            ply: session.ply(),
            offer: session.draw_offer(),
            takeback: session.takeback().map(|asked| asked.by),
            outcome: session.outcome(),
            paused: session.is_paused(),
            begun,
            clock,
        };
        Board {
            standing,
            fen: position.fen(),
            turn: session.turn(),
            check: position.is_check(),
            legal: moves::coordinates(position, &legal),
            castling: moves::castling(position, &legal),
            claims: session.claims(),
            opening: opening.as_ref().map(OpeningName::of),
            captured: lost_pieces(record.cursor()),
        }
    }
}

/// The pieces that each side has lost on the way to a node.
fn lost_pieces(node: Node<'_>) -> Sides<String> {
    let captures = node.captures();
    Sides::from_fn(|side| {
        let lost = captures[!side].iter();
        lost.map(|role| role.of(side).char()).collect()
    })
}

/// Whether the game is a Chess960 game.
pub(crate) fn is_chess960(start: &Position) -> bool {
    start.castling_mode() == CastlingMode::Chess960
}

/// The answer to a message that cannot be parsed.
pub(crate) fn unreadable(error: &serde_json::Error) -> ServerMessage<'static> {
    ServerMessage::Refused {
        id: 0,
        refusal: None,
        sentences: vec![format!("The message cannot be read: {}.", json::why(error))],
    }
}

/// A message as text.
pub(crate) fn text(message: &ServerMessage<'_>) -> String {
    json::write(message)
}
