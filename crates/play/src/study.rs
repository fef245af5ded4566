//! A game that an engine judges: its marks, its accuracy, its turning points, and another try at each mistake.
//!
//! All fronts share it. The engine thinks elsewhere and reports one position after another; [`analysis`] works out what
//! that means for the moves.

mod worker;

use tabiya_game::{Command, Comment, Event, Glyph, Node, NodeId, Record, Session, Step, Timestamp};
use tabiya_rules::{Color, Move, MoveHistory, Position};

use crate::analysis::explanation::{self, Explanation, LineKind};
use crate::analysis::{self, GameAnalysis, Judged, Verdict, accuracy_tag};
use crate::players::PlayerSpec;
use crate::variations;

pub use crate::analysis::NODES;
pub use worker::{StudyReport, StudyWorker};

/// A move that loses no more than this is as good as the best one.
const NEARLY: f64 = 0.05;

/// Positions for an engine to judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyTask {
    /// The number of the task, greater than all earlier ones.
    pub number: u64,
    /// The engine that judges them.
    pub engine: PlayerSpec,
    /// The positions, each with the game that led to it.
    pub positions: Vec<MoveHistory>,
}

/// A game that is being judged, or has been.
#[derive(Clone, Debug)]
pub struct Study {
    number: u64,
    /// The main line, from the start on.
    nodes: Vec<NodeId>,
    /// What is known so far, from the start on.
    analysis: GameAnalysis,
    /// Whether all positions are judged.
    pub done: bool,
    /// The ply of the mistake being retried.
    retry: Option<usize>,
    /// The move that the engine is judging in place of the mistake, and the number of that task.
    trying: Option<(u64, Move)>,
    /// The plies of the mistakes for which a better move was found.
    improved: Vec<usize>,
}

/// A mistake that can be retried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    ply: usize,
    /// The position in which the user is to find a better move.
    pub before: NodeId,
    /// The side that made it.
    pub by: Color,
    /// The move in SAN.
    pub san: String,
}

/// The verdict on a move tried in place of a mistake.
#[derive(Clone, Debug, PartialEq)]
pub enum Attempt {
    /// The best move.
    Best,
    /// As good as the best.
    Good(String),
    /// The mistake itself.
    Same,
    /// It gives away this share of the chances.
    Worse(String, f64),
    /// The engine gave no score for it.
    Unknown(String),
    /// The engine has to judge it first.
    Asked(String),
}

impl Attempt {
    /// Whether the move may be played.
    #[must_use]
    pub fn is_good(&self) -> bool {
        match self {
            Attempt::Best | Attempt::Good(_) => true,
            Attempt::Same | Attempt::Worse(..) | Attempt::Unknown(_) | Attempt::Asked(_) => false,
        }
    }
}

impl Study {
    /// Creates a study of the main line, and the task for the engine; `None` if there are no moves.
    pub fn of(record: &Record, number: u64, engine: PlayerSpec) -> Option<(Study, StudyTask)> {
        let study = Study::unjudged(record, number)?;
        let task = StudyTask {
            number,
            engine,
            positions: main_line(record).map(Node::history).collect(),
        };
        Some((study, task))
    }

    /// A study in which nothing is judged yet; `None` if there are no moves.
    fn unjudged(record: &Record, number: u64) -> Option<Study> {
        let nodes: Vec<NodeId> = main_line(record).map(Node::id).collect();
        (nodes.len() > 1).then_some(Study {
            number,
            nodes,
            analysis: GameAnalysis::default(),
            done: false,
            retry: None,
            trying: None,
            improved: Vec::new(),
        })
    }

