//! The record of one game: a start position, a tree of moves with their annotations, and a cursor.
//!
//! Every node stores its position, so stepping back, going to a move and looking at the past cost nothing. Only
//! [`Record::delete`] removes anything from the tree, and the cursor remembers the line it came from, so that going
//! forward reverses going back.

mod edit;
mod node;
mod record_tags;

use core::num::NonZeroU32;
use core::time::Duration;

use tabiya_rules::{Move, MoveHistory, PlayError, Position, SanError, UciMove};

use crate::annotation::{Annotation, Evaluation};
use crate::outcome::{GameResult, Outcome};
use crate::tags::Tags;
use record_tags::fen_tag;

use node::BEST_LINE;
pub use node::{Children, Node};
pub(crate) use node::{Extra, uci_line};
pub use record_tags::RecordTags;

/// The embedded command for how a draw was claimed: the rule, and the intended move.
pub(crate) const CLAIM: &str = "claim";

/// One step of a record: a move, or the null move that PGN writes as `--`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A legal move.
    Move(Move),
    /// A null move: the turn passes. It is not a legal move; annotators use it to show a threat.
    Null,
}

impl Step {
    /// The spellings of a null move that are read, the one that is written first.
    pub const NULL_SPELLINGS: [&'static str; 5] = ["--", "Z0", UciMove::NULL_TEXT, "@@@@", "null"];

    /// The spelling of a null move that is written.
    pub const NULL_TEXT: &'static str = Step::NULL_SPELLINGS[0];

    /// Returns the move, unless it is the null move.
    pub const fn played(self) -> Option<Move> {
        match self {
            Step::Move(played) => Some(played),
            Step::Null => None,
        }
    }
}

/// The ID of a node in one [`Record`].
///
/// An ID is valid until its node is deleted, and is never reused in that record. It is also valid in clones of the
/// record. In another record it names no node, unless the same moves lead to the same place there. IDs are not part of
/// a record's value: equal records may have different ones.
///
/// ```
/// use tabiya_game::{NodeId, Record};
/// use tabiya_rules::Position;
///
/// let mut record = Record::new(Position::start());
/// let e4 = record.add_san(NodeId::ROOT, "e4")?;
/// record.add_san(e4, "e5")?;
/// assert_eq!(record.node(e4).map(|node| node.ply()), Some(1));
/// assert!(Record::new(Position::start()).node(e4).is_none());
/// # Ok::<(), tabiya_game::AddError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId {
    slot: Slot,
    /// Derived from the moves that lead to the node, so that an ID from another game names nothing here.
    stamp: u32,
}

impl NodeId {
    /// The node before the first move, in every record.
    pub const ROOT: NodeId = NodeId {
        slot: Slot::ROOT,
        stamp: 0,
    };

    /// Returns the ID as a number, for serialized values.
    #[cfg(feature = "serde")]
    pub(crate) const fn to_bits(self) -> u64 {
        (self.slot.0.get() as u64) << 32 | self.stamp as u64
    }

    /// Returns the ID that a number stands for. [`Record::node`] tells whether a record has that node.
    #[cfg(feature = "serde")]
    pub(crate) const fn from_bits(bits: u64) -> Option<NodeId> {
        match NonZeroU32::new((bits >> 32) as u32) {
            Some(slot) => Some(NodeId {
                slot: Slot(slot),
                stamp: bits as u32,
            }),
            None => None,
        }
    }

    /// Returns its index in the record's list of nodes.
    const fn index(self) -> usize {
        self.slot.index()
    }
}

/// An index in a record's list of nodes, counted from 1 so that `Option` costs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Slot(NonZeroU32);

impl Slot {
    const ROOT: Slot = Slot(NonZeroU32::MIN);

