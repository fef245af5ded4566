//! The published equations, and what a blunder costs.

use super::*;

fn cp(value: i32) -> Verdict {
    Verdict::found(
        Score::Centipawns(value),
        &tabiya_rules::Position::start(),
        None,
        Vec::new(),
    )
}

fn game(scores: &[i32]) -> GameAnalysis {
    let mut analysis = GameAnalysis::new(cp(20));
    for (at, &score) in scores.iter().enumerate() {
        let by = if at % 2 == 0 {
            Color::White
        } else {
            Color::Black
        };
        analysis.push(by, None, cp(score));
    }
    analysis
}

/// The values of the published equations.
#[test]
fn the_equations_are_the_published_ones() {
    let near = |value: f64, wanted: f64| assert!((value - wanted).abs() < 0.05, "{value}");
    near(win_percent(Score::Centipawns(0)), 50.0);
    near(win_percent(Score::Centipawns(100)), 59.1);
    near(win_percent(Score::Centipawns(-300)), 24.9);
    near(
        win_percent(Score::Centipawns(5000)),
        win_percent(Score::MateIn(3)),
    );
    near(of_move(0.0), 100.0);
    near(of_move(10.0), 63.6);
    near(of_move(50.0), 8.5);
    near(of_move(-5.0), 100.0);
}

/// One blunder among good moves costs more than the plain mean of the moves would say.
#[test]
fn a_blunder_weighs_more_than_quiet_moves() {
    let calm = [20; 20];
    let mut blunder = calm;
    for score in &mut blunder[10..] {
        *score = -400;
    }
    let (calm, blunder) = (game(&calm), game(&blunder));
    assert!(
        calm.accuracy(Color::White)
            .is_some_and(|share| share > 99.9)
    );
    assert!(
        blunder
            .accuracy(Color::Black)
            .is_some_and(|share| share > 99.9)
    );
    let white = blunder.accuracy(Color::White).expect("judged");
    let plain = (9.0 * 100.0
        + of_move(win_percent(Score::Centipawns(20)) - win_percent(Score::Centipawns(-400))))
        / 10.0;
    assert!(white < plain - 10.0, "{white} beside {plain}");
}

#[test]
fn nothing_is_said_without_a_move_or_a_score() {
    assert_eq!(GameAnalysis::new(cp(0)).accuracy(Color::White), None);
    let mut unknown = GameAnalysis::new(cp(0));
    unknown.push(Color::White, None, Verdict::default());
    assert_eq!(unknown.accuracy(Color::White), None);
    assert_eq!(unknown.accuracy(Color::Black), None);
}
