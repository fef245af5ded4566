//! Any bytes as the answers of a terminal: nothing panics, and nothing that was typed is lost.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_fuzz::terminal_answers(bytes));
