//! The tree of positions: where a search stands in it, and what it knows on its way.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tabiya_rules::{Color, Move, Position};

use super::history::{Context, Histories, NO_MOVE, place};
use super::picker::MoveStack;
use crate::evaluation::{Evaluator, KNOWN_WIN, Standard};
use crate::level::Handicap;
use crate::parts::Parts;
use crate::score::{DRAW, MOST};
use crate::searcher::Control;
use crate::table::Table;

/// The deepest a line goes, in half-moves.
pub(crate) const MAX_PLY: usize = 127;
/// Frames before the root, so that earlier moves can be asked for everywhere.
const BEFORE_ROOT: usize = 4;
/// How many positions pass before the control is asked again: well under a millisecond of them.
const BETWEEN_LOOKS: u64 = 512;

/// What all threads of one search share.
#[derive(Debug)]
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) control: &'a Control,
    /// Set when the first thread has its move.
    pub(crate) over: AtomicBool,
    /// Positions searched, by thread.
    pub(crate) nodes: Vec<AtomicU64>,
}

impl Shared<'_> {
    pub(crate) fn all_nodes(&self) -> u64 {
        self.nodes.iter().map(|n| n.load(Ordering::Relaxed)).sum()
    }
}

/// What one thread remembers from search to search.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub(super) evaluation: Standard,
    pub(super) histories: Histories,
}

impl Memory {
    pub(crate) fn new() -> Memory {
        Memory {
            evaluation: Standard::default(),
            histories: Histories::new(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.histories.clear();
    }
}

/// What the evaluation keeps about a position.
type State = <Standard as Evaluator>::State;

/// A position of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Here {
    pub(super) position: Position,
    pub(super) parts: Parts,
    pub(super) state: State,
    /// Half-moves from the root.
    pub(super) ply: usize,
}

/// What is noted down for each half-move of the line that is being looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The move played from here, as a place in the histories.
    pub(super) place: usize,
    /// `None` in check.
    pub(super) evaluation: Option<i32>,
    /// The move that is left out, to see whether it is the only good one.
    pub(super) excluded: Option<Move>,
    /// How often the line was made two half-moves longer.
    pub(super) extensions: u8,
}

impl Default for Frame {
    fn default() -> Frame {
        Frame {
            place: NO_MOVE,
            evaluation: None,
            excluded: None,
            extensions: 0,
        }
    }
}

/// The search of one thread.
#[derive(Debug)]
pub(crate) struct Tree<'a> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) memory: &'a mut Memory,
    pub(super) handicap: Handicap,
    pub(super) frames: Vec<Frame>,
    /// The moves of the positions on the line that is being looked at.
    pub(super) stack: MoveStack,
    /// The best line from each half-move on.
    pub(super) lines: Vec<Vec<Move>>,
    /// The keys of the game and of the line that is being looked at, for repetitions.
    keys: Vec<u64>,
    /// The number of the thread; the first one decides.
    pub(super) thread: usize,
    pub(super) nodes: u64,
    pub(super) most_nodes: u64,
    next_look: u64,
    pub(super) stopped: bool,
    pub(super) deepest: usize,
}

