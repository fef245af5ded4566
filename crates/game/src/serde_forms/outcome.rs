//! How a game ended.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tabiya_rules::Color;

use crate::outcome::{DrawBy, GameResult, Outcome};

/// An outcome in human-readable formats: first what everyone asks for, then what only some outcomes have. The
/// result and the sentence follow from the rest and are ignored when reading.
#[derive(Serialize, Deserialize)]
struct Readable {
    #[serde(skip_deserializing)]
    result: GameResult,
    winner: Option<Color>,
    reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<DrawBy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flagged: Option<Color>,
    #[serde(skip_deserializing)]
    text: String,
}

impl From<Outcome> for Readable {
    fn from(outcome: Outcome) -> Readable {
        Readable {
            result: outcome.result(),
            winner: outcome.winner(),
            reason: outcome.reason().to_owned(),
            by: match outcome {
                Outcome::Threefold(by) | Outcome::FiftyMoves(by) => Some(by),
                Outcome::Checkmate { .. }
                | Outcome::Stalemate
                | Outcome::InsufficientMaterial
                | Outcome::DeadPosition
                | Outcome::Fivefold
                | Outcome::SeventyFiveMoves
                | Outcome::Agreement
                | Outcome::Resignation { .. }
                | Outcome::Time { .. }
                | Outcome::TimeWithoutMaterial { .. }
                | Outcome::Abandoned { .. }
                | Outcome::Adjudicated { .. }
                | Outcome::RulesInfraction { .. }
                | Outcome::Recorded { .. } => None,
            },
            flagged: match outcome {
                Outcome::TimeWithoutMaterial { flagged } => Some(flagged),
                _ => None,
            },
            text: outcome.to_string(),
        }
    }
}

impl Readable {
    /// Returns the outcome, unless a member is missing or superfluous.
    fn outcome(self) -> Option<Outcome> {
        let winner = self.winner;
        let outcome = match &*self.reason {
            "checkmate" => Outcome::Checkmate { winner: winner? },
            "stalemate" => Outcome::Stalemate,
            "insufficient_material" => Outcome::InsufficientMaterial,
            "dead_position" => Outcome::DeadPosition,
            "threefold" => Outcome::Threefold(self.by?),
            "fifty" => Outcome::FiftyMoves(self.by?),
            "fivefold" => Outcome::Fivefold,
            "seventy_five" => Outcome::SeventyFiveMoves,
            "agreement" => Outcome::Agreement,
            "resignation" => Outcome::Resignation { loser: !winner? },
            "time" => Outcome::Time { loser: !winner? },
            "time_without_material" => Outcome::TimeWithoutMaterial {
                flagged: self.flagged?,
            },
            "abandoned" => Outcome::Abandoned { winner },
            "adjudicated" => Outcome::Adjudicated { winner },
            "rules_infraction" => Outcome::RulesInfraction { loser: !winner? },
            "recorded" => Outcome::Recorded { winner },
            _ => return None,
        };
        (outcome.winner() == winner).then_some(outcome)
    }
}

/// An outcome in binary formats.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Outcome")]
enum Compact {
    Checkmate { winner: Color },
    Stalemate,
    InsufficientMaterial,
    DeadPosition,
    Threefold(DrawBy),
    FiftyMoves(DrawBy),
    Fivefold,
    SeventyFiveMoves,
    Agreement,
    Resignation { loser: Color },
    Time { loser: Color },
    TimeWithoutMaterial { flagged: Color },
    Abandoned { winner: Option<Color> },
    Adjudicated { winner: Option<Color> },
    Recorded { winner: Option<Color> },
    RulesInfraction { loser: Color },
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        if target.is_human_readable() {
            Readable::from(*self).serialize(target)
        } else {
            Compact::serialize(self, target)
        }
    }
}

impl<'de> Deserialize<'de> for Outcome {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Outcome, D::Error> {
        if source.is_human_readable() {
            let expected = "expected the reason for which a game ended, and the winner it names";
            let readable = Readable::deserialize(source)?;
            readable.outcome().ok_or_else(|| D::Error::custom(expected))
        } else {
            Compact::deserialize(source)
        }
    }
}
