//! How old the rows of a page are, compared with the code that they test.
//!
//! A row names the version, the commit and the day that it was run with. Where its code has changed since, the row is listed.
//! It has to be run again where its version is more than one release behind the present one (until a version is out, it
//! counts as one: a row of 0.1 may stand beside code of 0.2, and not beside code of 0.3), or where the newest commit to its
//! code is more than [`MOST_DAYS`] later. Git knows the times, so a page does not age while nobody works on the code. A
//! commit can be rebased away, and then the end of the day counts in its place.

use std::path::Path;

use crate::meter::{Fault, Outcome};
use crate::page::Page;
use crate::process::said;
use crate::rows::{ROWS, Row};

/// How many days the newest commit to the code of a row may be later than the row.
pub(crate) const MOST_DAYS: u64 = 60;

/// What there is to say about the rows of a page, a line for each.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Age {
    /// Rows whose code has changed since they were run.
    pub(crate) changed: Vec<String>,
    /// Rows that are missing, or too old.
    pub(crate) too_old: Vec<String>,
}

/// What happened to the code of a row since it was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Since {
    commits: u64,
    /// Days from the row to the newest of them.
    days: u64,
}

/// Compares the rows of a page with the code of the project in a folder.
pub(crate) fn of(page: &str, root: &Path) -> Result<Age, Fault> {
    let versions = versions(&std::fs::read_to_string(root.join("CHANGELOG.md"))?);
    let manifest = std::fs::read_to_string(root.join("Cargo.toml"))?;
    let present = manifest
        .lines()
        .find_map(|line| line.strip_prefix("version = "));
    let present = present
        .ok_or("Cargo.toml names no version")?
        .trim_matches('"');
    let mut read = Page::default();
    read.read(page);
    Ok(compare(&read, &versions, present, |row, outcome| {
        since(root, row, outcome)
    }))
}

/// Asks Git, which may know neither the commit nor the day.
fn since(root: &Path, row: &Row, outcome: &Outcome) -> Option<Since> {
    let folder = root.to_string_lossy();
    let git = |arguments: &[&str]| said("git", &[&["-C", &folder], arguments].concat());
    let paths: Vec<String> = row
        .crates
        .iter()
        .map(|name| format!("crates/{name}"))
        .collect();
    let of_crates = |arguments: &[&str]| -> Option<u64> {
        let paths = paths.iter().map(String::as_str);
        let arguments: Vec<&str> = arguments
            .iter()
            .copied()
            .chain(["--"])
            .chain(paths)
            .collect();
        git(&arguments)?.parse().ok()
    };
    let by_commit = || {
        let commits = of_crates(&["rev-list", "--count", &format!("{}..HEAD", outcome.commit)])?;
        let seconds = git(&["show", "--no-patch", "--format=%ct", &outcome.commit])?;
        Some((commits, seconds.parse::<u64>().ok()?))
    };
    let by_day = || {
        let after = after(&outcome.date)?;
        let commits = of_crates(&["rev-list", "--count", &after, "HEAD"])?;
        let seconds = git(&["rev-parse", &after])?;
        Some((commits, seconds.strip_prefix("--max-age=")?.parse().ok()?))
    };
    let (commits, seconds) = by_commit().or_else(by_day)?;
    let newest = of_crates(&["log", "-1", "--format=%ct", "HEAD"])?;
    let days = newest.saturating_sub(seconds) / (24 * 60 * 60);
    Some(Since { commits, days })
}

fn compare(
    page: &Page,
    versions: &[String],
    present: &str,
    since: impl Fn(&Row, &Outcome) -> Option<Since>,
) -> Age {
    // From the newest to the oldest, so that a larger number is older.
    let age_of = |version: &str| versions.iter().position(|known| known == version);
    let mut age = Age::default();
    for row in ROWS {
        let id = row.id;
        let Some(outcome) = page.outcome(id) else {
            age.too_old.push(format!("{id}: not in the page"));
            continue;
        };
        let Outcome {
            version,
            commit,
            date,
            ..
        } = outcome;
        let Some(Since { commits, days }) = since(row, outcome) else {
            age.too_old.push(format!(
                "{id}: neither {commit} nor '{date}' is known to git"
            ));
            continue;
        };
        if commits == 0 {
            continue;
        }
        let line = format!(
            "{id}: run with {version} at {commit} on {date}; commits to {} since then: {commits}, the newest {days} days later",
            row.crates.join(", "),
        );
        match (age_of(version), age_of(present)) {
            (Some(then), Some(now)) if then <= now + 1 && days <= MOST_DAYS => {
                age.changed.push(line);
            }
            _ => age.too_old.push(line),
        }
    }
    age
}

