//! The properties that the fuzz targets try. They are the files of the rules' own tests, where
//! they run seeded and over the corpora of this folder.

#[path = "../../crates/rules/tests/it/any_bytes.rs"]
mod any_bytes;
#[allow(dead_code, reason = "fuzzing counts no nodes")]
#[path = "../../crates/rules/tests/it/slow.rs"]
mod slow;

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
