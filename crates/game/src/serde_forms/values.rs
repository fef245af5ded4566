//! Small values: words, texts and numbers.

use core::time::Duration;

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tabiya_rules::{ByColor, CastlingMode, Color, Position};

use super::{Milliseconds, milliseconds};
use crate::annotation::{Comment, Glyph, MarkColor};
use crate::claims::ClaimRule;
use crate::clock::{ClockFace, TimeControl, Timestamp};
use crate::command::NewGame;
use crate::outcome::{DrawBy, GameResult};
use crate::policy::{Branching, DeadPositions, DrawPolicy, Policy};
use crate::record::NodeId;
use crate::tags::Tags;

/// Types with a few values: a word in human-readable formats, where other words may be read too, and otherwise the
/// number of the value.
macro_rules! by_word {
    ($($type:ident, $expected:literal { $($value:ident = $word:literal $(| $other:literal)*),+ })*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
                let word = match self { $($type::$value => $word),+ };
                if target.is_human_readable() {
                    return target.serialize_str(word);
                }
                let number = [$($word),+].iter().position(|&other| other == word);
                target.serialize_u8(number.unwrap_or_default() as u8)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(source: D) -> Result<$type, D::Error> {
                if source.is_human_readable() {
                    let text = String::deserialize(source)?;
                    return match text.as_str() {
                        $($word $(| $other)* => Ok($type::$value),)+
                        other => Err(D::Error::invalid_value(Unexpected::Str(other), &$expected)),
                    };
                }
                let number = u8::deserialize(source)?;
                let found = [$($type::$value),+].into_iter().nth(number.into());
                found.ok_or_else(|| {
                    D::Error::invalid_value(Unexpected::Unsigned(number.into()), &$expected)
                })
            }
        }
    )*};
}

by_word! {
    GameResult, "one of 1-0, 0-1, 1/2-1/2 and *" {
        WhiteWins = "1-0", BlackWins = "0-1", Draw = "1/2-1/2", Unknown = "*"
    }
    DrawBy, "claim or policy" { Claim = "claim", Policy = "policy" }
    ClaimRule, "fifty or threefold" { FiftyMoves = "fifty", Threefold = "threefold" }
    DrawPolicy, "claim or automatic" { Claim = "claim", Automatic = "automatic" | "auto" }
    DeadPositions, "play_on or end" { PlayOn = "play_on", End = "end" }
    Branching, "variation or main_line" { Variation = "variation", MainLine = "main_line" }
    MarkColor, "green, red, yellow or blue" {
        Green = "green", Red = "red", Yellow = "yellow", Blue = "blue"
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Policy")]
struct PolicyForm {
    #[serde(default)]
    draws: DrawPolicy,
    #[serde(default)]
    dead_positions: DeadPositions,
    #[serde(default)]
    branching: Branching,
}

impl Serialize for Policy {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        PolicyForm::serialize(self, target)
    }
}

impl<'de> Deserialize<'de> for Policy {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Policy, D::Error> {
        PolicyForm::deserialize(source)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        milliseconds::serialize(&self.since(Timestamp::ORIGIN), target)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Timestamp, D::Error> {
        milliseconds::deserialize(source).map(Timestamp::after_origin)
    }
}

impl Serialize for TimeControl {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        target.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeControl {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<TimeControl, D::Error> {
        let text = String::deserialize(source)?;
        text.parse().map_err(D::Error::custom)
    }
}

#[derive(Serialize, Deserialize)]
struct ClockFaceForm {
    left_ms: ByColor<Option<Milliseconds>>,
    running: Option<Color>,
    delay_ms: Milliseconds,
}

impl Serialize for ClockFace {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        let form = ClockFaceForm {
            left_ms: self.left.map(|left| left.map(Milliseconds)),
            running: self.running,
            delay_ms: Milliseconds(self.delay),
        };
        form.serialize(target)
    }
}

impl<'de> Deserialize<'de> for ClockFace {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<ClockFace, D::Error> {
        let form = ClockFaceForm::deserialize(source)?;
        let time = |time: Milliseconds| -> Duration { time.0 };
        Ok(ClockFace {
            left: form.left_ms.map(|left| left.map(time)),
            running: form.running,
            delay: time(form.delay_ms),
        })
    }
}

/// Serialized as `NodeId::to_bits` in hexadecimal, because JavaScript numbers are too small for it.
impl Serialize for NodeId {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        if target.is_human_readable() {
            target.collect_str(&format_args!("{:x}", self.to_bits()))
        } else {
            target.serialize_u64(self.to_bits())
        }
    }
}

impl<'de> Deserialize<'de> for NodeId {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<NodeId, D::Error> {
        let bits = if source.is_human_readable() {
            let text = String::deserialize(source)?;
            u64::from_str_radix(&text, 16).ok()
        } else {
            Some(u64::deserialize(source)?)
        };
        bits.and_then(NodeId::from_bits)
            .ok_or_else(|| D::Error::custom("expected the name of a node"))
    }
}

#[derive(Serialize, Deserialize)]
struct TagForm {
    name: String,
    value: String,
}

impl Serialize for Tags {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        target.collect_seq(self.iter().map(|(name, value)| TagForm {
            name: name.to_owned(),
            value: value.to_owned(),
        }))
    }
}

impl<'de> Deserialize<'de> for Tags {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Tags, D::Error> {
        let mut tags = Tags::new();
        for TagForm { name, value } in Vec::<TagForm>::deserialize(source)? {
            tags.set(&name, &value).map_err(D::Error::custom)?;
        }
        Ok(tags)
    }
}

impl Serialize for Comment {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        target.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Comment {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Comment, D::Error> {
        let text = String::deserialize(source)?;
        Comment::new(&text).ok_or_else(|| D::Error::custom("the comment is empty"))
    }
}

impl Serialize for Glyph {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        target.serialize_u8(self.0)
    }
}

impl<'de> Deserialize<'de> for Glyph {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Glyph, D::Error> {
        u8::deserialize(source).map(Glyph)
    }
}

#[derive(Serialize, Deserialize)]
struct NewGameForm {
    #[serde(default = "Position::start")]
    start: Position,
    /// The mode of the FEN if missing.
    mode: Option<CastlingMode>,
    #[serde(default)]
    clocks: ByColor<TimeControl>,
    #[serde(default)]
    policy: Policy,
    #[serde(default)]
    tags: Tags,
}

impl Serialize for NewGame {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        let form = NewGameForm {
            start: self.start,
            mode: Some(self.start.castling_mode()),
            clocks: self.clocks.clone(),
            policy: self.policy,
            tags: self.tags.clone(),
        };
        form.serialize(target)
    }
}

impl<'de> Deserialize<'de> for NewGame {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<NewGame, D::Error> {
        let form = NewGameForm::deserialize(source)?;
        Ok(NewGame {
            start: in_mode(form.start, form.mode),
            clocks: form.clocks,
            policy: form.policy,
            tags: form.tags,
        })
    }
}

/// Returns the position in a castling mode, if one is stated.
pub(super) fn in_mode(position: Position, mode: Option<CastlingMode>) -> Position {
    mode.map_or(position, |mode| position.with_castling_mode(mode))
}
