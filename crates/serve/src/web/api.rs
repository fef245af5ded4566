//! The interface for programs, which the page uses too. `openapi.json` describes it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tabiya_engine::Level;
use tabiya_game::{Claim, Command, MoveInput, NewGame, Outcome, Session, pgn as notation};
use tabiya_openings::Openings;
use tabiya_rules::{HistoryStatus, MoveHistory, Position, UciMove};

use super::visit::Visit;
use super::{Refused, Web, access};
use crate::export;
use crate::json;
use crate::links::{self, Links};
use crate::lobby::LobbyError;
use crate::protocol::{ClientMessage, ClientRequest, OpeningName, PROTOCOL};
use crate::rates::Asker;
use crate::role::Role;
use crate::sides::Sides;
use crate::task::{Message, ReplyTo, Text};
use crate::token::Token;

/// The number of games in a list.
const LISTED: usize = 100;

/// Parses the body of a request. Its type must be JSON, which a form of another site cannot send.
pub(crate) fn read_body<T: DeserializeOwned>(
    headers: &HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<T, Refused> {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    let is_json =
        kind.is_some_and(|kind| kind.split(';').next().map(str::trim) == Some("application/json"));
    if !is_json {
        let status = axum::http::StatusCode::UNSUPPORTED_MEDIA_TYPE;
        return Err(Refused::Body(
            status,
            "The body must be application/json.".to_owned(),
        ));
    }
    let bytes = body.map_err(|rejection| {
        Refused::Body(
            rejection.status(),
            "The body is too long or incomplete.".to_owned(),
        )
    })?;
    let unread = |error| Refused::Bad(format!("The body cannot be read: {}.", json::why(&error)));
    let value: serde_json::Value = json::read(&bytes).map_err(unread)?;
    if !value.is_object() {
        return Err(Refused::Bad("The body must be an object.".to_owned()));
    }
    json::of_value(value).map_err(unread)
}

#[derive(Deserialize)]
pub(crate) struct Entry {
    token: String,
    /// The game that the token is for; without it, the token is the one-time token of the host.
    #[serde(default)]
    game: Option<String>,
}

/// Exchanges the one-time token for a session of the host, or says what the token of a game is for.
pub(crate) async fn enter(
    State(web): State<Arc<Web>>,
    headers: HeaderMap,
    bytes: Result<Bytes, BytesRejection>,
) -> Result<Response, Refused> {
    let entry: Entry = read_body(&headers, bytes)?;
    let token = Token::read(&entry.token).ok_or_else(|| web.count_failure())?;
    match entry.game {
        None => {
            let secret = web.lobby.redeem_token(&token).map_err(LobbyError::from)?;
            let session = secret.ok_or_else(|| web.count_failure())?.reveal();
            Ok(json_answer(&HostEntered {
                host: true,
                session,
            }))
        }
        Some(id) => enter_game(&web, &id, &token).await,
    }
}

#[derive(Serialize)]
struct HostEntered {
    host: bool,
    session: String,
}

#[derive(Serialize)]
struct Renewed {
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
}

/// Answers with a new secret for the session of the host if the old one has been used for long enough.
pub(crate) async fn renew(
    State(web): State<Arc<Web>>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    require_host(&web, &headers)?;
    let secret = access::session(&headers).ok_or(Refused::Unknown)?;
    let new = web
        .lobby
        .sessions
        .renew(&secret)
        .map_err(LobbyError::from)?;
    let session = new.map(|secret| secret.reveal());
    Ok(json_answer(&Renewed { session }))
}

#[derive(Deserialize)]
pub(crate) struct Leaving {
    /// Whether all sessions of the host end, and not only this one.
    #[serde(default)]
    everywhere: bool,
}

#[derive(Serialize)]
struct Left {
    host: bool,
}

/// Ends the session of the host, or all of them.
pub(crate) async fn leave(
    State(web): State<Arc<Web>>,
    headers: HeaderMap,
    bytes: Result<Bytes, BytesRejection>,
) -> Result<Response, Refused> {
    require_host(&web, &headers)?;
    let leaving: Leaving = read_body(&headers, bytes)?;
    let secret = access::session(&headers).ok_or(Refused::Unknown)?;
    let sessions = &web.lobby.sessions;
    let ended = match leaving.everywhere {
        true => sessions.end_all(),
        false => sessions.end(&secret),
    };
    ended.map_err(LobbyError::from)?;
    Ok(json_answer(&Left { host: false }))
}

/// The same with the game in the address, so that a proxy knows which server has it. It is the only one that counts.
pub(crate) async fn enter_by_path(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    bytes: Result<Bytes, BytesRejection>,
) -> Result<Response, Refused> {
    let entry: Entry = read_body(&headers, bytes)?;
    let token = Token::read(&entry.token).ok_or_else(|| web.count_failure())?;
    enter_game(&web, &id, &token).await
}

async fn enter_game(web: &Web, id: &str, token: &Token) -> Result<Response, Refused> {
    let links = web
        .lobby
        .links(id)
        .await
        .ok_or_else(|| web.count_failure())?;
    let role = links.role(token).ok_or_else(|| web.count_failure())?;
    Ok(json_answer(&GameEntered {
        game: id,
        you: role,
    }))
}

#[derive(Serialize)]
struct GameEntered<'a> {
    game: &'a str,
    you: Role,
}

