//! Carries out orders: starts engines, has them think, and reports the results.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tabiya_rules::SplitMix64;
use tabiya_uci::{BestMove, SearchInfo, WorkerEvent};

use super::{EngineOrder, SearchRequest, Seat};
use crate::engines::KnownEngines;
use crate::players::{Player, PlayerConfig, PlayerError, PlayerSpec, SharedBook};
use crate::threads;

/// An event of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineEvent {
    /// What the search of this number has found so far.
    Report(u64, SearchInfo),
    /// The move that the search of this number found.
    Move(u64, BestMove),
    /// The player cannot be used, or not any longer.
    Failed(PlayerError),
}

/// Receives the events of running engines, from their threads. It must not wait for the thread that gives orders.
pub type EngineListener = Arc<dyn Fn(Seat, EngineEvent) + Send + Sync>;

/// The engines that are running.
pub struct RunningEngines {
    known: KnownEngines,
    listener: EngineListener,
    /// The source of random seeds for bots with a level.
    random: SplitMix64,
    /// The book that bots play from.
    book: Option<SharedBook>,
    running: Vec<Running>,
}

struct Running {
    seat: Seat,
    spec: PlayerSpec,
    lines: usize,
    player: Player,
    /// Set when the player is dismissed, because its later events, above all that it has ended, are not about its
    /// successor.
    dismissed: Arc<AtomicBool>,
}

impl RunningEngines {
    /// Creates the list without running players. `random` decides what bots with a level overlook.
    pub fn new(
        known: KnownEngines,
        random: SplitMix64,
        listener: EngineListener,
    ) -> RunningEngines {
        RunningEngines {
            known,
            listener,
            random,
            book: None,
            running: Vec::new(),
        }
    }

    /// Sets the book of the bots that are started from now on, or none. Hints never come from a book.
    pub fn set_book(&mut self, book: Option<SharedBook>) {
        self.book = book;
    }

    /// Carries out an order without waiting. Returns the failure of a player that cannot be started; the listener is
    /// only for the threads of players.
    #[must_use]
    pub fn carry_out(&mut self, order: EngineOrder) -> Option<(Seat, EngineEvent)> {
        match order {
            EngineOrder::Think(request) => {
                let seat = request.seat;
                let started = self.think(*request);
                return started.err().map(|why| (seat, EngineEvent::Failed(why)));
            }
            EngineOrder::Stop(seat) => self.with_player(seat, Player::stop),
            EngineOrder::NewGame(seat) => self.new_game(seat),
            EngineOrder::Dismiss(seat) => self.dismiss(seat),
        }
        None
    }

    /// A bot is restarted for each game, so that it does not overlook the same things again.
    fn new_game(&mut self, seat: Seat) {
        let is_bot = |one: &Running| one.seat == seat && matches!(one.spec, PlayerSpec::Bot(_));
        if self.running.iter().any(is_bot) {
            self.dismiss(seat);
        }
        self.with_player(seat, Player::new_game);
    }

    /// Does something with the player of a seat, if it is running.
    fn with_player(&self, seat: Seat, act: impl FnOnce(&Player)) {
        let sits = self.running.iter().find(|running| running.seat == seat);
        if let Some(running) = sits {
            act(&running.player);
        }
    }

    /// Has a player think, and starts it first if necessary.
    fn think(&mut self, request: SearchRequest) -> Result<(), PlayerError> {
        let wanted = (request.seat, &request.spec, request.lines);
        let sits = |running: &Running| (running.seat, &running.spec, running.lines) == wanted;
        if !self.running.iter().any(sits) {
            self.start_player(&request)?;
        }
        self.with_player(request.seat, |player| {
            player.think(request.number, request.played, request.go);
        });
        Ok(())
    }

    /// Starts the player of a search in place of the one in its seat.
    fn start_player(&mut self, request: &SearchRequest) -> Result<(), PlayerError> {
        let (seat, lines) = (request.seat, request.lines);
        self.dismiss(seat);
        let mut config =
            PlayerConfig::of(&request.spec, &self.known)?.ok_or(PlayerError::Person)?;
        let seed = self.random.next_u64();
        match &mut config {
            PlayerConfig::Bot(bot) => {
                bot.settings.multi_pv = lines;
                bot.settings.seed = Some(seed);
                bot.book = self.book.clone().filter(|_| seat != Seat::Adviser);
            }
            PlayerConfig::Uci(command) if lines > 1 => command.set("MultiPV", &lines.to_string()),
            PlayerConfig::Uci(_) => {}
        }
        let listener = Arc::clone(&self.listener);
        let dismissed = Arc::new(AtomicBool::new(false));
        let silent = Arc::clone(&dismissed);
        let player = Player::start(config, move |event| {
            if let Some(event) = engine_event(event)
                && !silent.load(Ordering::Relaxed)
            {
                listener(seat, event);
            }
        })?;
        self.running.push(Running {
            seat,
            spec: request.spec.clone(),
            lines,
            player,
            dismissed,
        });
        Ok(())
    }

    /// Ends a player in another thread, because that may take a moment.
    fn dismiss(&mut self, seat: Seat) {
        let at = self.running.iter().position(|running| running.seat == seat);
        if let Some(at) = at {
            let gone = self.running.swap_remove(at);
            gone.dismissed.store(true, Ordering::Relaxed);
            threads::spawn_or_run(move || drop(gone.player));
        }
    }
}

/// What an event of a player means for the game, if anything.
fn engine_event(event: WorkerEvent) -> Option<EngineEvent> {
    Some(match event {
        WorkerEvent::Info(number, info) => EngineEvent::Report(number, info),
        WorkerEvent::BestMove(number, reply) => EngineEvent::Move(number, reply),
        WorkerEvent::Refused(error) | WorkerEvent::Failed(error) => {
            EngineEvent::Failed(error.into())
        }
        WorkerEvent::Started { .. } | WorkerEvent::Notice(_) | WorkerEvent::Ended(_) => {
            return None;
        }
    })
}

impl std::fmt::Debug for RunningEngines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunningEngines").finish_non_exhaustive()
    }
}
