//! From counts of results to Elo, its error, and the decision of a sequential test (SPRT).
//!
//! Two games with one opening and swapped colors are one observation with five results, from 0 to 2 points (the
//! pentanomial model). What an opening gives to one color cancels within the pair, so the variance is smaller than that
//! of single games, and the error is honest. Counts may be of any number of equally spaced results, so single games are
//! the case of three.

use std::f64::consts::PI;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The number of standard errors on either side of the mean that hold 95 % of a normal distribution.
const Z_95: f64 = 1.959_964;
/// The probability of a wrong decision of a sequential test, in either direction.
const RISK: f64 = 0.05;
/// The count assumed for results that have not occurred yet, so that every mean is possible.
const UNSEEN: f64 = 1e-3;
/// After this many bisections a root is as exact as a double can be.
const HALVINGS: usize = 60;

/// What the results say about one player's strength against another's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The share of the points, from 0 to 1.
    pub score: f64,
    /// The difference in Elo; infinite if one player scored all points.
    pub elo: f64,
    /// The 95 % confidence interval of the difference; `None` while all observations are the same.
    pub interval: Option<(f64, f64)>,
    /// The likelihood of superiority (LOS).
    pub superiority: f64,
}

impl Estimate {
    /// Estimates from the count of each result, worst to best; `None` without observations.
    pub fn of(counts: &[u32]) -> Option<Estimate> {
        let counts: Vec<f64> = counts.iter().map(|&count| f64::from(count)).collect();
        let (n, mean, variance) = moments(&counts)?;
        let error = (variance / n).sqrt();
        let superiority = match mean - 0.5 {
            0.0 => 0.5,
            // Without variance there is no error to measure by: only the direction is known.
            ahead if error == 0.0 => f64::from(ahead > 0.0),
            ahead => normal(ahead / error),
        };
        let end = |sign: f64| elo((mean + sign * Z_95 * error).clamp(0.0, 1.0));
        Some(Estimate {
            score: mean,
            elo: elo(mean),
            interval: (error > 0.0).then(|| (end(-1.0), end(1.0))),
            superiority,
        })
    }
}

/// A sequential probability ratio test between two differences in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference under the null hypothesis.
    pub elo0: f64,
    /// The difference under the alternative hypothesis.
    pub elo1: f64,
}

/// The state of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// More games are needed.
    Open,
    /// The null hypothesis is accepted.
    Elo0,
    /// The alternative hypothesis is accepted.
    Elo1,
}

impl Sprt {
    /// The log-likelihood ratio of the two hypotheses. Each is given the distribution of results that fits it best: a
    /// few observations have almost no variance, and must not count as certain because of that.
    pub fn log_likelihood_ratio(&self, counts: &[u32]) -> f64 {
        if counts.len() < 2 || counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts: Vec<f64> = counts
            .iter()
            .map(|&count| f64::from(count).max(UNSEEN))
            .collect();
        let [lower, upper] = [self.elo0, self.elo1]
            .map(|difference| greatest_log_likelihood(&counts, expected_score(difference)));
        upper - lower
    }

    /// The lower and the upper bound at which the test ends.
    pub fn bounds(&self) -> (f64, f64) {
        ((RISK / (1.0 - RISK)).ln(), ((1.0 - RISK) / RISK).ln())
    }

    /// Decides the test, if the results do.
    pub fn decision(&self, counts: &[u32]) -> Decision {
        let ratio = self.log_likelihood_ratio(counts);
        let (low, high) = self.bounds();
        if ratio <= low {
            Decision::Elo0
        } else if ratio >= high {
            Decision::Elo1
        } else {
            Decision::Open
        }
    }
}

/// The text is not a pair of differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a test is ELO0,ELO1 with ELO0 below ELO1, such as 0,5")]
pub struct SprtError;

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let (low, high) = text.split_once(',').ok_or(SprtError)?;
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| SprtError);
        let (elo0, elo1) = (number(low)?, number(high)?);
        let fits = |elo: f64| elo.abs() <= 1000.0;
        if fits(elo0) && fits(elo1) && elo0 < elo1 {
            Ok(Sprt { elo0, elo1 })
        } else {
            Err(SprtError)
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.elo0, self.elo1)
    }
}

/// Converts a share of the points to a difference in Elo.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// Converts a difference in Elo to the expected share of the points.
fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The greatest log-likelihood of the results under any distribution with this mean, up to a term that is the same for
/// every mean. Every result must have occurred.
///
/// By Lagrange multipliers, the probability of a result is its share of the observations divided by one plus a multiple
/// of its distance from the mean. The multiple is the one that gives the probabilities the right mean.
fn greatest_log_likelihood(counts: &[f64], mean: f64) -> f64 {
    let results = || results(counts).map(|(value, count)| (value - mean, count));
    // Falls from far above zero to far below it between the multiples that would make a probability infinite.
    let off = |multiple: f64| -> f64 {
        results()
            .map(|(off, count)| count * off / (1.0 + multiple * off))
            .sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if off(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let multiple = f64::midpoint(low, high);
    results()
        .map(|(off, count)| -count * (multiple * off).ln_1p())
        .sum()
}

/// The number of observations, their mean and their variance.
fn moments(counts: &[f64]) -> Option<(f64, f64, f64)> {
    let n: f64 = counts.iter().sum();
    if n <= 0.0 || counts.len() < 2 {
        return None;
    }
    let sum: f64 = results(counts).map(|(value, count)| count * value).sum();
    let mean = sum / n;
    let squares = results(counts).map(|(value, count)| count * (value - mean).powi(2));
    Some((n, mean, squares.sum::<f64>() / n))
}

/// The results, evenly spaced between 0 and 1, each with its count.
fn results(counts: &[f64]) -> impl Iterator<Item = (f64, f64)> {
    let last = (counts.len() - 1) as f64;
    (0..)
        .zip(counts)
        .map(move |(at, &count)| (f64::from(at) / last, count))
}

/// The normal distribution function, by a series of positive terms, which loses no digits.
fn normal(z: f64) -> f64 {
    /// Beyond this the remainder is too small to change 1 in a double.
    const FAR: f64 = 8.5;
    if z.abs() > FAR {
        return f64::from(z > 0.0);
    }
    let (mut term, mut sum, mut odd) = (z, z, 1.0);
    while term.abs() > 1e-17 {
        odd += 2.0;
        term *= z * z / odd;
        sum += term;
    }
    0.5 + sum * (-z * z / 2.0).exp() / (2.0 * PI).sqrt()
}

#[cfg(test)]
mod tests;
