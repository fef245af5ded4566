//! What a mistake costs, in words.

use super::*;
use crate::analysis::{GameAnalysis, Verdict};

fn explained(
    fen: &str,
    played: &str,
    before: Verdict,
    score: Score,
    line: &[&str],
) -> Option<String> {
    let position = Position::from_fen(fen).expect("a position");
    let played = position.parse_san(played).expect("a move");
    let mut here = position.play_unchecked(played);
    let mut moves = Vec::new();
    for text in line {
        let next = here.parse_san(text).expect("a move");
        moves.push(next);
        here = here.play_unchecked(next);
    }
    let mut analysis = GameAnalysis::new(before);
    let after = Verdict::found(score, &position.play_unchecked(played), None, moves);
    analysis.push(position.turn(), Some(played), after);
    let judged = analysis.moves().next().expect("a move");
    of(&position, &judged).map(|why| why.to_string())
}

fn even() -> Verdict {
    Verdict::found(Score::Centipawns(0), &Position::start(), None, Vec::new())
}

#[test]
fn what_is_lost_is_said_in_chess_words() {
    // The queen takes an unprotected knight.
    let fen = "rnbqkb1r/pppppppp/8/8/4n3/3P4/PPP1QPPP/RNB1KBNR b KQkq - 0 1";
    let said = explained(fen, "a6", even(), Score::Centipawns(300), &["Qxe4", "d5"]);
    assert_eq!(said.as_deref(), Some("a6 loses the knight: Qxe4."));
    let said = explained(fen, "d5", even(), Score::Centipawns(300), &["dxe4", "dxe4"]);
    assert_eq!(
        said.as_deref(),
        Some("d5 loses the knight for a pawn: dxe4.")
    );
    assert_eq!(
        explained(fen, "a6", even(), Score::Centipawns(90), &["h3", "h6"]),
        None
    );
    // A capture beyond the length of the line does not count as a reason.
    assert_eq!(
        explained(fen, "a6", even(), Score::Centipawns(90), &[]),
        None
    );
}

#[test]
fn mates_are_told() {
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
    let said = explained(fen, "g4", even(), Score::MateIn(1), &["Qh4#"]);
    assert_eq!(said.as_deref(), Some("g4 allows mate in 1: Qh4#."));
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    let position = Position::from_fen(fen).expect("a position");
    let before = Verdict::found(Score::MateIn(1), &position, None, Vec::new());
    let said = explained(fen, "d6", before, Score::Centipawns(0), &["e4"]);
    assert_eq!(said.as_deref(), Some("d6 misses mate in 1."));
}
