//! The handle collects lines by rank, stops an engine when it is dropped, and ends after a failure.

use std::collections::VecDeque;

use tabiya_rules::{Position, Score};

use super::*;
use crate::reply::{Bound, BoundedScore, Info};

/// An engine that says what a list says. Without a list it searches until it is told to stop.
#[derive(Default)]
struct Script {
    events: VecDeque<Result<SearchEvent, EngineError>>,
    asked: Option<AnalysisLimits>,
    stops: usize,
}

impl Analyst for Script {
    fn begin(&mut self, _: &MoveHistory, limits: &AnalysisLimits) -> Result<(), EngineError> {
        self.asked = Some(limits.clone());
        Ok(())
    }

    fn next_event(&mut self, _: Duration) -> Result<Option<SearchEvent>, EngineError> {
        self.events.pop_front().transpose()
    }

    fn stop(&mut self) -> Result<(), EngineError> {
        self.stops += 1;
        self.events.push_back(Ok(SearchEvent::BestMove(best())));
        Ok(())
    }
}

fn best() -> BestMove {
    let first = Position::start().legal_moves().first().copied();
    BestMove::new(first.expect("a move"))
}

fn line(rank: u32, depth: u32, score: i32, bound: Bound) -> SearchInfo {
    let value = Score::Centipawns(score);
    let info = Info::new()
        .with_multi_pv(rank)
        .with_depth(depth)
        .with_score(BoundedScore { value, bound });
    SearchInfo::new(info, best().best.into_iter().collect())
}

fn script(events: impl IntoIterator<Item = SearchEvent>) -> Script {
    Script {
        events: events.into_iter().map(Ok).collect(),
        ..Script::default()
    }
}

#[test]
fn the_last_exact_report_of_each_line_is_collected() {
    let mut engine = script([
        SearchEvent::Info(line(2, 1, 10, Bound::Exact)),
        SearchEvent::Info(line(1, 1, 20, Bound::Exact)),
        SearchEvent::Info(line(1, 2, 25, Bound::Exact)),
        SearchEvent::Info(line(1, 3, 90, Bound::Lower)),
        SearchEvent::Info(SearchInfo::new(Info::message("hello"), Vec::new())),
        SearchEvent::BestMove(best()),
    ]);
    let limits = AnalysisLimits::from(Go::new().with_depth(3)).with_multi_pv(2);
    let mut analysis = engine
        .analyse(&MoveHistory::default(), limits.clone())
        .expect("it begins");
    let seen: Result<Vec<SearchInfo>, EngineError> = analysis.by_ref().collect();
    assert_eq!(seen.expect("no failure").len(), 4, "every line, no message");
    assert_eq!(analysis.best_move(), Some(best()));
    let result = analysis.wait().expect("a result");
    assert_eq!(result.best, best());
    assert_eq!(
        result.lines,
        [line(1, 2, 25, Bound::Exact), line(2, 1, 10, Bound::Exact)]
    );
    assert_eq!((engine.asked, engine.stops), (Some(limits), 0));
}

#[test]
fn an_analysis_that_is_dropped_stops_its_engine() {
    let mut engine = script([SearchEvent::Info(line(1, 1, 0, Bound::Exact))]);
    drop(engine.analyse(&MoveHistory::default(), Go::infinite()));
    assert_eq!(engine.stops, 1);
    assert!(engine.events.is_empty(), "its move was taken");
}

#[test]
fn a_failure_ends_it() {
    let mut engine = script([SearchEvent::Info(line(1, 1, 0, Bound::Exact))]);
    engine.events.push_back(Err(EngineError::Flood));
    let mut analysis = engine
        .analyse(&MoveHistory::default(), Go::new())
        .expect("it begins");
    let seen: Vec<bool> = analysis.by_ref().map(|line| line.is_ok()).collect();
    assert_eq!(seen, [true, false]);
    drop(analysis);
    assert_eq!(engine.stops, 0, "there is nobody to stop");
}
