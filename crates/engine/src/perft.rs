//! `go perft`: a perft count that can be stopped.

use tabiya_rules::{Position, perft};

use crate::searcher::Control;

/// Subtrees of this depth take milliseconds and are counted without a look at the control.
const UNCHECKED_DEPTH: u32 = 3;
/// The greatest depth that is counted. Each ply takes some of the stack, and no deeper count would ever end.
pub(crate) const MAX_DEPTH: u32 = 255;

/// The number of leaf nodes; `None` if it was stopped.
pub(crate) fn count(position: &Position, depth: u32, control: &Control) -> Option<u64> {
    if depth <= UNCHECKED_DEPTH {
        return (!control.should_stop()).then(|| perft(position, depth));
    }
    let moves = position.legal_moves();
    moves.iter().try_fold(0_u64, |sum, &m| {
        Some(sum.saturating_add(count(&position.play_unchecked(m), depth - 1, control)?))
    })
}
