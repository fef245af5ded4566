//! Carries out orders: starts engines, has them think, and tells what comes of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tabiya_rules::SplitMix64;
use tabiya_uci::{BestReply, EngineCommand, SearchInfo, WorkerEvent};

use super::{Chair, Order, Task};
use crate::engines::KnownEngines;
use crate::room::{Player, PlayerSpec, Recipe};

/// What an engine told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// What the player calls itself.
    Started(String),
    Report(u64, SearchInfo),
    Move(u64, BestReply),
    /// It cannot be used any more, or at all; a sentence says why.
    Failed(String),
}

/// Takes what the engines tell. It may be called from any thread, and must not wait for the one that gives orders.
pub(crate) type Tell = Arc<dyn Fn(Chair, Told) + Send + Sync>;

/// The engines that are running.
pub(crate) struct Players {
    known: KnownEngines,
    tell: Tell,
    /// What levels overlook is left to chance.
    random: SplitMix64,
    running: Vec<Running>,
}

struct Running {
    chair: Chair,
    spec: PlayerSpec,
    lines: usize,
    player: Player,
    /// Set when it is dismissed: what it tells then, that it ended above all, is not about who sits there now.
    dismissed: Arc<AtomicBool>,
}

impl Players {
    pub(crate) fn new(known: KnownEngines, random: SplitMix64, tell: Tell) -> Players {
        Players {
            known,
            tell,
            random,
            running: Vec::new(),
        }
    }

    /// Does what is to be done, and never waits for it.
    pub(crate) fn carry_out(&mut self, order: Order) {
        match order {
            Order::Think(task) => self.think(&task),
            Order::Stop(chair) => self.with(chair, Player::stop),
            Order::NewGame(chair) => self.new_game(chair),
            Order::Dismiss(chair) => self.dismiss(chair),
        }
    }

    /// The bot begins each game anew, so that it does not overlook the same things again.
    fn new_game(&mut self, chair: Chair) {
        let is_bot = |one: &Running| one.chair == chair && matches!(one.spec, PlayerSpec::Bot(_));
        if self.running.iter().any(is_bot) {
            self.dismiss(chair);
        }
        self.with(chair, Player::new_game);
    }

    fn with(&self, chair: Chair, act: impl Fn(&Player)) {
        let sits = self.running.iter().find(|running| running.chair == chair);
        if let Some(running) = sits {
            act(&running.player);
        }
    }

    fn think(&mut self, task: &Task) {
        let Task {
            chair, spec, lines, ..
        } = task;
        let sits = |running: &Running| {
            running.chair == *chair && running.spec == *spec && running.lines == *lines
        };
        if !self.running.iter().any(sits)
            && let Err(sentence) = self.start(*chair, spec, *lines)
        {
            return (self.tell)(*chair, Told::Failed(sentence));
        }
        self.with(task.chair, |player| {
            player.think(task.number, task.played.clone(), task.go.clone());
        });
    }

    fn start(&mut self, chair: Chair, spec: &PlayerSpec, lines: usize) -> Result<(), String> {
        self.dismiss(chair);
        let known = |name: &str| self.known.command(name);
        let recipe = Recipe::of(spec, known).map_err(|error| error.to_string())?;
        let recipe = recipe.ok_or("A person is no engine.")?;
        let tell = Arc::clone(&self.tell);
        let recipe = with_lines(recipe, lines, self.random.next_u64());
        let dismissed = Arc::new(AtomicBool::new(false));
        let silent = Arc::clone(&dismissed);
        let player = Player::start(recipe, move |event| {
            if let Some(told) = told(event)
                && !silent.load(Ordering::Relaxed)
            {
                tell(chair, told);
            }
        });
        self.running.push(Running {
            chair,
            spec: spec.clone(),
            lines,
            player,
            dismissed,
        });
        Ok(())
    }

    /// Ends a player, in a thread of its own because that may take a moment.
    fn dismiss(&mut self, chair: Chair) {
        let at = self
            .running
            .iter()
            .position(|running| running.chair == chair);
        if let Some(at) = at {
            let gone = self.running.swap_remove(at);
            gone.dismissed.store(true, Ordering::Relaxed);
            thread::spawn(move || drop(gone.player));
        }
    }
}

/// Asks for several lines, and lets chance be what it is.
fn with_lines(recipe: Recipe, lines: usize, seed: u64) -> Recipe {
    match recipe {
        Recipe::Bot(mut settings) => {
            settings.multi_pv = lines;
            settings.seed = Some(seed);
            Recipe::Bot(settings)
        }
        Recipe::Uci(mut command) if lines > 1 => {
            EngineCommand::set(&mut command, "MultiPV", &lines.to_string());
            Recipe::Uci(command)
        }
        recipe => recipe,
    }
}

fn told(event: WorkerEvent) -> Option<Told> {
    Some(match event {
        WorkerEvent::Started { name, .. } => Told::Started(name),
        WorkerEvent::Info(number, info) => Told::Report(number, info),
        WorkerEvent::BestMove(number, reply) => Told::Move(number, reply),
        WorkerEvent::Refused(error) | WorkerEvent::Failed(error) => Told::Failed(error.to_string()),
        WorkerEvent::Notice(_) | WorkerEvent::Ended(_) => return None,
    })
}

impl std::fmt::Debug for Players {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Players").finish_non_exhaustive()
    }
}
