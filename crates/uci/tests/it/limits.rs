//! Searches with a limit on nodes or depth end, even if the engine ignores its limits.

use std::time::Duration;

use tabiya_rules::MoveHistory;
use tabiya_uci::{Engine, EngineError, Go, Notice, Overrun, SearchEvent};

use crate::support::{QUICK, assert_group_gone, hostile};

fn by_nodes(nodes: u64) -> Go {
    Go::new().with_nodes(nodes)
}

fn by_depth(depth: u32) -> Go {
    Go::new().with_depth(depth)
}

/// Searches to the end, and returns the notices on the way.
fn think(engine: &mut Engine, go: Go) -> Result<Vec<Notice>, EngineError> {
    let mut notices = Vec::new();
    engine.go(&MoveHistory::default(), go)?;
    loop {
        match engine.next_event(Duration::from_secs(1))? {
            Some(SearchEvent::BestMove(reply)) => {
                assert!(reply.best.is_some());
                return Ok(notices);
            }
            Some(SearchEvent::Notice(notice)) => notices.push(notice),
            Some(SearchEvent::Info(_)) | None => {}
        }
    }
}

#[test]
fn an_engine_that_goes_beyond_its_limits_is_stopped_and_its_move_counts() {
    let mut engine = hostile("ignores_limits").expect("it starts");
    let (asked, reached) = (3000, 17_000);
    let nodes = Notice::Overrun(Overrun::Nodes { asked, reached });
    assert_eq!(think(&mut engine, by_nodes(asked)), Ok(vec![nodes]));
    let depth = Notice::Overrun(Overrun::Depth {
        asked: 12,
        reached: 13,
    });
    assert_eq!(think(&mut engine, by_depth(12)), Ok(vec![depth]));
    assert_eq!(
        think(&mut engine, by_nodes(3000)).map(|said| said.len()),
        Ok(1)
    );
    engine.quit();
}

#[test]
fn an_engine_that_keeps_to_its_limits_is_left_alone() {
    let mut engine = hostile("good").expect("it starts");
    for go in [by_nodes(1), by_depth(1)] {
        assert_eq!(think(&mut engine, go), Ok(Vec::new()));
    }
    engine.quit();
}

#[test]
fn an_engine_that_is_not_heard_of_any_more_is_told_to_stop_once() {
    // It reports values within the limit and then falls silent, or it never reports any.
    for (way, go) in [
        ("ignores_limits", by_depth(40)),
        ("chatters", by_nodes(1000)),
    ] {
        let mut engine = hostile(way).expect("it starts");
        let silence = Notice::Overrun(Overrun::Silence(QUICK.silence));
        assert_eq!(think(&mut engine, go), Ok(vec![silence]), "{way}");
    }
}

#[test]
fn an_engine_that_has_hung_is_ended() {
    for go in [by_nodes(1000), by_depth(5)] {
        let mut engine = hostile("ignores_stop").expect("it starts");
        let silence = QUICK.silence;
        assert_eq!(think(&mut engine, go), Err(EngineError::Hung { silence }));
        assert_group_gone(engine.process_id());
    }
}
