//! The engine inside thinks aside, is replaced, stopped and ended; the same calls serve another program.

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use tabiya_uci::EngineCommand;

use super::*;
use crate::engines::KnownEngines;
use crate::players::{BlockingPlayer, PlayerSpec, StopHandle};

/// What means a hang.
const HANG: Duration = Duration::from_secs(60);

fn bot() -> (Player, Receiver<WorkerEvent>) {
    let (sender, events) = channel();
    let config = PlayerConfig::of(&PlayerSpec::Bot(None), &KnownEngines::default())
        .expect("no engine is looked for");
    let player = Player::start(config.expect("a config"), move |event| {
        let _ = sender.send(event);
    });
    (player, events)
}

/// The events up to the first that is no report.
fn next_but_reports(events: &Receiver<WorkerEvent>) -> WorkerEvent {
    loop {
        match events.recv_timeout(HANG).expect("an event") {
            WorkerEvent::Info(..) => {}
            event => return event,
        }
    }
}

#[test]
fn a_search_reports_and_ends_with_its_number() {
    let (player, events) = bot();
    assert!(matches!(
        next_but_reports(&events),
        WorkerEvent::Started { .. }
    ));
    let go = Go::new().with_depth(3);
    player.think(7, MoveHistory::default(), go);
    let first = events.recv_timeout(HANG).expect("a report");
    assert!(matches!(&first, WorkerEvent::Info(7, info) if !info.pv.is_empty()));
    let WorkerEvent::BestMove(7, reply) = next_but_reports(&events) else {
        panic!("a move");
    };
    assert!(reply.best.is_some());
    drop(player);
    assert!(matches!(next_but_reports(&events), WorkerEvent::Ended(_)));
}

#[test]
fn a_search_without_end_is_stopped_and_says_its_move() {
    let (player, events) = bot();
    next_but_reports(&events);
    player.think(1, MoveHistory::default(), Go::infinite());
    player.stop();
    assert!(
        matches!(next_but_reports(&events), WorkerEvent::BestMove(1, reply) if reply.best.is_some())
    );
}

#[test]
fn a_search_that_is_replaced_says_nothing_more() {
    let (player, events) = bot();
    next_but_reports(&events);
    for number in 1..=20 {
        player.think(number, MoveHistory::default(), Go::infinite());
    }
    player.stop();
    assert!(matches!(
        next_but_reports(&events),
        WorkerEvent::BestMove(20, _)
    ));
    player.think(21, MoveHistory::default(), Go::infinite());
    player.new_game();
    drop(player);
    assert!(matches!(next_but_reports(&events), WorkerEvent::Ended(_)));
}

#[test]
fn dropping_a_player_that_thinks_ends_it() {
    let (player, events) = bot();
    player.think(1, MoveHistory::default(), Go::infinite());
    drop(player);
    assert!(
        events
            .iter()
            .any(|event| matches!(event, WorkerEvent::Ended(_)))
    );
}

#[test]
fn a_program_that_is_none_fails_either_way() {
    let config = PlayerConfig::Uci(EngineCommand::new("/no/such/engine"));
    assert!(BlockingPlayer::start(&config).is_err());
    let (sender, events) = channel();
    let _player = Player::start(config, move |event| {
        let _ = sender.send(event);
    });
    assert!(matches!(next_but_reports(&events), WorkerEvent::Failed(_)));
}

#[test]
fn a_halt_ends_the_search_it_is_handed_to_and_all_later_ones() {
    let config = PlayerConfig::of(&PlayerSpec::Bot(None), &KnownEngines::default())
        .expect("no engine is looked for");
    let mut player = BlockingPlayer::start(&config.expect("a config")).expect("the engine inside");
    player.new_game(1).expect("the engine inside");
    let stop = StopHandle::default();
    let stopper = stop.clone();
    let mut reports = 0;
    let reply = player.think(&MoveHistory::default(), Go::infinite(), &stop, |_| {
        reports += 1;
        stopper.stop();
    });
    assert!(reply.is_ok_and(|thought| thought.reply.best.is_some()));
    assert!(reports > 0 && stop.is_asked());
    let reply = player.think(&MoveHistory::default(), Go::infinite(), &stop, |_| {});
    assert!(reply.is_ok_and(|thought| thought.reply.best.is_some()));
    player.quit();
}
