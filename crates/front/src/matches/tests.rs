//! Names distinguish players.

use super::*;

fn called(a: &str, b: &str) -> (String, String) {
    let (a, b) = (a.parse().expect("a player"), b.parse().expect("a player"));
    let names = names(ByEntrant::new(&a, &b));
    (names.a, names.b)
}

#[test]
fn names_say_what_is_different() {
    let (a, b) = called("bot:3", "uci:/usr/games/stockfish?Skill Level=3&Hash=1");
    assert_eq!(a, "Bot 3 «Casual»");
    assert_eq!(b, "stockfish (Skill Level 3, Hash 1)");
    let (a, b) = called("uci:/new/tabiya uci", "uci:/old/tabiya uci");
    assert_eq!((a.as_str(), b.as_str()), ("tabiya uci A", "tabiya uci B"));
}
