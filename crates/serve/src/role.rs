//! What the holder of a link may ask for. The table decides what the game allows; here it is decided who may ask.

use serde::{Deserialize, Serialize};
use tabiya_game::{Command, MoveInput, Session, UndoTo};
use tabiya_play::request::{GameRequest, Pending, Request};
use tabiya_play::table::Table;
use tabiya_rules::Color;
use thiserror::Error;

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
    /// Nothing but looking on.
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
    /// The only side that it plays.
    pub(crate) fn side(self) -> Option<Color> {
        match self {
            Role::White => Some(Color::White),
            Role::Black => Some(Color::Black),
            Role::Both | Role::Watch => None,
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

/// Why somebody may not ask for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum Denied {
    #[error("You are watching this game.")]
    Watching,
    #[error("It is not your turn.")]
    NotYourTurn,
    #[error("That is for the other side to say.")]
    NotYourSide,
    #[error("Your opponent is not here yet.")]
    NotBegun,
    #[error("Against a person moves are taken back only if both agree: ask for a takeback.")]
    AgainstPerson,
    #[error("There is nothing of the kind to answer.")]
    NothingAsked,
    #[error("A rematch can be had when the game is over.")]
    NotOver,
    #[error("The game has gone on meanwhile.")]
    Stale,
    #[error("Your opponent has not been away long enough.")]
    NotAway,
    #[error("Nobody can ask for that here.")]
    NotHere,
    #[error("In a game between two people no engine helps. When it is over, it can be reviewed.")]
    NoHelp,
    #[error("The game has too many moves to be reviewed here.")]
    TooLarge,
}

/// What somebody with a role asks for, as a request for the table.
pub(crate) fn request(role: Role, command: Command, table: &Table) -> Result<Request, Denied> {
    if role == Role::Watch {
        return Err(Denied::Watching);
    }
    if !table.has_begun() {
        return Err(Denied::NotBegun);
    }
    let session = table.session();
    let own = |side: Color| match role.plays(side) {
        true => Ok(side),
        false => Err(Denied::NotYourSide),
    };
    let own_turn = || match role.plays(session.turn()) {
        true => Ok(()),
        false => Err(Denied::NotYourTurn),
    };
    // Undo and pause are for games that nobody else is in.
    let alone = || match is_alone(role, table) {
        true => Ok(()),
        false => Err(Denied::AgainstPerson),
    };
    let game = match command {
        Command::Play(input) => {
            own_turn()?;
            GameRequest::Play(input)
        }
        Command::Claim { rule, intended } => {
            own_turn()?;
            GameRequest::Claim {
                rule,
                intended: intended.map(|input| text(&input, session)),
            }
        }
        Command::Undo(to) => {
            alone()?;
            GameRequest::Undo(match to {
                UndoTo::Plies(plies) => plies.clamp(1, 1000),
                UndoTo::TurnOf(_) => 1,
            })
        }
        Command::Redo(plies) => {
            alone()?;
            GameRequest::Redo(plies.clamp(1, 1000))
        }
        Command::Pause | Command::Resume => {
            alone()?;
            let pauses = command == Command::Pause;
            if session.is_paused() == pauses {
                return Err(Denied::Stale);
            }
            GameRequest::Pause
        }
        Command::OfferDraw(side) => GameRequest::Offer(Some(own(side)?)),
        Command::Resign(side) => GameRequest::Resign(Some(own(side)?)),
        Command::AskTakeback(side) => GameRequest::Takeback(Some(own(side)?)),
        Command::AcceptDraw(side) => {
            asked(own(side)?, session.draw_offer())?;
            GameRequest::Accept(Some(Pending::Draw))
        }
        Command::DeclineDraw(side) => {
            asked(own(side)?, session.draw_offer())?;
            GameRequest::Decline(Some(Pending::Draw))
        }
        Command::GrantTakeback(side) => {
            asked(own(side)?, session.takeback().map(|wish| wish.by))?;
            GameRequest::Accept(Some(Pending::Takeback))
        }
        Command::DeclineTakeback(side) => {
            asked(own(side)?, session.takeback().map(|wish| wish.by))?;
            GameRequest::Decline(Some(Pending::Takeback))
        }
        Command::Abandon { .. }
        | Command::GoTo(_)
        | Command::Adjudicate { .. }
        | Command::ForfeitOnTime(_)
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
        | Command::SetPolicy(_) => return Err(Denied::NotHere),
    };
    Ok(Request::Game(game))
}

/// Whether somebody may ask an engine: never in a game between two people, before it is over.
pub(crate) fn may_study(role: Role, table: &Table) -> Result<(), Denied> {
    if role == Role::Watch {
        return Err(Denied::Watching);
    }
    if !table.has_begun() {
        return Err(Denied::NotBegun);
    }
    let is_over = table.session().outcome().is_some();
    match is_over || is_alone(role, table) {
        true => Ok(()),
        false => Err(Denied::NoHelp),
    }
}

/// Whether nobody else is in the game.
fn is_alone(role: Role, table: &Table) -> bool {
    role == Role::Both || table.opponents().person().is_some()
}

/// Only the side that was asked answers.
fn asked(side: Color, by: Option<Color>) -> Result<(), Denied> {
    match by == Some(!side) {
        true => Ok(()),
        false => Err(Denied::NothingAsked),
    }
}

/// A move as text, as the table reads it with a claim.
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
