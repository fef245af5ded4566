//! A judgment with searches whose results are given.

use tabiya_rules::Score;

use super::*;

/// A game of one bad move: Black leaves the knight to the queen.
fn game() -> [MoveHistory; 2] {
    let fen = "rnbqkb1r/pppppppp/8/8/4n3/3P4/PPP1QPPP/RNB1KBNR b KQkq - 0 1";
    let before = MoveHistory::new(Position::from_fen(fen).expect("a position"));
    let mut after = before.clone();
    after.push_san("a6").expect("legal");
    [before, after]
}

/// A verdict with a line.
fn verdict(history: &MoveHistory, score: i32, line: &str) -> Verdict {
    let mut here = history.clone();
    let moves = line.split_whitespace();
    let moves = moves
        .map(|san| here.push_san(san).expect("legal"))
        .collect();
    Verdict::found(Score::Centipawns(score), history.current(), None, moves)
}

/// Judges the game; `answer` has the line that a search finds after a line of a position, by the index of the position.
fn judge(answer: impl Fn(usize, usize) -> &'static str) -> (Vec<(usize, Verdict)>, Vec<u64>) {
    let game = game();
    let mut judging = Judging::new(2);
    let (mut known, mut nodes) = (Vec::new(), Vec::new());
    while let Some(wanted) = judging.next_search() {
        let played = &game[wanted.at];
        let here = wanted.after(played);
        let score = [0, 300][wanted.at];
        let found = verdict(&here, score, answer(wanted.at, wanted.line.len()));
        nodes.extend(wanted.nodes);
        known.extend(judging.take(played, found));
    }
    (known, nodes)
}

/// What is said about the move with these verdicts.
fn said(known: &[(usize, Verdict)]) -> String {
    let game = game();
    let verdict = |at| &known.iter().rfind(|known| known.0 == at).expect("judged").1;
    let played = game[1].moves().last().copied();
    let judged = judged(Color::Black, played, verdict(0), verdict(1));
    judged.comment(game[0].current()).expect("a mistake")
}

const KEEPS: &str = "Nf6 Nf3 e6 g3 d5 Bg2";

#[test]
fn a_claim_is_verified_at_its_end() {
    let (known, nodes) = judge(|at, plies| match (at, plies) {
        (0, 0) => KEEPS,
        (1, 0) => "Qxe4 e6 Nf3 d5 Qa4 c6",
        (1, 1) => "d6 Nf3 g6 Be2",
        other => panic!("{other:?}"),
    });
    assert_eq!(nodes, [NODES]);
    assert_eq!(
        known.iter().map(|known| known.0).collect::<Vec<_>>(),
        [0, 0, 1]
    );
    assert_eq!(known[2].1.best.len(), 6, "the first line stays");
    assert_eq!(
        said(&known),
        "1...a6 loses the knight: 2.Qxe4. Best was Nf6."
    );
}

#[test]
fn what_a_search_takes_back_is_not_claimed() {
    let (known, nodes) = judge(|at, plies| match (at, plies) {
        (0, 0) => KEEPS,
        (1, 0) => "Qxe4 e6 Nf3 d5 Qa4 c6",
        (1, 1) => "d6 Qxe7+ Qxe7+ Be3 Nc6 Nf3",
        other => panic!("{other:?}"),
    });
    assert_eq!(nodes, [NODES]);
    let price = "1...a6 costs 39 % of the chances; best was 1...Nf6 2.Nf3 e6 3.g3 d5.";
    assert_eq!(said(&known), price);
}

#[test]
fn short_lines_are_extended_until_they_are_quiet() {
    let (known, nodes) = judge(|at, plies| match (at, plies) {
        (0, 0) => "Nf6",
        (0, 1) => "Nf3 e6 g3 d5 Bg2",
        (1, 0) => "Qxe4",
        (1, 1) => "d5 Qxd5 e6 Qxd8+",
        (1, 5) => "Kxd8 Nf3",
        other => panic!("{other:?}"),
    });
    assert_eq!(
        nodes,
        [EXTENSION_NODES, EXTENSION_NODES, EXTENSION_NODES, NODES]
    );
    assert_eq!(known[2].1.best.len(), 7);
    assert!(said(&known).starts_with("1...a6 loses the knight: 2.Qxe4."));
    // A search that finds nothing is not asked for ever, and nothing is claimed that none has verified.
    let (known, nodes) = judge(|at, plies| match (at, plies) {
        (0, 0) => KEEPS,
        (1, 0) => "Qxe4 e6 Nf3",
        _ => "",
    });
    assert_eq!(nodes, [EXTENSION_NODES, NODES]);
    assert!(said(&known).starts_with("1...a6 costs 39 %"));
}

#[test]
fn positions_that_do_not_follow_each_other_explain_nothing() {
    let [before, after] = game();
    let mut judging = Judging::new(2);
    let first = verdict(&after, 300, "Qxe4");
    assert_eq!(judging.take(&after, first.clone()), [(0, first)]);
    let second = verdict(&before, -300, KEEPS);
    assert_eq!(judging.take(&before, second.clone()), [(1, second)]);
    assert_eq!(judging.next_search(), None);
}
