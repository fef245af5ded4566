//! A player with its own thread, for callers that must never wait: every call returns at once, and results go to a
//! callback.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tabiya_engine::{Control, SearchHandle, SearchPool, SearchPriority};
use tabiya_rules::MoveHistory;
use tabiya_uci::{Deadlines, EngineError, ExitNote, Go, Worker, WorkerEvent};

use super::blocking::PlayerConfig;
use super::bot::{self, Bot, BotConfig};
use crate::threads::NoThread;

/// A player in its own thread. Dropping it ends it at once.
///
/// It reports [`WorkerEvent`]s for either kind of player: first `Started`; for each search its reports and its move,
/// under the number of the search, unless another search replaced it; last `Ended` or `Failed`. The built-in engine
/// never fails.
#[derive(Debug)]
pub enum Player {
    /// The built-in engine.
    Bot(BotWorker),
    /// Another program.
    Uci(Worker),
}

impl Player {
    /// Starts the thread, which starts the player. The callback must not wait for the thread that drops the player.
    ///
    /// # Errors
    /// The system refuses a thread for the built-in engine.
    pub fn start(
        config: PlayerConfig,
        listener: impl FnMut(WorkerEvent) + Send + 'static,
    ) -> Result<Player, EngineError> {
        Ok(match config {
            PlayerConfig::Bot(config) => Player::Bot(BotWorker::start(config, listener)?),
            PlayerConfig::Uci(command) => {
                Player::Uci(Worker::start(command, Deadlines::default(), listener))
            }
        })
    }

    /// Starts a search under a number greater than all earlier ones. A running search is stopped first, and its move is
    /// not reported.
    pub fn think(&self, number: u64, played: MoveHistory, go: Go) {
        match self {
            Player::Bot(bot) => bot.think(number, played, go),
            Player::Uci(worker) => worker.think(number, played, go),
        }
    }

    /// Prepares for another game. A running search is stopped, and its move is not reported.
    pub fn new_game(&self) {
        match self {
            Player::Bot(bot) => bot.new_game(),
            Player::Uci(worker) => worker.new_game(),
        }
    }

    /// Stops thinking and reports the best move so far. Does nothing without a search.
    pub fn stop(&self) {
        match self {
            Player::Bot(bot) => bot.stop(),
            Player::Uci(worker) => worker.stop(),
        }
    }
}

/// The built-in engine in its own thread.
#[derive(Debug)]
pub struct BotWorker {
    /// The last search requested. Reports and moves of other searches are not wanted.
    search: Mutex<Option<SearchHandle>>,
    thread: SearchPool<BotThread>,
}

/// What the thread owns.
struct BotThread {
    bot: Bot,
    listener: Box<dyn FnMut(WorkerEvent) + Send>,
}

impl BotWorker {
    fn start(
        config: BotConfig,
        listener: impl FnMut(WorkerEvent) + Send + 'static,
    ) -> Result<BotWorker, EngineError> {
        let bot = Bot::new(config);
        let listener = Box::new(listener);
        let thread = SearchPool::start([BotThread { bot, listener }]);
        let thread = thread.map_err(|_| EngineError::Start {
            program: bot::NAME.into(),
            problem: NoThread.to_string(),
        })?;
        thread.run(|own| {
            (own.listener)(WorkerEvent::Started {
                name: bot::NAME.to_owned(),
                options: Vec::new(),
            });
        });
        Ok(BotWorker {
            search: Mutex::default(),
            thread,
        })
    }

    /// Has the bot think, in place of an earlier search.
    fn think(&self, number: u64, played: MoveHistory, go: Go) {
        let search = move |own: &mut BotThread, control: &Control| {
            let BotThread { bot, listener } = own;
            let mut report = |event| {
                if !control.is_abandoned() {
                    listener(event);
                }
            };
            let reply = bot.think(&played, &go, control, |info| {
                report(WorkerEvent::Info(number, info));
            });
            report(WorkerEvent::BestMove(number, reply));
        };
        let handle = self.thread.search(SearchPriority::Normal, search);
        *self.last_search() = Some(handle);
    }

    fn new_game(&self) {
        *self.last_search() = None;
        self.thread.run(|own| own.bot.new_game());
    }

    /// Stops the last search. Its move is still reported.
    fn stop(&self) {
        if let Some(search) = &*self.last_search() {
            search.stop();
        }
    }

    fn last_search(&self) -> MutexGuard<'_, Option<SearchHandle>> {
        self.search.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for BotWorker {
    fn drop(&mut self) {
        *self.last_search() = None;
        self.thread
            .run(|own| (own.listener)(WorkerEvent::Ended(ExitNote::Code(0))));
        self.thread.join();
    }
}

#[cfg(test)]
mod tests;
