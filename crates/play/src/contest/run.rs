//! The threads that play a match, and the events they report.

use std::mem;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tabiya_engine::Level;
use tabiya_game::{Refusal, Session, Timestamp};
use tabiya_rules::{ByColor, Move, MoveHistory, Score, SplitMix64};
use tabiya_uci::{EngineError, Go, Overrun};
use thiserror::Error;

use super::adjudication::Adjudication;
use super::entrant::{ByEntrant, Entrant};
use super::game::{Finished, Game, Unfinished};
use super::openings::{OpeningPicker, Openings};
use super::standing::Standing;
use super::statistics::{Decision, Sprt};
use super::thinking_limit::ThinkingLimit;
use crate::players::{BlockingPlayer, BookUnreadable, PlayerConfig, StopHandle};
use crate::threads::{self, NoThread};

/// What to play.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How to start the players.
    pub configs: ByEntrant<PlayerConfig>,
    /// The names of the players in the records.
    pub names: ByEntrant<String>,
    /// The date in the records, in PGN form.
    pub date: String,
    /// The number of games. Two games share an opening.
    pub games: u32,
    /// How long the players may think.
    pub limit: ThinkingLimit,
    /// Where the games begin.
    pub openings: Openings,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// A sequential test that ends the match when it is decided.
    pub sprt: Option<Sprt>,
    /// How many games are played concurrently.
    pub concurrency: NonZeroUsize,
    /// The seed of everything random.
    pub seed: u64,
}

impl Plan {
    /// The search limits of a player. A bot with a level searches as many nodes as it always does: limits in nodes or
    /// depth apply to the others.
    pub(super) fn go(&self, entrant: Entrant, session: &Session, now: Timestamp) -> Go {
        let go = self.limit.go(session, now);
        match &self.configs[entrant] {
            PlayerConfig::Bot(bot) if bot.settings.level.is_some_and(Level::is_limited) => {
                go.with_nodes(None).with_depth(None)
            }
            PlayerConfig::Bot(_) | PlayerConfig::Uci(_) => go,
        }
    }

    /// The error that ends the match because of this player.
    pub(super) fn broken_by(&self, entrant: Entrant, error: EngineError) -> ContestError {
        let name = self.names[entrant].clone();
        ContestError::Player { name, error }
    }

    /// The seed of a player in a game, the same on every thread.
    fn seed_of(&self, entrant: Entrant, game: u32) -> u64 {
        let place = u64::from(game) * 2 + u64::from(entrant == Entrant::B);
        SplitMix64::new(self.seed ^ SplitMix64::new(place).next_u64()).next_u64()
    }
}

/// What happens in a match. Games are identified by their numbers, from 1.
///
/// Stays exhaustive until 1.0, so that the compiler finds what a new event needs.
#[derive(Clone, Debug)]
pub enum Event {
    /// A game started.
    GameStarted {
        /// Its number.
        game: u32,
        /// Who has White.
        white: Entrant,
        /// The opening.
        played: MoveHistory,
    },
    /// A player moved.
    Moved {
        /// The game.
        game: u32,
        /// The move.
        played: Move,
        /// The mover's evaluation, from its own point of view.
        score: Option<Score>,
        /// The time left.
        left: ByColor<Option<Duration>>,
    },
    /// A player exceeded its nodes or depth, or sent nothing for too long. It was told to stop, and its move counts.
    /// Only the first time is reported, because it will happen on every move.
    Overran {
        /// The player.
        by: Entrant,
        /// What it did.
        overrun: Overrun,
    },
    /// A game is over.
    GameEnded(Box<Finished>),
    /// The score after a game.
    Score(Standing),
    /// The match is over. This is the last event.
    Over(End),
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All games were played.
    Played,
    /// The test is decided.
    Decided(Decision),
    /// It was stopped.
    Stopped,
    /// It could not continue.
    Broken(ContestError),
}

/// Why a match cannot continue.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ContestError {
    /// A player cannot be started, or does not understand a command.
    #[error("{name}: {error}")]
    Player {
        /// Its name in the match.
        name: String,
        /// What is wrong with it.
        error: EngineError,
    },
    /// A side that is to move has no player.
    #[error("A player is missing.")]
    NoPlayer,
    /// The engine that finds openings cannot be started.
    #[error("No openings can be found.")]
    NoOpenings,
    /// The book that the openings come from cannot be read.
    #[error(transparent)]
    Book(#[from] BookUnreadable),
    /// An opening continues after the end of the game.
    #[error("{0}")]
    Refused(Refusal),
    /// Neither side moves, but the game has no result.
    #[error("The game is not over.")]
    NotOver,
    /// The system refuses every thread.
    #[error(transparent)]
    NoThread(#[from] NoThread),
    /// The threads of the match ended without a report.
    #[error("The match broke off.")]
    Silent,
}

/// A running match. Dropping it stops it and waits until all of its threads have ended.
#[derive(Debug)]
pub struct Contest {
    shared: Arc<RunningMatch>,
    thread: Option<JoinHandle<()>>,
}

/// What the threads of a match share.
#[derive(Debug)]
struct RunningMatch {
    plan: Plan,
    /// The number of the last game that was started.
    begun: AtomicU32,
    standing: Mutex<Standing>,
    end: Mutex<Option<End>>,
    /// One for each thread that plays games.
    halts: Vec<StopHandle>,
}

impl Contest {
    /// Starts the players and plays the match. The callback receives events from several threads but never from two at
    /// once, and must not wait for the thread that drops the match.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn start(
        plan: Plan,
        report: impl FnMut(Event) + Send + 'static,
    ) -> Result<Contest, NoThread> {
        let games = usize::try_from(plan.games).unwrap_or(usize::MAX);
        let workers = plan.concurrency.get().min(games.max(1));
        let shared = Arc::new(RunningMatch {
            standing: Mutex::new(Standing::new(plan.sprt)),
            plan,
            begun: AtomicU32::new(0),
            end: Mutex::new(None),
            halts: (0..workers).map(|_| StopHandle::default()).collect(),
        });
        let held = Arc::clone(&shared);
        let thread = threads::spawn(move || held.supervise(report))?;
        Ok(Contest {
            shared,
            thread: Some(thread),
        })
    }

    /// Stops the match: running games are dropped, and `Over` follows soon.
    pub fn stop(&self) {
        self.shared.end(End::Stopped);
    }
}

