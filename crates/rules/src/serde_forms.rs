//! serde: each value is its usual text in human-readable formats, and as few bytes as it needs in others.
//!
//! docs/json.md describes the texts. Names are in snake case everywhere. Input is not trusted: it is checked like
//! any other text, and no value can be read that could not be created in another way.

mod enums;
mod moves;
mod places;

use alloc::string::String;
use core::fmt::{self, Display};
use core::str::FromStr;

use serde::de::{Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    Bitboard, Board, ByRole, CastlingMode, CastlingSide, Color, File, Piece, Rank, Role, Square,
};

/// Reads a text with its `FromStr`.
fn parsed<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(source: D) -> Result<T, D::Error> {
    String::deserialize(source)?
        .parse()
        .map_err(D::Error::custom)
}

/// Types with a few values: a name in human-readable formats, and otherwise the number of the value.
macro_rules! by_name {
    ($($type:ty, $all:expr, $name:expr, $expected:literal;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
                if target.is_human_readable() {
                    let name: fn($type) -> String = $name;
                    target.serialize_str(&name(*self))
                } else {
                    let number = $all.into_iter().position(|value| value == *self);
                    target.serialize_u8(number.unwrap_or_default() as u8)
                }
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(source: D) -> Result<$type, D::Error> {
                let mut all = $all.into_iter();
                if source.is_human_readable() {
                    let text = String::deserialize(source)?;
                    let name: fn($type) -> String = $name;
                    all.find(|&value| name(value) == text)
                        .ok_or_else(|| D::Error::invalid_value(Unexpected::Str(&text), &$expected))
                } else {
                    let number = u8::deserialize(source)?;
                    all.nth(number.into()).ok_or_else(|| {
                        D::Error::invalid_value(Unexpected::Unsigned(number.into()), &$expected)
                    })
                }
            }
        }
    )*};
}

by_name! {
    Color, Color::ALL, |color| color.name().to_ascii_lowercase(), "white or black";
    Role, Role::ALL, |role| role.name().to_ascii_lowercase(),
        "pawn, knight, bishop, rook, queen or king";
    Piece, Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| role.of(color))),
        |piece| piece.char().into(), "a piece letter as in FEN";
    CastlingMode, [CastlingMode::Standard, CastlingMode::Chess960],
        |mode| match mode {
            CastlingMode::Standard => "standard".into(),
            CastlingMode::Chess960 => "chess960".into(),
        }, "standard or chess960";
    CastlingSide, CastlingSide::ALL,
        |side| match side {
            CastlingSide::King => "king".into(),
            CastlingSide::Queen => "queen".into(),
        }, "king or queen";
    File, File::ALL, |file| file.char().into(), "a file from a to h";
    Rank, Rank::ALL, |rank| rank.char().into(), "a rank from 1 to 8";
}

impl Serialize for Square {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        if target.is_human_readable() {
            target.collect_str(self)
        } else {
            target.serialize_u8(*self as u8)
        }
    }
}

impl<'de> Deserialize<'de> for Square {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Square, D::Error> {
        if source.is_human_readable() {
            return parsed(source);
        }
        let number = u8::deserialize(source)?;
        Square::from_index(number.into()).ok_or_else(|| {
            D::Error::invalid_value(
                Unexpected::Unsigned(number.into()),
                &"a square from 0 to 63",
            )
        })
    }
}

impl Serialize for Bitboard {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        if target.is_human_readable() {
            target.collect_seq(*self)
        } else {
            target.serialize_u64(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Bitboard {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Bitboard, D::Error> {
        if source.is_human_readable() {
            source.deserialize_seq(SquareList)
        } else {
            u64::deserialize(source).map(Bitboard)
        }
    }
}

/// Reads a list of squares without duplicates.
struct SquareList;

impl<'de> Visitor<'de> for SquareList {
    type Value = Bitboard;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of squares, each of them once")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Bitboard, A::Error> {
        let mut squares = Bitboard::EMPTY;
        while let Some(square) = list.next_element::<Square>()? {
            if squares.contains(square) {
                return Err(A::Error::custom(format_args!("{square} is there twice")));
            }
            squares |= square;
        }
        Ok(squares)
    }
}

impl Serialize for Board {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        target.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Board {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Board, D::Error> {
        parsed(source)
    }
}

/// One value for each role, by name.
#[derive(Serialize, Deserialize)]
struct Roles<T> {
    pawn: T,
    knight: T,
    bishop: T,
    rook: T,
    queen: T,
    king: T,
}

impl<T: Serialize> Serialize for ByRole<T> {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        let [pawn, knight, bishop, rook, queen, king] = &self.0;
        let roles = Roles {
            pawn,
            knight,
            bishop,
            rook,
            queen,
            king,
        };
        roles.serialize(target)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ByRole<T> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<ByRole<T>, D::Error> {
        let Roles {
            pawn,
            knight,
            bishop,
            rook,
            queen,
            king,
        } = Roles::deserialize(source)?;
        Ok(ByRole([pawn, knight, bishop, rook, queen, king]))
    }
}
