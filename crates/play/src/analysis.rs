//! An engine's analysis of a whole game, as a value: evaluations, better lines, marks and accuracy.
//!
//! Everything is measured in winning chances: the cost of a move is the share of its own chances that a side gives
//! away. A pawn is worth a lot in an even game and nothing in a won one.

pub mod accuracy;
mod analyzer;

use std::time::Duration;

use tabiya_game::{Evaluation, Glyph, Node, NodeId, Record, Step};
use tabiya_rules::{Color, Move, Position, Score};
use tabiya_uci::{SearchInfo, expected_score};

pub use analyzer::{GameAnalyzer, analyse, decides, look};

/// How many plies of a better line are added to the game.
const MAX_LINE_LENGTH: usize = 8;

/// The loss of chances that earns a move `?!`, `?` or `??`. In an even middlegame these are about 0.55, 1.1 and 1.7 pawns,
/// where players know these marks from Lichess.
const MARKS: [(f64, Glyph); 3] = [
    (0.25, Glyph::BLUNDER),
    (0.17, Glyph::MISTAKE),
    (0.09, Glyph::DUBIOUS),
];

/// A mate in up to this many moves is marked `?!` if it is missed, even if the game stays won. It is what a line of
/// [`MAX_LINE_LENGTH`] plies shows.
const VISIBLE_MATE: u32 = 4;

/// How long an engine thinks about each position if no time is given.
pub const PER_MOVE: Duration = Duration::from_millis(200);

/// An engine's verdict on a position. By default, nothing is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// The value for White; `None` if the game is over or nothing is known.
    pub evaluation: Option<Evaluation>,
    /// White's expected score, from 0 to 1; `None` if the engine gave no score.
    pub chance: Option<f64>,
    /// The best line.
    pub best: Vec<Move>,
}

/// A move of the game and its cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged<'a> {
    /// The side that made the move.
    pub by: Color,
    /// The move; `None` for a null move.
    pub played: Option<Move>,
    /// The share of its chances that the side gave away, from 0 to 1; `None` if unknown.
    pub loss: Option<f64>,
    /// The mark it deserves, if any.
    pub mark: Option<Glyph>,
    /// The verdict on the position before the move.
    pub before: &'a Verdict,
    /// The verdict on the position after it.
    pub after: &'a Verdict,
}

impl Judged<'_> {
    /// The number of moves in which the side could have mated; `None` if it could not, or has mated or still can.
    #[must_use]
    pub fn missed_mate(&self) -> Option<u32> {
        let score = |verdict: &Verdict| Some(verdict.evaluation?.score.for_side(self.by));
        let is_best = self.played.is_some() && self.before.best.first() == self.played.as_ref();
        let mates = match score(self.after) {
            Some(score) => matches!(score, Score::MateIn(_)),
            // The game is over, or nothing is known.
            None => self.after.chance != Some(0.5),
        };
        match score(self.before)? {
            Score::MateIn(moves) => (!is_best && !mates).then_some(moves),
            Score::Centipawns(_) | Score::MatedIn(_) => None,
        }
    }
}

/// An engine's analysis of a game: the start, and each move of the main line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameAnalysis {
    /// The verdicts on the start and on the position after each move.
    verdicts: Vec<Verdict>,
    moves: Vec<(Color, Option<Move>)>,
}

impl Verdict {
    /// The verdict of a finished search: its last report with an exact score, if there was one. A position where the
    /// game is over needs no report.
    pub fn of_search(position: &Position, last: Option<&SearchInfo>) -> Verdict {
        let chance = chance_at_end(position);
        let found = last.filter(|_| chance.is_none()).and_then(|info| {
            let (score, depth) = (info.exact_score()?, info.info.depth);
            Some(Verdict::found(score, position, depth, info.pv.clone()))
        });
        found.unwrap_or(Verdict {
            chance,
            ..Verdict::default()
        })
    }

    /// The verdict on a position that is written in the annotations of a game.
    pub fn written(evaluation: Evaluation, position: &Position, best: Vec<Move>) -> Verdict {
        Verdict {
            evaluation: Some(evaluation),
            chance: Some(expected_score(evaluation.score, position)),
            best,
        }
    }

    /// The verdict of a search of a position, given its score for the side to move.
    pub fn found(
        score: Score,
        position: &Position,
        depth: Option<u32>,
        best: Vec<Move>,
    ) -> Verdict {
        let score = score.for_white(position.turn());
        Verdict::written(Evaluation { score, depth }, position, best)
    }
}

/// The mean of the known chances; `None` if none is known.
pub fn mean(chances: &[Option<f64>]) -> Option<f64> {
    let known: Vec<f64> = chances.iter().flatten().copied().collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
}

/// White's expected score in a position: by the result if the game is over there, otherwise by a score for White.
pub fn chance(position: &Position, score: Option<Score>) -> Option<f64> {
    chance_at_end(position).or_else(|| Some(expected_score(score?, position)))
}

/// White's score in a position where the game is over; `None` if there is a legal move.
fn chance_at_end(position: &Position) -> Option<f64> {
    if position.has_legal_move() {
        return None;
    }
    Some(match (position.is_check(), position.turn()) {
        (true, Color::Black) => 1.0,
        (true, Color::White) => 0.0,
        (false, _) => 0.5,
    })
}

