//! A player with its own thread, for callers that must never wait: every call returns at once, and results go to a
//! callback.

use std::mem;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use tabiya_engine::Control;
use tabiya_rules::MoveHistory;
use tabiya_uci::{Deadlines, EngineError, ExitNote, Go, Worker, WorkerEvent};

use super::blocking::PlayerConfig;
use super::bot::{self, Bot, BotConfig};
use crate::threads;

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
            Player::Bot(bot) => bot.replace_search(None, BotCommand::NewGame),
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
    commands: Sender<BotCommand>,
    /// The control of the last search requested, started or not. Reports and moves of other searches are not wanted.
    last_search: Arc<Mutex<Option<Arc<Control>>>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
enum BotCommand {
    Think(u64, Box<MoveHistory>, Go, Arc<Control>),
    NewGame,
    Quit,
}

impl BotWorker {
    /// Starts the thread of a bot.
    fn start(
        config: BotConfig,
        mut listener: impl FnMut(WorkerEvent) + Send + 'static,
    ) -> Result<BotWorker, EngineError> {
        let (commands, inbox) = channel();
        let last_search = Arc::default();
        let shared = Arc::clone(&last_search);
        let spawned = threads::spawn(move || {
            listener(WorkerEvent::Started {
                name: bot::NAME.to_owned(),
                options: Vec::new(),
            });
            work(Bot::new(config), &inbox, &shared, &mut listener);
            listener(WorkerEvent::Ended(ExitNote::Code(0)));
        });
        let thread = spawned.map_err(|error| EngineError::Start {
            program: bot::NAME.into(),
            problem: error.to_string(),
        })?;
        Ok(BotWorker {
            commands,
            last_search,
            thread: Some(thread),
        })
    }

    /// Has the bot think, in place of an earlier search.
    fn think(&self, number: u64, played: MoveHistory, go: Go) {
        let control = Arc::new(Control::new());
        let command = BotCommand::Think(number, Box::new(played), go, Arc::clone(&control));
        self.replace_search(Some(control), command);
    }

    /// Ends the search because something else follows.
    fn replace_search(&self, next: Option<Arc<Control>>, command: BotCommand) {
        let last = mem::replace(&mut *lock(&self.last_search), next);
        if let Some(control) = last {
            control.stop();
        }
        // A thread that has ended was told to end.
        let _ = self.commands.send(command);
    }

    /// Stops the last search. Its move is still reported.
    fn stop(&self) {
        if let Some(control) = &*lock(&self.last_search) {
            control.stop();
        }
    }
}

impl Drop for BotWorker {
    fn drop(&mut self) {
        self.replace_search(None, BotCommand::Quit);
        if let Some(thread) = self.thread.take() {
            // A thread that panicked is gone too.
            let _ = thread.join();
        }
    }
}

/// Locks a mutex, whatever has happened to its last owner.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Carries out the commands until the last one.
fn work(
    mut bot: Bot,
    inbox: &Receiver<BotCommand>,
    last_search: &Mutex<Option<Arc<Control>>>,
    listener: &mut impl FnMut(WorkerEvent),
) {
    let is_replaced = |control: &Arc<Control>| {
        let last = lock(last_search);
        last.as_ref().is_none_or(|last| !Arc::ptr_eq(last, control))
    };
    for command in inbox {
        match command {
            BotCommand::Quit => return,
            BotCommand::NewGame => bot.new_game(),
            BotCommand::Think(.., control) if is_replaced(&control) => {}
            BotCommand::Think(number, played, go, control) => {
                let reply = bot.think(&played, &go, &control, |info| {
                    if !is_replaced(&control) {
                        listener(WorkerEvent::Info(number, info));
                    }
                });
                if !is_replaced(&control) {
                    listener(WorkerEvent::BestMove(number, reply));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
