//! A match reports events in order, and ends when it is over, stopped or dropped.

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use tabiya_engine::Settings;
use tabiya_game::Step;
use tabiya_rules::Position;
use tabiya_uci::EngineCommand;

use super::super::adjudication::Rule;
use super::*;

/// After this long, the test counts as hanging.
const HANG: Duration = Duration::from_secs(120);

fn plan(games: u32) -> Plan {
    Plan {
        configs: ByEntrant::new(
            PlayerConfig::Bot(Settings::default().into()),
            PlayerConfig::Bot(Settings::default().into()),
        ),
        names: ByEntrant::new("one".to_owned(), "two".to_owned()),
        date: "2026.01.01".to_owned(),
        games,
        limit: ThinkingLimit::Nodes(30),
        openings: Openings::Random,
        adjudication: Adjudication::default().with(Rule::Length { moves: 10 }),
        sprt: None,
        concurrency: NonZeroUsize::MIN,
        seed: 5,
    }
}

fn start(plan: Plan) -> (Contest, Receiver<Event>) {
    let (sender, events) = channel();
    let contest = Contest::start(plan, move |event| {
        let _ = sender.send(event);
    });
    (contest.expect("threads can be had"), events)
}

/// All events up to the end of the match, and the end.
fn until_over(events: &Receiver<Event>) -> (Vec<Event>, End) {
    let mut all = Vec::new();
    loop {
        match events.recv_timeout(HANG).expect("an event") {
            Event::Over(end) => return (all, end),
            event => all.push(event),
        }
    }
}

#[test]
fn the_moves_that_are_told_are_the_game_that_is_kept() {
    let (_contest, events) = start(plan(2));
    let (all, end) = until_over(&events);
    assert_eq!(end, End::Played);
    let mut games = 0;
    let mut here: Option<(u32, Vec<Move>, Position)> = None;
    for event in all {
        match (event, &mut here) {
            (
                Event::GameStarted {
                    game,
                    white,
                    played,
                },
                here,
            ) => {
                assert_eq!(
                    (game, white),
                    (games + 1, [Entrant::A, Entrant::B][games as usize])
                );
                *here = Some((game, played.moves().to_vec(), *played.current()));
            }
            (Event::Moved { game, played, .. }, Some((number, moves, position))) => {
                assert_eq!(game, *number);
                *position = position.play(played).expect("a legal move");
                moves.push(played);
            }
            (Event::GameEnded(finished), Some((number, moves, _))) => {
                assert_eq!(finished.number, *number);
                let line = finished.record.root().subtree();
                let kept: Vec<_> = line
                    .filter_map(|node| node.step().and_then(Step::played))
                    .collect();
                assert_eq!(&kept, moves);
                assert_eq!(finished.plies as usize, moves.len());
            }
            (Event::Score(standing), Some(_)) => {
                games += 1;
                assert_eq!(standing.games(), games);
            }
            (event, _) => panic!("{event:?} came before a game"),
        }
    }
    assert_eq!(games, 2);
}

#[test]
fn a_stopped_match_drops_the_games_that_go_on() {
    let endless = Plan {
        limit: ThinkingLimit::Depth(60),
        concurrency: NonZeroUsize::new(2).expect("two"),
        ..plan(10)
    };
    let (contest, events) = start(endless);
    let first = events.recv_timeout(HANG).expect("an event");
    assert!(matches!(first, Event::GameStarted { .. }), "{first:?}");
    contest.stop();
    let (all, end) = until_over(&events);
    assert_eq!(end, End::Stopped);
    assert!(!all.iter().any(|event| matches!(event, Event::GameEnded(_))));
}

#[test]
fn dropping_a_match_ends_it() {
    let (contest, events) = start(Plan {
        limit: ThinkingLimit::Depth(60),
        ..plan(10)
    });
    drop(contest);
    assert_eq!(until_over(&events).1, End::Stopped);
}

#[test]
fn a_player_that_cannot_be_started_breaks_the_match() {
    let mut plan = plan(4);
    plan.configs.b = PlayerConfig::Uci(EngineCommand::new("/no/such/engine"));
    let (_contest, events) = start(plan);
    let (all, end) = until_over(&events);
    assert!(all.is_empty());
    let End::Broken(error) = end else {
        panic!("{end:?}");
    };
    let sentence = error.to_string();
    assert!(
        sentence.starts_with("two: The engine /no/such/engine"),
        "{sentence}"
    );
}

#[test]
fn every_player_of_every_game_has_a_seed_of_its_own() {
    let plan = plan(100);
    let mut seeds: Vec<u64> = (1..=100)
        .flat_map(|game| [Entrant::A, Entrant::B].map(|entrant| plan.seed_of(entrant, game)))
        .collect();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 200);
    let other = Plan {
        seed: 6,
        ..plan.clone()
    };
    assert_ne!(other.seed_of(Entrant::A, 1), plan.seed_of(Entrant::A, 1));
}
