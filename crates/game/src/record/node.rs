//! One node of a record: how it is stored, and the handle for users.

use core::time::Duration;

use tabiya_rules::{ByColor, Move, MoveHistory, Position, Role, San, UciMove};

use super::{NodeId, Record, Slot, Step};
use crate::annotation::Annotation;
use crate::outcome::Outcome;

/// The embedded command that names the best line from a position, in UCI notation.
pub(crate) const BEST_LINE: &str = "best";

/// How many moves of a best line are kept.
const MAX_LINE_LENGTH: usize = 24;

/// A line from a position in UCI notation, as far as it is kept.
pub(crate) fn uci_line(start: &Position, line: &[Move]) -> String {
    let mut position = *start;
    let mut words = Vec::new();
    for &played in line.iter().take(MAX_LINE_LENGTH) {
        let Ok(next) = position.play(played) else {
            break;
        };
        words.push(position.uci(played).to_string());
        position = next;
    }
    words.join(" ")
}

/// A node in the record's list of nodes. Children are linked by ID, so that a node has a fixed size.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) position: Position,
    pub(super) extra: Option<Box<Extra>>,
    pub(super) parent: Option<Slot>,
    pub(super) first_child: Option<Slot>,
    pub(super) last_child: Option<Slot>,
    pub(super) next_sibling: Option<Slot>,
    pub(super) ply: u32,
    /// What distinguishes its ID from those of other records; 0 at the root.
    pub(super) stamp: u32,
    pub(super) step: Option<Step>,
    /// False once the node is deleted; its ID is never reused.
    pub(super) alive: bool,
}

// A hundred thousand plies should cost some megabytes, no more: IDs of nodes have a niche, and the rest is boxed.
const _: () = assert!(size_of::<Stored>() <= size_of::<Position>() + 40);

impl Stored {
    pub(super) fn root(position: Position) -> Stored {
        Stored {
            position,
            extra: None,
            parent: None,
            first_child: None,
            last_child: None,
            next_sibling: None,
            ply: 0,
            stamp: 0,
            step: None,
            alive: true,
        }
    }
}

/// What a node has besides its move. Most nodes have none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extra {
    pub(crate) annotation: Annotation,
    /// An act that ended the game here: a claim, a resignation, an agreement or a fallen flag.
    pub(crate) ending: Option<Outcome>,
    /// How long the side to move here has been thinking, up to the last accepted command.
    pub(crate) thinking: Duration,
}

/// A node of a [`Record`].
///
/// ```
/// use tabiya_game::pgn;
///
/// let game = pgn::games(b"1. e4 (1. d4 d5) 1... e5 *").next().ok_or("no game")?;
/// let root = game.record.root();
/// let sans: Vec<String> = root.children().filter_map(|node| Some(node.san()?.to_string())).collect();
/// assert_eq!(sans, ["e4", "d4"]);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    record: &'a Record,
    id: NodeId,
}

impl<'a> Node<'a> {
    pub(super) fn new(record: &'a Record, id: NodeId) -> Node<'a> {
        Node { record, id }
    }

    fn stored(self) -> &'a Stored {
        &self.record.nodes[self.id.index()]
    }

