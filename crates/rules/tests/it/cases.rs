//! The rules case by case, one position each. Every test is named after what it shows.

mod castling;
mod clock;
mod en_passant;
mod history;
mod material;
mod promotion;
mod refusals;
mod same_position;
mod status;
mod validation;

use std::collections::BTreeSet;

use tabiya_rules::{IllegalMove, Position, UciError};

use crate::support::{after, board, position};

/// Returns the reason why a move in UCI notation is refused.
fn refused(position: &Position, text: &str) -> IllegalMove {
    match position.parse_uci(text) {
        Err(UciError::Illegal(reason)) => {
            let legal = position.legal_moves();
            assert!(
                legal.iter().all(|&m| position.uci(m).to_string() != text),
                "{position}: {text}"
            );
            reason
        }
        other => panic!("{position}: {text} is {other:?}"),
    }
}

fn is_legal(position: &Position, text: &str) -> bool {
    position.parse_uci(text).is_ok()
}

/// Returns the legal moves in UCI notation.
fn moves(position: &Position) -> BTreeSet<String> {
    position
        .legal_moves()
        .iter()
        .map(|&m| position.uci(m).to_string())
        .collect()
}

/// Returns the placement of the pieces after a move.
fn placement_after(position: &Position, text: &str) -> String {
    after(position, text).board().to_string()
}
