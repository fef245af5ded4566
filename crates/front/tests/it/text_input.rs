//! Any bytes as a file of games in whatever format.

use std::io::Write;

use fuzz_properties::text_input;
use tabiya_rules::SplitMix64;

/// A text in every format that is read, each after a byte that says in what pieces it comes.
fn packed(text: &str) -> Vec<Vec<u8>> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).expect("a vector");
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(text.as_bytes()).expect("a vector");
    let marked = format!("\u{FEFF}{text}");
    let units = |to_bytes: fn(u16) -> [u8; 2]| marked.encode_utf16().flat_map(to_bytes).collect();
    vec![
        text.as_bytes().to_vec(),
        zstd::encode_all(text.as_bytes(), 1).expect("zstd"),
        gzip.finish().expect("a vector"),
        bzip2.finish().expect("a vector"),
        units(u16::to_le_bytes),
        units(u16::to_be_bytes),
    ]
}

/// Every format, whole, cut off, with bytes changed, and one inside the other: nothing panics, and pieces do not matter.
#[test]
fn any_bytes_are_read() {
    let mut random = SplitMix64::new(17);
    let game = "[White \"Márczy 𝔛\"]\n\n1. e4 {½} e5 1/2-1/2\n\n";
    for round in 0..300 {
        let mut bytes = Vec::new();
        for _ in 0..=random.below(2) {
            let text = game.repeat(random.below(20));
            let formats = packed(&text);
            bytes.extend_from_slice(&formats[random.below(formats.len())]);
        }
        for _ in 0..random.below(4) {
            if let Some(last) = bytes.len().checked_sub(1) {
                let at = random.below(last + 1);
                bytes[at] = random.next_u64() as u8;
            }
        }
        if round % 3 == 0 {
            bytes.truncate(random.below(bytes.len() + 1));
        }
        bytes.insert(0, random.next_u64() as u8);
        text_input(&bytes);
    }
    // What unpacks to a thousand times its size.
    for mut bomb in packed(&" ".repeat(8 << 20)) {
        bomb.insert(0, 255);
        text_input(&bomb);
    }
}

/// Replays what fuzzing starts from, and what it found.
#[test]
fn the_fuzz_corpus_holds() {
    test_suites::replay("text_input", text_input);
}
