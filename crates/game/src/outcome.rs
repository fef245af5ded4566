//! How a game ended: every ending has its own variant, from which its result and its sentence follow.

use core::fmt;
use core::str::FromStr;

use tabiya_rules::Color;

/// The four results a game can have in a record, `1-0`, `0-1`, `1/2-1/2` and `*`.
///
/// ```
/// use tabiya_game::GameResult;
/// use tabiya_rules::Color;
///
/// let result: GameResult = "0-1".parse()?;
/// assert_eq!(result.winner(), Some(Color::Black));
/// # Ok::<(), tabiya_game::ParseResultError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: in progress, or unknown.
    #[default]
    Unknown,
}

impl GameResult {
    /// Returns the text PGN uses.
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }

    /// Returns the result of a game that this side won.
    pub const fn won_by(winner: Color) -> GameResult {
        match winner {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// Returns the side that won, if any.
    pub const fn winner(self) -> Option<Color> {
        match self {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw | GameResult::Unknown => None,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The error returned when a text is not one of the four results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParseResultError;

impl fmt::Display for ParseResultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("A result is one of 1-0, 0-1, 1/2-1/2 and *.")
    }
}

impl core::error::Error for ParseResultError {}

impl FromStr for GameResult {
    type Err = ParseResultError;

    fn from_str(text: &str) -> Result<GameResult, ParseResultError> {
        Ok(match text {
            "1-0" => GameResult::WhiteWins,
            "0-1" => GameResult::BlackWins,
            "1/2-1/2" => GameResult::Draw,
            "*" => GameResult::Unknown,
            _ => return Err(ParseResultError),
        })
    }
}

/// Whether a player claimed a draw or the policy of the game declared it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawBy {
    /// The player to move claimed it.
    Claim,
    /// The automatic policy ended the game.
    Policy,
}

/// How a game ended.
///
/// Stays exhaustive until 1.0, so that the compiler finds what a new ending needs.
///
/// The text of an outcome is the sentence shown to the players:
///
/// ```
/// use tabiya_game::{GameResult, Outcome};
/// use tabiya_rules::Color;
///
/// let outcome = Outcome::Resignation { loser: Color::White };
/// assert_eq!(outcome.to_string(), "White resigns. Black wins.");
/// assert_eq!(outcome.winner(), Some(Color::Black));
/// assert_eq!(outcome.result(), GameResult::BlackWins);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The side to move is mated.
    Checkmate {
        /// Who gave mate.
        winner: Color,
    },
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Neither side has the material to give mate.
    InsufficientMaterial,
    /// No sequence of moves leads to mate although there is enough material; only if the policy asks for it.
    DeadPosition,
    /// The position has occurred three times.
    Threefold(DrawBy),
    /// Each side has made fifty moves without a capture or pawn move.
    FiftyMoves(DrawBy),
    /// The position has occurred five times.
    Fivefold,
    /// Each side has made seventy-five moves without a capture or pawn move.
    SeventyFiveMoves,
    /// The players agreed on a draw.
    Agreement,
    /// A player resigned.
    Resignation {
        /// Who resigned.
        loser: Color,
    },
    /// A flag fell, and the opponent could still have mated.
    Time {
        /// Whose flag fell.
        loser: Color,
    },
    /// A flag fell, but the opponent could never have mated: a draw.
    TimeWithoutMaterial {
        /// Whose flag fell.
        flagged: Color,
    },
    /// The game was abandoned.
    Abandoned {
        /// The side that was awarded the game. Without a winner the game has no result.
        winner: Option<Color>,
    },
    /// An arbiter decided the game.
    Adjudicated {
        /// The winner; `None` is a draw.
        winner: Option<Color>,
    },
    /// A player broke the rules, such as a program that made an illegal move.
    RulesInfraction {
        /// Who broke the rules.
        loser: Color,
    },
    /// A game from elsewhere has a result that neither its moves nor its tags explain.
    Recorded {
        /// The winner; `None` is a draw.
        winner: Option<Color>,
    },
}

