//! The one list of differences that are meant: where Tabiya has decided
//! otherwise than a peer. Whatever is not explained here is a failure.

/// A difference by decision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Decision {
    /// The half-move clock counts on.
    ClockCountsOn,
    /// Fifty moves are a claim and no end.
    FiftyMovesAreAClaim,
    /// Only pawns capture en passant.
    EnPassantIsForPawns,
}

impl Decision {
    /// All of them, in the order of the summary.
    pub const ALL: [Self; 3] = [
        Self::ClockCountsOn,
        Self::FiftyMovesAreAClaim,
        Self::EnPassantIsForPawns,
    ];

    /// The name in the summary.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClockCountsOn => "the half-move clock counts on",
            Self::FiftyMovesAreAClaim => "fifty moves are a claim",
            Self::EnPassantIsForPawns => "only pawns capture en passant",
        }
    }

    /// What the difference is.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::ClockCountsOn => {
                "Tabiya counts quiet plies without end, the 75-move rule needs them; \
                 cozy-chess stops at 100"
            }
            Self::FiftyMovesAreAClaim => {
                "for Tabiya a position after 50 quiet moves is ongoing until a player claims; \
                 cozy-chess reports a draw"
            }
            Self::EnPassantIsForPawns => {
                "two positions differ for Tabiya by an en passant square only if a pawn can \
                 capture there; cozy-chess's comparison also takes a piece beside the pawn \
                 that can step onto the square for a captor"
            }
        }
    }
}
