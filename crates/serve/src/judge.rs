//! Judging a game: one position after the other goes to the search threads, so that other games get their turn in between.

use std::sync::Mutex;
use std::sync::PoisonError;

use tabiya_engine::{SearchHandle, SearchPriority};
use tabiya_play::analysis::{self, Verdict};
use tabiya_play::opponents::{EngineEvent, SearchRequest, Seat};
use tabiya_play::players::PlayerSpec;
use tabiya_play::study::{NODES, StudyReport, StudyTask};
use tabiya_rules::Position;
use tabiya_uci::{Go, SearchInfo};

use crate::engines::Engines;

/// A judgment in progress.
pub(crate) struct GameJudge {
    task: StudyTask,
    /// The next position.
    at: usize,
    search: Option<SearchHandle>,
}

impl GameJudge {
    pub(crate) fn new(task: StudyTask) -> GameJudge {
        GameJudge {
            task,
            at: 0,
            search: None,
        }
    }

    /// Whether a report is about this judgment.
    pub(crate) fn is_about(&self, studied: &StudyReport) -> bool {
        match studied {
            StudyReport::Position { number, .. } | StudyReport::Ended { number, .. } => {
                *number == self.task.number
            }
        }
    }

    /// Notes that a position was judged. Returns the end of the judgment if it was the last one.
    pub(crate) fn advance(&mut self, studied: &StudyReport) -> Option<StudyReport> {
        if let StudyReport::Position { at, .. } = studied {
            self.at = at + 1;
        }
        (self.at >= self.task.positions.len()).then_some(StudyReport::Ended {
            number: self.task.number,
            how: Ok(()),
        })
    }

    /// Starts the search of the next position.
    pub(crate) fn start_next(
        &mut self,
        engines: &Engines,
        report: impl Fn(StudyReport) + Send + 'static,
    ) {
        let Some(played) = self.task.positions.get(self.at) else {
            return;
        };
        let (number, at, position) = (self.task.number, self.at, *played.current());
        let hear = verdict_listener(position, move |found| {
            report(StudyReport::Position { number, at, found });
        });
        let request = SearchRequest {
            seat: Seat::Adviser,
            spec: PlayerSpec::Bot(None),
            lines: 1,
            number: at as u64,
            played: played.clone(),
            go: Go::new().with_nodes(NODES),
        };
        // At full strength nothing is random.
        self.search = engines.think(SearchPriority::Normal, &request, 0, Box::new(hear));
    }
}

/// Turns what is heard of a search into a verdict, and passes it on when the search is over.
fn verdict_listener(
    position: Position,
    report: impl Fn(Verdict) + Send + 'static,
) -> impl Fn(EngineEvent) + Send + 'static {
    let last: Mutex<Option<SearchInfo>> = Mutex::new(None);
    move |event| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            EngineEvent::Report(_, info) if analysis::decides(&info) => *last = Some(info),
            EngineEvent::Report(..) | EngineEvent::Failed(_) => {}
            EngineEvent::Move(..) => report(Verdict::of_search(&position, last.as_ref())),
        }
    }
}

#[cfg(test)]
mod tests;
