//! The engine inside a program: lines as they come, stopped and waited for; and clocks that are not the system's.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tabiya_engine::{AlphaBeta, Control, LocalEngine, Request, Searcher, Settings, think};
use tabiya_rules::{MoveHistory, Position};
use tabiya_uci::{AnalysisLimits, Analyst, EngineError, Go};

#[test]
fn lines_come_and_are_collected() {
    let mut engine = LocalEngine::default();
    let game = MoveHistory::default();
    let limits = AnalysisLimits::from(Go::new().with_depth(5)).with_multi_pv(3);
    let mut analysis = engine.analyse(&game, limits).expect("it begins");
    let mut depths = Vec::new();
    while let Some(line) = analysis.next_line().expect("it goes on") {
        depths.push(line.info.depth.expect("a depth"));
    }
    assert!(depths.is_sorted() && depths.len() == 15, "{depths:?}");
    let result = analysis.wait().expect("a result");
    assert_eq!(result.lines.len(), 3);
    assert_eq!(result.best.best, result.lines[0].pv.first().copied());
    let scores = result
        .lines
        .iter()
        .map(|line| line.info.score.map(|score| score.value));
    assert!(scores.rev().is_sorted());
}

#[test]
fn an_endless_analysis_can_be_stopped_dropped_and_begun_again() {
    let mut engine = LocalEngine::default();
    let game = MoveHistory::default();
    let mut analysis = engine.analyse(&game, Go::infinite()).expect("it begins");
    assert!(analysis.next_line().expect("it goes on").is_some());
    analysis.stop().expect("told");
    let result = analysis.wait().expect("a result");
    assert!(result.best.best.is_some() && !result.lines.is_empty());

    let begun = Instant::now();
    drop(engine.analyse(&game, Go::infinite()).expect("it begins"));
    assert!(begun.elapsed() < Duration::from_secs(20));
    engine.new_game().expect("it is idle");
    engine
        .begin(&game, &Go::infinite().into())
        .expect("it begins");
    assert_eq!(engine.new_game(), Err(EngineError::Busy));
    assert_eq!(
        engine.begin(&game, &Go::new().into()),
        Err(EngineError::Busy)
    );
    drop(engine);
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mate = Position::from_fen("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    let game = MoveHistory::new(mate.expect("valid"));
    let mut engine = LocalEngine::new(Settings::new());
    let analysis = engine.analyse(&game, Go::infinite()).expect("it begins");
    let result = analysis.wait().expect("a result");
    assert_eq!((result.best.best, result.lines.len()), (None, 0));
}

/// A clock on which a millisecond passes whenever somebody looks.
fn ticking() -> impl Fn() -> Duration + Send + Sync + 'static {
    let millis = AtomicU64::new(0);
    move || Duration::from_millis(millis.fetch_add(1, Ordering::Relaxed))
}

#[test]
fn the_time_is_that_of_the_clock_passed_in() {
    let search = || {
        let control = Control::with_clock(ticking());
        let mut nodes = 0;
        let go = Go::new().with_move_time(Duration::from_millis(200));
        let best = think(
            &mut AlphaBeta::default(),
            &Settings::new(),
            &MoveHistory::default(),
            &go,
            &control,
            &mut |line| nodes = line.info.nodes.expect("nodes"),
        );
        assert!(control.elapsed() >= Duration::from_millis(190));
        (best, nodes)
    };
    // The same clock ends the same search at the same node, however busy the machine is.
    assert_eq!(search(), search());

    // A clock that stands still ends nothing, so another limit does.
    let control = Control::with_clock(|| Duration::ZERO);
    control.stop_after(Duration::from_millis(1));
    let request = Request::new(MoveHistory::default()).with_nodes(20_000);
    let best = AlphaBeta::default().search(&request, &control, &mut |_| {});
    assert!(best.best.is_some() && !control.should_stop());
    assert_eq!(control.elapsed(), Duration::ZERO);
}
