//! Any lines as messages of the clients of a game, and as messages of a server to a client.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| tabiya_fuzz::serve_messages(bytes));
