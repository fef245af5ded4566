//! What is not searched: nodes whose outcome is as good as certain, and moves that are not worth it at their depth.
//!
//! The margins are in hundredths of a pawn. They were set by hand; what each kind of pruning is worth in games is in
//! `docs/engine.md`.

use tabiya_rules::{Bitboard, Position, Role};

use super::exchange::brings;
use super::history::NO_MOVE;
use super::moves::Candidate;
use super::negamax::Node;
use super::quiescence::improves;
use super::reductions::{HALF_MOVE, reduction};
use super::tree::{Here, Tree};
use crate::score::{MATE_BOUND, is_mate};

/// Up to this depth a score far enough above the window settles a node: what an answer can change grows with the depth.
const REVERSE_FUTILITY_DEPTH: i32 = 8;
/// How far above it has to be, for each half-move of depth and beside.
const REVERSE_FUTILITY: (i32, i32) = (80, 20);
/// The least depth at which passing is tried: below, a search of the moves is as cheap.
const PASS_DEPTH: i32 = 3;
/// Passing costs this much depth, a third of the depth itself, and a half-move for each of these margins above the
/// window, up to three.
const PASS_REDUCTION: i32 = 3;
const PASS_MARGIN: i32 = 200;
/// Up to this depth captures that lose by static exchange are left out, if they lose more than this for each half-move.
const LOSING_CAPTURE_DEPTH: i32 = 6;
const LOSING_CAPTURE: i32 = -100;
/// Up to this depth quiet moves that lose by static exchange are left out. What they may lose grows with the square of
/// the depth that is left to them, but for checks with the depth itself; and a little is always allowed.
const LOSING_QUIET_DEPTH: i32 = 8;
const LOSING_QUIET: i32 = -24;
const LOSING_CHECK: i32 = -60;
const LOSING_ANYWAY: i32 = -20;
/// Quiet moves that are tried at least, beside as many as the square of the depth.
const LATE_QUIETS: i32 = 4;
/// With this depth left or less, quiet moves are left out where even a good one would not reach the window: beside a margin
/// one of them may bring so much for each half-move that is left.
const FUTILITY_DEPTH: i32 = 7;
const FUTILITY: (i32, i32) = (85, 90);

/// What is done with a move that is not worth searching.
#[derive(Debug)]
pub(super) enum Skip {
    No,
    This,
    /// Nor is any quiet move after it.
    Quiets,
}

impl Skip {
    fn this_if(skipped: bool) -> Skip {
        if skipped { Skip::This } else { Skip::No }
    }
}

impl Tree<'_> {
    /// Ends a node without looking at its moves, where the outcome is as good as certain. In check it never is.
    pub(super) fn prune(&mut self, here: &Here, node: &Node) -> Option<i32> {
        let evaluation = node.evaluation?;
        let guess = match node.known.filter(|entry| improves(entry, evaluation)) {
            Some(entry) => entry.score,
            None => evaluation,
        };
        // So far above the window that no answer will bring it down.
        let (each, beside) = REVERSE_FUTILITY;
        let margin = each * (node.depth - i32::from(node.improving)) + beside;
        if node.depth <= REVERSE_FUTILITY_DEPTH
            && !is_mate(node.beta)
            && guess < MATE_BOUND
            && guess - margin >= node.beta
        {
            return Some((guess + node.beta) / 2);
        }
        self.try_passing(here, node, guess)
    }

    /// A position so good that even passing keeps it above the window is not searched further. Not twice in a row, and
    /// only with several pieces, because with fewer having to move can be what loses.
    fn try_passing(&mut self, here: &Here, node: &Node, guess: i32) -> Option<i32> {
        let beta = node.beta;
        if node.depth < PASS_DEPTH
            || guess < beta
            || self.frame(here.ply - 1).place == NO_MOVE
            || is_mate(beta)
            || !pieces(&here.position).has_several()
        {
            return None;
        }
        let less = PASS_REDUCTION + node.depth / 3 + ((guess - beta) / PASS_MARGIN).min(3);
        let next = self.pass(here)?;
        let score = -self.search::<false>(&next, -beta, 1 - beta, node.depth - less, !node.cut);
        self.leave();
        if self.stopped {
            return Some(0);
        }
        // A mate after passing is none.
        (score >= beta).then(|| if is_mate(score) { beta } else { score })
    }

    /// Is a move not worth searching, with the best scores there are? Never where a mate has to be prevented, nor with
    /// pawns only, where quiet moves and sacrifices decide.
    pub(super) fn skips<const OPEN: bool>(
        &self,
        here: &Here,
        node: &Node,
        (alpha, best): (i32, i32),
        candidate: &Candidate,
    ) -> Skip {
        let position = &here.position;
        if best <= -MATE_BOUND || pieces(position).is_empty() {
            return Skip::No;
        }
        let Candidate { m, history, .. } = *candidate;
        let depth = node.depth;
        if !candidate.quiet {
            let least = LOSING_CAPTURE * depth - history / 64;
            let skipped = depth <= LOSING_CAPTURE_DEPTH && !brings(position, m, least.min(0));
            return Skip::this_if(skipped);
        }
        let later = (depth - reduction(depth, candidate.number) / HALF_MOVE).max(0);
        if candidate.checks {
            let least = LOSING_CHECK * later + LOSING_ANYWAY;
            return Skip::this_if(depth <= LOSING_QUIET_DEPTH && !brings(position, m, least));
        }
        let most = (LATE_QUIETS + depth * depth) / if node.improving { 1 } else { 2 };
        if !OPEN && candidate.number > most as usize {
            return Skip::Quiets;
        }
        let (each, beside) = FUTILITY;
        if let Some(evaluation) = node.evaluation
            && later <= FUTILITY_DEPTH
            && evaluation + beside + each * later + history / 128 <= alpha
        {
            return Skip::Quiets;
        }
        let least = LOSING_QUIET * later * later + LOSING_ANYWAY;
        Skip::this_if(depth <= LOSING_QUIET_DEPTH && !brings(position, m, least))
    }
}

/// What the side to move has beside pawns and king.
fn pieces(position: &Position) -> Bitboard {
    let board = position.board();
    let others = board.by_role(Role::Pawn) | board.by_role(Role::King);
    board.by_color(position.turn()) - others
}
