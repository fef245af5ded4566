//! Text from outside is made safe to show in a terminal.

use fuzz_properties::terminal;
use tabiya_rules::SplitMix64;
use tabiya_rules::text::{clean, clean_lines, excerpt};

#[test]
fn ordinary_text_is_left_alone() {
    for text in ["", "e2e4", "Nf3!?", "Größe ♞ 棋"] {
        assert_eq!(clean(text), text);
    }
}

#[test]
fn what_acts_on_a_terminal_is_shown_instead() {
    assert_eq!(clean("a\u{1b}[31mb"), "a\\u{1b}[31mb");
    assert_eq!(
        clean("\u{9b}2J\u{7f}\r\n\0"),
        "\\u{9b}2J\\u{7f}\\u{d}\\u{a}\\u{0}"
    );
    assert_eq!(clean("\u{202e}4e2e"), "\\u{202e}4e2e");
    assert_eq!(clean_lines("a\nb\u{7}\nc"), "a\nb\\u{7}\nc");
}

#[test]
fn a_very_long_text_is_cut() {
    assert_eq!(excerpt(&"x".repeat(200)), "x".repeat(200));
    assert_eq!(excerpt(&"é".repeat(201)), format!("{}…", "é".repeat(200)));
}

#[test]
fn no_character_of_a_cleaned_text_is_unsafe() {
    let mut random = SplitMix64::new(1);
    for _ in 0..20_000 {
        let bytes: Vec<u8> = (0..random.next_u64() % 40)
            .map(|_| random.next_u64() as u8)
            .collect();
        let wild: String = (0..8)
            .filter_map(|_| char::from_u32(random.next_u64() as u32 % 0x11_0000))
            .collect();
        terminal(&bytes);
        terminal(wild.as_bytes());
    }
}

/// Replays the seeds of fuzzing, and what it found.
#[test]
fn the_fuzz_corpus_holds() {
    test_suites::replay("terminal", terminal);
}
