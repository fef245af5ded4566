//! How games end, judging by the last position and the tags.

use clap::ValueEnum;
use tabiya_rules::Position;

/// A way for a game to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Ending {
    Mate,
    Stalemate,
    /// The last position occurred for the third time.
    Repetition,
    /// Fifty moves of each side without a capture or a pawn move lie before the end.
    #[value(name = "50")]
    FiftyMoves,
    /// Neither side has the pieces for any mate.
    Insufficient,
    /// The Termination tag speaks of the time.
    Time,
}

/// The end of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End<'a> {
    pub(crate) position: &'a Position,
    /// The keys of the positions since the last irreversible move, including the last position.
    pub(crate) keys: &'a [u64],
    pub(crate) termination: &'a str,
}

impl Ending {
    pub(crate) fn is_that_of(self, end: End<'_>) -> bool {
        let position = end.position;
        match self {
            Ending::Mate => position.is_check() && !position.has_legal_move(),
            Ending::Stalemate => !position.is_check() && !position.has_legal_move(),
            Ending::Insufficient => position.is_insufficient_material(),
            Ending::FiftyMoves => position.halfmove_clock() >= 100,
            Ending::Repetition => {
                let last = position.key();
                end.keys.iter().filter(|&&key| key == last).count() >= 3
            }
            Ending::Time => end.termination.to_ascii_lowercase().contains("time"),
        }
    }
}
