//! How old the rows of a page are, compared with the code that they test.
//!
//! A row names the version, the commit and the day that it was run with. Where its code has changed since, the row is listed;
//! where its version is also more than one release behind the present one, it has to be run again. Until a version is out, it
//! counts as one: a row of 0.1 may stand beside code of 0.2, and not beside code of 0.3. A commit can be rebased away, and
//! then what was committed after the day counts.

use std::path::Path;

use crate::outcome::Outcome;
use crate::page::Page;
use crate::program::said;
use crate::rows::ROWS;

/// What there is to say about the rows of a page, a line for each.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Age {
    /// Rows whose code has changed since they were run.
    pub(crate) changed: Vec<String>,
    /// Rows that are missing, or too old.
    pub(crate) too_old: Vec<String>,
}

/// Compares the rows of a page with the code of the project in a folder.
pub(crate) fn of(page: &str, root: &Path) -> Result<Age, String> {
    let read = |name: &str| {
        std::fs::read_to_string(root.join(name)).map_err(|error| format!("{name}: {error}"))
    };
    let versions = versions(&read("CHANGELOG.md")?);
    let present = read("Cargo.toml")?;
    let present = present
        .lines()
        .find_map(|line| line.strip_prefix("version = "));
    let present = present
        .ok_or("Cargo.toml names no version")?
        .trim_matches('"');
    let folder = root.to_string_lossy();
    let commits = |outcome: &Outcome, crates: &[&str]| {
        let paths: Vec<String> = crates.iter().map(|name| format!("crates/{name}")).collect();
        let count = |since: &[&str]| {
            let mut arguments = vec!["-C", &folder, "rev-list", "--count"];
            arguments.extend(since);
            arguments.push("--");
            arguments.extend(paths.iter().map(String::as_str));
            said("git", &arguments)?.parse().ok()
        };
        count(&[&format!("{}..HEAD", outcome.commit)])
            .or_else(|| count(&[&after(&outcome.date)?, "HEAD"]))
    };
    let mut read = Page::default();
    read.read(page);
    Ok(compare(&read, &versions, present, commits))
}

fn compare(
    page: &Page,
    versions: &[String],
    present: &str,
    commits: impl Fn(&Outcome, &[&str]) -> Option<u64>,
) -> Age {
    // From the newest to the oldest, so that a larger number is older.
    let age_of = |version: &str| versions.iter().position(|known| known == version);
    let mut age = Age::default();
    for row in ROWS {
        let Some(outcome) = page.outcome(row.id) else {
            age.too_old.push(format!("{}: not in the page", row.id));
            continue;
        };
        let crates = row.crates();
        let since = commits(outcome, &crates);
        if since == Some(0) {
            continue;
        }
        let Some(count) = since else {
            let commit = &outcome.commit;
            let (id, date) = (row.id, &outcome.date);
            age.too_old.push(format!(
                "{id}: neither {commit} nor '{date}' is known to git"
            ));
            continue;
        };
        let line = format!(
            "{}: run with {} at {} on {}; commits to {} since then: {count}",
            row.id,
            outcome.version,
            outcome.commit,
            outcome.date,
            crates.join(", "),
        );
        match (age_of(&outcome.version), age_of(present)) {
            (Some(then), Some(now)) if then <= now + 1 => age.changed.push(line),
            _ => age.too_old.push(line),
        }
    }
    age
}

/// The flag of git for what was committed after a day such as 2026-11-18. Git itself takes any text for a time.
fn after(day: &str) -> Option<String> {
    let mut parts = day.splitn(3, '-');
    let lengths = [4, 2, 2].map(|length| {
        let part = parts.next()?;
        (part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit())).then_some(())
    });
    let is_day = lengths.iter().all(Option::is_some);
    is_day.then(|| format!("--since={day}T23:59:59Z"))
}

/// Returns the versions in the headings of a changelog, the newest first.
fn versions(changelog: &str) -> Vec<String> {
    let is_version = |word: &&str| {
        word.split('.').count() == 3 && word.split('.').all(|part| part.parse::<u32>().is_ok())
    };
    let headings = changelog
        .lines()
        .filter_map(|line| line.strip_prefix("## "));
    let version = |heading: &str| {
        heading
            .split([' ', ',', ':', '[', ']'])
            .find(is_version)
            .map(str::to_owned)
    };
    headings.filter_map(version).collect()
}

#[cfg(test)]
mod tests {
    //! Rows of the present and the previous version are only listed, older ones are too old, and so are missing ones.

    use super::*;

    const CHANGELOG: &str = "# Changelog\n\n## Unreleased: 0.3.0\n\n### Fixed\n\n## [0.2.0] 2027-01-01\n\n## 0.1.0, never published\n";

    fn page(version: &str) -> Page {
        let mut page = Page::default();
        for row in ROWS {
            let outcome = Outcome {
                version: version.to_owned(),
                commit: "abc".to_owned(),
                ..Outcome::default()
            };
            page.put(row, outcome);
        }
        page
    }

    #[test]
    fn versions_are_those_of_the_headings() {
        assert_eq!(versions(CHANGELOG), ["0.3.0", "0.2.0", "0.1.0"]);
    }

    #[test]
    fn a_row_is_too_old_if_its_code_has_changed_and_its_version_is_two_behind() {
        let versions = versions(CHANGELOG);
        for (version, commits, changed, too_old) in [
            ("0.3.0", Some(0), 0, 0),
            ("0.3.0", Some(7), ROWS.len(), 0),
            ("0.2.0", Some(7), ROWS.len(), 0),
            ("0.1.0", Some(7), 0, ROWS.len()),
            ("0.1.0", Some(0), 0, 0),
            ("0.3.0", None, 0, ROWS.len()),
            ("b3f5efb", Some(7), 0, ROWS.len()),
        ] {
            let age = compare(&page(version), &versions, "0.3.0", |_, _| commits);
            let seen = (age.changed.len(), age.too_old.len());
            assert_eq!(seen, (changed, too_old), "{version} {commits:?}");
        }
    }

    #[test]
    fn a_row_asks_for_the_commits_to_its_own_crates_since_its_own() {
        let age = compare(
            &page("0.3.0"),
            &versions(CHANGELOG),
            "0.3.0",
            |since, crates| {
                assert_eq!(since.commit, "abc");
                Some(u64::from(crates.contains(&"db")))
            },
        );
        let rows = age.changed.iter().filter_map(|line| line.split(':').next());
        assert_eq!(rows.collect::<Vec<_>>(), ["A6", "H1", "H2"]);
    }

    #[test]
    fn only_a_day_stands_for_a_lost_commit() {
        let flag = after("2026-11-18");
        assert_eq!(flag.as_deref(), Some("--since=2026-11-18T23:59:59Z"));
        for text in [
            "",
            "unknown",
            "2026-11",
            "2026-11-1",
            "18-11-2026",
            "2026-11-18-",
        ] {
            assert_eq!(after(text), None, "{text}");
        }
    }

    #[test]
    fn a_row_that_is_not_in_the_page_is_too_old() {
        let age = compare(&Page::default(), &versions(CHANGELOG), "0.3.0", |_, _| {
            Some(0)
        });
        assert_eq!(age.too_old.len(), ROWS.len());
        assert_eq!(age.too_old[0], "A1: not in the page");
    }
}
