//! Any text as the file with the settings.

use fuzz_properties::config;

/// Any text, also in pieces of what means something: nothing panics, and what is read can be written again.
#[test]
fn any_text_is_read() {
    const PIECES: [&str; 24] = [
        "theme",
        "=",
        "\"sea\"",
        "\n",
        "[game]",
        "[[keys]]",
        "keys",
        ".",
        "map",
        "{",
        "}",
        "[",
        "]",
        "#",
        "'",
        "1",
        "é",
        "\u{1b}",
        "true",
        "engines.x",
        "path",
        ",",
        " ",
        "\r\n",
    ];
    let mut random = tabiya_rules::SplitMix64::new(7);
    for _ in 0..20_000 {
        let length = random.below(30);
        let text: String = (0..length)
            .map(|_| PIECES[random.below(PIECES.len())])
            .collect();
        config(text.as_bytes());
    }
    config("[".repeat(100_000).as_bytes());
    config(format!("a{} = 1", ".a".repeat(50_000)).as_bytes());
}

/// Replays what fuzzing starts from, and what it found.
#[test]
fn the_fuzz_corpus_holds() {
    test_suites::replay("config", config);
}
