//! Looks for exercises in a game that nobody has judged: the player's mistakes, and the tactics that mistakes allow.
//!
//! Three searches, each dearer and stricter than the one before, decide what a mistake is: most moves need only the first.
//! The engine keeps its hash table within a game. There is no input or output here, and a [`Control`] stops it.

mod digest;
mod tactic;

use tabiya_engine::{AlphaBeta, Request, Searcher, Settings};
use tabiya_game::{Node, Record, Step};
use tabiya_play::analysis;
use tabiya_play::study::Study;
use tabiya_rules::{ByColor, Move, MoveHistory};
use tabiya_uci::Bound;

use crate::item::Item;
use crate::own::{self, AS_GOOD, LEAST_LOSS, MAX_OF_GAME, for_side};

pub use digest::game_digest;
pub use tabiya_engine::Control;
pub use tactic::Tactic;

/// The version of these rules. A game that was searched by an earlier one is searched again.
pub const RULES: u32 = 1;

/// The first ply, counted from 1, that can be a mistake. Before it are openings, good and bad.
const FIRST_PLY: usize = 8;

/// The moves after this ply are not searched. No game of people was longer, but a file may be.
const LAST_PLY: usize = 1_000;

/// A search of the positions before and after a move.
struct Pass {
    nodes: u64,
    lines: usize,
    /// The loss of chances from which the move goes on to the next pass.
    least: f64,
    /// The same for the best move by this search itself; `None` if that is no mistake. A short search walks into traps, and
    /// sees so one move later.
    least_of_best: Option<f64>,
}

impl Pass {
    const fn new(nodes: u64, lines: usize, least: f64, least_of_best: Option<f64>) -> Pass {
        Pass {
            nodes,
            lines,
            least,
            least_of_best,
        }
    }
}

const PASSES: [Pass; 3] = [
    Pass::new(10_000, 1, 0.07, Some(0.13)),
    Pass::new(40_000, 1, 0.13, None),
    Pass::new(200_000, 4, LEAST_LOSS, None),
];

/// What was found in a game.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Mined {
    /// The dearest mistakes of the player's sides, the dearest first.
    pub own: Vec<Item>,
    /// What the mistakes of either side allow.
    pub tactics: Vec<Tactic>,
    /// How many moves were looked at.
    pub looked_at: usize,
    /// How many moves were left after each pass.
    pub left: [usize; 3],
}

impl Mined {
    /// All exercises, those of the player first.
    pub fn into_items(self) -> impl Iterator<Item = Item> {
        let tactics = self.tactics.into_iter().map(|tactic| tactic.item);
        self.own.into_iter().chain(tactics)
    }
}

/// The search was stopped before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search was stopped")]
pub struct Stopped;

/// A line that a search has found.
#[derive(Clone, Debug)]
struct Line {
    /// The expected score of the side to move.
    chance: f64,
    moves: Vec<Move>,
}

/// The engine that looks, on one thread.
#[derive(Debug)]
pub struct Miner {
    engine: AlphaBeta,
}

impl Default for Miner {
    fn default() -> Miner {
        // The searches are short: a table that stays in the cache of the CPU takes a tenth less time than one of 16 MiB.
        let settings = Settings::new().with_hash(4);
        Miner {
            engine: AlphaBeta::new(&settings),
        }
    }
}

