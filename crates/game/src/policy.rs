//! The optional rules of a game: which draws need a claim, whether dead positions end a game, and what happens to
//! moves that replace others.

/// Who decides on draws by threefold repetition and fifty moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DrawPolicy {
    /// As in the Laws: the player to move claims; only fivefold repetition and 75 moves end a game without a claim.
    #[default]
    Claim,
    /// Threefold repetition and fifty moves end the game at once.
    Automatic,
}

/// Whether the game ends when no mate is possible any more, even if the material alone does not show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DeadPositions {
    /// The players play on, or agree on a draw.
    #[default]
    PlayOn,
    /// The game ends as soon as a bounded search proves that the position is dead.
    End,
}

/// What happens to a move played where another one was played before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Branching {
    /// It starts a variation, as in a game under review.
    #[default]
    Variation,
    /// It becomes the main line, as in a game being played; what was undone is kept as a variation.
    MainLine,
}

/// The optional rules of a game.
///
/// ```
/// use tabiya_game::{DrawPolicy, NewGame, Policy, Session};
///
/// let policy = Policy::new().with_draws(DrawPolicy::Automatic);
/// let session = Session::new(NewGame::default().with_policy(policy));
/// assert_eq!(session.policy().draws, DrawPolicy::Automatic);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Policy {
    /// Who decides on draws.
    pub draws: DrawPolicy,
    /// What happens in dead positions.
    pub dead_positions: DeadPositions,
    /// What happens to a move played instead of another. A save does not store this, so comparing sessions ignores
    /// it.
    pub branching: Branching,
}

impl Policy {
    /// Creates the policy of the Laws.
    #[must_use]
    pub const fn new() -> Policy {
        Policy {
            draws: DrawPolicy::Claim,
            dead_positions: DeadPositions::PlayOn,
            branching: Branching::Variation,
        }
    }

    /// Sets who decides on draws.
    #[must_use]
    pub const fn with_draws(self, draws: DrawPolicy) -> Policy {
        Policy { draws, ..self }
    }

    /// Sets what happens in dead positions.
    #[must_use]
    pub const fn with_dead_positions(self, dead_positions: DeadPositions) -> Policy {
        Policy {
            dead_positions,
            ..self
        }
    }

    /// Sets what happens to moves that replace others.
    #[must_use]
    pub const fn with_branching(self, branching: Branching) -> Policy {
        Policy { branching, ..self }
    }
}
