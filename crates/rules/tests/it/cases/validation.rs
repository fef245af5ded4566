//! Validation: collects every fault of a setup; some can be waived.

use tabiya_rules::{
    Bitboard, CastlingSide, Color, Position, Role, Setup, SetupErrorKind, Square, Waivers,
};

use super::{after, position};

fn setup(fen: &str) -> Setup {
    Setup::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Returns the name of a fault, without the squares it is about.
fn name(kind: SetupErrorKind) -> String {
    let text = format!("{kind:?}");
    text.split(' ').next().unwrap_or_default().to_owned()
}

/// Returns the faults of a setup, with some of them waived.
fn faults(fen: &str, waivers: Waivers) -> Vec<String> {
    match setup(fen).position_waiving(waivers) {
        Ok(_) => Vec::new(),
        Err(error) => {
            assert_eq!(error.setup, setup(fen), "the setup comes back as it was");
            let mut names: Vec<String> = error.kinds().map(name).collect();
            names.dedup();
            names
        }
    }
}

#[test]
fn each_fault_stands_alone_where_nothing_else_is_wrong() {
    for (fen, fault) in [
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "MissingKing"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "MissingKing"),
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "TooManyKings"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "PawnOnBackRank"),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "PawnOnBackRank"),
        ("4k3/8/8/8/8/8/8/4R2K w - - 0 1", "OpponentInCheck"),
        ("8/8/8/4k3/4K3/8/8/8 w - - 0 1", "OpponentInCheck"),
        // No rook, no king on the back rank, an enemy rook, two rights on one side.
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "Castling"),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "Castling"),
        ("4k3/8/8/8/8/8/8/4K2r w H - 0 1", "Castling"),
        ("4k3/8/8/8/8/8/8/4K1RR w GH - 0 1", "Castling"),
        // No pawn, a piece on the square, a piece behind it, the wrong side's rank.
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "EnPassant"),
        ("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", "EnPassant"),
        ("4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1", "EnPassant"),
        ("4k3/8/8/8/3pP3/8/8/4K3 w - e3 0 1", "EnPassant"),
        // Three checkers, two that do not slide, two on one line, one older than the double push.
        ("4k3/8/8/8/1b6/5n2/8/r3K3 w - - 0 1", "ImpossibleCheck"),
        ("4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1", "ImpossibleCheck"),
        ("k3r3/8/8/8/4K3/8/8/4r3 w - - 0 1", "ImpossibleCheck"),
        ("k7/8/8/8/8/8/8/r3K2r w - - 0 1", "ImpossibleCheck"),
        ("4k3/8/8/3pP3/8/8/8/r3K3 w - d6 0 1", "ImpossibleCheck"),
        // Nine pawns, or a promoted piece too many.
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "Material"),
        ("4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1", "Material"),
        ("4k3/8/8/8/1BBB4/8/PPPPPPPP/4K3 w - - 0 1", "Material"),
    ] {
        assert_eq!(faults(fen, Waivers::NONE), [fault], "{fen}");
    }
}

#[test]
fn checks_that_one_move_explains_are_possible() {
    for fen in [
        // One checker; a slider discovered by a knight, or by a rook; a pawn that moved two
        // squares, and one that discovered a bishop by doing so.
        "4k3/8/8/8/8/5n2/8/4K3 w - - 0 1",
        "4k3/8/8/8/1b6/5n2/8/4K3 w - - 0 1",
        "k7/8/8/8/1b6/8/8/r3K3 w - - 0 1",
        "4k3/8/8/3pP3/2K5/8/8/8 w - d6 0 1",
        "2b1k3/8/8/3p4/6K1/8/8/8 w - d6 0 1",
    ] {
        assert!(faults(fen, Waivers::NONE).is_empty(), "{fen}");
        assert!(position(fen).is_check(), "{fen}");
    }
}

