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
    /// Go forward by this many plies along the line visited last; an ending that was undone counts as one more.
    Redo(u32),
    /// Go to any place in the record.
    GoTo(GoTo),
    /// Claim a draw for the side to move.
    Claim {
        /// The rule; `None` tries the 50-move rule, then repetition.
        rule: Option<ClaimRule>,
        /// The move that would create the grounds; `None` claims for the position on the board. The move is not made.
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
    /// This side refuses to let the opponent take a move back.
    DeclineTakeback(Color),
    /// The game is abandoned.
    Abandon {
        /// The side that is awarded the game, if any.
        winner: Option<Color>,
    },
    /// An arbiter decides the game.
    Adjudicate {
        /// The winner; `None` is a draw.
        winner: Option<Color>,
    },
    /// This side has used up time that the session's clocks do not measure, such as a limit for each move. The other
    /// side wins.
    ForfeitOnTime(Color),
    /// This side has broken the rules, for example with an illegal move. The other side wins.
    ForfeitByRules(Color),
    /// Time passes. This does nothing unless a flag fell or the clocks of a new game have to start.
    Tick,
    /// Stop the clocks. No move can be made until they run again.
    Pause,
    /// Start the clocks again.
    Resume,
    /// Begin a new game.
    NewGame(Box<NewGame>),
    /// Begin a game from a position, with the same clocks, policy and tags.
    LoadPosition(Box<Position>),
    /// Load a recorded game, from [`Session::save`](crate::Session::save) or from anywhere else. Without a saved cursor
    /// it continues at the end of its main line; an unfinished game from elsewhere that has a clock is paused.
    LoadGame(Box<Record>),
    /// Replace the comments after a move.
    Comment {
        /// The move; `None` is the one at the cursor.
        node: Option<NodeId>,
        /// The text; an empty one removes the comment.
        text: String,
    },
    /// Add a glyph to a move. One of the six from `!` to `?!` replaces another of them.
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
        /// The best line, as far as its moves are legal one after another, and no more than twenty-four of them.
        best: Vec<Move>,
    },
    /// Move a variation one place up among its siblings.
    Promote(NodeId),
    /// Make a variation and all moves that lead to it the main line.
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
    /// Change the rules that are optional.
    SetPolicy(Policy),
}

impl Command {
    /// Returns whether this command starts the clocks of a new game. Commands that only write in the record do not.
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
            | Command::ForfeitByRules(_)
            | Command::Tick
            | Command::Pause
            | Command::Resume
            | Command::NewGame(_)
            | Command::LoadPosition(_)
            | Command::LoadGame(_) => true,
        }
    }

    /// Creates a command that plays a move given as text, in SAN or coordinates. [`Command::play_move`] takes a
    /// [`Move`].
    pub fn play(text: &str) -> Command {
        Command::Play(MoveInput::Text(text.to_owned()))
    }

    /// Creates a command that plays a move of the current position, such as one an engine chose.
    pub const fn play_move(m: Move) -> Command {
        Command::Play(MoveInput::Move(m))
    }

    /// Creates a command that sets a tag, such as a player's name.
    pub fn set_tag(name: impl Into<String>, value: impl Into<String>) -> Command {
        Command::SetTag {
            name: name.into(),
            value: Some(value.into()),
        }
    }

    /// Creates a command that goes back by this many plies.
    pub const fn undo(plies: u32) -> Command {
        Command::Undo(UndoTo::Plies(plies))
    }

    /// Creates a command that claims a draw for the position on the board, under whichever rule allows it.
    pub const fn claim() -> Command {
        Command::Claim {
            rule: None,
            intended: None,
        }
    }

    /// Creates a command that claims a draw for the position after an intended move, given as text in SAN or
    /// coordinates.
    pub fn claim_with(text: &str) -> Command {
        Command::Claim {
            rule: None,
            intended: Some(MoveInput::Text(text.to_owned())),
        }
    }
}

/// A move as a person or program enters it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveInput {
    /// Text, in SAN or coordinates.
    Text(String),
    /// A move.
    Move(Move),
    /// Two squares, such as those clicked on a board.
    Squares {
        /// The square of the piece.
        from: Square,
        /// The square it goes to.
        to: Square,
        /// The role that a pawn promotes to.
        promotion: Option<Role>,
    },
}

/// How far back to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoTo {
    /// This many steps, or to the start if there are fewer. A step is a ply, or the act that ended the game.
    Plies(u32),
    /// To the last turn of this side: against a bot, the human's last turn.
    TurnOf(Color),
}

/// Where [`Command::GoTo`] goes in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoTo {
    /// The start.
    Start,
    /// The end of the line.
    End,
    /// This many plies after the start, on the line visited last.
    Ply(u32),
    /// After this move, in any variation.
    Node(NodeId),
}

/// What a new game begins with.
///
/// `==` compares start positions as [`Position`] does, without their move counters.
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
    /// The start position.
    pub start: Position,
    /// The time each side has.
    pub clocks: ByColor<TimeControl>,
    /// The rules that are optional.
    pub policy: Policy,
    /// The tags, such as the players' names. Tags that a session derives itself are not included.
    pub tags: Tags,
}

impl Default for NewGame {
    /// Returns a game from the standard start, without clocks, under the Laws.
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
    /// Creates a game from a position, without clocks, under the Laws.
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

    /// Sets the start position.
    #[must_use]
    pub fn with_start(self, start: Position) -> NewGame {
        NewGame { start, ..self }
    }

    /// Sets the time of each side.
    #[must_use]
    pub fn with_clocks(self, clocks: ByColor<TimeControl>) -> NewGame {
        NewGame { clocks, ..self }
    }

    /// Sets the optional rules.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> NewGame {
        NewGame { policy, ..self }
    }

    /// Sets the tags.
    #[must_use]
    pub fn with_tags(self, tags: Tags) -> NewGame {
        NewGame { tags, ..self }
    }

    /// Sets the time of both sides.
    #[must_use]
    pub fn with_clock(self, control: &TimeControl) -> NewGame {
        NewGame {
            clocks: ByColor::new(control.clone(), control.clone()),
            ..self
        }
    }
}
