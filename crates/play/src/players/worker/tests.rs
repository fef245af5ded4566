//! The built-in engine thinks in its own thread, and is replaced, stopped and ended; the same calls serve another
//! program.

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use tabiya_openings::{Book, BookError, BookMove};
use tabiya_rules::{Move, Position};
use tabiya_uci::{BestMove, EngineCommand};

use super::*;
use crate::engines::KnownEngines;
use crate::players::{BlockingPlayer, PlayerSpec, SharedBook, StopHandle};

/// After this long, the test counts as hanging.
const HANG: Duration = Duration::from_secs(60);

fn bot() -> (Player, Receiver<WorkerEvent>) {
    let (sender, events) = channel();
    let config = PlayerConfig::of(&PlayerSpec::Bot(None), &KnownEngines::default())
        .expect("no engine is looked for");
    let player = Player::start(config.expect("a config"), move |event| {
        let _ = sender.send(event);
    })
    .expect("a thread");
    (player, events)
}

/// The events up to the first that is not a report.
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
    })
    .expect("a thread");
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

/// A book with one move for the start, or one that cannot be read.
struct OneMove(Option<Move>);

impl Book for OneMove {
    type Error = BookError;

    fn moves(&mut self, position: &Position) -> Result<Vec<BookMove>, BookError> {
        let m = self.0.ok_or(BookError::Length { bytes: 1 })?;
        let known = *position == Position::start();
        Ok(known
            .then_some(BookMove { m, weight: 1 })
            .into_iter()
            .collect())
    }
}

fn bot_with_book(book: OneMove) -> (Player, Receiver<WorkerEvent>) {
    let (sender, events) = channel();
    let config = PlayerConfig::Bot(BotConfig {
        book: Some(SharedBook::new(book)),
        ..BotConfig::default()
    });
    let player = Player::start(config, move |event| {
        let _ = sender.send(event);
    })
    .expect("a thread");
    next_but_reports(&events);
    (player, events)
}

#[test]
fn the_bot_plays_from_its_book_and_thinks_where_the_book_ends() {
    let knight = Position::start().parse_san("Na3").expect("a move");
    let (player, events) = bot_with_book(OneMove(Some(knight)));
    player.think(1, MoveHistory::default(), Go::new().with_depth(3));
    // No report comes before it.
    let first = events.recv_timeout(HANG).expect("an event");
    assert_eq!(first, WorkerEvent::BestMove(1, BestMove::new(knight)));
    let mut played = MoveHistory::default();
    played.push(knight).expect("legal");
    player.think(2, played, Go::new().with_depth(3));
    let first = events.recv_timeout(HANG).expect("an event");
    assert!(matches!(first, WorkerEvent::Info(2, _)), "{first:?}");
}

#[test]
fn the_bot_reports_a_book_that_cannot_be_read_and_thinks_itself() {
    let (player, events) = bot_with_book(OneMove(None));
    player.think(1, MoveHistory::default(), Go::new().with_depth(1));
    let first = events.recv_timeout(HANG).expect("an event");
    let WorkerEvent::Info(1, info) = &first else {
        panic!("{first:?}");
    };
    let sentence = info.info.string.as_deref().unwrap_or_default();
    assert!(
        sentence.starts_with("The opening book cannot be read"),
        "{sentence}"
    );
    assert!(
        matches!(next_but_reports(&events), WorkerEvent::BestMove(1, found) if found.best.is_some())
    );
    // It is reported once.
    player.think(2, MoveHistory::default(), Go::new().with_depth(1));
    let first = events.recv_timeout(HANG).expect("an event");
    assert!(
        matches!(&first, WorkerEvent::Info(2, info) if !info.pv.is_empty()),
        "{first:?}"
    );
}
