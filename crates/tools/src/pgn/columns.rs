//! The columns of a table of games, and what games are sorted by: tags, and what follows from the moves.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::str::FromStr;

use tabiya_db::ColumnKind;
use tabiya_front::opening_names;
use tabiya_game::{Node, Record};
use tabiya_openings::Opening;
use thiserror::Error;

use super::criteria::number;

/// How many characters of a value are compared for sorting.
const MAX_SORT_KEY_LENGTH: usize = 80;

/// A column: a tag by its name, or in lowercase something derived from the game.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    name: String,
    /// How it is derived; `None` for a tag.
    derive: Option<Derive>,
}

type Derive = fn(&Record) -> String;

/// The columns that are not tags.
const DERIVED: [(&str, Derive); 7] = [
    // The plies of the main line.
    ("plies", |game| game.main_line_end().ply().to_string()),
    // The moves of the main line, in SAN and in UCI notation.
    ("moves", |game| line(game, Node::move_text)),
    ("uci", |game| {
        line(game, |node| Some(node.uci()?.to_string()))
    }),
    // The first and the last position.
    ("start", |game| game.start().fen()),
    ("fen", |game| game.main_line_end().position().fen()),
    // The opening by its position, whatever the tags say.
    ("eco", |game| {
        opening(game, |opening| opening.eco.to_string())
    }),
    ("opening", |game| {
        opening(game, |opening| opening.to_string())
    }),
];

/// A text that names no column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "a column is a tag such as White, or one of plies, moves, uci, start, fen, eco and opening in lowercase"
)]
pub(crate) struct NoColumn;

impl FromStr for Column {
    type Err = NoColumn;

    fn from_str(text: &str) -> Result<Column, NoColumn> {
        let text = text.trim();
        let derived = DERIVED.into_iter().find(|(name, _)| *name == text);
        let is_tag = text.starts_with(|c: char| c.is_ascii_uppercase())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if derived.is_none() && !is_tag {
            return Err(NoColumn);
        }
        Ok(Column {
            name: text.to_owned(),
            derive: derived.map(|(_, derive)| derive),
        })
    }
}

impl Column {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The type of the values in a table with types.
    pub(crate) fn kind(&self) -> ColumnKind {
        match &*self.name {
            "plies" | "PlyCount" => ColumnKind::Number,
            name if name.ends_with("Elo") => ColumnKind::Number,
            _ => ColumnKind::Text,
        }
    }

    /// The value of a game; empty if there is none.
    pub(crate) fn value(&self, record: &Record) -> String {
        match (self.derive, &*self.name) {
            (Some(derive), _) => derive(record),
            (None, "Result") => record.result().as_str().to_owned(),
            (None, name) => record.tags().get(name).unwrap_or_default().to_owned(),
        }
    }
}

/// The moves of the main line, separated by spaces.
fn line<'a>(record: &'a Record, text: impl Fn(Node<'a>) -> Option<String>) -> String {
    let moves: Vec<String> = record.main_line().filter_map(text).collect();
    moves.join(" ")
}

/// Something about the opening, if there is one.
fn opening(record: &Record, text: impl Fn(Opening<'_>) -> String) -> String {
    opening_names::of_record(record).map_or_else(String::new, text)
}

/// The sort key of a game: numbers before texts, and unknown values last.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(crate) enum SortKey {
    Number(f64),
    Text(Box<str>),
    Unknown,
}

impl SortKey {
    pub(crate) fn of(column: &Column, record: &Record) -> SortKey {
        let value = column.value(record);
        let value = value.trim();
        match number(value) {
            _ if value.is_empty() || value.starts_with('?') => SortKey::Unknown,
            Some(number) => SortKey::Number(number),
            None => {
                let text = value.to_lowercase();
                SortKey::Text(text.chars().take(MAX_SORT_KEY_LENGTH).collect())
            }
        }
    }

    pub(crate) fn order(&self, other: &SortKey) -> Ordering {
        // All numbers can be compared.
        self.partial_cmp(other).unwrap_or(Ordering::Equal)
    }
}

/// A row of CSV, with quotes where they are needed.
pub(crate) fn csv_row<'a>(values: impl Iterator<Item = &'a str>) -> String {
    let is_plain = |value: &str| {
        !value.contains([',', '"', '\n', '\r']) && !value.starts_with(' ') && !value.ends_with(' ')
    };
    let fields = values.map(|value| match is_plain(value) {
        true => Cow::Borrowed(value),
        false => Cow::Owned(format!("\"{}\"", value.replace('"', "\"\""))),
    });
    fields.collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests;