    const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Returns the stamp of a node, given its parent's and the position it leads to.
fn stamp(parent: u32, position: &Position) -> u32 {
    let mixed = (position.key() ^ u64::from(parent)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as u32
}

/// The record of a game.
///
/// `==` compares tags, result, start (its whole setup, move counters included), the tree with all annotations, the
/// cursor's line, and the cursor. It does not compare the IDs of nodes.
///
/// ```
/// use tabiya_game::{NodeId, Record};
/// use tabiya_rules::Position;
///
/// let mut record = Record::new(Position::start());
/// let e4 = record.add(NodeId::ROOT, Position::start().parse_san("e4")?)?;
/// let d4 = record.add(NodeId::ROOT, Position::start().parse_san("d4")?)?;
/// record.go_to(d4);
/// assert_eq!(record.cursor().ply(), 1);
/// assert_eq!(record.root().children().map(|node| node.id()).collect::<Vec<_>>(), [e4, d4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Record {
    tags: Tags,
    result: GameResult,
    /// The start as in the `FEN` tag, unless it is the standard one. The start never changes.
    fen: Option<Box<str>>,
    nodes: Vec<node::Stored>,
    /// The nodes below the root on the cursor's line, down to a leaf or to where the game ended.
    line: Vec<NodeId>,
    /// The number of nodes on the line between the root and the cursor.
    at: usize,
}

impl Record {
    /// Creates an empty record from a start position.
    pub fn new(start: Position) -> Record {
        Record {
            tags: Tags::new(),
            result: GameResult::Unknown,
            fen: fen_tag(&start),
            nodes: vec![node::Stored::root(start)],
            line: Vec::new(),
            at: 0,
        }
    }

    /// Returns the tags. Looking up a name also finds those derived from the record: `Result`, `SetUp`, `FEN` and
    /// `Variant`.
    ///
    /// ```
    /// use tabiya_game::pgn;
    ///
    /// let text = "[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. O-O-O 1-0";
    /// let game = pgn::games(text.as_bytes()).next().ok_or("no game")?;
    /// assert_eq!(game.record.tags().get("Result"), Some("1-0"));
    /// assert_eq!(game.record.tags().get("FEN"), Some("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tags(&self) -> RecordTags<'_> {
        RecordTags { record: self }
    }

    /// Returns the tags, mutably.
    pub fn tags_mut(&mut self) -> &mut Tags {
        &mut self.tags
    }

    /// Returns the result that ends the moves in PGN.
    pub fn result(&self) -> GameResult {
        self.result
    }

    /// Sets the result.
    pub fn set_result(&mut self, result: GameResult) {
        self.result = result;
    }

    /// Returns the position before the first move.
    pub fn start(&self) -> &Position {
        &self.nodes[0].position
    }

