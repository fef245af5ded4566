//! Positions, and histories of moves.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::parsed;
use crate::{
    CastlingMode, CastlingNotation, EnPassantMode, MoveHistory, Position, Setup, UciMove, Waivers,
};

/// The waivers that a position may have been made with. Castling rights and en passant squares that do not
/// fit are still refused.
const KEPT: Waivers = Waivers::MISSING_KING
    .union(Waivers::BACK_RANK_PAWNS)
    .union(Waivers::IMPOSSIBLE_CHECK)
    .union(Waivers::MATERIAL);

impl Serialize for Setup {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        target.serialize_str(&full_fen(self))
    }
}

fn full_fen(setup: &Setup) -> String {
    setup.fen_with(EnPassantMode::Always, CastlingNotation::ByMode)
}

impl<'de> Deserialize<'de> for Setup {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Setup, D::Error> {
        parsed(source)
    }
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        if target.is_human_readable() {
            return self.setup().serialize(target);
        }
        match self.pack() {
            Some(packed) => target.serialize_bytes(&packed),
            // It has too many pieces or too large a counter to be packed. Its text is longer than a packed
            // position, so the two cannot be confused.
            None => target.serialize_bytes(full_fen(&self.setup()).as_bytes()),
        }
    }
}

impl<'de> Deserialize<'de> for Position {
    /// Reads a FEN or a packed position. Boards made with waivers come back unchanged.
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Position, D::Error> {
        if source.is_human_readable() {
            let setup = Setup::deserialize(source)?;
            setup.position_waiving(KEPT).map_err(D::Error::custom)
        } else {
            source.deserialize_bytes(PackedPosition)
        }
    }
}

/// Reads 32 bytes as a packed position, and any other number of bytes as a FEN.
struct PackedPosition;

impl Visitor<'_> for PackedPosition {
    type Value = Position;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a position packed into 32 bytes, or a FEN")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Position, E> {
        if let Ok(packed) = <&[u8; 32]>::try_from(bytes) {
            return Position::unpack(packed).map_err(E::custom);
        }
        let fen = core::str::from_utf8(bytes).map_err(E::custom)?;
        let setup: Setup = fen.parse().map_err(E::custom)?;
        setup.position_waiving(KEPT).map_err(E::custom)
    }
}

/// The serialized form of a history.
#[derive(Serialize, Deserialize)]
struct Played {
    start: Position,
    /// The mode of the FEN if missing.
    mode: Option<CastlingMode>,
    moves: Vec<UciMove>,
}

impl Serialize for MoveHistory {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        let before = self.positions();
        let moves = before
            .zip(self.moves())
            .map(|(position, &m)| position.uci(m));
        let played = Played {
            start: *self.start(),
            mode: Some(self.start().castling_mode()),
            moves: moves.collect(),
        };
        played.serialize(target)
    }
}

impl<'de> Deserialize<'de> for MoveHistory {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<MoveHistory, D::Error> {
        let Played { start, mode, moves } = Played::deserialize(source)?;
        let mut history =
            MoveHistory::new(mode.map_or(start, |mode| start.with_castling_mode(mode)));
        for uci in moves {
            let played = history.current().resolve_uci(uci);
            let played =
                played.map_err(|error| D::Error::custom(format_args!("{uci}: {error}")))?;
            history.push(played).map_err(D::Error::custom)?;
        }
        Ok(history)
    }
}
