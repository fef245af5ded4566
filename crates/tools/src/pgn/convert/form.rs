//! The text of a game in each format.

use tabiya_front::game_json;
use tabiya_game::pgn::{self, Format};
use tabiya_game::{Node, Record, Step};
use tabiya_rules::text::clean;
use tabiya_rules::{Epd, EpdOperation, Setup};

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
            Form::Epd => epd_lines(record),
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

/// The positions of the main line as lines of EPD, each with its counters, the move played, and the players.
fn epd_lines(record: &Record) -> String {
    let tag = |name: &str| {
        // EPD has no escape for a quotation mark.
        let value = record.tags().get(name).unwrap_or("?").replace('"', "'");
        clean(&value).into_owned()
    };
    let id = format!("{} - {}, {}", tag("White"), tag("Black"), tag("Date"));
    let nodes = std::iter::once(record.root()).chain(record.main_line());
    let lines = nodes.map(|node| format!("{}\n", epd(node, &id)));
    lines.collect()
}

fn epd(node: Node<'_>, id: &str) -> Epd {
    let position = node.position();
    let operation = |opcode: &str, operand: String| EpdOperation {
        opcode: opcode.to_owned(),
        operands: vec![operand],
    };
    let mut operations = vec![
        operation("hmvc", position.halfmove_clock().to_string()),
        operation("fmvn", position.fullmove_number().to_string()),
    ];
    if let Some(Step::Move(played)) = node.next().and_then(Node::step) {
        operations.push(operation("sm", position.san(played).to_string()));
    }
    operations.push(operation("id", id.to_owned()));
    Epd {
        setup: Setup {
            // As in a FEN, which names the square only if a move can capture there.
            en_passant: position.legal_en_passant(),
            ..position.setup()
        },
        operations,
    }
}

#[cfg(test)]
mod tests;