    /// Restores the study saved with a game: every position of its main line has the judgment that
    /// [`Study::evaluation`] wrote. Returns `None` if one is missing.
    #[must_use]
    pub fn stored_in(record: &Record) -> Option<Study> {
        let verdict = |node: Node<'_>| {
            let evaluation = node.annotation().evaluation;
            let position = node.position();
            match evaluation {
                Some(found) => Some(Verdict::written(found, position, node.best_line())),
                None => (!position.has_legal_move()).then(|| Verdict::of_search(position, None)),
            }
        };
        let mut analysis = GameAnalysis::default();
        for node in main_line(record) {
            analysis.push_node(node, verdict(node)?);
        }
        Some(Study {
            analysis,
            done: true,
            ..Study::unjudged(record, 0)?
        })
    }

    /// Whether the whole main line, as it is now, is judged.
    #[must_use]
    pub fn is_complete(&self, record: &Record) -> bool {
        let (known, all) = self.progress();
        let line = main_line(record).map(Node::id);
        self.done && known == all && line.eq(self.nodes.iter().copied())
    }

    /// Whether an answer of this number is about the whole game.
    pub fn is_about(&self, number: u64) -> bool {
        self.number == number
    }

    /// How many positions are judged, out of how many.
    pub fn progress(&self) -> (usize, usize) {
        (self.analysis.chances().count(), self.nodes.len())
    }

    /// What is known so far; `None` before the first position is judged.
    pub fn analysis(&self) -> Option<&GameAnalysis> {
        self.analysis.after(0).map(|_| &self.analysis)
    }

    /// The ply of a node of the main line, and the verdict on it.
    pub fn at(&self, node: NodeId) -> Option<(usize, &Verdict)> {
        let ply = self.nodes.iter().position(|&known| known == node)?;
        Some((ply, self.analysis.after(ply)?))
    }

    /// The plies to try again: the turning points, or all marked moves if there are none.
    fn mistakes(&self) -> Vec<usize> {
        match self.turning_points() {
            turns if turns.is_empty() => self.analysis.marked(|_| true),
            turns => turns,
        }
    }

    /// The plies of the turning points.
    pub fn turning_points(&self) -> Vec<usize> {
        self.analysis.turning_points()
    }

    /// Adds the verdict on the next position, or replaces an earlier one whose line has been prolonged. Returns what to
    /// write to the move that led to it.
    pub fn judge(&mut self, record: &Record, at: usize, found: Verdict) -> Vec<Command> {
        let known = self.progress().0;
        // If the move was deleted meanwhile, nothing after it can be judged.
        let node = self.nodes.get(at).and_then(|&id| record.node(id));
        let Some(node) = node.filter(|_| at <= known) else {
            return Vec::new();
        };
        let said = self.comment(record, at).map(|(_, _, said)| said);
        self.analysis.set(at, node, found);
        match at < known {
            true => self.says_now(record, at, said.flatten().as_deref()),
            false => self.marks(record, at).unwrap_or_default(),
        }
    }

    /// Replaces the comment on a move if its line says something else now.
    fn says_now(&self, record: &Record, ply: usize, said: Option<&str>) -> Vec<Command> {
        let changed = self.comment(record, ply).and_then(|(id, _, says)| {
            let comments = &record.node(id)?.annotation().comments;
            let text = says.filter(|_| comments.first().map(Comment::as_str) == said)?;
            let node = Some(id);
            (Some(text.as_str()) != said).then_some(Command::Comment { node, text })
        });
        changed.into_iter().collect()
    }

    /// What the game has to store about a position, so that [`Study::stored_in`] can restore it.
    #[must_use]
    pub fn evaluation(&self, at: usize) -> Option<Command> {
        let found = self.analysis.after(at)?;
        Some(Command::Evaluate {
            node: Some(*self.nodes.get(at)?),
            evaluation: found.evaluation,
            best: found.best.clone(),
        })
    }

    /// Marks a move that was worse than it had to be, and says what was better. Existing comments stay.
    fn marks(&self, record: &Record, ply: usize) -> Option<Vec<Command>> {
        let (id, mark, comment) = self.comment(record, ply)?;
        let annotation = record.node(id)?.annotation();
        let mut assessments = annotation.glyphs.iter();
        let marked = assessments.any(|glyph| glyph.is_move_assessment());
        let has_comment = !annotation.comments.is_empty();
        let node = Some(id);
        let glyph = (!marked).then_some(Command::Glyph {
            node,
            glyph: Some(mark),
        });
        let comment = comment
            .filter(|_| !has_comment)
            .map(|text| Command::Comment { node, text });
        Some(glyph.into_iter().chain(comment).collect())
    }

    /// The mark of a move, if it has one, with the explanation.
    pub fn judged(
        &self,
        record: &Record,
        ply: usize,
    ) -> Option<(NodeId, Glyph, Option<Explanation>)> {
        let (id, position, judged) = self.at_ply(record, ply)?;
        Some((id, judged.mark?, explanation::of(position, &judged)))
    }

    /// The mark of a move, if it has one, with the comment on it.
    fn comment(&self, record: &Record, ply: usize) -> Option<(NodeId, Glyph, Option<String>)> {
        let (id, position, judged) = self.at_ply(record, ply)?;
        Some((id, judged.mark?, judged.comment(position)))
    }

    /// A judged move with its node, and the position before it.
    fn at_ply<'a>(
        &'a self,
        record: &'a Record,
        ply: usize,
    ) -> Option<(NodeId, &'a Position, Judged<'a>)> {
        let judged = self.analysis.moves().nth(ply.checked_sub(1)?)?;
        let id = *self.nodes.get(ply)?;
        Some((id, record.node(id)?.parent()?.position(), judged))
    }

    /// A line about the mistake that is retried, that led to a node of the main line, or in whose place a variation is. It
    /// comes with the node from which it begins. `None` if there is no such line, or if the best one was played.
    pub(crate) fn line(
        &self,
        record: &Record,
        here: Node<'_>,
        which: LineKind,
    ) -> Option<(NodeId, Vec<Move>)> {
        let looked_at = variations::branch(here).unwrap_or(here).ply() as usize;
        let ply = self.retry.unwrap_or(looked_at);
        let before = ply.checked_sub(1)?;
        let from = match which {
            LineKind::Best => before,
            LineKind::Refutation => ply,
        };
        let line = &self.analysis.after(from)?.best;
        let played = record.node(*self.nodes.get(ply)?)?.step();
        let is_played = played == line.first().copied().map(Step::Move);
        let is_none = line.is_empty() || which == LineKind::Best && is_played;
        (!is_none).then_some((*self.nodes.get(from)?, line.clone()))
    }

    /// The next mistake from a node, starting over at the end. It is the one on the board or just ahead, unless that
    /// one is being retried. Those that were improved on are left out. If a player is given, that player's mistakes
    /// come first.
    pub fn next_mistake(
        &self,
        record: &Record,
        here: Node<'_>,
        player: Option<Color>,
    ) -> Option<Mistake> {
        let from = match (self.retry, variations::branch(here)) {
            (Some(ply), _) => ply + 1,
            (None, Some(branch)) => branch.ply() as usize + 1,
            (None, None) => here.ply() as usize,
        };
        let mut plies = self.mistakes();
        plies.retain(|ply| !self.improved.contains(ply));
        let is_own = |ply: usize| {
            let by = || Some(self.mistake_at(record, ply)?.by);
            player.is_none_or(|player| by() == Some(player))
        };
        let (own, others): (Vec<usize>, Vec<usize>) =
            plies.into_iter().partition(|&ply| is_own(ply));
        let tries_others = self.retry.is_some_and(|ply| !is_own(ply));
        let (this_side, other_side) = match tries_others || own.is_empty() {
            true => (others, own),
            false => (own, others),
        };
        let next = this_side.iter().find(|&&ply| ply >= from);
        // After the last mistake of one side come those of the other.
        let wrapped = match self.retry {
            Some(_) => other_side.first().or(this_side.first()),
            None => this_side.first(),
        };
        self.mistake_at(record, *next.or(wrapped)?)
    }

    /// The mistake at a ply of the main line.
    fn mistake_at(&self, record: &Record, ply: usize) -> Option<Mistake> {
        let mistake = record.node(*self.nodes.get(ply)?)?;
        let (before, san) = (mistake.parent()?, mistake.san()?);
        Some(Mistake {
            ply,
            before: before.id(),
            by: before.position().turn(),
            san: san.to_string(),
        })
    }

    /// Forgets for which mistakes a better move was found, so that they can be tried again. Returns whether there were any.
    pub(crate) fn forget_improved(&mut self) -> bool {
        !std::mem::take(&mut self.improved).is_empty()
    }

    /// Begins to retry a mistake.
    pub fn try_again(&mut self, mistake: &Mistake) {
        self.retry = Some(mistake.ply);
        self.trying = None;
    }

    /// Ends the retry. Returns the move that was to be improved.
    pub fn give_up(&mut self) -> Option<NodeId> {
        self.trying = None;
        self.nodes.get(self.retry.take()?).copied()
    }

    /// Tries a move in place of the mistake. If the engine has to judge it, returns the task too, under this number.
    pub fn try_move(
        &mut self,
        record: &Record,
        tried: Move,
        number: u64,
    ) -> Option<(Attempt, Option<StudyTask>)> {
        let ply = self.retry?;
        let mistake = record.node(*self.nodes.get(ply)?)?;
        let before = mistake.parent()?;
        let known = self.analysis.after(ply.checked_sub(1)?)?;
        if known.best.first() == Some(&tried) {
            self.improve(ply);
            return Some((Attempt::Best, None));
        }
        if mistake.step() == Some(Step::Move(tried)) {
            return Some((Attempt::Same, None));
        }
        let mut played = before.history();
        // The move was read in this position, so it is legal.
        let pushed = played.push(tried);
        debug_assert!(pushed.is_ok());
        self.trying = Some((number, tried));
        let task = StudyTask {
            number,
            engine: PlayerSpec::Bot(None),
            positions: vec![played],
        };
        let san = before.position().san(tried).to_string();
        Some((Attempt::Asked(san), Some(task)))
    }

    /// The move that an answer of this number is about.
    pub fn asked_about(&self, number: u64) -> Option<Move> {
        let (task, tried) = self.trying?;
        (task == number).then_some(tried)
    }

    /// The verdict on the tried move, now that the engine has judged it. A good one improves on the mistake.
    pub fn judge_try(
        &mut self,
        position: &Position,
        tried: Move,
        found: &Verdict,
    ) -> Option<Attempt> {
        let ply = self.retry?;
        let before = self.analysis.after(ply.checked_sub(1)?)?;
        let lost = analysis::loss(position.turn(), before, found);
        let san = position.san(tried).to_string();
        let judged = match lost {
            Some(lost) if lost <= NEARLY => Attempt::Good(san),
            Some(lost) => Attempt::Worse(san, lost),
            None => Attempt::Unknown(san),
        };
        self.trying = None;
        if judged.is_good() {
            self.improve(ply);
        }
        Some(judged)
    }

    /// Ends the retry with a better move.
    fn improve(&mut self, ply: usize) {
        self.retry = None;
        self.trying = None;
        self.improved.push(ply);
    }
}

