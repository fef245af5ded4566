//! The page over HTTP: its files and the twelve pieces, all compiled into the program.

use axum::extract::Path;
use axum::http::header::{self, HeaderValue};
use axum::response::{IntoResponse, Response};

use super::Refused;
use crate::page;

fn file(kind: &'static str, text: impl Into<axum::body::Body>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    (headers, text.into()).into_response()
}

pub(crate) async fn index() -> Response {
    file("text/html; charset=utf-8", page::INDEX)
}

/// A script by name.
pub(crate) async fn script(Path(name): Path<String>) -> Result<Response, Refused> {
    let mut named = page::SCRIPTS.iter().filter(|(known, _)| *known == name);
    let (_, text) = named.next().ok_or(Refused::NotFound)?;
    Ok(file("text/javascript; charset=utf-8", *text))
}

pub(crate) async fn style() -> Response {
    file("text/css; charset=utf-8", page::STYLE)
}

pub(crate) async fn openapi() -> Response {
    file("application/json", page::OPENAPI)
}

/// A piece as SVG: `wk.svg`, `bp.svg`.
pub(crate) async fn piece(Path(name): Path<String>) -> Result<Response, Refused> {
    let named = |piece: &_| name.strip_suffix(".svg") == Some(&page::piece_name(*piece));
    let piece = page::pieces().find(named).ok_or(Refused::NotFound)?;
    Ok(file("image/svg+xml", tabiya_svg::piece(piece)))
}
