//! A player that thinks in the calling thread.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tabiya_engine::{Control, Settings};
use tabiya_rules::MoveHistory;
use tabiya_uci::{
    BestMove, Deadlines, Engine, EngineCommand, EngineError, EngineHandle, Go, Notice, Overrun,
    SearchEvent, SearchInfo,
};
use thiserror::Error;

use super::bot::{self, Bot, BotConfig};
use super::resolve::{ResolveError, resolve, resolve_named};
use super::spec::PlayerSpec;
use crate::engines::KnownEngines;
use crate::threads::NoThread;

/// What it takes to start a player other than a person.
#[derive(Clone, Debug)]
pub enum PlayerConfig {
    /// The built-in engine.
    Bot(BotConfig),
    /// Another program.
    Uci(EngineCommand),
}

impl PlayerConfig {
    /// The config of a player; `None` for a person. Engine names are looked up among the known ones.
    ///
    /// # Errors
    /// There is no such engine, or only a file names it.
    pub fn of(
        spec: &PlayerSpec,
        known: &KnownEngines,
    ) -> Result<Option<PlayerConfig>, ResolveError> {
        Ok(Some(match spec {
            PlayerSpec::Human | PlayerSpec::Remote(_) => return Ok(None),
            PlayerSpec::Bot(level) => PlayerConfig::Bot(Settings::new().with_level(*level).into()),
            PlayerSpec::Uci(engine) => PlayerConfig::Uci(resolve(engine, known)?),
            PlayerSpec::Named(engine) => PlayerConfig::Uci(resolve_named(engine, known)?),
        }))
    }
}

/// Why a player cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerError {
    /// There is no such engine, or it may not be started.
    #[error(transparent)]
    Unresolved(#[from] ResolveError),
    /// The engine cannot be started, or failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A person was asked for an engine's move.
    #[error("A person is not an engine.")]
    Person,
    /// A person was named to judge a game.
    #[error("A person cannot judge a game; name an engine.")]
    PersonAsJudge,
    /// The system refuses a thread.
    #[error(transparent)]
    NoThread(#[from] NoThread),
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerReply {
    /// The move.
    pub reply: BestMove,
    /// How long it took, from the order to think.
    pub took: Duration,
    /// Why it had to be told to stop, if it exceeded its limits.
    pub overrun: Option<Overrun>,
}

/// A player that thinks in the calling thread: the built-in engine, or another program. Dropping it ends it.
#[derive(Debug)]
pub enum BlockingPlayer {
    /// The built-in engine.
    Bot(Box<Bot>),
    /// Another program.
    Uci(Box<Engine>),
}

impl BlockingPlayer {
    /// Starts the player. Another program introduces itself and takes its options.
    ///
    /// # Errors
    /// The program cannot be started, is no UCI engine, or does not have the options.
    pub fn start(config: &PlayerConfig) -> Result<BlockingPlayer, EngineError> {
        Ok(match config {
            PlayerConfig::Bot(config) => BlockingPlayer::Bot(Box::new(Bot::new(config.clone()))),
            PlayerConfig::Uci(command) => {
                BlockingPlayer::Uci(Box::new(Engine::start(command, Deadlines::default())?))
            }
        })
    }

    /// The name it reports.
    pub fn name(&self) -> &str {
        match self {
            BlockingPlayer::Bot(_) => bot::NAME,
            BlockingPlayer::Uci(engine) => engine.name(),
        }
    }

    /// Prepares for another game. The seed decides what a level overlooks and misjudges in it.
    ///
    /// # Errors
    /// The engine has failed, or is not ready in time.
    pub fn new_game(&mut self, seed: u64) -> Result<(), EngineError> {
        match self {
            BlockingPlayer::Bot(bot) => {
                bot.set_seed(seed);
                bot.new_game();
                Ok(())
            }
            BlockingPlayer::Uci(engine) => engine.new_game(),
        }
    }

    /// Thinks until there is a move, and reports meanwhile. The handle can stop it from another thread; the move is
    /// then the best one so far.
    ///
    /// # Errors
    /// The engine has exited, is silent, or sent an illegal move. It is gone then.
    pub fn think(
        &mut self,
        played: &MoveHistory,
        go: Go,
        stop: &StopHandle,
        mut report: impl FnMut(&SearchInfo),
    ) -> Result<PlayerReply, EngineError> {
        let mut overrun = None;
        let (reply, took) = match self {
            BlockingPlayer::Bot(bot) => {
                let control = Arc::new(Control::new());
                let _watched = stop.watch(StopTarget::Bot(Arc::clone(&control)));
                let reply = bot.think(played, &go, &control, |info| report(&info));
                (reply, control.elapsed())
            }
            BlockingPlayer::Uci(engine) => {
                engine.go(played, go)?;
                let begun = Instant::now();
                let _watched = stop.watch(StopTarget::Uci(engine.handle()));
                loop {
                    match engine.next_event(Duration::from_secs(1))? {
                        Some(SearchEvent::BestMove(reply)) => break (reply, begun.elapsed()),
                        Some(SearchEvent::Info(info)) => report(&info),
                        Some(SearchEvent::Notice(Notice::Overrun(how))) => overrun = Some(how),
                        Some(SearchEvent::Notice(_)) | None => {}
                    }
                }
            }
        };
        Ok(PlayerReply {
            reply,
            took,
            overrun,
        })
    }

    /// Ends the player cleanly. Dropping it ends it at once.
    pub fn quit(self) {
        if let BlockingPlayer::Uci(engine) = self {
            engine.quit();
        }
    }
}

/// Stops searches from another thread: the current one, and every later one that gets this handle.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<Mutex<StopState>>);

#[derive(Debug, Default)]
struct StopState {
    asked: bool,
    target: Option<StopTarget>,
}

#[derive(Debug)]
enum StopTarget {
    Bot(Arc<Control>),
    Uci(EngineHandle),
}

impl StopTarget {
    fn stop(&self) {
        match self {
            StopTarget::Bot(control) => control.stop(),
            StopTarget::Uci(handle) => handle.stop(),
        }
    }
}

impl StopHandle {
    /// Stops the current search, and any later one as soon as it begins.
    pub fn stop(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.asked = true;
        if let Some(target) = &state.target {
            target.stop();
        }
    }

    /// Whether [`StopHandle::stop`] was called.
    pub fn is_asked(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).asked
    }

    /// Passes a stop on to a search, as long as the guard lives.
    fn watch(&self, target: StopTarget) -> StopGuard<'_> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.asked {
            target.stop();
        }
        state.target = Some(target);
        StopGuard(self)
    }
}

/// Forgets the search when it is over.
struct StopGuard<'a>(&'a StopHandle);

impl Drop for StopGuard<'_> {
    fn drop(&mut self) {
        let mut state = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.target = None;
    }
}
