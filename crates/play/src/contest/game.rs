//! One game between two players, played through a session.

use std::time::{Duration, Instant};

use tabiya_game::{
    Command, DrawPolicy, Evaluation, MoveInput, NewGame, NodeId, Outcome, Policy, Record, Session,
    Tags, TimeControl, Timestamp,
};
use tabiya_rules::{ByColor, Color, Move, MoveHistory, Score};
use tabiya_uci::{EngineError, SearchInfo};
use thiserror::Error;

use super::adjudication::{Adjudicator, Ruling};
use super::entrant::{ByEntrant, Entrant};
use super::openings::Opening;
use super::run::{ContestError, Event, Plan};
use crate::players::{BlockingPlayer, StopHandle};

/// A game that is over.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Its number in the match, from 1.
    pub number: u32,
    /// The player who had White.
    pub white: Entrant,
    /// The game with its tags, clock times and the players' evaluations.
    pub record: Record,
    /// How it ended.
    pub outcome: Outcome,
    /// What cost a player the game, if it was not chess.
    pub fault: Option<Fault>,
    /// The number of plies, including the opening.
    pub plies: u32,
}

impl Finished {
    /// The winner, if there is one.
    pub fn winner(&self) -> Option<Entrant> {
        let winner = self.outcome.winner()?;
        Some(seat(self.white, winner))
    }

    /// The number of its pair, from 0. The two games of a pair share an opening.
    pub fn pair(&self) -> u32 {
        self.number.saturating_sub(1) / 2
    }
}

/// A failure other than bad chess that cost a player the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The player at fault.
    pub by: Entrant,
    /// What happened.
    pub cause: FaultCause,
}

/// What a player did to lose.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FaultCause {
    /// Its clock ran out.
    #[error("The time ran out.")]
    Flag,
    /// The answer came only after this time, later than the time for one move.
    #[error("The answer came after {}.", seconds(*.0))]
    Late(Duration),
    /// No answer came within this time, which is longer than the time for one move.
    #[error("No answer came within {}.", seconds(*.0))]
    Silent(Duration),
    /// The engine failed, or chose an illegal move.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl FaultCause {
    /// The kind under which it is counted.
    pub fn kind(&self) -> FaultKind {
        match self {
            FaultCause::Flag | FaultCause::Late(_) | FaultCause::Silent(_) => FaultKind::Time,
            FaultCause::Engine(EngineError::IllegalMove { .. } | EngineError::NoMove) => {
                FaultKind::IllegalMove
            }
            FaultCause::Engine(_) => FaultKind::Crash,
        }
    }
}

/// The kinds of faults that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The player exited, stopped answering, or wrote something unreadable.
    Crash,
    /// It chose an illegal move.
    IllegalMove,
    /// Its time ran out.
    Time,
}

/// Why a game did not finish.
#[derive(Debug)]
pub(super) enum Unfinished {
    /// The match was stopped.
    Halted,
    /// The game cannot be played at all.
    Impossible(ContestError),
}

impl From<ContestError> for Unfinished {
    fn from(error: ContestError) -> Unfinished {
        Unfinished::Impossible(error)
    }
}

/// The player who has a color, given who has White.
fn seat(white: Entrant, color: Color) -> Entrant {
    match color {
        Color::White => white,
        Color::Black => !white,
    }
}

/// What a player reported with its move.
struct MoveReport {
    node: NodeId,
    took: Duration,
    evaluation: Option<Evaluation>,
}

