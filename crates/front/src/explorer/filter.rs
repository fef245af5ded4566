//! Which games count, and how people type that: `carlsen white blitz rating 2400.. years 2015..`.

use std::ops::RangeInclusive;
use std::str::FromStr;

use tabiya_db::{Filter, RATING_BAND};
use tabiya_rules::Color;
use tabiya_rules::text::excerpt;
use thiserror::Error;

use crate::ranges::{Numbers, RangeError};

/// A filter of games. By default it accepts all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// The filter as it was typed; empty if it comes from flags.
    pub text: String,
    /// What the tables of a database can be asked for.
    pub facts: Filter,
    /// Words that a player's name must contain.
    pub player: Option<String>,
    /// The side of that player.
    pub color: Option<Color>,
}

/// Why a text is not a filter.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FilterError {
    #[error("After {word} comes a range, such as '{example}'.")]
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
    #[error("White or black is the side of a player: name the player, too.")]
    NobodysSide,
}

impl FromStr for GameFilter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<GameFilter, FilterError> {
        let mut filter = GameFilter::default();
        if text == "all" {
            return Ok(filter);
        }
        text.clone_into(&mut filter.text);
        let facts = &mut filter.facts;
        let mut name: Vec<&str> = Vec::new();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            match word.to_ascii_lowercase().as_str() {
                "rating" => facts.ratings = Some(range("rating", "2000..", words.next())?),
                "years" | "year" => facts.years = Some(range("years", "2015..", words.next())?),
                "white" => filter.color = Some(Color::White),
                "black" => filter.color = Some(Color::Black),
                _ => match word.parse() {
                    Ok(speed) => facts.speeds.push(speed),
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