impl Miner {
    /// Looks for the mistakes of these sides, and for the tactics of both. `from` says where the game is. A judgment that is
    /// stored in the game takes the place of the first two passes.
    ///
    /// # Errors
    /// It was stopped.
    pub fn mine(
        &mut self,
        record: &Record,
        from: &str,
        sides: ByColor<bool>,
        control: &Control,
    ) -> Result<Mined, Stopped> {
        self.engine.new_game();
        let nodes: Vec<Node<'_>> = std::iter::once(record.root())
            .chain(record.main_line().take(LAST_PLY))
            .collect();
        let mut mined = Mined::default();
        // What is judged is an exercise already, and gets more moves that are accepted.
        let mut known = None;
        let (mut plies, passed) = match judged(record) {
            Some(plies) => {
                known = Some(own::mistakes(record, from, sides));
                (plies, 2)
            }
            None => ((FIRST_PLY..nodes.len()).collect(), 0),
        };
        plies.retain(|&ply| ply < nodes.len());
        mined.looked_at = plies.len();
        let mut found: Vec<Option<Vec<Line>>> = Vec::new();
        let mut losses: Vec<(usize, f64)> = Vec::new();
        for (pass, left) in PASSES.iter().zip(&mut mined.left).skip(passed) {
            found = vec![None; nodes.len()];
            losses.clear();
            for &ply in &plies {
                if let Some(loss) = self.loss(&nodes, ply, pass, &mut found, control)? {
                    losses.push((ply, loss));
                }
            }
            plies = losses.iter().map(|&(ply, _)| ply).collect();
            *left = plies.len();
        }
        let line = |at: usize| found.get(at).and_then(Option::as_deref).unwrap_or_default();
        losses.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let own = losses.iter().filter_map(|&(ply, _)| {
            let before = nodes[ply - 1].position();
            let lines = Some(line(ply - 1)).filter(|_| sides[before.turn()])?;
            let best = lines.first()?;
            let as_good = |line: &&Line| best.chance - line.chance <= AS_GOOD;
            let also = lines.iter().skip(1).filter(as_good);
            let also = also.filter_map(|line| line.moves.first().copied());
            own::exercise(
                record,
                nodes[ply],
                from,
                &best.moves,
                also.collect(),
                best.chance,
            )
        });
        let is_wanted = |item: &Item| {
            let is_same = |other: &Item| other.id == item.id;
            known.as_ref().is_none_or(|known| known.iter().any(is_same))
        };
        mined.own = own.filter(is_wanted).take(MAX_OF_GAME).collect();
        for &ply in &plies {
            let lines = line(ply);
            if let Some(mut tactic) = Tactic::after(record, nodes[ply], from, lines, sides)
                && !mined.own.iter().any(|own| own.id == tactic.item.id)
            {
                tactic.solve(self.extend(nodes[ply].history(), &tactic.item, control)?);
                mined.tactics.push(tactic);
            }
        }
        Ok(mined)
    }

    /// What the move of a ply loses in a pass, if that is enough.
    fn loss(
        &mut self,
        nodes: &[Node<'_>],
        ply: usize,
        pass: &Pass,
        found: &mut [Option<Vec<Line>>],
        control: &Control,
    ) -> Result<Option<f64>, Stopped> {
        let Some(played) = nodes[ply].step().and_then(Step::played) else {
            return Ok(None);
        };
        let (mut chances, mut least) = ([0.0; 2], pass.least);
        for (at, chance) in (ply - 1..).zip(&mut chances) {
            if found[at].is_none() {
                let lines = self.look(&nodes[at].history(), pass.nodes, pass.lines, control)?;
                found[at] = Some(lines);
            }
            let Some(best) = found[at].as_ref().and_then(|lines| lines.first()) else {
                return Ok(None);
            };
            if at < ply && best.moves.first() == Some(&played) {
                match pass.least_of_best {
                    Some(least_of_best) => least = least_of_best,
                    None => return Ok(None),
                }
            }
            *chance = best.chance;
        }
        let loss = chances[0] - (1.0 - chances[1]);
        Ok((loss >= least).then_some(loss))
    }

    /// Searches a position, and returns its best lines; one without moves if the game is over.
    fn look(
        &mut self,
        game: &MoveHistory,
        nodes: u64,
        lines: usize,
        control: &Control,
    ) -> Result<Vec<Line>, Stopped> {
        let position = *game.current();
        if !position.has_legal_move() {
            let chance = analysis::chance(&position, None);
            let chance = chance.map(|chance| for_side(chance, position.turn()));
            return Ok(chance.into_iter().map(Line::over).collect());
        }
        let request = Request::new(game.clone())
            .with_nodes(nodes)
            .with_multi_pv(lines);
        let mut found: Vec<Line> = Vec::new();
        self.engine.search(&request, control, &mut |report| {
            let rank = report.multi_pv as usize;
            let score = report.score.for_white(position.turn());
            let chance = analysis::chance(&position, Some(score));
            if let Some(chance) = chance.filter(|_| report.bound == Bound::Exact) {
                found.truncate(rank - 1);
                found.push(Line {
                    chance: for_side(chance, position.turn()),
                    moves: report.pv,
                });
            }
        });
        match control.should_stop() {
            true => Err(Stopped),
            false => Ok(found),
        }
    }
}

impl Line {
    /// That of a game that is over.
    fn over(chance: f64) -> Line {
        let moves = Vec::new();
        Line { chance, moves }
    }
}

/// The plies of the moves that lose enough to be searched by the last pass, if the whole game is judged.
fn judged(record: &Record) -> Option<Vec<usize>> {
    let study = Study::stored_in(record)?;
    let moves = study.analysis()?.moves();
    let loses = |loss: Option<f64>| loss.is_some_and(|loss| loss >= PASSES[1].least);
    let plies = (1..).zip(moves).skip(FIRST_PLY - 1);
    let plies = plies.filter(|(_, judged)| loses(judged.loss));
    Some(plies.map(|(ply, _)| ply).collect())
}
