//! The engine that judges games: its own thread thinks about one position after another.

use std::sync::Arc;

use tabiya_uci::Go;

use super::StudyTask;
use crate::analysis::{self, GameAnalyzer, Judging, NODES, Verdict};
use crate::engines::KnownEngines;
use crate::players::{BlockingPlayer, PlayerConfig, PlayerError, StopHandle};
use crate::threads;

/// A report about a task, by its number.
#[derive(Clone, Debug)]
pub enum StudyReport {
    /// The verdict on a position of the task: on the next one, or again on one whose line explains a mistake.
    Position {
        /// The number of the task.
        number: u64,
        /// The index of the position.
        at: usize,
        /// The verdict.
        found: Verdict,
    },
    /// All positions are judged, or the engine cannot continue.
    Ended {
        /// The number of the task.
        number: u64,
        /// How it ended.
        how: Result<(), PlayerError>,
    },
}

/// Receives the reports. Returns whether anyone still listens.
type StudyListener = Arc<dyn Fn(StudyReport) -> bool + Send + Sync>;

/// The thread that judges games.
pub struct StudyWorker {
    listener: StudyListener,
    engines: KnownEngines,
    /// Stops the search.
    stop: StopHandle,
}

impl StudyWorker {
    /// Creates a worker without a task.
    pub fn new(engines: KnownEngines, listener: StudyListener) -> StudyWorker {
        StudyWorker {
            listener,
            engines,
            stop: StopHandle::default(),
        }
    }

    /// Starts a task. It replaces the current one.
    pub fn begin(&mut self, task: StudyTask) {
        self.stop.stop();
        self.stop = StopHandle::default();
        let (listener, stop) = (Arc::clone(&self.listener), self.stop.clone());
        let engines = self.engines.clone();
        let number = task.number;
        let thinking = threads::spawn(move || {
            let how = judge_positions(&task, &engines, &stop, |at, found| {
                listener(StudyReport::Position { number, at, found })
            });
            if !stop.is_asked() {
                listener(StudyReport::Ended { number, how });
            }
        });
        if let Err(error) = thinking {
            let how = Err(error.into());
            (self.listener)(StudyReport::Ended { number, how });
        }
    }
}

impl Drop for StudyWorker {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

/// Judges the positions of a task in this thread.
fn judge_positions(
    task: &StudyTask,
    engines: &KnownEngines,
    stop: &StopHandle,
    mut listener: impl FnMut(usize, Verdict) -> bool,
) -> Result<(), PlayerError> {
    let config = PlayerConfig::of(&task.engine, engines)?;
    let player = BlockingPlayer::start(&config.ok_or(PlayerError::PersonAsJudge)?)?;
    let go = Go::new().with_nodes(NODES);
    let mut analyzer = GameAnalyzer::new(player, go, stop.clone());
    // At full strength the seed does not matter.
    analyzer.player.new_game(0)?;
    let mut judging = Judging::new(task.positions.len());
    while let Some(wanted) = judging.next_search() {
        let Some(played) = task.positions.get(wanted.at) else {
            break;
        };
        let found = analysis::search(played, &wanted, &mut analyzer)?;
        let verdicts = judging.take(played, found);
        let is_heard = |(at, found)| listener(at, found);
        if stop.is_asked() || !verdicts.into_iter().all(is_heard) {
            break;
        }
    }
    analyzer.player.quit();
    Ok(())
}

impl std::fmt::Debug for StudyWorker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StudyWorker").finish_non_exhaustive()
    }
}
