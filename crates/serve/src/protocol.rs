//! Messages in both directions. docs/serve.md describes them; what happens and what is asked has the forms of docs/json.md.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use tabiya_game::{Claim, ClockFace, Command, Event, Node, Outcome, Refusal, Session, Timestamp};
use tabiya_openings::Openings;
use tabiya_rules::{ByColor, CastlingMode, Color, Position, Role as PieceRole};

use crate::beside::{Advice, Review, Wish};
use crate::role::Role;
use crate::sides::Sides;

/// The version of the protocol. A client that knows another one must say so.
pub const PROTOCOL: u32 = 1;

/// What a client sends: a command as docs/json.md has it, with a number under which it is answered.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Asked {
    /// Chosen by the client.
    #[serde(default)]
    pub(crate) id: u32,
    /// Where the client thinks the game stands; a request for another place is refused.
    #[serde(default)]
    pub(crate) ply: Option<u32>,
    pub(crate) request: Wanted,
}

/// What is asked for: a command of docs/json.md, something of an engine, or another game of the same kind.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    Game(Command),
    Beside(Wish),
    Rematch,
}

impl<'de> Deserialize<'de> for Wanted {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Wanted, D::Error> {
        let value = serde_json::Value::deserialize(source)?;
        let name = value.get("command").and_then(serde_json::Value::as_str);
        let is_beside = name.is_some_and(|name| Wish::NAMES.contains(&name));
        let wanted = if name == Some("rematch") {
            Ok(Wanted::Rematch)
        } else if is_beside {
            serde_json::from_value(value).map(Wanted::Beside)
        } else {
            serde_json::from_value(value).map(Wanted::Game)
        };
        wanted.map_err(D::Error::custom)
    }
}

/// What the server sends.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Sent<'a> {
    /// Everything, to whoever joins.
    State(&'a State),
    /// Something happened; the numbers have no gaps.
    Happened(Box<Happened>),
    /// What was asked under that number was done.
    Done { id: u32 },
    /// What was asked under that number was not done.
    Refused {
        id: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        refusal: Option<Refusal>,
        sentences: Vec<String>,
    },
    /// Something that is not about the moves: an engine failed, the disk is full.
    Notice { sentences: Vec<String> },
    /// Who is connected.
    Presence(Presence),
    /// What an engine thinks of the place that the game or its review is at.
    Advice(&'a Advice),
    /// The review of the game, whenever something of it has changed.
    Review(&'a Review),
    /// A player wants another game of the same kind.
    Rematch { by: Color },
    /// There is another game, and this is one's secret in it.
    Next { id: &'a str, token: String },
}

/// A game as a whole.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct State {
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
    pub(crate) moves: Vec<Made>,
    pub(crate) board: Board,
    pub(crate) presence: Presence,
}

/// What one command did, and how the game stands after it.
#[derive(Debug, Serialize)]
pub(crate) struct Happened {
    pub(crate) number: u64,
    pub(crate) events: Vec<Event>,
    pub(crate) sentences: Vec<String>,
    /// How many of the moves that the client knows stay.
    pub(crate) moves_from: usize,
    /// The moves behind them.
    pub(crate) moves: Vec<Made>,
    pub(crate) board: Board,
}

/// A move of the line that is played, with the position after it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Made {
    pub(crate) san: String,
    pub(crate) uci: String,
    pub(crate) fen: String,
}

/// How a game stands.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Board {
    pub(crate) ply: u32,
    pub(crate) fen: String,
    pub(crate) turn: Color,
    pub(crate) check: bool,
    /// In coordinates; none where nobody may move.
    pub(crate) legal: Vec<String>,
    pub(crate) claims: Vec<Claim>,
    /// Who offers a draw.
    pub(crate) offer: Option<Color>,
    /// Who wants to take a move back.
    pub(crate) takeback: Option<Color>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) paused: bool,
    /// Whether the clocks run and moves are taken: everybody has come.
    pub(crate) begun: bool,
    pub(crate) clock: ClockFace,
    pub(crate) opening: Option<OpeningName>,
    /// What each side has lost, by the letters of FEN.
    pub(crate) captured: Sides<String>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct OpeningName {
    eco: String,
    name: String,
}

