//! Records, and sessions, which are serialized as the records they are saved as.

use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tabiya_rules::{CastlingMode, Position, UciMove};

use super::tree::{CompactMove, CompactNotes, MoveForm, Notes};
use super::values::in_mode;
use crate::outcome::GameResult;
use crate::pgn::{MAX_ANNOTATIONS, MAX_DEPTH, MAX_NODES, MAX_TAGS, MAX_TEXT};
use crate::record::{Node, NodeId, Record};
use crate::session::Session;
use crate::tags::Tags;

/// How deeply variations may be nested in human-readable formats. Each takes three levels of JSON, and JSON readers
/// allow 128.
const MAX_VARIATION_DEPTH: usize = 32;

/// A record in human-readable formats.
#[derive(Serialize, Deserialize)]
struct Readable {
    start: Position,
    /// The mode of the FEN if missing.
    mode: Option<CastlingMode>,
    #[serde(default)]
    result: GameResult,
    #[serde(default)]
    tags: Tags,
    /// What is written before the first move.
    #[serde(default, skip_serializing_if = "Notes::is_empty")]
    notes: Notes,
    moves: Vec<MoveForm>,
    #[serde(default, skip_serializing_if = "Cursor::is_at_start")]
    cursor: Cursor,
}

/// A record in binary formats. Each move follows the nearest earlier move in the list that is one ply before it.
#[derive(Serialize, Deserialize)]
struct Compact {
    start: Position,
    result: GameResult,
    tags: Tags,
    notes: CompactNotes,
    moves: Vec<CompactMove>,
    cursor: Cursor,
}

/// The place of a record's cursor, and its line.
#[derive(Default, PartialEq, Eq, Serialize, Deserialize)]
struct Cursor {
    ply: u32,
    /// The plies at which the line leaves the main line, and the number of the variation it enters.
    branches: Vec<(u32, usize)>,
    /// The last ply of the line, if the tree continues after it.
    end: Option<u32>,
}

impl Cursor {
    fn is_at_start(&self) -> bool {
        *self == Cursor::default()
    }

    fn of(record: &Record) -> Cursor {
        let branch = |node: Node<'_>| {
            let mut siblings = node.parent()?.children();
            let number = siblings.position(|sibling| sibling.id() == node.id())?;
            (number > 0).then_some((node.ply(), number))
        };
        let last = record.cursor_line().next_back().unwrap_or(record.root());
        Cursor {
            ply: record.cursor().ply(),
            branches: record.cursor_line().filter_map(branch).collect(),
            end: last.next().map(|_| last.ply()),
        }
    }

    /// Puts the cursor there, or as close as the record allows.
    fn place_in(&self, record: &mut Record) {
        record.rewind();
        let mut branches = self.branches.iter().peekable();
        let mut tip = record.root();
        while tip.ply() < self.end.unwrap_or(u32::MAX) {
            let number = branches
                .next_if(|(ply, _)| *ply == tip.ply() + 1)
                .map_or(0, |&(_, number)| number);
            match tip.children().nth(number) {
                Some(next) => tip = next,
                None => break,
            }
        }
        let tip = tip.id();
        record.go_to(tip);
        if self.end.is_some() {
            record.end_line();
        }
        record.go_to_ply(self.ply);
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        let notes = Notes::of(self.root().extra_or_empty());
        let tags = self.tags().stored().clone();
        if target.is_human_readable() {
            if self.depth() > MAX_VARIATION_DEPTH {
                return Err(S::Error::custom(format_args!(
                    "variations lie more than {MAX_VARIATION_DEPTH} deep inside each other"
                )));
            }
            let readable = Readable {
                start: *self.start(),
                mode: Some(self.start().castling_mode()),
                result: self.result(),
                tags,
                notes,
                moves: line(self.root().next()),
                cursor: Cursor::of(self),
            };
            return readable.serialize(target);
        }
        let compact = Compact {
            start: *self.start(),
            result: self.result(),
            tags,
            notes: notes.compact(),
            moves: self.root().subtree().skip(1).map(compact_move).collect(),
            cursor: Cursor::of(self),
        };
        compact.serialize(target)
    }
}

/// The move that leads to a node.
fn compact_move(node: Node<'_>) -> CompactMove {
    let notes = Notes::of(node.extra_or_empty());
    let notes = (!notes.is_empty()).then(|| Box::new(notes.compact()));
    (node.ply(), node.uci().unwrap_or(UciMove::Null), notes)
}

/// Returns a line of moves, each with the variations that could be played instead.
fn line(first: Option<Node<'_>>) -> Vec<MoveForm> {
    core::iter::successors(first, |node| node.next())
        .map(|node| MoveForm {
            ply: node.ply(),
            san: node.move_text(),
            uci: node.uci(),
            fen: node.position().fen(),
            notes: Notes::of(node.extra_or_empty()),
            variations: alternatives(node),
        })
        .collect()
}

/// Returns the variations beside a main move. Other moves have none, because they are variations themselves.
fn alternatives(node: Node<'_>) -> Vec<Vec<MoveForm>> {
    let siblings = node.parent().into_iter().flat_map(Node::children);
    let is_main = siblings
        .clone()
        .next()
        .is_some_and(|main| main.id() == node.id());
    if is_main {
        siblings.skip(1).map(|other| line(Some(other))).collect()
    } else {
        Vec::new()
    }
}

