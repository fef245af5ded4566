//! A game as a stand-alone page: the board of the page and the moves in one file. It loads nothing and sends nothing, and its
//! Content-Security-Policy allows no script but its own.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};
use tabiya_game::{Record, Tags, pgn};
use tabiya_rules::text::is_safe;
use tabiya_rules::{ByColor, Color};

use crate::json;
use crate::page;
use crate::sides::Sides;
use crate::tree::{self, TreeNode};

/// The first bytes of every exported page, by which it is recognized.
pub const BEGINNING: &str = "<!doctype html>\n<html lang=\"en\">\n<!-- a game, by Tabiya -->\n";

const PAGE: &str = include_str!("../page/export.html");

/// Tags that are not listed, because the heading shows them or because they mean nothing to a reader.
const NOT_LISTED: [&str; 5] = ["White", "Black", "Result", "FEN", "SetUp"];

/// A game as the text of an HTML file, with its variations, comments, arrows, marks and evaluations.
///
/// All texts of the game are shown as text; none of them can become markup or script.
///
/// ```
/// use tabiya_game::pgn;
///
/// let game = pgn::games(&b"1. e4 e5 2. Nf3 {the <b>usual</b> move} *"[..]).next().expect("a game");
/// let page = tabiya_serve::export::html(&game.record);
/// assert!(page.contains("default-src 'none'") && !page.contains("<b>usual"));
/// ```
#[must_use]
pub fn html(record: &Record) -> String {
    let names = ByColor::from_fn(|color: Color| {
        let name = record.tags().get(color.name()).filter(|name| *name != "?");
        safe(name.unwrap_or(color.name())).into_owned()
    });
    let title = format!("{} – {}", names.white, names.black);
    let style = style();
    let script = page::bundle(page::VIEWER);
    let csp = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; base-uri 'none'; \
         form-action 'none'",
        digest(&script),
        digest(&style)
    );
    let text = pgn::to_string(record, pgn::Format::Export);
    let data = PageData {
        names: Sides::from_fn(|color| names[color].as_str()),
        result: record.result().as_str(),
        about: about(record.tags().stored()),
        nodes: tree::of(record),
        pgn: &text,
    };
    fill(&[
        ("csp", &csp),
        ("title", &escaped(&title)),
        ("style", &style),
        ("plain", &escaped(&text)),
        ("data", &inside_script(&json::write(&data))),
        ("script", &script),
    ])
}

/// What the script of the page shows.
#[derive(Serialize)]
struct PageData<'a> {
    names: Sides<&'a str>,
    result: &'static str,
    /// Names and values of tags.
    about: Vec<(&'a str, Cow<'a, str>)>,
    nodes: Vec<TreeNode>,
    pgn: &'a str,
}

/// The style of the page, including the pieces.
fn style() -> String {
    let mut style = String::new();
    for line in page::STYLE.lines() {
        // A server's page loads its pieces from the server; here they are part of the style.
        if !line.contains("url(/pieces/") {
            style.push_str(line);
            style.push('\n');
        }
    }
    for piece in page::pieces() {
        let picture = STANDARD.encode(tabiya_svg::piece(piece));
        let name = page::piece_name(piece);
        style.push_str(&format!(
            ".{name} {{ background-image: url(data:image/svg+xml;base64,{picture}); }}\n"
        ));
    }
    style
}

/// The other tags of the game.
fn about(tags: &Tags) -> Vec<(&str, Cow<'_, str>)> {
    tags.iter()
        .filter(|(name, value)| !NOT_LISTED.contains(name) && !value.is_empty() && *value != "?")
        .map(|(name, value)| (name, safe(value)))
        .collect()
}

fn digest(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text.as_bytes()))
}

/// Replaces the placeholders of the page in one pass, so that placeholders inside the values are not replaced.
fn fill(values: &[(&str, &str)]) -> String {
    let body = PAGE.split_once("<html lang=\"en\">\n");
    let mut rest = body.map_or(PAGE, |(_, body)| body);
    let mut out = BEGINNING.to_owned();
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        out.push_str(before);
        out.extend(
            values
                .iter()
                .filter(|(of, _)| *of == name)
                .map(|(_, value)| *value),
        );
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Text without control characters, and without characters that change the direction of writing.
fn safe(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_safe) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|&sign| is_safe(sign)).collect())
}

/// Text inside an element.
fn escaped(text: &str) -> String {
    tabiya_svg::escaped(text.chars().filter(|&sign| is_safe(sign) || sign == '\n'))
}

/// JSON inside a script element, escaped so that it cannot end the element.
fn inside_script(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for sign in json.chars().filter(|&sign| is_safe(sign)) {
        match sign {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            sign => out.push(sign),
        }
    }
    out
}

#[cfg(test)]
mod tests;
