//! Interleaved measurement and what is made of it: medians, ratios, tables.

use std::time::{Duration, Instant};

use crate::entrant::{Entrant, Job, Material};

/// How long and how often to measure.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Rounds that count; one more is run before them to warm up.
    pub rounds: usize,
    /// The least time of one sample.
    pub sample: Duration,
}

/// One line of a table: a library's rates in units per second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rate {
    /// The middle of all rounds.
    pub median: f64,
    /// The slowest round.
    pub slowest: f64,
    /// The fastest round.
    pub fastest: f64,
}

/// Measures one job for every library, round by round, each round beginning
/// with another library so that none always has the same neighbor.
#[must_use]
pub fn measure(
    entrants: &[&dyn Entrant],
    job: Job,
    material: &Material<'_>,
    effort: Effort,
) -> Vec<Rate> {
    interleaved(entrants, effort, |entrant| entrant.run(job, material))
}

/// Measures something that several contestants do, round by round in the same
/// way. The function does it once and returns how many units of work that was.
#[must_use]
pub fn interleaved<E>(
    contestants: &[E],
    effort: Effort,
    mut perform: impl FnMut(&E) -> u64,
) -> Vec<Rate> {
    let mut samples = vec![Vec::with_capacity(effort.rounds); contestants.len()];
    for round in 0..=effort.rounds {
        for turn in 0..contestants.len() {
            let index = (turn + round) % contestants.len();
            let rate = sample(effort.sample, || perform(&contestants[index]));
            if round > 0 {
                samples[index].push(rate);
            }
        }
    }
    samples.into_iter().map(rate).collect()
}

fn sample(least: Duration, mut perform: impl FnMut() -> u64) -> f64 {
    let start = Instant::now();
    let mut units = 0;
    loop {
        units += perform();
        let elapsed = start.elapsed();
        if elapsed >= least {
            return units as f64 / elapsed.as_secs_f64();
        }
    }
}

fn rate(mut samples: Vec<f64>) -> Rate {
    samples.sort_by(f64::total_cmp);
    let middle = samples.len() / 2;
    let median = if samples.len() % 2 == 1 {
        samples[middle]
    } else {
        (samples[middle - 1] + samples[middle]) / 2.0
    };
    Rate {
        median,
        slowest: samples[0],
        fastest: samples[samples.len() - 1],
    }
}

/// The geometric mean, library by library, of the rates of several jobs.
#[must_use]
pub fn geometric_mean(jobs: &[Vec<Rate>]) -> Vec<Rate> {
    let mean = |library: usize, part: fn(&Rate) -> f64| {
        let sum: f64 = jobs.iter().map(|rates| part(&rates[library]).ln()).sum();
        (sum / jobs.len() as f64).exp()
    };
    (0..jobs.first().map_or(0, Vec::len))
        .map(|library| Rate {
            median: mean(library, |rate| rate.median),
            slowest: mean(library, |rate| rate.slowest),
            fastest: mean(library, |rate| rate.fastest),
        })
        .collect()
}

/// The name of the library that ratios are taken to.
const BASE: &str = "shakmaty";
/// The name of the library that is no peer of itself.
const OWN: &str = "tabiya";

/// The tables of all runs, to be shown side by side.
#[derive(Default, Debug)]
pub struct Summary(Vec<Row>);

/// A table of a summary.
#[derive(Debug)]
struct Row {
    title: String,
    names: Vec<&'static str>,
    /// Of each run, the rates.
    runs: Vec<Vec<Rate>>,
}

