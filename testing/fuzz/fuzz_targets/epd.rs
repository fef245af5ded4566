//! Any bytes as an EPD: no panic, and what is read prints back.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tabiya_fuzz::epd(bytes));