/// A game in progress.
pub(super) struct Game<'a> {
    plan: &'a Plan,
    number: u32,
    white: Entrant,
    session: Session,
    /// The game's clock: it counts only the time that the players use.
    now: Timestamp,
    played: MoveHistory,
    judge: Adjudicator,
    reports: Vec<MoveReport>,
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
        let clock = plan.limit.clock();
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
            judge: Adjudicator::new(plan.adjudication),
            reports: Vec::new(),
            fault: None,
        };
        game.apply(Command::Tick)?;
        for &m in &opening.moves {
            game.now = game.now + plan.limit.opening_move(&game.session, game.now);
            game.play_move(m)?;
        }
        Ok(game)
    }

    /// Plays the game to its end. A player that fails is gone afterwards.
    pub(super) fn play(
        mut self,
        players: &mut ByEntrant<Option<BlockingPlayer>>,
        stop: &StopHandle,
        report: &mut impl FnMut(Event),
    ) -> Result<Finished, Unfinished> {
        report(Event::GameStarted {
            game: self.number,
            white: self.white,
            played: self.played.clone(),
        });
        while self.session.outcome().is_none() {
            let mover = seat(self.white, self.session.turn());
            let Some(player) = &mut players[mover] else {
                return Err(ContestError::NoPlayer.into());
            };
            let go = self.plan.go(mover, &self.session, self.now);
            let mut last = None;
            let begun = Instant::now();
            let thought =
                player.think(&self.played, go, stop, |info| record_score(&mut last, info));
            if stop.is_asked() {
                return Err(Unfinished::Halted);
            }
            match thought {
                Ok(thought) => {
                    if let Some(overrun) = thought.overrun {
                        report(Event::Overran { by: mover, overrun });
                    }
                    match thought.reply.best {
                        Some(best) => self.play_answer(mover, best, thought.took, last, report)?,
                        // A position without legal moves would have ended the game already.
                        None => self.lose(EngineError::NoMove.into())?,
                    }
                }
                Err(error) if error.is_fatal() => {
                    players[mover] = None;
                    self.fail(error, begun.elapsed())?;
                }
                Err(error) => return Err(self.plan.broken_by(mover, error).into()),
            }
        }
        self.finish()
    }

    /// Plays the move that a player answered with.
    fn play_answer(
        &mut self,
        mover: Entrant,
        best: Move,
        took: Duration,
        said: Option<(Score, Option<u32>)>,
        report: &mut impl FnMut(Event),
    ) -> Result<(), Unfinished> {
        let side = self.session.turn();
        self.now = self.now + took;
        if self.plan.limit.is_too_late(took) {
            return self.lose(FaultCause::Late(took));
        }
        let number = self.session.position().fullmove_number();
        self.play_move(best)?;
        let node = self.session.record().cursor().id();
        if self.session.ended_by_act() {
            self.blame(mover, FaultCause::Flag);
            return Ok(());
        }
        self.reports.push(MoveReport {
            node,
            took,
            // Records store scores from White's point of view.
            evaluation: said.map(|(score, depth)| Evaluation {
                score: score.for_white(side),
                depth,
            }),
        });
        let score = said.map(|(score, _)| score);
        report(Event::Moved {
            game: self.number,
            played: best,
            score,
            left: self.session.clock(self.now).left,
        });
        match self.session.outcome() {
            Some(_) => Ok(()),
            None => self.adjudicate(side, score, number),
        }
    }

    /// Ends the game if the scores that the players reported decide it. `number` is that of the last move.
    fn adjudicate(
        &mut self,
        side: Color,
        score: Option<Score>,
        number: u32,
    ) -> Result<(), Unfinished> {
        let winner = match self.judge.hear(side, score, number) {
            None => return Ok(()),
            Some(Ruling::Wins(color)) => Some(color),
            Some(Ruling::Draw) => None,
        };
        self.apply(Command::Adjudicate { winner })
    }

    /// Decides what a failure means. A clock that ran out meanwhile comes first.
    fn fail(&mut self, error: EngineError, took: Duration) -> Result<(), Unfinished> {
        let side = self.session.turn();
        let silent = matches!(error, EngineError::NoBestMove { .. });
        let left = self.session.clock(self.now).left[side];
        if silent && left.is_some_and(|left| took >= left) {
            self.now = self.now + took;
            self.blame(seat(self.white, side), FaultCause::Flag);
            return self.apply(Command::Tick);
        }
        if silent && self.plan.limit.is_too_late(took) {
            return self.lose(FaultCause::Silent(took));
        }
        self.lose(error.into())
    }

    /// Records why a player has lost.
    fn blame(&mut self, by: Entrant, cause: FaultCause) {
        self.fault = Some(Fault { by, cause });
    }

    /// The mover loses for this cause.
    fn lose(&mut self, cause: FaultCause) -> Result<(), Unfinished> {
        let kind = cause.kind();
        let loser = self.session.turn();
        self.blame(seat(self.white, loser), cause);
        let winner = Some(!loser);
        self.apply(match kind {
            FaultKind::Crash => Command::Abandon { winner },
            FaultKind::IllegalMove => Command::ForfeitByRules(loser),
            FaultKind::Time => Command::ForfeitOnTime(loser),
        })
    }

    /// Plays a move in the session and in the history for the players.
    fn play_move(&mut self, m: Move) -> Result<(), Unfinished> {
        self.apply(Command::Play(MoveInput::Move(m)))?;
        // If a flag has fallen, the session dropped the move, but then no other move will be requested either.
        let _ = self.played.push(m);
        Ok(())
    }

    /// Applies a command at the current time of the game.
    fn apply(&mut self, command: Command) -> Result<(), Unfinished> {
        // Players only answer with legal moves, so a refusal here means that the opening continues after the end of the
        // game.
        let applied = self.session.apply(command, self.now);
        applied
            .map(drop)
            .map_err(|refusal| ContestError::Refused(refusal).into())
    }

    /// The finished game, with the reports of the players as annotations.
    fn finish(self) -> Result<Finished, Unfinished> {
        let outcome = self.session.outcome().ok_or(ContestError::NotOver)?;
        let mut record = self.session.publish();
        for report in &self.reports {
            if let Some(annotation) = record.annotation_mut(report.node) {
                annotation.evaluation = report.evaluation;
                annotation.elapsed = Some(Duration::from_millis(
                    u64::try_from(report.took.as_millis()).unwrap_or(u64::MAX),
                ));
            }
        }
        let last = self.session.record().cursor().id();
        if let Some(fault) = &self.fault {
            let name = &self.plan.names[fault.by];
            let comment = tabiya_game::Comment::new(&format!("{name}: {}", fault.cause));
            if let Some(annotation) = record.annotation_mut(last) {
                annotation.comments.extend(comment);
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

/// Formats a time for people.
fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// Keeps the last exact score of the best line, with its depth.
fn record_score(last: &mut Option<(Score, Option<u32>)>, info: &SearchInfo) {
    if let Some(score) = info.exact_score().filter(|_| info.rank() == 1) {
        *last = Some((score, info.info.depth));
    }
}

fn tags(plan: &Plan, number: u32, white: Entrant) -> Tags {
    let mut tags = Tags::new();
    set_tag(&mut tags, "Event", "Match");
    set_tag(&mut tags, "Date", &plan.date);
    set_tag(&mut tags, "Round", &number.to_string());
    set_tag(&mut tags, "White", &plan.names[white]);
    set_tag(&mut tags, "Black", &plan.names[!white]);
    if plan.limit.clock() == TimeControl::UNLIMITED {
        set_tag(&mut tags, "Pace", &plan.limit.to_string());
    }
    tags
}

fn set_tag(tags: &mut Tags, name: &str, value: &str) {
    // A name that no tag can hold is left out.
    let _ = tags.set(name, value);
}
