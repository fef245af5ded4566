use std::time::Duration;

use tabiya_rules::Role;

use super::{counted, time, wrapped};

#[test]
fn times_are_shown_as_on_a_clock() {
    let shown = |milliseconds| time(Duration::from_millis(milliseconds));
    assert_eq!(shown(0), "0:00.0");
    assert_eq!(shown(9_990), "0:09.9");
    assert_eq!(shown(19_999), "0:19.9");
    assert_eq!(shown(20_000), "0:20");
    assert_eq!(shown(300_000), "5:00");
    assert_eq!(shown(3_599_999), "59:59");
    assert_eq!(shown(5_400_000), "1:30:00");
}

#[test]
fn words_are_wrapped() {
    assert_eq!(wrapped("", "  "), [""; 0]);
    let text = "word ".repeat(40);
    let lines = wrapped(&text, "  ");
    assert!(
        lines.len() > 1
            && lines
                .iter()
                .all(|line| line.len() <= 78 && line.starts_with("  word"))
    );
}

#[test]
fn captured_pieces_are_counted() {
    use Role::{Knight, Pawn, Rook};
    assert_eq!(counted(&[]), "nothing");
    assert_eq!(counted(&[Knight]), "a knight");
    assert_eq!(counted(&[Knight, Pawn]), "a pawn and a knight");
    let many = [Pawn, Rook, Pawn, Knight, Pawn];
    assert_eq!(counted(&many), "three pawns, a knight and a rook");
    assert_eq!(counted(&[Pawn; 9]), "9 pawns");
}
