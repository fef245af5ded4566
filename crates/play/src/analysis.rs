//! An engine's analysis of a whole game, as a value: evaluations, better lines, marks and accuracy.
//!
//! Everything is measured in winning chances: the cost of a move is the share of its own chances that a side gives
//! away. A pawn is worth a lot in an even game and nothing in a won one.

pub mod accuracy;
mod analyzer;
pub mod explanation;
mod judging;

use std::time::Duration;

use tabiya_game::{Comment, Evaluation, Glyph, Node, NodeId, Record, Step};
use tabiya_rules::{Color, Move, Position, Score};
use tabiya_uci::{SearchInfo, expected_score};

pub use analyzer::{GameAnalyzer, analyse, decides, look, search};
pub use judging::{Judging, NODES, Wanted};

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

/// The loss of chances from which any mate that is missed is marked `?!`: the game is not won any more as surely.
const THROWN_AWAY: f64 = 0.05;

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
    /// What to say about a move that has a mark: why it was worse, and what was better. `position` is the one before it.
    #[must_use]
    pub fn comment(&self, position: &Position) -> Option<String> {
        self.mark?;
        explanation::of(position, self).map(|why| why.to_string())
    }

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

    /// The verdict with no more plies of its line than this.
    pub(crate) fn with_line_of(mut self, plies: usize) -> Verdict {
        self.best.truncate(plies);
        self
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

/// A move between two verdicts, with its cost and its mark.
fn judged<'a>(
    by: Color,
    played: Option<Move>,
    before: &'a Verdict,
    after: &'a Verdict,
) -> Judged<'a> {
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
    // Elsewhere a win is a win, but a mate that could be seen, or that gives way to less than a win, is a pity.
    let missed = judged.missed_mate();
    let missed = missed.filter(|&moves| moves <= VISIBLE_MATE || loss >= Some(THROWN_AWAY));
    judged.mark = judged.mark.or(missed.map(|_| Glyph::DUBIOUS));
    judged
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

    /// Adds the verdict on a node of the main line, or replaces it.
    pub(crate) fn set(&mut self, at: usize, node: Node<'_>, found: Verdict) {
        match self.verdicts.get_mut(at) {
            Some(known) => *known = found,
            None => self.push_node(node, found),
        }
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
        moves.map(|(&(by, played), (before, after))| judged(by, played, before, after))
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

    /// Writes evaluations, marks, better lines, sentences and the accuracy into the game, which is then read as a judged
    /// one. Existing marks and comments stay.
    pub fn annotate(&self, record: &mut Record) {
        let mut place = record.root().id();
        self.evaluate(record, place, 0);
        for (judged, ply) in self.moves().zip(1..) {
            let Some(before) = record.node(place) else {
                return;
            };
            let Some(next) = before.next() else { return };
            // The record may have changed since the analysis.
            if judged.played != next.step().and_then(Step::played) {
                return;
            }
            let marked = judged
                .mark
                .map(|mark| (mark, judged.comment(before.position())));
            let next = next.id();
            self.evaluate(record, next, ply);
            if let Some((mark, comment)) = marked
                && let Some(annotation) = record.annotation_mut(next)
            {
                let mut glyphs = annotation.glyphs.iter();
                if !glyphs.any(|glyph| glyph.is_move_assessment()) {
                    annotation.glyphs.push(mark);
                }
                if annotation.comments.is_empty() {
                    let comment = comment.and_then(|text| Comment::new(&text));
                    annotation.comments.extend(comment);
                }
                add_line(record, place, &judged.before.best);
            }
            place = next;
        }
        for color in Color::ALL {
            if let Some(share) = self.accuracy(color) {
                // A tag of this name can be written.
                let _ = record
                    .tags_mut()
                    .set(&accuracy_tag(color), &format!("{share:.0}"));
            }
        }
    }

    /// Writes the verdict on a position.
    fn evaluate(&self, record: &mut Record, node: NodeId, at: usize) {
        if let Some(found) = self.after(at) {
            record.evaluate(node, found.evaluation, &found.best);
        }
    }
}

/// The tag for a side's accuracy.
pub(crate) fn accuracy_tag(color: Color) -> String {
    format!("{color}Accuracy")
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