/// The nodes of the main line, from the start on.
fn main_line(record: &Record) -> impl Iterator<Item = Node<'_>> {
    std::iter::once(record.root()).chain(record.main_line())
}

/// Copies the judgment of a game into a session of the same game: evaluations, marks, sentences and accuracy. What is
/// there already stays. Returns what changed; nothing if the games differ.
pub fn copy_judgment(judged: &Record, session: &mut Session, now: Timestamp) -> Vec<Event> {
    let mut events = Vec::new();
    for command in judgment_of(judged, session.record()).unwrap_or_default() {
        // A full game takes as much as it has room for.
        events.extend(session.apply(command, now).unwrap_or_default());
    }
    events
}

/// The commands that copy the judgment of one record of a game to another; `None` if the games differ.
fn judgment_of(judged: &Record, game: &Record) -> Option<Vec<Command>> {
    let steps = judged.main_line().map(Node::step);
    if !steps.eq(game.main_line().map(Node::step)) {
        return None;
    }
    let mut commands = Vec::new();
    for (from, to) in main_line(judged).zip(main_line(game)) {
        let (found, known) = (from.annotation(), to.annotation());
        let node = Some(to.id());
        commands.push(Command::Evaluate {
            node,
            evaluation: found.evaluation,
            best: from.best_line(),
        });
        let assesses = |glyph: &&Glyph| glyph.is_move_assessment();
        let glyph = found.glyphs.iter().find(assesses).copied();
        if glyph.is_some() && !known.glyphs.iter().any(|glyph| assesses(&glyph)) {
            commands.push(Command::Glyph { node, glyph });
        }
        if let Some(comment) = found.comments.first()
            && known.comments.is_empty()
        {
            let text = comment.as_str().to_owned();
            commands.push(Command::Comment { node, text });
        }
    }
    for color in Color::ALL {
        let name = accuracy_tag(color);
        if let Some(value) = judged.tags().get(&name) {
            let value = Some(value.to_owned());
            commands.push(Command::SetTag { name, value });
        }
    }
    Some(commands)
}

#[cfg(test)]
mod tests;
