//! Any bytes as a line, in both directions: never a panic, never a control character, and what is written is read
//! back as the same. The fuzz targets try the same properties.

use tabiya_rules::SplitMix64;
use tabiya_uci::{Info, Reply, UciCommand, is_plain};

/// Reads any bytes as a command of a GUI.
///
/// # Panics
/// Panics if a property does not hold.
pub fn uci_command(bytes: &[u8]) {
    match UciCommand::parse(bytes) {
        Ok(command) => {
            let text = command.to_string();
            assert!(text.chars().all(is_plain), "{text:?}");
            assert_eq!(UciCommand::parse(text.as_bytes()), Ok(command));
        }
        Err(error) => assert!(error.to_string().chars().all(is_plain)),
    }
}

/// Reads any bytes as a reply of an engine.
///
/// # Panics
/// Panics if a property does not hold.
pub fn uci_reply(bytes: &[u8]) {
    let reply = Reply::parse(bytes);
    let text = reply.to_string();
    assert!(text.chars().all(is_plain), "{text:?}");
    assert_eq!(Reply::parse(text.as_bytes()), reply, "{text}");
    if let Reply::Info(info) = &reply {
        let Info { pv, .. } = &**info;
        assert!(info.legal_pv(&tabiya_rules::Position::start()).len() <= pv.len());
    }
}

/// Words that make random lines look like the protocol.
const WORDS: &[&str] = &[
    "uci",
    "debug",
    "on",
    "off",
    "isready",
    "setoption",
    "name",
    "value",
    "register",
    "later",
    "code",
    "ucinewgame",
    "position",
    "fen",
    "startpos",
    "moves",
    "go",
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "stop",
    "ponderhit",
    "quit",
    "id",
    "author",
    "uciok",
    "readyok",
    "bestmove",
    "copyprotection",
    "checking",
    "ok",
    "error",
    "registration",
    "info",
    "seldepth",
    "time",
    "multipv",
    "score",
    "cp",
    "lowerbound",
    "upperbound",
    "currmove",
    "currmovenumber",
    "hashfull",
    "nps",
    "tbhits",
    "cpuload",
    "string",
    "refutation",
    "currline",
    "option",
    "type",
    "check",
    "spin",
    "combo",
    "button",
    "default",
    "min",
    "max",
    "var",
    "wdl",
    "pv",
    "e2e4",
    "e7e8q",
    "0000",
    "a1a1",
    "1",
    "-1",
    "0",
    "99999999999999999999",
    "2147483648",
    "true",
    "false",
    "<empty>",
    "8/8/8/8/8/8/8/K1k5",
    "w",
    "-",
    "x",
    "d",
    "bench",
    "perft",
    "(none)",
    "NULL",
    "\u{202e}",
    "\u{1b}[2J",
    "ü",
    "\t",
    " ",
    "\r",
    "\0",
];

/// Returns a line of protocol words, random bytes and mutations.
///
/// # Panics
/// Panics if a property does not hold.
pub fn random_line(random: &mut SplitMix64) -> Vec<u8> {
    let mut line = Vec::new();
    for _ in 0..random.below(20) {
        match random.below(12) {
            0 => line.push(random.next_u64() as u8),
            1 => line.extend_from_slice(random.next_u64().to_string().as_bytes()),
            _ => {
                line.extend_from_slice(WORDS[random.below(WORDS.len())].as_bytes());
                line.push(b' ');
            }
        }
    }
    for _ in 0..random.below(3) {
        if !line.is_empty() {
            let at = random.below(line.len());
            line[at] ^= 1 << random.below(8);
        }
    }
    line
}
