//! Any bytes as positions packed into 32 bytes: refused, or the only form of what they say.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tabiya_fuzz::packed(bytes));
