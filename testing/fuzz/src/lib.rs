//! The properties that the fuzz targets try; the tests of the crates run them seeded and over the corpora of this folder.

pub use fuzz_properties::{
    config, db_manifest, db_part, epd, fen, openings_table, packed, pgn, pgn_chunked, pgn_write,
    polyglot_book, san, save_file, serve_messages, session, terminal, terminal_answers, text_input,
    train_log, uci_command, uci_move, uci_reply, uci_session,
};
