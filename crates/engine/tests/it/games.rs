//! Both ends together: the client of `tabiya-uci` plays whole games with this engine, on a clock that is really kept.

use std::time::{Duration, Instant};

use tabiya_rules::{ByColor, MoveHistory, Position, SplitMix64, Status};
use tabiya_uci::{Deadlines, Engine, EngineCommand, ExitNote, Go, SetOption};

use crate::support::program;

/// How late a move may be on a machine that does many other things too. Measured without them, no move is late.
const TOLERANCE: Duration = Duration::from_millis(250);

fn start() -> Engine {
    let mut command = EngineCommand::new(program());
    command.set("Move Overhead", "10");
    Engine::start(&command, Deadlines::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Plays a game, and gives the number of moves and how much the clock was ever exceeded.
fn game(
    engine: &mut Engine,
    start: Position,
    time: Duration,
    increment: Duration,
) -> (usize, Duration) {
    engine.new_game().expect("it lives");
    let mut clocks = ByColor::new(time, time);
    let mut played = MoveHistory::new(start);
    let mut late = Duration::ZERO;
    while played.current().status() == Status::Ongoing
        && played.current().halfmove_clock() < 100
        && played.moves().len() < 300
    {
        let position = *played.current();
        let turn = position.turn();
        let go = Go::new()
            .with_time(clocks.map(Some))
            .with_increment(ByColor::new(increment, increment));
        let begun = Instant::now();
        let reply = engine.think(&played, go, |info| {
            assert_eq!(info.pv.len(), info.info.pv.len(), "every line is playable");
        });
        let best = reply.expect("it plays").best.expect("there are moves");
        let used = begun.elapsed();
        late = late.max(used.saturating_sub(clocks[turn]));
        clocks[turn] = clocks[turn].saturating_sub(used) + increment;
        played.push(best).expect("legal");
    }
    (played.moves().len(), late)
}

#[test]
fn games_on_the_clock() {
    let mut engine = start();
    let mut random = SplitMix64::new(960);
    let count = std::env::var("TABIYA_RELEASE").map_or(3, |_| 300);
    let mut moves = 0;
    let mut worst = Duration::ZERO;
    for i in 0..count {
        let start = match i % 3 {
            2 => Position::chess960(random.below(960) as u16).expect("below 960"),
            _ => Position::start(),
        };
        let (time, increment) = ([1000, 100, 200][i % 3], 10);
        let (played, late) = game(
            &mut engine,
            start,
            Duration::from_millis(time),
            Duration::from_millis(increment),
        );
        moves += played;
        worst = worst.max(late);
    }
    println!("{count} games, {moves} moves, at most {worst:?} late");
    assert!(worst < TOLERANCE);
    assert_eq!(engine.quit(), ExitNote::Code(0));
}

#[test]
fn every_declared_option_can_be_set() {
    let mut engine = start();
    let options = engine.options().to_vec();
    assert_eq!(options.len(), 12);
    for option in options {
        let value = match option.kind {
            tabiya_uci::OptionKind::Spin { min, .. } => Some(min.to_string()),
            tabiya_uci::OptionKind::Check { default } => Some(default.to_string()),
            _ => None,
        };
        let name = option.name;
        engine
            .set_option(&SetOption { name, value })
            .expect("it was declared");
    }
    let go = Go::new().with_depth(1);
    assert!(
        engine
            .think(&MoveHistory::default(), go, |_| {})
            .expect("it plays")
            .best
            .is_some()
    );
}
