//! Columns, their values, and sorting by them.

use tabiya_game::pgn;

use super::{Column, SortKey, csv_row};

#[test]
fn columns_are_tags_or_what_the_moves_tell() {
    let text = b"[White \"A, B\"]\n[WhiteElo \"2500\"]\n[Result \"1-0\"]\n\n1. e4 -- 2. d4 1-0";
    let record = pgn::games(text).next().expect("a game").record;
    for (name, expected) in [
        ("White", "A, B"),
        ("Black", ""),
        ("Result", "1-0"),
        ("plies", "3"),
        ("moves", "e4 -- d4"),
        ("uci", "e2e4 0000 d2d4"),
        ("eco", "B00"),
    ] {
        let column: Column = name.parse().expect(name);
        assert_eq!(
            (column.name(), column.value(&record).as_str()),
            (name, expected)
        );
    }
    for name in ["", "white", "A B", "Ünicode"] {
        assert!(name.parse::<Column>().is_err(), "{name}");
    }
}

#[test]
fn numbers_come_before_texts_and_what_is_unknown_last() {
    let text = SortKey::Text("10".into());
    assert!(SortKey::Number(9.0).order(&SortKey::Number(10.0)).is_lt());
    assert!(SortKey::Number(11.0).order(&text).is_lt());
    assert!(text.order(&SortKey::Unknown).is_lt());
}

#[test]
fn values_with_commas_and_quotes_are_quoted() {
    let row = csv_row(["a", "b,c", "d\"e", "", "f\ng", " h"].into_iter());
    assert_eq!(row, "a,\"b,c\",\"d\"\"e\",,\"f\ng\",\" h\"\n");
}