/// The share of its chances that a side gave away between two positions, from 0 to 1; `None` if either is unknown.
pub fn loss(by: Color, before: &Verdict, after: &Verdict) -> Option<f64> {
    let (before, after) = (before.chance?, after.chance?);
    let given = match by {
        Color::White => before - after,
        Color::Black => after - before,
    };
    Some(given.clamp(0.0, 1.0))
}

impl GameAnalysis {
    /// Creates an analysis that knows only the start.
    pub fn new(start: Verdict) -> GameAnalysis {
        GameAnalysis {
            verdicts: vec![start],
            moves: Vec::new(),
        }
    }

    /// Adds the next move of the main line.
    pub fn push(&mut self, by: Color, played: Option<Move>, after: Verdict) {
        self.moves.push((by, played));
        self.verdicts.push(after);
    }

    /// Adds the next node of the main line, with the move that leads to it unless it is the start.
    pub(crate) fn push_node(&mut self, node: Node<'_>, found: Verdict) {
        if let Some(before) = node.parent() {
            let played = node.step().and_then(Step::played);
            self.moves.push((before.position().turn(), played));
        }
        self.verdicts.push(found);
    }

    /// The verdict on the position after this many plies.
    pub fn after(&self, plies: usize) -> Option<&Verdict> {
        self.verdicts.get(plies)
    }

    /// The plies that turned the game, counted from 1: mistakes and blunders.
    pub fn turning_points(&self) -> Vec<usize> {
        self.marked(|mark| matches!(mark, Glyph::MISTAKE | Glyph::BLUNDER))
    }

    /// The plies of the moves with such a mark, counted from 1.
    pub(crate) fn marked(&self, such: impl Fn(Glyph) -> bool) -> Vec<usize> {
        let moves = self.moves().zip(1..);
        let marked = moves.filter(|(judged, _)| judged.mark.is_some_and(&such));
        marked.map(|(_, ply)| ply).collect()
    }

    /// White's chances at the start and after each move, where known.
    pub fn chances(&self) -> impl Iterator<Item = Option<f64>> + '_ {
        self.verdicts.iter().map(|verdict| verdict.chance)
    }

    /// The moves and the cost of each.
    pub fn moves(&self) -> impl Iterator<Item = Judged<'_>> {
        let verdicts = self.verdicts.iter().zip(self.verdicts.iter().skip(1));
        let moves = self.moves.iter().zip(verdicts);
        moves.map(|(&(by, played), (before, after))| {
            // The best move costs nothing, even if the search after it disagrees.
            let best = played.is_some() && before.best.first() == played.as_ref();
            let loss = match best {
                true => Some(0.0),
                false => loss(by, before, after),
            };
            let mark = loss.and_then(|loss| MARKS.iter().find(|(least, _)| loss >= *least));
            let mut judged = Judged {
                by,
                played,
                loss,
                mark: mark.map(|(_, glyph)| *glyph),
                before,
                after,
            };
            // Elsewhere a win is a win, but a mate that could be seen is a pity.
            let missed = judged.missed_mate().filter(|&moves| moves <= VISIBLE_MATE);
            judged.mark = judged.mark.or(missed.map(|_| Glyph::DUBIOUS));
            judged
        })
    }

    /// How well a side played, from 0 to 100; see [`accuracy`]. `None` if no move of the side was judged.
    pub fn accuracy(&self, color: Color) -> Option<f64> {
        accuracy::of_side(self, color)
    }

    /// Counts the moves of a side that have this mark.
    pub fn count(&self, color: Color, mark: Glyph) -> usize {
        let marked = |judged: &Judged<'_>| judged.by == color && judged.mark == Some(mark);
        self.moves().filter(marked).count()
    }

    /// Writes evaluations, marks and better lines into the game. Existing marks stay.
    pub fn annotate(&self, record: &mut Record) {
        let mut place = record.root().id();
        for judged in self.moves() {
            let Some(next) = record.node(place).and_then(Node::next) else {
                return;
            };
            // The record may have changed since the analysis.
            if judged.played != next.step().and_then(Step::played) {
                return;
            }
            let next = next.id();
            if let Some(annotation) = record.annotation_mut(next) {
                annotation.evaluation = judged.after.evaluation;
                let assessed = annotation
                    .glyphs
                    .iter()
                    .any(|glyph| glyph.is_move_assessment());
                annotation.glyphs.extend(judged.mark.filter(|_| !assessed));
            }
            if judged.mark.is_some() {
                add_line(record, place, &judged.before.best);
            }
            place = next;
        }
    }
}

/// Adds a line as a variation, reusing moves that are already there.
fn add_line(record: &mut Record, from: NodeId, line: &[Move]) {
    let mut place = from;
    for &m in line.iter().take(MAX_LINE_LENGTH) {
        let mut children = record.node(place).into_iter().flat_map(Node::children);
        let known = children.find(|child| child.step() == Some(Step::Move(m)));
        let known = known.map(Node::id);
        // The number of moves in a game is limited.
        let Some(next) = known.or_else(|| record.add(place, m).ok()) else {
            return;
        };
        place = next;
    }
}

#[cfg(test)]
mod tests;
