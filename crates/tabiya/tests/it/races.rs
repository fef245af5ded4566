//! Two programs at once on one folder: nothing that either of them was told is kept gets lost.

use std::io::{BufRead, BufReader, Write};
use std::process::Child;
use std::sync::Barrier;
use std::thread;

use serde_json::Value;
use tabiya_game::pgn;
use tabiya_rules::{Position, SplitMix64};

use crate::saves::Home;
use crate::support::size;

/// What a program that was given lines has said.
fn events(mut child: Child) -> Vec<Value> {
    let out = BufReader::new(child.stdout.take().expect("a pipe"));
    let events = out.lines().map_while(Result::ok);
    let events = events
        .filter_map(|line| serde_json::from_str(&line).ok())
        .collect();
    child.wait().expect("it ends");
    events
}

fn has(events: &[Value], event: &str) -> bool {
    events.iter().any(|known| known["event"] == event)
}

/// Begins a game and saves it under a name that another program wants as well. Returns whether it got it.
fn save(home: &Home, opening: &str, name: &str) -> bool {
    let mut child = home.start(&["play", "--json"]);
    let mut stdin = child.stdin.take().expect("a pipe");
    write!(stdin, "{opening}\nsave {name}\n").expect("it reads");
    drop(stdin);
    let events = events(child);
    let saved = format!("Saved as {name}.");
    events.iter().any(|event| event["lines"][0] == saved)
}

/// Resumes a game that another program wants as well, and plays a move in it. Returns whether it was told that the
/// move is made.
fn resume(home: &Home, name: &str, random: &mut SplitMix64) -> bool {
    let mut child = home.start(&["play", "--json", "--resume", name]);
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    let mut turn = None;
    while turn.is_none() {
        line.clear();
        if out.read_line(&mut line).expect("it is read") == 0 {
            break;
        }
        let event: Value = serde_json::from_str(&line).expect("an event");
        turn = event["fen"].as_str().map(str::to_owned);
    }
    if let Some(fen) = turn {
        let position = Position::from_fen(&fen).expect("a position");
        let goes_on = |played: &tabiya_rules::Move| {
            let after = position.play_unchecked(*played);
            after.status() == tabiya_rules::Status::Ongoing && after.halfmove_clock() < 90
        };
        let moves: Vec<_> = position.legal_moves().into_iter().filter(goes_on).collect();
        if let Some(&played) = moves.get(random.below(moves.len().max(1))) {
            writeln!(stdin, "{}", position.uci(played)).expect("it reads");
        }
    }
    drop(stdin);
    let rest: Vec<Value> = out
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| serde_json::from_str(&line).ok())
        .collect();
    child.wait().expect("it ends");
    has(&rest, "moved")
}

/// The plies of a save.
fn moves(home: &Home, name: &str) -> Vec<String> {
    let path = home.path().join(format!("data/tabiya/saves/{name}.pgn"));
    let bytes = std::fs::read(path).expect("it is PGN when nobody plays it");
    let game = pgn::games(&bytes[..]).next().expect("a game");
    assert_eq!(game.errors, []);
    let sans = game.record.cursor_line().filter_map(tabiya_game::Node::san);
    sans.map(|san| san.to_string()).collect()
}

#[test]
fn two_programs_lose_nothing() {
    let home = Home::new("races");
    let runs = size("TABIYA_RACES", 15);
    let (mut played, mut refused) = (0, 0);
    for run in 0..runs {
        // A game does not get longer than a game.
        let shared = format!("shared-{}", run / 50);
        if run % 50 == 0 {
            assert!(save(&home, "", &shared));
            played = 0;
        }
        let own = format!("own-{run}");
        let barrier = Barrier::new(2);
        let race = |opening: &str, seed: usize| {
            let mut random = SplitMix64::new(seed as u64);
            barrier.wait();
            (
                save(&home, opening, &own),
                resume(&home, &shared, &mut random),
            )
        };
        let (one, two) = thread::scope(|scope| {
            let one = scope.spawn(|| race("e4", 2 * run));
            let two = scope.spawn(|| race("d4", 2 * run + 1));
            (one.join().expect("it ends"), two.join().expect("it ends"))
        });
        assert!(one.0 != two.0, "run {run}: one of them got the name");
        let opening = if one.0 { "e4" } else { "d4" };
        assert_eq!(moves(&home, &own), [opening], "run {run}");
        played += usize::from(one.1) + usize::from(two.1);
        refused += usize::from(!one.1) + usize::from(!two.1);
        assert_eq!(moves(&home, &shared).len(), played, "run {run}");
    }
    assert!(!home.path().join("data/tabiya/damaged").exists());
    println!(
        "{runs} runs of two programs, none lost anything; {refused} times one was told that the other plays"
    );
}
