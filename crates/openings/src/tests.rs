//! Names of games, a user's own lines, and codes.

use tabiya_rules::Position;

use crate::{Eco, Openings, TableErrorKind};

/// The position after moves, which must be written in full as SAN has them.
pub(crate) fn after(moves: &str) -> Position {
    let mut position = Position::start();
    for text in moves.split(' ') {
        let m = position.parse_san_strict(text).expect(moves);
        assert_eq!(position.san(m).to_string(), text, "{moves}");
        position = position.play(m).expect(moves);
    }
    position
}

#[test]
fn own_lines_take_precedence() {
    let mut openings = Openings::standard().clone();
    let before = openings.iter().count();
    openings
        .add_tsv(b"eco\tname\tpgn\nC60\tSpanish: Old\t1. e4 e5 2. Nf3 Nc6 3. Bb5\r\nA00\tNew\t1.h4 a5 2.Rh2 Ra7 3. Rh3\n")
        .expect("a table");
    openings
        .add_tsv(b"C60\tSpanish\te4 e5 Nf3 Nc6 Bb5\tmore\n# a comment\n\n")
        .expect("a table");
    assert_eq!(openings.iter().count(), before + 1);
    let named = |moves| {
        openings
            .lookup(&after(moves))
            .map(|found| found.to_string())
    };
    assert_eq!(named("e4 e5 Nf3 Nc6 Bb5").as_deref(), Some("Spanish"));
    assert_eq!(named("h4 a5 Rh2 Ra7 Rh3").as_deref(), Some("New"));
    let alone = Openings::from_tsv(b"A00\tOne\te4\nA00\tTwo\te4").expect("a table");
    assert_eq!(alone.iter().count(), 1);
    let two = alone.iter().next().expect("a line");
    assert_eq!(two.family, "Two", "the last line of a position wins");
    assert_eq!(two.variation, None);
}

#[test]
fn what_is_no_table_is_told_by_its_line() {
    let error = |text: &str| Openings::from_tsv(text.as_bytes()).expect_err(text);
    for (text, line, sentence) in [
        (
            "A00\tName",
            1,
            "line 1: expected an ECO code, a name and moves with tabs between them, found 2 columns",
        ),
        (
            "\n\nF00\tName\te4",
            3,
            "line 3: not an ECO code: expected a letter from A to E and two digits, such as C60",
        ),
        ("A00\t\te4", 1, "line 1: the name is empty"),
        ("A00\t: x\te4", 1, "line 1: the name is empty"),
        (
            "A00\tx\x1b[m\te4",
            1,
            "line 1: the name has the character \\u{1b}, which cannot be shown",
        ),
        ("A00\tx\t1. 2.", 1, "line 1: there is no move"),
    ] {
        let found = error(text);
        assert_eq!((found.line, found.to_string().as_str()), (line, sentence));
    }
    let illegal = error("eco\tname\tpgn\nA00\tx\t1. e4 e5 2. Ke3");
    assert_eq!(illegal.line, 2);
    assert!(matches!(illegal.kind, TableErrorKind::Move { ply: 3, .. }));
    assert!(std::error::Error::source(&illegal).is_some());
    let long = error(&format!("A00\t{}\te4", "x".repeat(256)));
    assert_eq!(long.kind, TableErrorKind::NameLength { found: 256 });
    let plies = error(&format!("A00\tx\t{}", "Nf3 Nf6 Ng1 Ng8 ".repeat(51)));
    assert_eq!(plies.kind, TableErrorKind::TooManyPlies);
    let lines = error(&"A00\tx\te4\n".repeat(100_001));
    assert_eq!(
        (lines.line, lines.kind),
        (100_001, TableErrorKind::TooManyLines)
    );
    let bytes = Openings::from_tsv(b"A00\t\xff\te4").expect_err("not UTF-8");
    assert_eq!(bytes.kind, TableErrorKind::NotUtf8);
}

#[test]
fn the_deepest_name_of_a_game_counts() {
    let openings = Openings::standard();
    let mut position = Position::start();
    let mut moves = Vec::new();
    let mut positions = vec![position];
    for text in "Nf3 Nc6 e4 e5 Bb5 h5 h4 Rh7".split(' ') {
        let m = position.parse_san(text).expect("a move");
        position = position.play(m).expect("legal");
        moves.push(m);
        positions.push(position);
    }
    let found = openings.of_game(&Position::start(), moves.iter().copied());
    assert_eq!(found.map(|opening| opening.family), Some("Ruy Lopez"));
    assert_eq!(openings.of_positions(&positions), found);
    // An illegal move ends the game, and the name found until then counts.
    moves.insert(5, moves[0]);
    assert_eq!(openings.of_game(&Position::start(), moves), found);
    assert_eq!(Openings::empty().of_positions(&positions), None);
}

#[test]
fn codes_are_read_as_they_are_printed() {
    for (index, eco) in (0..).zip(Eco::all()) {
        assert_eq!(eco.index(), index);
        assert_eq!(eco.to_string().parse(), Ok(eco));
    }
    assert_eq!(Eco::from_index(500), None);
    for text in ["", "A0", "A000", "a00", "F00", "A0x", "Ä0"] {
        assert!(text.parse::<Eco>().is_err(), "{text}");
    }
}
