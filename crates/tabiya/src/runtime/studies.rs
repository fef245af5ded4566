//! Games that an engine judges: a thread of its own thinks about one position after the other.

use std::sync::mpsc::SyncSender;
use std::thread;

use tabiya_uci::Go;

use super::Incoming;
use crate::analysis::{self, Bench, Verdict};
use crate::app::study::StudyTask;
use crate::engines::KnownEngines;
use crate::message::Message;
use crate::room::{Halt, Mind, Recipe};

/// How long a position is thought about, in positions of the search. The same on every machine, so that a game is
/// always judged alike.
const NODES: u64 = 150_000;

/// What thinks, and where it tells of it.
pub(super) struct Studies {
    sender: SyncSender<Incoming>,
    engines: KnownEngines,
    /// Stops whatever thinks.
    halt: Halt,
}

impl Studies {
    pub(super) fn new(sender: SyncSender<Incoming>, engines: KnownEngines) -> Studies {
        Studies {
            sender,
            engines,
            halt: Halt::default(),
        }
    }

    /// Judges the positions of a task, and no longer those of another.
    pub(super) fn begin(&mut self, task: StudyTask) {
        self.halt.stop();
        self.halt = Halt::default();
        let (sender, halt) = (self.sender.clone(), self.halt.clone());
        let engines = self.engines.clone();
        thread::spawn(move || {
            let number = task.number;
            let how = think(&task, &engines, &halt, |at, found| {
                let message = Message::Studied { number, at, found };
                sender.send(Incoming::Message(message)).is_ok()
            });
            if !halt.is_asked() {
                let ended = Message::StudyEnded { number, how };
                let _ = sender.send(Incoming::Message(ended));
            }
        });
    }
}

impl Drop for Studies {
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
    let mut bench = Bench {
        mind,
        go: Go {
            nodes: Some(NODES),
            ..Go::default()
        },
        halt: halt.clone(),
    };
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
