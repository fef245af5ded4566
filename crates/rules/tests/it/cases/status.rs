//! Check, mate and stalemate.

use tabiya_rules::{Color, Role, Square, Status, Waivers};

use super::{after, board, is_legal, moves, position, refused};

const WHITE_WINS: Status = Status::Checkmate {
    winner: Color::White,
};
const BLACK_WINS: Status = Status::Checkmate {
    winner: Color::Black,
};

#[test]
fn a_rook_on_the_kings_rank_gives_check() {
    let position = board("8/8/8/8/8/8/8/r3K3 w");
    assert!(position.is_check());
    assert_eq!(position.checkers().single(), Some(Square::A1));
}

#[test]
fn a_rook_elsewhere_gives_none() {
    assert!(!board("8/8/8/8/8/r7/8/4K3 w").is_check());
}

#[test]
fn a_side_without_a_king_is_never_in_check() {
    let position = board("8/8/8/8/8/8/8/r7 w");
    assert!(!position.is_check());
    assert_eq!(
        position.status(),
        Status::Stalemate,
        "without pieces there is no move either"
    );
}

#[test]
fn a_piece_between_king_and_rook_may_not_step_aside() {
    let position = board("4r3/8/8/8/4R3/8/8/4K3 w");
    assert!(!is_legal(&position, "e4d4"));
    assert!(is_legal(&position, "e4e8") && is_legal(&position, "e4e2"));
}

#[test]
fn a_piece_may_step_between_to_end_a_check() {
    let position = board("4r3/8/8/R7/8/8/8/4K3 w");
    assert!(position.is_check());
    assert!(is_legal(&position, "a5e5"));
    assert!(!is_legal(&position, "a5a8"), "it does not take the checker");
}

#[test]
fn a_king_in_check_without_a_move_is_mated() {
    let mated = board("k6Q/8/K7/8/8/8/8/8 b");
    assert_eq!(mated.status(), WHITE_WINS);
    assert!(mated.is_check() && !mated.has_legal_move());
}

#[test]
fn a_side_without_a_move_and_not_in_check_is_stalemated() {
    for fen in ["k7/8/1QK5/8/8/8/8/8 b", "7k/5Q2/6K1/8/8/8/8/8 b"] {
        let position = board(fen);
        assert_eq!(position.status(), Status::Stalemate, "{fen}");
        assert!(!position.is_check());
    }
}

#[test]
fn a_king_in_check_steps_off_the_line_and_not_along_it() {
    let position = board("R3k3/8/8/8/8/8/8/8 b");
    assert!(position.is_check());
    let moves: Vec<String> = moves(&position).into_iter().collect();
    assert_eq!(moves, ["e8d7", "e8e7", "e8f7"]);
    assert_eq!(position.status(), Status::Ongoing);
}

#[test]
fn the_start_is_ongoing() {
    let start = tabiya_rules::Position::start();
    assert_eq!(start.status(), Status::Ongoing);
    assert!(!start.status().is_over() && WHITE_WINS.is_over());
}

#[test]
fn check_is_a_fact_of_an_ongoing_position() {
    let checked = after(&board("7k/8/8/8/8/2K5/8/R7 w"), "a1a8");
    assert!(checked.is_check());
    assert_eq!(
        (checked.status(), checked.turn()),
        (Status::Ongoing, Color::Black)
    );
}

#[test]
fn moves_that_end_the_game() {
    for (fen, text, status) in [
        ("k7/8/K7/8/8/8/8/Q7 w", "a1h8", WHITE_WINS),
        ("k7/8/2K5/8/8/8/8/1Q6 w", "b1b6", Status::Stalemate),
        ("k7/7P/1K6/8/8/8/8/8 w", "h7h8q", WHITE_WINS),
        ("k7/2P5/2N5/8/8/8/8/4K3 w", "c7c8b", Status::Stalemate),
    ] {
        assert_eq!(after(&board(fen), text).status(), status, "{fen}: {text}");
    }
}