/// The flag of git for what was committed after a day such as 2026-11-18. Git itself takes any text for a time.
fn after(day: &str) -> Option<String> {
    let digits = |part: &str| {
        part.bytes()
            .all(|byte| byte.is_ascii_digit())
            .then_some(part.len())
    };
    let is_day = day.split('-').map(digits).eq([Some(4), Some(2), Some(2)]);
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
    fn a_row_is_too_old_if_its_code_has_changed_and_it_is_two_versions_or_many_days_behind() {
        let versions = versions(CHANGELOG);
        let since = |commits, days| Some(Since { commits, days });
        for (version, since, changed, too_old) in [
            ("0.3.0", since(0, 0), 0, 0),
            ("0.3.0", since(7, 0), ROWS.len(), 0),
            ("0.3.0", since(7, 60), ROWS.len(), 0),
            ("0.3.0", since(7, 61), 0, ROWS.len()),
            ("0.2.0", since(7, 61), 0, ROWS.len()),
            ("0.3.0", since(0, 61), 0, 0),
            ("0.2.0", since(7, 3), ROWS.len(), 0),
            ("0.1.0", since(7, 3), 0, ROWS.len()),
            ("0.1.0", since(0, 3), 0, 0),
            ("0.3.0", None, 0, ROWS.len()),
            ("b3f5efb", since(7, 3), 0, ROWS.len()),
        ] {
            let age = compare(&page(version), &versions, "0.3.0", |_, _| since);
            let seen = (age.changed.len(), age.too_old.len());
            assert_eq!(seen, (changed, too_old), "{version} {since:?}");
        }
    }

    #[test]
    fn git_tells_the_commits_and_the_days_by_the_commit_of_a_row_or_by_its_day() {
        let folder = tempfile::tempdir().expect("a folder");
        let git = |date: &str, words: &str| {
            let mut git = std::process::Command::new("git");
            git.arg("-C")
                .arg(folder.path())
                .args(["-c", "user.name=a", "-c", "user.email=a"]);
            git.args(words.split(' '))
                .env("GIT_COMMITTER_DATE", date)
                .env("GIT_AUTHOR_DATE", date);
            let output = git.output().expect("git runs");
            assert!(output.status.success(), "{words}: {output:?}");
            String::from_utf8(output.stdout)
                .expect("text")
                .trim()
                .to_owned()
        };
        let row = &ROWS[0];
        let file = format!("crates/{}/file", row.crates[0]);
        std::fs::create_dir_all(folder.path().join(&file).with_file_name("")).expect("a folder");
        let commit = |date: &str, file: &str| {
            std::fs::write(folder.path().join(file), date).expect("a file");
            git(date, "add .");
            git(date, "commit --quiet --message=x");
            git(date, "rev-parse HEAD")
        };
        std::process::Command::new("git")
            .args(["init", "--quiet"])
            .arg(folder.path())
            .status()
            .expect("git runs");
        let of = |commit: &str, date: &str| {
            let outcome = Outcome {
                commit: commit.to_owned(),
                date: date.to_owned(),
                ..Outcome::default()
            };
            since(folder.path(), row, &outcome)
        };
        let first = commit("2026-01-01T12:00:00Z", &file);
        // What is committed elsewhere makes a row no older.
        commit("2026-12-31T12:00:00Z", "other");
        assert_eq!(
            of(&first, ""),
            Some(Since {
                commits: 0,
                days: 0
            })
        );
        commit("2027-01-05T12:00:00Z", &file);
        assert_eq!(
            of(&first, ""),
            Some(Since {
                commits: 1,
                days: 369
            })
        );
        assert_eq!(
            of("abc", "2026-01-01"),
            Some(Since {
                commits: 1,
                days: 368
            })
        );
        assert_eq!(
            of("abc", "2027-01-05"),
            Some(Since {
                commits: 0,
                days: 0
            })
        );
        assert_eq!(of("abc", "yesterday"), None);
    }

    #[test]
    fn a_row_asks_for_the_commits_to_its_own_crates() {
        let age = compare(
            &page("0.3.0"),
            &versions(CHANGELOG),
            "0.3.0",
            |row, outcome| {
                assert_eq!(outcome.commit, "abc");
                Some(Since {
                    commits: u64::from(row.crates.contains(&"db")),
                    days: 0,
                })
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
        let age = compare(&Page::default(), &versions(CHANGELOG), "0.3.0", |_, _| None);
        assert_eq!(age.too_old.len(), ROWS.len());
        assert_eq!(age.too_old[0], "A1: not in the page");
    }
}
