//! EPD can be read again.

use tabiya_game::pgn;
use tabiya_rules::Epd;

use super::epd_lines;

#[test]
fn positions_are_read_again() {
    let text = b"[White \"A \\\"x\\\"\"]\n\n1. e4 e5 2. -- *";
    let record = pgn::games(text).next().expect("a game").record;
    let text = epd_lines(&record);
    let lines: Vec<Epd> = text.lines().map(|line| line.parse().expect(line)).collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[1].operand("sm"), Some("e5"));
    assert_eq!(lines[2].operand("sm"), None);
    assert_eq!(lines[0].operand("id"), Some("A 'x' - ?, ?"));
    assert_eq!(
        lines[2].position().expect("a position").fullmove_number(),
        2
    );
}
