//! Ends games early when both players agree about them.

use std::str::FromStr;

use tabiya_rules::{ByColor, Color, Score};
use thiserror::Error;

/// Greater than any score in centipawns: a mate.
const MATE: i32 = 1_000_000;

/// When a game is ended early. By default it never is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    resign: Option<(i32, u32)>,
    draw: Option<(i32, u32, u32)>,
    length: Option<u32>,
}

/// One rule, as people type it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// `resign:600:4`: for 4 moves each, both players have agreed that one of them is at least 600 centipawns ahead.
    Resign {
        /// In centipawns.
        score: i32,
        /// How many moves in a row.
        moves: u32,
    },
    /// `draw:10:8:40`: from move 40 on, both players have agreed for 8 moves each that neither is more than 10
    /// centipawns ahead.
    Draw {
        /// In centipawns.
        score: i32,
        /// How many moves in a row.
        moves: u32,
        /// The first move at which the rule applies.
        from: u32,
    },
    /// `length:200`: the game is a draw after 200 moves.
    Length {
        /// The greatest number of moves.
        moves: u32,
    },
}

/// The text is not a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "a rule is resign:CENTIPAWNS:MOVES, draw:CENTIPAWNS:MOVES:FROM or length:MOVES, such as resign:600:4"
)]
pub struct RuleError;

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Rule, RuleError> {
        let mut parts = text.split(':');
        let word = parts.next().unwrap_or_default();
        let numbers: Vec<u32> = parts
            .map(|part| part.parse().ok().filter(|&number| number > 0))
            .collect::<Option<_>>()
            .ok_or(RuleError)?;
        let score = |score: u32| i32::try_from(score).map_err(|_| RuleError);
        Ok(match (word, numbers.as_slice()) {
            ("resign", &[least, moves]) => Rule::Resign {
                score: score(least)?,
                moves,
            },
            ("draw", &[most, moves, from]) => Rule::Draw {
                score: score(most)?,
                moves,
                from,
            },
            ("length", &[moves]) => Rule::Length { moves },
            _ => return Err(RuleError),
        })
    }
}

impl Adjudication {
    /// Adds a rule. It replaces an earlier rule of the same kind.
    #[must_use]
    pub fn with(mut self, rule: Rule) -> Adjudication {
        match rule {
            Rule::Resign { score, moves } => self.resign = Some((score, moves)),
            Rule::Draw { score, moves, from } => self.draw = Some((score, moves, from)),
            Rule::Length { moves } => self.length = Some(moves),
        }
        self
    }
}

/// Watches one game.
#[derive(Debug, Default)]
pub(super) struct Adjudicator {
    rules: Adjudication,
    /// For how many of its own moves in a row each side has reported that it is winning.
    winning: ByColor<u32>,
    /// The same for losing.
    losing: ByColor<u32>,
    /// For how many plies in a row the players have reported an even game.
    level: u32,
    plies: u32,
}

/// How to end the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ruling {
    Wins(Color),
    Draw,
}

impl Adjudicator {
    pub(super) fn new(rules: Adjudication) -> Adjudicator {
        Adjudicator {
            rules,
            ..Adjudicator::default()
        }
    }

    /// Records the score that a side reported with its move, if any. `move_number` is the number of the move in the
    /// game.
    pub(super) fn hear(
        &mut self,
        side: Color,
        said: Option<Score>,
        move_number: u32,
    ) -> Option<Ruling> {
        self.plies += 1;
        let score = said.map(|said| match said {
            Score::Centipawns(value) => value,
            Score::MateIn(_) => MATE,
            Score::MatedIn(_) => -MATE,
        });
        self.resignation(side, score)
            .or_else(|| self.draw(score, move_number))
            .or_else(|| {
                let most = self.rules.length?;
                (self.plies >= most.saturating_mul(2)).then_some(Ruling::Draw)
            })
    }

    /// The side that has been winning for long enough according to both players.
    fn resignation(&mut self, side: Color, score: Option<i32>) -> Option<Ruling> {
        let (least, moves) = self.rules.resign?;
        let wins = score.is_some_and(|score| score >= least);
        let loses = score.is_some_and(|score| score <= -least);
        self.winning[side] = extended(self.winning[side], wins);
        self.losing[side] = extended(self.losing[side], loses);
        Color::ALL
            .into_iter()
            .find(|&color| self.winning[color] >= moves && self.losing[!color] >= moves)
            .map(Ruling::Wins)
    }

    /// A draw, if the game has been level for long enough.
    fn draw(&mut self, score: Option<i32>, move_number: u32) -> Option<Ruling> {
        let (most, moves, from) = self.rules.draw?;
        let is_level = score.is_some_and(|score| score.abs() <= most);
        self.level = extended(self.level, is_level);
        (self.level >= moves.saturating_mul(2) && move_number >= from).then_some(Ruling::Draw)
    }
}

/// The length of a streak that goes on, or ends.
fn extended(streak: u32, goes_on: bool) -> u32 {
    if goes_on { streak + 1 } else { 0 }
}

#[cfg(test)]
mod tests;
