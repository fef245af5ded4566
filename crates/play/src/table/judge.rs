//! Judging the game, and another try at each mistake.

use tabiya_game::{Branching, Command, GoTo, NodeId, Record, Timestamp};
use tabiya_rules::{ByColor, Color, Move};

use super::game::refuse;
use super::{Display, Table};
use crate::analysis::Verdict;
use crate::outcome::{Happened, Outcome, Outcomes, Refused};
use crate::players::{PlayerError, PlayerSpec};
use crate::request::StudyRequest;
use crate::study::{Study, StudyReport, StudyTask, Tried, accuracy_tag, copy_judgment};

impl Table {
    pub(super) fn handle_study(&mut self, request: StudyRequest, now: Timestamp) -> Outcomes {
        match request {
            StudyRequest::Judge(engine) => self.judge_game(engine, now),
            StudyRequest::Retry => self.retry(now),
        }
    }

    /// Starts to judge the main line of the game. Moves played from then on are tries. A game that is already judged is
    /// judged again only by an engine that is named.
    fn judge_game(&mut self, engine: PlayerSpec, now: Timestamp) -> Outcomes {
        let known = self.study.as_ref();
        let is_known = known.is_some_and(|study| study.is_complete(self.session.record()));
        if is_known && engine == PlayerSpec::Bot(None) {
            self.set_branching(Branching::Variation, now);
            return vec![Outcome::AllJudged];
        }
        let number = self.assistance.studies + 1;
        let Some((study, task)) = Study::of(self.session.record(), number, engine) else {
            return refuse(Refused::NothingToJudge);
        };
        self.assistance.studies = number;
        self.judging = Some(number);
        self.study = Some(study);
        self.set_branching(Branching::Variation, now);
        vec![Outcome::Judging, Outcome::Study(Box::new(task))]
    }

    /// Goes to the position before the next mistake, where the user is to find a better move.
    fn retry(&mut self, now: Timestamp) -> Outcomes {
        let record = self.session.record();
        let Some(study) = &self.study else {
            return refuse(Refused::NotJudged);
        };
        if self.opponents.person().is_some() || self.opponents.nobody_plays() {
            return refuse(Refused::EngineSeated);
        }
        let Some(mistake) = study.next_mistake(record, self.node(), self.player) else {
            let is_over = self.study.as_mut().is_some_and(Study::start_over);
            return refuse(match is_over {
                true => Refused::AllImproved,
                false => Refused::NoMistake,
            });
        };
        let mut outcomes = match self.display {
            Display::Text => self.apply(Command::GoTo(GoTo::Node(mistake.before)), now),
            Display::Board => self.view(mistake.before, now),
        };
        if let Some(study) = &mut self.study {
            study.try_again(&mistake);
        }
        outcomes.push(Outcome::Retry(mistake));
        outcomes
    }

    /// Ends the retry. Returns the move that was to be improved.
    pub fn give_up_retry(&mut self) -> Option<NodeId> {
        self.study.as_mut()?.give_up()
    }

    /// The verdict on a move that is tried in place of a mistake, and the task for the engine if it has to judge it.
    pub(super) fn try_out(&mut self, played: Move) -> Option<(Tried, Option<StudyTask>)> {
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
    pub fn studied(&mut self, studied: StudyReport, now: Timestamp) -> Outcomes {
        let outcomes = match studied {
            StudyReport::Position { number, at, found } => self.judged(number, at, found, now),
            StudyReport::Ended { number, how } => self.judging_ended(number, how, now),
        };
        if outcomes.is_empty() {
            return outcomes;
        }
        self.then_engines(outcomes, now)
    }

    /// Stores the verdict on a position.
    fn judged(&mut self, number: u64, at: usize, found: Verdict, now: Timestamp) -> Outcomes {
        let position = *self.position();
        let Some(study) = &mut self.study else {
            return Vec::new();
        };
        if let Some(move_tried) = study.asked_about(number) {
            self.judging = None;
            return match study.judge_try(&position, move_tried, &found) {
                None => Vec::new(),
                Some(tried) if tried.is_good() => {
                    let mut outcomes = vec![Outcome::Tried(tried)];
                    outcomes.extend(self.play_here(move_tried, now));
                    outcomes
                }
                Some(tried) => refuse(Refused::Tried(tried)),
            };
        }
        if !study.is_about(number) {
            return Vec::new();
        }
        let record = self.session.record();
        let written = study.judge(record, at, found);
        let marked = study.judged(record, at).map(|(node, ..)| node);
        if let Some(evaluation) = study.evaluation(at) {
            // This changes nothing that can be seen. A full game is judged too, but does not store it.
            let _ = self.session.apply(evaluation, now);
        }
        let mut outcomes: Outcomes = marked.map(Outcome::Judged).into_iter().collect();
        for command in written {
            outcomes.extend(self.apply(command, now));
        }
        outcomes
    }

    /// Handles the end of a task.
    fn judging_ended(
        &mut self,
        number: u64,
        how: Result<(), PlayerError>,
        now: Timestamp,
    ) -> Outcomes {
        let about_game = self
            .study
            .as_ref()
            .is_some_and(|study| study.is_about(number));
        if self.judging == Some(number) {
            self.judging = None;
        } else if !about_game {
            return Vec::new();
        }
        match (how, &mut self.study) {
            (Err(error), study) => {
                // What is known so far stays.
                if let Some(study) = study.as_mut().filter(|study| study.is_about(number)) {
                    study.done = true;
                }
                refuse(Refused::Engine(error))
            }
            (Ok(()), Some(study)) if study.is_about(number) => {
                study.done = true;
                let accuracy = study
                    .analysis
                    .as_ref()
                    .map(|analysis| ByColor::from_fn(|color| analysis.accuracy(color)));
                let mut outcomes = self.write_accuracy(accuracy.unwrap_or_default(), now);
                outcomes.push(Outcome::AllJudged);
                outcomes
            }
            (Ok(()), _) => vec![Outcome::TryEnded],
        }
    }

    /// Stores the judgment of this game, made at another table, with the game. The result is one outcome, or none if it
    /// is another game.
    pub fn save_judgment(&mut self, judged: &Record, now: Timestamp) -> Outcomes {
        let (ply_before, now) = (self.session.ply(), self.moment(now));
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
    fn write_accuracy(&mut self, accuracy: ByColor<Option<f64>>, now: Timestamp) -> Outcomes {
        let mut outcomes = Vec::new();
        for color in Color::ALL {
            if let Some(share) = accuracy[color] {
                let name = accuracy_tag(color);
                let value = Some(format!("{share:.0}"));
                outcomes.extend(self.apply(Command::SetTag { name, value }, now));
            }
        }
        outcomes
    }
}
