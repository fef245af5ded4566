//! The filter of games as people type it: `carlsen white blitz rating 2400.. years 2015..`.

use std::ops::RangeInclusive;
use std::str::FromStr;

use tabiya_db::{RATING_BAND, Speed};
use tabiya_rules::Color;
use tabiya_rules::text::excerpt;
use thiserror::Error;

use crate::ranges::{Numbers, RangeError};

/// A filter of games. By default it accepts all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    pub(crate) ratings: Option<RangeInclusive<u16>>,
    pub(crate) years: Option<RangeInclusive<u16>>,
    pub(crate) speeds: Vec<Speed>,
    /// Words that a player's name must contain.
    pub(crate) player: Option<String>,
    /// The side of that player.
    pub(crate) color: Option<Color>,
}

/// Why a text is not a filter.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum FilterError {
    #[error("After {word} comes a range, such as {example}.")]
    NoRange {
        word: &'static str,
        example: &'static str,
    },
    #[error("'{text}' is not a range: {why}.")]
    Range { text: String, why: RangeError },
    #[error(
        "Ratings are counted in bands of {RATING_BAND}: a range is one such as 2000.. or 2000..2399."
    )]
    Band,
    #[error("White and black are the side of a player: name one.")]
    NobodysSide,
}

impl Filter {
    /// Checks that games can be counted by it. In the player's own games a side needs no name.
    pub(crate) fn check(&self, is_own: bool) -> Result<(), FilterError> {
        if self.color.is_some() && self.player.is_none() && !is_own {
            return Err(FilterError::NobodysSide);
        }
        let ratings = tabiya_db::Filter {
            ratings: self.ratings.clone(),
            ..tabiya_db::Filter::default()
        };
        // Where a player is wanted, or a side of one's own, every game is looked at.
        match self.player.is_none() && self.color.is_none() && !ratings.is_banded() {
            true => Err(FilterError::Band),
            false => Ok(()),
        }
    }
}

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Filter, FilterError> {
        let mut filter = Filter::default();
        let mut name: Vec<&str> = Vec::new();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            match word.to_ascii_lowercase().as_str() {
                "rating" => filter.ratings = Some(range("rating", "2000..", words.next())?),
                "years" | "year" => filter.years = Some(range("years", "2015..", words.next())?),
                "white" => filter.color = Some(Color::White),
                "black" => filter.color = Some(Color::Black),
                _ => match word.parse() {
                    Ok(speed) => filter.speeds.push(speed),
                    Err(_) => name.push(word),
                },
            }
        }
        filter.player = (!name.is_empty()).then(|| name.join(" "));
        Ok(filter)
    }
}

fn range(
    word: &'static str,
    example: &'static str,
    text: Option<&str>,
) -> Result<RangeInclusive<u16>, FilterError> {
    let text = text.ok_or(FilterError::NoRange { word, example })?;
    let numbers: Numbers = text.parse().map_err(|why| FilterError::Range {
        text: excerpt(text),
        why,
    })?;
    Ok(numbers.as_range())
}
