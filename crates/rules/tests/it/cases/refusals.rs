//! Why a move is refused: each reason with its squares, and the sentence for the player.

use tabiya_rules::{
    CastlingSide, Color, IllegalMove, Move, PlayError, Position, Role, Square, UciError,
};

use super::{after, position, refused};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A position, a move in coordinates, why it is refused, and the sentence for the player.
type Case = (&'static str, &'static str, IllegalMove, &'static str);

fn check(cases: &[Case]) {
    for &(fen, text, reason, sentence) in cases {
        assert_eq!(refused(&position(fen), text), reason, "{fen}: {text}");
        assert_eq!(reason.to_string(), sentence);
        let error = position(fen).parse_uci(text).expect_err("refused");
        assert_eq!(
            error.to_string(),
            sentence,
            "the text's error says the same"
        );
    }
}

#[test]
fn the_piece_is_not_there_or_does_not_move_so() {
    use IllegalMove::*;
    let (queen, pawn) = (Role::Queen.of(Color::White), Role::Pawn.of(Color::Black));
    let not_its_move = |role, from, to| NotItsMove { role, from, to };
    let knight = not_its_move(Role::Knight, Square::G1, Square::G3);
    let far = not_its_move(Role::Pawn, Square::E2, Square::E5);
    check(&[
        (
            START,
            "e4e5",
            NoPiece { square: Square::E4 },
            "No piece on e4.",
        ),
        (
            START,
            "e7e5",
            OpponentsPiece {
                square: Square::E7,
                piece: pawn,
            },
            "The piece on e7 is a Black Pawn, not yours.",
        ),
        (
            START,
            "e1d1",
            OwnPiece {
                square: Square::D1,
                piece: queen,
            },
            "Your own Queen is on d1.",
        ),
        (START, "g1g3", knight, "A Knight cannot move from g1 to g3."),
        (START, "e2e5", far, "A Pawn cannot move from e2 to e5."),
        (
            START,
            "a1a5",
            Blocked { by: Square::A2 },
            "The way is blocked by the piece on a2.",
        ),
        (
            START,
            "e2d3",
            NothingToCapture { square: Square::D3 },
            "A Pawn moves diagonally only to capture, and d3 is empty.",
        ),
        (
            "8/4P3/8/8/8/8/8/k6K w - - 0 1",
            "e7e8",
            PromotionRequired,
            "Promotion piece required: q, r, b or n.",
        ),
        (
            START,
            "e2e4q",
            NoPromotion,
            "Only a Pawn on the last rank becomes a Queen, Rook, Bishop or Knight.",
        ),
    ]);
}

#[test]
fn the_king_would_be_in_check() {
    use IllegalMove::*;
    check(&[
        (
            "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1",
            "e2c3",
            LeavesKingInCheck {
                king: Square::E1,
                attacker: Square::E8,
            },
            "It leaves the King on e1 in check from e8.",
        ),
        (
            "3r2k1/8/8/8/8/8/8/4K3 w - - 0 1",
            "e1d1",
            KingIntoCheck {
                square: Square::D1,
                attacker: Square::D8,
            },
            "The King would be in check on d1 from d8.",
        ),
    ]);
}

#[test]
fn the_king_may_not_castle() {
    use IllegalMove::*;
    let (side, queenside) = (CastlingSide::King, CastlingSide::Queen);
    check(&[
        (
            "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
            "e1g1",
            NoCastlingRight {
                side,
                color: Color::White,
            },
            "White has no right to castle kingside: King or Rook has moved.",
        ),
        (
            "r3k3/8/8/8/8/8/8/4K3 b - - 0 1",
            "e8c8",
            NoCastlingRight {
                side: queenside,
                color: Color::Black,
            },
            "Black has no right to castle queenside: King or Rook has moved.",
        ),
        (
            START,
            "e1g1",
            CastlingBlocked {
                side,
                by: Square::F1,
            },
            "Castling is blocked by the piece on f1.",
        ),
        (
            "4rk2/8/8/8/8/8/8/4K2R w K - 0 1",
            "e1g1",
            CastlingInCheck {
                attacker: Square::E8,
            },
            "A King in check cannot castle; it is attacked from e8.",
        ),
        (
            "5rk1/8/8/8/8/8/8/4K2R w K - 0 1",
            "e1g1",
            CastlingThroughCheck {
                square: Square::F1,
                attacker: Square::F8,
            },
            "The King would castle through f1, attacked from f8.",
        ),
        (
            "k5r1/8/8/8/8/8/8/4K2R w K - 0 1",
            "e1g1",
            CastlingIntoCheck {
                square: Square::G1,
                attacker: Square::G8,
            },
            "The King would castle into g1, attacked from g8.",
        ),
    ]);
}

#[test]
fn the_way_is_blocked_by_the_nearest_piece() {
    let position = position("7k/1Q6/1b3n2/8/1P6/8/1R3b1B/7K w - - 0 1");
    for (text, by) in [
        ("b2b5", Square::B4),
        ("b2b8", Square::B4),
        ("b7b5", Square::B6),
        ("b2g2", Square::F2),
        ("b4b6", Square::B5),
    ] {
        let reason = refused(&position, text);
        if text == "b4b6" {
            assert!(
                matches!(reason, IllegalMove::NotItsMove { .. }),
                "it left its first square"
            );
        } else {
            assert_eq!(reason, IllegalMove::Blocked { by }, "{text}");
        }
    }
}

#[test]
fn a_pawns_way_is_blocked_on_either_square() {
    let position = position("4k3/8/8/8/3n4/4n3/3PP3/4K3 w - - 0 1");
    for (text, by) in [
        ("d2d4", Square::D4),
        ("e2e3", Square::E3),
        ("e2e4", Square::E3),
    ] {
        assert_eq!(
            refused(&position, text),
            IllegalMove::Blocked { by },
            "{text}"
        );
    }
}

#[test]
fn a_king_cannot_hide_behind_itself() {
    let position = position("4k3/8/8/8/8/8/8/r3K3 w - - 0 1");
    let reason = IllegalMove::KingIntoCheck {
        square: Square::F1,
        attacker: Square::A1,
    };
    assert_eq!(refused(&position, "e1f1"), reason);
}

#[test]
fn a_king_cannot_take_a_guarded_piece() {
    let position = position("4k3/8/8/8/8/5b2/4q3/4K3 w - - 0 1");
    let reason = IllegalMove::KingIntoCheck {
        square: Square::E2,
        attacker: Square::F3,
    };
    assert_eq!(refused(&position, "e1e2"), reason);
}

#[test]
fn no_move_goes_nowhere() {
    let start = Position::start();
    for square in Square::ALL {
        assert!(start.find_move(square, square, None).is_err(), "{square}");
    }
    let king = start.find_move(Square::E1, Square::E1, None);
    assert!(matches!(king, Err(IllegalMove::OwnPiece { .. })));
}

#[test]
fn a_null_move_is_never_legal_but_a_side_can_pass_if_it_is_not_in_check() {
    let start = Position::start();
    assert_eq!(start.parse_uci("0000"), Err(UciError::NullMove));
    assert_eq!(
        UciError::NullMove.to_string(),
        "the null move is never legal"
    );
    let passed = start.pass().expect("nobody is in check");
    assert_eq!(
        passed.fen(),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 1"
    );
    let twice = passed.pass().expect("nobody is in check");
    assert_eq!(twice, start);
    assert_eq!((twice.halfmove_clock(), twice.fullmove_number()), (2, 2));
    assert_eq!(position("4r1k1/8/8/8/8/8/8/4K3 w - - 0 1").pass(), None);
    let chance = position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    assert_eq!(
        chance.pass().and_then(|passed| passed.en_passant()),
        None,
        "the chance is gone"
    );
}

#[test]
fn a_refused_move_comes_back_and_changes_nothing() {
    let start = Position::start();
    let later = after(&start, "e2e4");
    let foreign: Move = later.parse_uci("e7e5").expect("legal there");
    assert_eq!(start.play(foreign), Err(PlayError(foreign)));
    assert_eq!(
        PlayError(foreign).to_string(),
        "the move from e7 to e5 is not legal in this position"
    );
    assert_eq!(start, Position::start());
    let own = start.parse_uci("e2e4").expect("legal");
    assert_eq!(start.play(own), Ok(later));
}

#[test]
fn unreadable_text_is_no_illegal_move() {
    let start = Position::start();
    for text in [
        "", "e2", "e2e", "e2e9", "i2e4", "e2e4e", "E2E4", " e2e4", "e2-e4", "00000", "é2e4",
    ] {
        let error = start.parse_uci(text).expect_err("no move");
        assert!(matches!(error, UciError::Syntax(_)), "{text}");
        assert!(
            error.to_string().contains("e2e4"),
            "it shows how moves look"
        );
    }
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "is not legal in")]
fn debug_builds_catch_an_illegal_move_played_unchecked() {
    let start = Position::start();
    let later = after(&start, "e2e4");
    let foreign = later.parse_uci("e7e5").expect("legal there");
    let _ = start.play_unchecked(foreign);
}
