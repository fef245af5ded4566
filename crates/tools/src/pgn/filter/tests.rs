//! Games that are written one after another stay separate.

use tabiya_game::pgn;

use super::standalone;

#[test]
fn a_game_is_copied_unless_the_next_one_would_suffer() {
    for (text, expected) in [
        (
            "[Event \"x\"]\r\n\r\n1. e4 {a;b} e5 1-0 {end}\r\n",
            "[Event \"x\"]\r\n\r\n1. e4 {a;b} e5 1-0 {end}",
        ),
        ("1. e4 e5", "1. e4 e5"),
        ("1. e4 Qh8 2. d4 (2. c4) *", "1. e4 Qh8 2. d4 (2. c4) *"),
        ("[White \"x\"]\n", "[White \"x\"]\n*"),
        ("[White \"x\n", "[White \"x\n*"),
        ("{only a comment}", "{only a comment}\n*"),
    ] {
        assert_eq!(standalone(text.as_bytes()), expected);
    }
    for text in [
        "1. e4 {never ends",
        "1. e4 (1. d4 {never ends",
        "1. e4 Qh8 {never ends",
        "1. e4 * {never",
    ] {
        let both = standalone(text.as_bytes()) + "\n\n1. d4 *\n";
        let games: Vec<_> = pgn::games(both.as_bytes()).collect();
        assert_eq!(games.len(), 2, "{text}");
        assert_eq!(games[0].record.main_line_end().ply(), 1, "{text}");
    }
}