impl Summary {
    /// Adds a table of one more run.
    pub fn add(&mut self, title: &str, names: &[&'static str], rates: Vec<Rate>) {
        if let Some(row) = self.0.iter_mut().find(|row| row.title == title) {
            row.runs.push(rates);
        } else {
            self.0.push(Row {
                title: title.to_owned(),
                names: names.to_vec(),
                runs: vec![rates],
            });
        }
    }

    /// One Markdown table of all: medians of the runs, and the ratios from the smallest to the largest of a run.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut names: Vec<&str> = Vec::new();
        for name in self.0.iter().flat_map(|row| &row.names) {
            if !names.contains(name) {
                names.push(name);
            }
        }
        let columns = names.len() + 2;
        let mut text = format!("| | {} | vs. {BASE} | vs. best peer |\n", names.join(" | "));
        text += &format!("|{}\n", " --- |".repeat(columns + 1));
        for row in &self.0 {
            let cells = names.iter().map(|name| row.cell(name));
            let base = |name: &str| name == BASE;
            let ratios = [row.ratios(base), row.ratios(|name| name != OWN)];
            let cells: Vec<_> = cells.chain(ratios).collect();
            text += &format!("| {} | {} |\n", row.title, cells.join(" | "));
        }
        text
    }
}

impl Row {
    /// The median of all runs for a library, in millions.
    fn cell(&self, name: &str) -> String {
        let Some(index) = self.names.iter().position(|known| *known == name) else {
            return "–".into();
        };
        let medians = self.runs.iter().map(|rates| rates[index].median).collect();
        let millions = rate(medians).median / 1e6;
        let digits = usize::from(millions < 100.0);
        match name {
            OWN => format!("**{millions:.digits$}**"),
            _ => format!("{millions:.digits$}"),
        }
    }

    /// From the smallest to the largest, how much faster the library itself was in a run than the fastest of some others.
    fn ratios(&self, other: impl Fn(&str) -> bool) -> String {
        let ratio = |rates: &Vec<Rate>| {
            let named = || self.names.iter().zip(rates);
            let own = named().find(|(name, _)| **name == OWN)?.1.median;
            let others = named().filter(|(name, _)| other(name));
            let best = others.map(|(_, rate)| rate.median).reduce(f64::max)?;
            Some(own / best)
        };
        let Some(ratios) = self.runs.iter().map(ratio).collect::<Option<Vec<_>>>() else {
            return "–".into();
        };
        let range = rate(ratios);
        let [least, most] = [range.slowest, range.fastest].map(|ratio| format!("{ratio:.2}"));
        match least == most {
            true => format!("{least}×"),
            false => format!("{least} to {most}×"),
        }
    }
}

/// One table as text: median, range, and the ratio of the median to shakmaty's
/// and to the best peer's.
#[must_use]
pub fn table(title: &str, names: &[&str], rates: &[Rate], notes: &[String]) -> String {
    let of = |wanted: &str| {
        names
            .iter()
            .position(|name| *name == wanted)
            .and_then(|index| rates.get(index))
            .map(|rate| rate.median)
    };
    let base = of(BASE);
    let best = names
        .iter()
        .zip(rates)
        .filter(|(name, _)| **name != OWN)
        .map(|(_, rate)| rate.median)
        .reduce(f64::max);
    let ratio = |rate: &Rate, to: Option<f64>| {
        to.map_or_else(|| "-".into(), |to| format!("{:.2}", rate.median / to))
    };
    let mut text = format!(
        "{title}\n  {:<12} {:>9} {:>19} {:>12} {:>12}\n",
        "", "median", "slowest..fastest", "to shakmaty", "to best peer"
    );
    for (index, rate) in rates.iter().enumerate() {
        let range = format!("{:.2}..{:.2}", rate.slowest / 1e6, rate.fastest / 1e6);
        text += &format!(
            "  {:<12} {:>9.2} {range:>19} {:>12} {:>12}  {}\n",
            names[index],
            rate.median / 1e6,
            ratio(rate, base),
            ratio(rate, best),
            notes.get(index).map_or("", String::as_str)
        );
    }
    // A line without a note would end in blanks.
    text.lines()
        .map(str::trim_end)
        .collect::<Vec<_>>()
        .join("\n")
        + "\n"
}
