//! A game as one file to give away: the board of the page, the moves and nothing else. It loads nothing and sends nothing,
//! and its Content-Security-Policy allows no script but its own.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use sha2::{Digest, Sha256};
use tabiya_game::{Record, Tags, pgn};
use tabiya_rules::text::is_safe;
use tabiya_rules::{ByColor, Color};

use crate::page;
use crate::tree;

/// How every exported page begins, so that one can be told from another file.
pub const BEGINNING: &str = "<!doctype html>\n<html lang=\"en\">\n<!-- a game, by Tabiya -->\n";

const PAGE: &str = include_str!("../page/export.html");

/// Tags that the heading shows already, or that say nothing to a reader.
const NOT_LISTED: [&str; 5] = ["White", "Black", "Result", "FEN", "SetUp"];

/// A game as the text of an HTML file, with its variations, comments, arrows, marks and evaluations.
///
/// Whatever the game says is shown as text: nothing in it becomes a part of the page.
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
        visible(name.unwrap_or(color.name())).into_owned()
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
    let data = json!({
        "names": { "white": names.white, "black": names.black },
        "result": record.result().as_str(),
        "about": about(record.tags().stored()),
        "nodes": tree::of(record),
        "pgn": text,
    });
    fill(&[
        ("csp", &csp),
        ("title", &escaped(&title)),
        ("style", &style),
        ("plain", &escaped(&text)),
        ("data", &inside_script(&data.to_string())),
        ("script", &script),
    ])
}

/// The style of the page with the pieces in it.
fn style() -> String {
    let mut style = String::new();
    for line in page::STYLE.lines() {
        // The page of a server loads its pieces; here they are a part of the style.
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

/// What else is known about the game.
fn about(tags: &Tags) -> Vec<(&str, Cow<'_, str>)> {
    tags.iter()
        .filter(|(name, value)| !NOT_LISTED.contains(name) && !value.is_empty() && *value != "?")
        .map(|(name, value)| (name, visible(value)))
        .collect()
}

fn digest(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text.as_bytes()))
}

/// Puts values into the places of the page, in one pass: what is put in is not looked through.
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

/// Text without what acts on whoever shows it, such as marks that turn the direction of writing.
fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_safe) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|&sign| is_safe(sign)).collect())
}

/// Text inside of an element.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars().filter(|&sign| is_safe(sign) || sign == '\n') {
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            sign => out.push(sign),
        }
    }
    out
}

/// JSON inside of a script element, which nothing in it can end.
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
