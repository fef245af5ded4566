//! Moves in short and long algebraic notation.

use tabiya_rules::{IllegalMove, MoveHistory, PlayError, Position, SanError, Square};

use crate::support::{after, board, position};

fn uci(position: &Position, text: &str) -> String {
    let m = position
        .parse_san(text)
        .unwrap_or_else(|error| panic!("{position}: {text}: {error}"));
    position.uci(m).to_string()
}

/// Returns the short and the long form of a move given in UCI notation.
fn printed(fen: &str, text: &str) -> [String; 2] {
    let position = position(fen);
    let m = position
        .parse_uci(text)
        .unwrap_or_else(|error| panic!("{fen}: {text}: {error}"));
    [position.san(m).to_string(), position.lan(m).to_string()]
}

#[test]
fn moves_are_printed_short_and_long() {
    for (fen, text, short, long) in [
        ("4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 1", "e2e4", "e4", "e2-e4"),
        ("4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 1", "g1f3", "Nf3", "Ng1-f3"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5", "e4xd5"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6", "e5xd6"),
        (
            "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1",
            "e7e8q",
            "e8=Q+",
            "e7-e8=Q+",
        ),
        (
            "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1",
            "e7d8n",
            "exd8=N",
            "e7xd8=N",
        ),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O", "O-O"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O", "O-O-O"),
        (
            "3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            "e1c1",
            "O-O-O+",
            "O-O-O+",
        ),
        ("k7/8/K7/8/8/8/8/Q7 w - - 0 1", "a1h8", "Qh8#", "Qa1-h8#"),
        ("4k3/8/8/8/8/8/3q4/4K3 w - - 0 1", "e1d2", "Kxd2", "Ke1xd2"),
        // Disambiguated by file, by rank, by both. A pinned piece does not count, and a lone piece
        // needs nothing.
        ("4k3/8/8/8/8/8/K7/1N3N2 w - - 0 1", "b1d2", "Nbd2", "Nb1-d2"),
        ("4k3/8/8/1N6/8/8/K7/1N6 w - - 0 1", "b1c3", "N1c3", "Nb1-c3"),
        (
            "7k/8/8/1Q3Q2/8/8/8/K4Q2 w - - 0 1",
            "f5d3",
            "Qf5d3",
            "Qf5-d3",
        ),
        (
            "4k3/8/8/8/1b6/8/3N4/K3N3 w - - 0 1",
            "e1f3",
            "Nef3",
            "Ne1-f3",
        ),
    ] {
        assert_eq!(printed(fen, text), [short, long], "{fen}: {text}");
    }
}

#[test]
fn a_piece_that_may_not_move_there_needs_no_telling_apart() {
    // The knight on c3 is pinned, so Ne2 can only be the other one.
    assert_eq!(
        printed("4k3/8/8/b7/8/2N5/8/4K1N1 w - - 0 1", "g1e2")[0],
        "Ne2"
    );
    assert_eq!(
        printed("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "g1e2")[0],
        "Nge2"
    );
}

#[test]
fn strict_reading_takes_only_what_is_printed() {
    let start = Position::start();
    assert!(start.parse_san_strict("Nf3").is_ok());
    for text in ["Ng1f3", "nf3", "Nf3+", "Nf3!", "g1f3", "Nxf3", "Ngf3"] {
        let meant = start.parse_san("Nf3").expect("legal");
        assert_eq!(
            start.parse_san_strict(text),
            Err(SanError::NotAsPrinted { meant }),
            "{text}"
        );
    }
    assert_eq!(
        SanError::NotAsPrinted {
            meant: start.legal_moves()[0]
        }
        .to_string(),
        "The move is clear, but not written in standard notation."
    );
    assert_eq!(start.parse_san_strict("x"), Err(SanError::Syntax));
}

#[test]
fn moves_are_read_as_people_type_them() {
    for (fen, texts, expected) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            &[
                "Nf3", "nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "g1f3", "g1-f3", "Nf3!", "Nf3?!",
                "Nf3+", "Nf3#", "Nf3+!?",
            ][..],
            "g1f3",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            &["e4", "Pe4", "e2e4", "e2-e4", "e4!!"],
            "e2e4",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            &[
                "O-O", "0-0", "o-o", "O-O+", "0-0!", "Kg1", "e1g1", "e1h1", "Ke1g1",
            ],
            "e1g1",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            &["O-O-O", "0-0-0", "o-o-o", "0-0-0+", "Kc1", "e1c1", "e1a1"],
            "e1c1",
        ),
        (
            "8/4P3/8/8/8/8/8/k6K w - - 0 1",
            &[
                "e8=Q", "e8Q", "e8q", "e8=q", "e8(Q)", "e8/Q", "e7e8q", "e7-e8=Q", "Pe8=Q", "e8=Q+",
            ],
            "e7e8q",
        ),
        (
            "4k3/8/8/5p2/8/8/8/4KR2 w - - 0 1",
            &["Rxf5", "Rf5", "R:f5", "Rf1f5", "Rf1xf5", "rf5"],
            "f1f5",
        ),
        (
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            &["exd6", "ed6", "e5d6", "exd6e.p.", "exd6 e.p.", "e:d6"],
            "e5d6",
        ),
    ] {
        for text in texts {
            assert_eq!(uci(&position(fen), text), expected, "{fen}: {text}");
        }
    }
}

