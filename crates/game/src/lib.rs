//! One game of chess as a state machine, and games as text.

#![forbid(unsafe_code)]

mod annotation;
mod claims;
mod clock;
mod command;
mod dead;
mod event;
mod history;
mod outcome;
mod policy;
mod record;
mod refusal;
mod session;
mod tags;

pub use annotation::{
    Annotation, Arrow, CommandError, Comment, CommentCommand, Evaluation, Glyph, MarkColor, Score,
    SquareMark, clock_text, parse_clock,
};
pub use claims::{Claim, ClaimRule, Grounds};
pub use clock::{Bonus, ClockFace, Period, TimeControl, TimeControlError, Timestamp};
pub use command::{Command, MoveInput, NewGame, Place, UndoTo};
pub use dead::{DEAD_SEARCH_POSITIONS, Deadness, deadness};
pub use event::{Event, Moved};
pub use outcome::{DrawBy, GameResult, Outcome, ParseResultError};
pub use policy::{DeadPositions, DrawPolicy, Policy};
pub use record::{AddError, Children, Node, NodeId, Record, Step};
pub use refusal::{ClaimRefusal, MoveRefusal, Refusal};
pub use session::{ObserverId, Session, Takeback};
pub use tags::{TagError, Tags};
