//! The figures against values computed by hand, which the comments show.

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
    // Ten pairs as above, none of the counts zero: n 10, mean .6, variance .09.
    // 10 * .1400650 * (1.2 - 1.1400650) / .18 = 1.400650 * .0599350 / .18 = .4663781.
    let test: Sprt = "0,100".parse().expect("a test");
    near(test.log_likelihood_ratio(&[1, 1, 3, 3, 2]), 0.466_38, 1e-4);
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
fn a_test_of_one_sided_results_ends() {
    let test: Sprt = "0,5".parse().expect("a test");
    assert_eq!(test.decision(&[0, 0, 0, 0, 30]), Decision::Elo1);
    assert_eq!(test.decision(&[30, 0, 0, 0, 0]), Decision::Elo0);
}

#[test]
fn what_is_no_test_is_refused() {
    for text in ["", "5", "5,0", "0,0", "a,b", "0,inf", "nan,5", "0,5,10"] {
        assert_eq!(text.parse::<Sprt>(), Err(SprtError), "{text}");
    }
    let test: Sprt = "-1.5, 3".parse().expect("a test");
    assert_eq!(test.to_string(), "-1.5,3");
}
