//! Judging a game: one position after the other goes to the search threads, so that other games get their turn in between.

use std::sync::Mutex;
use std::sync::PoisonError;

use tabiya_engine::{SearchHandle, SearchPriority};
use tabiya_play::analysis::{self, Judging, NODES, Verdict};
use tabiya_play::opponents::{EngineEvent, SearchRequest, Seat};
use tabiya_play::players::PlayerSpec;
use tabiya_play::study::{StudyReport, StudyTask};
use tabiya_rules::Position;
use tabiya_uci::{Go, SearchInfo};

use crate::engines::Engines;

/// A judgment in progress.
pub(crate) struct GameJudge {
    task: StudyTask,
    judging: Judging,
    search: Option<SearchHandle>,
}

impl GameJudge {
    pub(crate) fn new(task: StudyTask) -> GameJudge {
        GameJudge {
            judging: Judging::new(task.positions.len()),
            task,
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

    /// Takes what a search has found. Returns the verdicts that are known now, and the end of the judgment after the last.
    pub(crate) fn advance(&mut self, studied: StudyReport) -> Vec<StudyReport> {
        let number = self.task.number;
        let mut reports = Vec::new();
        if let StudyReport::Position { at, found, .. } = studied
            && let Some(played) = self.task.positions.get(at)
        {
            let verdicts = self.judging.take(played, found).into_iter();
            reports.extend(verdicts.map(|(at, found)| StudyReport::Position { number, at, found }));
        }
        if self.judging.next_search().is_none() {
            let how = Ok(());
            reports.push(StudyReport::Ended { number, how });
        }
        reports
    }

    /// Starts the next search.
    pub(crate) fn start_next(
        &mut self,
        engines: &Engines,
        report: impl Fn(StudyReport) + Send + 'static,
    ) {
        let Some(wanted) = self.judging.next_search() else {
            return;
        };
        let Some(played) = self.task.positions.get(wanted.at) else {
            return;
        };
        let (number, at) = (self.task.number, wanted.at);
        let played = wanted.after(played);
        let hear = verdict_listener(*played.current(), move |found| {
            report(StudyReport::Position { number, at, found });
        });
        let request = SearchRequest {
            seat: Seat::Adviser,
            spec: PlayerSpec::Bot(None),
            lines: 1,
            number: at as u64,
            played,
            go: Go::new().with_nodes(wanted.nodes.unwrap_or(NODES)),
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
