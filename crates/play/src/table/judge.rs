//! Judging the game, and another try at each mistake.

use tabiya_game::{Branching, Command, GoTo, MoveInput, NodeId, Record, Timestamp};
use tabiya_rules::{Color, Move};

use super::{Handled, Table};
use crate::analysis::explanation::{LineKind, numbered_line};
use crate::analysis::{Verdict, accuracy_tag};
use crate::outcome::{Happened, Outcome, Outcomes, TableRefusal};
use crate::players::{PlayerError, PlayerSpec};
use crate::study::{Attempt, Study, StudyReport, StudyTask, copy_judgment};

/// How many plies of a line are written into the game.
const MAX_VARIATION: usize = 12;

impl Table {
    /// Starts to judge the main line of the game. Moves played from then on are tries. A game that is already judged is
    /// judged again only by an engine that is named.
    pub(super) fn judge_game(&mut self, engine: PlayerSpec, now: Timestamp) -> Handled {
        let known = self.study.as_ref();
        let is_known = known.is_some_and(|study| study.is_complete(self.session.record()));
        if is_known && engine == PlayerSpec::Bot(None) {
            self.set_branching(Branching::Variation, now);
            self.push(Outcome::AllJudged);
            return Ok(());
        }
        let number = self.assistance.studies + 1;
        let study = Study::of(self.session.record(), number, engine);
        let (study, task) = study.ok_or(TableRefusal::NothingToJudge)?;
        self.assistance.studies = number;
        self.judging = Some(number);
        self.study = Some(study);
        self.set_branching(Branching::Variation, now);
        self.push(Outcome::Judging);
        self.push(Outcome::Study(Box::new(task)));
        Ok(())
    }

    /// Goes to the position before the next mistake, where the user is to find a better move.
    pub(super) fn retry(&mut self, now: Timestamp) -> Handled {
        let record = self.session.record();
        let study = self.study.as_ref().ok_or(TableRefusal::NotJudged)?;
        if self.opponents.person().is_some() || self.opponents.nobody_plays() {
            return Err(TableRefusal::EngineSeated);
        }
        let Some(mistake) = study.next_mistake(record, self.node(), self.player) else {
            let is_over = self.study.as_mut().is_some_and(Study::forget_improved);
            return Err(match is_over {
                true => TableRefusal::AllImproved,
                false => TableRefusal::NoMistake,
            });
        };
        self.view(mistake.before, now);
        if let Some(study) = &mut self.study {
            study.try_again(&mistake);
        }
        self.push(Outcome::Retry(mistake));
        Ok(())
    }

    /// Writes a line about the mistake being looked at into the game as a variation, and goes to its first move, from where
    /// it can be walked.
    pub(super) fn show_line(&mut self, which: LineKind, now: Timestamp) -> Handled {
        let study = self.study.as_ref().ok_or(TableRefusal::NotJudged)?;
        if self.opponents.person().is_some() || self.opponents.nobody_plays() {
            return Err(TableRefusal::EngineSeated);
        }
        let line = study.line(self.session.record(), self.node(), which);
        let (start, line) = line.ok_or(TableRefusal::NoLine)?;
        let position = self
            .session
            .record()
            .node(start)
            .map(|node| *node.position());
        self.set_branching(Branching::Variation, now);
        let mut happened = self.apply_unreported(Command::GoTo(GoTo::Node(start)), now)?;
        if self.session.ended_by_act() {
            self.apply_unreported(Command::undo(1), now)?;
        }
        let ply_before = happened.ply_before;
        let (mut first, mut recorded) = (None, false);
        for &next in line.iter().take(MAX_VARIATION) {
            let play = Command::Play(MoveInput::Move(next));
            // A full game takes as much as it has room for.
            let Ok(played) = self.apply_unreported(play, now) else {
                break;
            };
            recorded |= played.recorded;
            first = first.or(Some(played.node));
        }
        if let Some(first) = first {
            happened = self.apply_unreported(Command::GoTo(GoTo::Node(first)), now)?;
        }
        self.push_happened(Happened {
            ply_before,
            recorded,
            ..happened
        });
        let shown = position.map(|position| numbered_line(&position, &line));
        self.push(Outcome::Line(which, shown.unwrap_or_default()));
        Ok(())
    }

