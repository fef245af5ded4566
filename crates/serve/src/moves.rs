//! Moves as they are sent: those of a game, and those that are legal.

use std::collections::BTreeMap;
use std::ops::RangeBounds;

use serde::Serialize;
use tabiya_game::Session;
use tabiya_rules::{MoveList, Position, Square};

/// A move of the line that is played, with the position after it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct PlayedMove {
    pub(crate) san: String,
    pub(crate) uci: String,
    pub(crate) fen: String,
}

/// The number of moves of the current line.
pub(crate) fn count(session: &Session) -> usize {
    session.record().cursor_line().len()
}

/// Some moves of the current line.
pub(crate) fn played(session: &Session, range: impl RangeBounds<usize>) -> Vec<PlayedMove> {
    let nodes = session.record().cursor_line().enumerate();
    let nodes = nodes
        .filter(|(at, _)| range.contains(at))
        .map(|(_, node)| node);
    let made = nodes.filter_map(|node| {
        Some(PlayedMove {
            san: node.san()?.to_string(),
            uci: node.uci()?.to_string(),
            fen: node.position().fen(),
        })
    });
    made.collect()
}

/// Moves in coordinates.
pub(crate) fn coordinates(position: &Position, moves: &MoveList) -> Vec<String> {
    let moves = moves.iter();
    moves.map(|&m| position.uci(m).to_string()).collect()
}

/// The rook of each castling move among these moves.
pub(crate) fn castling(position: &Position, moves: &MoveList) -> BTreeMap<String, Square> {
    let castles = moves.iter().filter(|m| m.is_castle());
    castles
        .map(|&m| (position.uci(m).to_string(), m.to()))
        .collect()
}
