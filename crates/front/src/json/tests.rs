use serde::Serialize;

use super::line;

#[derive(Serialize)]
struct Value {
    fen: &'static str,
    winner: Option<&'static str>,
    check: bool,
    claims: Vec<u32>,
    none: [u32; 0],
}

const VALUE: Value = Value {
    fen: "8/8 w",
    winner: None,
    check: true,
    claims: Vec::new(),
    none: [],
};

#[test]
fn values_are_printed_in_one_line() {
    let value = Value {
        claims: vec![1, 2],
        ..VALUE
    };
    let printed = r#"{"fen":"8/8 w","winner":null,"check":true,"claims":[1,2],"none":[]}"#;
    assert_eq!(line(&value), printed);
}

#[test]
fn any_text_can_be_read_back() {
    for text in [
        "",
        "a\"b\\c",
        "a\nb\r\t\0\u{1b}[0m",
        "♞ 棋 \u{1f600}",
        "\u{202e}\u{e0041}\u{9b}",
    ] {
        let printed = line(&text);
        let read: String = serde_json::from_str(&printed).expect("what is printed is JSON");
        assert_eq!(read, text);
        assert!(
            printed.chars().all(tabiya_rules::text::is_safe),
            "{printed:?}"
        );
    }
}

#[test]
fn decimals_have_four_places() {
    for (number, text) in [
        (0.0, "0.0000"),
        (-0.00004, "0.0000"),
        (-0.5, "-0.5000"),
        (12.345_67, "12.3457"),
        (f64::INFINITY, "null"),
        (f64::NAN, "null"),
    ] {
        assert_eq!(line(&number), text);
    }
}
