//! A tactic: the one move that makes the most of a mistake, and those that follow from it.

use tabiya_engine::Control;
use tabiya_game::{Node, Record};
use tabiya_rules::{ByColor, Move, MoveHistory, Position};

use super::{Line, Miner, Stopped};
use crate::item::{Item, ItemKind};
use crate::own::{is_plain, rounded, tag};
use crate::puzzle::Puzzle;

/// The least expected score of the move to find.
const LEAST_CHANCE: f64 = 0.60;

/// How much better than any other the first move has to be, and each later one.
const GAPS: (f64, f64) = (0.20, 0.15);

/// The most moves of the side that solves it.
const MAX_MOVES: usize = 6;

/// The nodes for a reply, and for the next move to find.
const NODES: (u64, u64) = (40_000, 100_000);

/// A tactic, with the mistake that allows it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Tactic {
    /// The exercise. Its line is the whole solution.
    pub item: Item,
    /// The same with the position before the mistake.
    pub puzzle: Puzzle,
}

impl Tactic {
    /// The tactic after a mistake, given the best lines there; `None` if there is none. Its line is yet to be found.
    pub(super) fn after(
        record: &Record,
        node: Node<'_>,
        from: &str,
        lines: &[Line],
        sides: ByColor<bool>,
    ) -> Option<Tactic> {
        let [best, second, ..] = lines else {
            return None;
        };
        let is_one = best.chance >= LEAST_CHANCE && best.chance - second.chance >= GAPS.0;
        let position = *node.position();
        let solver = position.turn();
        let mut item = Item::new(ItemKind::Tactic, position, *best.moves.first()?);
        item.w = Some(rounded(best.chance));
        item.from = Some(from.to_owned());
        item.ply = Some(node.ply() + 1);
        item.vs = tag(record, (!solver).name()).filter(|_| sides[solver]);
        item.date = tag(record, "Date");
        let (before, last) = (*node.parent()?.position(), node.step()?.played()?);
        item.last = Some(before.uci(last));
        let puzzle = Puzzle {
            before,
            last,
            position,
            solution: Vec::new(),
        };
        (is_one && is_plain(&position)).then_some(Tactic { item, puzzle })
    }

    /// Completes it with its solution.
    pub(super) fn solve(&mut self, solution: Vec<Move>) {
        self.item.line.clone_from(&solution);
        self.puzzle.solution = solution;
        self.item.themes = self.puzzle.themes();
    }
}

impl Miner {
    /// The solution of a tactic, as long as one move is clearly the best. It ends with such a move, or with mate; moves
    /// without a choice are in between.
    pub(super) fn extend(
        &mut self,
        mut game: MoveHistory,
        item: &Item,
        control: &Control,
    ) -> Result<Vec<Move>, Stopped> {
        let mut line = item.best.clone();
        let mut length = line.len();
        for &first in &line {
            // The search has just found it.
            let _ = game.push(first);
        }
        for _ in 1..MAX_MOVES {
            let replies = self.look(&game, NODES.0, 1, control)?;
            let reply = replies.first().and_then(|reply| reply.moves.first());
            let Some(&reply) = reply.filter(|&&reply| game.push(reply).is_ok()) else {
                break;
            };
            line.push(reply);
            let moves = game.current().legal_moves();
            let next = match &moves[..] {
                [] => break,
                [only] => *only,
                _ => {
                    let lines = self.look(&game, NODES.1, 2, control)?;
                    let [best, second, ..] = &lines[..] else {
                        break;
                    };
                    let Some(&next) = best.moves.first() else {
                        break;
                    };
                    let mates = is_mate(game.current(), next);
                    if best.chance - second.chance < GAPS.1 && !mates {
                        break;
                    }
                    length = line.len() + 1;
                    next
                }
            };
            line.push(next);
            if is_mate(game.current(), next) {
                length = line.len();
                break;
            }
            if game.push(next).is_err() {
                break;
            }
        }
        line.truncate(length);
        Ok(line)
    }
}

/// Whether a move mates.
fn is_mate(position: &Position, played: Move) -> bool {
    let after = position.play(played);
    after.is_ok_and(|after| after.is_check() && !after.has_legal_move())
}
