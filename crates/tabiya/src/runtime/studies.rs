//! Games that an engine judges: a thread of its own thinks about one position after the other.

use std::sync::mpsc::SyncSender;
use std::thread;

use tabiya_game::Score;
use tabiya_rules::{Color, Position};
use tabiya_uci::{Bound, Go, Played, ScoreValue};

use super::Incoming;
use crate::app::study::{Found, StudyTask};
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
    mut tell: impl FnMut(usize, Found) -> bool,
) -> Result<(), String> {
    let recipe = Recipe::of(&task.engine, |name| engines.command(name));
    let recipe = recipe.map_err(|error| error.to_string())?;
    let recipe = recipe.ok_or("A person cannot judge a game; name an engine.")?;
    let mut mind = Mind::start(&recipe).map_err(|error| error.to_string())?;
    mind.new_game(0).map_err(|error| error.to_string())?;
    for (at, played) in task.positions.iter().enumerate() {
        let found = match decided(played.current()) {
            Some(score) => Found { score, best: None },
            None => judge(&mut mind, played, halt)?,
        };
        if halt.is_asked() || !tell(at, found) {
            break;
        }
    }
    mind.quit();
    Ok(())
}

/// A position in which nobody can move.
fn decided(position: &Position) -> Option<Score> {
    if position.has_legal_move() {
        None
    } else if position.is_check() {
        Some(Score::Mate(match position.turn() {
            Color::White => -1,
            Color::Black => 1,
        }))
    } else {
        Some(Score::Centipawns(0))
    }
}

fn judge(mind: &mut Mind, played: &Played, halt: &Halt) -> Result<Found, String> {
    let go = Go {
        nodes: Some(NODES),
        ..Go::default()
    };
    let mut last = None;
    let thought = mind.think(played, go, halt, |info| {
        let info = &info.info;
        let is_best = info.multi_pv.is_none_or(|number| number == 1);
        let exact = info
            .score
            .filter(|score| is_best && score.bound == Bound::Exact);
        last = exact.map(|score| score.value).or(last);
    });
    let thought = thought.map_err(|error| error.to_string())?;
    let sign = match played.current().turn() {
        Color::White => 1,
        Color::Black => -1,
    };
    let score = match last.unwrap_or(ScoreValue::Centipawns(0)) {
        ScoreValue::Centipawns(points) => Score::Centipawns(sign * points),
        // Mated now is mate in no moves, which has no sign of its own.
        ScoreValue::Mate(0) => Score::Mate(-sign),
        ScoreValue::Mate(moves) => Score::Mate(sign * moves),
    };
    Ok(Found {
        score,
        best: thought.reply.best,
    })
}
