//! What the players agreed on before the game: which draws need a claim, and whether dead positions end a game.

/// Who decides about threefold repetition and fifty moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DrawPolicy {
    /// As in the Laws: the player to move claims; only fivefold repetition and 75 moves end a game by themselves.
    #[default]
    Claim,
    /// Threefold repetition and fifty moves end the game at once.
    Automatic,
}

/// Whether a position in which no mate is possible any more ends the game when material alone does not show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DeadPositions {
    /// The players go on, or agree on a draw.
    #[default]
    PlayOn,
    /// The game ends as soon as a bounded search proves that the position is dead.
    End,
}

/// The rules of a game that are a matter of choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Policy {
    /// Who decides about draws.
    pub draws: DrawPolicy,
    /// What becomes of dead positions.
    pub dead_positions: DeadPositions,
}