#[test]
fn a_small_b_is_the_file_first_and_a_bishop_where_no_pawn_fits() {
    let both = position("4k3/8/8/2p5/1P6/8/8/B3K3 w - - 0 1");
    assert_eq!(uci(&both, "bxc5"), "b4c5");
    let bishop = position("4k3/8/8/2p5/1B6/8/8/4K3 w - - 0 1");
    assert_eq!(uci(&bishop, "bxc5"), "b4c5");
    assert_eq!(uci(&bishop, "bc3"), "b4c3");
}

#[test]
fn an_ambiguous_text_returns_the_candidates() {
    let position = position("4k3/8/8/8/8/8/K7/1N3N2 w - - 0 1");
    let error = position.parse_san("Nd2").expect_err("ambiguous");
    let SanError::Ambiguous { candidates } = &error else {
        panic!("{error:?}")
    };
    let from: Vec<_> = candidates.iter().map(|m| m.from()).collect();
    assert_eq!(from, [Square::B1, Square::F1]);
    assert_eq!(
        error.to_string(),
        "Several pieces can make that move, from b1 or f1."
    );
    let queens = board("7k/8/8/1Q3Q2/8/8/8/K4Q2 w")
        .parse_san("Qd3")
        .expect_err("ambiguous");
    assert_eq!(
        queens.to_string(),
        "Several pieces can make that move, from f1, b5 or f5."
    );
}

#[test]
fn an_impossible_text_returns_the_reason_and_the_moves_that_come_near() {
    let start = Position::start();
    let error = start.parse_san("Nd2").expect_err("illegal");
    let SanError::Illegal { candidates, .. } = &error else {
        panic!("{error:?}")
    };
    assert_eq!(
        candidates.len(),
        4,
        "all moves of the knights: {candidates:?}"
    );

    let pinned = position("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1").parse_san("Nc3");
    let reason = IllegalMove::LeavesKingInCheck {
        king: Square::E1,
        attacker: Square::E8,
    };
    let error = pinned.expect_err("pinned");
    assert!(matches!(&error, SanError::Illegal { reason: Some(found), .. } if *found == reason));
    assert_eq!(error.to_string(), reason.to_string());

    for (text, reason) in [
        (
            "e5",
            Some(IllegalMove::NotItsMove {
                role: tabiya_rules::Role::Pawn,
                from: Square::E2,
                to: Square::E5,
            }),
        ),
        ("Ra3", None),
        (
            "e7e5",
            Some(IllegalMove::OpponentsPiece {
                square: Square::E7,
                piece: tabiya_rules::Role::Pawn.of(tabiya_rules::Color::Black),
            }),
        ),
        (
            "exd3",
            Some(IllegalMove::NothingToCapture { square: Square::D3 }),
        ),
    ] {
        let Err(SanError::Illegal { reason: found, .. }) = start.parse_san(text) else {
            panic!("{text} is illegal");
        };
        assert_eq!(found, reason, "{text}");
    }
    let unknown = start.parse_san("Nd5").expect_err("no knight gets there");
    let SanError::Illegal { role, to, .. } = unknown else {
        panic!("{unknown:?}");
    };
    assert_eq!(
        (role, to),
        (Some(tabiya_rules::Role::Knight), Some(Square::D5))
    );
    assert_eq!(unknown.to_string(), "No piece can make that move.");
}

#[test]
fn a_castle_that_is_refused_says_why() {
    for (fen, text, reason) in [
        (
            "5rk1/8/8/8/8/8/8/4K2R w K - 0 1",
            "O-O",
            IllegalMove::CastlingThroughCheck {
                square: Square::F1,
                attacker: Square::F8,
            },
        ),
        (
            "4k3/8/8/8/8/8/8/R3K2R w K - 0 1",
            "O-O-O",
            IllegalMove::NoCastlingRight {
                side: tabiya_rules::CastlingSide::Queen,
                color: tabiya_rules::Color::White,
            },
        ),
    ] {
        match position(fen).parse_san(text) {
            Err(SanError::Illegal {
                reason: Some(found),
                candidates,
                ..
            }) => {
                assert_eq!(found, reason, "{fen}");
                assert!(!candidates.is_empty());
            }
            other => panic!("{fen}: {other:?}"),
        }
    }
    let kingless = board("8/8/8/8/8/8/8/7R w").parse_san("O-O");
    assert!(matches!(
        kingless,
        Err(SanError::Illegal {
            reason: Some(_),
            ..
        })
    ));
}

