use tabiya_game::Score;
use tabiya_rules::Color;

use super::{Verdict, expectation, loss, summary, verdict};

#[test]
fn an_expectation_is_even_at_nothing_and_grows_with_the_score() {
    assert!((expectation(Score::Centipawns(0)) - 0.5).abs() < 1e-9);
    let all = [-2000, -400, -100, 0, 50, 400, 2000].map(|cp| expectation(Score::Centipawns(cp)));
    assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
    assert!((all[5] - 10.0 / 11.0).abs() < 1e-9);
    assert_eq!(expectation(Score::Mate(3)), 1.0);
    assert_eq!(expectation(Score::Mate(-3)), 0.0);
}

#[test]
fn each_side_loses_in_its_own_direction() {
    assert!((loss(Color::White, 0.6, 0.2) - 0.4).abs() < 1e-9);
    assert_eq!(loss(Color::White, 0.2, 0.6), 0.0);
    assert!((loss(Color::Black, 0.2, 0.6) - 0.4).abs() < 1e-9);
    assert_eq!(verdict(0.05), None);
    assert_eq!(verdict(0.15), Some(Verdict::Inaccuracy));
    assert_eq!(verdict(0.25), Some(Verdict::Mistake));
    assert_eq!(verdict(0.50), Some(Verdict::Blunder));
}

#[test]
fn a_game_is_summed_up_by_side() {
    // White plays on; Black throws half a point away with the second ply and White all of it with the third.
    let game = [Some(0.5), Some(0.5), Some(1.0), Some(0.0), None, Some(0.0)];
    let summary = summary(&game, Color::White);
    assert_eq!(summary.turning_points, [2, 3]);
    let white = summary.accuracy.white.expect("White moved");
    let black = summary.accuracy.black.expect("Black moved");
    assert!((white - 50.3).abs() < 0.5, "{white}");
    assert!(black < 10.0, "{black}");
    assert_eq!(
        super::summary(&[Some(0.5)], Color::White),
        super::Summary::default()
    );
}
