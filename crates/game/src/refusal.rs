//! Why a command was refused: as a value, and as a sentence that a person can act on.

use core::fmt;

use tabiya_rules::text::clean;
use tabiya_rules::{Color, IllegalMove, SanError};

use crate::claims::ClaimRule;
use crate::outcome::Outcome;
use crate::tags::TagError;

/// Why a command was refused. Nothing has changed. It displays as a sentence for the players.
///
/// Stays exhaustive until 1.0, so that the compiler finds what a new refusal needs.
///
/// ```
/// use tabiya_game::{Command, Refusal, Session, Timestamp};
///
/// let mut session = Session::default();
/// let refusal = session.apply(Command::undo(1), Timestamp::ORIGIN).unwrap_err();
/// assert_eq!(refusal, Refusal::NothingToUndo);
/// assert_eq!(refusal.to_string(), "Nothing to undo.");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The game is over. Going back reopens it.
    GameOver(Outcome),
    /// The clocks are stopped.
    Paused,
    /// The clocks are not stopped.
    NotPaused,
    /// The move cannot be made.
    Move(MoveRefusal),
    /// The claim does not hold.
    Claim(ClaimRefusal),
    /// There is no move to undo.
    NothingToUndo,
    /// There is no move to redo.
    NothingToRedo,
    /// The line is shorter.
    NoSuchPly {
        /// The requested ply.
        ply: u32,
        /// The last ply of the line.
        last: u32,
    },
    /// The record has no such move, or the move was deleted.
    NoSuchMove,
    /// The variation is already at that end of its siblings.
    NoOtherPlace,
    /// The start of the game cannot be deleted.
    StartStays,
    /// The opponent of this side has not offered a draw.
    NoDrawOffer {
        /// The side that would have answered.
        by: Color,
    },
    /// A draw has already been offered.
    DrawIsOffered {
        /// The side that offered it.
        by: Color,
    },
    /// The opponent of this side has not asked to take a move back.
    NoTakeback {
        /// The side that would have answered.
        by: Color,
    },
    /// A takeback has already been asked for.
    TakebackIsAsked {
        /// The side that asked.
        by: Color,
    },
    /// This side has no move to take back.
    NoMoveToTakeBack {
        /// The side that asked.
        by: Color,
    },
    /// The tag cannot be set.
    Tag(TagError),
    /// The record holds as much as can be read back from PGN (see [`pgn`](crate::pgn)).
    RecordFull,
    /// Variations would be nested deeper than can be read back from PGN ([`MAX_DEPTH`](crate::pgn::MAX_DEPTH)).
    TooDeep,
    /// A text is longer than can be read back from PGN.
    TextTooLong {
        /// The most bytes it may have.
        most: usize,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::GameOver(outcome) => write!(f, "The game is over: {outcome}"),
            Refusal::Paused => f.write_str("The game is paused: resume it first."),
            Refusal::NotPaused => f.write_str("The game is not paused."),
            Refusal::Move(refusal) => refusal.fmt(f),
            Refusal::Claim(refusal) => refusal.fmt(f),
            Refusal::NothingToUndo => f.write_str("Nothing to undo."),
            Refusal::NothingToRedo => f.write_str("Nothing to redo."),
            Refusal::NoSuchPly { ply, last } => {
                write!(f, "There is no ply {ply}: the line ends at ply {last}.")
            }
            Refusal::NoSuchMove => f.write_str("There is no such move in the record."),
            Refusal::NoOtherPlace => f.write_str("The variation cannot be moved further."),
            Refusal::StartStays => {
                f.write_str("The start cannot be deleted: begin a new game instead.")
            }
            Refusal::NoDrawOffer { by } => {
                write!(f, "There is no draw offer for {by} to answer.")
            }
            Refusal::DrawIsOffered { by } => {
                write!(
                    f,
                    "{by} has offered a draw already: {} can accept or decline.",
                    !*by
                )
            }
            Refusal::NoTakeback { by } => {
                write!(f, "There is no takeback for {by} to answer.")
            }
            Refusal::TakebackIsAsked { by } => {
                write!(
                    f,
                    "{by} has asked for a takeback already: {} can grant or decline.",
                    !*by
                )
            }
            Refusal::NoMoveToTakeBack { by } => write!(f, "{by} has no move to take back."),
            Refusal::Tag(error) => error.fmt(f),
            Refusal::RecordFull => f.write_str("The record is full: begin a new game."),
            Refusal::TooDeep => write!(
                f,
                "Variations can be nested {} deep, and not deeper.",
                crate::pgn::MAX_DEPTH
            ),
            Refusal::TextTooLong { most } => {
                write!(f, "The text is too long: it may have {most} bytes.")
            }
        }
    }
}