/// Who is connected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Presence {
    /// Whether each side's player is there; an engine always is.
    pub(crate) here: Sides<bool>,
    pub(crate) watchers: usize,
    /// In how many milliseconds the opponent of somebody away may claim the game, by the side that is away.
    pub(crate) claim_in_ms: Sides<Option<u64>>,
}

impl Board {
    pub(crate) fn of(session: &Session, begun: bool, now: Timestamp) -> Board {
        let position = session.position();
        let mut clock = session.clock(now);
        clock.running = clock.running.filter(|_| begun);
        let is_open = session.outcome().is_none() && !session.is_paused();
        let legal = position.legal_moves();
        let legal = legal.iter().filter(|_| is_open);
        let record = session.record();
        let line = || (0..=session.ply()).filter_map(|ply| record.on_line(ply));
        let opening = Openings::standard().of_positions(line().map(Node::position));
        Board {
            ply: session.ply(),
            fen: position.fen(),
            turn: session.turn(),
            check: position.is_check(),
            legal: legal.map(|&m| position.uci(m).to_string()).collect(),
            claims: session.claims(),
            offer: session.draw_offer(),
            takeback: session.takeback().map(|wish| wish.by),
            outcome: session.outcome(),
            paused: session.is_paused(),
            begun,
            clock,
            opening: opening.map(|opening| OpeningName {
                eco: opening.eco.to_string(),
                name: opening.to_string(),
            }),
            captured: captured(line().map(Node::position)),
        }
    }
}

/// The pieces that each side lost on the way through these positions.
fn captured<'a>(positions: impl Iterator<Item = &'a Position>) -> Sides<String> {
    let mut lost = ByColor::new(String::new(), String::new());
    let mut before: Option<&Position> = None;
    for position in positions {
        if let Some(before) = before {
            // Whoever has just moved captured something of the other side, or nothing.
            let side = !before.turn();
            for role in PieceRole::ALL {
                let count = |of: &Position| of.board().pieces(side, role).count();
                if count(position) < count(before) {
                    lost[side].push(side_letter(side, role));
                }
            }
        }
        before = Some(position);
    }
    Sides {
        white: lost.white,
        black: lost.black,
    }
}

fn side_letter(side: Color, role: PieceRole) -> char {
    match side {
        Color::White => role.upper_char(),
        Color::Black => role.char(),
    }
}

/// The moves of the line that is played from a ply on.
pub(crate) fn made_from(session: &Session, from: usize) -> Vec<Made> {
    let nodes = session.record().cursor_line().skip(from);
    let made = nodes.filter_map(|node| {
        let before = node.parent()?.position();
        let uci = match node.step()? {
            tabiya_game::Step::Move(played) => before.uci(played).to_string(),
            tabiya_game::Step::Null => "0000".to_owned(),
        };
        Some(Made {
            san: node.san()?.to_string(),
            uci,
            fen: node.position().fen(),
        })
    });
    made.collect()
}

/// Whether the game is one of Chess960.
pub(crate) fn is_chess960(start: &Position) -> bool {
    start.castling_mode() == CastlingMode::Chess960
}

/// What is said to a message that is none.
pub(crate) fn unreadable(error: &serde_json::Error) -> Sent<'static> {
    Sent::Refused {
        id: 0,
        refusal: None,
        sentences: vec![format!("The message cannot be read: {error}.")],
    }
}

/// A message as text.
pub(crate) fn text(message: &Sent<'_>) -> String {
    // Nothing but a map whose keys are no text could be refused, and there is none.
    serde_json::to_string(message).unwrap_or_default()
}
