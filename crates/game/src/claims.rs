//! Draw claims as values: which rule, on what grounds, since when, and who may claim.

use tabiya_rules::{Color, Move};

/// The two rules under which a player may claim a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClaimRule {
    /// Each side has made fifty moves without a capture or pawn move.
    FiftyMoves,
    /// The position has occurred three times.
    Threefold,
}

impl ClaimRule {
    /// Both rules, in the order in which a claim that names no rule tries them.
    pub const ALL: [ClaimRule; 2] = [ClaimRule::FiftyMoves, ClaimRule::Threefold];
}

/// What justifies a claim.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Grounds {
    /// The clock of the 50-move rule.
    FiftyMoves {
        /// Plies since the last capture or pawn move, 100 or more.
        clock: u32,
    },
    /// The occurrences of the position.
    Threefold {
        /// The plies of this line at which the position occurred; 0 is the start. There are at least
        /// three, and the last is the ply of the claim, or of the intended move.
        plies: Vec<u32>,
    },
}

/// A valid claim.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The player who may claim: the side to move.
    pub by: Color,
    /// What justifies it.
    pub grounds: Grounds,
    /// The ply since which these grounds exist; 0 is the start.
    pub since: u32,
    /// The move that would create the grounds; `None` if the position on the board already does.
    pub intended: Option<Move>,
}

impl Claim {
    /// Returns the rule it rests on.
    pub fn rule(&self) -> ClaimRule {
        match self.grounds {
            Grounds::FiftyMoves { .. } => ClaimRule::FiftyMoves,
            Grounds::Threefold { .. } => ClaimRule::Threefold,
        }
    }
}

/// Returns the claims that a position justifies, the 50-move rule first.
///
/// `plies` are the plies at which it occurred, the current one last.
pub(crate) fn claims(
    by: Color,
    clock: u32,
    plies: &[u32],
    intended: Option<Move>,
) -> impl Iterator<Item = Claim> {
    let now = plies.last().copied().unwrap_or(0);
    let fifty = (clock >= 100).then(|| Claim {
        by,
        grounds: Grounds::FiftyMoves { clock },
        since: now.saturating_sub(clock - 100),
        intended,
    });
    let threefold = plies.get(2).map(|&since| Claim {
        by,
        grounds: Grounds::Threefold {
            plies: plies.to_vec(),
        },
        since,
        intended,
    });
    fifty.into_iter().chain(threefold)
}
