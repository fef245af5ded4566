//! The notes of a move, and the moves of a record: nested in human-readable formats, in sequence elsewhere.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tabiya_rules::{Score, Square, UciMove};

use super::ClockReading;
use crate::annotation::{Annotation, Arrow, Comment, Evaluation, Glyph, MarkColor, SquareMark};
use crate::outcome::Outcome;
use crate::pgn::MAX_COMMENT_LENGTH;
use crate::record::Extra;

#[derive(Serialize, Deserialize)]
#[serde(remote = "SquareMark")]
struct SquareMarkForm {
    color: MarkColor,
    square: Square,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Arrow")]
struct ArrowForm {
    color: MarkColor,
    from: Square,
    to: Square,
}

macro_rules! by_mirror {
    ($($type:ty, $mirror:ty;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
                <$mirror>::serialize(self, target)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(source: D) -> Result<$type, D::Error> {
                <$mirror>::deserialize(source)
            }
        }
    )*};
}

by_mirror! {
    SquareMark, SquareMarkForm;
    Arrow, ArrowForm;
}

/// An evaluation in human-readable formats: centipawns or moves to mate, both from White's point of view.
#[derive(Serialize, Deserialize)]
struct ReadableEvaluation {
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    /// White has given mate. The number 0 means that Black has.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    mate_given: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
}

impl Serialize for Evaluation {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        if !target.is_human_readable() {
            return (self.score, self.depth).serialize(target);
        }
        let mate_given = self.score == Score::MateIn(0);
        ReadableEvaluation {
            cp: self.score.centipawns(),
            mate: self.score.moves_to_mate().filter(|_| !mate_given),
            mate_given,
            depth: self.depth,
        }
        .serialize(target)
    }
}

impl<'de> Deserialize<'de> for Evaluation {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Evaluation, D::Error> {
        if !source.is_human_readable() {
            let (score, depth) = Deserialize::deserialize(source)?;
            return Ok(Evaluation { score, depth });
        }
        let form = ReadableEvaluation::deserialize(source)?;
        let score = match (form.cp, form.mate, form.mate_given) {
            (Some(points), None, false) => Score::Centipawns(points),
            (None, Some(moves), false) => Score::mate(moves),
            (None, None, true) => Score::MateIn(0),
            _ => return Err(D::Error::custom("expected one of cp, mate and mate_given")),
        };
        Ok(Evaluation {
            score,
            depth: form.depth,
        })
    }
}

/// An embedded command of a comment.
#[derive(Serialize, Deserialize)]
pub(super) struct CommandForm {
    name: String,
    argument: String,
}

/// The notes of a move in human-readable formats. All comments are in one list, with the number of those before the
/// move and after its variation.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Notes {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<Comment>,
    #[serde(skip_serializing_if = "is_zero")]
    comments_before: usize,
    #[serde(skip_serializing_if = "is_zero")]
    comments_after: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    glyphs: Vec<Glyph>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<ClockReading>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elapsed: Option<ClockReading>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluation: Option<Evaluation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    squares: Vec<SquareMark>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    arrows: Vec<Arrow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    commands: Vec<CommandForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<ClockReading>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The notes of a move in binary formats.
pub(super) type CompactNotes = (
    Vec<Comment>,
    (usize, usize),
    Vec<Glyph>,
    Option<ClockReading>,
    Option<ClockReading>,
    Option<Evaluation>,
    Vec<SquareMark>,
    Vec<Arrow>,
    Vec<CommandForm>,
    Option<Outcome>,
    Option<ClockReading>,
);

impl Notes {
    /// Whether nothing is noted.
    pub(super) fn is_empty(&self) -> bool {
        let times = [self.clock, self.elapsed, self.thinking];
        self.size() == Size::default()
            && self.comments_before == 0
            && self.comments_after == 0
            && times.iter().all(Option::is_none)
            && self.evaluation.is_none()
            && self.ending.is_none()
    }

    /// Counts what is limited in a record.
    pub(super) fn size(&self) -> Size {
        let comments = self.comments.iter().map(|comment| comment.as_str().len());
        let commands = self
            .commands
            .iter()
            .map(|command| command.name.len() + command.argument.len());
        Size {
            annotations: self.comments.len() + self.glyphs.len() + self.commands.len(),
            // A mark takes six bytes with its comma.
            text: comments.chain(commands).sum::<usize>()
                + 6 * (self.squares.len() + self.arrows.len()),
        }
    }

