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
