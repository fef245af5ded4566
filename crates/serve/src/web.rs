//! HTTP: who may ask what, the page, the interface for programs, the socket.

pub(crate) mod access;
mod answer;
mod api;
mod create;
mod page;
mod socket;
mod stream;
mod visit;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Serialize;
use tabiya_game::Refusal;

use self::answer::AnswerBudget;
use crate::lobby::{Lobby, LobbyError};
use crate::rates::Rates;
use crate::task::RefusedRequest;

/// What all requests share.
pub(crate) struct Web {
    pub(crate) lobby: Lobby,
    pub(crate) address: SocketAddr,
    pub(crate) rates: Rates,
    answers: AnswerBudget,
}

impl Web {
    pub(crate) fn new(lobby: Lobby, address: SocketAddr) -> Web {
        let limits = &lobby.shared.config.limits;
        let rates = Rates::new(limits);
        let answers = AnswerBudget::new(limits.answer_bytes);
        Web {
            lobby,
            address,
            rates,
            answers,
        }
    }
}

pub(crate) fn router(web: &Arc<Web>) -> Router {
    let limit = web.lobby.shared.config.limits.body_bytes;
    Router::new()
        .route("/", get(page::index))
        .route("/game/{id}", get(page::index))
        .route("/script/{name}", get(page::script))
        .route("/style.css", get(page::style))
        .route("/pieces/{name}", get(page::piece))
        .route("/api/openapi.json", get(page::openapi))
        .route("/api/enter", post(api::enter))
        .route("/api/session", post(api::renew))
        .route("/api/session/end", post(api::leave))
        .route("/api/about", get(api::about))
        .route("/api/position", get(api::position))
        .route("/api/games", get(api::list).post(create::create))
        .route("/api/games/{id}", get(api::state))
        .route("/api/games/{id}/enter", post(api::enter_by_path))
        .route("/api/games/{id}/pgn", get(api::pgn))
        .route("/api/games/{id}/fen", get(api::fen))
        .route("/api/games/{id}/page", get(api::page))
        .route("/api/games/{id}/moves", post(api::play))
        .route("/api/games/{id}/requests", post(api::request))
        .route("/api/games/{id}/events", get(stream::events))
        .route("/api/games/{id}/socket", get(socket::join))
        .fallback(|| async { Refused::NotFound })
        .method_not_allowed_fallback(|| async { Refused::Method })
        .layer(DefaultBodyLimit::max(limit))
        .layer(middleware::from_fn_with_state(
            Arc::clone(web),
            access::guard,
        ))
        .with_state(Arc::clone(web))
}

/// What is said when all clients together ask for too much.
const BUSY: &str = "The server is busy. Try again in a moment.";

/// Why a request is refused.
#[derive(Debug)]
pub(crate) enum Refused {
    NotFound,
    Method,
    /// The client has no valid token.
    Unknown,
    Host,
    Origin,
    Slow,
    /// One client sends too many requests.
    TooOften,
    /// All clients together do.
    Busy,
    Protocol,
    Body(StatusCode, String),
    Bad(String),
    Game(RefusedRequest),
    Lobby(LobbyError),
}

impl From<LobbyError> for Refused {
    fn from(error: LobbyError) -> Refused {
        Refused::Lobby(error)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let mut refusal = None;
        let (status, sentence) = match self {
            Refused::NotFound => (StatusCode::NOT_FOUND, "There is nothing here.".to_owned()),
            Refused::Method => (
                StatusCode::METHOD_NOT_ALLOWED,
                "That cannot be done here.".to_owned(),
            ),
            Refused::Unknown => (
                StatusCode::UNAUTHORIZED,
                "Open the link of the game, or the address that the server printed.".to_owned(),
            ),
            Refused::Host => (
                StatusCode::MISDIRECTED_REQUEST,
                "This server does not answer to that name.".to_owned(),
            ),
            Refused::Origin => (
                StatusCode::FORBIDDEN,
                "Requests from other sites are refused.".to_owned(),
            ),
            Refused::Slow => (
                StatusCode::REQUEST_TIMEOUT,
                "That took too long.".to_owned(),
            ),
            Refused::TooOften => (
                StatusCode::TOO_MANY_REQUESTS,
                "Too many requests. Wait a moment.".to_owned(),
            ),
            Refused::Busy => (StatusCode::SERVICE_UNAVAILABLE, BUSY.to_owned()),
            Refused::Protocol => (
                StatusCode::BAD_REQUEST,
                format!(
                    "This server speaks version {} of the protocol.",
                    crate::PROTOCOL
                ),
            ),
            Refused::Body(status, sentence) => (status, sentence),
            Refused::Bad(sentence) => (StatusCode::UNPROCESSABLE_ENTITY, sentence),
            Refused::Game(why) => {
                refusal = why.refusal;
                (StatusCode::CONFLICT, why.sentences.join(" "))
            }
            Refused::Lobby(error) => {
                let status = match error {
                    LobbyError::NoGame => StatusCode::NOT_FOUND,
                    LobbyError::Full | LobbyError::TooManyNew | LobbyError::Ending => {
                        StatusCode::SERVICE_UNAVAILABLE
                    }
                    LobbyError::Save(_)
                    | LobbyError::Links(_)
                    | LobbyError::Session(_)
                    | LobbyError::NoRandom(_) => StatusCode::INTERNAL_SERVER_ERROR,
                };
                (status, error.to_string())
            }
        };
        let error = sentence;
        (status, api::json_answer(&RefusedAnswer { error, refusal })).into_response()
    }
}

#[derive(Serialize)]
struct RefusedAnswer {
    error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<Refusal>,
}
