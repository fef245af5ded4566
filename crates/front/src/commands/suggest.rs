//! Suggestions for a line that cannot be parsed.

use tabiya_play::typed_move::{Aim, is_castling, without_figures};
use tabiya_rules::Position;
use tabiya_rules::text::excerpt;

use super::COMMANDS;
use crate::position;

/// No command or move is longer, give or take a letter.
const MAX_SUGGESTED_LENGTH: usize = 12;

/// The greatest number of suggestions.
const MAX_SUGGESTIONS: usize = 3;

/// Suggestions for a text: moves of the same piece to nearby squares if it looks like a move, and commands that differ
/// in one letter if it looks like a word.
pub fn near(text: &str, position: &Position) -> Vec<String> {
    if let Some(command) = command_for(text.trim()) {
        return vec![command];
    }
    let text = &without_figures(without_number(text));
    let typed = letters_and_digits(text);
    if let Some(&(_, meant)) = SYNONYMS.iter().find(|(word, _)| *word == typed) {
        return vec![meant.to_owned()];
    }
    // If castling is impossible, no other king move is meant.
    if typed.is_empty() || typed.len() > MAX_SUGGESTED_LENGTH || is_castling(text) {
        return Vec::new();
    }
    if let Some((word, _)) = text.trim().split_once(' ')
        && word.len() > 3
    {
        return nearest(word, &commands());
    }
    if let Some(aim) = Aim::of(text) {
        return aim.near(position);
    }
    if !typed.contains(|c: char| c.is_ascii_digit()) {
        return nearest(text, &commands());
    }
    let moves = position.legal_moves();
    let coordinates = moves.iter().map(|&found| position.uci(found).to_string());
    let algebraic = moves.iter().map(|&found| position.san(found).to_string());
    nearest(text, &coordinates.chain(algebraic).collect::<Vec<_>>())
}

/// Other programs' names for commands, and people's for moves.
const SYNONYMS: &[(&str, &str)] = &[
    ("exit", "quit"),
    ("bye", "quit"),
    ("leave", "quit"),
    ("h", "help"),
    ("commands", "help"),
    ("castle", "O-O"),
    ("castles", "O-O"),
    ("restart", "new"),
    ("analyze", "study"),
    ("analyse", "study"),
    ("evaluate", "eval"),
    ("time", "clock"),
    ("show", "board"),
    ("list", "saves"),
];

/// The command for a FEN or the name of a file that was entered alone.
fn command_for(text: &str) -> Option<String> {
    let (placement, _) = text.split_once(' ').unwrap_or((text, ""));
    if placement.matches('/').count() == 7 && Position::from_fen(text).is_ok() {
        return Some(format!("fen {text}"));
    }
    let name = text.to_ascii_lowercase();
    let found = [".pgn", ".pgn.gz", ".pgn.bz2", ".pgn.zst"]
        .into_iter()
        .find(|&end| name.ends_with(end));
    found.map(|_| format!("review {}", excerpt(text)))
}

/// The text without the number of a move before it.
fn without_number(text: &str) -> &str {
    match position::without_number(text).trim_start() {
        "" => text,
        after => after,
    }
}

/// Says that there is no such command, and which one may have been meant.
pub fn no_command(name: &str) -> String {
    let sentence = format!("There is no command '{}'.", excerpt(name));
    sentence + &did_you_mean(&nearest(name, &commands()))
}

/// A question with suggestions, if there are any.
pub fn did_you_mean(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!(" Did you mean {}?", listed(names)),
    }
}

/// `a`, `a or b`, `a, b or c`.
pub fn listed(texts: &[String]) -> String {
    match texts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// The names that are long enough for a similar word to be recognized.
fn commands() -> Vec<String> {
    let named = COMMANDS.iter().filter(|entry| entry.name.len() > 2);
    named.map(|entry| entry.name.to_owned()).collect()
}

/// The words that differ from a text in case, punctuation or one letter: only the nearest, and none if there are many.
pub fn nearest(text: &str, known: &[String]) -> Vec<String> {
    let typed = letters_and_digits(text);
    if typed.is_empty() {
        return Vec::new();
    }
    let words_at = |distance: usize| -> Vec<String> {
        known
            .iter()
            .filter(|known| {
                edit_distance(typed.as_bytes(), letters_and_digits(known).as_bytes()) == distance
            })
            .cloned()
            .collect()
    };
    let mut found = words_at(0);
    // In a short word every letter counts: with a wrong one, nothing is left to recognize.
    if found.is_empty() && typed.len() >= 3 {
        found = words_at(1);
    }
    if found.len() > MAX_SUGGESTIONS {
        found.clear();
    }
    found
}

/// The names similar to a text; if there are none, those that begin with it.
pub fn names(text: &str, known: &[String]) -> Vec<String> {
    let near = nearest(text, known);
    if !near.is_empty() {
        return near;
    }
    let (begun, known) = (letters_and_digits(text), known.iter());
    let longer =
        known.filter(|name| !begun.is_empty() && letters_and_digits(name).starts_with(&begun));
    longer.take(MAX_SUGGESTIONS).cloned().collect()
}

/// The letters and digits, in lowercase.
fn letters_and_digits(text: &str) -> String {
    text.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// How many letters have to change between two texts, up to 2: a change adds, removes or replaces a letter, or swaps two
/// neighbors.
fn edit_distance(a: &[u8], b: &[u8]) -> usize {
    match (a, b) {
        (a, b) if a == b => 0,
        ([x, a @ ..], [y, b @ ..]) if x == y => edit_distance(a, b),
        ([_, a @ ..], [_, b @ ..]) if a == b => 1,
        (a, [_, b @ ..]) | ([_, a @ ..], b) if a == b => 1,
        ([w, x, a @ ..], [y, z, b @ ..]) if w == z && x == y && a == b => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests;
