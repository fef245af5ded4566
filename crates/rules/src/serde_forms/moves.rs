//! Moves. A move in UCI notation is written as its text. A move on its own also names the moving piece, because
//! otherwise it could not be read back without its position.

use alloc::string::String;
use core::fmt::{self, Write};

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::parsed;
use crate::moves::Kind;
use crate::{Move, Role, Square, UciMove};

/// The number of the null move. Zero would mean a1 to a1.
const NULL: u16 = u16::MAX;

/// What a pawn can promote to, in the order of the numbers, from 1.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl Serialize for UciMove {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        if target.is_human_readable() {
            return target.collect_str(self);
        }
        target.serialize_u16(match *self {
            UciMove::Null => NULL,
            UciMove::Normal {
                from,
                to,
                promotion,
            } => {
                let role = promotion
                    .and_then(|role| PROMOTIONS.iter().position(|&other| other == role))
                    .map_or(0, |number| number + 1);
                (role as u16) << 12 | (from as u16) << 6 | to as u16
            }
        })
    }
}

impl<'de> Deserialize<'de> for UciMove {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<UciMove, D::Error> {
        if source.is_human_readable() {
            return parsed(source);
        }
        let bits = u16::deserialize(source)?;
        if bits == NULL {
            return Ok(UciMove::Null);
        }
        let promotion = match usize::from(bits >> 12) {
            0 => None,
            number => Some(*PROMOTIONS.get(number - 1).ok_or_else(|| no_bits(bits))?),
        };
        Ok(UciMove::Normal {
            from: Square::from_low_bits(u32::from(bits) >> 6 & 63),
            to: Square::from_low_bits(u32::from(bits) & 63),
            promotion,
        })
    }
}

fn no_bits<E: Error>(bits: u16) -> E {
    E::invalid_value(Unexpected::Unsigned(bits.into()), &"the bits of a move")
}

/// A move with a letter for the moving piece before its squares: none for a pawn, `O` for castling, `E` for an en
/// passant capture. Bits that are not a move in any position have a text as well, with `P` or `D` for a pawn.
struct Lettered(Move);

impl fmt::Display for Lettered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let m = self.0;
        match m.kind() {
            Kind::EnPassant => f.write_char('E')?,
            Kind::Castle => f.write_char('O')?,
            kind @ (Kind::Pawn | Kind::DoublePush) if pawn(m.from(), m.to()) != Some(kind) => {
                f.write_char(if kind == Kind::Pawn { 'P' } else { 'D' })?;
            }
            Kind::Pawn
            | Kind::DoublePush
            | Kind::PromoteKnight
            | Kind::PromoteBishop
            | Kind::PromoteRook
            | Kind::PromoteQueen => {}
            Kind::Knight | Kind::Bishop | Kind::Rook | Kind::Queen | Kind::King => {
                f.write_char(m.role().char().to_ascii_uppercase())?;
            }
        }
        let squares = UciMove::Normal {
            from: m.from(),
            to: m.to(),
            promotion: m.promotion(),
        };
        squares.fmt(f)
    }
}

/// Reads the move that [`Lettered`] writes.
fn lettered(text: &str) -> Option<Move> {
    let (letter, squares) = match text.as_bytes().first()? {
        letter @ b'A'..=b'Z' => (Some(*letter), text.get(1..)?),
        _ => (None, text),
    };
    let UciMove::Normal {
        from,
        to,
        promotion,
    } = squares.parse().ok()?
    else {
        return None;
    };
    let kind = match (letter, promotion) {
        (None, Some(role)) => Kind::promotion(role)?,
        (None, None) => pawn(from, to)?,
        (Some(b'P'), None) => Kind::Pawn,
        (Some(b'D'), None) => Kind::DoublePush,
        (Some(b'E'), None) => Kind::EnPassant,
        (Some(b'O'), None) => Kind::Castle,
        (Some(b'N'), None) => Kind::Knight,
        (Some(b'B'), None) => Kind::Bishop,
        (Some(b'R'), None) => Kind::Rook,
        (Some(b'Q'), None) => Kind::Queen,
        (Some(b'K'), None) => Kind::King,
        _ => return None,
    };
    Some(Move::new(kind, from, to))
}

/// Returns how a pawn goes from one square to another, if it can.
fn pawn(from: Square, to: Square) -> Option<Kind> {
    let files = (from.file() as u8).abs_diff(to.file() as u8);
    let ranks = (from.rank() as u8).abs_diff(to.rank() as u8);
    match (files, ranks) {
        (0 | 1, 1) => Some(Kind::Pawn),
        (0, 2) => Some(Kind::DoublePush),
        _ => None,
    }
}

impl Serialize for Move {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        if target.is_human_readable() {
            target.collect_str(&Lettered(*self))
        } else {
            target.serialize_u16(self.bits())
        }
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Move, D::Error> {
        if source.is_human_readable() {
            let text = String::deserialize(source)?;
            let expected = &"a move with the letter of its piece, such as Ng1f3, e2e4 or Oe1h1";
            lettered(&text).ok_or_else(|| D::Error::invalid_value(Unexpected::Str(&text), expected))
        } else {
            let bits = u16::deserialize(source)?;
            Move::from_bits(bits).ok_or_else(|| no_bits(bits))
        }
    }
}
