//! How large a session may grow: everything in it can be read back from what [`Session::save`] writes.
//!
//! The limits are those of the PGN reader. They are checked when something is added, so that an accepted game can
//! always be loaded again.

use super::Session;
use crate::annotation::Annotation;
use crate::pgn::{
    MAX_ANNOTATIONS, MAX_COMMENT_LENGTH, MAX_DEPTH, MAX_NODES, MAX_TAG_LENGTH, MAX_TAGS, MAX_TEXT,
};
use crate::record::{NodeId, Record};
use crate::refusal::Refusal;

/// The most bytes that a session's own commands for one move take: clocks, thinking, an ending.
const COMMANDS: usize = 200;

/// The tags of a save besides those of the record: the roster, and what the session and the save store add.
const ADDED_TAGS: usize = 30;

/// The most squares and arrows that may be marked in one position.
const MAX_MARKS: usize = 5_000;

/// From this many moves on, the whole record is checked now and then when a move is added.
const LARGE: usize = MAX_ANNOTATIONS / 4;

/// The number of moves added to a large record between two such checks.
const BETWEEN_LOOKS: usize = 1 << 10;

impl Session {
    /// Refuses another move below a node if the record could then not be read back.
    pub(super) fn refuse_move_beyond_limits(&self, parent: NodeId) -> Result<(), Refusal> {
        let record = &self.record;
        let count = record.nodes_ever();
        // The start is not a move.
        if count > MAX_NODES && record.len() > MAX_NODES {
            return Err(Refusal::RecordFull);
        }
        if count >= LARGE && count.is_multiple_of(BETWEEN_LOOKS) {
            let size = Size::of(record);
            if size.annotations + BETWEEN_LOOKS > MAX_ANNOTATIONS
                || size.text + BETWEEN_LOOKS * COMMANDS > MAX_TEXT
            {
                return Err(Refusal::RecordFull);
            }
        }
        let node = record.node(parent);
        if node.is_some_and(|node| node.next().is_some() && node.depth() >= MAX_DEPTH) {
            return Err(Refusal::TooDeep);
        }
        Ok(())
    }

    /// Returns whether any part of the record could be copied into one more variation.
    pub(super) fn has_room_for_variation(&self) -> bool {
        2 * self.record.nodes_ever() < LARGE && self.record.depth() < MAX_DEPTH
    }

    /// Changes the order of variations, unless they would then be nested too deeply.
    pub(super) fn reorder_within_limits(
        &mut self,
        node: NodeId,
        change: fn(&mut Record, NodeId) -> bool,
    ) -> Result<(), Refusal> {
        // A change of order nests a line at most one level deeper.
        let before = (self.record.depth() >= MAX_DEPTH).then(|| self.record.clone());
        if !change(&mut self.record, node) {
            return Err(Refusal::NoOtherPlace);
        }
        match before {
            Some(before) if self.record.depth() > MAX_DEPTH => {
                self.record = before;
                Err(Refusal::TooDeep)
            }
            _ => Ok(()),
        }
    }

    /// Refuses an annotation if the record could then not be read back.
    pub(super) fn refuse_comment_beyond_limits(&self, text: &str) -> Result<(), Refusal> {
        if text.len() > MAX_COMMENT_LENGTH {
            return Err(Refusal::TextTooLong {
                most: MAX_COMMENT_LENGTH,
            });
        }
        self.refuse_annotation_beyond_limits(text.len())
    }

    /// Like [`Session::refuse_comment_beyond_limits`], for squares and arrows.
    pub(super) fn refuse_marks_beyond_limits(&self, count: usize) -> Result<(), Refusal> {
        if count > MAX_MARKS {
            return Err(Refusal::RecordFull);
        }
        // An arrow takes six bytes with its comma.
        self.refuse_annotation_beyond_limits(6 * count)
    }

    /// Like [`Session::refuse_comment_beyond_limits`], for any annotation of this many bytes.
    pub(super) fn refuse_annotation_beyond_limits(&self, bytes: usize) -> Result<(), Refusal> {
        let size = Size::of(&self.record);
        if size.annotations + BETWEEN_LOOKS > MAX_ANNOTATIONS
            || size.text + bytes + BETWEEN_LOOKS * COMMANDS > MAX_TEXT
        {
            return Err(Refusal::RecordFull);
        }
        Ok(())
    }

    /// Like [`Session::refuse_comment_beyond_limits`], for a tag.
    pub(super) fn refuse_tag_beyond_limits(&self, name: &str, value: &str) -> Result<(), Refusal> {
        let escapes = value.bytes().filter(|byte| matches!(byte, b'"' | b'\\'));
        let written = name.len() + value.len() + escapes.count() + "[ \"\"]".len();
        if written > MAX_TAG_LENGTH {
            return Err(Refusal::TextTooLong {
                most: MAX_TAG_LENGTH,
            });
        }
        let tags = self.record.tags();
        if tags.get(name).is_none() && tags.len() + ADDED_TAGS > MAX_TAGS {
            return Err(Refusal::RecordFull);
        }
        self.refuse_annotation_beyond_limits(written)
    }
}

/// What the reader counts in a record.
struct Size {
    annotations: usize,
    text: usize,
}

impl Size {
    /// Counts what is written, or a little more.
    fn of(record: &Record) -> Size {
        let tags = record.tags().iter();
        let mut size = Size {
            annotations: 0,
            text: tags.map(|(_, value)| 2 * value.len()).sum(),
        };
        for node in record.root().subtree() {
            // Most nodes have none.
            let annotation = node.annotation();
            let Annotation {
                glyphs,
                before,
                comments,
                squares,
                arrows,
                ..
            } = annotation;
            let texts = before.iter().chain(comments);
            size.text += texts.map(|comment| comment.as_str().len()).sum::<usize>();
            size.text += 6 * (squares.len() + arrows.len());
            let commands = annotation.commands().iter();
            size.text += commands
                .map(|command| command.name().len() + command.argument().len() + 4)
                .sum::<usize>();
            size.annotations += glyphs.len() + before.len() + comments.len();
            if annotation.clock.is_some() || annotation.elapsed.is_some() {
                size.text += COMMANDS / 2;
            }
            if *annotation != Annotation::EMPTY {
                size.annotations += 1;
            }
        }
        size
    }
}
