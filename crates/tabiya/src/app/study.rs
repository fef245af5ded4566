//! Judging a reviewed game with an engine: marks, accuracy, turning points, and another try at each mistake.
//!
//! The engine thinks in a thread of the runtime and tells of one position after the other; what it says about the moves
//! is worked out by [`analysis`].

use tabiya_game::{Command, Glyph, MoveInput, Node, NodeId, Step};
use tabiya_rules::{Color, Move, Position};
use tabiya_uci::Played;

use super::App;
use super::table::Tone;
use crate::analysis::{self, GameAnalysis, Verdict};
use crate::message::Effect;
use crate::opponents::played_to;
use crate::room::PlayerSpec;

/// A move is as good as the best one if it loses no more than this.
const NEARLY: f64 = 0.05;

/// Positions for an engine to think about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StudyTask {
    pub(crate) number: u64,
    pub(crate) engine: PlayerSpec,
    pub(crate) positions: Vec<Played>,
}

/// A game that is being judged, or was.
#[derive(Clone, Debug)]
pub(crate) struct Study {
    number: u64,
    /// The main line, from the start on.
    nodes: Vec<NodeId>,
    /// What is known so far, from the start on.
    pub(crate) analysis: Option<GameAnalysis>,
    pub(crate) done: bool,
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

impl Study {
    fn new(number: u64, nodes: Vec<NodeId>) -> Study {
        Study {
            number,
            nodes,
            analysis: None,
            done: false,
            retry: None,
        }
    }

    /// How many positions are judged, and of how many.
    pub(crate) fn progress(&self) -> (usize, usize) {
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
    pub(crate) fn at(&self, node: NodeId) -> Option<(usize, &Verdict)> {
        let ply = self.nodes.iter().position(|&known| known == node)?;
        Some((ply, self.after(ply)?))
    }

    fn turning_points(&self) -> Vec<usize> {
        let points = self.analysis.as_ref().map(GameAnalysis::turning_points);
        points.unwrap_or_default()
    }
}

impl App {
    /// Begins to judge the main line of a review; a game that is played is reviewed first.
    pub(super) fn study(&mut self, engine: PlayerSpec) {
        if !self.table.is_review() {
            self.review_game();
        }
        if !self.table.is_review() {
            // It is asked first what is to become of another review.
            return;
        }
        let record = self.table.session.record();
        let mut nodes = vec![record.root()];
        while let Some(next) = nodes.last().and_then(|node| node.next()) {
            nodes.push(next);
        }
        if nodes.len() < 2 {
            self.table.refuse("There are no moves to judge.".to_owned());
            return;
        }
        let nodes: Vec<NodeId> = nodes.into_iter().map(Node::id).collect();
        let positions = nodes.iter().map(|&node| played_to(record, node)).collect();
        self.studies += 1;
        let number = self.studies;
        if let Some(review) = &mut self.table.review {
            review.study = Some(Study::new(number, nodes));
        }
        self.due.push(Effect::Study(Box::new(StudyTask {
            number,
            engine,
            positions,
        })));
        self.table.say("The engine looks at every move…".to_owned());
    }

    fn study_mut(&mut self) -> Option<&mut Study> {
        self.table.review.as_mut()?.study.as_mut()
    }

    /// An engine has thought about a position.
    pub(super) fn studied(&mut self, number: u64, at: usize, found: Verdict) {
        let Some(study) = self.study_mut() else {
            return;
        };
        if study.number == number {
            self.judge(at, found);
        } else if let Some(Retry {
            ply,
            asked: Some((asked, tried)),
        }) = study.retry
            && asked == number
        {
            self.judge_try(ply, tried, &found);
        }
    }

    /// Adds what is thought of the next position, and marks the move that led to it.
    fn judge(&mut self, at: usize, found: Verdict) {
        let record = self.table.session.record();
        let study = self
            .table
            .review
            .as_mut()
            .and_then(|review| review.study.as_mut());
        let Some(study) = study.filter(|study| study.progress().0 == at) else {
            return;
        };
        let node = study.nodes.get(at).and_then(|&id| record.node(id));
        match (&mut study.analysis, node.and_then(Node::parent)) {
            (None, _) => study.analysis = Some(GameAnalysis::new(found)),
            (Some(analysis), Some(parent)) => {
                let played = node.and_then(Node::step).and_then(Step::played);
                analysis.push(parent.position().turn(), played, found);
            }
            // The move was deleted while the engine thought, so nothing after it can be judged.
            (Some(_), None) => {}
        }
        self.mark_judged(at);
    }

    /// There is nothing more to come, or the engine has failed.
    pub(super) fn study_ended(&mut self, number: u64, how: Result<(), String>) {
        let Some(study) = self.study_mut().filter(|study| study.number == number) else {
            if let Err(sentence) = how {
                self.table.refuse(sentence);
            }
            return;
        };
        study.done = true;
        match how {
            Err(sentence) => self.table.refuse(sentence),
            Ok(()) => {
                let sentence = self.judged_sentence();
                self.table.tell(sentence, Tone::News);
            }
        }
    }

    fn judged_sentence(&self) -> String {
        let Some(study) = self
            .table
            .review
            .as_ref()
            .and_then(|review| review.study.as_ref())
        else {
            return String::new();
        };
        let Some(analysis) = &study.analysis else {
            return String::new();
        };
        let turns = match analysis.turning_points().len() {
            0 => "no turning point".to_owned(),
            1 => "1 turning point: x, then t tries it again".to_owned(),
            count => format!("{count} turning points: x, then t tries them again"),
        };
        format!(
            "Accuracy: White {}, Black {}; {turns}.",
            percent(analysis.accuracy(Color::White)),
            percent(analysis.accuracy(Color::Black))
        )
    }

