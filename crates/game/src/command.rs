//! The commands that change a game.

use tabiya_rules::{ByColor, Color, Move, Position, Role, Square};

use crate::annotation::{Arrow, Evaluation, Glyph, SquareMark};
use crate::claims::ClaimRule;
use crate::clock::TimeControl;
use crate::policy::Policy;
use crate::record::{NodeId, Record};
use crate::tags::Tags;

/// A request to change the game. [`Session::apply`](crate::Session::apply) carries it out or refuses it.
///
/// `==` compares positions as [`Position`] does, without their move counters.
///
/// Stays exhaustive until 1.0, so that the compiler finds what a new command needs.
///
/// ```
/// use tabiya_game::{Command, GoTo, Session, Timestamp};
///
/// let mut session = Session::default();
/// session.apply(Command::play("e4"), Timestamp::ORIGIN)?;
/// session.apply(Command::GoTo(GoTo::Start), Timestamp::ORIGIN)?;
/// assert_eq!(session.ply(), 0);
/// # Ok::<(), tabiya_game::Refusal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Make a move for the side to move.
    Play(MoveInput),
    /// Go back.
    Undo(UndoTo),
    /// Go forward by this many plies along the line last visited; an ending that was undone counts as one more.
    Redo(u32),
    /// Go anywhere in the record.
    GoTo(GoTo),
    /// Claim a draw for the side to move.
    Claim {
        /// The rule; `None` tries the 50-move rule, then repetition.
        rule: Option<ClaimRule>,
        /// The move that would bring the grounds about; `None` rests on the position on the board. The move is not
        /// made.
        intended: Option<MoveInput>,
    },
    /// This side offers a draw.
    OfferDraw(Color),
    /// This side accepts the opponent's offer.
    AcceptDraw(Color),
    /// This side declines the opponent's offer.
    DeclineDraw(Color),
    /// This side resigns, on its turn or not.
    Resign(Color),
    /// This side asks to take its last move back.
    AskTakeback(Color),
    /// This side lets the opponent take a move back.
    GrantTakeback(Color),
    /// This side does not let the opponent take a move back.
    DeclineTakeback(Color),
    /// The game is broken off.
    Abandon {
        /// To whom it is awarded, if to anyone.
        winner: Option<Color>,
    },
    /// An arbiter decides the game.
    Adjudicate {
        /// Who wins; `None` is a draw.
        winner: Option<Color>,
    },
    /// This side has used up a time that the session's clocks do not measure, such as one for each move. The other side
    /// wins.
    ForfeitOnTime(Color),
    /// Time passes. Nothing happens unless a flag fell; in a new game, the clocks start.
    Tick,
    /// Stop the clocks. No move can be made until they run again.
    Pause,
    /// Let the clocks run again.
    Resume,
    /// Begin a new game.
    NewGame(Box<NewGame>),
    /// Begin a game from a position, with the same clocks, policy and tags.
    LoadPosition(Box<Position>),
    /// Take over a recorded game: what [`Session::save`](crate::Session::save) wrote, or any other. Without a saved
    /// cursor it continues at the end of its main line; an unfinished game from elsewhere that has a clock is
    /// paused.
    LoadGame(Box<Record>),
    /// Replace the comments after a move.
    Comment {
        /// The move; `None` is the one at the cursor.
        node: Option<NodeId>,
        /// The text; an empty one removes the comment.
        text: String,
    },
    /// Mark a move with a glyph. One of the six from `!` to `?!` takes the place of another of these.
    Glyph {
        /// The move; `None` is the one at the cursor.
        node: Option<NodeId>,
        /// The glyph; `None` removes all.
        glyph: Option<Glyph>,
    },
    /// Replace the marked squares and arrows of the position after a move.
    Marks {
        /// The move; `None` is the one at the cursor.
        node: Option<NodeId>,
        /// The squares.
        squares: Vec<SquareMark>,
        /// The arrows.
        arrows: Vec<Arrow>,
    },
    /// Write what an engine thinks of the position after a move: its value as `[%eval …]`, its best line as `[%best …]`.
    /// Both take the place of those that are there.
    Evaluate {
        /// The move; `None` is the one at the cursor.
        node: Option<NodeId>,
        /// The value; `None` removes it.
        evaluation: Option<Evaluation>,
        /// The best line, as far as its moves are legal one after another, and no more than eight of them.
        best: Vec<Move>,
    },
    /// Move a variation one place up among its siblings.
    Promote(NodeId),
    /// Make a variation and all that leads to it the main line.
    PromoteToMainLine(NodeId),
    /// Move a variation one place down among its siblings.
    Demote(NodeId),
    /// Delete a move and everything after it.
    Delete(NodeId),
    /// Set or remove a tag.
    SetTag {
        /// Its name.
        name: String,
        /// Its value; `None` removes it.
        value: Option<String>,
    },
    /// Change the rules that are a matter of choice.
    SetPolicy(Policy),
}

