//! An engine behind a thread: no call blocks, and events come in order.

use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use tabiya_rules::{MoveHistory, Position};
use tabiya_uci::{EngineCommand, EngineError, ExitNote, Go, SetOption, Worker, WorkerEvent};

use crate::support::{QUICK, assert_nothing_left, hostile_program};

fn start(way: &str) -> (Worker, Receiver<WorkerEvent>) {
    let mut command = EngineCommand::new(hostile_program());
    command.arguments = vec![way.into()];
    let (sender, events) = channel();
    let begun = Instant::now();
    let worker = Worker::start(command, *QUICK, move |event| drop(sender.send(event)));
    assert!(begun.elapsed() < Duration::from_millis(100));
    (worker, events)
}

#[track_caller]
fn next(events: &Receiver<WorkerEvent>) -> WorkerEvent {
    loop {
        match events
            .recv_timeout(Duration::from_secs(5))
            .expect("an event")
        {
            WorkerEvent::Info(..) => {}
            event => return event,
        }
    }
}

#[test]
fn a_conversation() {
    let (worker, events) = start("worker_good");
    assert!(
        matches!(next(&events), WorkerEvent::Started { name, .. } if name.starts_with("Hostile"))
    );
    worker.new_game();
    worker.think(1, MoveHistory::default(), Go::new().with_depth(1));
    let first = Position::start().legal_moves()[0];
    assert!(matches!(next(&events), WorkerEvent::BestMove(1, reply) if reply.best == Some(first)));
    // The third search replaces the second, so only one of them has a move.
    worker.think(2, MoveHistory::default(), Go::infinite());
    worker.think(3, MoveHistory::default(), Go::infinite());
    std::thread::sleep(Duration::from_millis(100));
    worker.stop();
    assert!(matches!(next(&events), WorkerEvent::BestMove(3, _)));
    worker.set_option(SetOption {
        name: "Nothing".into(),
        value: None,
    });
    assert!(matches!(
        next(&events),
        WorkerEvent::Refused(EngineError::NoSuchOption { .. })
    ));
    worker.think(4, MoveHistory::default(), Go::new().pondering());
    std::thread::sleep(Duration::from_millis(100));
    worker.ponder_hit();
    assert!(matches!(next(&events), WorkerEvent::BestMove(4, _)));
    worker.think(5, MoveHistory::default(), Go::infinite());
    worker.quit();
    assert_eq!(next(&events), WorkerEvent::Ended(ExitNote::Code(0)));
    assert!(events.recv().is_err(), "nothing follows");
    drop(worker);
    assert_nothing_left("worker_good");
}

#[test]
fn failures_are_told_once_and_dropping_waits_for_nobody() {
    let (worker, events) = start("segv_on_go");
    next(&events);
    worker.think(1, MoveHistory::default(), Go::default());
    assert!(matches!(
        next(&events),
        WorkerEvent::Failed(EngineError::Ended { .. })
    ));
    worker.think(2, MoveHistory::default(), Go::default());
    assert!(events.recv().is_err(), "nothing follows");
    for (way, told) in [("silent", 0), ("ignores_stop", 1), ("ignores_sigterm", 1)] {
        let (worker, events) = start(way);
        for _ in 0..told {
            next(&events);
        }
        worker.think(1, MoveHistory::default(), Go::infinite());
        std::thread::sleep(Duration::from_millis(50));
        let begun = Instant::now();
        drop(worker);
        assert!(begun.elapsed() < Duration::from_millis(500), "{way}");
        assert_nothing_left(way);
    }
}
