//! Check, status, en passant, castling and promotion, played through a session.

use tabiya_game::{Command, Event, MoveInput, MoveRefusal, NewGame, Outcome, Refusal, Session};
use tabiya_rules::{Color, IllegalMove, Move, Role, Square};

use crate::common::{apply, from, play, position, refused, same, teaching};

fn moved_with_check(events: &[Event]) -> bool {
    matches!(&events[0], Event::Moved(moved) if moved.check)
}

#[test]
fn a_move_tells_of_check_mate_and_stalemate() {
    let mut session = from("7k/8/8/8/8/2K5/8/R7 w - - 0 1");
    let events = play(&mut session, "a1a8");
    assert!(moved_with_check(&events) && events.len() == 1);
    assert_eq!(session.turn(), Color::Black);
    assert_eq!(session.outcome(), None);

    for (fen, text, outcome) in [
        (
            "k7/8/K7/8/8/8/8/Q7 w - - 0 1",
            "a1h8",
            Outcome::Checkmate {
                winner: Color::White,
            },
        ),
        ("k7/8/2K5/8/8/8/8/1Q6 w - - 0 1", "b1b6", Outcome::Stalemate),
        (
            "k7/7P/1K6/8/8/8/8/8 w - - 0 1",
            "h7h8q",
            Outcome::Checkmate {
                winner: Color::White,
            },
        ),
        (
            "k7/2P5/2N5/8/8/8/8/4K3 w - - 0 1",
            "c7c8b",
            Outcome::Stalemate,
        ),
    ] {
        let mut session = from(fen);
        let events = play(&mut session, text);
        assert_eq!(events.len(), 2, "{fen}");
        assert_eq!(events[1], Event::Ended(outcome), "{fen}");
        assert_eq!(session.outcome(), Some(outcome));
        assert_eq!(
            refused(&mut session, Command::play("a1a2")),
            Refusal::GameOver(outcome)
        );
        assert_eq!(
            refused(&mut session, Command::claim()),
            Refusal::GameOver(outcome)
        );
        assert_eq!(
            refused(&mut session, Command::OfferDraw(Color::White)),
            Refusal::GameOver(outcome)
        );
    }
    let mut session = Session::default();
    play(&mut session, "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(
        session.outcome(),
        Some(Outcome::Checkmate {
            winner: Color::Black
        })
    );
}

#[test]
fn positions_that_are_over_at_once_say_so_when_loaded() {
    let mut session = Session::default();
    for (fen, outcome) in [
        (
            "k6Q/8/K7/8/8/8/8/8 b - - 0 1",
            Outcome::Checkmate {
                winner: Color::White,
            },
        ),
        ("k7/8/1QK5/8/8/8/8/8 b - - 0 1", Outcome::Stalemate),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Outcome::Stalemate),
        (
            "8/8/4k3/8/8/4K3/8/8 w - - 0 1",
            Outcome::InsufficientMaterial,
        ),
        (
            "4k3/8/8/8/8/8/8/R3K3 w - - 150 100",
            Outcome::SeventyFiveMoves,
        ),
    ] {
        let events = apply(&mut session, Command::LoadPosition(Box::new(position(fen)))).unwrap();
        assert_eq!(
            events,
            [Event::PositionLoaded, Event::Ended(outcome)],
            "{fen}"
        );
    }
    let wake = Command::LoadPosition(Box::new(position("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")));
    assert_eq!(apply(&mut session, wake).unwrap(), [Event::PositionLoaded]);
}