#[derive(Serialize)]
struct About {
    version: &'static str,
    protocol: u32,
    host: bool,
    levels: Vec<Strength>,
    away_ms: u64,
}

#[derive(Serialize)]
struct Strength {
    level: u8,
    name: &'static str,
    elo: u32,
    /// The rating list whose scale that is, if it is a public one.
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<&'static str>,
}

/// Describes the server, and says whether the client is the host.
pub(crate) async fn about(State(web): State<Arc<Web>>, headers: HeaderMap) -> Response {
    let levels = (1..=10).filter_map(Level::new);
    let levels: Vec<Strength> = levels
        .map(|level| Strength {
            level: level.number(),
            name: level.name(),
            elo: level.elo(),
            list: level.rating_list(),
        })
        .collect();
    json_answer(&About {
        version: env!("CARGO_PKG_VERSION"),
        protocol: PROTOCOL,
        host: web.is_host(&headers),
        levels,
        away_ms: web.lobby.shared.config.limits.away.as_millis() as u64,
    })
}

#[derive(Deserialize)]
pub(crate) struct PositionQuery {
    #[serde(default)]
    fen: Option<String>,
}

#[derive(Serialize)]
struct PositionAnswer {
    fen: Position,
    status: HistoryStatus,
    outcome: Option<Outcome>,
    claims: Vec<Claim>,
    check: bool,
    legal: Vec<LegalMove>,
    opening: Option<OpeningName>,
}

#[derive(Serialize)]
struct LegalMove {
    uci: UciMove,
    san: String,
}

/// Describes a position.
pub(crate) async fn position(
    query: Result<Query<PositionQuery>, QueryRejection>,
) -> Result<Response, Refused> {
    let Query(query) = query.map_err(|_| Refused::Bad("The query cannot be read.".to_owned()))?;
    let position = read_position(query.fen.as_deref())?;
    let legal = position.legal_moves();
    let legal = legal.iter().map(|&m| LegalMove {
        uci: position.uci(m),
        san: position.san(m).to_string(),
    });
    let opening = Openings::standard().lookup(&position);
    let session = Session::new(NewGame::new(position));
    let status = match MoveHistory::new(position).status() {
        // Somebody may claim a draw, which is among the claims.
        HistoryStatus::FiftyMoves | HistoryStatus::Threefold | HistoryStatus::Ongoing => {
            HistoryStatus::Ongoing
        }
        status @ (HistoryStatus::Checkmate { .. }
        | HistoryStatus::Stalemate
        | HistoryStatus::InsufficientMaterial
        | HistoryStatus::Fivefold
        | HistoryStatus::SeventyFiveMoves) => status,
    };
    Ok(json_answer(&PositionAnswer {
        status,
        outcome: session.outcome(),
        claims: session.claims(),
        check: position.is_check(),
        legal: legal.collect(),
        opening: opening.as_ref().map(OpeningName::of),
        fen: position,
    }))
}

/// Parses a position; without a FEN it is the starting position.
pub(crate) fn read_position(fen: Option<&str>) -> Result<Position, Refused> {
    match fen.map(str::trim) {
        None | Some("") => Ok(Position::start()),
        Some(fen) => Position::from_fen(fen)
            .map_err(|error| Refused::Bad(format!("The FEN cannot be used: {error}."))),
    }
}

