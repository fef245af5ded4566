//! What a run has found: failures, differences by decision, and how often the
//! special things happened that a run is meant to meet.

use std::{collections::BTreeMap, fmt};

use super::{decisions::Decision, start::Start};

/// One disagreement that nothing explains.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What the libraries disagree about.
    pub what: &'static str,
    /// The position.
    pub fen: String,
    /// What each of them says.
    pub detail: String,
    /// The game's number in this run.
    pub game: u64,
}

/// What a run has found.
#[derive(Clone, Default, Debug)]
pub struct Report {
    /// Games played.
    pub games: u64,
    /// Positions compared.
    pub positions: u64,
    /// Chess960 starts played from, out of 960.
    pub starts: u64,
    /// Moves written in SAN and UCI and read back.
    pub texts: u64,
    /// Disagreements.
    pub failures: Vec<Failure>,
    decided: BTreeMap<Decision, u64>,
    met: BTreeMap<&'static str, u64>,
}

impl Report {
    /// Counts a difference that is meant.
    pub fn decided(&mut self, decision: Decision) {
        *self.decided.entry(decision).or_default() += 1;
    }

    /// Counts a special thing that happened.
    pub fn met(&mut self, what: &'static str) {
        *self.met.entry(what).or_default() += 1;
    }

    /// How often a special thing happened.
    #[must_use]
    pub fn times(&self, what: &str) -> u64 {
        self.met.get(what).copied().unwrap_or_default()
    }

    /// Notes a start position that not every library accepts.
    pub fn refused(&mut self, start: &Start, game: u64) {
        self.failures.push(Failure {
            what: "reading the start position",
            fen: start.fen.clone(),
            detail: "not every library accepts it, or its number means another one".into(),
            game,
        });
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} positions of {} games compared with shakmaty and cozy-chess; {} moves written \
             and read back.",
            self.positions, self.games, self.texts
        )?;
        writeln!(f, "Met on the way:")?;
        writeln!(f, "  {:>10}  of the 960 Chess960 starts", self.starts)?;
        for (what, times) in &self.met {
            writeln!(f, "  {times:>10}  {what}")?;
        }
        writeln!(f, "Differences by decision:")?;
        for decision in Decision::ALL {
            let times = self.decided.get(&decision).copied().unwrap_or_default();
            writeln!(
                f,
                "  {times:>10}  {}: {}",
                decision.name(),
                decision.reason()
            )?;
        }
        if self.failures.is_empty() {
            return writeln!(f, "No other difference.");
        }
        writeln!(f, "{} DISAGREEMENTS:", self.failures.len())?;
        for failure in &self.failures {
            writeln!(
                f,
                "  {}\n    position: {}\n    {}\n    (game {})",
                failure.what, failure.fen, failure.detail, failure.game
            )?;
        }
        Ok(())
    }
}
