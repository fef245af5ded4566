//! Glicko-2, a rating of players (Glickman 2013, 2022): how strong somebody is, how sure that is, and how steady.
//!
//! Results count by periods. What a period is, and who the opponents are, is the caller's business.

use std::f64::consts::PI;

/// How much the volatility may change.
const TAU: f64 = 0.5;

/// The points of the usual scale for one of the formulas' own.
const SCALE: f64 = 173.717_8;

/// The rating of somebody of whom nothing is known, and the middle of the scale.
const START: f64 = 1500.0;

/// The greatest deviation: nothing is known.
pub const MAX_DEVIATION: f64 = 350.0;

/// When the volatility is known well enough.
const CONVERGED: f64 = 1e-6;

/// The most steps of the iteration, which takes about five.
const MAX_STEPS: u32 = 100;

/// A rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// On the scale of Elo.
    pub rating: f64,
    /// The strength lies within two deviations with a probability of 95 %.
    pub deviation: f64,
    /// How much the strength changes from period to period.
    pub volatility: f64,
}

impl Default for Rating {
    fn default() -> Rating {
        Rating {
            rating: START,
            deviation: MAX_DEVIATION,
            volatility: 0.06,
        }
    }
}

/// A result against an opponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Played {
    /// The opponent's rating before the period.
    pub rating: f64,
    /// The deviation of that rating.
    pub deviation: f64,
    /// 1 for a win, ½ for a draw, 0 for a loss.
    pub score: f64,
}

impl Rating {
    /// The rating after a period with these results. Without any, the deviation grows.
    ///
    /// ```
    /// use tabiya_play::glicko2::{Played, Rating};
    ///
    /// let won = Played { rating: 1700.0, deviation: 80.0, score: 1.0 };
    /// assert!(Rating::default().after(&[won]).rating > 1500.0);
    /// ```
    #[must_use]
    pub fn after(self, played: &[Played]) -> Rating {
        if played.is_empty() {
            return self.idle(1);
        }
        let (mu, phi) = ((self.rating - START) / SCALE, self.deviation / SCALE);
        // The information in the results, and how much better they are than expected.
        let (mut information, mut surplus) = (0.0, 0.0);
        for it in played {
            let g = 1.0 / (1.0 + 3.0 * (it.deviation / SCALE / PI).powi(2)).sqrt();
            let expected = 1.0 / (1.0 + (-g * (mu - (it.rating - START) / SCALE)).exp());
            information += g * g * expected * (1.0 - expected);
            surplus += g * (it.score - expected);
        }
        let variance = 1.0 / information;
        let volatility = volatility(self.volatility, phi, variance, variance * surplus);
        let phi = 1.0 / (1.0 / (phi * phi + volatility * volatility) + information).sqrt();
        Rating {
            rating: START + SCALE * (mu + phi * phi * surplus),
            deviation: (SCALE * phi).min(MAX_DEVIATION),
            volatility,
        }
    }

    /// The rating after so many periods without results.
    #[must_use]
    pub fn idle(self, periods: u32) -> Rating {
        let grown = (self.volatility * SCALE).powi(2) * f64::from(periods);
        let deviation = (self.deviation.powi(2) + grown).sqrt();
        Rating {
            deviation: deviation.min(MAX_DEVIATION),
            ..self
        }
    }
}

/// The new volatility, by the Illinois algorithm: step 5 of Glickman's paper.
fn volatility(sigma: f64, phi: f64, variance: f64, delta: f64) -> f64 {
    let a = (sigma * sigma).ln();
    let f = |x: f64| {
        let known = phi * phi + variance + x.exp();
        x.exp() * (delta * delta - known) / (2.0 * known * known) - (x - a) / (TAU * TAU)
    };
    let mut low = a;
    let mut high = match delta * delta - phi * phi - variance {
        excess if excess > 0.0 => excess.ln(),
        _ => {
            let steps = (1..MAX_STEPS).map(|k| a - f64::from(k) * TAU);
            steps.into_iter().find(|&x| f(x) >= 0.0).unwrap_or(a)
        }
    };
    let (mut f_low, mut f_high) = (f(low), f(high));
    for _ in 0..MAX_STEPS {
        if (high - low).abs() <= CONVERGED {
            break;
        }
        let next = low + (low - high) * f_low / (f_high - f_low);
        let f_next = f(next);
        if f_next * f_high <= 0.0 {
            (low, f_low) = (high, f_high);
        } else {
            f_low /= 2.0;
        }
        (high, f_high) = (next, f_next);
    }
    (low / 2.0).exp()
}

#[cfg(test)]
mod tests {
    //! The example of Glickman's paper, and what must hold for all ratings.

    use super::*;

    fn played(rating: f64, deviation: f64, score: f64) -> Played {
        Played {
            rating,
            deviation,
            score,
        }
    }

    #[test]
    fn the_example_of_the_paper() {
        let player = Rating {
            deviation: 200.0,
            ..Rating::default()
        };
        let after = player.after(&[
            played(1400.0, 30.0, 1.0),
            played(1550.0, 100.0, 0.0),
            played(1700.0, 300.0, 0.0),
        ]);
        assert!((after.rating - 1464.05).abs() <= 0.02, "{after:?}");
        assert!((after.deviation - 151.52).abs() <= 0.01, "{after:?}");
        assert!((after.volatility - 0.05999).abs() <= 1e-5, "{after:?}");
    }

    #[test]
    fn without_results_only_the_deviation_grows_and_not_without_end() {
        let sure = Rating {
            deviation: 60.0,
            ..Rating::default()
        };
        let one = sure.after(&[]);
        assert_eq!((one.rating, one.volatility), (sure.rating, sure.volatility));
        assert!(one.deviation > 60.0 && one.deviation < 62.0);
        let mut slowly = sure;
        for _ in 0..30 {
            slowly = slowly.after(&[]);
        }
        assert!((slowly.deviation - sure.idle(30).deviation).abs() < 1e-9);
        assert_eq!(sure.idle(u32::MAX).deviation, MAX_DEVIATION);
    }

    #[test]
    fn who_solves_most_rises_and_who_fails_falls_and_both_become_certain() {
        let mut ratings = [Rating::default(); 2];
        for _ in 0..200 {
            for (rating, score) in ratings.iter_mut().zip([1.0, 0.0]) {
                let next = rating.after(&[played(rating.rating, 75.0, score); 5]);
                assert!((next.rating > rating.rating) == (score > 0.5));
                assert!(
                    next.deviation.is_finite() && next.volatility < 1.0,
                    "{next:?}"
                );
                *rating = next;
            }
        }
        let fair: Vec<Played> = (0..10)
            .map(|at| played(1500.0, 80.0, f64::from(at % 2)))
            .collect();
        let mut steady = Rating::default();
        for _ in 0..20 {
            steady = steady.after(&fair);
        }
        assert!((steady.rating - 1500.0).abs() < 1.0 && steady.deviation < 60.0);
    }
}