impl Command {
    /// Whether the clocks of a new game start with it. What only writes in the record does not start them.
    pub(crate) const fn starts_clocks(&self) -> bool {
        match self {
            Command::Comment { .. }
            | Command::Glyph { .. }
            | Command::Marks { .. }
            | Command::Evaluate { .. }
            | Command::Promote(_)
            | Command::PromoteToMainLine(_)
            | Command::Demote(_)
            | Command::Delete(_)
            | Command::SetTag { .. }
            | Command::SetPolicy(_) => false,
            Command::Play(_)
            | Command::Undo(_)
            | Command::Redo(_)
            | Command::GoTo(_)
            | Command::Claim { .. }
            | Command::OfferDraw(_)
            | Command::AcceptDraw(_)
            | Command::DeclineDraw(_)
            | Command::Resign(_)
            | Command::AskTakeback(_)
            | Command::GrantTakeback(_)
            | Command::DeclineTakeback(_)
            | Command::Abandon { .. }
            | Command::Adjudicate { .. }
            | Command::ForfeitOnTime(_)
            | Command::Tick
            | Command::Pause
            | Command::Resume
            | Command::NewGame(_)
            | Command::LoadPosition(_)
            | Command::LoadGame(_) => true,
        }
    }

    /// Plays a move given as text: SAN or coordinates. For a [`Move`] there is [`Command::play_move`].
    pub fn play(text: &str) -> Command {
        Command::Play(MoveInput::Text(text.to_owned()))
    }

    /// Plays a move of the current position, such as one that an engine chose.
    pub const fn play_move(m: Move) -> Command {
        Command::Play(MoveInput::Move(m))
    }

    /// Sets a tag, such as a player's name.
    pub fn set_tag(name: impl Into<String>, value: impl Into<String>) -> Command {
        Command::SetTag {
            name: name.into(),
            value: Some(value.into()),
        }
    }

    /// Goes back by this many plies.
    pub const fn undo(plies: u32) -> Command {
        Command::Undo(UndoTo::Plies(plies))
    }

    /// Claims a draw because of the position on the board, under whichever rule allows it.
    pub const fn claim() -> Command {
        Command::Claim {
            rule: None,
            intended: None,
        }
    }

    /// Claims a draw because of the position after an intended move, given as text: SAN or coordinates.
    pub fn claim_with(text: &str) -> Command {
        Command::Claim {
            rule: None,
            intended: Some(MoveInput::Text(text.to_owned())),
        }
    }
}

/// A move as a person or a program enters it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveInput {
    /// As text: SAN or coordinates.
    Text(String),
    /// As a move.
    Move(Move),
    /// As two squares, from a board that was clicked.
    Squares {
        /// The square of the piece.
        from: Square,
        /// Where it goes.
        to: Square,
        /// The role that a pawn promotes to.
        promotion: Option<Role>,
    },
}

/// How far to go back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoTo {
    /// This many steps, or to the start if there are fewer. A step is a ply, or the act that ended the game.
    Plies(u32),
    /// To the last time this side was to move: against a bot, the human's last turn.
    TurnOf(Color),
}

/// Where to go in the record: the place that [`Command::GoTo`] names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoTo {
    /// The start.
    Start,
    /// The end of the line.
    End,
    /// This many plies after the start, on the line last visited.
    Ply(u32),
    /// After this move, in whichever variation.
    Node(NodeId),
}

/// What a new game begins with.
///
/// `==` compares start positions as [`Position`] does, so their move counters may differ.
///
/// ```
/// use tabiya_game::{DrawPolicy, NewGame, Policy, Session};
/// use tabiya_rules::Position;
///
/// let game = NewGame::default()
///     .with_start(Position::chess960(0).ok_or("no such start")?)
///     .with_clock(&"5+3".parse()?)
///     .with_policy(Policy::new().with_draws(DrawPolicy::Automatic));
/// let session = Session::new(game);
/// assert_eq!(session.clocks().white.to_string(), "5+3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NewGame {
    /// The position.
    pub start: Position,
    /// The time each side has.
    pub clocks: ByColor<TimeControl>,
    /// The rules that are a matter of choice.
    pub policy: Policy,
    /// The tags, such as the players' names. Those that a session derives itself are left out.
    pub tags: Tags,
}

impl Default for NewGame {
    /// The standard start without clocks, under the Laws.
    fn default() -> NewGame {
        NewGame {
            start: Position::start(),
            clocks: ByColor::default(),
            policy: Policy::default(),
            tags: Tags::new(),
        }
    }
}

impl NewGame {
    /// A game from a position, without clocks, under the Laws.
    ///
    /// ```
    /// use tabiya_game::{DrawPolicy, NewGame, Policy, Session};
    /// use tabiya_rules::Position;
    ///
    /// let start = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")?;
    /// let policy = Policy::new().with_draws(DrawPolicy::Automatic);
    /// let session = Session::new(NewGame::new(start).with_policy(policy).with_clock(&"5+3".parse()?));
    /// assert_eq!(*session.position(), start);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(start: Position) -> NewGame {
        NewGame::default().with_start(start)
    }

    /// The same from another position.
    #[must_use]
    pub fn with_start(self, start: Position) -> NewGame {
        NewGame { start, ..self }
    }

    /// The same with a time for each side.
    #[must_use]
    pub fn with_clocks(self, clocks: ByColor<TimeControl>) -> NewGame {
        NewGame { clocks, ..self }
    }

    /// The same under other rules.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> NewGame {
        NewGame { policy, ..self }
    }

    /// The same with other tags.
    #[must_use]
    pub fn with_tags(self, tags: Tags) -> NewGame {
        NewGame { tags, ..self }
    }

    /// The same with this time for both sides.
    #[must_use]
    pub fn with_clock(self, control: &TimeControl) -> NewGame {
        NewGame {
            clocks: ByColor::new(control.clone(), control.clone()),
            ..self
        }
    }
}
