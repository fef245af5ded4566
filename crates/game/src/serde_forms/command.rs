//! Commands.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tabiya_rules::{CastlingMode, Color, Move, Position, Role, Square};

use super::two_forms;
use super::values::in_mode;
use crate::annotation::{Arrow, Evaluation, Glyph, SquareMark};
use crate::claims::ClaimRule;
use crate::command::{Command, GoTo, MoveInput, NewGame, UndoTo};
use crate::policy::Policy;
use crate::record::{NodeId, Record};

/// A move in human-readable formats: a text, or an object with a move or with squares.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum ReadableMove {
    Text(String),
    Move {
        #[serde(rename = "move")]
        played: Move,
    },
    Squares {
        from: Square,
        to: Square,
        promotion: Option<Role>,
    },
}

/// A move in binary formats.
#[derive(Serialize, Deserialize)]
#[serde(remote = "MoveInput")]
enum CompactMove {
    Text(String),
    Move(Move),
    Squares {
        from: Square,
        to: Square,
        promotion: Option<Role>,
    },
}

impl Serialize for MoveInput {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        if !target.is_human_readable() {
            return CompactMove::serialize(self, target);
        }
        let readable = match *self {
            MoveInput::Text(ref text) => ReadableMove::Text(text.clone()),
            MoveInput::Move(played) => ReadableMove::Move { played },
            MoveInput::Squares {
                from,
                to,
                promotion,
            } => ReadableMove::Squares {
                from,
                to,
                promotion,
            },
        };
        readable.serialize(target)
    }
}

impl<'de> Deserialize<'de> for MoveInput {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<MoveInput, D::Error> {
        if !source.is_human_readable() {
            return CompactMove::deserialize(source);
        }
        Ok(match ReadableMove::deserialize(source)? {
            ReadableMove::Text(text) => MoveInput::Text(text),
            ReadableMove::Move { played } => MoveInput::Move(played),
            ReadableMove::Squares {
                from,
                to,
                promotion,
            } => MoveInput::Squares {
                from,
                to,
                promotion,
            },
        })
    }
}

/// Implements serde's own forms through mirrors, which keep the derived code out of the types.
macro_rules! by_mirror {
    ($type:ident, $mirror:ident, $name:literal, { $($variants:tt)* }) => {
        #[derive(Serialize, Deserialize)]
        #[serde(remote = $name, rename_all = "snake_case")]
        enum $mirror { $($variants)* }

        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
                $mirror::serialize(self, target)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(source: D) -> Result<$type, D::Error> {
                $mirror::deserialize(source)
            }
        }
    };
}

by_mirror! { UndoTo, UndoToForm, "UndoTo", {
    Plies(u32),
    TurnOf(Color),
} }

by_mirror! { GoTo, GoToForm, "GoTo", {
    Start,
    End,
    Ply(u32),
    Node(NodeId),
} }

