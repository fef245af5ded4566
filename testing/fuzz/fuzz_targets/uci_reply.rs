//! Any bytes as a line of an engine: no panic, no control character kept, and what is read and written is read as the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tabiya_fuzz::uci_reply(bytes));