/// The links of a game as addresses. The token is in the fragment, which browsers never send to a server.
pub(crate) fn addresses(base: &str, id: &str, links: &Links) -> BTreeMap<&'static str, String> {
    let links = links.iter().map(|(role, token)| {
        let address = format!("{base}/game/{id}#{}", token.reveal());
        (links::role_name(*role), address)
    });
    links.collect()
}

#[derive(Serialize)]
struct GameList {
    games: Vec<ListedGame>,
}

#[derive(Serialize)]
struct ListedGame {
    id: String,
    names: Sides<String>,
    links: BTreeMap<&'static str, String>,
}

/// Lists the latest games, for the host.
pub(crate) async fn list(
    State(web): State<Arc<Web>>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    require_host(&web, &headers)?;
    let base = web.base(&headers)?;
    let games = web.lobby.list(LISTED).await?.into_iter();
    let games = games.map(|game| ListedGame {
        links: addresses(&base, &game.id, &game.links),
        id: game.id,
        names: game.names,
    });
    Ok(json_answer(&GameList {
        games: games.collect(),
    }))
}

/// Refuses everybody but the host, and counts the requests of the host.
pub(crate) fn require_host(web: &Web, headers: &HeaderMap) -> Result<(), Refused> {
    if web.is_host(headers) {
        return web.count_request(Asker::Host);
    }
    Err(Refused::Unknown)
}

/// A value as the answer to a request.
pub(crate) fn json_answer<T: Serialize>(value: &T) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (kind, json::write(value)).into_response()
}

pub(crate) async fn state(visit: Visit) -> Result<Response, Refused> {
    visit.count_request()?;
    visit.state().await
}

pub(crate) async fn pgn(visit: Visit) -> Result<Response, Refused> {
    visit.count_request()?;
    let kind = "application/vnd.chess-pgn; charset=utf-8";
    visit.answer(kind, Text::Pgn, Ok).await
}

pub(crate) async fn fen(visit: Visit) -> Result<Response, Refused> {
    visit.count_request()?;
    let kind = "text/plain; charset=utf-8";
    visit.answer(kind, Text::Fen, Ok).await
}

/// The game as a stand-alone page.
pub(crate) async fn page(visit: Visit) -> Result<Response, Refused> {
    visit.count_request()?;
    let html = |pgn: String| {
        let game = notation::games(pgn.as_bytes()).next();
        Ok(export::html(&game.ok_or(Refused::NotFound)?.record))
    };
    let kind = "text/html; charset=utf-8";
    let mut response = visit.answer(kind, Text::Pgn, html).await?;
    // Browsers must save it: no page but the server's own may be shown at this origin.
    let saved = HeaderValue::from_static("attachment; filename=\"game.html\"");
    response
        .headers_mut()
        .insert(header::CONTENT_DISPOSITION, saved);
    Ok(response)
}

#[derive(Deserialize)]
pub(crate) struct Move {
    #[serde(rename = "move")]
    played: MoveInput,
    #[serde(default)]
    ply: Option<u32>,
}

/// Plays a move.
pub(crate) async fn play(
    visit: Visit,
    headers: HeaderMap,
    bytes: Result<Bytes, BytesRejection>,
) -> Result<Response, Refused> {
    let asked: Move = read_body(&headers, bytes)?;
    carry_out(&visit, asked.ply, Command::Play(asked.played)).await
}

/// Carries out any other command.
pub(crate) async fn request(
    visit: Visit,
    headers: HeaderMap,
    bytes: Result<Bytes, BytesRejection>,
) -> Result<Response, Refused> {
    let request: Command = read_body(&headers, bytes)?;
    carry_out(&visit, None, request).await
}

async fn carry_out(visit: &Visit, ply: Option<u32>, command: Command) -> Result<Response, Refused> {
    visit.count_request()?;
    let role = visit.role;
    let asked = Box::new(ClientMessage {
        id: 0,
        ply,
        request: ClientRequest::Game(command),
    });
    let answer = visit.ask(|reply| Message::Ask {
        role,
        asked,
        lag: Duration::ZERO,
        reply: ReplyTo::Once(reply),
    });
    answer.await?.map_err(Refused::Game)?;
    visit.state().await
}
