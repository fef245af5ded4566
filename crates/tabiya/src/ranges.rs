//! Short notations of the user: ranges of numbers, and words that a name must contain.

use std::ops::RangeInclusive;
use std::str::FromStr;

/// Parses a range such as `a..b`, `a..`, `..b` or `a`. `read` returns the least and the greatest value that one end can
/// mean, and `all` is the range without ends. A wrong range is refused with a sentence.
pub(crate) fn parse_range<T: PartialOrd>(
    text: &str,
    all: RangeInclusive<T>,
    wrong: &'static str,
    read: impl Fn(&str) -> Option<(T, T)>,
) -> Result<RangeInclusive<T>, &'static str> {
    let (first, last) = ends(text).ok_or(wrong)?;
    let (least, most) = all.into_inner();
    let first = match first {
        Some(text) => read(text).ok_or(wrong)?.0,
        None => least,
    };
    let last = match last {
        Some(text) => read(text).ok_or(wrong)?.1,
        None => most,
    };
    if first > last {
        return Err("the range ends before it begins");
    }
    Ok(first..=last)
}

/// A range of numbers, such as `2600..2700`, `2600..`, `..40` or `40`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    least: u64,
    most: u64,
}

impl Numbers {
    pub(crate) fn contains(&self, number: u64) -> bool {
        (self.least..=self.most).contains(&number)
    }

    /// The range in small numbers.
    pub(crate) fn as_range(&self) -> RangeInclusive<u16> {
        let end = |number: u64| u16::try_from(number).unwrap_or(u16::MAX);
        end(self.least)..=end(self.most)
    }

    /// The end of the range.
    pub(crate) fn most(&self) -> u64 {
        self.most
    }
}

impl FromStr for Numbers {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Numbers, &'static str> {
        const WRONG: &str =
            "a range is two numbers such as 20..40, of which either may be left out, or one number";
        let range = parse_range(text, 0..=u64::MAX, WRONG, |text| {
            let number = text.trim().parse().ok()?;
            Some((number, number))
        })?;
        let (least, most) = range.into_inner();
        Ok(Numbers { least, most })
    }
}

/// The two ends of a range; of a single value, both are that value. `None` if the text is empty.
fn ends(text: &str) -> Option<(Option<&str>, Option<&str>)> {
    let given = |text: &'_ str| !text.trim().is_empty();
    match text.split_once("..") {
        Some((first, last)) => {
            let ends = (
                Some(first).filter(|text| given(text)),
                Some(last).filter(|text| given(text)),
            );
            (ends != (None, None)).then_some(ends)
        }
        None => given(text).then_some((Some(text), Some(text))),
    }
}

/// A query of names: words that must all occur, in any case and order.
///
/// A word matches the beginning of a word in the name: `so` finds So and Sokolov, not Karlsson. In quotes or after `=`
/// it must be a whole word: `=so` finds only So.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Words(Vec<Word>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    text: String,
    is_whole: bool,
}

impl From<&str> for Words {
    fn from(text: &str) -> Words {
        let (text, all_whole) = match text.trim().strip_prefix('=') {
            Some(text) => (text, true),
            None => (text, false),
        };
        let mut words = Vec::new();
        for (index, part) in text.split('"').enumerate() {
            let is_whole = all_whole || index % 2 == 1;
            words.extend(split(&part.to_lowercase()).map(|word| Word {
                text: word.to_owned(),
                is_whole,
            }));
        }
        Words(words)
    }
}

impl Words {
    pub(crate) fn are_in(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.0.iter().all(|word| {
            split(&name).any(|found| match word.is_whole {
                true => found == word.text,
                false => found.starts_with(&word.text),
            })
        })
    }
}

/// The words of a text: runs of letters and digits.
fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}