impl<'a> Tree<'a> {
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        memory: &'a mut Memory,
        handicap: Handicap,
        keys: Vec<u64>,
        thread: usize,
        most_nodes: u64,
    ) -> Tree<'a> {
        Tree {
            shared,
            memory,
            handicap,
            frames: vec![Frame::default(); MAX_PLY + BEFORE_ROOT + 2],
            stack: MoveStack::default(),
            lines: vec![Vec::new(); MAX_PLY + 2],
            keys,
            thread,
            nodes: 0,
            most_nodes,
            next_look: BETWEEN_LOOKS.min(most_nodes),
            stopped: false,
            deepest: 0,
        }
    }

    pub(super) fn root(&self, position: &Position) -> Here {
        Here {
            position: *position,
            parts: Parts::of(position),
            state: self.memory.evaluation.start(position),
            ply: 0,
        }
    }

    pub(super) fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + BEFORE_ROOT]
    }

    /// Plays a legal move.
    pub(super) fn enter(&mut self, here: &Here, m: Move) -> Here {
        let position = here.position.play_unchecked(m);
        self.shared.table.prefetch(position.key());
        self.frame(here.ply).place = place(here.position.turn(), m);
        let change = here.position.change(m);
        let parts = here.parts.follow(&change);
        let state = self.memory.evaluation.follow(&here.state, &change);
        self.arrive(position, parts, state, here.ply + 1)
    }

    /// Lets the side to move pass; `None` in check.
    pub(super) fn pass(&mut self, here: &Here) -> Option<Here> {
        let position = here.position.pass()?;
        self.shared.table.prefetch(position.key());
        self.frame(here.ply).place = NO_MOVE;
        Some(self.arrive(position, here.parts, here.state, here.ply + 1))
    }

    fn arrive(&mut self, position: Position, parts: Parts, state: State, ply: usize) -> Here {
        self.keys.push(position.key());
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.look();
        }
        Here {
            position,
            parts,
            state,
            ply,
        }
    }

    /// Takes the last move back.
    pub(super) fn leave(&mut self) {
        self.keys.pop();
    }

    /// Asks whether to go on.
    #[cold]
    fn look(&mut self) {
        self.next_look = (self.nodes + BETWEEN_LOOKS).min(self.most_nodes.max(self.nodes + 1));
        self.publish();
        let over = self.shared.over.load(Ordering::Relaxed);
        let enough = self.nodes >= self.most_nodes
            || (self.thread == 0 && self.shared.all_nodes() >= self.most_nodes);
        self.stopped |= over || enough || self.shared.control.should_stop();
    }

    /// Lets the other threads see how many positions were searched.
    pub(super) fn publish(&self) {
        self.shared.nodes[self.thread].store(self.nodes, Ordering::Relaxed);
    }

    /// Is the game drawn here, or as good as drawn, because the position came up before?
    pub(super) fn is_draw(&self, here: &Here, in_check: bool) -> bool {
        let position = &here.position;
        if position.halfmove_clock() >= 100 {
            // Unless the last move gave mate.
            return !in_check || position.has_legal_move();
        }
        position.is_insufficient_material() || self.is_repetition(here)
    }

    /// Once is enough after the root, where a side could repeat again; what is before has to have come up twice.
    fn is_repetition(&self, here: &Here) -> bool {
        let clock = here.position.halfmove_clock() as usize;
        if clock < 4 {
            return false;
        }
        let Some((&key, before)) = self.keys.split_last() else {
            return false;
        };
        let mut seen = 0;
        let same_side = before
            .iter()
            .rev()
            .take(clock)
            .enumerate()
            .skip(1)
            .step_by(2);
        for (i, _) in same_side.filter(|&(_, &other)| other == key) {
            seen += 1;
            if i + 1 < here.ply || seen == 2 {
                return true;
            }
        }
        false
    }

    /// The worth of a position before what was learned about such positions.
    pub(super) fn evaluate(&mut self, here: &Here) -> i32 {
        let evaluation = &mut self.memory.evaluation;
        let score = evaluation.evaluate(&here.position, &here.parts, &here.state);
        self.handicap
            .misjudge(score, here.position.key())
            .clamp(-MOST, MOST)
    }

    /// The same with what was learned. What is known to be won does not need it, and must not lose its way for it.
    pub(super) fn corrected(&self, here: &Here, raw: i32) -> i32 {
        if raw.abs() >= KNOWN_WIN {
            return raw;
        }
        let turn: Color = here.position.turn();
        let score = raw + self.memory.histories.correction(turn, &here.parts);
        score.clamp(-MOST, MOST)
    }

    /// What the quiet moves of a position are looked up by.
    pub(super) fn context(&mut self, here: &Here) -> Context {
        let at = here.ply + BEFORE_ROOT;
        Context {
            turn: here.position.turn(),
            before: [1, 2, 4].map(|back| self.frames[at - back].place),
            pawn_key: here.parts.pawns,
        }
    }

    /// The line from here is this move and the line after it.
    pub(super) fn keep_line(&mut self, ply: usize, m: Move) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        let (Some(line), Some(rest)) = (head.last_mut(), tail.first()) else {
            return;
        };
        line.clear();
        line.push(m);
        line.extend_from_slice(rest);
    }
}

/// The score of a draw. A little more or less from time to time, so that draws are not all the same to it.
pub(super) fn draw(nodes: u64) -> i32 {
    DRAW + 1 - (nodes & 2) as i32
}