    /// Marks a move that was worse than it had to be, and says what was better. What somebody wrote there stays.
    fn mark_judged(&mut self, ply: usize) {
        let Some((id, mark, better)) = self.judged_move(ply) else {
            return;
        };
        let record = self.table.session.record();
        let Some(annotation) = record.node(id).map(Node::annotation) else {
            return;
        };
        let marked = annotation
            .glyphs
            .iter()
            .any(|glyph| glyph.is_move_assessment());
        let told = !annotation.comments.is_empty();
        let node = Some(id);
        if !marked {
            let glyph = Some(mark);
            self.apply(Command::Glyph { node, glyph });
        }
        if let Some(text) = better.filter(|_| !told) {
            self.apply(Command::Comment { node, text });
        }
    }

    /// The mark of a move, if it has one, and what was better.
    fn judged_move(&self, ply: usize) -> Option<(NodeId, Glyph, Option<String>)> {
        let study = self.table.review.as_ref()?.study.as_ref()?;
        let judged = study.analysis.as_ref()?.moves().nth(ply.checked_sub(1)?)?;
        let mark = judged.mark?;
        let id = *study.nodes.get(ply)?;
        let position = self.table.session.record().node(id)?.parent()?.position();
        let better = judged.before.best.first();
        let better = better.map(|&best| format!("{} was better.", position.san(best)));
        Some((id, mark, better))
    }

    /// Goes to the position before the next mistake, where another move is to be found.
    pub(super) fn retry(&mut self) {
        let here = self.table.node().ply() as usize;
        let record = self.table.session.record();
        let Some(study) = self
            .table
            .review
            .as_ref()
            .and_then(|review| review.study.as_ref())
        else {
            let sentence = "The game is not judged yet: type :study first.";
            self.table.refuse(sentence.to_owned());
            return;
        };
        let turns = study.turning_points();
        let next = turns.iter().find(|&&ply| ply > here + 1).or(turns.first());
        let place = next.and_then(|&ply| {
            let mistake = record.node(*study.nodes.get(ply)?)?;
            Some((ply, mistake.parent()?.id(), mistake.san()?.to_string()))
        });
        let Some((ply, before, san)) = place else {
            self.table
                .refuse("There is no mistake to try again.".to_owned());
            return;
        };
        self.view(before);
        let turn = self.table.position().turn();
        if let Some(study) = self.study_mut() {
            study.retry = Some(Retry { ply, asked: None });
        }
        let sentence = format!("{turn} played {san} here. Find a better move.");
        self.table.tell(sentence, Tone::News);
    }

    /// Whether a move is a try at a mistake that the engine must judge before it is made.
    pub(super) fn is_tried(&mut self, command: &Command) -> bool {
        let Command::Play(input) = command else {
            return false;
        };
        let position = *self.table.position();
        let Some(study) = self.study_mut() else {
            return false;
        };
        let Some(retry) = study.retry else {
            return false;
        };
        let Ok(tried) = input.resolve(&position) else {
            return false;
        };
        let before = retry.ply.checked_sub(1).and_then(|ply| study.after(ply));
        if before.is_some_and(|before| before.best.first() == Some(&tried)) {
            study.retry = None;
            self.table
                .tell("Yes! That is the best move.".to_owned(), Tone::News);
            return false;
        }
        self.ask_about(retry.ply, tried, &position);
        true
    }

    fn ask_about(&mut self, ply: usize, tried: Move, position: &Position) {
        let mut played = played_to(self.table.session.record(), self.table.node().id());
        let same = self
            .study_mut()
            .and_then(|study| study.nodes.get(ply).copied());
        let record = self.table.session.record();
        let mistake = same.and_then(|id| record.node(id)).and_then(Node::step);
        if mistake == Some(Step::Move(tried)) {
            self.table
                .refuse("That is what was played. Find a better move.".to_owned());
            self.table.typing.clear();
            return;
        }
        played.push(tried);
        self.studies += 1;
        let number = self.studies;
        if let Some(study) = self.study_mut() {
            study.retry = Some(Retry {
                ply,
                asked: Some((number, tried)),
            });
        }
        self.table.typing.clear();
        self.table
            .say(format!("{}: the engine looks at it…", position.san(tried)));
        self.due.push(Effect::Study(Box::new(StudyTask {
            number,
            engine: PlayerSpec::Bot(None),
            positions: vec![played],
        })));
    }

    /// Says whether a move that was tried is good enough.
    fn judge_try(&mut self, ply: usize, tried: Move, found: &Verdict) {
        let position = *self.table.position();
        let Some(study) = self.study_mut() else {
            return;
        };
        let before = ply.checked_sub(1).and_then(|ply| study.after(ply));
        let Some(before) = before else { return };
        let lost = analysis::loss(position.turn(), before, found);
        let good = lost <= NEARLY;
        study.retry = (!good).then_some(Retry { ply, asked: None });
        let san = position.san(tried).to_string();
        if good {
            self.play(Command::Play(MoveInput::Move(tried)));
            self.table
                .tell(format!("{san} is good: as good as the best."), Tone::News);
        } else {
            let points = lost * 100.0;
            self.table.refuse(format!(
                "{san} gives away {points:.0} % of the point. Try again."
            ));
        }
    }

    /// Gives the try up when another place is looked at.
    pub(super) fn leave_retry(&mut self) {
        if let Some(study) = self.study_mut() {
            study.retry = None;
        }
    }
}

/// An accuracy as it is written.
pub(crate) fn percent(share: Option<f64>) -> String {
    share.map_or("–".to_owned(), |share| format!("{share:.0} %"))
}
