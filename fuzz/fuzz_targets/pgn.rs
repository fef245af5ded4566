//! Any bytes are read as PGN without a panic, and every record that comes of them survives being written.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_game::pgn::{self, Format};

fuzz_target!(|data: &[u8]| {
    for game in pgn::games(data) {
        for error in &game.errors {
            assert!(!error.to_string().chars().any(char::is_control));
            assert!(error.place.offset() <= data.len() as u64);
        }
        for format in [Format::Export, Format::Compact] {
            let text = pgn::to_string(&game.record, format);
            let again: Vec<_> = pgn::games(text.as_bytes()).collect();
            assert_eq!(again.len(), 1);
            assert_eq!(again[0].errors, []);
            assert_eq!(again[0].record, game.record);
        }
    }
});
