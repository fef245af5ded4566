//! What tells games apart: a digest, so that no game is searched twice, wherever a copy of it lies.

use std::fmt::Write;

use sha2::{Digest, Sha256};
use tabiya_game::{Record, Step};

/// The first 64 bits of the SHA-256 over the start as FEN, the moves of the main line in UCI notation with spaces between
/// them, and the values of the tags `White`, `Black` and `Date`, each followed by a line feed. An absent tag is empty, and a
/// null move is `0000`.
#[must_use]
pub fn game_digest(record: &Record) -> u64 {
    let mut text = record.start().fen();
    text.push('\n');
    for node in record.main_line() {
        if node.ply() > 1 {
            text.push(' ');
        }
        let played = node.step().and_then(Step::played);
        // Writing to a string cannot fail.
        let _ = match (played, node.parent()) {
            (Some(played), Some(before)) => write!(text, "{}", before.position().uci(played)),
            _ => write!(text, "0000"),
        };
    }
    text.push('\n');
    for tag in ["White", "Black", "Date"] {
        text.push_str(record.tags().get(tag).unwrap_or_default());
        text.push('\n');
    }
    let digest = Sha256::digest(&text);
    digest
        .iter()
        .take(8)
        .fold(0, |number, &byte| number << 8 | u64::from(byte))
}
