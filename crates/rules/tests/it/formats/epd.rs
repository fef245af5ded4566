//! EPD: four fields and operations.

use tabiya_rules::{
    Epd, EpdError, EpdMovesError, FenError, FenExpected, FenField, SanError, Setup,
};

const TEXT: &str = "r1b1k2r/ppppnppp/2n2q2/2b5/3NP3/2P1B3/PP3PPP/RN1QKB1R w KQkq - bm Nb5 Be2; hmvc 3; fmvn 7; id \"a test; with words\";";

fn read(text: &str) -> Epd {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn operations_are_read_with_their_operands() {
    let epd = read(TEXT);
    assert_eq!(epd.operations.len(), 4);
    assert_eq!(epd.operand("id"), Some("a test; with words"));
    assert_eq!(epd.operands("bm").map(<[String]>::len), Some(2));
    assert_eq!(epd.operand("am"), None);
    assert_eq!(
        (epd.setup.halfmove_clock, epd.setup.fullmove_number.get()),
        (3, 7)
    );
    let position = epd.position().expect("a position");
    let moves: Vec<_> = epd
        .moves("bm")
        .expect("moves")
        .iter()
        .map(|&m| position.uci(m).to_string())
        .collect();
    assert_eq!(moves, ["d4b5", "f1e2"]);
    assert_eq!(epd.moves("am"), Ok(Vec::new()), "no operation, no moves");
}

#[test]
fn what_was_read_prints_back() {
    for text in [
        TEXT,
        "4k3/8/8/8/8/8/8/4K3 w - -",
        "4k3/8/8/8/8/8/8/4K3 w - - noop;",
        "4k3/8/8/8/8/8/8/4K3 w - - c0 \"\"; c9 \"two words\" three;",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 acn 123; pv e5d6;",
        "4k3/8/8/3p4/8/8/8/4K3 w - d6 D1 5;",
        "4k3/8/8/8/8/8/8/4K1R1 w G - id x;",
    ] {
        let epd = read(text);
        assert_eq!(epd.to_string(), text);
        assert_eq!(read(&epd.to_string()), epd);
    }
}

#[test]
fn blanks_semicolons_and_a_missing_last_semicolon_are_read() {
    let plain = read("4k3/8/8/8/8/8/8/4K3 w - - id x; c0 y;");
    for text in [
        "4k3/8/8/8/8/8/8/4K3 w - - id x; c0 y",
        "4k3/8/8/8/8/8/8/4K3 w - -  id  x ;; c0\ty ; ;\n",
        " 4k3/8/8/8/8/8/8/4K3  w - - id x;c0 y;",
        "4k3/8/8/8/8/8/8/4K3 w - - id \"x\"; c0 \"y\";",
    ] {
        assert_eq!(read(text), plain, "{text}");
    }
}

#[test]
fn an_error_names_its_byte() {
    let fen = |field, byte, expected| {
        EpdError::Fen(FenError {
            field,
            byte,
            expected,
        })
    };
    for (text, error) in [
        ("", fen(FenField::Placement, 0, FenExpected::PieceOrGap)),
        (
            "4k3/8/8/8/8/8/8/4K3 w -",
            fen(FenField::EnPassant, 23, FenExpected::EnPassantSquare),
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            EpdError::Opcode { byte: 26 },
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - b-m e4;",
            EpdError::Opcode { byte: 26 },
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - id x; \"y\";",
            EpdError::Opcode { byte: 32 },
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - abcdefghijklmnop;",
            EpdError::Opcode { byte: 26 },
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - id \"x;",
            EpdError::Quotation { byte: 29 },
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - hmvc;",
            EpdError::Counter { byte: 26 },
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - hmvc 1 2;",
            EpdError::Counter { byte: 26 },
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - id x; fmvn +1;",
            EpdError::Counter { byte: 32 },
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - hmvc 2147483648;",
            EpdError::Counter { byte: 26 },
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - fmvn \"\";",
            EpdError::Counter { byte: 26 },
        ),
    ] {
        assert_eq!(text.parse::<Epd>(), Err(error), "{text}");
        assert!(error.to_string().starts_with("bad "), "{error}");
    }
    assert_eq!(
        EpdError::Quotation { byte: 29 }.to_string(),
        "bad EPD, byte 30: the quotation never ends"
    );
    assert!(EpdError::Opcode { byte: 0 }.to_string().contains("byte 1"));
    assert!(EpdError::Counter { byte: 0 }.to_string().contains("number"));
}

#[test]
fn a_move_number_of_zero_is_one() {
    let epd = read("4k3/8/8/8/8/8/8/4K3 w - - fmvn 0;");
    assert_eq!(epd.setup.fullmove_number.get(), 1);
}

#[test]
fn moves_that_are_none_are_errors() {
    let epd = read("4k3/8/8/8/8/8/8/4K3 w - - bm Ke2 Ke5; am xyz;");
    let illegal = epd.moves("bm").expect_err("no king goes that far");
    assert!(matches!(
        &illegal,
        EpdMovesError::Move { operand, error: SanError::Illegal { .. } } if operand == "Ke5"
    ));
    assert_eq!(
        illegal.to_string(),
        "Ke5: A King cannot move from e1 to e5."
    );
    assert_eq!(
        epd.moves("am"),
        Err(EpdMovesError::Move {
            operand: "xyz".to_owned(),
            error: SanError::Syntax
        })
    );
    let empty = read("8/8/8/8/8/8/8/8 w - - bm e4;");
    let impossible = empty.position().expect_err("no kings");
    assert_eq!(
        empty.moves("bm"),
        Err(EpdMovesError::Position(impossible)),
        "the position is to blame, not the move"
    );
    assert_eq!(empty.setup, Setup::EMPTY);
}
