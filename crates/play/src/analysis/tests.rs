//! Marks and accuracy follow from what moves give away, and the record gets all of it.

use tabiya_game::pgn;

use super::*;

/// The start position, with a side to move.
fn to_move(turn: Color) -> Position {
    let start = Position::start();
    match turn {
        Color::White => start,
        Color::Black => start.pass().expect("no check"),
    }
}

fn found(score: i32, turn: Color, best: Vec<Move>) -> Verdict {
    Verdict::found(Score::Centipawns(score), &to_move(turn), Some(9), best)
}

/// A game in which Black's second move gives everything away.
fn blunder() -> (Record, GameAnalysis) {
    let text = b"1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0";
    let record = pgn::games(text).next().expect("a game").record;
    let mut node = record.root();
    let mut analysis = GameAnalysis::new(found(30, Color::White, Vec::new()));
    for score in [-30, 30, 10] {
        let by = node.position().turn();
        node = node.next().expect("a move");
        let Some(Step::Move(m)) = node.step() else {
            panic!("a move");
        };
        let best = node.position().legal_moves().last().copied();
        analysis.push(by, Some(m), found(score, !by, best.into_iter().collect()));
    }
    let node = node.next().expect("a move");
    let Some(Step::Move(m)) = node.step() else {
        panic!("a move");
    };
    let mate = Verdict::found(
        Score::MateIn(1),
        &to_move(Color::White),
        Some(9),
        Vec::new(),
    );
    analysis.push(Color::Black, Some(m), mate);
    let node = node.next().expect("a move");
    let Some(Step::Move(m)) = node.step() else {
        panic!("a move");
    };
    analysis.push(
        Color::White,
        Some(m),
        Verdict::of_search(node.position(), None),
    );
    (record, analysis)
}

#[test]
fn a_blunder_is_marked_and_costs_accuracy() {
    let (_, analysis) = blunder();
    let marks: Vec<_> = analysis.moves().map(|judged| judged.mark).collect();
    assert_eq!(marks, [None, None, None, Some(Glyph::BLUNDER), None]);
    assert_eq!(analysis.count(Color::Black, Glyph::BLUNDER), 1);
    let white = analysis.accuracy(Color::White).expect("moves");
    let black = analysis.accuracy(Color::Black).expect("moves");
    assert!(white > 90.0 && black < 70.0, "{white} {black}");
}

#[test]
fn the_record_gets_evaluations_marks_and_lines() {
    let (mut record, analysis) = blunder();
    analysis.annotate(&mut record);
    let text = pgn::to_string(&record, pgn::Format::Export);
    assert!(text.contains("[%eval 0.30,9]"), "{text}");
    assert!(text.contains("Ke7 $4") || text.contains("Ke7??"), "{text}");
    assert!(text.contains("[%eval #1,9]"), "{text}");
    assert!(text.contains("(2... "), "a better line: {text}");
    // Doing it again changes nothing.
    let again = {
        analysis.annotate(&mut record);
        pgn::to_string(&record, pgn::Format::Export)
    };
    assert_eq!(text, again);
}

#[test]
fn chances_are_for_white_and_even() {
    let black = found(100, Color::Black, Vec::new());
    assert!(black.chance.is_some_and(|chance| chance < 0.5));
    let mated = Verdict::found(Score::MatedIn(2), &to_move(Color::Black), None, Vec::new());
    assert_eq!(mated.chance, Some(1.0));
}

#[test]
fn what_nobody_knows_is_not_judged() {
    // White is a queen up, and the engine reports nothing after the first move.
    let mut analysis = GameAnalysis::new(found(900, Color::White, Vec::new()));
    for (by, after) in [
        (Color::White, Verdict::default()),
        (Color::Black, found(900, Color::White, Vec::new())),
        (Color::White, found(-900, Color::Black, Vec::new())),
    ] {
        analysis.push(by, None, after);
    }
    let losses: Vec<_> = analysis.moves().map(|judged| judged.loss).collect();
    assert_eq!(losses, [None, None, Some(0.0)]);
    assert!(analysis.moves().all(|judged| judged.mark.is_none()));
    assert_eq!(analysis.accuracy(Color::White), Some(100.0));
    assert_eq!(analysis.accuracy(Color::Black), None);
}

#[test]
fn a_missed_mate_is_marked_even_in_a_won_game() {
    let start = to_move(Color::White);
    let [best, other] = ["e4", "d4"].map(|san| start.parse_san(san).expect("a move"));
    let mark = |moves: u32, played: Move, after: Verdict| {
        let before = Verdict::found(Score::MateIn(moves), &start, Some(9), vec![best]);
        let mut analysis = GameAnalysis::new(before);
        analysis.push(Color::White, Some(played), after);
        analysis.moves().next().and_then(|judged| judged.mark)
    };
    let won = || found(-2_000, Color::Black, Vec::new());
    assert_eq!(mark(2, other, won()), Some(Glyph::DUBIOUS));
    assert_eq!(mark(4, other, won()), Some(Glyph::DUBIOUS));
    assert_eq!(mark(5, other, won()), None, "nobody sees that");
    assert_eq!(mark(2, best, won()), None);
    let later = Verdict::found(Score::MatedIn(7), &to_move(Color::Black), None, Vec::new());
    assert_eq!(mark(2, other, later), None, "it still mates");
    let over = |chance| Verdict {
        chance: Some(chance),
        ..Verdict::default()
    };
    assert_eq!(mark(1, other, over(1.0)), None, "another mate");
    assert_eq!(mark(1, other, over(0.5)), Some(Glyph::BLUNDER), "stalemate");
    assert_eq!(mark(1, other, Verdict::default()), None, "nothing is known");
}