#[test]
fn all_faults_are_collected_at_once() {
    let fen = "P3k2K/8/8/8/QQQQQQQQ/QQQQQQQQ/8/4R2K w Qq a6 0 1";
    let all = [
        "TooManyKings",
        "PawnOnBackRank",
        "OpponentInCheck",
        "Castling",
        "EnPassant",
        "Material",
        "TooManyMoves",
    ];
    assert_eq!(faults(fen, Waivers::NONE), all);
    assert_eq!(
        faults(fen, Waivers::ALL),
        ["TooManyKings", "OpponentInCheck", "TooManyMoves"]
    );
    let error = setup("P3k3/8/8/8/8/8/8/4R3 w - - 0 1")
        .position()
        .expect_err("three faults");
    assert!(error.kinds().count() == 3);
    assert_eq!(
        error.to_string(),
        "impossible position: White has no king; a pawn stands on the first or eighth rank, on a8; \
         the side that is not to move is in check from e1"
    );
}

#[test]
fn each_waiver_overlooks_its_own_fault_only() {
    let waivers = [
        Waivers::MISSING_KING,
        Waivers::BACK_RANK_PAWNS,
        Waivers::IMPOSSIBLE_CHECK,
        Waivers::MATERIAL,
        Waivers::CASTLING,
        Waivers::EN_PASSANT,
    ];
    for (index, fen) in [
        "4k3/8/8/8/8/8/8/8 w - - 0 1",
        "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
    ]
    .into_iter()
    .enumerate()
    {
        for (other, waiver) in waivers.into_iter().enumerate() {
            assert_eq!(
                faults(fen, waiver).is_empty(),
                other == index,
                "{fen}: {waiver:?}"
            );
        }
        assert!(faults(fen, Waivers::ALL).is_empty());
    }
    let two = "P3k3/8/8/8/8/8/8/8 w - - 0 1";
    let both = Waivers::MISSING_KING.union(Waivers::BACK_RANK_PAWNS);
    assert_eq!(faults(two, Waivers::MISSING_KING), ["PawnOnBackRank"]);
    assert!(faults(two, both).is_empty());
    assert_eq!(both, Waivers::MISSING_KING | Waivers::BACK_RANK_PAWNS);
    assert_eq!(Waivers::default(), Waivers::NONE);
}

#[test]
fn what_is_never_waived() {
    for (fen, fault) in [
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "TooManyKings"),
        ("4k3/8/8/8/8/8/8/4R2K w - - 0 1", "OpponentInCheck"),
        (
            "4k3/8/QQQQQQQQ/QQQQQQQQ/8/8/8/4K3 b - - 0 1",
            "TooManyMoves",
        ),
    ] {
        assert!(
            faults(fen, Waivers::ALL).iter().any(|found| found == fault),
            "{fen}"
        );
    }
}

#[test]
fn rights_and_squares_that_do_not_fit_are_dropped_when_waived() {
    let dropped = setup("4k2r/8/8/8/8/8/8/R3K3 w KQkq e3 5 9").position_waiving(Waivers::ALL);
    let dropped = dropped.expect("waived");
    assert_eq!(dropped.fen(), "4k2r/8/8/8/8/8/8/R3K3 w Qk - 5 9");
    assert_eq!(dropped.en_passant(), None);
}

#[test]
fn waived_boards_are_played_on() {
    let pawns = setup("8/8/8/8/8/8/8/P6k w - - 0 1").position_waiving(Waivers::ALL);
    let pawns = pawns.expect("waived");
    assert_eq!(
        pawns.legal_moves().len(),
        1,
        "from the first rank a pawn goes one square"
    );
    assert_eq!(
        after(&pawns, "a1a2 h1g1 a2a4").en_passant(),
        Some(Square::A3)
    );
    let eighth = setup("P6k/8/8/8/8/8/8/8 w - - 0 1").position_waiving(Waivers::ALL);
    assert!(
        !eighth.expect("waived").has_legal_move(),
        "from the eighth rank it goes nowhere"
    );
}

