//! UCI moves without a position.

use tabiya_rules::{ParseUciError, Role, Square, UciMove};

#[test]
fn texts_and_values_are_the_same_thing() {
    let normal = |from, to, promotion| UciMove::Normal {
        from,
        to,
        promotion,
    };
    for (text, value) in [
        ("e2e4", normal(Square::E2, Square::E4, None)),
        ("a7a8q", normal(Square::A7, Square::A8, Some(Role::Queen))),
        ("a7a8r", normal(Square::A7, Square::A8, Some(Role::Rook))),
        ("a7b8b", normal(Square::A7, Square::B8, Some(Role::Bishop))),
        ("h2h1n", normal(Square::H2, Square::H1, Some(Role::Knight))),
        ("e1h1", normal(Square::E1, Square::H1, None)),
        ("0000", UciMove::Null),
    ] {
        assert_eq!(text.parse(), Ok(value), "{text}");
        assert_eq!(value.to_string(), text);
        assert_eq!(UciMove::from_ascii(text.as_bytes()), Ok(value));
    }
    assert_eq!(format!("{:>6}", UciMove::Null), "  0000");
}

#[test]
fn everything_else_is_refused() {
    for text in [
        "", "e2", "e2e", "e2e4k", "e2e4p", "e2e4Q", "e2e4qq", "e9e4", "j2e4", "E2e4", "000", "0-0",
    ] {
        assert_eq!(text.parse::<UciMove>(), Err(ParseUciError), "{text}");
    }
    assert!(ParseUciError.to_string().contains("e7e8q"));
}