impl Outcome {
    /// Returns the side that won, if any.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Checkmate { winner } => Some(winner),
            Outcome::Resignation { loser }
            | Outcome::Time { loser }
            | Outcome::RulesInfraction { loser } => Some(match loser {
                Color::White => Color::Black,
                Color::Black => Color::White,
            }),
            Outcome::Abandoned { winner }
            | Outcome::Adjudicated { winner }
            | Outcome::Recorded { winner } => winner,
            _ => None,
        }
    }

    /// Returns the result that a record states.
    pub const fn result(self) -> GameResult {
        match (self.winner(), self) {
            (Some(winner), _) => GameResult::won_by(winner),
            (None, Outcome::Abandoned { .. }) => GameResult::Unknown,
            (None, _) => GameResult::Draw,
        }
    }

    /// Returns whether the game was drawn.
    pub const fn is_draw(self) -> bool {
        matches!(self.result(), GameResult::Draw)
    }

    /// Returns the ending as one word, for programs: `checkmate`, `stalemate`, `insufficient_material`,
    /// `dead_position`, `threefold`, `fifty`, `fivefold`, `seventy_five`, `agreement`, `resignation`, `time`,
    /// `time_without_material`, `abandoned`, `adjudicated`, `rules_infraction`, `recorded`.
    pub const fn reason(self) -> &'static str {
        match self {
            Outcome::Checkmate { .. } => "checkmate",
            Outcome::Stalemate => "stalemate",
            Outcome::InsufficientMaterial => "insufficient_material",
            Outcome::DeadPosition => "dead_position",
            Outcome::Threefold(_) => "threefold",
            Outcome::FiftyMoves(_) => "fifty",
            Outcome::Fivefold => "fivefold",
            Outcome::SeventyFiveMoves => "seventy_five",
            Outcome::Agreement => "agreement",
            Outcome::Resignation { .. } => "resignation",
            Outcome::Time { .. } => "time",
            Outcome::TimeWithoutMaterial { .. } => "time_without_material",
            Outcome::Abandoned { .. } => "abandoned",
            Outcome::Adjudicated { .. } => "adjudicated",
            Outcome::RulesInfraction { .. } => "rules_infraction",
            Outcome::Recorded { .. } => "recorded",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let award = |f: &mut fmt::Formatter<'_>, what: &str, winner: Option<Color>, none: &str| {
            match winner {
                Some(winner) => write!(f, "{what} {winner} wins."),
                None => write!(f, "{what} {none}"),
            }
        };
        match *self {
            Outcome::Checkmate { winner } => write!(f, "Checkmate! {winner} wins."),
            Outcome::Stalemate => f.write_str("Stalemate! The game is a draw."),
            Outcome::InsufficientMaterial => f.write_str("Draw by insufficient material."),
            Outcome::DeadPosition => f.write_str("Draw by dead position."),
            Outcome::Threefold(DrawBy::Claim) => {
                f.write_str("Draw claimed by threefold repetition.")
            }
            Outcome::Threefold(DrawBy::Policy) => f.write_str("Draw by threefold repetition."),
            Outcome::FiftyMoves(DrawBy::Claim) => f.write_str("Draw claimed by 50-move rule."),
            Outcome::FiftyMoves(DrawBy::Policy) => f.write_str("Draw by 50-move rule."),
            Outcome::Fivefold => f.write_str("Draw by fivefold repetition."),
            Outcome::SeventyFiveMoves => f.write_str("Draw by 75-move rule."),
            Outcome::Agreement => f.write_str("Draw agreed."),
            Outcome::Resignation { loser } => write!(f, "{loser} resigns. {} wins.", !loser),
            Outcome::Time { loser } => write!(f, "{loser} ran out of time. {} wins.", !loser),
            Outcome::TimeWithoutMaterial { flagged } => {
                write!(f, "{flagged} ran out of time. The game is a draw.")
            }
            Outcome::Abandoned { winner } => award(f, "Game abandoned.", winner, "No result."),
            Outcome::Adjudicated { winner } => {
                award(f, "Game adjudicated.", winner, "The game is a draw.")
            }
            Outcome::RulesInfraction { loser } => {
                write!(f, "{loser} broke the rules. {} wins.", !loser)
            }
            Outcome::Recorded { winner } => {
                award(f, "The record ends here.", winner, "The game is a draw.")
            }
        }
    }
}