impl core::error::Error for Refusal {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Refusal::Move(refusal) => Some(refusal),
            Refusal::Claim(refusal) => Some(refusal),
            Refusal::Tag(error) => Some(error),
            Refusal::GameOver(_)
            | Refusal::Paused
            | Refusal::NotPaused
            | Refusal::NothingToUndo
            | Refusal::NothingToRedo
            | Refusal::NoSuchPly { .. }
            | Refusal::NoSuchMove
            | Refusal::NoOtherPlace
            | Refusal::StartStays
            | Refusal::NoDrawOffer { .. }
            | Refusal::DrawIsOffered { .. }
            | Refusal::NoTakeback { .. }
            | Refusal::TakebackIsAsked { .. }
            | Refusal::NoMoveToTakeBack { .. }
            | Refusal::RecordFull
            | Refusal::TooDeep
            | Refusal::TextTooLong { .. } => None,
        }
    }
}

/// Why a move cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveRefusal {
    /// The text is neither coordinates nor standard algebraic notation.
    Unreadable {
        /// The text, truncated if it is very long.
        text: String,
    },
    /// The move, given by its squares, is not legal.
    Illegal(IllegalMove),
    /// The text in standard algebraic notation fits no legal move, or more than one.
    San(SanError),
    /// A null move cannot be played.
    NullMove,
}

impl fmt::Display for MoveRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveRefusal::Unreadable { text } => write!(
                f,
                "Invalid move format '{}'. Use coordinate notation, e.g. e2e4.",
                clean(text)
            ),
            MoveRefusal::Illegal(reason) => reason.fmt(f),
            MoveRefusal::San(reason) => reason.fmt(f),
            MoveRefusal::NullMove => f.write_str("Passing is no move."),
        }
    }
}

impl core::error::Error for MoveRefusal {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            MoveRefusal::Illegal(reason) => Some(reason),
            MoveRefusal::San(error) => Some(error),
            MoveRefusal::Unreadable { .. } | MoveRefusal::NullMove => None,
        }
    }
}

/// Why a claim is not valid: the counts that the rules it tried depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClaimRefusal {
    /// The rule that was named; `None` if both were tried.
    pub rule: Option<ClaimRule>,
    /// The half-move clock, after the intended move if there was one. The 50-move rule needs 100.
    pub clock: u32,
    /// How often the position has occurred, including after the intended move. The rule needs three times.
    pub count: u32,
    /// The rule under which a draw could be claimed without the intended move; `None` if there is no such rule, or
    /// no move was intended.
    pub open: Option<ClaimRule>,
}

impl ClaimRefusal {
    /// Returns a sentence for each rule that was tried, or one that says how to claim a draw instead.
    pub fn sentences(&self) -> impl Iterator<Item = &'static str> {
        let tried = self.rule.filter(|_| self.open.is_none());
        let instead = self.open.map(|_| {
            "Draw cannot be claimed with that move, but the position on the board allows it: claim without a move."
        });
        let refused = ClaimRule::ALL
            .into_iter()
            .filter(move |&rule| instead.is_none() && tried.is_none_or(|tried| tried == rule))
            .map(|rule| match rule {
                ClaimRule::FiftyMoves => {
                    "Draw cannot be claimed: the 50-move rule has not been triggered."
                }
                ClaimRule::Threefold => {
                    "Draw cannot be claimed: the position has not occurred three times."
                }
            });
        refused.chain(instead)
    }
}

impl fmt::Display for ClaimRefusal {
    /// Writes the sentences, one on each line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, sentence) in self.sentences().enumerate() {
            f.write_str(if at == 0 { "" } else { "\n" })?;
            f.write_str(sentence)?;
        }
        Ok(())
    }
}

impl core::error::Error for ClaimRefusal {}