#[test]
fn a_missing_promotion_is_not_asked_for_if_none_is_legal() {
    let pinned = position("8/K3P2r/8/8/8/8/8/7k w - - 0 1");
    let expected = IllegalMove::LeavesKingInCheck {
        king: Square::A7,
        attacker: Square::H7,
    };
    assert_eq!(
        pinned.find_move(Square::E7, Square::E8, None),
        Err(expected)
    );
    let error = pinned.parse_san("e8").expect_err("the pawn is pinned");
    assert!(matches!(&error, SanError::Illegal { reason: Some(found), .. } if *found == expected));
}

#[test]
fn a_missing_promotion_is_asked_for() {
    let start = position("3r4/4P3/8/8/8/8/8/k6K w - - 0 1");
    for text in ["e8", "exd8", "e7e8", "e7-e8", "Pe8"] {
        let error = start.parse_san(text).expect_err("no piece is named");
        assert_eq!(error, SanError::PromotionRequired, "{text}");
        assert_eq!(error.to_string(), "Promotion piece required: q, r, b or n.");
    }
}

#[test]
fn what_is_no_move_is_refused_as_such() {
    let start = Position::start();
    let long = "N".repeat(100);
    for text in [
        "", " ", "N", "Nf", "Nf9", "Zf3", "e", "4e", "--", "O-O-O-O", "O--O", "+", "!", "e4e5e6",
        "N@f3", "♘f3", "Nf3\n", " Nf3", "Nf3 ", "e4=", "e4=K", "N=Q", "Nf3=Q", "Nf3!!!", &long,
        "=Q",
    ] {
        let error = start.parse_san(text).expect_err(text);
        assert_eq!(error, SanError::Syntax, "{text:?}");
    }
    assert_eq!(start.parse_san_bytes(b"\xff\xfe"), Err(SanError::Syntax));
    assert_eq!(
        SanError::Syntax.to_string(),
        "This is not a move; expected one such as Nf3, exd5, e8=Q or O-O."
    );
}

#[test]
fn a_text_is_a_string_that_needs_no_memory() {
    let start = Position::start();
    let san = start.san(start.parse_san("Nf3").expect("legal"));
    assert_eq!(&*san, "Nf3");
    assert_eq!(format!("{san:>5}|{san:<5}|{san:?}"), "  Nf3|Nf3  |\"Nf3\"");
    assert_eq!(san, start.san(start.parse_uci("g1f3").expect("legal")));
}

#[test]
fn a_whole_game_is_read_and_printed_back() {
    let text = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Nxe4 d4 b5 Bb3 d5 dxe5 Be6 c3 Bc5 Nbd2 O-O Bc2 Nxf2 \
                Rxf2 f6 exf6 Bxf2+ Kxf2 Qxf6 Nf1 Ne5 Be3 Rae8";
    let mut position = Position::start();
    for text in text.split_whitespace() {
        let m = position
            .parse_san_strict(text)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(position.san(m).to_string(), text);
        position = position.play_unchecked(m);
    }
    assert_eq!(position, after(&Position::start(), text));
}

#[test]
fn the_rooks_square_with_the_kings_letter_is_a_castle_in_chess960_only() {
    let standard = position("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    let chess960 = position("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1");
    for (text, side) in [
        ("Kh1", "O-O"),
        ("Kxh1", "O-O"),
        ("Ka1", "O-O-O"),
        ("Ke1xa1", "O-O-O"),
    ] {
        assert!(
            matches!(standard.parse_san(text), Err(SanError::Illegal { .. })),
            "{text}"
        );
        assert_eq!(chess960.parse_san(text), chess960.parse_san(side), "{text}");
    }
    for text in ["e1h1", "e1g1", "Kg1"] {
        assert_eq!(
            standard.parse_san(text),
            standard.parse_san("O-O"),
            "{text}"
        );
    }
}

#[test]
fn a_line_has_the_numbers_of_its_moves() {
    let line = |fen: &str, moves: &str| {
        let start: Position = fen.parse().expect("a position");
        let mut history = MoveHistory::new(start);
        for text in moves.split_whitespace() {
            history.push_san(text).expect(text);
        }
        start.variation_san(history.moves()).expect("legal")
    };
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(line(after_e4, "e5 Nf3 Nc6"), "1... e5 2. Nf3 Nc6");
    assert_eq!(line(after_e4, "e5"), "1... e5");
    assert_eq!(line(after_e4, ""), "");
    let mate_in_two = "7k/8/5K2/8/8/8/8/6R1 w - - 0 41";
    assert_eq!(line(mate_in_two, "Kf7 Kh7 Rh1#"), "41. Kf7 Kh7 42. Rh1#");
    let start = Position::start();
    let e4 = start.parse_san("e4").expect("legal");
    assert_eq!(start.variation_san([e4, e4]), Err(PlayError(e4)));
}