    /// Returns the node before the first move.
    pub fn root(&self) -> Node<'_> {
        Node::new(self, NodeId::ROOT)
    }

    /// Returns the node at the cursor.
    pub fn cursor(&self) -> Node<'_> {
        Node::new(self, self.cursor_id())
    }

    /// Returns the node with this ID; `None` if it was deleted or belongs to another record.
    pub fn node(&self, id: NodeId) -> Option<Node<'_>> {
        self.holds(id).then(|| Node::new(self, id))
    }

    /// Returns the number of nodes, the root included.
    pub fn len(&self) -> usize {
        self.nodes.iter().filter(|node| node.alive).count()
    }

    /// Returns the number of nodes that exist or have existed, the root included.
    pub(crate) fn nodes_ever(&self) -> usize {
        self.nodes.len()
    }

    /// Returns how deeply variations are nested: 0 for a record without any.
    pub fn depth(&self) -> usize {
        // A node comes after its parent in the list.
        let mut depths: Vec<u32> = Vec::with_capacity(self.nodes.len());
        let mut deepest = 0;
        for (at, node) in self.nodes.iter().enumerate() {
            let depth = node.parent.map_or(0, |parent| {
                let first = self.nodes[parent.index()].first_child;
                let is_first = first.is_some_and(|first| first.index() == at);
                depths[parent.index()] + u32::from(!is_first)
            });
            depths.push(depth);
            if node.alive {
                deepest = deepest.max(depth);
            }
        }
        deepest as usize
    }

    /// Returns whether the record has no moves.
    pub fn is_empty(&self) -> bool {
        self.nodes[0].first_child.is_none()
    }

    /// Returns the nodes of the cursor's line from the first move to the last, including those ahead of the cursor. It
    /// is the [main line](Record::main_line) until the cursor goes into a variation.
    pub fn cursor_line(&self) -> impl DoubleEndedIterator<Item = Node<'_>> + ExactSizeIterator {
        self.line.iter().map(|&id| Node::new(self, id))
    }

    /// Returns the node of the cursor's line this many plies after the start.
    pub fn on_line(&self, ply: u32) -> Option<Node<'_>> {
        match ply as usize {
            0 => Some(self.root()),
            ply => self.line.get(ply - 1).map(|&id| Node::new(self, id)),
        }
    }

    /// Returns the nodes of the main line, from the first move on: always the first child, down to a leaf. Each node
    /// has its position.
    ///
    /// ```
    /// use tabiya_game::pgn;
    ///
    /// let game = pgn::games(&b"1. e4 (1. d4 d5) e5 2. Nf3 *"[..]).next().ok_or("no game")?;
    /// let fens: Vec<String> = game.record.main_line().map(|node| node.position().fen()).collect();
    /// assert_eq!(fens.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "mainline")]
    #[doc(alias = "mainline_moves")]
    pub fn main_line(&self) -> impl Iterator<Item = Node<'_>> + Clone {
        core::iter::successors(self.root().next(), |node| node.next())
    }

    /// Returns the last node of the main line: always the first child, down to a leaf.
    pub fn main_line_end(&self) -> Node<'_> {
        self.main_line().last().unwrap_or(self.root())
    }

    /// Returns the annotation of a node, mutably; `None` if the node is not in this record.
    pub fn annotation_mut(&mut self, id: NodeId) -> Option<&mut Annotation> {
        self.holds(id).then(|| &mut self.extra_mut(id).annotation)
    }

    /// Writes what an engine thinks of the position after a move, as [`Command::Evaluate`](crate::Command::Evaluate) does.
    /// Returns whether the node is in this record.
    pub fn evaluate(&mut self, id: NodeId, evaluation: Option<Evaluation>, best: &[Move]) -> bool {
        let Some(node) = self.node(id) else {
            return false;
        };
        let line = uci_line(node.position(), best);
        let annotation = &mut self.extra_mut(id).annotation;
        annotation.evaluation = evaluation;
        annotation.remove_commands(BEST_LINE);
        if !line.is_empty() {
            // Moves have no brackets, so nothing is refused.
            let added = annotation.add_command(BEST_LINE, &line);
            debug_assert!(added.is_ok());
        }
        true
    }

    /// Adds a move as the last child of a node, even if the node already has a child with the same move.
    ///
    /// The cursor stays where it is. If the node was the end of the cursor's line, the line grows.
    ///
    /// # Errors
    /// Fails if the parent is not in the record, or the move is not legal in its position.
    pub fn add(&mut self, parent: NodeId, played: Move) -> Result<NodeId, AddError> {
        let node = self.node(parent).ok_or(AddError::NoSuchNode)?;
        let position = node.position().play(played).map_err(AddError::Illegal)?;
        self.push(parent, Step::Move(played), position)
    }

    /// Adds a null move as the last child of a node.
    ///
    /// # Errors
    /// Fails if the parent is not in the record, or the side to move is in check.
    pub fn add_null(&mut self, parent: NodeId) -> Result<NodeId, AddError> {
        let node = self.node(parent).ok_or(AddError::NoSuchNode)?;
        let position = node.position().pass().ok_or(AddError::NullMoveInCheck)?;
        self.push(parent, Step::Null, position)
    }

    /// Adds a move given in algebraic notation, read as [`Position::parse_san`] does, as the last child of a node.
    ///
    /// ```
    /// use tabiya_game::{NodeId, Record};
    /// use tabiya_rules::Position;
    ///
    /// let mut record = Record::new(Position::start());
    /// let e4 = record.add_san(NodeId::ROOT, "e4")?;
    /// record.add_line(e4, ["e5", "Nf3", "Nc6"])?;
    /// record.add_line(e4, ["c5", "Nf3"])?;
    /// let text = record.to_string();
    /// assert!(text.ends_with("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 *\n"));
    /// # Ok::<(), tabiya_game::AddError>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the parent is not in the record, or the text is not a legal move in its position.
    #[doc(alias = "push_san")]
    pub fn add_san(&mut self, parent: NodeId, text: &str) -> Result<NodeId, AddError> {
        let node = self.node(parent).ok_or(AddError::NoSuchNode)?;
        let played = node.position().parse_san(text).map_err(AddError::San)?;
        self.add(parent, played)
    }

    /// Adds moves one after another below a node, each read as in [`Record::add_san`], and returns the last node, or
    /// the given node if there are no moves.
    ///
    /// # Errors
    /// Same as [`Record::add_san`]. The moves before the faulty one stay.
    pub fn add_line<'a>(
        &mut self,
        parent: NodeId,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Result<NodeId, AddError> {
        moves
            .into_iter()
            .try_fold(parent, |at, text| self.add_san(at, text))
    }

    /// Puts the cursor on a node. The line ahead stays if the node is on it, and otherwise follows the first children.
    /// Returns whether the node is in the record.
    pub fn go_to(&mut self, id: NodeId) -> bool {
        if !self.holds(id) {
            return false;
        }
        let ply = self.nodes[id.index()].ply as usize;
        if ply > 0 && self.line.get(ply - 1) != Some(&id) {
            self.line.truncate(ply - 1);
            self.line.resize(ply, id);
            let mut at = id;
            for slot in (0..ply).rev() {
                if slot + 1 < ply && self.line[slot] == at {
                    break;
                }
                self.line[slot] = at;
                // Every node below the root has a parent, and this loop never reaches the root.
                let parent = self.nodes[at.index()].parent;
                at = parent.map_or(NodeId::ROOT, |slot| self.id_at(slot));
            }
            self.extend_line();
        }
        self.at = ply;
        true
    }

    /// Moves the cursor back by this many plies, or to the start. Returns the number of plies it moved.
    pub fn back(&mut self, plies: u32) -> u32 {
        let steps = self.at.min(plies as usize);
        self.at -= steps;
        steps as u32
    }

    /// Moves the cursor forward along its line by this many plies, or to its end. Returns the number of plies it
    /// moved.
    pub fn forward(&mut self, plies: u32) -> u32 {
        let steps = (self.line.len() - self.at).min(plies as usize);
        self.at += steps;
        steps as u32
    }

    /// Returns how often the position of a node has occurred on the line up to and including the node.
    ///
    /// This walks back to the last irreversible move; a [`Session`](crate::Session) counts as it goes instead.
    pub fn occurrences(&self, id: NodeId) -> u32 {
        let Some(node) = self.node(id) else { return 0 };
        let position = node.position();
        let mut count = 1;
        let mut earlier = node;
        while let Some(parent) = earlier.parent() {
            count += u32::from(parent.position() == position);
            earlier = parent;
        }
        count
    }

    /// Returns the ID of the cursor's node.
    pub(crate) fn cursor_id(&self) -> NodeId {
        match self.at {
            0 => NodeId::ROOT,
            at => self.line[at - 1],
        }
    }

    /// Returns the nodes on the way from the root, which is left out, to the cursor.
    pub(crate) fn way(&self) -> &[NodeId] {
        &self.line[..self.at]
    }

    /// Returns whether the cursor is at the end of its line.
    pub(crate) fn at_line_end(&self) -> bool {
        self.at == self.line.len()
    }

    /// Ends the line at the cursor, where the game ended although the tree continues.
    pub(crate) fn end_line(&mut self) {
        self.line.truncate(self.at);
    }

    /// Returns the position of a node, even of a deleted one.
    pub(crate) fn position_of(&self, id: NodeId) -> &Position {
        &self.nodes[id.index()].position
    }

    /// Returns what is known about a node besides its move, if anything.
    pub(crate) fn extra(&self, id: NodeId) -> Option<&Extra> {
        self.nodes
            .get(id.index())
            .and_then(|node| node.extra.as_deref())
    }

    /// Returns what the node has besides its move, created if missing. The caller knows that the node exists.
    pub(crate) fn extra_mut(&mut self, id: NodeId) -> &mut Extra {
        self.nodes[id.index()].extra.get_or_insert_default()
    }

    /// Puts the cursor this many plies after the start on its line, or at its end.
    pub(crate) fn go_to_ply(&mut self, ply: u32) {
        self.at = self.line.len().min(ply as usize);
    }

    /// Puts the cursor at the start, with the main line ahead, as in a record that was just read.
    pub(crate) fn rewind(&mut self) {
        self.at = 0;
        self.line.clear();
        self.extend_line();
    }

    /// Records how long the side to move at a node has been thinking.
    pub(crate) fn set_thinking(&mut self, id: NodeId, time: Duration) {
        if time
            != self
                .extra(id)
                .map_or(Duration::ZERO, |extra| extra.thinking)
        {
            self.extra_mut(id).thinking = time;
        }
    }

    /// Sets or clears the act that ended the game at a node.
    pub(crate) fn set_ending(&mut self, id: NodeId, ending: Option<Outcome>) {
        if ending != self.extra(id).and_then(|extra| extra.ending) {
            self.extra_mut(id).ending = ending;
        }
    }

    /// Removes what is written about a claim at a node.
    pub(crate) fn forget_claim(&mut self, id: NodeId) {
        let claims = |extra: &Extra| {
            let mut commands = extra.annotation.commands().iter();
            commands.any(|command| command.name() == CLAIM)
        };
        if self.extra(id).is_some_and(claims) {
            self.extra_mut(id).annotation.remove_commands(CLAIM);
        }
    }

    /// Returns the ID of the node at an index of the list.
    fn id_at(&self, slot: Slot) -> NodeId {
        NodeId {
            slot,
            stamp: self.nodes[slot.index()].stamp,
        }
    }

    /// Returns whether a node is in the record.
    fn holds(&self, id: NodeId) -> bool {
        self.nodes
            .get(id.index())
            .is_some_and(|node| node.alive && node.stamp == id.stamp)
    }

    /// Adds a step from a node, which must be in the record, to a known position.
    pub(crate) fn push(
        &mut self,
        parent: NodeId,
        step: Step,
        position: Position,
    ) -> Result<NodeId, AddError> {
        let number = u32::try_from(self.nodes.len() + 1)
            .ok()
            .and_then(NonZeroU32::new);
        let slot = Slot(number.ok_or(AddError::Full)?);
        let stamp = stamp(parent.stamp, &position);
        let ply = self.nodes[parent.index()].ply + 1;
        self.nodes.push(node::Stored {
            parent: Some(parent.slot),
            step: Some(step),
            ply,
            stamp,
            ..node::Stored::root(position)
        });
        let id = NodeId { slot, stamp };
        self.attach_last(parent, id);
        if self.line.last().copied().unwrap_or(NodeId::ROOT) == parent {
            self.line.push(id);
        }
        Ok(id)
    }

    /// Extends the cursor's line along the first children.
    fn extend_line(&mut self) {
        let mut tip = self.line.last().copied().unwrap_or(NodeId::ROOT);
        while let Some(next) = self.nodes[tip.index()].first_child {
            tip = self.id_at(next);
            self.line.push(tip);
        }
    }
}