impl Drop for Contest {
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has nothing left to wait for.
            let _ = thread.join();
        }
    }
}

impl RunningMatch {
    /// Plays the match, and reports its events one after another.
    fn supervise(&self, mut report: impl FnMut(Event) + Send) {
        let mut overran = ByEntrant::new(false, false);
        let report = Mutex::new(move |event| {
            let again =
                matches!(event, Event::Overran { by, .. } if mem::replace(&mut overran[by], true));
            if !again {
                report(event);
            }
        });
        thread::scope(|scope| {
            let mut started = 0;
            for stop in &self.halts {
                let spawned = threads::spawn_scoped(scope, || {
                    let mut report = |event| {
                        let mut report = report.lock().unwrap_or_else(PoisonError::into_inner);
                        report(event);
                    };
                    if let Err(Unfinished::Impossible(error)) = self.work(stop, &mut report) {
                        self.end(End::Broken(error));
                    }
                });
                match spawned {
                    Ok(_) => started += 1,
                    // A match with fewer concurrent games than planned is still a match.
                    Err(none) if started == 0 => self.end(End::Broken(none.into())),
                    Err(_) => break,
                }
            }
        });
        let end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        let end = end.clone().unwrap_or(End::Played);
        let mut report = report.into_inner().unwrap_or_else(PoisonError::into_inner);
        report(Event::Over(end));
    }

    /// Ends the match. The first reason counts.
    fn end(&self, reason: End) {
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        end.get_or_insert(reason);
        self.halts.iter().for_each(StopHandle::stop);
    }

    /// Plays games until there are no more.
    fn work(&self, stop: &StopHandle, report: &mut impl FnMut(Event)) -> Result<(), Unfinished> {
        let mut players: ByEntrant<Option<BlockingPlayer>> = ByEntrant::default();
        let mut picker = OpeningPicker::new().ok_or(ContestError::NoOpenings)?;
        let plan = &self.plan;
        loop {
            let number = self.begun.fetch_add(1, Ordering::Relaxed).saturating_add(1);
            if number > plan.games {
                break;
            }
            for entrant in [Entrant::A, Entrant::B] {
                self.prepare(entrant, number, &mut players[entrant], stop)?;
            }
            let pair = (number - 1) / 2;
            let opening = picker.find(&plan.openings, plan.seed, pair, stop);
            let opening = opening
                .map_err(ContestError::Book)?
                .ok_or(Unfinished::Halted)?;
            let game = Game::new(plan, number, &opening)?;
            let finished = game.play(&mut players, stop, report)?;
            self.score(finished, report);
        }
        for player in [players.a, players.b].into_iter().flatten() {
            player.quit();
        }
        Ok(())
    }

    /// Prepares a player for the next game, and starts it if it is not running.
    fn prepare(
        &self,
        entrant: Entrant,
        game: u32,
        player: &mut Option<BlockingPlayer>,
        stop: &StopHandle,
    ) -> Result<(), Unfinished> {
        let seed = self.plan.seed_of(entrant, game);
        let broken = |error| self.plan.broken_by(entrant, error);
        if let Some(old) = player
            && let Err(error) = old.new_game(seed)
        {
            // It failed between two games, so it loses neither.
            *player = None;
            if !error.is_fatal() {
                return Err(broken(error).into());
            }
        }
        if player.is_none() {
            if stop.is_asked() {
                return Err(Unfinished::Halted);
            }
            let config = &self.plan.configs[entrant];
            let mut fresh = BlockingPlayer::start(config).map_err(broken)?;
            fresh.new_game(seed).map_err(broken)?;
            *player = Some(fresh);
        }
        Ok(())
    }

    /// Counts a game, and ends the match if the test is now decided.
    fn score(&self, finished: Finished, report: &mut impl FnMut(Event)) {
        let mut standing = self.standing.lock().unwrap_or_else(PoisonError::into_inner);
        standing.add(&finished);
        report(Event::GameEnded(Box::new(finished)));
        report(Event::Score(standing.clone()));
        let decision = standing.decision();
        drop(standing);
        if let Some(decision @ (Decision::Elo0 | Decision::Elo1)) = decision {
            self.end(End::Decided(decision));
        }
    }
}

#[cfg(test)]
mod tests;