impl<'de> Deserialize<'de> for Record {
    /// Reads a record within the limits of records read from PGN files.
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Record, D::Error> {
        if source.is_human_readable() {
            let form = Readable::deserialize(source)?;
            let mut builder = Builder::new(in_mode(form.start, form.mode), form.tags)?;
            builder.write(NodeId::ROOT, form.notes)?;
            builder.add_line(NodeId::ROOT, form.moves, 0)?;
            Ok(builder.finish(form.result, &form.cursor))
        } else {
            let form = Compact::deserialize(source)?;
            let mut builder = Builder::new(form.start, form.tags)?;
            builder.write(NodeId::ROOT, form.notes.into())?;
            builder.add_list(form.moves)?;
            Ok(builder.finish(form.result, &form.cursor))
        }
    }
}

/// A record being built, and how much of its limits it has used.
struct Builder {
    record: Record,
    nodes: usize,
    annotations: usize,
    text: usize,
}

impl Builder {
    fn new<E: serde::de::Error>(start: Position, tags: Tags) -> Result<Builder, E> {
        if tags.len() > MAX_TAGS {
            return Err(E::custom("the record has too many tags"));
        }
        let text = tags
            .iter()
            .map(|(name, value)| name.len() + value.len())
            .sum();
        let mut record = Record::new(start);
        *record.tags_mut() = tags;
        Ok(Builder {
            record,
            nodes: 0,
            annotations: 0,
            text,
        })
    }

    /// Adds the notes of a node.
    fn write<E: serde::de::Error>(&mut self, node: NodeId, notes: Notes) -> Result<(), E> {
        if notes.is_empty() {
            return Ok(());
        }
        let size = notes.size();
        self.annotations += size.annotations;
        self.text += size.text;
        if self.annotations > MAX_ANNOTATIONS || self.text > MAX_TEXT {
            return Err(E::custom("the record has too many annotations"));
        }
        *self.record.extra_mut(node) = notes.extra()?;
        Ok(())
    }

    fn add<E: serde::de::Error>(&mut self, parent: NodeId, uci: UciMove) -> Result<NodeId, E> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(E::custom("the record has too many moves"));
        }
        let position = *self.record.position_of(parent);
        let added = match uci {
            UciMove::Null => self.record.add_null(parent),
            UciMove::Normal { .. } => {
                let played = position.resolve_uci(uci);
                let played = played.map_err(|error| E::custom(format_args!("{uci}: {error}")))?;
                self.record.add(parent, played)
            }
        };
        added.map_err(|error| E::custom(format_args!("{uci}: {error}")))
    }

    /// Adds a line of moves with their variations.
    fn add_line<E: serde::de::Error>(
        &mut self,
        parent: NodeId,
        moves: Vec<MoveForm>,
        depth: usize,
    ) -> Result<(), E> {
        if depth > MAX_VARIATION_DEPTH {
            return Err(E::custom("variations lie too deep inside each other"));
        }
        let mut at = parent;
        for form in moves {
            let uci = match (form.uci, form.san) {
                (Some(uci), _) => uci,
                (None, Some(san)) => self.resolve(at, &san)?,
                (None, None) => return Err(E::missing_field("uci")),
            };
            let node = self.add(at, uci)?;
            self.write(node, form.notes)?;
            for variation in form.variations {
                self.add_line(at, variation, depth + 1)?;
            }
            at = node;
        }
        Ok(())
    }

    /// Returns the move that a text in algebraic notation means in a node's position.
    fn resolve<E: serde::de::Error>(&self, at: NodeId, san: &str) -> Result<UciMove, E> {
        let position = self.record.position_of(at);
        match position.parse_san(san) {
            Ok(played) => Ok(position.uci(played)),
            Err(_) if crate::pgn::is_null_move(san.as_bytes()) => Ok(UciMove::Null),
            Err(error) => Err(E::custom(error)),
        }
    }

    /// Adds moves, each of which follows the nearest earlier one that is one ply before it.
    fn add_list<E: serde::de::Error>(&mut self, moves: Vec<CompactMove>) -> Result<(), E> {
        let mut line = vec![NodeId::ROOT];
        for (ply, uci, notes) in moves {
            let ply = ply as usize;
            if ply == 0 || ply > line.len() {
                return Err(E::custom("a move follows none before it"));
            }
            line.truncate(ply);
            let node = self.add(line[ply - 1], uci)?;
            if let Some(notes) = notes {
                self.write(node, Notes::from(*notes))?;
            }
            line.push(node);
        }
        if self.record.depth() > MAX_DEPTH {
            return Err(E::custom("variations lie too deep inside each other"));
        }
        Ok(())
    }

    fn finish(mut self, result: GameResult, cursor: &Cursor) -> Record {
        self.record.set_result(result);
        cursor.place_in(&mut self.record);
        self.record
    }
}

/// Serializes the record of [`Session::save`].
impl Serialize for Session {
    fn serialize<S: Serializer>(&self, target: S) -> Result<S::Ok, S::Error> {
        self.save().serialize(target)
    }
}

/// Deserializes with [`Session::restore`], which accepts any record.
impl<'de> Deserialize<'de> for Session {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Session, D::Error> {
        Record::deserialize(source).map(Session::restore)
    }
}
