//! `tabiya moves`: the legal moves of a position.

use serde::Serialize;

use crate::failure::Failure;
use crate::flags::Moves;
use crate::output::Output;

/// The legal moves of a position for `--json`.
#[derive(Serialize)]
struct Listed {
    fen: String,
    moves: Vec<String>,
}

pub(crate) fn run(args: &Moves) -> Result<(), Failure> {
    let position = args.position.read()?;
    let mut moves: Vec<String> = position
        .legal_moves()
        .into_iter()
        .filter(|found| args.from.is_none_or(|from| found.from() == from))
        .map(|found| {
            if args.uci {
                position.uci(found).to_string()
            } else {
                position.san(found).to_string()
            }
        })
        .collect();
    moves.sort_unstable();

    let mut output = Output::new();
    if args.json {
        let fen = position.fen();
        output.json(&Listed { fen, moves })?;
    } else {
        for text in moves {
            output.line(&text)?;
        }
    }
    output.finish()
}