#[test]
fn captures_are_facts_of_the_move() {
    let start = teaching("p6k/8/8/8/8/2K5/8/R7 w - - 0 1");
    let mut session = Session::new(NewGame::default().with_start(start));
    let events = play(&mut session, "a1a8");
    let Event::Moved(moved) = &events[0] else {
        panic!("{events:?}")
    };
    assert!(moved.check);
    let (square, piece) = moved.captured.unwrap();
    assert_eq!(
        (square, piece.color, piece.role),
        (Square::A8, Color::Black, Role::Pawn)
    );
    assert_eq!(
        (moved.ply, moved.by, moved.san.as_str()),
        (1, Color::White, "Rxa8+")
    );

    let mut session = from("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
    play(&mut session, "d7d5");
    let events = play(&mut session, "e5d6");
    let Event::Moved(moved) = &events[0] else {
        panic!("{events:?}")
    };
    assert_eq!(
        moved.captured.map(|(square, piece)| (square, piece.color)),
        Some((Square::D5, Color::Black))
    );
    assert_eq!(
        session.position().board().to_string(),
        "4k3/8/3P4/8/8/8/8/4K3"
    );
}

#[test]
fn a_board_without_a_king_plays() {
    let start = teaching("R3k3/8/8/8/8/8/8/8 b - - 0 1");
    let mut session = Session::new(NewGame::default().with_start(start));
    assert_eq!(session.outcome(), None);
    refused(&mut session, Command::play("e8d8"));
    play(&mut session, "e8e7 a8a1 e7e6");
    assert_eq!(session.ply(), 3);
    same(&Session::restore(session.save()), &session);
}

#[test]
fn refused_moves_say_why_and_change_nothing() {
    let mut session = from("k3r3/8/8/8/8/8/3P4/4K3 w - - 3 9");
    let refusal = refused(&mut session, Command::play("d2d4"));
    assert!(matches!(
        refusal,
        Refusal::Move(MoveRefusal::Illegal(IllegalMove::LeavesKingInCheck { .. }))
    ));

    let mut session = from("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
    play(&mut session, "d7d5 e1e2 e8e7");
    refused(&mut session, Command::play("e5d6"));

    let mut session = Session::default();
    let refusal = refused(&mut session, Command::play("e3e4"));
    assert_eq!(
        refusal,
        Refusal::Move(MoveRefusal::Illegal(IllegalMove::NoPiece {
            square: Square::E3
        }))
    );
    assert_eq!(refusal.to_string(), "No piece on e3.");
    let refusal = refused(&mut session, Command::play("e7e5"));
    assert!(matches!(
        refusal,
        Refusal::Move(MoveRefusal::Illegal(IllegalMove::OpponentsPiece { .. }))
    ));
    let refusal = refused(&mut session, Command::play("Nd4"));
    assert!(matches!(&refusal, Refusal::Move(MoveRefusal::San(_))));
    assert!(refusal.to_string().ends_with('.'));
    for text in [
        "hello",
        "e7e8k",
        "e7e8p",
        "e7e8qx",
        "",
        "\u{1b}[2J",
        "e2é4",
        "e2e",
    ] {
        let refusal = refused(&mut session, Command::play(text));
        assert!(
            matches!(refusal, Refusal::Move(MoveRefusal::Unreadable { .. })),
            "{text}: {refusal:?}"
        );
        assert!(!refusal.to_string().contains('\u{1b}'));
    }
    let long = "x".repeat(1 << 20);
    assert!(
        refused(&mut session, Command::play(&long))
            .to_string()
            .len()
            < 200
    );
    for text in ["--", "0000", "Z0"] {
        let refusal = refused(&mut session, Command::play(text));
        assert_eq!(refusal, Refusal::Move(MoveRefusal::NullMove));
        assert_eq!(refusal.to_string(), "Passing is no move.");
    }
}

#[test]
fn castling_and_promotion_follow_the_cases() {
    for (board, text) in [
        ("4k3/8/8/8/8/8/8/R3KB1R w KQ - 0 1", "e1g1"),
        ("4rk2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1"),
        ("3k1r2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1"),
        ("3k2r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "e1g1"),
        ("2r1k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1"),
        ("3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1"),
        ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "e1c1"),
        ("7k/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "e5d6"),
        ("7k/b7/8/2pP4/8/8/5K2/8 w - c6 0 1", "d5c6"),
        ("8/4P3/8/8/8/8/8/k6K w - - 0 1", "e7e8"),
        ("8/4P3/8/8/8/8/8/k6K w - - 0 1", "e7e8k"),
        ("8/4P3/8/8/8/8/8/k6K w - - 0 1", "e7e8p"),
        ("8/4P3/8/8/8/8/8/k6K w - - 0 1", "e7e8qx"),
    ] {
        refused(&mut from(board), Command::play(text));
    }
    let mut session = from("8/4P3/8/8/8/8/8/k6K w - - 0 1");
    let refusal = refused(&mut session, Command::play("e7e8"));
    assert_eq!(
        refusal.to_string(),
        "Promotion piece required: q, r, b or n."
    );
    for text in ["e7e8q", "e7e8r", "e7e8b", "e7e8n", "e8=Q"] {
        let mut session = from("8/4P3/8/8/8/8/8/k6K w - - 0 1");
        play(&mut session, text);
        assert_eq!(session.position().halfmove_clock(), 0);
    }
    let mut session = from("k7/8/8/8/8/8/8/4K2R w K - 3 1");
    let events = play(&mut session, "e1g1");
    assert!(
        matches!(&events[0], Event::Moved(moved) if moved.captured.is_none() && moved.san == "O-O")
    );
    assert_eq!(session.position().fen(), "k7/8/8/8/8/8/8/5RK1 b - - 4 1");
    let mut session = from("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    play(&mut session, "e1c1");
    let mut session = from("7k/8/8/3pP3/2K5/8/8/8 w - d6 0 1");
    play(&mut session, "e5d6");
}

#[test]
fn moves_come_as_values_and_squares_too() {
    let mut session = Session::default();
    let e4 = session.position().parse_san("e4").unwrap();
    apply(&mut session, Command::Play(MoveInput::Move(e4))).unwrap();
    let refusal = refused(&mut session, Command::Play(MoveInput::Move(e4)));
    assert!(matches!(refusal, Refusal::Move(MoveRefusal::Illegal(_))));
    let squares = MoveInput::Squares {
        from: Square::E7,
        to: Square::E5,
        promotion: None,
    };
    apply(&mut session, Command::Play(squares)).unwrap();
    let squares = MoveInput::Squares {
        from: Square::A1,
        to: Square::A5,
        promotion: None,
    };
    let refusal = refused(&mut session, Command::Play(squares));
    assert_eq!(
        refusal,
        Refusal::Move(MoveRefusal::Illegal(IllegalMove::Blocked {
            by: Square::A2
        }))
    );
}

#[test]
fn a_move_value_of_another_piece_is_refused() {
    // All 16-bit values: a move that the position does not have is refused, whatever piece it names.
    let mut session = from("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    let legal = session.position().legal_moves();
    for played in (0..=u16::MAX).filter_map(Move::from_bits) {
        let command = Command::Play(MoveInput::Move(played));
        if legal.contains(&played) {
            apply(&mut session, command).unwrap();
            apply(&mut session, Command::undo(1)).unwrap();
        } else {
            apply(&mut session, command).unwrap_err();
        }
    }
    assert_eq!(session.record().root().children().count(), legal.len());
}
