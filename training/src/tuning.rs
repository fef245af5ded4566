//! Simultaneous perturbation stochastic approximation (SPSA) of the search's parameters: all of them are changed at random at
//! once, in both directions, the two versions play a pair of games, and all move a little towards the winner.

use std::fmt::{self, Write};
use std::path::{Path, PathBuf};
use std::{fs, io};

use tabiya_engine::SearchParams;
use tabiya_rules::SplitMix64;

/// The exponents of the usual schedule: of the step, and of the perturbation.
const STEP_DECAY: f64 = 0.602;
const PERTURBATION_DECAY: f64 = 0.101;
/// The share of all pairs that the schedule is delayed by, so that the first steps are not too long.
const DELAY: f64 = 0.1;
/// The perturbation of the last pair, as a share of a parameter's range.
const LAST_PERTURBATION: f64 = 0.05;
/// The step after the last pair for each point won, as a share of the perturbation.
const LAST_STEP: f64 = 0.006;

/// The state of a tuning run.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuning {
    /// The pairs played so far.
    pub pairs: u64,
    /// The parameters, in the order of [`SearchParams::RANGES`].
    values: Vec<f64>,
}

/// A random change of all parameters.
#[derive(Debug)]
pub struct Perturbation {
    /// The change of each parameter.
    changes: Vec<f64>,
    /// What a point is worth, as a share of the changes.
    step: f64,
    /// The parameters with the changes added, and with them subtracted.
    pub params: [SearchParams; 2],
}

/// Why a file with the state of a tuning run cannot be used.
#[derive(Debug)]
pub enum TuningError {
    /// It cannot be read or written.
    Io(PathBuf, io::Error),
    /// A line is not the name of a parameter and its value, in order.
    Line(PathBuf, usize),
}

impl fmt::Display for TuningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TuningError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            TuningError::Line(path, line) => {
                let expected = match line
                    .checked_sub(2)
                    .and_then(|i| SearchParams::RANGES.get(i))
                {
                    Some((name, ..)) => name,
                    None => "pairs",
                };
                let path = path.display();
                write!(f, "{path}:{line}: expected \"{expected} NUMBER\"")
            }
        }
    }
}

impl std::error::Error for TuningError {}

impl Default for Tuning {
    fn default() -> Tuning {
        let built_in = SearchParams::default().values();
        Tuning {
            pairs: 0,
            values: built_in.into_iter().map(f64::from).collect(),
        }
    }
}

impl Tuning {
    /// Reads the state from a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is not what [`Tuning::write`] writes.
    pub fn read(path: &Path) -> Result<Tuning, TuningError> {
        let text = fs::read_to_string(path).map_err(|e| TuningError::Io(path.to_owned(), e))?;
        let mut lines = text.lines();
        let mut number = 0;
        let mut value = |name: &str| {
            number += 1;
            let line = lines.next().and_then(|line| line.strip_prefix(name));
            let value = line.and_then(|line| line.strip_prefix(' ')?.parse::<f64>().ok());
            let value = value.filter(|value| value.is_finite());
            value.ok_or_else(|| TuningError::Line(path.to_owned(), number))
        };
        let pairs = value("pairs")? as u64;
        let names = SearchParams::RANGES.iter().map(|&(name, ..)| name);
        let values = names.map(value).collect::<Result<_, _>>()?;
        Ok(Tuning { pairs, values })
    }

