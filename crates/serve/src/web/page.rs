//! The page: three texts and twelve pieces, all of them in the program.

use axum::extract::Path;
use axum::http::header::{self, HeaderValue};
use axum::response::{IntoResponse, Response};
use tabiya_rules::{Color, Piece, Role};

use super::Refused;

const INDEX: &str = include_str!("../../page/index.html");
const SCRIPT: &str = include_str!("../../page/app.js");
const STYLE: &str = include_str!("../../page/style.css");
const OPENAPI: &str = include_str!("../../page/openapi.json");

fn file(kind: &'static str, text: impl Into<axum::body::Body>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    (headers, text.into()).into_response()
}

pub(crate) async fn index() -> Response {
    file("text/html; charset=utf-8", INDEX)
}

pub(crate) async fn script() -> Response {
    file("text/javascript; charset=utf-8", SCRIPT)
}

pub(crate) async fn style() -> Response {
    file("text/css; charset=utf-8", STYLE)
}

pub(crate) async fn openapi() -> Response {
    file("application/json", OPENAPI)
}

/// A piece as a picture: `wk.svg`, `bp.svg`.
pub(crate) async fn piece(Path(name): Path<String>) -> Result<Response, Refused> {
    let all = Color::ALL
        .into_iter()
        .flat_map(|color| Role::ALL.map(|role| Piece { color, role }));
    let mut named = all.filter(|piece| name == piece_file(*piece));
    let piece = named.next().ok_or(Refused::NotFound)?;
    Ok(file("image/svg+xml", tabiya_svg::piece(piece)))
}

fn piece_file(piece: Piece) -> String {
    let color = match piece.color {
        Color::White => 'w',
        Color::Black => 'b',
    };
    format!("{color}{}.svg", piece.role.char())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a browser loads before it can show a game.
    #[test]
    fn the_page_is_small_and_loads_nothing_from_elsewhere() {
        let pieces = Color::ALL
            .into_iter()
            .flat_map(|color| Role::ALL.map(|role| Piece { color, role }));
        let pieces: usize = pieces.map(|piece| tabiya_svg::piece(piece).len()).sum();
        let bytes = INDEX.len() + SCRIPT.len() + STYLE.len() + pieces;
        assert!(bytes <= 200_000, "{bytes} bytes");
        for text in [INDEX, SCRIPT, STYLE] {
            for foreign in [
                "http://",
                "https://",
                "//cdn",
                "@import",
                "eval(",
                "innerHTML",
            ] {
                assert!(!text.contains(foreign), "{foreign}");
            }
        }
        for inline in ["<script>", "onclick", "style=", "<style"] {
            assert!(!INDEX.contains(inline), "{inline}");
        }
    }
}