#[test]
fn the_material_of_a_game_is_possible_up_to_the_last_promotion() {
    for fen in [
        "4k3/8/8/8/QQQQQQQQ/Q7/8/RNB1KBNR w - - 0 1",
        "4k3/8/8/8/NNNNNNNN/8/8/RNBQKBNR w - - 0 1",
        "4k3/8/8/8/8/Q7/PPPPPPP1/RNBQKBNR w - - 0 1",
    ] {
        let found = faults(fen, Waivers::NONE);
        assert!(
            !found.iter().any(|name| name == "Material"),
            "{fen}: {found:?}"
        );
    }
}

#[test]
fn the_known_position_with_218_moves_is_accepted() {
    let most = position("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    assert_eq!(
        (most.legal_moves().len(), most.count_legal_moves()),
        (218, 218)
    );
}

#[test]
fn a_setup_can_be_written_by_hand() {
    let mut setup = Setup::default();
    setup.board.set(Square::A1, Role::King.of(Color::White));
    setup.board.set(Square::H8, Role::King.of(Color::Black));
    setup.turn = Color::Black;
    let position = setup.position().expect("two kings are enough");
    assert_eq!(position.fen(), "7k/8/8/8/8/8/8/K7 b - - 0 1");
    assert_eq!(position.setup(), setup);
    setup.castling_rooks = Bitboard::of(Square::E4);
    let error = setup.position().expect_err("no rook there");
    assert!(error.kinds().eq([SetupErrorKind::Castling {
        color: Color::White,
        side: CastlingSide::King,
        rook: Square::E4
    }]));
    assert_eq!(Position::default(), Position::start());
}

#[test]
fn faults_name_the_sides_and_squares_they_are_about() {
    use SetupErrorKind::*;
    let of = |squares: &[Square]| squares.iter().copied().collect::<Bitboard>();
    for (fen, kind, sentence) in [
        (
            "8/8/8/8/8/8/8/4K3 w - - 0 1",
            MissingKing {
                color: Color::Black,
            },
            "Black has no king",
        ),
        (
            "4k3/8/8/8/8/8/8/K2KK3 w - - 0 1",
            TooManyKings {
                color: Color::White,
                squares: of(&[Square::A1, Square::D1, Square::E1]),
            },
            "White has more than one king, on a1, d1 and e1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
            EnPassant { square: Square::E6 },
            "no pawn can have passed e6 just now",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K3 w k - 0 1",
            Castling {
                color: Color::Black,
                side: CastlingSide::King,
                rook: Square::H8,
            },
            "Black's right to castle kingside has no king and rook on their squares (rook on h8)",
        ),
        (
            "4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1",
            ImpossibleCheck {
                checkers: of(&[Square::D3, Square::F3]),
            },
            "no move can have given this check from d3 and f3",
        ),
        (
            "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1",
            Material {
                color: Color::Black,
            },
            "Black has more pieces than promotions can explain",
        ),
    ] {
        let error = setup(fen).position().expect_err(fen);
        assert_eq!(error.kinds().collect::<Vec<_>>(), [kind], "{fen}");
        assert_eq!(kind.to_string(), sentence);
    }
}

#[test]
fn castling_rights_are_asked_for_and_set_by_side() {
    let start = Position::start();
    for (color, side, rook) in [
        (Color::White, CastlingSide::King, Square::H1),
        (Color::White, CastlingSide::Queen, Square::A1),
        (Color::Black, CastlingSide::King, Square::H8),
        (Color::Black, CastlingSide::Queen, Square::A8),
    ] {
        assert_eq!(start.castling_right(color, side), Some(rook));
        let mut setup = start.setup();
        setup.set_castling_right(color, side, None);
        let without = setup.position().expect("still possible");
        assert_eq!(without.castling_right(color, side), None);
        assert_eq!(without.castling_rooks().count(), 3);
        setup.set_castling_right(color, side, Some(rook));
        assert_eq!(setup, start.setup());
        assert_eq!(setup.to_string(), start.fen());
    }
}
