//! Any bytes are read as PGN without a panic, and every record that comes of them survives being written.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_fuzz::pgn(bytes));
