//! The figures against values computed by hand, which the comments show.

use tabiya_rules::SplitMix64;

use super::*;

fn near(a: f64, b: f64, off: f64) {
    assert!((a - b).abs() <= off, "{a} is not {b}");
}

#[test]
fn elo_and_score_are_each_others_inverse() {
    // 10 to 1 is 400 points by definition: 10/11 of the points.
    near(elo(10.0 / 11.0), 400.0, 1e-9);
    // Three quarters: 400 * log10(3) = 400 * 0.4771213 = 190.8485.
    near(elo(0.75), 190.8485, 1e-4);
    near(elo(0.5), 0.0, 1e-12);
    for difference in [-300.0, -5.0, 0.0, 12.5, 700.0] {
        near(elo(expected_score(difference)), difference, 1e-9);
    }
    assert_eq!(elo(1.0), f64::INFINITY);
    assert_eq!(elo(0.0), f64::NEG_INFINITY);
}

#[test]
fn the_normal_distribution_has_its_well_known_values() {
    near(normal(0.0), 0.5, 1e-12);
    near(normal(1.0), 0.841_344_746, 1e-9);
    near(normal(-1.0), 0.158_655_254, 1e-9);
    near(normal(1.959_964), 0.975, 1e-7);
    near(normal(3.0), 0.998_650_102, 1e-9);
    near(normal(8.0), 1.0, 1e-12);
    near(normal(-40.0), 0.0, 0.0);
}

#[test]
fn pairs_are_judged_by_hand() {
    // Ten pairs with 0, ½, 1, 1½ and 2 points: 1, 1, 3, 3, 2 times. As shares: 0, .25, .5, .75, 1.
    // Mean: (0 + .25 + 1.5 + 2.25 + 2) / 10 = 0.6.
    // Squares off the mean: .36 + .1225 + 3*.01 + 3*.0225 + 2*.16 = .36+.1225+.03+.0675+.32 = 0.9; variance 0.09.
    // Error of the mean: sqrt(.09 / 10) = 0.0948683; (0.6 - 0.5) / 0.0948683 = 1.0540926, normal: 0.854080.
    // Elo: 400 * log10(.6/.4) = 400 * 0.1760913 = 70.4365.
    // Interval: .6 -+ 1.959964 * .0948683 = .4140615, .7859385;
    //   400 * log10(.4140615/.5859385) = 400 * -0.1507883 = -60.3153;
    //   400 * log10(.7859385/.2140615) = 400 * 0.5648513 = 225.9405.
    let estimate = Estimate::of(&[1, 1, 3, 3, 2]).expect("observations");
    near(estimate.score, 0.6, 1e-12);
    near(estimate.elo, 70.4365, 1e-3);
    let (low, high) = estimate.interval.expect("an interval");
    near(low, -60.3153, 2e-3);
    near(high, 225.9405, 2e-3);
    near(estimate.superiority, 0.854_08, 1e-5);
}

#[test]
fn single_games_are_the_case_of_three() {
    // 2 losses, 4 draws, 4 wins: mean (4*.5 + 4) / 10 = .6; squares 2*.36 + 4*.01 + 4*.16 = 1.4, variance .14;
    // error sqrt(.014) = .1183216; .1 / .1183216 = 0.8451543, normal: 0.800989.
    let estimate = Estimate::of(&[2, 4, 4]).expect("observations");
    near(estimate.score, 0.6, 1e-12);
    near(estimate.superiority, 0.800_99, 1e-5);
}

#[test]
fn little_or_nothing_is_said_of_little_or_nothing() {
    assert_eq!(Estimate::of(&[0, 0, 0]), None);
    assert_eq!(Estimate::of(&[]), None);
    let all_won = Estimate::of(&[0, 0, 0, 0, 7]).expect("observations");
    assert_eq!((all_won.elo, all_won.interval), (f64::INFINITY, None));
    near(all_won.superiority, 1.0, 0.0);
    let all_even = Estimate::of(&[0, 0, 7, 0, 0]).expect("observations");
    assert_eq!((all_even.elo, all_even.interval), (0.0, None));
    near(all_even.superiority, 0.5, 0.0);
}

