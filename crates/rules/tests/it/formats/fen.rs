//! FEN: which texts are accepted and what they mean, which are refused and where.

use tabiya_rules::{
    CastlingMode, CastlingNotation, EnPassantMode, FenError, FenExpected, FenField, ParseFenError,
    Position, Setup, SetupErrorKind, Square, Waivers,
};

use crate::support::{after, position};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Checks texts with an error in a field: the byte, and what was expected there.
fn check_errors(field: FenField, errors: &[(&str, usize, FenExpected)]) {
    for &(text, byte, expected) in errors {
        let error = FenError {
            field,
            byte,
            expected,
        };
        assert_eq!(Setup::from_fen(text), Err(error), "{text:?}");
        assert_eq!(
            Position::from_fen(text),
            Err(ParseFenError::Fen(error)),
            "{text:?}"
        );
        assert_eq!(text.parse::<Setup>(), Err(error), "{text:?}");
    }
}

#[test]
fn an_error_in_the_placement_names_its_byte_and_what_was_expected() {
    use FenExpected::{EightRanks, EightSquares, PieceOrGap};
    check_errors(
        FenField::Placement,
        &[
            ("", 0, PieceOrGap),
            ("x", 0, PieceOrGap),
            ("8/8/8/8/8/8/8/9 w - - 0 1", 14, PieceOrGap),
            ("8/8/8/8/8/8/8/0 w - - 0 1", 14, PieceOrGap),
            ("8/8/8/44/8/8/8/8 w - - 0 1", 7, PieceOrGap),
            ("8/8/8/8,8/8/8/8 w - - 0 1", 7, PieceOrGap),
            ("8/8/8/ppppppppp/8/8/8/8 w - - 0 1", 14, EightSquares),
            ("8/8/8/p8/8/8/8/8 w - - 0 1", 7, EightSquares),
            ("8/8/8/7/8/8/8/8 w - - 0 1", 7, EightSquares),
            ("8/8/8/8/8/8/8/7 w - - 0 1", 15, EightSquares),
            ("8/8/8/8//8/8/8 w - - 0 1", 8, EightSquares),
            ("8/8/8/8/8/8/8 w - - 0 1", 13, EightRanks),
            ("8/8/8/8/8/8/8/8/8 w - - 0 1", 15, EightRanks),
            ("8/8/8/8/8/8/8/8/ w - - 0 1", 15, EightRanks),
        ],
    );
}

/// Returns whether a text is a placement, by the plain definition: eight ranks of eight squares, with no two gaps in a
/// row.
fn is_placement(text: &str) -> bool {
    let ranks: Vec<&str> = text.split('/').collect();
    ranks.len() == 8
        && ranks.iter().all(|rank| {
            let squares: u32 = rank.chars().map(|c| c.to_digit(10).unwrap_or(1)).sum();
            let known = rank.chars().all(|c| "12345678PNBRQKpnbrqk".contains(c));
            let digits: Vec<bool> = rank.chars().map(|c| c.is_ascii_digit()).collect();
            known && squares == 8 && !digits.windows(2).any(|pair| pair[0] && pair[1])
        })
}

#[test]
fn one_letter_more_less_or_other_in_a_placement_is_read_only_if_it_still_is_one() {
    let placements = [
        "8/8/8/8/8/8/8/8",
        "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R",
    ];
    let check = |placement: String| {
        let read = Setup::from_fen(&format!("{placement} w - - 0 1"));
        assert_eq!(read.is_ok(), is_placement(&placement), "{placement}");
        if let Ok(setup) = read {
            assert_eq!(setup.board.to_string(), placement);
        }
    };
    for placement in placements {
        for at in 0..=placement.len() {
            let (before, after) = placement.split_at(at);
            let shorter = after.get(1..).unwrap_or("");
            check(format!("{before}{shorter}"));
            for letter in "/0123456789PNBRQKpnbrqk-x".chars() {
                check(format!("{before}{letter}{after}"));
                check(format!("{before}{letter}{shorter}"));
            }
        }
    }
}

