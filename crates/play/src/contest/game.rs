//! One game between two players, through the one door of a session.

use std::time::{Duration, Instant};

use tabiya_game::{
    Command, DrawPolicy, Evaluation, MoveInput, NewGame, NodeId, Outcome, Policy, Record, Session,
    Tags, TimeControl, Timestamp,
};
use tabiya_rules::{ByColor, Color, Move, MoveHistory, Score};
use tabiya_uci::{Bound, EngineError, SearchInfo};

use super::adjudication::{Judge, Verdict};
use super::entrant::{ByEntrant, Entrant};
use super::openings::Opening;
use super::run::{Event, Plan};
use crate::players::{BlockingPlayer, StopHandle, Thought};

/// A game that is over.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Its number in the match, from 1.
    pub number: u32,
    /// Who had White.
    pub white: Entrant,
    /// The game with tags, clocks and what the players said.
    pub record: Record,
    /// How it ended.
    pub outcome: Outcome,
    /// What was wrong with a player, if something was.
    pub fault: Option<Fault>,
    /// Half-moves, those of the opening included.
    pub plies: u32,
}

impl Finished {
    /// Who won, if somebody did.
    pub fn winner(&self) -> Option<Entrant> {
        let winner = self.outcome.winner()?;
        Some(seat(self.white, winner))
    }

    /// The number of its pair, from 0: two games share an opening.
    pub fn pair(&self) -> u32 {
        self.number.saturating_sub(1) / 2
    }
}

/// Something other than chess that cost a player the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Whose.
    pub by: Entrant,
    /// Its kind.
    pub kind: FaultKind,
    /// What happened, in a sentence.
    pub sentence: String,
}

/// The kinds of faults that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The player ended, fell silent, or wrote what nobody can use.
    Crash,
    /// It chose a move that is none.
    IllegalMove,
    /// Its time ran out.
    Time,
}

/// How a game did not come to an end.
#[derive(Debug)]
pub(super) enum Unfinished {
    /// Somebody stopped the match.
    Halted,
    /// It cannot be played at all; the sentence says why.
    Impossible(String),
}

/// Who has a color when this player has White.
fn seat(white: Entrant, color: Color) -> Entrant {
    match color {
        Color::White => white,
        Color::Black => !white,
    }
}

/// What a player said about a move it made.
struct Said {
    node: NodeId,
    took: Duration,
    evaluation: Option<Evaluation>,
}

/// A game that is going on.
pub(super) struct Game<'a> {
    plan: &'a Plan,
    number: u32,
    white: Entrant,
    session: Session,
    /// The time of the game: what the players used, and nothing between.
    now: Timestamp,
    played: MoveHistory,
    judge: Judge,
    said: Vec<Said>,
    fault: Option<Fault>,
}

