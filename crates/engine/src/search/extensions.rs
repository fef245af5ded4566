//! What is searched deeper: a move that is the only good one.

use tabiya_rules::Move;

use super::negamax::Node;
use super::tree::{Here, Tree};
use crate::score::is_mate;
use crate::table::Bound;

/// The least depth at which the question is worth a search of its own.
const SINGULAR_DEPTH: i32 = 7;
/// The table's result may be this much shallower.
const SHALLOWER: i32 = 3;
/// By so much for each half-move of depth the other moves have to be worse, in hundredths of a pawn.
const SINGULAR_MARGIN: i32 = 2;
/// By so much more, and the move is searched two half-moves deeper, but not more often than this in one line: it must end.
const DOUBLE_MARGIN: i32 = 20;
const MOST_DOUBLE: u8 = 6;

/// What is known about a move before it is searched.
#[derive(Debug)]
pub(super) enum Extension {
    /// It is searched so much deeper, or less deep.
    By(i32),
    /// The node is done with.
    Cut(i32),
}

impl Tree<'_> {
    /// How much deeper a move is searched: more if all others are worse by a margin, which a search without it shows.
    pub(super) fn extension<const OPEN: bool>(
        &mut self,
        here: &Here,
        node: &Node,
        m: Move,
    ) -> Extension {
        let candidate = node.known.filter(|entry| {
            node.depth >= SINGULAR_DEPTH
                && entry.best == Some(m)
                && entry.depth >= node.depth - SHALLOWER
                && entry.bound != Bound::Upper
                && !is_mate(entry.score)
        });
        let Some(entry) = candidate else {
            return Extension::By(0);
        };
        let bound = entry.score - SINGULAR_MARGIN * node.depth;
        // The evaluation of this half-move stays that of this position, for it is the same.
        self.frame(here.ply).excluded = Some(m);
        let score = self.search::<false>(here, bound - 1, bound, (node.depth - 1) / 2, node.cut);
        self.frame(here.ply).excluded = None;
        if score < bound {
            let often = self.frame(here.ply).extensions >= MOST_DOUBLE;
            let twice = !OPEN && score < bound - DOUBLE_MARGIN && !often;
            Extension::By(1 + i32::from(twice))
        } else if bound >= node.beta && !OPEN {
            // Another move is good enough too.
            Extension::Cut(bound)
        } else if entry.score >= node.beta {
            Extension::By(-1)
        } else {
            Extension::By(0)
        }
    }
}
