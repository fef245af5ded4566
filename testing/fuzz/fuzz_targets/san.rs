//! Any bytes as a move that people type, after a line with a FEN: no panic, and what is read is legal.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tabiya_fuzz::san(bytes));