#[test]
fn an_error_in_another_field_names_the_field_and_its_byte() {
    check_errors(
        FenField::Turn,
        &[
            ("8/8/8/8/8/8/8/8", 15, FenExpected::Turn),
            ("8/8/8/8/8/8/8/8 ", 16, FenExpected::Turn),
            ("8/8/8/8/8/8/8/8 W - - 0 1", 16, FenExpected::Turn),
            ("8/8/8/8/8/8/8/8 white - - 0 1", 16, FenExpected::Turn),
        ],
    );
    check_errors(
        FenField::Castling,
        &[
            ("8/8/8/8/8/8/8/8 w", 17, FenExpected::CastlingLetter),
            ("8/8/8/8/8/8/8/8 w x - 0 1", 18, FenExpected::CastlingLetter),
            (
                "8/8/8/8/8/8/8/8 w KQk- - 0 1",
                21,
                FenExpected::CastlingLetter,
            ),
            (
                "8/8/8/8/8/8/8/8 w -- - 0 1",
                18,
                FenExpected::CastlingLetter,
            ),
            (
                "r3k2r/8/8/8/8/8/8/R3K2R w KQKq - 0 1",
                28,
                FenExpected::CastlingLetter,
            ),
            (
                "r3k2r/8/8/8/8/8/8/R3K2R w KH - 0 1",
                27,
                FenExpected::CastlingLetter,
            ),
        ],
    );
    check_errors(
        FenField::EnPassant,
        &[
            ("8/8/8/8/8/8/8/8 w -", 19, FenExpected::EnPassantSquare),
            (
                "8/8/8/8/8/8/8/8 w - e4 0 1",
                20,
                FenExpected::EnPassantSquare,
            ),
            (
                "8/8/8/8/8/8/8/8 w - i3 0 1",
                20,
                FenExpected::EnPassantSquare,
            ),
            (
                "8/8/8/8/8/8/8/8 w - e 0 1",
                20,
                FenExpected::EnPassantSquare,
            ),
            (
                "8/8/8/8/8/8/8/8 w - E3 0 1",
                20,
                FenExpected::EnPassantSquare,
            ),
        ],
    );
}

#[test]
fn an_error_in_the_counters_or_after_them_names_its_byte() {
    check_errors(
        FenField::HalfmoveClock,
        &[
            ("8/8/8/8/8/8/8/8 w - - x 1", 22, FenExpected::Number),
            ("8/8/8/8/8/8/8/8 w - - -1 1", 22, FenExpected::Number),
            ("8/8/8/8/8/8/8/8 w - - 1x 1", 23, FenExpected::Number),
            (
                "8/8/8/8/8/8/8/8 w - - 2147483648 1",
                31,
                FenExpected::Number,
            ),
        ],
    );
    check_errors(
        FenField::FullmoveNumber,
        &[
            ("8/8/8/8/8/8/8/8 w - - 0 +1", 24, FenExpected::Number),
            (
                "8/8/8/8/8/8/8/8 w - - 0 99999999999",
                33,
                FenExpected::Number,
            ),
        ],
    );
    check_errors(
        FenField::Rest,
        &[
            ("8/8/8/8/8/8/8/8 w - - 0 1 x", 26, FenExpected::End),
            ("8/8/8/8/8/8/8/8 w - - 0 1\t\tbm e4", 27, FenExpected::End),
        ],
    );
}

