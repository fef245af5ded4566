//! Rows about the rules: what must hold for every position, and texts at the limits.

use std::time::{Duration, Instant};

use tabiya_rules::{CastlingNotation, EnPassantMode, Epd, Move, Position, Setup, SplitMix64};

use crate::meter::{Meter, Stop};
use crate::program::Programs;

/// Plays random games, and checks every position in every way.
pub(crate) fn random_play(meter: &mut Meter, _: &Programs) -> Result<(), Stop> {
    const SIZE: u64 = 10_000_000;
    let mut random = SplitMix64::new(1);
    while meter.goes_on(SIZE) {
        let mut position = start(&mut random);
        for _ in 0..300 {
            meter.attempt(|| holds_together(&position));
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play_unchecked(moves[random.below(moves.len())]);
        }
    }
    Ok(())
}

/// Returns the start position, or one of Chess960 or double Chess960.
fn start(random: &mut SplitMix64) -> Position {
    let number = |random: &mut SplitMix64| random.below(960) as u16;
    match random.below(20) {
        0 => Position::chess960(number(random)),
        1 => Position::double_chess960(number(random), number(random)),
        _ => None,
    }
    .unwrap_or_else(Position::start)
}

fn holds_together(position: &Position) -> Result<(), String> {
    let fen = position.fen();
    let problem = |what: &str| Err(format!("{fen}: {what}"));
    let whole = position.fen_with(EnPassantMode::Always, CastlingNotation::ByMode);
    // Without castling rights, a FEN does not show the castling mode.
    let mode = position.castling_mode();
    let read = Position::from_fen(&whole).map(|read| read.with_castling_mode(mode).setup());
    if read != Ok(position.setup()) {
        return problem("its FEN is read as something else");
    }
    let moves = position.legal_moves();
    let mut legal: Vec<u16> = moves.iter().map(|m| m.bits()).collect();
    legal.sort_unstable();
    let by_question: Vec<u16> = (0..=u16::MAX)
        .filter(|&bits| Move::from_bits(bits).is_some_and(|m| position.is_legal(m)))
        .collect();
    if legal != by_question {
        return problem("the list and is_legal differ");
    }
    if position.count_legal_moves() != legal.len() || position.has_legal_move() == legal.is_empty()
    {
        return problem("the count or has_legal_move differs from the list");
    }
    for &m in &moves {
        let after = position.play_unchecked(m);
        let san = position.san(m);
        if position.parse_san_strict(&san) != Ok(m) {
            return problem(&format!("{san} is not read as itself"));
        }
        let uci = position.uci(m).to_string();
        if position.parse_uci(&uci) != Ok(m) {
            return problem(&format!("{uci} is not read as itself"));
        }
        if position.gives_check(m) != after.is_check() {
            return problem(&format!("gives_check is wrong about {san}"));
        }
        match after.setup().position() {
            Ok(fresh) if fresh.key() == after.key() && fresh == after => {}
            _ => return problem(&format!("the key after {san} is not the key from scratch")),
        }
    }
    let mut mirrored: Vec<String> = moves
        .iter()
        .map(|&m| position.play_unchecked(m).mirror().fen())
        .collect();
    let mirror = position.mirror();
    let mut of_mirror: Vec<String> = mirror
        .legal_moves()
        .iter()
        .map(|&m| mirror.play_unchecked(m).fen())
        .collect();
    mirrored.sort_unstable();
    of_mirror.sort_unstable();
    // The move number increases after Black's moves, so it is not compared.
    let without_number = |fens: Vec<String>| -> Vec<String> {
        fens.iter()
            .map(|fen| fen.rsplit_once(' ').map_or("", |(rest, _)| rest).to_owned())
            .collect()
    };
    if without_number(mirrored) != without_number(of_mirror) {
        return problem("the mirrored position has other moves");
    }
    Ok(())
}

/// Tries every kind of text with numbers at their limits, odd bytes and endless tokens.
pub(crate) fn limits(meter: &mut Meter, _: &Programs) -> Result<(), Stop> {
    let start = Position::start();
    let mut worst = Duration::ZERO;
    for token in odd_tokens() {
        for bytes in [
            token.clone(),
            [&b"8/8/8/8/8/8/8/K1k5 w - - "[..], &token, b" 1"].concat(),
            [&b"8/8/8/8/8/8/8/K1k5 w - - 0 "[..], &token].concat(),
            [&b"8/8/8/8/8/8/8/K1k5 w "[..], &token, b" - 0 1"].concat(),
            [&b"8/8/8/8/8/8/8/K1k5 w - - bm "[..], &token, b";"].concat(),
            [&b"1. e4 {"[..], &token, b"} e5 *"].concat(),
            [&b"[Event \""[..], &token, b"\"]\n\n1. e4 $"].concat(),
            [&b"1. e4 $"[..], &token, b" *"].concat(),
        ] {
            let begun = Instant::now();
            meter.attempt(|| {
                let _ = Setup::from_fen_bytes(&bytes);
                let _ = start.parse_san_bytes(&bytes);
                if let Ok(text) = std::str::from_utf8(&bytes) {
                    let _ = start.parse_uci(text);
                    let _ = text.parse::<Epd>();
                }
                for game in tabiya_game::pgn::games(&bytes) {
                    let _ =
                        tabiya_game::pgn::to_string(&game.record, tabiya_game::pgn::Format::Export);
                }
                Ok(())
            });
            worst = worst.max(begun.elapsed());
        }
    }
    meter.figure(format!("slowest {:.0} ms", worst.as_secs_f64() * 1e3));
    if worst > Duration::from_secs(1) {
        meter.fail("a text took more than a second".to_owned());
    }
    Ok(())
}

fn odd_tokens() -> Vec<Vec<u8>> {
    let mut tokens: Vec<Vec<u8>> = [
        "",
        "0",
        "-0",
        "+1",
        "00000001",
        "2147483647",
        "2147483648",
        "-2147483648",
        "4294967295",
        "4294967296",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "1e9",
        "0x10",
        "½",
        "٣",
        "３",
        "𝟛",
        "é",
        "\u{202e}",
        "\u{feff}",
        "\0",
        "\u{1b}[2J",
        "\r\n",
        "\t",
        "\"",
        "\\",
        "{",
        "}",
        "(",
        ")",
        ";",
        "%",
        "$",
        "*",
        "--",
    ]
    .iter()
    .map(|text| text.as_bytes().to_vec())
    .collect();
    tokens.extend([
        vec![0xff],
        vec![0xc3, 0x28],
        vec![0xed, 0xa0, 0x80],
        vec![0; 1000],
    ]);
    for byte in *b"19Pp/-KeN(){}[]\"\\$!? \xff" {
        tokens.push(vec![byte; 400]);
        tokens.push(vec![byte; 1 << 20]);
    }
    tokens
}