    /// Ends the retry. Returns the move that was to be improved.
    pub fn give_up_retry(&mut self) -> Option<NodeId> {
        self.study.as_mut()?.give_up()
    }

    /// The verdict on a move that is tried in place of a mistake, and the task for the engine if it has to judge it.
    pub(super) fn try_out(&mut self, played: Move) -> Option<(Attempt, Option<StudyTask>)> {
        let number = self.assistance.studies + 1;
        let study = self.study.as_mut()?;
        let (tried, task) = study.try_move(self.session.record(), played, number)?;
        if task.is_some() {
            self.assistance.studies = number;
            self.judging = Some(number);
        }
        Some((tried, task))
    }

    /// Handles an event of the engine that judges the game.
    pub fn handle_study_report(&mut self, studied: StudyReport, now: Timestamp) -> Outcomes {
        let done = match studied {
            StudyReport::Position { number, at, found } => {
                self.handle_verdict(number, at, found, now)
            }
            StudyReport::Ended { number, how } => self.handle_study_end(number, how, now),
        };
        self.push_refusal(done);
        if self.outcomes.is_empty() {
            return Vec::new();
        }
        self.let_engines_act(now)
    }

    /// Stores the verdict on a position.
    fn handle_verdict(
        &mut self,
        number: u64,
        at: usize,
        found: Verdict,
        now: Timestamp,
    ) -> Handled {
        let position = *self.position();
        let Some(study) = &mut self.study else {
            return Ok(());
        };
        if let Some(move_tried) = study.asked_about(number) {
            self.judging = None;
            return match study.judge_try(&position, move_tried, &found) {
                None => Ok(()),
                Some(tried) if tried.is_good() => {
                    self.push(Outcome::Tried(tried));
                    self.play_here(move_tried, now)
                }
                Some(tried) => Err(TableRefusal::Tried(tried)),
            };
        }
        if !study.is_about(number) {
            return Ok(());
        }
        let record = self.session.record();
        let is_next = study.progress().0 == at;
        let written = study.judge(record, at, found);
        let marked = study.judged(record, at).filter(|_| is_next);
        let marked = marked.map(|(node, ..)| node);
        if let Some(evaluation) = study.evaluation(at) {
            // This changes nothing that can be seen. A full game is judged too, but does not store it.
            let _ = self.session.apply(evaluation, now);
        }
        self.outcomes.extend(marked.map(Outcome::Judged));
        for command in written {
            self.apply_or_refuse(command, now);
        }
        Ok(())
    }

    /// Handles the end of a task.
    fn handle_study_end(
        &mut self,
        number: u64,
        how: Result<(), PlayerError>,
        now: Timestamp,
    ) -> Handled {
        let study = self.study.as_mut().filter(|study| study.is_about(number));
        let about_game = study.is_some();
        if let Some(study) = study {
            // What is known so far stays.
            study.done = true;
        }
        if self.judging == Some(number) {
            self.judging = None;
        } else if !about_game {
            return Ok(());
        }
        how.map_err(TableRefusal::Engine)?;
        if about_game {
            self.write_accuracy(now);
            self.push(Outcome::AllJudged);
        } else {
            self.push(Outcome::TryEnded);
        }
        Ok(())
    }

    /// Stores the judgment of this game, made at another table, with the game. The result is one outcome, or none if it
    /// is another game.
    pub fn save_judgment(&mut self, judged: &Record, now: Timestamp) -> Outcomes {
        let (ply_before, now) = (self.session.ply(), self.session_time(now));
        let events = copy_judgment(judged, &mut self.session, now);
        if events.is_empty() {
            return Vec::new();
        }
        vec![Outcome::Happened(Happened {
            events,
            ply_before,
            node: self.session.record().cursor().id(),
            by_engine: false,
            branched: false,
            recorded: true,
        })]
    }

    /// Stores the accuracy of both sides with the game.
    fn write_accuracy(&mut self, now: Timestamp) {
        for color in Color::ALL {
            let analysis = self.study.as_ref().and_then(Study::analysis);
            if let Some(share) = analysis.and_then(|analysis| analysis.accuracy(color)) {
                let name = accuracy_tag(color);
                let value = Some(format!("{share:.0}"));
                self.apply_or_refuse(Command::SetTag { name, value }, now);
            }
        }
    }
}
