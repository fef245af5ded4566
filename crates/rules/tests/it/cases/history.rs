//! Histories: taking moves back, repetitions, and the draws that follow.

use tabiya_rules::{HistoryStatus, MoveHistory, PlayError, Position};

use super::position;

fn played(start: Position, moves: &str) -> MoveHistory {
    let mut history = MoveHistory::new(start);
    for text in moves.split_whitespace() {
        history
            .push_san(text)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    history
}

#[test]
fn an_illegal_move_is_refused_and_changes_nothing() {
    let mut history = played(Position::start(), "e4");
    let before = history.clone();
    let again = before.moves()[0];
    assert_eq!(history.push(again), Err(PlayError(again)));
    assert!(history.push_san("e4").is_err());
    assert!(history.push_uci("e2e4").is_err());
    assert_eq!(history, before);
    assert_eq!(history.current().fen(), before.current().fen());
}

#[test]
fn taking_back_restores_every_position() {
    let mut history = played(
        Position::start(),
        "e4 d5 exd5 Nf6 Bb5+ c6 dxc6 Qb6 cxb7+ Kd8 bxc8=Q+",
    );
    let positions: Vec<String> = history.positions().map(Position::fen).collect();
    assert_eq!(positions.len(), history.len() + 1);
    for fen in positions.iter().rev() {
        assert_eq!(history.current().fen(), *fen);
        history.pop();
    }
    assert_eq!(history.pop(), None);
    assert!(history.is_empty());
    assert_eq!(history, MoveHistory::default());
}

#[test]
fn positions_are_counted_as_the_laws_do() {
    let mut history = played(Position::start(), "e4 e5");
    // Castling rights make the first two positions differ from the later ones.
    for text in "Ke2 Ke7 Ke1 Ke8".split(' ') {
        history.push_san(text).expect("legal");
    }
    assert_eq!(history.repetitions(), 1);
    for text in "Ke2 Ke7 Ke1 Ke8".split(' ') {
        history.push_san(text).expect("legal");
    }
    assert_eq!(history.repetitions(), 2);
    assert_eq!(history.status(), HistoryStatus::Ongoing);
}

#[test]
fn three_times_can_be_claimed_and_five_times_is_over() {
    let mut history = MoveHistory::default();
    let mut seen = Vec::new();
    for _ in 0..4 {
        for text in ["Nf3", "Nf6", "Ng1", "Ng8"] {
            history.push_san(text).expect("legal");
        }
        seen.push((history.repetitions(), history.status()));
    }
    assert_eq!(
        seen,
        [
            (2, HistoryStatus::Ongoing),
            (3, HistoryStatus::Threefold),
            (4, HistoryStatus::Threefold),
            (5, HistoryStatus::Fivefold)
        ]
    );
    assert!(!seen[1].1.is_over() && seen[1].1.is_claimable());
    assert!(seen[3].1.is_over() && !seen[3].1.is_claimable());
}

#[test]
fn moves_without_progress_end_the_game_after_a_claim_or_by_themselves() {
    for (clock, status) in [
        (98, HistoryStatus::Ongoing),
        (99, HistoryStatus::FiftyMoves),
        (148, HistoryStatus::FiftyMoves),
        (149, HistoryStatus::SeventyFiveMoves),
    ] {
        let start = position(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 100"));
        let mut history = played(start, "Ra2");
        assert_eq!(history.status(), status, "{clock}");
        assert_eq!(history.halfmove_clock(), clock + 1);
        history.pop();
    }
    let mate = played(position("6k1/5ppp/8/8/8/8/8/R5K1 w - - 149 100"), "Ra8#");
    assert!(
        matches!(mate.status(), HistoryStatus::Checkmate { .. }),
        "mate comes first"
    );
}

#[test]
fn each_ending_says_what_it_is() {
    use HistoryStatus::{
        Checkmate, FiftyMoves, Fivefold, InsufficientMaterial, Ongoing, SeventyFiveMoves,
        Stalemate, Threefold,
    };
    use tabiya_rules::Color::{Black, White};
    let knights = |times| "Nf3 Nf6 Ng1 Ng8 ".repeat(times);
    let from_start = |moves: &str| played(Position::start(), moves);
    let at = |fen: &str| MoveHistory::from(position(fen));
    let mated_by = |winner| Checkmate { winner };
    for (history, status, text, is_over) in [
        (from_start("e4"), Ongoing, "ongoing", false),
        (
            from_start(&knights(2)),
            Threefold,
            "threefold repetition can be claimed",
            false,
        ),
        (
            at("4k3/8/8/8/8/8/8/R3K3 w - - 100 80"),
            FiftyMoves,
            "a draw by fifty moves can be claimed",
            false,
        ),
        (
            from_start("e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7"),
            mated_by(White),
            "checkmate, White wins",
            true,
        ),
        (
            from_start("f3 e5 g4 Qh4"),
            mated_by(Black),
            "checkmate, Black wins",
            true,
        ),
        (
            at("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
            Stalemate,
            "stalemate",
            true,
        ),
        (
            at("4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
            InsufficientMaterial,
            "draw by insufficient material",
            true,
        ),
        (
            from_start(&knights(4)),
            Fivefold,
            "draw by fivefold repetition",
            true,
        ),
        (
            at("4k3/8/8/8/8/8/8/R3K3 w - - 150 100"),
            SeventyFiveMoves,
            "draw by seventy-five moves",
            true,
        ),
    ] {
        assert_eq!(history.status(), status);
        assert_eq!(status.to_string(), text);
        assert_eq!(status.is_over(), is_over, "{text}");
        let is_claimable = matches!(status, Threefold | FiftyMoves);
        assert_eq!(status.is_claimable(), is_claimable, "{text}");
        assert_eq!(format!("{status:>40}").trim_start(), text);
        assert_eq!(format!("{status:>40}").len(), 40);
    }
}

#[test]
fn a_material_draw_and_stalemate_come_before_draws_by_counting() {
    for (fen, status) in [
        (
            "7k/5Q2/6K1/8/8/8/8/8 b - - 150 100",
            HistoryStatus::Stalemate,
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 150 100",
            HistoryStatus::InsufficientMaterial,
        ),
    ] {
        assert_eq!(MoveHistory::from(position(fen)).status(), status, "{fen}");
    }
}

#[test]
fn moves_in_coordinates_and_in_san_make_the_same_history() {
    let mut by_coordinates = MoveHistory::default();
    let mut by_san = MoveHistory::default();
    for (coordinates, san) in [("e2e4", "e4"), ("c7c5", "c5"), ("g1f3", "Nf3")] {
        let played = by_coordinates.push_uci(coordinates).expect("legal");
        assert_eq!(by_san.push_san(san), Ok(played));
        assert_eq!(by_coordinates.moves().last(), Some(&played));
    }
    assert_eq!(by_coordinates, by_san);
    assert_eq!(by_coordinates.current(), by_san.current());
    // What follows from the start and the moves is left out.
    let text = format!("{by_san:?}");
    assert_eq!(text.matches("Move(").count(), 3, "{text}");
    assert_eq!(text.matches("rnbqkbnr/pppppppp").count(), 1, "{text}");
}
