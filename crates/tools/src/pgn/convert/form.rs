//! The text of a game in each format.

use std::fmt::Write;

use tabiya_front::game_json;
use tabiya_game::pgn::{self, Format};
use tabiya_game::{Node, Record, Step};
use tabiya_rules::text::clean;

use super::row;
use crate::pgn::columns::{Column, csv_row};
use crate::pgn::flags::Convert;
use crate::pgn::options::Form;

/// The default columns of a table.
const COLUMNS: [&str; 11] = [
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo", "ECO",
    "plies",
];

/// The default columns, parsed.
pub(super) fn usual_columns() -> Vec<Column> {
    let columns = COLUMNS.iter().map(|name| name.parse());
    columns.filter_map(Result::ok).collect()
}

impl Convert {
    /// A game as bytes, such that another can follow it: its text, or a row of a table with types.
    pub(super) fn bytes(&self, record: &Record) -> Vec<u8> {
        let text = match self.to {
            Form::Pgn => {
                let mut text = String::new();
                // Writing into a String never fails.
                let _ = pgn::write_as(record, Format::Export, self.moves.into(), &mut text);
                text + "\n"
            }
            Form::Epd => epd(record),
            Form::Jsonl => game_json::text(record) + "\n",
            Form::Csv => csv_row(self.values(record).iter().map(String::as_str)),
            Form::Parquet => return row::encode(&self.values(record)),
        };
        text.into_bytes()
    }

    fn values(&self, record: &Record) -> Vec<String> {
        self.columns.iter().map(|it| it.value(record)).collect()
    }

    /// The text that a file of games begins with.
    pub(super) fn heading(&self) -> String {
        match self.to {
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
        let placement = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        let (clock, number) = (position.halfmove_clock(), position.fullmove_number());
        // Writing into a String never fails.
        let _ = write!(text, "{placement} hmvc {clock}; fmvn {number};");
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
