//! Enums whose variants carry data: an object with the variant's name under a key of its own in human-readable
//! formats, and serde's own form otherwise.

use alloc::vec::Vec;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    CastlingSide, Color, HistoryStatus, IllegalMove, Move, Piece, Role, SanError, Square, Status,
};

/// Implements both forms of an enum from one list of its variants, which the compiler checks against the enum.
macro_rules! two_forms {
    ($type:ident, $name:literal, $tag:literal, $module:ident { $($variants:tt)* }) => {
        // The module keeps the two mirrors of this enum apart from those of others.
        mod $module {
            use super::*;

            #[derive(Serialize, Deserialize)]
            #[serde(remote = $name, tag = $tag, rename_all = "snake_case")]
            pub(super) enum Readable { $($variants)* }

            #[derive(Serialize, Deserialize)]
            #[serde(remote = $name)]
            pub(super) enum Compact { $($variants)* }

            impl Serialize for $type {
                fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
                    if target.is_human_readable() {
                        Readable::serialize(self, target)
                    } else {
                        Compact::serialize(self, target)
                    }
                }
            }

            impl<'de> Deserialize<'de> for $type {
                fn deserialize<D: Deserializer<'de>>(source: D) -> Result<$type, D::Error> {
                    if source.is_human_readable() {
                        Readable::deserialize(source)
                    } else {
                        Compact::deserialize(source)
                    }
                }
            }
        }
    };
}

two_forms! { Status, "Status", "status", status {
    Ongoing,
    Checkmate { winner: Color },
    Stalemate,
    InsufficientMaterial,
} }

two_forms! { HistoryStatus, "HistoryStatus", "status", history_status {
    Ongoing,
    Threefold,
    FiftyMoves,
    Checkmate { winner: Color },
    Stalemate,
    InsufficientMaterial,
    Fivefold,
    SeventyFiveMoves,
} }

two_forms! { IllegalMove, "IllegalMove", "error", illegal_move {
    NoPiece { square: Square },
    OpponentsPiece { square: Square, piece: Piece },
    OwnPiece { square: Square, piece: Piece },
    NotItsMove { role: Role, from: Square, to: Square },
    Blocked { by: Square },
    NothingToCapture { square: Square },
    LeavesKingInCheck { king: Square, attacker: Square },
    KingIntoCheck { square: Square, attacker: Square },
    NoCastlingRight { side: CastlingSide, color: Color },
    CastlingBlocked { side: CastlingSide, by: Square },
    CastlingInCheck { attacker: Square },
    CastlingThroughCheck { square: Square, attacker: Square },
    CastlingIntoCheck { square: Square, attacker: Square },
    PromotionRequired,
    NoPromotion,
} }

two_forms! { SanError, "SanError", "error", san_error {
    Syntax,
    Illegal { role: Option<Role>, to: Option<Square>, reason: Option<IllegalMove>, candidates: Vec<Move> },
    Ambiguous { candidates: Vec<Move> },
    PromotionRequired,
    NotAsPrinted { meant: Move },
} }
