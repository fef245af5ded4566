//! Events, and the claims in them.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tabiya_rules::{Color, Move, Piece, Role, Square, UciMove};

use super::{Milliseconds, two_forms};
use crate::claims::{Claim, ClaimRule, Grounds};
use crate::event::{Event, Moved};
use crate::outcome::Outcome;
use crate::record::NodeId;

/// The serialized form of a claim.
#[derive(Serialize, Deserialize)]
struct ClaimForm {
    rule: ClaimRule,
    side: Color,
    since: u32,
    /// Only for the 50-move rule.
    clock: Option<u32>,
    /// Only for a repetition. It follows from the plies.
    count: Option<usize>,
    plies: Option<Vec<u32>>,
    intended: Option<Move>,
}

impl Serialize for Claim {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        let (clock, plies) = match &self.grounds {
            Grounds::FiftyMoves { clock } => (Some(*clock), None),
            Grounds::Threefold { plies } => (None, Some(plies.clone())),
        };
        let form = ClaimForm {
            rule: self.rule(),
            side: self.by,
            since: self.since,
            clock,
            count: plies.as_ref().map(Vec::len),
            plies,
            intended: self.intended,
        };
        form.serialize(target)
    }
}

impl<'de> Deserialize<'de> for Claim {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Claim, D::Error> {
        let missing = serde::de::Error::missing_field;
        let form = ClaimForm::deserialize(source)?;
        let grounds = match form.rule {
            ClaimRule::FiftyMoves => Grounds::FiftyMoves {
                clock: form.clock.ok_or_else(|| missing("clock"))?,
            },
            ClaimRule::Threefold => Grounds::Threefold {
                plies: form.plies.ok_or_else(|| missing("plies"))?,
            },
        };
        Ok(Claim {
            by: form.side,
            grounds,
            since: form.since,
            intended: form.intended,
        })
    }
}

/// What a move captured.
#[derive(Serialize, Deserialize)]
struct Captured {
    side: Color,
    piece: Role,
    square: Square,
}

/// A move that was made. The last member is the move as a value, for programs that read it back;
/// the rest is for everyone.
#[derive(Serialize, Deserialize)]
struct MovedForm {
    ply: u32,
    side: Color,
    san: String,
    uci: UciMove,
    captured: Option<Captured>,
    check: bool,
    clock_ms: Option<Milliseconds>,
    node: NodeId,
    played: Move,
}

impl From<Moved> for MovedForm {
    fn from(moved: Moved) -> MovedForm {
        MovedForm {
            ply: moved.ply,
            side: moved.by,
            san: moved.san,
            uci: moved.uci,
            captured: moved.captured.map(|(square, piece)| Captured {
                side: piece.color,
                piece: piece.role,
                square,
            }),
            check: moved.check,
            clock_ms: moved.clock.map(Milliseconds),
            node: moved.node,
            played: moved.played,
        }
    }
}

impl From<MovedForm> for Moved {
    fn from(form: MovedForm) -> Moved {
        Moved {
            node: form.node,
            ply: form.ply,
            by: form.side,
            played: form.played,
            san: form.san,
            uci: form.uci,
            captured: form.captured.map(|captured| {
                let piece = Piece {
                    color: captured.side,
                    role: captured.piece,
                };
                (captured.square, piece)
            }),
            check: form.check,
            clock: form.clock_ms.map(|time| time.0),
        }
    }
}

impl Serialize for Moved {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        MovedForm::from(self.clone()).serialize(target)
    }
}

impl<'de> Deserialize<'de> for Moved {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Moved, D::Error> {
        MovedForm::deserialize(source).map(Moved::from)
    }
}

two_forms! { Event, EventForm, "EventForm", "event", {
    Moved(MovedForm),
    Undone { plies: u32, reopened: Option<Outcome> },
    Redone { plies: u32 },
    ClaimAvailable { side: Option<Color>, claims: Vec<Claim> },
    DrawClaimed { side: Option<Color>, claims: Vec<Claim> },
    DrawOffered { side: Color },
    DrawAccepted { side: Color },
    DrawDeclined { side: Color },
    DrawLapsed { side: Color },
    Resigned { side: Color },
    FlagFell { side: Color },
    TakebackAsked { side: Color },
    TakebackGranted { side: Color },
    TakebackDeclined { side: Color },
    TakebackLapsed { side: Color },
    Ended(Outcome),
    NewGame,
    PositionLoaded,
    GameLoaded,
    WentTo { ply: u32, node: NodeId },
    Paused,
    Resumed,
    Annotated { node: NodeId },
    VariationMoved { node: NodeId },
    VariationDeleted { parent: NodeId },
    TagChanged { name: String },
    PolicyChanged,
} }