#[test]
fn the_ratio_of_a_test_is_computed_by_hand() {
    // 0 against 100 Elo: s0 = .5, s1 = 1 / (1 + 10^-.25) = 1 / 1.5623413 = .6400650.
    // Without draws the mean says all: 6 ln(s1 / s0) + 4 ln((1 - s1) / (1 - s0))
    //   = 6 * .2469617 + 4 * -.3286845 = .1670320.
    let test: Sprt = "0,100".parse().expect("a test");
    near(test.log_likelihood_ratio(&[4, 6]), 0.167_03, 1e-4);
    // ln 19 = 2.944439.
    let (low, high) = test.bounds();
    near(low, -2.944_439, 1e-6);
    near(high, 2.944_439, 1e-6);
    assert_eq!(test.decision(&[1, 1, 3, 3, 2]), Decision::Open);
    assert_eq!(test.decision(&[0; 5]), Decision::Open);
    assert_eq!(test.decision(&[10, 10, 30, 30, 20]), Decision::Elo1);
    assert_eq!(test.decision(&[20, 30, 30, 10, 10]), Decision::Elo0);
}

#[test]
fn with_many_results_the_ratio_is_that_of_normal_distributions() {
    // Two normal distributions with the observed variance: n (s1 - s0) (2 mean - s0 - s1) / (2 variance).
    let test: Sprt = "0,5".parse().expect("a test");
    for counts in [[300, 700, 3000, 800, 350], [400, 900, 2000, 800, 300]] {
        let floats = counts.map(f64::from);
        let (n, mean, variance) = moments(&floats).expect("observations");
        let (s0, s1) = (expected_score(test.elo0), expected_score(test.elo1));
        let normal = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        near(
            test.log_likelihood_ratio(&counts),
            normal,
            normal.abs() / 100.0,
        );
    }
}

#[test]
fn a_test_of_one_sided_results_ends_but_not_at_once() {
    // With nothing but wins, each pair makes the upper hypothesis likelier by ln(.5071951 / .5) = .0142876.
    let test: Sprt = "0,5".parse().expect("a test");
    near(test.log_likelihood_ratio(&[0, 0, 0, 0, 100]), 1.428_8, 0.01);
    assert_eq!(test.decision(&[0, 0, 0, 0, 1]), Decision::Open);
    assert_eq!(test.decision(&[1, 0, 0, 0, 0]), Decision::Open);
    assert_eq!(test.decision(&[0, 0, 0, 0, 250]), Decision::Elo1);
    assert_eq!(test.decision(&[250, 0, 0, 0, 0]), Decision::Elo0);
}

#[test]
fn equal_players_are_seldom_told_apart() {
    // The promised risk is 5 %, for matches without a limit. Each of these ends by itself or after 4,000 pairs.
    let test: Sprt = "0,30".parse().expect("a test");
    let mut random = SplitMix64::new(1);
    let matches = 400;
    let wrong = (0..matches)
        .filter(|_| {
            let mut pairs = [0; 5];
            loop {
                // Two games, of which two in five are drawn.
                let points: usize = (0..2)
                    .map(|_| [0, 0, 0, 1, 1, 1, 1, 2, 2, 2][random.below(10)])
                    .sum();
                pairs[points] += 1;
                match test.decision(&pairs) {
                    Decision::Open if pairs.iter().sum::<u32>() < 4_000 => {}
                    decision => break decision == Decision::Elo1,
                }
            }
        })
        .count();
    assert!(wrong <= matches * 8 / 100, "{wrong} of {matches}");
}

#[test]
fn what_is_no_test_is_refused() {
    for text in ["", "5", "5,0", "0,0", "a,b", "0,inf", "nan,5", "0,5,10"] {
        assert_eq!(text.parse::<Sprt>(), Err(SprtError), "{text}");
    }
    let test: Sprt = "-1.5, 3".parse().expect("a test");
    assert_eq!(test.to_string(), "-1.5,3");
}