impl<'a> Game<'a> {
    /// Sets the board up and plays the opening.
    pub(super) fn new(
        plan: &'a Plan,
        number: u32,
        opening: &Opening,
    ) -> Result<Game<'a>, Unfinished> {
        let white = if number % 2 == 1 {
            Entrant::A
        } else {
            Entrant::B
        };
        let clock = plan.pace.clock();
        let game = NewGame::default()
            .with_start(opening.start)
            .with_clocks(ByColor::from_fn(|_| clock.clone()))
            .with_policy(Policy::new().with_draws(DrawPolicy::Automatic))
            .with_tags(tags(plan, number, white));
        let mut game = Game {
            plan,
            number,
            white,
            session: Session::new(game),
            now: Timestamp::ORIGIN,
            played: MoveHistory::new(opening.start),
            judge: Judge::new(plan.adjudication),
            said: Vec::new(),
            fault: None,
        };
        game.apply(Command::Tick)?;
        for &m in &opening.moves {
            game.now = game.now + plan.pace.opening_move(&game.session, game.now);
            game.make(m)?;
        }
        Ok(game)
    }

    pub(super) fn started(&self) -> Event {
        Event::GameStarted {
            game: self.number,
            white: self.white,
            played: self.played.clone(),
        }
    }

    /// Plays it to its end. A player that failed is gone afterwards.
    pub(super) fn play(
        mut self,
        players: &mut ByEntrant<Option<BlockingPlayer>>,
        stop: &StopHandle,
        tell: &mut impl FnMut(Event),
    ) -> Result<Finished, Unfinished> {
        while self.session.outcome().is_none() {
            let mover = seat(self.white, self.session.turn());
            let Some(player) = &mut players[mover] else {
                return Err(Unfinished::Impossible("A player is missing.".to_owned()));
            };
            let go = self.plan.go(mover, &self.session, self.now);
            let mut last = None;
            let begun = Instant::now();
            let thought = player.think(&self.played, go, stop, |info| take_score(&mut last, info));
            if stop.is_asked() {
                return Err(Unfinished::Halted);
            }
            if let Ok(Thought {
                overrun: Some(overrun),
                ..
            }) = thought
            {
                let name = &self.plan.names[mover];
                tell(Event::Overran {
                    by: mover,
                    sentence: format!("{name}: {overrun} Its moves count."),
                });
            }
            match thought {
                Ok(thought) => match thought.reply.best {
                    Some(best) => self.answer(mover, best, thought.took, last, tell)?,
                    // A position without moves ends the game before anybody is asked.
                    None => self.lose(mover, &EngineError::NoMove)?,
                },
                Err(error) if error.is_fatal() => {
                    players[mover] = None;
                    self.fail(mover, &error, begun.elapsed())?;
                }
                Err(error) => {
                    let name = &self.plan.names[mover];
                    return Err(Unfinished::Impossible(format!("{name}: {error}")));
                }
            }
        }
        self.finish()
    }

    /// Makes the move of a player that answered.
    fn answer(
        &mut self,
        mover: Entrant,
        best: Move,
        took: Duration,
        said: Option<(Score, Option<u32>)>,
        tell: &mut impl FnMut(Event),
    ) -> Result<(), Unfinished> {
        let side = self.session.turn();
        self.now = self.now + took;
        if self.plan.pace.is_too_late(took) {
            let sentence = format!("The answer came after {}.", seconds(took));
            return self.award(!side, mover, FaultKind::Time, sentence);
        }
        let number = self.session.position().fullmove_number();
        self.make(best)?;
        let node = self.session.record().cursor().id();
        if self.session.ended_by_act() {
            return self.flag_fell(mover);
        }
        let evaluation = said.map(|(score, depth)| evaluation(side, score, depth));
        self.said.push(Said {
            node,
            took,
            evaluation,
        });
        tell(Event::Moved {
            game: self.number,
            played: best,
            score: said.map(|(score, _)| score),
            left: self.session.clock(self.now).left,
        });
        if self.session.outcome().is_none() {
            let said = said.map(|(score, _)| score);
            match self.judge.hear(side, said, number) {
                Some(Verdict::Wins(color)) => self.decide(Some(color))?,
                Some(Verdict::Draw) => self.decide(None)?,
                None => {}
            }
        }
        Ok(())
    }

    /// What a failure means: a clock that ran out on the way comes first.
    fn fail(
        &mut self,
        mover: Entrant,
        error: &EngineError,
        took: Duration,
    ) -> Result<(), Unfinished> {
        let side = self.session.turn();
        let silent = matches!(error, EngineError::NoBestMove { .. });
        let left = self.session.clock(self.now).left[side];
        if silent && left.is_some_and(|left| took >= left) {
            self.now = self.now + took;
            self.apply(Command::Tick)?;
            return self.flag_fell(mover);
        }
        if silent && self.plan.pace.is_too_late(took) {
            let sentence = format!("No answer came within {}.", seconds(took));
            return self.award(!side, mover, FaultKind::Time, sentence);
        }
        self.lose(mover, error)
    }

    fn flag_fell(&mut self, mover: Entrant) -> Result<(), Unfinished> {
        self.fault = Some(Fault {
            by: mover,
            kind: FaultKind::Time,
            sentence: "The time ran out.".to_owned(),
        });
        Ok(())
    }

    /// The mover loses because of what it did.
    fn lose(&mut self, mover: Entrant, error: &EngineError) -> Result<(), Unfinished> {
        let kind = match error {
            EngineError::IllegalMove { .. } | EngineError::NoMove => FaultKind::IllegalMove,
            _ => FaultKind::Crash,
        };
        let winner = !self.session.turn();
        self.award(winner, mover, kind, error.to_string())
    }

    fn award(
        &mut self,
        winner: Color,
        by: Entrant,
        kind: FaultKind,
        sentence: String,
    ) -> Result<(), Unfinished> {
        self.fault = Some(Fault { by, kind, sentence });
        match kind {
            FaultKind::Crash => self.apply(Command::Abandon {
                winner: Some(winner),
            }),
            FaultKind::IllegalMove | FaultKind::Time => self.decide(Some(winner)),
        }
    }

    fn decide(&mut self, winner: Option<Color>) -> Result<(), Unfinished> {
        self.apply(Command::Adjudicate { winner })
    }

    fn make(&mut self, m: Move) -> Result<(), Unfinished> {
        self.apply(Command::Play(MoveInput::Move(m)))?;
        // After a fallen flag the session did not look at the move, but then nobody asks for another either.
        let _ = self.played.push(m);
        Ok(())
    }

    fn apply(&mut self, command: Command) -> Result<(), Unfinished> {
        // Minds only say legal moves, so what is refused here is an opening that goes on after the end of the game.
        let refused = |refusal: tabiya_game::Refusal| Unfinished::Impossible(refusal.to_string());
        self.session
            .apply(command, self.now)
            .map(drop)
            .map_err(refused)
    }

    /// How it ended. A session without a clock knows nothing of a time for each move: it was only told who wins.
    fn outcome(&self) -> Option<Outcome> {
        let outcome = self.session.outcome()?;
        let time = matches!(&self.fault, Some(fault) if fault.kind == FaultKind::Time);
        Some(match outcome {
            Outcome::Adjudicated {
                winner: Some(winner),
            } if time => Outcome::Time { loser: !winner },
            outcome => outcome,
        })
    }

    fn finish(self) -> Result<Finished, Unfinished> {
        let Some(outcome) = self.outcome() else {
            return Err(Unfinished::Impossible("The game is not over.".to_owned()));
        };
        let mut record = self.session.publish();
        for said in &self.said {
            if let Some(annotation) = record.annotation_mut(said.node) {
                annotation.evaluation = said.evaluation;
                annotation.elapsed = Some(Duration::from_millis(
                    u64::try_from(said.took.as_millis()).unwrap_or(u64::MAX),
                ));
            }
        }
        let last = self.session.record().cursor().id();
        if let Some(fault) = &self.fault {
            let termination = match fault.kind {
                FaultKind::Crash => "abandoned",
                FaultKind::IllegalMove => "rules infraction",
                FaultKind::Time => "time forfeit",
            };
            set(record.tags_mut(), "Termination", termination);
            if let Some(annotation) = record.annotation_mut(last) {
                let name = &self.plan.names[fault.by];
                let text = format!("{name}: {}", fault.sentence);
                annotation.comments.extend(tabiya_game::Comment::new(&text));
            }
        }
        Ok(Finished {
            number: self.number,
            white: self.white,
            plies: self.session.ply(),
            record,
            outcome,
            fault: self.fault,
        })
    }
}

