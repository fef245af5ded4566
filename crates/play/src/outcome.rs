//! The results of a request: values, in order. A front turns them into sentences, JSON or pictures.

use tabiya_game::{Event, EventKind, MoveInput, NodeId, Outcome as Ending, Refusal};
use tabiya_rules::{Color, Move, Position};

use crate::analysis::explanation::LineKind;
use crate::opponents::EngineOrder;
use crate::players::PlayerError;
pub use crate::question::{Answer, LastMove};
use crate::remote::ServerNews;
use crate::request::ServerRequest;
use crate::study::{Attempt, Mistake, StudyTask};
use crate::typed_move::Unplayable;
use crate::variations::VariationError;

/// The results of a request, in order.
pub type Outcomes = Vec<Outcome>;

/// One result of a request.
///
/// Stays exhaustive until 1.0, so that the compiler finds what a new outcome needs.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The game has changed. The change must be on disk before it is shown.
    Happened(Happened),
    /// The request was refused.
    Refused(TableRefusal),
    /// The answer to a question about the game.
    Answer(Answer),
    /// An order for an engine.
    Order(EngineOrder),
    /// A request to the server of the game.
    Server(ServerRequest),
    /// News from the server of the game.
    ServerNews(ServerNews),
    /// Positions that an engine has to judge.
    Study(Box<StudyTask>),
    /// The text of a move could also mean another one.
    ReadAs {
        /// The position before the move.
        position: Box<Position>,
        /// The move that was played.
        played: Move,
        /// The other one.
        other: Move,
    },
    /// A premove was set, or removed.
    Premove(Option<MoveInput>),
    /// The premove is not legal and was dropped.
    PremoveDropped(Box<TableRefusal>),
    /// Someone now plays a side: an engine, or a person.
    Seated {
        /// The side.
        color: Color,
        /// The engine's name; `None` for a person.
        name: Option<String>,
    },
    /// The person who asked for the game plays this side.
    TookSide(Color),
    /// An engine cannot continue. A person moves for it.
    EngineFailed {
        /// Its side.
        color: Color,
        /// Why.
        why: PlayerError,
    },
    /// A comment contained a brace, which PGN cannot hold.
    BraceReplaced,
    /// The analysis of the game has begun.
    Judging,
    /// A move was worse than it had to be.
    Judged(NodeId),
    /// All moves of the game are judged.
    AllJudged,
    /// The engine has finished judging a move that was tried.
    TryEnded,
    /// The user is to find a better move than a mistake.
    Retry(Mistake),
    /// The verdict on a move that was tried in place of a mistake.
    Tried(Attempt),
    /// A line about a mistake is a variation now: its moves in SAN, with numbers.
    Line(LineKind, Vec<String>),
    /// A variation, given by its first move, has been moved.
    VariationMoved(NodeId),
}

/// What one command did to the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happened {
    /// The session's events, in order.
    pub events: Vec<Event>,
    /// The ply before them.
    pub ply_before: u32,
    /// The current position after them.
    pub node: NodeId,
    /// Whether an engine did it.
    pub by_engine: bool,
    /// Whether the game continues from an earlier position, so that the moves after it become a variation.
    pub branched: bool,
    /// Whether the record has changed: moves were added or deleted, or something was annotated.
    pub recorded: bool,
}

impl Happened {
    /// Whether the game has just ended, rather than been moved to where it had ended.
    #[must_use]
    pub fn ended_by_playing(&self) -> bool {
        let walked = |event: &Event| event.kind() == EventKind::Walk || *event == Event::GameLoaded;
        self.has_ended() && !self.events.iter().any(walked)
    }

    /// Whether the game is over afterwards.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.events
            .iter()
            .any(|event| event.kind() == EventKind::End)
    }

    /// Whether only annotations or tags have changed.
    #[must_use]
    pub fn changes_only_notes(&self) -> bool {
        let written =
            |event: &Event| matches!(event.kind(), EventKind::Annotation | EventKind::Tag);
        self.events.iter().all(written)
    }
}

/// Why a request was refused.
///
/// Stays exhaustive until 1.0, so that the compiler finds what a new refusal needs.
#[derive(Clone, Debug, PartialEq)]
pub enum TableRefusal {
    /// The session refused it.
    Game {
        /// Why.
        refusal: Refusal,
        /// The move as it was typed, if one was.
        typed: Option<String>,
    },
    /// The text says that a move captures, but it does not.
    NothingToCapture(Move),
    /// It is an engine's turn.
    EnginesTurn {
        /// Whose turn it is.
        turn: Color,
        /// The engine.
        name: String,
        /// Whether the player is looking at an earlier position, so that the engine is not thinking.
        looking: bool,
    },
    /// Others play this game on a server.
    Watching,
    /// The game has no such move.
    NoSuchMove {
        /// How many plies it has.
        plies: usize,
    },
    /// There is nothing to answer.
    NothingToAnswer,
    /// A draw is offered and a takeback requested: it is unclear which is meant.
    TwoToAnswer,
    /// There is no move to mark.
    NoMoveToMark,
    /// There is no such variation.
    Variation(VariationError),
    /// That is only for games being played, and this one is under review.
    OnlyReviewed,
    /// The server of the game does not do that; or the move is not for the current position of the game.
    OnServer,
    /// An engine plays the side, and decides for it.
    EnginesDecision {
        /// The side.
        side: Color,
        /// The engine.
        name: String,
    },
    /// People in two places play on a server, so no engine helps.
    NoHelp,
    /// No premove is set.
    NoPremove,
    /// The game would be over in the starting position.
    StartIsOver(Ending),
    /// There is no move to think about.
    NothingToThinkAbout,
    /// The adviser found nothing.
    NoAdvice,
    /// There are no moves to judge.
    NothingToJudge,
    /// The game has not been judged yet.
    NotJudged,
    /// An engine plays one of the sides.
    EngineSeated,
    /// There was no mistake.
    NoMistake,
    /// A better move was found for each mistake. The next request begins with the first one again.
    AllImproved,
    /// The engine has no such line about the move.
    NoLine,
    /// The move that was tried is not good enough.
    Tried(Attempt),
    /// The engine that was to judge or advise has failed.
    Engine(PlayerError),
}

impl TableRefusal {
    /// The refusal of a text that was typed as a move.
    #[must_use]
    pub fn typed(why: Unplayable, text: String) -> TableRefusal {
        match why {
            Unplayable::NothingToCapture(meant) => TableRefusal::NothingToCapture(meant),
            Unplayable::Refused(refusal) => TableRefusal::Game {
                refusal: Refusal::Move(refusal),
                typed: Some(text),
            },
        }
    }
}
