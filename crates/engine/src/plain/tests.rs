//! It finds what a plain search must find, and says only what is true.

use tabiya_rules::Position;
use tabiya_uci::{Played, ScoreValue};

use super::PlainSearcher;
use crate::search::{Answer, Control, Report, Request, Searcher};

fn search(fen: &str, depth: u32, lines: usize) -> (Answer, Vec<Report>) {
    let position = Position::from_fen(fen).expect("valid");
    let request = Request {
        played: Played::new(position),
        moves: position.legal_moves().to_vec(),
        lines,
        depth: Some(depth),
        nodes: None,
        mate: None,
        elo: None,
    };
    let mut reports = Vec::new();
    let answer = PlainSearcher::default().search(&request, &Control::new(), &mut |report| {
        let mut position = position;
        for &m in &report.pv {
            position = position.try_play(m).expect("every line is legal");
        }
        reports.push(report);
    });
    (answer, reports)
}

#[test]
fn mates_are_found_and_counted() {
    for (fen, best, moves) in [
        ("k7/8/K7/8/8/8/8/Q7 w - - 0 1", None, 1),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", Some("a1a8"), 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", Some("a1a6"), 2),
    ] {
        let (answer, reports) = search(fen, 5, 1);
        let last = reports.last().expect("a report");
        assert_eq!(last.score, ScoreValue::Mate(moves), "{fen}");
        if let Some(best) = best {
            let position = Position::from_fen(fen).expect("valid");
            assert_eq!(
                position.uci(answer.best.expect("a move")).to_string(),
                best,
                "{fen}"
            );
        }
    }
}

#[test]
fn a_side_that_is_mated_knows_it() {
    let (_, reports) = search("k7/8/1K6/8/8/8/8/7R b - - 0 1", 4, 1);
    assert_eq!(
        reports.last().expect("a report").score,
        ScoreValue::Mate(-1)
    );
}

#[test]
fn several_lines_are_different_and_sorted() {
    let (_, reports) = search(
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1",
        3,
        4,
    );
    let last: Vec<_> = reports
        .iter()
        .filter(|report| report.depth == reports.last().unwrap().depth)
        .collect();
    assert_eq!(last.len(), 4);
    assert_eq!(last[0].score, ScoreValue::Mate(1));
    for (a, b) in last.iter().zip(&last[1..]) {
        assert_eq!(a.line + 1, b.line);
        assert_ne!(a.pv[0], b.pv[0]);
        if let (ScoreValue::Centipawns(a), ScoreValue::Centipawns(b)) = (a.score, b.score) {
            assert!(a >= b);
        }
    }
}

#[test]
fn hanging_pieces_are_taken_and_poisoned_ones_are_not() {
    let (answer, _) = search("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", 1, 1);
    assert_eq!(answer.best.expect("a move").to().to_string(), "d5");
    let (answer, _) = search("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1", 1, 1);
    assert_ne!(answer.best.expect("a move").to().to_string(), "d6");
}
