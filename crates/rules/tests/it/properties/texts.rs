//! Properties of texts: random bytes, almost correct texts, and the fuzz corpora.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use tabiya_rules::SplitMix64;

use crate::support::random_positions;

/// A fixed seed, so that a failure can be reproduced; nothing is written to disk.
fn seeded(seed: u64, cases: u32) -> Config {
    Config {
        cases,
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        ..Config::default()
    }
}

/// The characters of a FEN, in its shape.
const FEN_LIKE: &str = "([pnbrqkPNBRQK1-8]{1,8}/){7}[pnbrqkPNBRQK1-8]{1,8} [wb] [-KQkqA-Ha-h]{1,4} (-|[a-h][36]) [0-9]{1,3} [0-9]{1,3}";
const MOVE_LIKE: &str =
    "[NBRQKnbrqkPO0-9a-h]?[a-h]?[1-8]?[x:-]?[a-h][1-8](=?[QRBNqrbnk])?[+#!?]{0,3}";
const EPD_LIKE: &str = "[4Kk8/]{0,9}[kK/8rR4]{8,30} [wb] (-|KQkq|Q) - ([a-z]{1,6}[0-9_]{0,3}( [a-hNBRx1-8]{1,4}| \"[^\"]{0,9}\"| [0-9]{1,9}){0,3}; ?){0,4}";

proptest! {
    #![proptest_config(seeded(41, 2_000))]

    #[test]
    fn no_bytes_make_any_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        fuzz_properties::fen(&bytes);
        fuzz_properties::san(&bytes);
        fuzz_properties::uci_move(&bytes);
        fuzz_properties::epd(&bytes);
        fuzz_properties::packed(&bytes);
    }

    #[test]
    fn no_text_makes_any_reader_panic(text in "\\PC{0,60}") {
        fuzz_properties::fen(text.as_bytes());
        fuzz_properties::san(text.as_bytes());
        fuzz_properties::uci_move(text.as_bytes());
        fuzz_properties::epd(text.as_bytes());
    }

    #[test]
    fn texts_like_a_fen_are_read_or_refused(text in FEN_LIKE) {
        fuzz_properties::fen(text.as_bytes());
    }

    #[test]
    fn texts_like_a_move_are_read_or_refused(text in MOVE_LIKE) {
        fuzz_properties::san(text.as_bytes());
        fuzz_properties::uci_move(text.as_bytes());
    }

    #[test]
    fn texts_like_an_epd_are_read_or_refused(text in EPD_LIKE) {
        fuzz_properties::epd(text.as_bytes());
    }
}

/// Returns a text with one byte changed, removed or doubled.
fn damaged(text: &str, random: &mut SplitMix64) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let at = random.below(bytes.len());
    match random.below(4) {
        0 => bytes[at] = random.next_u64() as u8,
        1 => bytes[at] = b"12345678/ -wbKQkqabcdefghNBRpnr=x+#O0"[random.below(38 - 1)],
        2 => {
            bytes.remove(at);
        }
        _ => bytes.insert(at, bytes[at]),
    }
    bytes
}

#[test]
fn damaged_fens_of_random_positions_are_read_or_refused() {
    let mut random = SplitMix64::new(42);
    random_positions(43, 4_000, |position| {
        fuzz_properties::fen(&damaged(&position.to_string(), &mut random));
    });
}

#[test]
fn damaged_moves_of_random_positions_are_read_or_refused() {
    let mut random = SplitMix64::new(44);
    random_positions(45, 3_000, |position| {
        for &m in position.legal_moves().iter().take(3) {
            let with = |text: &str, random: &mut SplitMix64| {
                let mut bytes = position.to_string().into_bytes();
                bytes.push(b'\n');
                bytes.extend(damaged(text, random));
                bytes
            };
            fuzz_properties::san(&with(&position.san(m), &mut random));
            fuzz_properties::san(&with(&position.lan(m), &mut random));
            fuzz_properties::uci_move(&with(&position.uci(m).to_string(), &mut random));
        }
    });
}

/// Replays the seeds of fuzzing, and what it found.
#[test]
fn the_fuzz_corpora_hold() {
    test_suites::replay("fen", fuzz_properties::fen);
    test_suites::replay("san", fuzz_properties::san);
    test_suites::replay("uci_move", fuzz_properties::uci_move);
    test_suites::replay("epd", fuzz_properties::epd);
    test_suites::replay("packed", fuzz_properties::packed);
}