#[test]
fn the_shortest_game_is_won_by_black() {
    let mated = after(&tabiya_rules::Position::start(), "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(mated.status(), BLACK_WINS);
    assert_eq!(mated.status().to_string(), "checkmate, Black wins");
}

#[test]
fn a_pawn_that_stands_on_the_eighth_rank_is_captured_like_any_piece() {
    let start = board("p6k/8/8/8/8/2K5/8/R7 w");
    let capture = start.parse_uci("a1a8").expect("legal");
    let pawn = Role::Pawn.of(Color::Black);
    assert_eq!(start.captured(capture), Some((Square::A8, pawn)));
    assert!(start.play_unchecked(capture).is_check());
}

#[test]
fn a_move_that_does_not_end_the_check_is_refused() {
    let start = board("k3r3/8/8/8/8/8/3P4/4K3 w");
    let reason = tabiya_rules::IllegalMove::LeavesKingInCheck {
        king: Square::E1,
        attacker: Square::E8,
    };
    assert_eq!(refused(&start, "d2d4"), reason);
}

#[test]
fn of_two_checkers_both_must_be_answered_so_only_the_king_moves() {
    let position = position("4k3/8/8/8/1b6/8/4r3/4K3 w - - 0 1");
    assert!(position.checkers().has_several());
    assert!(
        position
            .legal_moves()
            .iter()
            .all(|m| m.role() == Role::King)
    );
}

#[test]
fn mate_and_stalemate_come_before_insufficient_material() {
    // Material that cannot mate cannot have mated, but it can have stalemated.
    let stalemate = position("k7/3N4/1K6/8/8/8/8/8 b - - 0 1");
    assert!(stalemate.is_insufficient_material());
    assert_eq!(stalemate.status(), Status::Stalemate);
    let mate = position("kr6/ppN5/8/8/8/8/8/7K b - - 0 1");
    assert_eq!(
        mate.status(),
        WHITE_WINS,
        "a lone knight mates a king that its own pieces block"
    );
    let bare = position("8/8/4k3/8/8/4K3/8/8 w - - 0 1");
    assert_eq!(bare.status(), Status::InsufficientMaterial);
    assert_eq!(bare.status().to_string(), "draw by insufficient material");
}

#[test]
fn a_status_has_a_text() {
    for (status, text) in [
        (Status::Ongoing, "ongoing"),
        (WHITE_WINS, "checkmate, White wins"),
        (BLACK_WINS, "checkmate, Black wins"),
        (Status::Stalemate, "stalemate"),
        (
            Status::InsufficientMaterial,
            "draw by insufficient material",
        ),
    ] {
        assert_eq!(status.to_string(), text);
    }
}

#[test]
fn boards_without_kings_are_played_like_any_other() {
    let start = tabiya_rules::Setup::from_fen("8/3p4/8/4P3/8/8/8/8 b - - 0 1").expect("a FEN");
    assert!(start.position().is_err());
    let start = start
        .position_waiving(Waivers::MISSING_KING)
        .expect("it is waived");
    assert_eq!(moves(&start).len(), 2);
    assert_eq!(start.status(), Status::Ongoing);
    let end = after(&start, "d7d5 e5d6");
    assert_eq!(
        end.status(),
        Status::Stalemate,
        "Black has nothing left to move"
    );
    assert!(
        !end.is_insufficient_material(),
        "there are no kings to mate"
    );
}

#[test]
fn mate_and_stalemate_have_questions_of_their_own() {
    let mate = position("k6Q/8/K7/8/8/8/8/8 b - - 0 1");
    assert!(mate.is_checkmate() && !mate.is_stalemate());
    let stalemate = position("k7/2Q5/K7/8/8/8/8/8 b - - 0 1");
    assert!(stalemate.is_stalemate() && !stalemate.is_checkmate());
    let check = position("4k3/8/8/8/8/8/8/K3R3 b - - 0 1");
    assert!(!check.is_stalemate() && !check.is_checkmate());
}
