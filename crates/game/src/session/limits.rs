//! How large a session may grow: everything in it can be read again from what [`Session::save`] writes.
//!
//! The limits are those of the PGN reader. They are checked when something is added, so that a game that was accepted
//! can always be loaded again.

use super::Session;
use crate::annotation::Annotation;
use crate::pgn::{
    MAX_ANNOTATIONS, MAX_COMMENT_LENGTH, MAX_DEPTH, MAX_NODES, MAX_TAG_LENGTH, MAX_TAGS, MAX_TEXT,
};
use crate::record::{NodeId, Record};
use crate::refusal::Refusal;

/// How many bytes the commands of one move take at most that a session writes itself: clocks, thinking, an ending.
const COMMANDS: usize = 200;

/// How many tags a save has beside those of the record: the roster, and what a session and its keeper add.
const ADDED_TAGS: usize = 30;

/// How many squares and arrows may be marked in one position.
const MAX_MARKS: usize = 5_000;

/// Beyond this many moves, the whole record is checked now and then when a move is added.
const LARGE: usize = MAX_ANNOTATIONS / 4;

/// How many moves are added to a large record between two looks at the whole.
const BETWEEN_LOOKS: usize = 1 << 10;

impl Session {
    /// Refuses another move below a node if the record could not be read again with it.
    pub(super) fn refuse_move_beyond_limits(&self, parent: NodeId) -> Result<(), Refusal> {
        let record = &self.record;
        let count = record.nodes_ever();
        // The start is no move.
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

    /// Changes the order of variations, unless they would lie too deep inside each other afterwards.
    pub(super) fn reorder_within_limits(
        &mut self,
        node: NodeId,
        change: fn(&mut Record, NodeId) -> bool,
    ) -> Result<(), Refusal> {
        // A change of order puts a line at most one deeper.
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

    /// Refuses an annotation if the record could not be read again with it.
    pub(super) fn refuse_comment_beyond_limits(&self, text: &str) -> Result<(), Refusal> {
        if text.len() > MAX_COMMENT_LENGTH {
            return Err(Refusal::TextTooLong {
                most: MAX_COMMENT_LENGTH,
            });
        }
        self.refuse_annotation_beyond_limits(text.len())
    }

    /// The same for squares and arrows.
    pub(super) fn refuse_marks_beyond_limits(&self, count: usize) -> Result<(), Refusal> {
        if count > MAX_MARKS {
            return Err(Refusal::RecordFull);
        }
        // An arrow takes six bytes with its comma.
        self.refuse_annotation_beyond_limits(6 * count)
    }

    /// The same for any annotation of this many bytes.
    pub(super) fn refuse_annotation_beyond_limits(&self, bytes: usize) -> Result<(), Refusal> {
        let size = Size::of(&self.record);
        if size.annotations + BETWEEN_LOOKS > MAX_ANNOTATIONS
            || size.text + bytes + BETWEEN_LOOKS * COMMANDS > MAX_TEXT
        {
            return Err(Refusal::RecordFull);
        }
        Ok(())
    }

    /// The same for a tag.
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

/// What the reader counts of a record.
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
