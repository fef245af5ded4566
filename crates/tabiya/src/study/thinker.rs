//! The engine that judges games: a thread of its own thinks about one position after the other.

use std::sync::Arc;
use std::thread;

use tabiya_uci::Go;

use super::StudyTask;
use crate::analysis::{self, Bench, Verdict};
use crate::engines::KnownEngines;
use crate::room::{Halt, Mind, Recipe};

/// How long a position is thought about, in positions of the search. The same on every machine, so that a game is
/// always judged alike.
const NODES: u64 = 150_000;

/// What the thinker tells about the task of a number.
#[derive(Clone, Debug)]
pub(crate) enum Studied {
    /// What it thinks of a position, by its place in the task.
    Position {
        number: u64,
        at: usize,
        found: Verdict,
    },
    /// It has judged all of them, or cannot go on.
    Ended {
        number: u64,
        how: Result<(), String>,
    },
}

/// Where it tells; `false` if nobody listens any more.
type Tell = Arc<dyn Fn(Studied) -> bool + Send + Sync>;

/// What thinks.
pub(crate) struct Thinker {
    tell: Tell,
    engines: KnownEngines,
    /// Stops whatever thinks.
    halt: Halt,
}

impl Thinker {
    pub(crate) fn new(engines: KnownEngines, tell: Tell) -> Thinker {
        Thinker {
            tell,
            engines,
            halt: Halt::default(),
        }
    }

    /// Judges the positions of a task, and no longer those of another.
    pub(crate) fn begin(&mut self, task: StudyTask) {
        self.halt.stop();
        self.halt = Halt::default();
        let (tell, halt) = (Arc::clone(&self.tell), self.halt.clone());
        let engines = self.engines.clone();
        thread::spawn(move || {
            let number = task.number;
            let how = think(&task, &engines, &halt, |at, found| {
                tell(Studied::Position { number, at, found })
            });
            if !halt.is_asked() {
                tell(Studied::Ended { number, how });
            }
        });
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.halt.stop();
    }
}

fn think(
    task: &StudyTask,
    engines: &KnownEngines,
    halt: &Halt,
    mut tell: impl FnMut(usize, Verdict) -> bool,
) -> Result<(), String> {
    let recipe = Recipe::of(&task.engine, |name| engines.command(name));
    let recipe = recipe.map_err(|error| error.to_string())?;
    let recipe = recipe.ok_or("A person cannot judge a game; name an engine.")?;
    let mind = Mind::start(&recipe).map_err(|error| error.to_string())?;
    let go = Go {
        nodes: Some(NODES),
        ..Go::default()
    };
    let mut bench = Bench::new(mind, go, halt.clone());
    // At full strength nothing is left to chance.
    bench.mind.new_game(0).map_err(|error| error.to_string())?;
    for (at, played) in task.positions.iter().enumerate() {
        let found = analysis::look(played, &mut bench).map_err(|error| error.to_string())?;
        if halt.is_asked() || !tell(at, found) {
            break;
        }
    }
    bench.mind.quit();
    Ok(())
}
