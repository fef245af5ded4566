//! What the tests share: positions from text, random games, the folder of suites.

use std::fs;
use std::path::PathBuf;

use tabiya_rules::{Position, Setup, SplitMix64, Waivers};

/// The position of a FEN that is known to be right.
pub(crate) fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// A teaching board: placement and side to move, with everything waived that can be.
pub(crate) fn board(placement_and_turn: &str) -> Position {
    let fen = format!("{placement_and_turn} - - 0 1");
    let setup = Setup::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    setup
        .position_waiving(Waivers::ALL)
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The position after some moves, in any notation.
pub(crate) fn after(start: &Position, moves: &str) -> Position {
    let mut position = *start;
    for text in moves.split_whitespace() {
        let m = position
            .parse_san(text)
            .unwrap_or_else(|error| panic!("{text} in {position}: {error}"));
        position = position.play(m);
    }
    position
}

/// Visits the positions of random games until there were `count` of them. Every third game is
/// Chess960, with different arrangements for the two sides in every sixth.
pub(crate) fn random_positions(seed: u64, count: usize, mut visit: impl FnMut(&Position)) {
    let mut random = SplitMix64::new(seed);
    let mut seen = 0;
    let mut game = 0;
    while seen < count {
        let start = match game % 6 {
            1 => Position::chess960(random.below(960) as u16),
            4 => Position::double_chess960(random.below(960) as u16, random.below(960) as u16),
            _ => Some(Position::start()),
        };
        let mut position = start.expect("the number is below 960");
        game += 1;
        for _ in 0..160 {
            visit(&position);
            seen += 1;
            let moves = position.legal_moves();
            if moves.is_empty() || seen >= count {
                break;
            }
            position = position.play(moves[random.below(moves.len())]);
        }
    }
}

/// A file of the folder of suites that TABIYA_SUITES names; `None`, and one line that says so,
/// if it is not set. The files themselves must be there.
pub(crate) fn suite(file: &str) -> Option<String> {
    let Some(folder) = std::env::var_os("TABIYA_SUITES") else {
        eprintln!("left out: {file}, because TABIYA_SUITES names no folder of suites");
        return None;
    };
    let path = PathBuf::from(folder).join(file);
    match fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

/// The lines of a suite without its comments.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}

/// The bytes a suite writes as `\xNN`, `@rep:TEXT:N` or `@gen:repeat:TEXT:N`.
pub(crate) fn unescape(text: &str) -> Vec<u8> {
    if let Some((prefix, repeated)) = text.split_once("@rep:").or(text.split_once("@gen:repeat:")) {
        let (unit, times) = repeated.rsplit_once(':').expect("a text and a number");
        let mut bytes = unescape(prefix);
        bytes.extend(unit.repeat(times.parse().expect("a number")).bytes());
        return bytes;
    }
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend(rest[..at].bytes());
        if let Some(hex) = rest[at..].strip_prefix("\\x") {
            bytes.push(u8::from_str_radix(&hex[..2], 16).expect("two hex digits"));
            rest = &hex[2..];
        } else {
            bytes.push(b'\\');
            rest = &rest[at + 2..];
        }
    }
    bytes.extend(rest.bytes());
    bytes
}
