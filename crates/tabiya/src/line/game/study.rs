//! Judging a game in the line mode: what an engine thinks of each move, in a line where it matters, and another try at
//! each mistake.

use tabiya_game::{Command, GoTo, MoveInput, Refusal, Timestamp};
use tabiya_play::analysis::Verdict;
use tabiya_play::players::PlayerSpec;
use tabiya_play::study::{Studied, Study, Tried};
use tabiya_play::typed_move::{self, Unplayable};
use tabiya_rules::{Color, Move};

use super::{Effect, Game, Reply, Tone, refusals, say};

impl Game {
    /// Begins to judge the main line of the game.
    pub(super) fn study(&mut self, engine: PlayerSpec) -> Vec<Effect> {
        let number = self.studies + 1;
        match Study::of(self.session.record(), number, engine) {
            None => refuse("There are no moves to judge.".to_owned()),
            Some((study, task)) => {
                self.studies = number;
                self.judging = Some(number);
                self.study = Some(study);
                vec![Effect::Study(Box::new(task))]
            }
        }
    }

    /// Goes to the position before the next mistake, where another move is to be found.
    pub(super) fn retry(&mut self, now: Timestamp) -> Vec<Effect> {
        let record = self.session.record();
        let Some(study) = &self.study else {
            return refuse("The game is not judged yet: enter study first.".to_owned());
        };
        if self.opponents.person().is_some() || self.opponents.nobody_plays() {
            let sentence = "An engine plays a side of this game; enter opponent human first.";
            return refuse(sentence.to_owned());
        }
        let Some(mistake) = study.next_mistake(record, record.cursor()) else {
            return refuse("There is no mistake to try again.".to_owned());
        };
        let mut effects = self.apply(Command::GoTo(GoTo::Node(mistake.before)), now);
        if let Some(study) = &mut self.study {
            study.try_again(&mistake);
        }
        effects.extend(say("retry", vec![mistake.sentence]));
        effects
    }

    /// Whoever goes elsewhere does not look for another move any more.
    pub(super) fn give_up_retry(&mut self) {
        if let Some(study) = &mut self.study {
            study.give_up();
        }
    }

    /// Plays what was typed, or says why not.
    pub(super) fn play(&mut self, text: &str, now: Timestamp) -> Vec<Effect> {
        if self.session.is_paused() || self.session.outcome().is_some() {
            return self.apply(Command::play(text), now);
        }
        let position = *self.session.position();
        let read = match typed_move::read(text, &position) {
            Ok(read) => read,
            Err(Unplayable::NothingToCapture(meant)) => {
                let why = refusals::nothing_to_capture(meant, &position);
                return refuse(format!("Illegal move. {why}"));
            }
            Err(Unplayable::Refused(refusal)) => {
                return vec![Effect::Say(self.refuse(&Refusal::Move(refusal), text))];
            }
        };
        let mut effects = self.play_or_try(read.played, now);
        if let Some(other) = read.also {
            let san = position.san(read.played);
            let sentence = format!("Read as {san}; the other move is written {other}.");
            effects.splice(0..0, say("move", vec![sentence]));
        }
        effects
    }

    /// Plays a move, unless it is a try at a mistake that is not good enough, or not yet known to be.
    fn play_or_try(&mut self, played: Move, now: Timestamp) -> Vec<Effect> {
        let number = self.studies + 1;
        let record = self.session.record();
        let study = self.study.as_mut().filter(|study| study.is_trying());
        let play = Command::Play(MoveInput::Move(played));
        match study.and_then(|study| study.try_move(record, played, number)) {
            None => self.apply(play, now),
            Some(Tried::Bad(sentence)) => refuse(sentence),
            Some(Tried::Good(sentence)) => {
                let mut effects = news(sentence);
                effects.extend(self.apply(play, now));
                effects
            }
            Some(Tried::Asked(task, sentence)) => {
                self.studies = number;
                self.judging = Some(number);
                let mut effects = say("retry", vec![sentence]);
                effects.push(Effect::Study(task));
                effects
            }
        }
    }

    /// Takes in what an engine tells about the game that it judges.
    pub(crate) fn studied(&mut self, studied: Studied, now: Timestamp) -> Vec<Effect> {
        let effects = match studied {
            Studied::Position { number, at, found } => self.judge(number, at, found, now),
            Studied::Ended { number, how } => self.study_ended(number, how),
        };
        if effects.is_empty() {
            return effects;
        }
        self.settle(effects, now)
    }

    fn judge(&mut self, number: u64, at: usize, found: Verdict, now: Timestamp) -> Vec<Effect> {
        let record = self.session.record();
        let position = *record.cursor().position();
        let Some(study) = &mut self.study else {
            return Vec::new();
        };
        if let Some(tried) = study.asked_about(number) {
            self.judging = None;
            return match study.judge_try(&position, tried, &found) {
                Some(Tried::Good(sentence)) => self.play_tried(tried, sentence, now),
                Some(Tried::Bad(sentence)) => refuse(sentence),
                Some(Tried::Asked(..)) | None => Vec::new(),
            };
        }
        if !study.is_about(number) {
            return Vec::new();
        }
        let written = study.judge(record, at, found);
        let line = self.judged_line(at);
        let mut effects: Vec<Effect> = line.map_or_else(Vec::new, |line| say("study", vec![line]));
        for command in written {
            effects.extend(self.apply(command, now));
        }
        effects
    }

    fn play_tried(&mut self, tried: Move, sentence: String, now: Timestamp) -> Vec<Effect> {
        let mut effects = news(sentence);
        effects.extend(self.apply(Command::Play(MoveInput::Move(tried)), now));
        effects
    }

    /// A move that was worse than it had to be, as `3...Nf6?? g6 was better.`
    fn judged_line(&self, ply: usize) -> Option<String> {
        let record = self.session.record();
        let (id, mark, better) = self.study.as_ref()?.judged(record, ply)?;
        let node = record.node(id)?;
        let before = node.parent()?.position();
        let dots = match before.turn() {
            Color::White => ".",
            Color::Black => "...",
        };
        let number = before.fullmove_number();
        let (san, sign) = (node.san()?, mark.symbol().unwrap_or_default());
        let better = better.map_or(String::new(), |better| format!(" {better}"));
        Some(format!("{number}{dots}{san}{sign}{better}"))
    }

    fn study_ended(&mut self, number: u64, how: Result<(), String>) -> Vec<Effect> {
        if self.judging != Some(number) {
            return Vec::new();
        }
        self.judging = None;
        match (how, &mut self.study) {
            (Err(sentence), _) => refuse(sentence),
            (Ok(()), Some(study)) if study.is_about(number) => {
                study.done = true;
                say("study", vec![study.sentence("retry")])
            }
            // The place of a try was left meanwhile; there is nothing to say, but something to be asked.
            (Ok(()), _) => say("retry", Vec::new()),
        }
    }
}

fn refuse(sentence: String) -> Vec<Effect> {
    vec![Effect::Say(Reply::refusal(vec![sentence]))]
}

fn news(sentence: String) -> Vec<Effect> {
    vec![Effect::Say(Reply {
        tone: Tone::News,
        ..Reply::answer("retry", vec![sentence])
    })]
}
