//! Tests of a tag's value: `TimeControl=600+0`, `WhiteElo>=2600`, `Event~open`.

use std::cmp::Ordering;
use std::str::FromStr;

use regex::{Regex, RegexBuilder};
use thiserror::Error;

/// The greatest size of a regular expression, in bytes.
const MAX_REGEX_SIZE: usize = 1 << 20;

/// A tag, and the test of its value.
#[derive(Clone, Debug)]
pub(crate) struct TagTest {
    pub(crate) name: String,
    /// Whether the value must fail the test.
    is_negated: bool,
    test: Test,
}

#[derive(Clone, Debug)]
enum Test {
    Is(String),
    /// The value has this relation to a number, otherwise to a text.
    Compares(String, fn(Ordering) -> bool),
    Matches(Regex),
}

/// The text is not a test of a tag.
#[derive(Debug, Error)]
pub(crate) enum TagTestError {
    #[error("a tag test is a name, one of = != < <= > >= ~ !~ and a value, such as WhiteElo>=2600")]
    Form,
    #[error("the regular expression cannot be read: {}", fault(.0))]
    Regex(#[from] regex::Error),
}

/// The operators; one that is a prefix of another comes after it.
const SIGNS: [&str; 8] = ["!=", "!~", "<=", ">=", "=", "~", "<", ">"];

impl FromStr for TagTest {
    type Err = TagTestError;

    fn from_str(text: &str) -> Result<TagTest, TagTestError> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let text = text.trim();
        let end = text.find(|c| !is_name(c)).ok_or(TagTestError::Form)?;
        let (name, rest) = text.split_at(end);
        let rest = rest.trim_start();
        let found = SIGNS
            .into_iter()
            .find_map(|sign| Some((sign, rest.strip_prefix(sign)?.trim())));
        let (sign, value) = found.ok_or(TagTestError::Form)?;
        if name.is_empty() {
            return Err(TagTestError::Form);
        }
        let compares = |relation: fn(Ordering) -> bool| Test::Compares(value.to_owned(), relation);
        let test = match sign {
            "=" | "!=" => Test::Is(value.to_owned()),
            "~" | "!~" => Test::Matches(regex(value)?),
            "<" => compares(Ordering::is_lt),
            "<=" => compares(Ordering::is_le),
            ">" => compares(Ordering::is_gt),
            _ => compares(Ordering::is_ge),
        };
        Ok(TagTest {
            name: name.to_owned(),
            is_negated: sign.starts_with('!'),
            test,
        })
    }
}

/// What is wrong with a regular expression: the last line of a drawing of it.
fn fault(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().next_back().unwrap_or_default();
    last.trim_start_matches("error: ").to_owned()
}

fn regex(text: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(text)
        .case_insensitive(true)
        .size_limit(MAX_REGEX_SIZE)
        .build()
}

impl TagTest {
    /// Whether this value passes. A missing value or `?` is neither less nor greater than anything.
    pub(crate) fn passes(&self, value: Option<&str>) -> bool {
        let value = value.map(str::trim);
        let passes = match &self.test {
            Test::Is(wanted) => value == Some(wanted),
            Test::Matches(regex) => value.is_some_and(|value| regex.is_match(value)),
            Test::Compares(wanted, relation) => {
                let known = value.filter(|value| !value.is_empty() && !value.starts_with('?'));
                known.is_some_and(|value| relation(compare(value, wanted)))
            }
        };
        passes != self.is_negated
    }
}

/// The order of two values: as numbers if both are, otherwise as texts.
pub(crate) fn compare(one: &str, other: &str) -> Ordering {
    match (number(one), number(other)) {
        (Some(one), Some(other)) => one.total_cmp(&other),
        _ => one.cmp(other),
    }
}

/// A value as a number, if it is one.
pub(crate) fn number(text: &str) -> Option<f64> {
    let first = text.bytes().next()?;
    let may_be = first.is_ascii_digit() || matches!(first, b'-' | b'+' | b'.');
    let number = may_be.then(|| text.parse().ok()).flatten();
    number.filter(|number: &f64| !number.is_nan())
}

#[cfg(test)]
mod tests;
