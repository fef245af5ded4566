//! serde: each value is an object with plain names in human-readable formats, and as few bytes as it needs in others.
//!
//! docs/json.md describes the objects, and says what may change in them. Input is not trusted: moves are played again,
//! texts are normalized, and sizes are checked against the limits of the PGN reader.

mod command;
mod event;
mod outcome;
mod record;
mod refusal;
mod tree;
mod values;

use core::time::Duration;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::annotation::{clock_text, parse_clock};

/// Implements both forms of a type through a mirror type: objects with the variant's name under a key of its own in
/// human-readable formats, and serde's own form elsewhere. The mirror has named fields, converts from and to the type,
/// and lists its variants once.
macro_rules! two_forms {
    ($type:ty, $mirror:ident, $name:literal, $tag:literal, { $($variants:tt)* }) => {
        #[derive(Serialize, Deserialize)]
        #[serde(tag = $tag, rename_all = "snake_case")]
        enum $mirror { $($variants)* }

        /// The form for binary formats.
        mod compact {
            use super::*;

            #[derive(Serialize, Deserialize)]
            #[serde(remote = $name)]
            pub(super) enum Compact { $($variants)* }
        }

        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
                let mirror = $mirror::from(self.clone());
                if target.is_human_readable() {
                    mirror.serialize(target)
                } else {
                    compact::Compact::serialize(&mirror, target)
                }
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(source: D) -> Result<$type, D::Error> {
                let mirror = if source.is_human_readable() {
                    <$mirror as Deserialize>::deserialize(source)?
                } else {
                    compact::Compact::deserialize(source)?
                };
                <$type>::try_from(mirror).map_err(serde::de::Error::custom)
            }
        }
    };
}

use two_forms;

/// A time in whole milliseconds in human-readable formats, and exact elsewhere.
mod milliseconds {
    use super::*;

    pub(super) fn serialize<S: Serializer>(time: &Duration, target: S) -> Result<S::Ok, S::Error> {
        if target.is_human_readable() {
            // So many milliseconds never pass.
            target.serialize_u64(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
        } else {
            time.serialize(target)
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(source: D) -> Result<Duration, D::Error> {
        if source.is_human_readable() {
            u64::deserialize(source).map(Duration::from_millis)
        } else {
            Duration::deserialize(source)
        }
    }
}

/// A time as [`milliseconds`] writes it.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Milliseconds(#[serde(with = "milliseconds")] Duration);

/// A time in the form of `[%clk …]`, with all its decimals.
#[derive(Clone, Copy)]
struct ClockReading(Duration);

impl Serialize for ClockReading {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        if target.is_human_readable() {
            target.collect_str(&clock_text(self.0))
        } else {
            self.0.serialize(target)
        }
    }
}

impl<'de> Deserialize<'de> for ClockReading {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<ClockReading, D::Error> {
        let time = if source.is_human_readable() {
            let text = String::deserialize(source)?;
            parse_clock(&text).ok_or_else(|| D::Error::custom("expected a time as in 1:02:03.5"))?
        } else {
            Duration::deserialize(source)?
        };
        Ok(ClockReading(time))
    }
}