    /// Returns the node at an index of the list.
    fn at(self, slot: Option<Slot>) -> Option<Node<'a>> {
        slot.map(|slot| Node::new(self.record, self.record.id_at(slot)))
    }

    /// Returns its ID.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// Returns the position after its move.
    pub fn position(self) -> &'a Position {
        &self.stored().position
    }

    /// Returns the step that leads here; `None` at the root.
    pub fn step(self) -> Option<Step> {
        self.stored().step
    }

    /// Returns the move that leads here in standard algebraic notation; `None` at the root and for a null move.
    pub fn san(self) -> Option<San> {
        let played = self.step()?.played()?;
        Some(self.parent()?.position().san(played))
    }

    /// Returns the step that leads here as PGN writes it, which is `--` for a null move; `None` at the root.
    pub fn move_text(self) -> Option<String> {
        let san = self.san().map(|san| san.to_string());
        self.step()
            .map(|_| san.unwrap_or_else(|| Step::NULL_TEXT.to_owned()))
    }

    /// Returns the step that leads here in UCI notation; `None` at the root.
    pub fn uci(self) -> Option<UciMove> {
        let before = self.parent()?.position();
        Some(match self.step()? {
            Step::Move(played) => before.uci(played),
            Step::Null => UciMove::Null,
        })
    }

    /// Returns the line that an engine found best from here, as [`Command::Evaluate`](crate::Command::Evaluate) wrote it;
    /// empty if there is none.
    pub fn best_line(self) -> Vec<Move> {
        let mut position = *self.position();
        let mut commands = self.annotation().commands().iter();
        let line = commands.find(|command| command.name() == BEST_LINE);
        let words = line.map_or("", |line| line.argument()).split(' ');
        words
            .map_while(|word| {
                let played = position.parse_uci(word).ok()?;
                position = position.play(played).ok()?;
                Some(played)
            })
            .collect()
    }

    /// Returns the number of plies between the start and this node: 0 at the root.
    pub fn ply(self) -> u32 {
        self.stored().ply
    }

    /// Returns the moves from the start to this node, for an engine. After a null move, the history begins with the
    /// position after it.
    pub fn history(self) -> MoveHistory {
        let mut moves = Vec::new();
        let mut node = self;
        let start = loop {
            match (node.step(), node.parent()) {
                (Some(Step::Move(played)), Some(parent)) => {
                    moves.push(played);
                    node = parent;
                }
                (Some(Step::Null) | None, _) | (_, None) => break *node.position(),
            }
        };
        let mut history = MoveHistory::new(start);
        for played in moves.into_iter().rev() {
            // The record holds only legal moves, so none is refused.
            let pushed = history.push(played);
            debug_assert!(pushed.is_ok());
        }
        history
    }

    /// Returns the roles of the pieces that each side has captured between the start and this node, the first one first.
    /// A promoted pawn is captured as what it has become.
    ///
    /// ```
    /// use tabiya_game::pgn;
    /// use tabiya_rules::{Color, Role};
    ///
    /// let game = pgn::games(b"1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 *").next().expect("one game");
    /// let captures = game.record.main_line_end().captures();
    /// assert_eq!(captures[Color::White], [Role::Pawn]);
    /// assert_eq!(captures[Color::Black], [Role::Pawn]);
    /// ```
    #[must_use]
    pub fn captures(self) -> ByColor<Vec<Role>> {
        let mut captures: ByColor<Vec<Role>> = ByColor::default();
        let mut node = self;
        while let Some(parent) = node.parent() {
            let before = parent.position();
            let played = node.step().and_then(Step::played);
            if let Some((_, piece)) = played.and_then(|played| before.captured(played)) {
                captures[before.turn()].push(piece.role);
            }
            node = parent;
        }
        captures.white.reverse();
        captures.black.reverse();
        captures
    }

    /// Returns the node one step back; `None` at the root.
    pub fn parent(self) -> Option<Node<'a>> {
        self.at(self.stored().parent)
    }

    /// Returns the main continuation: the first child.
    pub fn next(self) -> Option<Node<'a>> {
        self.at(self.stored().first_child)
    }

    /// Returns the next alternative to this node, with the same parent.
    pub fn next_sibling(self) -> Option<Node<'a>> {
        self.at(self.stored().next_sibling)
    }

    /// Returns the continuations, the main one first.
    pub fn children(self) -> Children<'a> {
        Children { next: self.next() }
    }

    /// Returns whether it and all its ancestors are first children.
    pub fn is_on_main_line(self) -> bool {
        let mut node = self;
        while let Some(parent) = node.parent() {
            if parent.stored().first_child != Some(node.id.slot) {
                return false;
            }
            node = parent;
        }
        true
    }

    /// Returns how many variations it is nested in: 0 on the main line.
    pub fn depth(self) -> usize {
        let mut depth = 0;
        let mut node = self;
        while let Some(parent) = node.parent() {
            depth += usize::from(parent.stored().first_child != Some(node.id.slot));
            node = parent;
        }
        depth
    }

    /// Returns the annotation of the move.
    pub fn annotation(self) -> &'a Annotation {
        self.stored()
            .extra
            .as_ref()
            .map_or(&EMPTY, |extra| &extra.annotation)
    }

    /// This node and everything below it, each node before its children, and the first child before the second.
    pub fn subtree(self) -> impl Iterator<Item = Node<'a>> {
        let top = self;
        core::iter::successors(Some(self), move |&node| {
            if let Some(child) = node.next() {
                return Some(child);
            }
            let mut node = node;
            while node.id != top.id {
                if let Some(sibling) = node.next_sibling() {
                    return Some(sibling);
                }
                node = node.parent()?;
            }
            None
        })
    }

    /// Returns what is known about the node besides its move.
    pub(crate) fn extra_or_empty(self) -> &'a Extra {
        self.stored()
            .extra
            .as_ref()
            .map_or(&NO_EXTRA, |extra| extra)
    }
}

static EMPTY: Annotation = Annotation::EMPTY;
static NO_EXTRA: Extra = Extra {
    annotation: Annotation::EMPTY,
    ending: None,
    thinking: Duration::ZERO,
};

/// The children of a node, in order.
#[derive(Clone, Debug)]
pub struct Children<'a> {
    next: Option<Node<'a>>,
}

impl<'a> Iterator for Children<'a> {
    type Item = Node<'a>;

    fn next(&mut self) -> Option<Node<'a>> {
        let node = self.next?;
        self.next = node.next_sibling();
        Some(node)
    }
}
