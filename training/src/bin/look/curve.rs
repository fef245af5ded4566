//! The win probability for a score, by logistic regression.
//!
//! A side wins with probability 1 / (1 + exp(−(a + b · score))), where a and b are polynomials of the
//! material. It loses with the probability that the other side, whose score is the negative, wins. The
//! rest are draws. The loss is convex, so Newton's method finds the one best fit.

use std::collections::HashMap;

use training::linear::solve;

/// Scores are counted in steps of this many centipawns.
const STEP: i32 = 10;
/// The material at the start of a game.
const FULL_MATERIAL: f64 = 78.0;
/// Newton's method converges long before this many steps.
const STEPS: usize = 50;

/// A position of a game whose result is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// The score in centipawns, for the side to move.
    pub(crate) score: i32,
    pub(crate) material: i32,
    /// Whether the side to move won; `None` for a draw.
    pub(crate) result: Option<bool>,
}

/// Positions, counted by score and material.
#[derive(PartialEq, Debug, Default)]
pub(crate) struct Samples {
    /// How often a side with this score and material won, and how often it occurred.
    counts: HashMap<(i32, i32), (f64, f64)>,
}

impl Samples {
    /// Counts a position from both sides' points of view.
    pub(crate) fn add(&mut self, sample: Sample) {
        let step = (f64::from(sample.score) / f64::from(STEP)).round() as i32;
        for (step, won) in [(step, true), (-step, false)] {
            let (wins, seen) = self.counts.entry((step, sample.material)).or_default();
            *wins += f64::from(u8::from(sample.result == Some(won)));
            *seen += 1.0;
        }
    }
}

/// A fitted curve.
#[derive(Debug)]
pub(crate) struct Curve {
    /// The coefficients of a, then those of b.
    coefficients: Vec<f64>,
    loss: f64,
}

impl Curve {
    /// Fits a curve with polynomials of this degree. Returns `None` if the positions do not determine it.
    pub(crate) fn fit(samples: &Samples, degree: usize) -> Option<Curve> {
        let size = 2 * (degree + 1);
        let mut coefficients = vec![0.0; size];
        for _ in 0..STEPS {
            let mut gradient = vec![0.0; size];
            let mut hessian = vec![vec![0.0; size]; size];
            for (&(step, material), &(wins, seen)) in &samples.counts {
                let inputs = inputs(step * STEP, material, degree);
                let chance = logistic(dot(&coefficients, &inputs));
                let weight = seen * chance * (1.0 - chance);
                for (i, x) in inputs.iter().enumerate() {
                    gradient[i] += (wins - seen * chance) * x;
                    for (j, y) in inputs.iter().enumerate() {
                        hessian[i][j] += weight * x * y;
                    }
                }
            }
            let change = solve(hessian, gradient)?;
            for (coefficient, change) in coefficients.iter_mut().zip(&change) {
                *coefficient += change;
            }
            if change.iter().all(|change| change.abs() < 1e-9) {
                break;
            }
        }
        let loss = loss(samples, &coefficients, degree);
        Some(Curve { coefficients, loss })
    }

    /// Returns the win probability.
    pub(crate) fn win(&self, score: i32, material: i32) -> f64 {
        let degree = self.coefficients.len() / 2 - 1;
        logistic(dot(&self.coefficients, &inputs(score, material, degree)))
    }

    /// Returns the coefficients of a.
    pub(crate) fn place(&self) -> &[f64] {
        &self.coefficients[..self.coefficients.len() / 2]
    }

    /// Returns the coefficients of b, for a score in pawns.
    pub(crate) fn slope(&self) -> &[f64] {
        &self.coefficients[self.coefficients.len() / 2..]
    }

    /// Returns the mean negative log-likelihood of the results.
    pub(crate) fn loss(&self) -> f64 {
        self.loss
    }
}

/// Powers of the material, and the same times the score in pawns.
fn inputs(score: i32, material: i32, degree: usize) -> Vec<f64> {
    let (m, pawns) = (
        f64::from(material) / FULL_MATERIAL,
        f64::from(score) / 100.0,
    );
    let powers = || (0..=degree).map(move |power| m.powi(power as i32));
    powers()
        .chain(powers().map(|power| power * pawns))
        .collect()
}

fn loss(samples: &Samples, coefficients: &[f64], degree: usize) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for (&(step, material), &(wins, seen)) in &samples.counts {
        let z = dot(coefficients, &inputs(step * STEP, material, degree));
        sum -= wins * logistic(z).ln() + (seen - wins) * logistic(-z).ln();
        count += seen;
    }
    sum / count
}

fn logistic(z: f64) -> f64 {
    1.0 / (1.0 + (-z.clamp(-500.0, 500.0)).exp())
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    //! A known curve is recovered.

    use super::*;

    /// Returns positions whose results follow a curve exactly, as far as whole numbers allow.
    fn samples(win: impl Fn(i32, i32) -> f64) -> Samples {
        let mut samples = Samples::default();
        for material in [10, 30, 50, 70] {
            for score in (-500..=500).step_by(50) {
                let (won, lost) = (win(score, material), win(-score, material));
                for i in 0..2000 {
                    let share = f64::from(i) / 2000.0;
                    let result = if share < won {
                        Some(true)
                    } else if share < won + lost {
                        Some(false)
                    } else {
                        None
                    };
                    samples.add(Sample {
                        score,
                        material,
                        result,
                    });
                }
            }
        }
        samples
    }

    #[test]
    fn a_known_curve_is_found_again() {
        let known = |score: i32, _: i32| logistic(-1.2 + 0.8 * f64::from(score) / 100.0);
        let curve = Curve::fit(&samples(known), 0).expect("a curve");
        assert!((curve.place()[0] + 1.2).abs() < 0.01, "{curve:?}");
        assert!((curve.slope()[0] - 0.8).abs() < 0.01, "{curve:?}");
    }

    #[test]
    fn the_curve_follows_the_material() {
        let known = |score: i32, material: i32| {
            let m = f64::from(material) / FULL_MATERIAL;
            logistic(-2.0 + m + (0.5 + 0.5 * m) * f64::from(score) / 100.0)
        };
        let samples = samples(known);
        let (flat, curve) = (Curve::fit(&samples, 0), Curve::fit(&samples, 1));
        let (flat, curve) = (flat.expect("a curve"), curve.expect("a curve"));
        assert!(curve.loss() < flat.loss());
        for (score, material) in [(0, 10), (100, 30), (-200, 70), (400, 50)] {
            let error = curve.win(score, material) - known(score, material);
            assert!(error.abs() < 0.01, "{score} {material}: {error}");
        }
    }

    #[test]
    fn no_positions_make_no_curve() {
        assert!(Curve::fit(&Samples::default(), 0).is_none());
    }
}
