//! What the holder of a link may do. The table decides what the game allows; this module decides who may ask for it.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tabiya_game::{Command, MoveInput, Session, UndoTo};
use tabiya_play::desk::BoardId;
use tabiya_play::request::{GameRequest, Pending, Request};
use tabiya_play::table::Table;
use tabiya_rules::Color;
use thiserror::Error;

/// The most plies that are undone or redone at once.
const MAX_UNDONE: u32 = 1000;

/// With more time than this on the clock at the start, a player may leave the game for a while.
const MAX_SITTING: Duration = Duration::from_secs(3 * 3600);

/// What a link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// White's side.
    White,
    /// Black's side.
    Black,
    /// Both sides at one screen.
    Both,
    /// Watching only.
    Watch,
}

impl Role {
    pub(crate) fn plays(self, color: Color) -> bool {
        match self {
            Role::White => color == Color::White,
            Role::Black => color == Color::Black,
            Role::Both => true,
            Role::Watch => false,
        }
    }
}

impl Role {
    /// The side that it plays, if it plays exactly one.
    pub(crate) fn side(self) -> Option<Color> {
        match self {
            Role::White => Some(Color::White),
            Role::Black => Some(Color::Black),
            Role::Both | Role::Watch => None,
        }
    }

    /// The side whose assistant helps: at one screen, White's helps both.
    pub(crate) fn helped(self) -> Option<Color> {
        match self {
            Role::White | Role::Both => Some(Color::White),
            Role::Black => Some(Color::Black),
            Role::Watch => None,
        }
    }
}

impl From<Color> for Role {
    fn from(color: Color) -> Role {
        match color {
            Color::White => Role::White,
            Color::Black => Role::Black,
        }
    }
}

/// Why a request is denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum Denied {
    #[error("You are watching this game.")]
    Watching,
    #[error("It is not your turn.")]
    NotYourTurn,
    #[error("Only the other side can do that.")]
    NotYourSide,
    #[error("Your opponent is not here yet.")]
    NotBegun,
    #[error("Against a person, both must agree to take back a move: ask for a takeback.")]
    AgainstPerson,
    #[error("There is no such request to answer.")]
    NothingAsked,
    #[error("You can ask for a rematch when the game is over.")]
    NotOver,
    #[error("Too many rematches in a short time. Ask for one again in a few seconds.")]
    TooManyRematches,
    #[error("The game has gone on in the meantime.")]
    Stale,
    #[error("Your opponent has not been away long enough.")]
    NotAway,
    #[error("That is not possible here.")]
    NotHere,
    #[error("Engines do not help in a game between two people. You can review it when it is over.")]
    NoHelp,
    #[error("The game has too many moves, comments or marks to be reviewed here.")]
    TooLarge,
    #[error("The game has as many moves as it can have here.")]
    TooLong,
}

/// Turns a command into a request for the table, if the role allows it.
pub(crate) fn request(role: Role, command: Command, table: &Table) -> Result<Request, Denied> {
    if role == Role::Watch {
        return Err(Denied::Watching);
    }
    if !table.has_begun() {
        return Err(Denied::NotBegun);
    }
    let asker = SeatedPlayer { role, table };
    asker.game_request(command).map(Request::Game)
}

/// Whether the game is expected to be paused.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Paused {
    No,
    Yes,
}

/// A player in a game that has begun.
struct SeatedPlayer<'a> {
    role: Role,
    table: &'a Table,
}