#[test]
fn an_errors_sentence_counts_from_one_and_says_what_to_write() {
    for (text, sentence) in [
        (
            "8/8/8/8/8/8/8/9 w - - 0 1",
            "bad FEN, field 1 (placement), byte 15: expected a piece letter (PNBRQK or pnbrqk), \
             a single digit from 1 to 8, or '/'",
        ),
        (
            "8/8/8/8/8/8/8/7 w - - 0 1",
            "bad FEN, field 1 (placement), byte 16: expected exactly eight squares on each rank",
        ),
        (
            "8/8/8/8/8/8/8 w - - 0 1",
            "bad FEN, field 1 (placement), byte 14: expected exactly eight ranks separated by '/'",
        ),
        (
            "8/8/8/8/8/8/8/8 x - - 0 1",
            "bad FEN, field 2 (side to move), byte 17: expected 'w' or 'b'",
        ),
        (
            "8/8/8/8/8/8/8/8 w z - 0 1",
            "bad FEN, field 3 (castling), byte 19: expected '-', or letters of KQkq or rook files \
             (A-H, a-h), each right once",
        ),
        (
            "8/8/8/8/8/8/8/8 w - e5 0 1",
            "bad FEN, field 4 (en passant), byte 21: expected '-', or a square on the third or \
             sixth rank",
        ),
        (
            "8/8/8/8/8/8/8/8 w - - a 1",
            "bad FEN, field 5 (half-move clock), byte 23: expected a number from 0 to 2147483647 \
             in digits",
        ),
        (
            "8/8/8/8/8/8/8/8 w - - 0 a",
            "bad FEN, field 6 (move number), byte 25: expected a number from 0 to 2147483647 in \
             digits",
        ),
        (
            "8/8/8/8/8/8/8/8 w - - 0 1 a",
            "bad FEN, after field 6, byte 27: expected nothing more",
        ),
    ] {
        let error = Position::from_fen(text).expect_err("no FEN");
        assert_eq!(error.to_string(), sentence);
    }
    let impossible = Position::from_fen("8/8/8/8/8/8/8/8 w - - 0 1").expect_err("no kings");
    assert!(
        matches!(impossible, ParseFenError::Setup(error) if error.kinds().any(|kind| matches!(kind, SetupErrorKind::MissingKing { .. })))
    );
    assert_eq!(
        impossible.to_string(),
        "impossible position: White has no king; Black has no king"
    );
}

#[test]
fn runs_of_blanks_between_and_around_the_fields_are_read() {
    for text in [
        "  4k3/8/8/8/8/8/8/4K2R   w  K  -  3   7  ",
        "4k3/8/8/8/8/8/8/4K2R\tw\tK\t-\t3\t7",
        "4k3/8/8/8/8/8/8/4K2R w K - 3 7\r\n",
        "\n4k3/8/8/8/8/8/8/4K2R w\nK - 3 7",
    ] {
        assert_eq!(
            position(text).fen(),
            "4k3/8/8/8/8/8/8/4K2R w K - 3 7",
            "{text:?}"
        );
    }
}

#[test]
fn other_separators_and_glued_fields_are_refused() {
    for text in [
        "4k3/8/8/8/8/8/8/4K2R_w_K_-_3_7",
        "4k3/8/8/8/8/8/8/4K2R w K-3 7",
        "4k3/8/8/8/8/8/8/4K2Rw K - 3 7",
        "4k3/8/8/8/8/8/8/4K2R\u{a0}w K - 3 7",
        "4k3/8/8/8/8/8/8/4K2R w K - 3,7",
        "4k3/8/8/8/8/8/8/4K2R\0w K - 3 7",
        "4k3/8/8/8/8/8/8/4K2R w K -  3 7 8",
    ] {
        assert!(Setup::from_fen(text).is_err(), "{text:?}");
    }
    assert!(Position::from_fen_bytes(b"4k3/8/8/8/8/8/8/4K2R w K - 3 \xff").is_err());
}

#[test]
fn missing_counters_are_zero_and_one_and_missing_fields_are_refused() {
    for (text, printed) in [
        (
            "4k3/8/8/8/8/8/8/4K2R w K -",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - 7",
            "4k3/8/8/8/8/8/8/4K2R w K - 7 1",
        ),
    ] {
        assert_eq!(position(text).fen(), printed);
    }
    for text in [
        "4k3/8/8/8/8/8/8/4K2R w K",
        "4k3/8/8/8/8/8/8/4K2R w",
        "4k3/8/8/8/8/8/8/4K2R",
    ] {
        assert!(Position::from_fen(text).is_err(), "{text}");
    }
}

#[test]
fn counters_may_be_large_and_have_leading_zeros() {
    for (counters, printed) in [
        ("007 010", "7 10"),
        ("0 0", "0 1"),
        ("2147483647 2147483647", "2147483647 2147483647"),
        ("151 6000", "151 6000"),
        ("00000000000000000001 1", "1 1"),
    ] {
        let position = position(&format!("4k3/8/8/8/8/8/8/4K2R w - - {counters}"));
        assert_eq!(
            position.fen(),
            format!("4k3/8/8/8/8/8/8/4K2R w - - {printed}")
        );
    }
}

