//! What comes of a request: values, in order. A front turns them into sentences, JSON or pictures.
//!
//! The enums are exhaustive on purpose: whoever adds an outcome is told by the compiler where it has to be shown.

use tabiya_game::{ClockFace, Event, MoveInput, NodeId, Outcome as Ending, Refusal};
use tabiya_openings::{Eco, Opening};
use tabiya_rules::{Bitboard, ByColor, Color, Move, Piece, Role, Square};

use crate::advice::{Evaluation, Stage};
use crate::opponents::EngineOrder;
use crate::players::PlayerError;
use crate::remote::ServerNews;
use crate::request::ServerRequest;
use crate::study::{Mistake, StudyTask, Tried};
use crate::variations::NoVariation;

/// What came of a request, in order.
pub type Outcomes = Vec<Outcome>;

/// Something that came of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The game has changed, and must be on the disk before anything is shown of it.
    Happened(Happened),
    /// Something was not done.
    Refused(Refused),
    /// What was asked about the game.
    Answer(Answer),
    /// What an engine has to do.
    Order(EngineOrder),
    /// What the server that keeps the game has to be asked for.
    Server(ServerRequest),
    /// Something about the server that keeps the game.
    ServerNews(ServerNews),
    /// Positions that an engine has to judge.
    Study(Box<StudyTask>),
    /// The text of a move could have meant another one too, which is written so.
    ReadAs {
        /// The move that is played, as it is written.
        played: String,
        /// The other one.
        other: String,
    },
    /// A move waits for its turn, as it was given; or none does any more.
    Premove(Option<MoveInput>),
    /// The move that waited for its turn is not legal, and is forgotten.
    PremoveDropped(Box<Refused>),
    /// Somebody plays a side now: an engine by its name, or a person.
    Seated {
        /// The side.
        color: Color,
        /// The engine.
        name: Option<String>,
    },
    /// The person who asked for a game has this side.
    TookSide(Color),
    /// An engine cannot continue; a person moves for it.
    EngineFailed {
        /// Its side.
        color: Color,
        /// What it was called.
        name: String,
        /// Why.
        why: PlayerError,
    },
    /// A comment had a brace in it, which PGN cannot hold.
    BraceReplaced,
    /// The game is being judged.
    Judging,
    /// A move of the game was worse than it had to be.
    Judged(NodeId),
    /// All its moves are judged.
    AllJudged,
    /// The judge has nothing more to say about a move that was tried.
    TryEnded,
    /// The user is to find a better move than a mistake.
    Retry(Mistake),
    /// What a move is beside a move, while a mistake is tried again.
    Tried(Tried),
    /// A variation, by its first move, has another place.
    VariationMoved(NodeId),
}

/// What one command did to the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happened {
    /// The events, in order.
    pub events: Vec<Event>,
    /// The ply before them.
    pub ply_before: u32,
    /// Where the game stands after them.
    pub node: NodeId,
    /// Whether an engine has done it.
    pub by_engine: bool,
    /// Whether the game continues from an earlier place, so that the moves after it stay as a variation.
    pub branched: bool,
    /// Whether the record says something else than before: moves were added or deleted, or something was written.
    pub recorded: bool,
}

impl Happened {
    /// Whether the game has ended just now, and was not only brought to where it had ended.
    #[must_use]
    pub fn ended_by_playing(&self) -> bool {
        let walked = |event: &Event| {
            matches!(
                event,
                Event::Undone { .. }
                    | Event::Redone { .. }
                    | Event::WentTo { .. }
                    | Event::GameLoaded
            )
        };
        self.has_ended() && !self.events.iter().any(walked)
    }

    /// Whether the game is over after it.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        let ended = |event: &Event| matches!(event, Event::Ended(_));
        self.events.iter().any(ended)
    }

    /// Whether it only wrote beside moves or in the tags.
    #[must_use]
    pub fn only_wrote(&self) -> bool {
        let written =
            |event: &Event| matches!(event, Event::Annotated { .. } | Event::TagChanged { .. });
        self.events.iter().all(written)
    }
}