impl Default for Record {
    /// Returns an empty record from the standard start.
    fn default() -> Record {
        Record::new(Position::start())
    }
}

impl From<&Record> for MoveHistory {
    /// Returns the moves of the main line, wherever the cursor is. [`Node::history`] has those of any other line.
    fn from(record: &Record) -> MoveHistory {
        record.main_line_end().history()
    }
}

/// Compares the whole record except the IDs of nodes. The walk does not recurse, so depth does not matter.
impl PartialEq for Record {
    fn eq(&self, other: &Record) -> bool {
        if self.at != other.at
            || self.line.len() != other.line.len()
            || self.result != other.result
            || self.tags != other.tags
            || self.start().setup() != other.start().setup()
        {
            return false;
        }
        let mut ours = self.root().subtree();
        let mut theirs = other.root().subtree();
        loop {
            match (ours.next(), theirs.next()) {
                (None, None) => return true,
                (Some(a), Some(b)) => {
                    let same_line =
                        self.line.get(a.ply().wrapping_sub(1) as usize) == Some(&a.id());
                    let that_line =
                        other.line.get(b.ply().wrapping_sub(1) as usize) == Some(&b.id());
                    if a.ply() != b.ply()
                        || a.step() != b.step()
                        || same_line != that_line
                        || a.extra_or_empty() != b.extra_or_empty()
                    {
                        return false;
                    }
                }
                _ => return false,
            }
        }
    }
}

impl Eq for Record {}

/// Why a step could not be added to a record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AddError {
    /// The parent is not in the record.
    NoSuchNode,
    /// The move is not legal there.
    Illegal(PlayError),
    /// The text is not a legal move there.
    San(SanError),
    /// The side to move is in check and cannot pass.
    NullMoveInCheck,
    /// The record has as many nodes as there are IDs.
    Full,
}

impl core::fmt::Display for AddError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            AddError::NoSuchNode => f.write_str("There is no such move in the record."),
            AddError::Illegal(error) => error.fmt(f),
            AddError::San(error) => error.fmt(f),
            AddError::NullMoveInCheck => f.write_str("A side in check cannot pass."),
            AddError::Full => f.write_str("The record is full."),
        }
    }
}

impl core::error::Error for AddError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            AddError::Illegal(error) => Some(error),
            AddError::San(error) => Some(error),
            AddError::NoSuchNode | AddError::NullMoveInCheck | AddError::Full => None,
        }
    }
}
