//! Numbers at their edges, odd bytes and endless tokens, wherever a text may have them.

use std::time::{Duration, Instant};

use tabiya_game::pgn;

const ODD: &str = "|0|-0|+1|00000001|2147483647|2147483648|-2147483648|4294967295|4294967296|9223372036854775807|\
    9223372036854775808|18446744073709551615|18446744073709551616|1e9|0x10|½|٣|３|𝟛|é|\u{202e}|\u{feff}|\0|\u{1b}[2J|\r\n|\t|\
    \"|\\|{|}|(|)|;|%|$|*|--";

const NOT_UTF_8: [&[u8]; 4] = [&[0xff], &[0xc3, 0x28], &[0xed, 0xa0, 0x80], &[0; 1000]];

/// The texts in which each stands between the two parts.
const AROUND: [(&str, &str); 9] = [
    ("", ""),
    ("8/8/8/8/8/8/8/K1k5 w - - ", " 1"),
    ("8/8/8/8/8/8/8/K1k5 w - - 0 ", ""),
    ("8/8/8/8/8/8/8/K1k5 w ", " - 0 1"),
    ("8/8/8/8/8/8/8/K1k5 w - - bm ", ";"),
    // The start position, and a move.
    ("\n", ""),
    ("1. e4 {", "} e5 *"),
    ("[Event \"", "\"]\n\n1. e4 $"),
    ("1. e4 $", " *"),
];

/// How long a text may take: a machine that does other things too gets more time than a release.
fn limit() -> Duration {
    let release = std::env::var_os("TABIYA_RELEASE").is_some();
    Duration::from_secs(if release { 1 } else { 30 })
}

#[test]
fn odd_tokens_are_read_or_refused_soon() {
    let mut tokens: Vec<Vec<u8>> = ODD.split('|').map(Into::into).collect();
    tokens.extend(NOT_UTF_8.map(<[u8]>::to_vec));
    for byte in *b"19Pp/-KeN(){}[]\"\\$!? \xff" {
        tokens.extend([vec![byte; 400], vec![byte; 1 << 20]]);
    }
    let readers: [fn(&[u8]); 6] = [
        fuzz_properties::fen,
        fuzz_properties::san,
        fuzz_properties::uci_move,
        fuzz_properties::epd,
        fuzz_properties::packed,
        |text| {
            for game in pgn::games(text) {
                let _ = pgn::to_string(&game.record, pgn::Format::Export);
            }
        },
    ];
    let mut slowest = Duration::ZERO;
    for token in tokens {
        for (before, after) in AROUND {
            let text = [before.as_bytes(), &token, after.as_bytes()].concat();
            for read in readers {
                let begun = Instant::now();
                read(&text);
                slowest = slowest.max(begun.elapsed());
            }
        }
    }
    println!("the slowest after {slowest:?}");
    assert!(slowest < limit(), "{slowest:?}");
}
