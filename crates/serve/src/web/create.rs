//! Requests for a new game. They cannot name a program or a file: opponents are people, or levels of the built-in engine.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::StatusCode;
use axum::http::header::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use tabiya_game::{
    Command, DrawPolicy, Node, Policy, Record, Session, TimeControl, Timestamp, pgn,
};
use tabiya_play::players::PlayerSpec;
use tabiya_rules::text::is_safe;
use tabiya_rules::{ByColor, Color, Position};

use super::api::{self, addresses, read_position, require_host};
use super::{Refused, Web};
use crate::protocol::MAX_PLIES;
use crate::role::Role;
use crate::room::Plan;

/// The largest length of a name, in characters.
const MAX_NAME_LENGTH: usize = 40;

/// A request for a new game. Every field has a default.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    /// `bot`, `bot:1` to `bot:10`, `person` (by a link), or `here` (at the same screen).
    #[serde(default)]
    opponent: Option<String>,
    #[serde(default)]
    side: Side,
    /// As people write it: `5+3`.
    #[serde(default)]
    clock: Option<TimeControl>,
    /// Who decides on draws by threefold repetition and fifty moves: `claim` or `automatic`.
    #[serde(default)]
    draws: Option<DrawPolicy>,
    #[serde(default)]
    fen: Option<String>,
    /// The number of a Chess960 starting position, or `"random"`.
    #[serde(default)]
    chess960: Option<Chess960>,
    /// A game to continue from its last move, with the clock and the draws of this request.
    #[serde(default)]
    pgn: Option<String>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    opponent_name: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Side {
    #[default]
    White,
    Black,
    Random,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Chess960 {
    Number(u16),
    Any(AnyNumber),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum AnyNumber {
    Random,
}

/// The opponent of whoever begins the game.
enum Opponent {
    Bot(PlayerSpec),
    Person,
    Here,
}

impl Opponent {
    /// Who plays, if whoever begins the game has this color.
    fn players(&self, color: Color) -> ByColor<PlayerSpec> {
        let mut players = ByColor::default();
        if let Opponent::Bot(bot) = self {
            players[!color] = bot.clone();
        }
        players
    }

    /// The roles that the game has links for, if whoever begins it has this one.
    fn links(&self, own: Role) -> Vec<Role> {
        match self {
            Opponent::Here | Opponent::Bot(_) => vec![own, Role::Watch],
            Opponent::Person => vec![Role::White, Role::Black, Role::Watch],
        }
    }
}

#[derive(Serialize)]
struct Created<'a> {
    id: &'a str,
    you: Role,
    links: BTreeMap<&'static str, String>,
}

/// Begins a game, for the host.
pub(crate) async fn create(
    State(web): State<Arc<Web>>,
    headers: HeaderMap,
    bytes: Result<Bytes, BytesRejection>,
) -> Result<Response, Refused> {
    require_host(&web, &headers)?;
    let asked: NewGame = api::read_body(&headers, bytes)?;
    let opponent = read_opponent(asked.opponent.as_deref().unwrap_or("bot:1"))?;
    let color = match asked.side {
        Side::White => Color::White,
        Side::Black => Color::Black,
        Side::Random if random_below(2)? == 0 => Color::White,
        Side::Random => Color::Black,
    };
    let you = match &opponent {
        Opponent::Here => Role::Both,
        Opponent::Person | Opponent::Bot(_) => color.into(),
    };
    let clock = asked.clock.clone().unwrap_or_default();
    if matches!(opponent, Opponent::Person) && asked.pgn.is_some() && !clock.is_unlimited() {
        return Err(Refused::Bad(
            "A game against a person that continues a PGN cannot have a clock.".to_owned(),
        ));
    }
    let mut names = ByColor::default();
    names[color] = player_name(asked.name.as_deref())?;
    names[!color] = player_name(asked.opponent_name.as_deref())?;
    let record = asked.pgn.as_deref().map(|text| read_game(text, &clock));
    let plan = Plan {
        players: opponent.players(color),
        names,
        start: start_position(&asked)?,
        record: record.transpose()?,
        policy: Policy::new().with_draws(asked.draws.unwrap_or_default()),
        clock,
    };
    refuse_ended(&plan, &opponent)?;
    let (id, links) = web.lobby.create(plan, &opponent.links(you)).await?;
    let mut response = api::json_answer(&Created {
        id: &id,
        you,
        links: addresses(&web.base(&headers)?, &id, &links),
    });
    *response.status_mut() = StatusCode::CREATED;
    Ok(response)
}

fn read_opponent(text: &str) -> Result<Opponent, Refused> {
    match (text, text.parse()) {
        ("person", _) => Ok(Opponent::Person),
        ("here", _) => Ok(Opponent::Here),
        (_, Ok(bot @ PlayerSpec::Bot(_))) => Ok(Opponent::Bot(bot)),
        _ => Err(Refused::Bad(
            "The opponent must be bot, bot:1 to bot:10, person, or here.".to_owned(),
        )),
    }
}

fn player_name(name: Option<&str>) -> Result<Option<String>, Refused> {
    match name.map(str::trim) {
        None | Some("") => Ok(None),
        Some(name) if name.chars().count() > MAX_NAME_LENGTH || !name.chars().all(is_safe) => {
            Err(Refused::Bad(format!(
                "A name is one line of at most {MAX_NAME_LENGTH} characters."
            )))
        }
        Some(name) => Ok(Some(name.to_owned())),
    }
}

fn start_position(asked: &NewGame) -> Result<Position, Refused> {
    match (&asked.chess960, &asked.fen) {
        (Some(_), Some(_)) => Err(Refused::Bad(
            "Give either fen or chess960, not both.".to_owned(),
        )),
        (Some(Chess960::Number(number)), None) => Position::chess960(*number).ok_or_else(|| {
            Refused::Bad("Chess960 positions are numbered from 0 to 959.".to_owned())
        }),
        (Some(Chess960::Any(AnyNumber::Random)), None) => {
            Ok(Position::chess960(random_below(960)?).unwrap_or_default())
        }
        (None, fen) => read_position(fen.as_deref()),
    }
}

/// Refuses a game that is over before it begins. One that was played elsewhere may be reviewed at this screen.
fn refuse_ended(plan: &Plan, opponent: &Opponent) -> Result<(), Refused> {
    let mut session = Session::new(plan.new_game());
    let what = match (&plan.record, opponent) {
        (None, _) => "The position is the end of a game",
        (Some(_), Opponent::Here) => return Ok(()),
        (Some(record), Opponent::Bot(_) | Opponent::Person) => {
            // Whether it is over depends on the draws of this request. Loading a game is never refused.
            let load = Command::LoadGame(Box::new(record.clone()));
            let _ = session.apply(load, Timestamp::ORIGIN);
            "That game is over and can only be reviewed"
        }
    };
    match session.outcome() {
        Some(outcome) => Err(Refused::Bad(format!("{what}: {outcome}"))),
        None => Ok(()),
    }
}

/// The game of a text, with a clock that replaces its own.
fn read_game(text: &str, clock: &TimeControl) -> Result<Record, Refused> {
    let bad = || Refused::Bad("There is no game in that PGN.".to_owned());
    let mut games = pgn::games(text.as_bytes());
    let game = games.next().ok_or_else(bad)?;
    if let Some(error) = game.errors.first() {
        // Its message is a sentence.
        let why = error.message();
        return Err(Refused::Bad(format!("The PGN cannot be read: {why}")));
    }
    if games.next().is_some() {
        return Err(Refused::Bad(
            "There is more than one game in that PGN. Give only the one to continue.".to_owned(),
        ));
    }
    let mut record = game.record;
    if record.main_line_end().ply() as usize > MAX_PLIES {
        return Err(Refused::Bad(format!(
            "The game in that PGN has more than {MAX_PLIES} plies, which is too long to be shown here."
        )));
    }
    for name in Session::CLOCK_TAGS.into_iter().chain(["DrawPolicy"]) {
        record.tags_mut().remove(name);
    }
    if !clock.is_unlimited() {
        // The time left is computed from the clock readings in the record, and these belong to another clock.
        let nodes: Vec<_> = record.root().subtree().map(Node::id).collect();
        for node in nodes {
            if let Some(annotation) = record.annotation_mut(node) {
                annotation.clock = None;
                annotation.elapsed = None;
            }
        }
        // It is one line of ASCII, which is valid in every tag.
        let _ = record.tags_mut().set("TimeControl", &clock.pgn());
    }
    Ok(record)
}

fn random_below(below: u16) -> Result<u16, Refused> {
    let mut bytes = [0; 4];
    let filled = getrandom::fill(&mut bytes);
    filled.map_err(|_| Refused::Lobby(crate::token::NoRandom.into()))?;
    Ok((u32::from_le_bytes(bytes) % u32::from(below)) as u16)
}
