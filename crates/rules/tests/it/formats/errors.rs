//! Errors of texts: what each says, and what it says is its cause.

use std::error::Error;

use tabiya_rules::{Color, Epd, ParseScoreError, Piece, Position, Role, Score};

/// Returns the texts of an error and of its causes, the last cause last.
fn chain(error: &dyn Error) -> Vec<String> {
    let mut texts = vec![error.to_string()];
    let mut cause = error.source();
    while let Some(error) = cause {
        texts.push(error.to_string());
        cause = error.source();
    }
    texts
}

#[test]
fn an_error_that_wraps_another_says_the_same_and_names_it_as_its_cause() {
    let start = Position::start();
    let fen = Position::from_fen("9/8/8/8/8/8/8/8 w - -").expect_err("not FEN");
    let kings = Position::from_fen("8/8/8/8/8/8/8/8 w - -").expect_err("no kings");
    let epd = "9/8/8/8/8/8/8/8 w - -".parse::<Epd>().expect_err("not FEN");
    let empty: Epd = "8/8/8/8/8/8/8/8 w - - bm e4;".parse().expect("EPD");
    let kings_of_epd = empty.moves("bm").expect_err("no kings");
    let blocked = start.parse_uci("a1a5").expect_err("blocked");
    let no_move = start.parse_uci("a1").expect_err("no move");
    let two_kings = Position::from_fen("4k3/8/8/8/8/8/8/K3K3 w - -").expect_err("two kings");
    let rook: Position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
        .parse()
        .expect("a position");
    let mut bytes = rook.pack().expect("few pieces");
    // The piece on a1 becomes the one on e1.
    bytes[8] = bytes[8] >> 4 | bytes[8] & 0xf0;
    let unpacked = Position::unpack(&bytes).expect_err("two kings");
    let wrapping: [&dyn Error; 7] = [
        &fen,
        &kings,
        &epd,
        &kings_of_epd,
        &blocked,
        &no_move,
        &unpacked,
    ];
    for error in wrapping {
        let texts = chain(error);
        assert_eq!(texts.len(), 2, "{texts:?}");
        assert_eq!(texts[0], texts[1]);
    }
    assert!(chain(&kings)[0].contains("king"), "{:?}", chain(&kings));
    assert_eq!(chain(&two_kings), chain(&unpacked));
    assert_eq!(chain(&kings), chain(&kings_of_epd));
    assert_eq!(chain(&fen), chain(&epd));
    assert_ne!(chain(&blocked), chain(&no_move));
}

#[test]
fn an_error_about_a_move_in_san_names_the_broken_rule_as_its_cause() {
    let start = Position::start();
    let own_piece = start.parse_san("Nd2").expect_err("own piece");
    let texts = chain(&own_piece);
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert_eq!(texts[0], texts[1]);
    let operand: Epd = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm Nd2;"
        .parse()
        .expect("EPD");
    let wrong = operand.moves("bm").expect_err("own piece");
    let texts = chain(&wrong);
    assert_eq!(texts.len(), 3, "{texts:?}");
    assert_eq!(texts[0], format!("Nd2: {}", texts[1]));
    for (text, position) in [
        ("hello", start),
        ("Nd7", start),
        (
            "Rd1",
            "4k3/8/8/8/8/4K3/8/R6R w - - 0 1"
                .parse()
                .expect("a position"),
        ),
        (
            "a8",
            "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
                .parse()
                .expect("a position"),
        ),
    ] {
        let error = position.parse_san(text).expect_err(text);
        let texts = chain(&error);
        assert_eq!(texts.len(), 1, "{text}: {texts:?}");
    }
}

#[test]
fn an_error_that_wraps_none_has_no_cause() {
    let null_move = Position::start().parse_uci("0000").expect_err("no move");
    assert_eq!(chain(&null_move), ["the null move is never legal"]);
    let malformed = Position::unpack(&[0xff; 32]).expect_err("no position");
    assert_eq!(chain(&malformed), ["these bytes are no packed position"]);
    let unclosed: Result<Epd, _> = "4k3/8/8/8/8/8/8/4K3 w - - id \"a;".parse();
    assert_eq!(chain(&unclosed.expect_err("no end")).len(), 1);
}

#[test]
fn what_is_no_value_says_what_is_expected() {
    let color = "red".parse::<Color>().expect_err("no color");
    assert_eq!(
        color.to_string(),
        "not a color: expected w, b, white or black"
    );
    let letters = "expected one of the letters p n b r q k, or its English name";
    let piece = "x".parse::<Piece>().expect_err("no piece");
    let role = "x".parse::<Role>().expect_err("no role");
    assert_eq!(piece.to_string(), format!("not a piece: {letters}"));
    assert_eq!(role.to_string(), format!("not a piece: {letters}"));
    for text in ["", "1,5", "#", "#x", "--1", "1.234.5", "99999999"] {
        assert_eq!(text.parse::<Score>(), Err(ParseScoreError), "{text}");
    }
    assert_eq!(
        ParseScoreError.to_string(),
        "expected a score such as 0.35, -1.2, #3 or #-3"
    );
}
