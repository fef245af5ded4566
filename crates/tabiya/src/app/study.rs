//! Judging a reviewed game on the full screen: the engine thinks in a thread of the runtime, and what it tells becomes
//! marks, a curve, and another try at each mistake.

use tabiya_game::{Command, MoveInput};
use tabiya_play::analysis::Verdict;
use tabiya_play::players::{PlayerError, PlayerSpec};
use tabiya_play::study::{Studied, Study};

use super::App;
use super::table::Tone;
use crate::message::EngineEffect;
use crate::wording::study as words;

/// What a move is while a mistake is tried again.
pub(super) enum Trial {
    /// Nothing is tried, so it is a move like any other.
    None,
    /// It can be made, and is praised then.
    Good(String),
    /// It must not be made, or not before the engine has judged it.
    NotYet,
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
        let number = self.studies + 1;
        let Some((study, task)) = Study::of(record, number, engine) else {
            self.table.refuse("There are no moves to judge.".to_owned());
            return;
        };
        self.studies = number;
        if let Some(review) = &mut self.table.reviewed {
            review.study = Some(study);
        }
        self.effects.push(EngineEffect::Study(Box::new(task)));
        self.table.say("The engine looks at every move…".to_owned());
    }

    pub(super) fn studied(&mut self, studied: Studied) {
        match studied {
            Studied::Position { number, at, found } => self.judge(number, at, found),
            Studied::Ended { number, how } => self.study_ended(number, how),
        }
    }

    /// An engine has thought about a position.
    fn judge(&mut self, number: u64, at: usize, found: Verdict) {
        let position = *self.table.position();
        let table = &mut *self.table;
        let record = table.session.record();
        let study = table
            .reviewed
            .as_mut()
            .and_then(|review| review.study.as_mut());
        let Some(study) = study else {
            return;
        };
        if study.is_about(number) {
            for written in study.judge(record, at, found) {
                self.apply(written);
            }
        } else if let Some(tried) = study.asked_about(number) {
            let judged = study.judge_try(&position, tried, &found);
            let sentence = judged.as_ref().map(words::tried).unwrap_or_default();
            match judged {
                None => {}
                Some(judged) if judged.is_good() => {
                    self.play(Command::Play(MoveInput::Move(tried)));
                    self.table.tell(sentence, Tone::News);
                }
                Some(_) => self.table.refuse(sentence),
            }
        }
    }

    /// There is nothing more to come, or the engine has failed.
    fn study_ended(&mut self, number: u64, how: Result<(), PlayerError>) {
        let study = self
            .table
            .study_mut()
            .filter(|study| study.is_about(number));
        let judged = study.map(|study| {
            study.done = true;
            words::summary(study, "x, then t")
        });
        match (how, judged) {
            (Err(error), _) => self.table.refuse(error.to_string()),
            (Ok(()), Some(sentence)) => self.table.tell(sentence, Tone::News),
            (Ok(()), None) => {}
        }
    }

    /// Goes to the position before the next mistake, where another move is to be found.
    pub(super) fn retry(&mut self) {
        let here = self.table.node();
        let record = self.table.session.record();
        let study = self
            .table
            .reviewed
            .as_ref()
            .and_then(|review| review.study.as_ref());
        let Some(study) = study else {
            let sentence = "The game is not judged yet: type :study first.";
            self.table.refuse(sentence.to_owned());
            return;
        };
        let Some(mistake) = study.next_mistake(record, here) else {
            self.table
                .refuse("There is no mistake to try again.".to_owned());
            return;
        };
        self.view(mistake.before);
        if let Some(study) = self.table.study_mut() {
            study.try_again(&mistake);
        }
        self.table.tell(words::retry(&mistake), Tone::News);
    }

    /// What a move is beside a move, while a mistake is tried again.
    pub(super) fn try_out(&mut self, command: &Command) -> Trial {
        let Command::Play(input) = command else {
            return Trial::None;
        };
        let Ok(tried) = input.resolve(self.table.position()) else {
            return Trial::None;
        };
        let number = self.studies + 1;
        let table = &mut *self.table;
        let record = table.session.record();
        let study = table
            .reviewed
            .as_mut()
            .and_then(|review| review.study.as_mut());
        let tried = study.and_then(|study| study.try_move(record, tried, number));
        let Some((judged, task)) = tried else {
            return Trial::None;
        };
        let sentence = words::tried(&judged);
        match task {
            None if judged.is_good() => return Trial::Good(sentence),
            None => self.table.refuse(sentence),
            Some(task) => {
                self.studies = number;
                self.effects.push(EngineEffect::Study(Box::new(task)));
                self.table.say(sentence);
            }
        }
        self.table.typing.clear();
        Trial::NotYet
    }

    /// Goes back from a try to the game as it was. Returns whether there was one.
    pub(super) fn end_retry(&mut self) -> bool {
        let Some(mistake) = self.table.study_mut().and_then(Study::give_up) else {
            return false;
        };
        self.view(mistake);
        self.table.say("Back in the review.".to_owned());
        true
    }
}
