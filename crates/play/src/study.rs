//! A game that an engine judges: its marks, its accuracy, its turning points, and another try at each mistake.
//!
//! The full screen and the line mode share it. The engine thinks elsewhere and reports one position after another;
//! [`analysis`] works out what that means for the moves.

pub mod explanation;
mod thinker;

use tabiya_game::{Command, Event, Glyph, Node, NodeId, Record, Session, Step, Timestamp};
use tabiya_rules::MoveHistory;
use tabiya_rules::{Color, Move, Position};

use crate::analysis::{self, GameAnalysis, Verdict};
use crate::players::PlayerSpec;
use crate::variations;

pub use thinker::{NODES, Studied, Thinker};

/// A move is as good as the best one if it loses no more than this.
const NEARLY: f64 = 0.05;

/// Positions for an engine to think about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyTask {
    /// The number of the task, greater than all before.
    pub number: u64,
    /// Who thinks.
    pub engine: PlayerSpec,
    /// The positions, each with the game that led to it.
    pub positions: Vec<MoveHistory>,
}

/// A game that is being judged, or was.
#[derive(Clone, Debug)]
pub struct Study {
    number: u64,
    /// The main line, from the start on.
    nodes: Vec<NodeId>,
    /// What is known so far, from the start on.
    pub analysis: Option<GameAnalysis>,
    /// Whether all positions are judged.
    pub done: bool,
    /// The place from which another move is sought.
    retry: Option<Retry>,
}

/// Another try at a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Retry {
    /// The ply of the mistake.
    ply: usize,
    /// A move that the engine is asked about, and by which number.
    asked: Option<(u64, Move)>,
}

/// A mistake that can be tried again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    ply: usize,
    /// Where the user is to find another move.
    pub before: NodeId,
    /// Who made it.
    pub by: Color,
    /// The move as it is written.
    pub san: String,
}

/// What a move is that was tried at a mistake.
#[derive(Clone, Debug, PartialEq)]
pub enum Tried {
    /// The best move.
    Best,
    /// As good as the best.
    Good(String),
    /// What was played.
    Same,
    /// It gives away this much of the point.
    Worse(String, f64),
    /// The engine gave no score for it.
    Unknown(String),
    /// The engine must judge it first.
    Asked(String),
}

impl Tried {
    /// Whether it may be made.
    #[must_use]
    pub fn is_good(&self) -> bool {
        match self {
            Tried::Best | Tried::Good(_) => true,
            Tried::Same | Tried::Worse(..) | Tried::Unknown(_) | Tried::Asked(_) => false,
        }
    }
}

impl Study {
    /// The study of a game's main line, and what the engine has to think about; `None` if there are no moves.
    pub fn of(record: &Record, number: u64, engine: PlayerSpec) -> Option<(Study, StudyTask)> {
        let mut line = vec![record.root()];
        while let Some(next) = line.last().and_then(|node| node.next()) {
            line.push(next);
        }
        if line.len() < 2 {
            return None;
        }
        let nodes: Vec<NodeId> = line.into_iter().map(Node::id).collect();
        let positions = nodes
            .iter()
            .map(|&node| record.node(node).unwrap_or(record.cursor()).history())
            .collect();
        let task = StudyTask {
            number,
            engine,
            positions,
        };
        let study = Study {
            number,
            nodes,
            analysis: None,
            done: false,
            retry: None,
        };
        Some((study, task))
    }

