//! Singular extensions: a TT move that is better than all others by a margin is searched deeper.

use tabiya_rules::Move;
use tabiya_uci::Bound;

use super::negamax::NodeInfo;
use super::picker::is_quiet;
use super::thread::{Node, SearchThread};
use crate::score::is_mate;

/// The lowest depth at which a singular search pays off.
const SINGULAR_DEPTH: i32 = 6;
/// The TT entry may be shallower than the node by this many plies.
const TT_DEPTH_SLACK: i32 = 3;
/// The most double extensions in one line.
const MAX_DOUBLE_EXTENSIONS: u8 = 6;

/// The result of a singular search.
#[derive(Debug)]
pub(super) enum Extension {
    /// Search the move this many plies deeper; less deep if negative.
    By(i32),
    /// Multi-cut: the node fails high with this score.
    Cutoff(i32),
}

impl SearchThread<'_> {
    /// The extension of a move. Only the TT move of a deep enough entry is ever extended.
    pub(super) fn extension<const PV: bool>(
        &mut self,
        node: &Node,
        info: &NodeInfo,
        m: Move,
    ) -> Extension {
        let candidate = info.tt_entry.filter(|entry| {
            info.depth >= SINGULAR_DEPTH
                && entry.tt_move == Some(m)
                && entry.depth >= info.depth - TT_DEPTH_SLACK
                && entry.bound != Bound::Upper
                && !is_mate(entry.score)
        });
        let Some(entry) = candidate else {
            return Extension::By(0);
        };
        let params = self.data.params;
        let singular_beta = entry.score - params.singular * info.depth / 16;
        self.stack_entry(node.ply).excluded = Some(m);
        let score = self.search::<false>(
            node,
            singular_beta - 1,
            singular_beta,
            (info.depth - 1) / 2,
            info.cut_node,
        );
        self.stack_entry(node.ply).excluded = None;
        if score < singular_beta {
            let exhausted = self.stack_entry(node.ply).double_extensions >= MAX_DOUBLE_EXTENSIONS;
            let twice = !PV && score < singular_beta - params.double_extension && !exhausted;
            let thrice = twice
                && score < singular_beta - params.triple_extension
                && is_quiet(&node.position, m);
            Extension::By(1 + i32::from(twice) + i32::from(thrice))
        } else if singular_beta >= info.beta && !PV {
            Extension::Cutoff(singular_beta)
        } else if entry.score >= info.beta || info.cut_node {
            Extension::By(-2)
        } else {
            Extension::By(0)
        }
    }
}
