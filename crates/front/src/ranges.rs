//! Short notations: ranges of numbers, words that a name must contain, and counts with their nouns.

use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

/// Why a text is not a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RangeError {
    #[error(
        "a range is two numbers such as 20..40, of which either may be left out, or one number"
    )]
    Numbers,
    #[error("a range of dates is one such as 2020..2022.06, 2020.. or 2021.12.24")]
    Dates,
    #[error("a range of openings is one such as B20..B99, C, E97 or ..A39")]
    Openings,
    #[error("the range ends before it begins")]
    Reversed,
}

/// Parses a range such as `a..b`, `a..`, `..b` or `a`. `read` returns the least and the greatest value that one end can
/// mean, and `all` is the range without ends. A text of another form is refused with the error `wrong`.
pub fn parse_range<T: PartialOrd>(
    text: &str,
    all: RangeInclusive<T>,
    wrong: RangeError,
    read: impl Fn(&str) -> Option<(T, T)>,
) -> Result<RangeInclusive<T>, RangeError> {
    // Both ends of a single value are that value.
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    if first.trim().is_empty() && last.trim().is_empty() {
        return Err(wrong);
    }
    let end = |text: &str| match text.trim() {
        "" => Ok(None),
        _ => read(text).map(Some).ok_or(wrong),
    };
    let (least, most) = all.into_inner();
    let first = end(first)?.map_or(least, |(least, _)| least);
    let last = end(last)?.map_or(most, |(_, most)| most);
    if first > last {
        return Err(RangeError::Reversed);
    }
    Ok(first..=last)
}

/// A range of numbers, such as `2600..2700`, `2600..`, `..40` or `40`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbers(RangeInclusive<u64>);

impl Numbers {
    pub fn contains(&self, number: u64) -> bool {
        self.0.contains(&number)
    }

    /// The range in small numbers.
    pub fn as_range(&self) -> RangeInclusive<u16> {
        let end = |number: u64| u16::try_from(number).unwrap_or(u16::MAX);
        end(*self.0.start())..=end(*self.0.end())
    }

    /// The end of the range.
    pub fn most(&self) -> u64 {
        *self.0.end()
    }
}

impl FromStr for Numbers {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Numbers, RangeError> {
        let range = parse_range(text, 0..=u64::MAX, RangeError::Numbers, |text| {
            let number = text.trim().parse().ok()?;
            Some((number, number))
        });
        Ok(Numbers(range?))
    }
}

/// A query of names: words that must all occur, in any case and order.
///
/// A word matches the beginning of a word in the name: `so` finds So and Sokolov, not Karlsson. In quotes or after `=`
/// it must be a whole word: `=so` finds only So.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(Vec<Word>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    text: String,
    is_whole: bool,
}

impl From<&str> for Words {
    fn from(text: &str) -> Words {
        let text = text.trim();
        let plain = text.trim_start_matches('=');
        let mut all = Vec::new();
        for (index, part) in plain.split('"').enumerate() {
            let is_whole = plain != text || index % 2 == 1;
            all.extend(words(&part.to_lowercase()).map(|word| Word {
                text: word.to_owned(),
                is_whole,
            }));
        }
        Words(all)
    }
}

impl Words {
    /// Whether a name has all the words: the whole ones as they are, and the others at the beginning of its words.
    pub fn are_in(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.0.iter().all(|word| {
            words(&name).any(|found| match word.is_whole {
                true => found == word.text,
                false => found.starts_with(&word.text),
            })
        })
    }
}

/// The words of a text: runs of letters and digits.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// A count with its noun: `1 game`, `2 games`.
pub fn counted(count: impl Into<u64>, one: &str, more: &str) -> String {
    let count = count.into();
    format!("{count} {}", if count == 1 { one } else { more })
}
