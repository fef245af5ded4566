//! The text of a game in each format.

use std::fmt::Write;

use tabiya_game::pgn::{self, Format};
use tabiya_game::{Node, Record, Step};
use tabiya_rules::text::clean;

use crate::game_json;
use crate::json;
use crate::tools::pgn::columns::{Column, csv_row};
use crate::tools::pgn::options::{Form, Notation};

/// The default columns of a table.
const COLUMNS: [&str; 11] = [
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo", "ECO",
    "plies",
];

/// How games become text.
#[derive(Debug)]
pub(super) struct Writing {
    pub(super) form: Form,
    notation: pgn::Notation,
    pub(super) columns: Vec<Column>,
}

impl Writing {
    pub(super) fn new(form: Form, notation: Notation, columns: &[Column]) -> Writing {
        let usual = || COLUMNS.iter().filter_map(|name| name.parse().ok());
        Writing {
            form,
            notation: match notation {
                Notation::San => pgn::Notation::San,
                Notation::Long => pgn::Notation::Long,
                Notation::Uci => pgn::Notation::Uci,
            },
            columns: match columns {
                [] => usual().collect(),
                columns => columns.to_vec(),
            },
        }
    }

    /// The text of a game, such that another can follow it.
    pub(super) fn text(&self, record: &Record) -> String {
        match self.form {
            Form::Pgn => {
                let mut text = String::new();
                // Writing into a String never fails.
                let _ = pgn::write_as(record, Format::Export, self.notation, &mut text);
                text + "\n"
            }
            Form::Epd => epd(record),
            Form::Jsonl => game_json::text(record) + "\n",
            Form::Csv => csv_row(self.values(record).iter().map(String::as_str)),
            // The file parses it again.
            Form::Parquet => json::line(&self.values(record)),
        }
    }

    fn values(&self, record: &Record) -> Vec<String> {
        self.columns.iter().map(|it| it.value(record)).collect()
    }

    /// The text that a file of games begins with.
    pub(super) fn heading(&self) -> String {
        match self.form {
            Form::Csv => csv_row(self.columns.iter().map(Column::name)),
            Form::Pgn | Form::Epd | Form::Jsonl | Form::Parquet => String::new(),
        }
    }
}

/// The positions of the main line, each with its counters, the move played, and the players.
fn epd(record: &Record) -> String {
    let tag = |name: &str| {
        let value = record.tags().get(name).unwrap_or("?").replace('"', "'");
        clean(&value).into_owned()
    };
    let id = format!("{} - {}, {}", tag("White"), tag("Black"), tag("Date"));
    let mut text = String::new();
    for node in std::iter::once(record.root()).chain(record.main_line()) {
        let position = node.position();
        let fen = position.fen();
        let placement: Vec<&str> = fen.split(' ').take(4).collect();
        // Writing into a String never fails.
        let _ = write!(
            text,
            "{} hmvc {}; fmvn {};",
            placement.join(" "),
            position.halfmove_clock(),
            position.fullmove_number()
        );
        let _ = match node.next().and_then(Node::step) {
            Some(Step::Move(played)) => write!(text, " sm {};", position.san(played)),
            Some(Step::Null) | None => Ok(()),
        };
        let _ = writeln!(text, " id \"{id}\";");
    }
    text
}

#[cfg(test)]
mod tests;