    /// Writes the state to a file.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), TuningError> {
        fs::write(path, self.to_string()).map_err(|e| TuningError::Io(path.to_owned(), e))
    }

    /// The parameters as the search takes them.
    #[must_use]
    pub fn params(&self) -> SearchParams {
        rounded(&self.values)
    }

    /// Draws a perturbation for the next pair of a run of `all_pairs`.
    pub fn perturbation(&self, random: &mut SplitMix64, all_pairs: u64) -> Perturbation {
        let (all, pair) = (all_pairs.max(1) as f64, self.pairs as f64 + 1.0);
        let delay = DELAY * all;
        let wider = (all / pair).powf(PERTURBATION_DECAY);
        let faster = ((delay + all) / (delay + pair)).powf(STEP_DECAY);
        let changes: Vec<f64> = SearchParams::RANGES
            .iter()
            .map(|&(_, min, max)| {
                let sign = if random.below(2) == 0 { -1.0 } else { 1.0 };
                sign * f64::from(max - min) * LAST_PERTURBATION * wider
            })
            .collect();
        let moved = |sign: f64| {
            let pairs = self.values.iter().zip(&changes);
            let values: Vec<f64> = pairs.map(|(value, change)| value + sign * change).collect();
            rounded(&values)
        };
        Perturbation {
            step: LAST_STEP * faster / (wider * wider),
            params: [moved(1.0), moved(-1.0)],
            changes,
        }
    }

    /// Moves the parameters by the result of a pair: the half points of the first version, from 0 to 4.
    pub fn learn(&mut self, perturbation: &Perturbation, points: usize) {
        self.pairs += 1;
        let won = points as f64 - 2.0;
        let values = self.values.iter_mut().zip(&perturbation.changes);
        for ((value, change), &(_, min, max)) in values.zip(SearchParams::RANGES) {
            let moved = *value + change * perturbation.step * won;
            *value = moved.clamp(f64::from(min), f64::from(max));
        }
    }
}

impl fmt::Display for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = format!("pairs {}\n", self.pairs);
        for (value, (name, ..)) in self.values.iter().zip(SearchParams::RANGES) {
            writeln!(text, "{name} {value:.3}")?;
        }
        f.write_str(&text)
    }
}

fn rounded(values: &[f64]) -> SearchParams {
    let values: Vec<i32> = values.iter().map(|value| value.round() as i32).collect();
    SearchParams::from_values(&values)
}

#[cfg(test)]
mod tests {
    //! The state is written and read again, parameters move towards the winner, and the schedule slows down.

    use super::*;

    #[test]
    fn a_run_starts_with_the_built_in_parameters() {
        assert_eq!(Tuning::default().params(), SearchParams::default());
    }

    #[test]
    fn the_state_survives_its_file() {
        let path = std::env::temp_dir().join(format!("tabiya-tuning-{}", std::process::id()));
        let mut tuning = Tuning::default();
        let perturbation = tuning.perturbation(&mut SplitMix64::new(1), 100);
        tuning.learn(&perturbation, 4);
        tuning.write(&path).expect("written");
        let read = Tuning::read(&path).expect("read");
        assert_eq!(read.to_string(), tuning.to_string());
        fs::write(&path, "pairs 3\nrfp_ply 60\nother 2\n").expect("written");
        let error = Tuning::read(&path).expect_err("another name");
        assert!(
            error
                .to_string()
                .ends_with(":3: expected \"rfp_base NUMBER\""),
            "{error}"
        );
        fs::remove_file(&path).expect("removed");
        assert!(matches!(Tuning::read(&path), Err(TuningError::Io(..))));
    }

    #[test]
    fn parameters_move_towards_the_winner() {
        let start = Tuning::default();
        let perturbation = start.perturbation(&mut SplitMix64::new(7), 1000);
        let after = |points| {
            let mut tuning = start.clone();
            tuning.learn(&perturbation, points);
            assert_eq!(tuning.pairs, 1);
            tuning.values
        };
        assert_eq!(after(2), start.values);
        let (won, lost) = (after(4), after(0));
        for (i, change) in perturbation.changes.iter().enumerate() {
            assert!((won[i] - start.values[i]) * change > 0.0);
            assert!((lost[i] - start.values[i]) * change < 0.0);
        }
        let [more, less] = perturbation.params.map(|params| params.values());
        for (i, change) in perturbation.changes.iter().enumerate() {
            assert_eq!(more[i] > less[i], *change > 0.0);
        }
    }

    #[test]
    fn steps_become_smaller() {
        let mut tuning = Tuning::default();
        let step = |tuning: &Tuning| {
            let perturbation = tuning.perturbation(&mut SplitMix64::new(3), 1000);
            (perturbation.step * perturbation.changes[0]).abs()
        };
        let first = step(&tuning);
        tuning.pairs = 999;
        assert!(step(&tuning) < first);
    }
}
