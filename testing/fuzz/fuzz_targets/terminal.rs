//! Any bytes as text from outside: nothing of it acts on a terminal.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_fuzz::terminal(bytes));