    pub(super) fn of(extra: &Extra) -> Notes {
        let annotation = &extra.annotation;
        let commands = annotation.commands().iter().map(|command| CommandForm {
            name: command.name().to_owned(),
            argument: command.argument().to_owned(),
        });
        let (before, after) = (&annotation.before, &annotation.after);
        let comments = before.iter().chain(&annotation.comments).chain(after);
        Notes {
            comments: comments.cloned().collect(),
            comments_before: before.len(),
            comments_after: after.len(),
            glyphs: annotation.glyphs.clone(),
            clock: annotation.clock.map(ClockReading),
            elapsed: annotation.elapsed.map(ClockReading),
            evaluation: annotation.evaluation,
            squares: annotation.squares.clone(),
            arrows: annotation.arrows.clone(),
            commands: commands.collect(),
            ending: extra.ending,
            thinking: (!extra.thinking.is_zero()).then_some(ClockReading(extra.thinking)),
        }
    }

    pub(super) fn extra<E: Error>(mut self) -> Result<Extra, E> {
        if self
            .comments
            .iter()
            .any(|comment| comment.as_str().len() > MAX_COMMENT_LENGTH)
        {
            return Err(E::custom("a comment is too long"));
        }
        let between = self
            .comments
            .len()
            .checked_sub(self.comments_before)
            .and_then(|rest| rest.checked_sub(self.comments_after))
            .ok_or_else(|| E::custom("fewer comments than stand before and behind the move"))?;
        let mut annotation = Annotation::EMPTY;
        annotation.after = self.comments.split_off(self.comments_before + between);
        annotation.comments = self.comments.split_off(self.comments_before);
        annotation.before = self.comments;
        annotation.glyphs = self.glyphs;
        annotation.clock = self.clock.map(|time| time.0);
        annotation.elapsed = self.elapsed.map(|time| time.0);
        annotation.evaluation = self.evaluation;
        annotation.squares = self.squares;
        annotation.arrows = self.arrows;
        for CommandForm { name, argument } in &self.commands {
            annotation.add_command(name, argument).map_err(E::custom)?;
        }
        Ok(Extra {
            annotation,
            ending: self.ending,
            thinking: self.thinking.map(|time| time.0).unwrap_or_default(),
        })
    }

    /// The same as a tuple, without the names of the fields.
    pub(super) fn compact(self) -> CompactNotes {
        (
            self.comments,
            (self.comments_before, self.comments_after),
            self.glyphs,
            self.clock,
            self.elapsed,
            self.evaluation,
            self.squares,
            self.arrows,
            self.commands,
            self.ending,
            self.thinking,
        )
    }
}

impl From<CompactNotes> for Notes {
    fn from(notes: CompactNotes) -> Notes {
        let (
            comments,
            (comments_before, comments_after),
            glyphs,
            clock,
            elapsed,
            evaluation,
            squares,
            arrows,
            commands,
            ending,
            thinking,
        ) = notes;
        Notes {
            comments,
            comments_before,
            comments_after,
            glyphs,
            clock,
            elapsed,
            evaluation,
            squares,
            arrows,
            commands,
            ending,
            thinking,
        }
    }
}

/// What a record's limits count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) annotations: usize,
    pub(super) text: usize,
}

impl Serialize for Annotation {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        let notes = Notes::of(&Extra {
            annotation: self.clone(),
            ..Extra::default()
        });
        if target.is_human_readable() {
            notes.serialize(target)
        } else {
            notes.compact().serialize(target)
        }
    }
}

impl<'de> Deserialize<'de> for Annotation {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Annotation, D::Error> {
        let notes = if source.is_human_readable() {
            Notes::deserialize(source)?
        } else {
            CompactNotes::deserialize(source)?.into()
        };
        Ok(notes.extra::<D::Error>()?.annotation)
    }
}

/// A move in human-readable formats, with the variations that could be played instead. Readers play `uci`, or `san` if
/// there is no `uci`; the other members before the notes follow from them.
#[derive(Serialize, Deserialize)]
pub(super) struct MoveForm {
    #[serde(default)]
    pub(super) ply: u32,
    pub(super) san: Option<String>,
    pub(super) uci: Option<UciMove>,
    #[serde(default)]
    pub(super) fen: String,
    #[serde(flatten)]
    pub(super) notes: Notes,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) variations: Vec<Vec<MoveForm>>,
}

/// A move in binary formats: its ply, which tells what it follows, the move, and its notes.
pub(super) type CompactMove = (u32, UciMove, Option<Box<CompactNotes>>);