    /// The study that a game has with it: every position of its main line has the judgment that
    /// [`Study::evaluation`] wrote. `None` where one is missing.
    #[must_use]
    pub fn kept_with(record: &Record) -> Option<Study> {
        let verdict = |node: Node<'_>| {
            let evaluation = node.annotation().evaluation;
            let position = node.position();
            match evaluation {
                Some(found) => Some(Verdict::written(found, node.best_line())),
                None => (!position.has_legal_move()).then(|| Verdict::of_search(position, None)),
            }
        };
        let mut node = record.root();
        let mut analysis = GameAnalysis::new(verdict(node)?);
        let mut nodes = vec![node.id()];
        while let Some(next) = node.next() {
            let played = next.step().and_then(Step::played);
            analysis.push(node.position().turn(), played, verdict(next)?);
            nodes.push(next.id());
            node = next;
        }
        (nodes.len() > 1).then_some(Study {
            number: 0,
            nodes,
            analysis: Some(analysis),
            done: true,
            retry: None,
        })
    }

    /// Whether all of a game's main line is judged, as it is now.
    #[must_use]
    pub fn is_complete(&self, record: &Record) -> bool {
        let (known, all) = self.progress();
        let line = std::iter::successors(Some(record.root()), |node| node.next());
        self.done && known == all && line.map(Node::id).eq(self.nodes.iter().copied())
    }

    /// Whether an answer of this number is about the game as a whole.
    pub fn is_about(&self, number: u64) -> bool {
        self.number == number
    }

    /// How many positions are judged, and of how many.
    pub fn progress(&self) -> (usize, usize) {
        let known = self
            .analysis
            .as_ref()
            .map_or(0, |analysis| analysis.chances().count());
        (known, self.nodes.len())
    }

    /// What is thought of the position after so many half-moves.
    fn after(&self, plies: usize) -> Option<&Verdict> {
        self.analysis.as_ref()?.after(plies)
    }

    /// What is known about a place of the main line.
    pub fn at(&self, node: NodeId) -> Option<(usize, &Verdict)> {
        let ply = self.nodes.iter().position(|&known| known == node)?;
        Some((ply, self.after(ply)?))
    }

    /// The plies of the turning points.
    pub fn turning_points(&self) -> Vec<usize> {
        let points = self.analysis.as_ref().map(GameAnalysis::turning_points);
        points.unwrap_or_default()
    }

    /// Adds the judgment of the next position. Returns what to write to the move that led to it.
    pub fn judge(&mut self, record: &Record, at: usize, found: Verdict) -> Vec<Command> {
        if self.progress().0 != at {
            return Vec::new();
        }
        let node = self.nodes.get(at).and_then(|&id| record.node(id));
        match (&mut self.analysis, node.and_then(Node::parent)) {
            (None, _) => self.analysis = Some(GameAnalysis::new(found)),
            (Some(analysis), Some(parent)) => {
                let played = node.and_then(Node::step).and_then(Step::played);
                analysis.push(parent.position().turn(), played, found);
            }
            // The move was deleted while the engine thought, so nothing after it can be judged.
            (Some(_), None) => {}
        }
        self.marks(record, at).unwrap_or_default()
    }

    /// What the game has to keep of a position's judgment, so that [`Study::kept_with`] finds it again.
    #[must_use]
    pub fn evaluation(&self, at: usize) -> Option<Command> {
        let found = self.after(at)?;
        Some(Command::Evaluate {
            node: Some(*self.nodes.get(at)?),
            evaluation: found.evaluation,
            best: found.best.clone(),
        })
    }

    /// Marks a move that was worse than it had to be, and says what was better. Existing comments stay.
    fn marks(&self, record: &Record, ply: usize) -> Option<Vec<Command>> {
        let (id, mark, better) = self.judged(record, ply)?;
        let annotation = record.node(id)?.annotation();
        let mut assessments = annotation.glyphs.iter();
        let marked = assessments.any(|glyph| glyph.is_move_assessment());
        let told = !annotation.comments.is_empty();
        let node = Some(id);
        let glyph = (!marked).then_some(Command::Glyph {
            node,
            glyph: Some(mark),
        });
        let comment = better
            .filter(|_| !told)
            .map(|text| Command::Comment { node, text });
        Some(glyph.into_iter().chain(comment).collect())
    }

    /// The mark of a move, if it has one, and in sentences what was better and what the move lost.
    pub fn judged(&self, record: &Record, ply: usize) -> Option<(NodeId, Glyph, Option<String>)> {
        let judged = self.analysis.as_ref()?.moves().nth(ply.checked_sub(1)?)?;
        let mark = judged.mark?;
        let id = *self.nodes.get(ply)?;
        let position = record.node(id)?.parent()?.position();
        let better = judged.before.best.first();
        let better = better.map(|&best| format!("{} was better.", position.san(best)));
        let why = explanation::of(position, &judged).map(|why| why.to_string());
        let sentences: Vec<String> = better.into_iter().chain(why).collect();
        let told = (!sentences.is_empty()).then(|| sentences.join(" "));
        Some((id, mark, told))
    }

    /// The next mistake seen from a place, or the first again: the one on the board or just ahead of it, unless that
    /// is being tried or a better move was found there.
    /// Where a player is named, that player's mistakes come first.
    pub fn next_mistake(
        &self,
        record: &Record,
        here: Node<'_>,
        player: Option<Color>,
    ) -> Option<Mistake> {
        let from = match (self.retry, variations::branch(here)) {
            (Some(retry), _) => retry.ply + 1,
            (None, Some(branch)) => branch.ply() as usize + 1,
            (None, None) => here.ply() as usize,
        };
        let turns = self.turning_points();
        let by = |ply: usize| {
            let before = record.node(*self.nodes.get(ply)?)?.parent()?;
            Some(before.position().turn())
        };
        let is_own = |ply: usize| player.is_none_or(|player| by(ply) == Some(player));
        let (own, others): (Vec<usize>, Vec<usize>) =
            turns.into_iter().partition(|&ply| is_own(ply));
        let tries_others = self.retry.is_some_and(|retry| !is_own(retry.ply));
        let (these, those) = match (tries_others, own.is_empty()) {
            (false, false) => (own, others),
            (true, _) | (false, true) => (others, own),
        };
        let next = these.iter().find(|&&ply| ply >= from);
        // Behind the last one those of the other side follow, once these were gone through.
        let wrapped = match self.retry {
            Some(_) => those.first().or(these.first()),
            None => these.first(),
        };
        let ply = *next.or(wrapped)?;
        let mistake = record.node(*self.nodes.get(ply)?)?;
        let (before, san) = (mistake.parent()?, mistake.san()?);
        Some(Mistake {
            ply,
            before: before.id(),
            by: before.position().turn(),
            san: san.to_string(),
        })
    }

    /// Begins another try at a mistake.
    pub fn try_again(&mut self, mistake: &Mistake) {
        self.retry = Some(Retry {
            ply: mistake.ply,
            asked: None,
        });
    }

    /// Ends the try, and returns the move that was to be improved.
    pub fn give_up(&mut self) -> Option<NodeId> {
        let retry = self.retry.take()?;
        self.nodes.get(retry.ply).copied()
    }

    /// Whether a better move is being sought.
    pub fn is_trying(&self) -> bool {
        self.retry.is_some()
    }

    /// What becomes of a move that is tried at a mistake; `number` is for the engine if it must be asked, with the task
    /// that comes with the answer then.
    pub fn try_move(
        &mut self,
        record: &Record,
        tried: Move,
        number: u64,
    ) -> Option<(Tried, Option<StudyTask>)> {
        let retry = self.retry?;
        let mistake = record.node(*self.nodes.get(retry.ply)?)?;
        let before = mistake.parent()?;
        let known = self.after(retry.ply.checked_sub(1)?)?;
        if known.best.first() == Some(&tried) {
            self.retry = None;
            return Some((Tried::Best, None));
        }
        if mistake.step() == Some(Step::Move(tried)) {
            return Some((Tried::Same, None));
        }
        let mut played = before.history();
        // The move was read in this very position, so nothing is refused.
        let pushed = played.push(tried);
        debug_assert!(pushed.is_ok());
        self.retry = Some(Retry {
            asked: Some((number, tried)),
            ..retry
        });
        let task = StudyTask {
            number,
            engine: PlayerSpec::Bot(None),
            positions: vec![played],
        };
        let san = before.position().san(tried).to_string();
        Some((Tried::Asked(san), Some(task)))
    }

    /// The move that an answer of this number is about.
    pub fn asked_about(&self, number: u64) -> Option<Move> {
        let (asked, tried) = self.retry?.asked?;
        (asked == number).then_some(tried)
    }

    /// Whether a move that the engine was asked about is good enough.
    pub fn judge_try(
        &mut self,
        position: &Position,
        tried: Move,
        found: &Verdict,
    ) -> Option<Tried> {
        let retry = self.retry?;
        let before = self.after(retry.ply.checked_sub(1)?)?;
        let lost = analysis::loss(position.turn(), before, found);
        let san = position.san(tried).to_string();
        let judged = match lost {
            Some(lost) if lost <= NEARLY => Tried::Good(san),
            Some(lost) => Tried::Worse(san, lost),
            None => Tried::Unknown(san),
        };
        self.retry = (!judged.is_good()).then_some(Retry {
            asked: None,
            ..retry
        });
        Some(judged)
    }
}

/// The tag that says how well a side played.
pub(crate) fn accuracy_tag(color: Color) -> String {
    format!("{color}Accuracy")
}

/// Copies the judgment of a game into a session that has the same game: evaluations, marks, sentences and accuracy. What
/// is written there already stays. Returns what changed; nothing if the games differ.
pub fn copy_judgment(judged: &Record, session: &mut Session, now: Timestamp) -> Vec<Event> {
    let mut events = Vec::new();
    for command in judgment_of(judged, session.record()).unwrap_or_default() {
        // A game that is full keeps as much of it as it has room for.
        events.extend(session.apply(command, now).unwrap_or_default());
    }
    events
}

/// What to write so that a game has the judgment of another record of it; `None` if they differ.
fn judgment_of(judged: &Record, game: &Record) -> Option<Vec<Command>> {
    let mut commands = Vec::new();
    let (mut from, mut to) = (judged.root(), game.root());
    loop {
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
        match (from.next(), to.next()) {
            (None, None) => break,
            (Some(judged), Some(played)) if judged.step() == played.step() => {
                (from, to) = (judged, played);
            }
            (Some(_), _) | (None, Some(_)) => return None,
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
