//! The outcome of a row, and how its process reports it: one line for each fact.

use std::time::Duration;

/// The most findings kept as text; all are counted.
const MOST_FINDINGS: usize = 8;

/// The outcome of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) tried: u64,
    pub(crate) failed: u64,
    /// The figures seen, as text; the worst of their kind.
    pub(crate) figures: Vec<String>,
    pub(crate) findings: Vec<String>,
    /// This machine or folder lacks something, as a sentence.
    pub(crate) impossible: Option<String>,
    /// The row itself failed to run, as a sentence.
    pub(crate) broken: Option<String>,
    pub(crate) took: Duration,
    /// The version of the project that was run, its commit, the day, and the machine.
    pub(crate) version: String,
    pub(crate) commit: String,
    pub(crate) date: String,
    pub(crate) machine: String,
}

impl Outcome {
    pub(crate) fn is_bad(&self) -> bool {
        self.failed > 0 || self.broken.is_some()
    }

    pub(crate) fn find(&mut self, sentence: String) {
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push(sentence);
        }
    }

    /// Returns the facts, one line each.
    pub(crate) fn lines(&self) -> Vec<String> {
        let fact = |name: &'static str| move |text: &String| format!("{name} {}", one_line(text));
        let mut lines = vec![self.count()];
        lines.extend(self.figures.iter().map(fact("figure")));
        lines.extend(self.findings.iter().map(fact("finding")));
        lines.extend(self.impossible.iter().map(fact("impossible")));
        lines.extend(self.broken.iter().map(fact("broken")));
        lines.push("end".to_owned());
        lines
    }

    /// Returns the line reported while the row runs.
    pub(crate) fn count(&self) -> String {
        format!("count {} {}", self.tried, self.failed)
    }

    /// Adds a reported line. Returns true for the last one.
    pub(crate) fn take(&mut self, line: &str) -> bool {
        let (name, text) = line.split_once(' ').unwrap_or((line, ""));
        match name {
            "count" => {
                let mut numbers = text.split(' ').map_while(|number| number.parse().ok());
                self.tried = numbers.next().unwrap_or(self.tried);
                self.failed = numbers.next().unwrap_or(self.failed);
            }
            "figure" => self.figures.push(text.to_owned()),
            "finding" => self.find(text.to_owned()),
            "impossible" => self.impossible = Some(text.to_owned()),
            "broken" => self.broken = Some(text.to_owned()),
            _ => return name == "end",
        }
        false
    }
}

/// Removes line breaks and anything else that could break a table or a terminal.
fn one_line(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().take(400).map(plain).collect()
}

#[cfg(test)]
mod tests {
    //! The lines of an outcome are read back as the same outcome.

    use super::*;

    #[test]
    fn facts_survive_the_way_between_two_processes() {
        let outcome = Outcome {
            tried: 12,
            failed: 3,
            figures: vec!["p99 3 ms".to_owned(), "64 MiB".to_owned()],
            findings: vec!["end of the world".to_owned()],
            impossible: Some("no disk".to_owned()),
            broken: Some("no power".to_owned()),
            ..Outcome::default()
        };
        let mut taken = Outcome::default();
        let ends: Vec<bool> = outcome
            .lines()
            .iter()
            .map(|line| taken.take(line))
            .collect();
        assert_eq!(taken, outcome);
        assert_eq!(ends.iter().filter(|end| **end).count(), 1);
        assert_eq!(ends.last(), Some(&true));
    }

    #[test]
    fn a_text_of_many_lines_is_one() {
        let mut outcome = Outcome::default();
        outcome.find("one\ntwo\u{1b}[2J".to_owned());
        assert_eq!(outcome.lines()[1], "finding one two [2J");
    }
}
