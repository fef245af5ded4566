//! Refusals.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tabiya_rules::{Color, IllegalMove, SanError};

use super::two_forms;
use crate::claims::ClaimRule;
use crate::outcome::Outcome;
use crate::refusal::{ClaimRefusal, MoveRefusal, Refusal};
use crate::tags::TagError;

two_forms! { Refusal, RefusalForm, "RefusalForm", "refusal", {
    GameOver { outcome: Outcome },
    Paused,
    NotPaused,
    Move { why: MoveRefusal },
    Claim { rule: Option<ClaimRule>, clock: u32, count: u32, open: Option<ClaimRule> },
    NothingToUndo,
    NothingToRedo,
    NoSuchPly { ply: u32, last: u32 },
    NoSuchMove,
    NoOtherPlace,
    StartStays,
    NoDrawOffer { side: Color },
    DrawIsOffered { side: Color },
    NoTakeback { side: Color },
    TakebackIsAsked { side: Color },
    NoMoveToTakeBack { side: Color },
    Tag { why: TagError },
    RecordFull,
    TooDeep,
    TextTooLong { most: usize },
} }

impl From<Refusal> for RefusalForm {
    fn from(refusal: Refusal) -> RefusalForm {
        match refusal {
            Refusal::GameOver(outcome) => RefusalForm::GameOver { outcome },
            Refusal::Paused => RefusalForm::Paused,
            Refusal::NotPaused => RefusalForm::NotPaused,
            Refusal::Move(why) => RefusalForm::Move { why },
            Refusal::Claim(ClaimRefusal {
                rule,
                clock,
                count,
                open,
            }) => RefusalForm::Claim {
                rule,
                clock,
                count,
                open,
            },
            Refusal::NothingToUndo => RefusalForm::NothingToUndo,
            Refusal::NothingToRedo => RefusalForm::NothingToRedo,
            Refusal::NoSuchPly { ply, last } => RefusalForm::NoSuchPly { ply, last },
            Refusal::NoSuchMove => RefusalForm::NoSuchMove,
            Refusal::NoOtherPlace => RefusalForm::NoOtherPlace,
            Refusal::StartStays => RefusalForm::StartStays,
            Refusal::NoDrawOffer { by } => RefusalForm::NoDrawOffer { side: by },
            Refusal::DrawIsOffered { by } => RefusalForm::DrawIsOffered { side: by },
            Refusal::NoTakeback { by } => RefusalForm::NoTakeback { side: by },
            Refusal::TakebackIsAsked { by } => RefusalForm::TakebackIsAsked { side: by },
            Refusal::NoMoveToTakeBack { by } => RefusalForm::NoMoveToTakeBack { side: by },
            Refusal::Tag(why) => RefusalForm::Tag { why },
            Refusal::RecordFull => RefusalForm::RecordFull,
            Refusal::TooDeep => RefusalForm::TooDeep,
            Refusal::TextTooLong { most } => RefusalForm::TextTooLong { most },
        }
    }
}

impl From<RefusalForm> for Refusal {
    fn from(form: RefusalForm) -> Refusal {
        match form {
            RefusalForm::GameOver { outcome } => Refusal::GameOver(outcome),
            RefusalForm::Paused => Refusal::Paused,
            RefusalForm::NotPaused => Refusal::NotPaused,
            RefusalForm::Move { why } => Refusal::Move(why),
            RefusalForm::Claim {
                rule,
                clock,
                count,
                open,
            } => Refusal::Claim(ClaimRefusal {
                rule,
                clock,
                count,
                open,
            }),
            RefusalForm::NothingToUndo => Refusal::NothingToUndo,
            RefusalForm::NothingToRedo => Refusal::NothingToRedo,
            RefusalForm::NoSuchPly { ply, last } => Refusal::NoSuchPly { ply, last },
            RefusalForm::NoSuchMove => Refusal::NoSuchMove,
            RefusalForm::NoOtherPlace => Refusal::NoOtherPlace,
            RefusalForm::StartStays => Refusal::StartStays,
            RefusalForm::NoDrawOffer { side } => Refusal::NoDrawOffer { by: side },
            RefusalForm::DrawIsOffered { side } => Refusal::DrawIsOffered { by: side },
            RefusalForm::NoTakeback { side } => Refusal::NoTakeback { by: side },
            RefusalForm::TakebackIsAsked { side } => Refusal::TakebackIsAsked { by: side },
            RefusalForm::NoMoveToTakeBack { side } => Refusal::NoMoveToTakeBack { by: side },
            RefusalForm::Tag { why } => Refusal::Tag(why),
            RefusalForm::RecordFull => Refusal::RecordFull,
            RefusalForm::TooDeep => Refusal::TooDeep,
            RefusalForm::TextTooLong { most } => Refusal::TextTooLong { most },
        }
    }
}

mod move_refusal {
    use super::*;

    two_forms! { MoveRefusal, MoveRefusalForm, "MoveRefusalForm", "reason", {
        Unreadable { text: String },
        Illegal { why: IllegalMove },
        San { why: SanError },
        NullMove,
    } }

    impl From<MoveRefusal> for MoveRefusalForm {
        fn from(refusal: MoveRefusal) -> MoveRefusalForm {
            match refusal {
                MoveRefusal::Unreadable { text } => MoveRefusalForm::Unreadable { text },
                MoveRefusal::Illegal(why) => MoveRefusalForm::Illegal { why },
                MoveRefusal::San(why) => MoveRefusalForm::San { why },
                MoveRefusal::NullMove => MoveRefusalForm::NullMove,
            }
        }
    }

    impl From<MoveRefusalForm> for MoveRefusal {
        fn from(form: MoveRefusalForm) -> MoveRefusal {
            match form {
                MoveRefusalForm::Unreadable { text } => MoveRefusal::Unreadable { text },
                MoveRefusalForm::Illegal { why } => MoveRefusal::Illegal(why),
                MoveRefusalForm::San { why } => MoveRefusal::San(why),
                MoveRefusalForm::NullMove => MoveRefusal::NullMove,
            }
        }
    }
}

mod tag_error {
    use super::*;

    two_forms! { TagError, TagErrorForm, "TagErrorForm", "reason", {
        BadName { name: String },
        KeptByRecord { name: String },
    } }

    impl From<TagError> for TagErrorForm {
        fn from(error: TagError) -> TagErrorForm {
            match error {
                TagError::BadName(name) => TagErrorForm::BadName { name },
                TagError::KeptByRecord(name) => TagErrorForm::KeptByRecord { name },
            }
        }
    }

    impl From<TagErrorForm> for TagError {
        fn from(form: TagErrorForm) -> TagError {
            match form {
                TagErrorForm::BadName { name } => TagError::BadName(name),
                TagErrorForm::KeptByRecord { name } => TagError::KeptByRecord(name),
            }
        }
    }
}
