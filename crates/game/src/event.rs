//! What happened in a game, in order; [`Session::apply`](crate::Session::apply) returns it.

use core::time::Duration;

use tabiya_rules::{Color, Move, Piece, Square, UciMove};

use crate::claims::Claim;
use crate::outcome::Outcome;
use crate::record::NodeId;

/// Something that happened.
///
/// One command can cause several events. A move causes [`Event::Moved`] and then, where it applies, either
/// [`Event::ClaimAvailable`] or [`Event::Ended`]. The same two follow every other command that changes the
/// current position.
///
/// Stays exhaustive until 1.0, so that the compiler finds what a new event needs.
///
/// ```
/// use tabiya_game::{Command, Event, Session, Timestamp};
///
/// let mut session = Session::default();
/// let events = session.apply(Command::play("Nf3"), Timestamp::ORIGIN)?;
/// assert!(matches!(&events[0], Event::Moved(moved) if moved.san == "Nf3"));
/// # Ok::<(), tabiya_game::Refusal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A move was made.
    Moved(Moved),
    /// The game went back.
    Undone {
        /// The number of plies.
        plies: u32,
        /// The ending that was undone before any move: a claim, a resignation, an agreement or a flag.
        reopened: Option<Outcome>,
    },
    /// The game went forward again.
    Redone {
        /// The number of plies.
        plies: u32,
    },
    /// The player to move may claim a draw because of the position on the board.
    ClaimAvailable(Vec<Claim>),
    /// The player to move claimed a draw, and the claim holds.
    DrawClaimed(Claim),
    /// A player offered a draw.
    DrawOffered {
        /// The player.
        by: Color,
    },
    /// A player accepted the opponent's offer.
    DrawAccepted {
        /// The player.
        by: Color,
    },
    /// A player declined the opponent's offer.
    DrawDeclined {
        /// The player.
        by: Color,
    },
    /// A player's offer lapsed: the opponent moved instead of answering it.
    DrawLapsed {
        /// The player.
        by: Color,
    },
    /// A player resigned.
    Resigned {
        /// The player.
        by: Color,
    },
    /// A player's time ran out.
    FlagFell {
        /// The player.
        color: Color,
    },
    /// A player asked to take a move back.
    TakebackAsked {
        /// The player.
        by: Color,
    },
    /// A player granted the opponent's request.
    TakebackGranted {
        /// The player.
        by: Color,
    },
    /// A player declined the opponent's request.
    TakebackDeclined {
        /// The player.
        by: Color,
    },
    /// A player's request lapsed: the opponent moved instead of answering it.
    TakebackLapsed {
        /// The player.
        by: Color,
    },
    /// The game is over.
    Ended(Outcome),
    /// A new game began.
    NewGame,
    /// A game from another position began.
    PositionLoaded,
    /// A recorded game was loaded.
    GameLoaded,
    /// The cursor moved to another place in the record.
    WentTo {
        /// The node.
        node: NodeId,
        /// The ply there.
        ply: u32,
    },
    /// The clocks stopped.
    Paused,
    /// The clocks run again.
    Resumed,
    /// The annotation of a move changed.
    Annotated {
        /// The move.
        node: NodeId,
    },
    /// A variation moved among its siblings.
    VariationMoved {
        /// Its first move.
        node: NodeId,
    },
    /// A variation was deleted.
    VariationDeleted {
        /// The move before it.
        parent: NodeId,
    },
    /// A tag changed.
    TagChanged {
        /// Its name.
        name: String,
    },
    /// The optional rules changed.
    PolicyChanged,
}

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A move was made.
    Move,
    /// The game went to another of its positions.
    Walk,
    /// The game is over.
    End,
    /// Something was written beside a move.
    Annotation,
    /// A tag was set or removed.
    Tag,
    /// Variations were reordered or deleted.
    Variation,
    /// Another game is on the board.
    Game,
    /// Anything else that players do, such as offers and pauses, or that follows from the rules.
    Act,
}

impl Event {
    /// Returns what the event is about.
    pub const fn kind(&self) -> EventKind {
        match self {
            Event::Moved(_) => EventKind::Move,
            Event::Undone { .. } | Event::Redone { .. } | Event::WentTo { .. } => EventKind::Walk,
            Event::Ended(_) => EventKind::End,
            Event::Annotated { .. } => EventKind::Annotation,
            Event::TagChanged { .. } => EventKind::Tag,
            Event::VariationMoved { .. } | Event::VariationDeleted { .. } => EventKind::Variation,
            Event::NewGame | Event::PositionLoaded | Event::GameLoaded => EventKind::Game,
            Event::ClaimAvailable(_)
            | Event::DrawClaimed(_)
            | Event::DrawOffered { .. }
            | Event::DrawAccepted { .. }
            | Event::DrawDeclined { .. }
            | Event::DrawLapsed { .. }
            | Event::Resigned { .. }
            | Event::FlagFell { .. }
            | Event::TakebackAsked { .. }
            | Event::TakebackGranted { .. }
            | Event::TakebackDeclined { .. }
            | Event::TakebackLapsed { .. }
            | Event::Paused
            | Event::Resumed
            | Event::PolicyChanged => EventKind::Act,
        }
    }
}

/// A move that was made, with its details.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Moved {
    /// Its node in the record.
    pub node: NodeId,
    /// Its ply: 1 for the first move after the start.
    pub ply: u32,
    /// The side that moved.
    pub by: Color,
    /// The move.
    pub played: Move,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The move in UCI notation.
    pub uci: UciMove,
    /// The captured piece and its square.
    pub captured: Option<(Square, Piece)>,
    /// Whether it gives check.
    pub check: bool,
    /// The mover's clock after the move; `None` if time is unlimited.
    pub clock: Option<Duration>,
}