impl From<Event> for EventForm {
    fn from(event: Event) -> EventForm {
        match event {
            Event::Moved(moved) => EventForm::Moved(moved.into()),
            Event::Undone { plies, reopened } => EventForm::Undone { plies, reopened },
            Event::Redone { plies } => EventForm::Redone { plies },
            Event::ClaimAvailable(claims) => EventForm::ClaimAvailable {
                side: claims.first().map(|claim| claim.by),
                claims,
            },
            Event::DrawClaimed(claim) => EventForm::DrawClaimed {
                side: Some(claim.by),
                claims: vec![claim],
            },
            Event::DrawOffered { by } => EventForm::DrawOffered { side: by },
            Event::DrawAccepted { by } => EventForm::DrawAccepted { side: by },
            Event::DrawDeclined { by } => EventForm::DrawDeclined { side: by },
            Event::DrawLapsed { by } => EventForm::DrawLapsed { side: by },
            Event::Resigned { by } => EventForm::Resigned { side: by },
            Event::FlagFell { color } => EventForm::FlagFell { side: color },
            Event::TakebackAsked { by } => EventForm::TakebackAsked { side: by },
            Event::TakebackGranted { by } => EventForm::TakebackGranted { side: by },
            Event::TakebackDeclined { by } => EventForm::TakebackDeclined { side: by },
            Event::TakebackLapsed { by } => EventForm::TakebackLapsed { side: by },
            Event::Ended(outcome) => EventForm::Ended(outcome),
            Event::NewGame => EventForm::NewGame,
            Event::PositionLoaded => EventForm::PositionLoaded,
            Event::GameLoaded => EventForm::GameLoaded,
            Event::WentTo { node, ply } => EventForm::WentTo { ply, node },
            Event::Paused => EventForm::Paused,
            Event::Resumed => EventForm::Resumed,
            Event::Annotated { node } => EventForm::Annotated { node },
            Event::VariationMoved { node } => EventForm::VariationMoved { node },
            Event::VariationDeleted { parent } => EventForm::VariationDeleted { parent },
            Event::TagChanged { name } => EventForm::TagChanged { name },
            Event::PolicyChanged => EventForm::PolicyChanged,
        }
    }
}

impl TryFrom<EventForm> for Event {
    type Error = &'static str;

    fn try_from(form: EventForm) -> Result<Event, &'static str> {
        Ok(match form {
            EventForm::Moved(moved) => Event::Moved(moved.into()),
            EventForm::Undone { plies, reopened } => Event::Undone { plies, reopened },
            EventForm::Redone { plies } => Event::Redone { plies },
            EventForm::ClaimAvailable { claims, .. } => Event::ClaimAvailable(claims),
            EventForm::DrawClaimed { claims, .. } => {
                let [claim] =
                    <[Claim; 1]>::try_from(claims).map_err(|_| "a draw is claimed by one claim")?;
                Event::DrawClaimed(claim)
            }
            EventForm::DrawOffered { side } => Event::DrawOffered { by: side },
            EventForm::DrawAccepted { side } => Event::DrawAccepted { by: side },
            EventForm::DrawDeclined { side } => Event::DrawDeclined { by: side },
            EventForm::DrawLapsed { side } => Event::DrawLapsed { by: side },
            EventForm::Resigned { side } => Event::Resigned { by: side },
            EventForm::FlagFell { side } => Event::FlagFell { color: side },
            EventForm::TakebackAsked { side } => Event::TakebackAsked { by: side },
            EventForm::TakebackGranted { side } => Event::TakebackGranted { by: side },
            EventForm::TakebackDeclined { side } => Event::TakebackDeclined { by: side },
            EventForm::TakebackLapsed { side } => Event::TakebackLapsed { by: side },
            EventForm::Ended(outcome) => Event::Ended(outcome),
            EventForm::NewGame => Event::NewGame,
            EventForm::PositionLoaded => Event::PositionLoaded,
            EventForm::GameLoaded => Event::GameLoaded,
            EventForm::WentTo { ply, node } => Event::WentTo { node, ply },
            EventForm::Paused => Event::Paused,
            EventForm::Resumed => Event::Resumed,
            EventForm::Annotated { node } => Event::Annotated { node },
            EventForm::VariationMoved { node } => Event::VariationMoved { node },
            EventForm::VariationDeleted { parent } => Event::VariationDeleted { parent },
            EventForm::TagChanged { name } => Event::TagChanged { name },
            EventForm::PolicyChanged => Event::PolicyChanged,
        })
    }
}