#[test]
fn castling_letters_come_in_any_order_and_kind() {
    for (read, printed) in [
        ("KQkq", "KQkq"),
        ("qkQK", "KQkq"),
        ("Kq", "Kq"),
        ("HAha", "HAha"),
        ("ahAH", "HAha"),
        ("Ka", "Ha"),
        ("-", "-"),
    ] {
        let fen = |rights: &str| format!("r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1");
        assert_eq!(position(&fen(read)).fen(), fen(printed), "{read}");
    }
}

#[test]
fn a_rook_that_is_not_in_its_corner_makes_it_chess960() {
    for (text, rook, printed) in [
        (
            "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1",
            Square::G1,
            "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/1R1RK3 w Q - 0 1",
            Square::B1,
            "4k3/8/8/8/8/8/8/1R1RK3 w B - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/3K3R w K - 0 1",
            Square::H1,
            "4k3/8/8/8/8/8/8/3K3R w H - 0 1",
        ),
    ] {
        let position = position(text);
        assert_eq!(position.castling_rooks().single(), Some(rook));
        assert_eq!(position.castling_mode(), CastlingMode::Chess960);
        assert_eq!(position.fen(), printed);
        let xfen = position.fen_with(EnPassantMode::Legal, CastlingNotation::XFen);
        assert_eq!(xfen, text, "X-FEN writes it as it was");
    }
}

#[test]
fn x_fen_names_the_file_of_an_inner_rook_only() {
    let inner = position("rr2k2r/8/8/8/8/8/8/4K1RR w Gkb - 0 1");
    let print = |notation| inner.fen_with(EnPassantMode::Legal, notation);
    assert_eq!(
        print(CastlingNotation::XFen),
        "rr2k2r/8/8/8/8/8/8/4K1RR w Gkb - 0 1"
    );
    assert_eq!(
        print(CastlingNotation::Shredder),
        "rr2k2r/8/8/8/8/8/8/4K1RR w Ghb - 0 1"
    );
    assert_eq!(
        print(CastlingNotation::ByMode),
        print(CastlingNotation::Shredder)
    );
}

#[test]
fn what_the_board_does_not_bear_out_is_read_and_left_to_validation() {
    for (text, reason) in [
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "Castling"),
        ("4k3/8/8/8/8/8/8/4K3 w Aa - 0 1", "Castling"),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "EnPassant"),
        ("4k3/8/8/8/8/8/8/4K3 b - e3 0 1", "EnPassant"),
    ] {
        let setup = Setup::from_fen(text).expect("a FEN");
        let error = setup.position().expect_err(text);
        assert!(
            error
                .kinds()
                .all(|kind| format!("{kind:?}").starts_with(reason)),
            "{text}"
        );
        let printed = setup.fen_with(EnPassantMode::Always, CastlingNotation::ByMode);
        assert_eq!(printed, text, "the raw form prints what was read");
        assert_eq!(
            setup
                .fen_with(EnPassantMode::Legal, CastlingNotation::XFen)
                .split(' ')
                .nth(3),
            Some("-")
        );
        assert!(setup.position_waiving(Waivers::ALL).is_ok(), "{text}");
    }
}

#[test]
fn the_longest_fen_is_printed_whole() {
    let text = format!(
        "{} w HGFEDCBAhgfedcba e3 2147483647 2147483647",
        ["QQQQQQQQ"; 8].join("/")
    );
    let setup = Setup::from_fen(&text).expect("a FEN");
    assert_eq!(
        setup.fen_with(EnPassantMode::Always, CastlingNotation::ByMode),
        text
    );
}

#[test]
fn positions_and_boards_print_as_fen() {
    let start = Position::start();
    assert_eq!(start.to_string(), START);
    assert_eq!(format!("{start:?}"), format!("Position({START})"));
    assert_eq!(
        start.board().to_string(),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    );
    assert_eq!(
        format!("{:?}", start.board()),
        format!("Board({})", start.board())
    );
    assert_eq!(START.parse(), Ok(start));
    assert_eq!(Position::from_fen_bytes(START.as_bytes()), Ok(start));
}

#[test]
fn a_game_prints_what_it_did() {
    let position = after(&Position::start(), "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6");
    assert_eq!(
        position.fen(),
        "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6"
    );
}
