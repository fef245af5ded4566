//! The properties that the fuzz targets try. They are files of the crates' own tests, where they run
//! seeded and over the corpora of this folder.

#[path = "../../crates/rules/tests/it/any_bytes.rs"]
mod any_bytes;
#[allow(dead_code, reason = "fuzzing counts no nodes")]
#[path = "../../crates/rules/tests/it/slow.rs"]
mod slow;

#[path = "../../crates/game/tests/it/any_commands.rs"]
mod any_commands;
#[path = "../../crates/game/tests/it/any_pgn.rs"]
mod any_pgn;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../crates/game/tests/it/common.rs"]
mod common;

#[allow(dead_code, reason = "the tests make lines of their own")]
#[path = "../../crates/uci/tests/it/any_bytes.rs"]
mod any_lines;
#[path = "../../crates/engine/tests/it/any_session.rs"]
mod any_session;

pub use fuzz_properties::{config, openings_table, polyglot_book, save_file, terminal, text_input};

/// Bytes as a line of an interface.
pub fn uci_command(bytes: &[u8]) {
    any_lines::command(bytes);
}

/// Bytes as a line of an engine.
pub fn uci_reply(bytes: &[u8]) {
    any_lines::reply(bytes);
}

/// Bytes as what an interface says to the server, line by line.
pub fn uci_session(bytes: &[u8]) {
    any_session::session(bytes);
}

/// Bytes as a game's start and commands, seven for each.
pub fn session(bytes: &[u8]) {
    any_commands::session(bytes);
}

/// Bytes as PGN, and what is read of it written.
pub fn pgn(bytes: &[u8]) {
    any_pgn::pgn(bytes);
}

/// Bytes as PGN in pieces.
pub fn pgn_chunked(bytes: &[u8]) {
    any_pgn::pgn_chunked(bytes);
}

/// Bytes as the making of a record, which is written.
pub fn pgn_write(bytes: &[u8]) {
    any_pgn::pgn_write(bytes);
}

/// Bytes as a FEN, then all moves of the position in every notation and back.
pub fn fen(bytes: &[u8]) {
    any_bytes::fen(bytes);
}

/// Bytes as a FEN, a line end, and a move as people type it.
pub fn san(bytes: &[u8]) {
    any_bytes::san(bytes);
}

/// Bytes as a FEN, a line end, and a move in coordinates.
pub fn uci_move(bytes: &[u8]) {
    any_bytes::uci_move(bytes);
}

/// Bytes as an EPD.
pub fn epd(bytes: &[u8]) {
    any_bytes::epd(bytes);
}