impl SeatedPlayer<'_> {
    fn game_request(&self, command: Command) -> Result<GameRequest, Denied> {
        let session = self.table.session();
        let draw_offer = session.draw_offer();
        let takeback = session.takeback().map(|asked| asked.by);
        match command {
            Command::Play(input) => self.on_turn(GameRequest::Play(input)),
            Command::Claim { rule, intended } => {
                let intended = intended.map(|input| text(&input, session));
                self.on_turn(GameRequest::Claim { rule, intended })
            }
            Command::Undo(UndoTo::Plies(plies)) => {
                self.alone(GameRequest::Undo(plies.clamp(1, MAX_UNDONE)))
            }
            Command::Undo(UndoTo::TurnOf(_)) => self.alone(GameRequest::Undo(1)),
            Command::Redo(plies) => self.alone(GameRequest::Redo(plies.clamp(1, MAX_UNDONE))),
            Command::Pause => self.pause_or_resume(Paused::No),
            Command::Resume => self.pause_or_resume(Paused::Yes),
            Command::OfferDraw(side) => self.own(side, GameRequest::Offer(Some(side))),
            Command::Resign(side) => self.own(side, GameRequest::Resign(Some(side))),
            Command::AskTakeback(side) => self.own(side, GameRequest::Takeback(Some(side))),
            Command::AcceptDraw(side) => {
                self.answer(side, draw_offer, GameRequest::Accept(Some(Pending::Draw)))
            }
            Command::DeclineDraw(side) => {
                self.answer(side, draw_offer, GameRequest::Decline(Some(Pending::Draw)))
            }
            Command::GrantTakeback(side) => {
                self.answer(side, takeback, GameRequest::Accept(Some(Pending::Takeback)))
            }
            Command::DeclineTakeback(side) => self.answer(
                side,
                takeback,
                GameRequest::Decline(Some(Pending::Takeback)),
            ),
            Command::Abandon { .. }
            | Command::GoTo(_)
            | Command::Adjudicate { .. }
            | Command::ForfeitOnTime(_)
            | Command::ForfeitByRules(_)
            | Command::Tick
            | Command::NewGame(_)
            | Command::LoadPosition(_)
            | Command::LoadGame(_)
            | Command::Comment { .. }
            | Command::Glyph { .. }
            | Command::Marks { .. }
            | Command::Evaluate { .. }
            | Command::Promote(_)
            | Command::PromoteToMainLine(_)
            | Command::Demote(_)
            | Command::Delete(_)
            | Command::SetTag { .. }
            | Command::SetPolicy(_) => Err(Denied::NotHere),
        }
    }

    /// Allows a request if it is the player's turn.
    fn on_turn(&self, request: GameRequest) -> Result<GameRequest, Denied> {
        match self.role.plays(self.table.session().turn()) {
            true => Ok(request),
            false => Err(Denied::NotYourTurn),
        }
    }

    /// Allows a request if no other person plays.
    fn alone(&self, request: GameRequest) -> Result<GameRequest, Denied> {
        match is_alone(self.role, self.table) {
            true => Ok(request),
            false => Err(Denied::AgainstPerson),
        }
    }

    /// Allows a request to pause or resume, if the game is in the other state.
    fn pause_or_resume(&self, expected: Paused) -> Result<GameRequest, Denied> {
        let request = self.alone(GameRequest::Pause)?;
        match self.table.session().is_paused() == (expected == Paused::Yes) {
            true => Ok(request),
            false => Err(Denied::Stale),
        }
    }

    /// Allows a request for a side to whoever plays it.
    fn own(&self, side: Color, request: GameRequest) -> Result<GameRequest, Denied> {
        match self.role.plays(side) {
            true => Ok(request),
            false => Err(Denied::NotYourSide),
        }
    }

    /// Allows an answer of a side to whoever plays it, if the other side has asked.
    fn answer(
        &self,
        side: Color,
        asked_by: Option<Color>,
        answer: GameRequest,
    ) -> Result<GameRequest, Denied> {
        match asked_by == Some(!side) {
            true => self.own(side, answer),
            false => self.own(side, answer).and(Err(Denied::NothingAsked)),
        }
    }
}

/// Checks whether somebody may ask an engine, and returns the side whose assistant helps. In a game between two people
/// nobody may before it is over, and then only in a review, which each of them has alone.
pub(crate) fn may_study(role: Role, about: BoardId, table: &Table) -> Result<Color, Denied> {
    let helped = role.helped().ok_or(Denied::Watching)?;
    if !table.has_begun() {
        return Err(Denied::NotBegun);
    }
    let is_over = table.session().outcome().is_some();
    match (is_over && about == BoardId::Review) || is_alone(role, table) {
        true => Ok(helped),
        false => Err(Denied::NoHelp),
    }
}

/// The time until the opponent of a player who is away may claim the game, if players must be there for `limit`. `None` if
/// nobody may claim it: that takes two people, a game that goes on, and a clock that is short enough for one sitting.
pub(crate) fn claim_in(
    table: &Table,
    player: Color,
    away: Duration,
    limit: Duration,
) -> Option<Duration> {
    let opponents = table.opponents();
    let between_people = Color::ALL
        .into_iter()
        .all(|color| opponents.is_human(color));
    let session = table.session();
    let goes_on = table.has_begun() && session.outcome().is_none();
    let in_one_sitting = session.clocks()[player].initial()? <= MAX_SITTING;
    (between_people && goes_on && in_one_sitting).then(|| limit.saturating_sub(away))
}

/// Allows a claim of the game to whoever plays the winner's side and no other, if the time until then ([`claim_in`]) is over.
pub(crate) fn may_claim_game(
    role: Role,
    winner: Color,
    claim_in: Option<Duration>,
) -> Result<(), Denied> {
    if role.side() != Some(winner) {
        return Err(Denied::NotYourSide);
    }
    match claim_in {
        Some(Duration::ZERO) => Ok(()),
        Some(_) | None => Err(Denied::NotAway),
    }
}

/// Whether no other person plays.
fn is_alone(role: Role, table: &Table) -> bool {
    role == Role::Both || table.opponents().person().is_some()
}

/// A move as text, which is what the table expects with a claim.
fn text(input: &MoveInput, session: &Session) -> String {
    match input {
        MoveInput::Text(text) => text.clone(),
        MoveInput::Move(played) => session.position().uci(*played).to_string(),
        MoveInput::Squares {
            from,
            to,
            promotion,
        } => {
            let role = promotion.map(|role| role.char().to_string());
            format!("{from}{to}{}", role.unwrap_or_default())
        }
    }
}