/// A time as people say it.
fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// Keeps the last score of the best line that is no mere bound, with its depth.
fn take_score(last: &mut Option<(Score, Option<u32>)>, info: &SearchInfo) {
    let info = &info.info;
    let is_best = info.multi_pv.is_none_or(|number| number == 1);
    if let Some(score) = info
        .score
        .filter(|score| is_best && score.bound == Bound::Exact)
    {
        *last = Some((score.value, info.depth));
    }
}

/// A score as records keep it: from White's side.
fn evaluation(side: Color, score: Score, depth: Option<u32>) -> Evaluation {
    Evaluation {
        score: score.for_white(side),
        depth,
    }
}

fn tags(plan: &Plan, number: u32, white: Entrant) -> Tags {
    let mut tags = Tags::new();
    set(&mut tags, "Event", "Match");
    set(&mut tags, "Date", &plan.date);
    set(&mut tags, "Round", &number.to_string());
    set(&mut tags, "White", &plan.names[white]);
    set(&mut tags, "Black", &plan.names[!white]);
    if plan.pace.clock() == TimeControl::UNLIMITED {
        set(&mut tags, "Pace", &plan.pace.to_string());
    }
    tags
}

fn set(tags: &mut Tags, name: &str, value: &str) {
    // A value that no tag can hold is left out: it is a name that somebody typed.
    let _ = tags.set(name, value);
}
