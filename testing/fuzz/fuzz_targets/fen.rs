//! Any bytes as a FEN: no panic, and what is read prints back; if it is a position, its moves agree
//! with the slow rules and survive every notation.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tabiya_fuzz::fen(bytes));