/// Why something was not done.
#[derive(Clone, Debug, PartialEq)]
pub enum Refused {
    /// The game does not allow it.
    Game {
        /// Why.
        refusal: Refusal,
        /// The move as it was typed, if one was.
        typed: String,
    },
    /// The text says that a move captures something where nothing stands.
    NothingToCapture(Move),
    /// It is the turn of an engine.
    EnginesTurn {
        /// Whose turn it is.
        turn: Color,
        /// The engine.
        name: String,
        /// Whether an earlier position is looked at, so that the engine is not thinking.
        looking: bool,
    },
    /// The game has no such move.
    NoSuchMove {
        /// How many plies it has.
        plies: usize,
    },
    /// Nobody has asked anything.
    NothingToAnswer,
    /// A draw is offered and a takeback is asked for: which is meant?
    TwoToAnswer,
    /// There is no move to mark.
    NoMoveToMark,
    /// There is no such variation.
    Variation(NoVariation),
    /// That is for a game that is played, and this one is only looked at.
    OnlyReviewed,
    /// A server keeps the game, and does not do that; or the move is for another place than where the game stands.
    OnServer,
    /// No move waits for its turn.
    NoPremove,
    /// The position to begin from is over already.
    StartIsOver(Ending),
    /// There is no move to think about.
    NothingToThinkAbout,
    /// The adviser found nothing.
    NoAdvice,
    /// There are no moves to judge.
    NothingToJudge,
    /// The game is not judged yet.
    NotJudged,
    /// An engine plays a side.
    EngineSeated,
    /// No mistake is left.
    NoMistake,
    /// A move that was tried is not good enough.
    Tried(Tried),
    /// An engine that was to judge or to advise failed.
    Engine(PlayerError),
}

/// What was asked about the game.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Where the pieces of a kind are.
    Pieces {
        /// The kind.
        role: Role,
        /// Where those of each side are.
        squares: ByColor<Bitboard>,
    },
    /// What stands on a file or a rank.
    Squares(Vec<(Square, Piece)>),
    /// What stands on a square, and the pieces of each side that attack or defend it.
    Square {
        /// The square.
        square: Square,
        /// What stands there.
        piece: Option<Piece>,
        /// The pieces of each side that reach it.
        reached_by: ByColor<Vec<(Square, Role)>>,
    },
    /// What each side has captured, in the order of the moves.
    Captured(ByColor<Vec<Role>>),
    /// The pieces of each side that attack a square.
    Attackers(ByColor<Vec<(Square, Role)>>),
    /// The legal moves as they are written, sorted.
    Moves(Vec<String>),
    /// No piece stands on the square whose moves were asked for.
    NoPiece(Square),
    /// What the clocks show.
    Clock(ClockFace),
    /// The last move, if there is one.
    LastMove(Option<LastMove>),
    /// The opening, if a position of the game has a name.
    Opening(Option<NamedOpening>),
    /// A hint.
    Hint {
        /// How much of it was asked for.
        stage: Stage,
        /// The move.
        best: Move,
        /// As it is written.
        san: String,
    },
    /// The best line, if one was found.
    Evaluation(Option<Evaluation>),
    /// The best lines.
    Lines(Vec<Evaluation>),
    /// Whether the best lines are shown beside the board from now on.
    LinesShown(bool),
    /// The adviser has to think first.
    Thinking,
}

/// An opening by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedOpening {
    /// Its code.
    pub eco: Eco,
    /// The family and the variation, with a colon between them.
    pub name: String,
}

impl From<Opening<'_>> for NamedOpening {
    fn from(opening: Opening<'_>) -> NamedOpening {
        NamedOpening {
            eco: opening.eco,
            name: opening.to_string(),
        }
    }
}

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastMove {
    /// Who made it.
    pub by: Color,
    /// As it is written.
    pub san: String,
    /// In coordinates.
    pub uci: String,
}
