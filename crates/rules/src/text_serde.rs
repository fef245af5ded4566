//! serde for values with a usual text: a square is `"e4"`, a position its FEN.

use alloc::string::{String, ToString};
use core::fmt::Display;
use core::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    CastlingNotation, Color, EnPassantMode, Move, Piece, Position, Role, Setup, Square, UciMove,
    Waivers,
};

fn read<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(source: D) -> Result<T, D::Error> {
    String::deserialize(source)?
        .parse()
        .map_err(D::Error::custom)
}

/// Types that print and parse themselves.
macro_rules! by_display {
    ($($type:ty),*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
                target.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(source: D) -> Result<$type, D::Error> {
                read(source)
            }
        }
    )*};
}

by_display!(Square, UciMove);

/// Types that are one of a few names.
macro_rules! by_name {
    ($($type:ty, $name:expr, $all:expr, $expected:literal;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
                let name: fn(&$type) -> String = $name;
                target.serialize_str(&name(self))
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(source: D) -> Result<$type, D::Error> {
                let text = String::deserialize(source)?;
                let name: fn(&$type) -> String = $name;
                $all.into_iter()
                    .find(|value| name(value) == text)
                    .ok_or_else(|| D::Error::custom($expected))
            }
        }
    )*};
}

by_name! {
    Color, |color| color.name().to_ascii_lowercase(), Color::ALL, "expected white or black";
    Role, |role| role.name().to_ascii_lowercase(), Role::ALL,
        "expected pawn, knight, bishop, rook, queen or king";
    Piece, |piece| piece.char().to_string(),
        Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| role.of(color))),
        "expected a piece letter as in FEN";
}

impl Serialize for Setup {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        target.serialize_str(&self.fen_with(EnPassantMode::Always, CastlingNotation::ByMode))
    }
}

impl<'de> Deserialize<'de> for Setup {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Setup, D::Error> {
        read(source)
    }
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        self.setup().serialize(target)
    }
}

impl<'de> Deserialize<'de> for Position {
    /// Reads a FEN. Boards that were made with waivers come back as they were; rights that do
    /// not fit are still refused.
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Position, D::Error> {
        let kept = Waivers::MISSING_KING
            .union(Waivers::END_RANK_PAWNS)
            .union(Waivers::IMPOSSIBLE_CHECK)
            .union(Waivers::MATERIAL);
        Setup::deserialize(source)?
            .position_waiving(kept)
            .map_err(D::Error::custom)
    }
}

impl Serialize for Move {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        target.serialize_u16(self.bits())
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Move, D::Error> {
        Move::from_bits(u16::deserialize(source)?)
            .ok_or_else(|| D::Error::custom("these bits are no move"))
    }
}
