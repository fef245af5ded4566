//! Any bytes as what an interface says to the server: one move for each `go`, none otherwise, and plain text only.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tabiya_fuzz::uci_session(bytes));