two_forms! { Command, CommandForm, "CommandForm", "command", {
    Play { r#move: MoveInput },
    Undo { to: UndoTo },
    Redo { plies: u32 },
    GoTo { place: GoTo },
    Claim { rule: Option<ClaimRule>, intended: Option<MoveInput> },
    OfferDraw { side: Color },
    AcceptDraw { side: Color },
    DeclineDraw { side: Color },
    Resign { side: Color },
    ForfeitOnTime { side: Color },
    AskTakeback { side: Color },
    GrantTakeback { side: Color },
    DeclineTakeback { side: Color },
    Abandon { winner: Option<Color> },
    Adjudicate { winner: Option<Color> },
    Tick,
    Pause,
    Resume,
    NewGame { game: Box<NewGame> },
    LoadPosition { start: Position, mode: Option<CastlingMode> },
    LoadGame { record: Box<Record> },
    Comment { node: Option<NodeId>, text: String },
    Glyph { node: Option<NodeId>, glyph: Option<Glyph> },
    Marks { node: Option<NodeId>, squares: Vec<SquareMark>, arrows: Vec<Arrow> },
    Promote { node: NodeId },
    PromoteToMainLine { node: NodeId },
    Demote { node: NodeId },
    Delete { node: NodeId },
    SetTag { name: String, value: Option<String> },
    SetPolicy { policy: Policy },
    Evaluate { node: Option<NodeId>, evaluation: Option<Evaluation>, best: Vec<Move> },
    ForfeitByRules { side: Color },
} }

impl From<Command> for CommandForm {
    fn from(command: Command) -> CommandForm {
        match command {
            Command::Play(input) => CommandForm::Play { r#move: input },
            Command::Undo(to) => CommandForm::Undo { to },
            Command::Redo(plies) => CommandForm::Redo { plies },
            Command::GoTo(place) => CommandForm::GoTo { place },
            Command::Claim { rule, intended } => CommandForm::Claim { rule, intended },
            Command::OfferDraw(side) => CommandForm::OfferDraw { side },
            Command::AcceptDraw(side) => CommandForm::AcceptDraw { side },
            Command::DeclineDraw(side) => CommandForm::DeclineDraw { side },
            Command::Resign(side) => CommandForm::Resign { side },
            Command::ForfeitOnTime(side) => CommandForm::ForfeitOnTime { side },
            Command::ForfeitByRules(side) => CommandForm::ForfeitByRules { side },
            Command::AskTakeback(side) => CommandForm::AskTakeback { side },
            Command::GrantTakeback(side) => CommandForm::GrantTakeback { side },
            Command::DeclineTakeback(side) => CommandForm::DeclineTakeback { side },
            Command::Abandon { winner } => CommandForm::Abandon { winner },
            Command::Adjudicate { winner } => CommandForm::Adjudicate { winner },
            Command::Tick => CommandForm::Tick,
            Command::Pause => CommandForm::Pause,
            Command::Resume => CommandForm::Resume,
            Command::NewGame(game) => CommandForm::NewGame { game },
            Command::LoadPosition(start) => CommandForm::LoadPosition {
                mode: Some(start.castling_mode()),
                start: *start,
            },
            Command::LoadGame(record) => CommandForm::LoadGame { record },
            Command::Comment { node, text } => CommandForm::Comment { node, text },
            Command::Glyph { node, glyph } => CommandForm::Glyph { node, glyph },
            Command::Marks {
                node,
                squares,
                arrows,
            } => CommandForm::Marks {
                node,
                squares,
                arrows,
            },
            Command::Promote(node) => CommandForm::Promote { node },
            Command::PromoteToMainLine(node) => CommandForm::PromoteToMainLine { node },
            Command::Demote(node) => CommandForm::Demote { node },
            Command::Delete(node) => CommandForm::Delete { node },
            Command::SetTag { name, value } => CommandForm::SetTag { name, value },
            Command::SetPolicy(policy) => CommandForm::SetPolicy { policy },
            Command::Evaluate {
                node,
                evaluation,
                best,
            } => CommandForm::Evaluate {
                node,
                evaluation,
                best,
            },
        }
    }
}

impl From<CommandForm> for Command {
    fn from(form: CommandForm) -> Command {
        match form {
            CommandForm::Play { r#move } => Command::Play(r#move),
            CommandForm::Undo { to } => Command::Undo(to),
            CommandForm::Redo { plies } => Command::Redo(plies),
            CommandForm::GoTo { place } => Command::GoTo(place),
            CommandForm::Claim { rule, intended } => Command::Claim { rule, intended },
            CommandForm::OfferDraw { side } => Command::OfferDraw(side),
            CommandForm::AcceptDraw { side } => Command::AcceptDraw(side),
            CommandForm::DeclineDraw { side } => Command::DeclineDraw(side),
            CommandForm::Resign { side } => Command::Resign(side),
            CommandForm::ForfeitOnTime { side } => Command::ForfeitOnTime(side),
            CommandForm::ForfeitByRules { side } => Command::ForfeitByRules(side),
            CommandForm::AskTakeback { side } => Command::AskTakeback(side),
            CommandForm::GrantTakeback { side } => Command::GrantTakeback(side),
            CommandForm::DeclineTakeback { side } => Command::DeclineTakeback(side),
            CommandForm::Abandon { winner } => Command::Abandon { winner },
            CommandForm::Adjudicate { winner } => Command::Adjudicate { winner },
            CommandForm::Tick => Command::Tick,
            CommandForm::Pause => Command::Pause,
            CommandForm::Resume => Command::Resume,
            CommandForm::NewGame { game } => Command::NewGame(game),
            CommandForm::LoadPosition { start, mode } => {
                Command::LoadPosition(Box::new(in_mode(start, mode)))
            }
            CommandForm::LoadGame { record } => Command::LoadGame(record),
            CommandForm::Comment { node, text } => Command::Comment { node, text },
            CommandForm::Glyph { node, glyph } => Command::Glyph { node, glyph },
            CommandForm::Marks {
                node,
                squares,
                arrows,
            } => Command::Marks {
                node,
                squares,
                arrows,
            },
            CommandForm::Promote { node } => Command::Promote(node),
            CommandForm::PromoteToMainLine { node } => Command::PromoteToMainLine(node),
            CommandForm::Demote { node } => Command::Demote(node),
            CommandForm::Delete { node } => Command::Delete(node),
            CommandForm::SetTag { name, value } => Command::SetTag { name, value },
            CommandForm::SetPolicy { policy } => Command::SetPolicy(policy),
            CommandForm::Evaluate {
                node,
                evaluation,
                best,
            } => Command::Evaluate {
                node,
                evaluation,
                best,
            },
        }
    }
}
