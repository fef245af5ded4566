//! The real program killed at random moments, and resumed: no move that it has shown is lost.

use std::io::{BufRead, BufReader, Write};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tabiya_rules::{Move, Position, SplitMix64};

use crate::saves::Home;
use crate::support::size;

/// The move to play next: any that does not end the game.
fn next(position: &Position, random: &mut SplitMix64) -> Option<Move> {
    let goes_on = |&played: &Move| {
        let after = position.play_unchecked(played);
        after.status() == tabiya_rules::Status::Ongoing && after.halfmove_clock() < 100
    };
    let moves: Vec<Move> = position.legal_moves().into_iter().filter(goes_on).collect();
    (!moves.is_empty()).then(|| moves[random.below(moves.len())])
}

/// What a run has shown before it was killed.
struct Shown {
    /// Where the game stood when it was resumed.
    resumed: Position,
    /// Where it stood at last.
    last: Position,
    /// Where it would stand after a move that was asked for and not shown.
    asked: Option<Position>,
    plies: usize,
    /// How long the program took to start and to resume the game.
    took: Duration,
}

/// Resumes the game, plays a few moves, and kills the program somewhere in the next one: the time is a share of what the last
/// move took, because a busy disk takes many times longer than an idle one.
fn play_and_kill(home: &Home, random: &mut SplitMix64) -> Shown {
    let mut child = home.start(&["play", "--json", "--resume", "game"]);
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut event = move || -> Option<Value> {
        let line = out.next()?.ok()?;
        serde_json::from_str(&line).ok()
    };
    let begun = Instant::now();
    let mut shown: Option<Shown> = None;
    let mut child = Some(child);
    let mut killer = None;
    let lives = random.below(25);
    let mut asked_at = begun;
    let mut last_move = Duration::from_millis(1);
    while let Some(event) = event() {
        match event["event"].as_str() {
            Some("turn") => {
                let fen = event["fen"].as_str().expect("a FEN");
                let position = Position::from_fen(fen).expect("a position");
                let shown = shown.get_or_insert(Shown {
                    resumed: position,
                    last: position,
                    asked: None,
                    plies: 0,
                    took: begun.elapsed(),
                });
                let took = shown.took;
                assert!(
                    took < Duration::from_secs(10),
                    "it takes too long: {took:?}"
                );
                assert_eq!(position.fen(), shown.last.fen());
                if let Some(mut child) = child.take_if(|_| shown.plies >= lives) {
                    let delay = last_move.mul_f64(random.below(1500) as f64 / 1000.0);
                    killer = Some(thread::spawn(move || {
                        thread::sleep(delay);
                        child.kill().expect("it can be killed");
                        child.wait().expect("it is dead");
                    }));
                }
                let Some(played) = next(&position, random) else {
                    break;
                };
                shown.asked = Some(position.play_unchecked(played));
                asked_at = Instant::now();
                if writeln!(stdin, "{}", position.uci(played)).is_err() {
                    break;
                }
            }
            Some("moved") => {
                let shown = shown.as_mut().expect("a move comes after a prompt");
                let fen = event["fen"].as_str().expect("a FEN");
                shown.last = Position::from_fen(fen).expect("a position");
                shown.asked = None;
                shown.plies += 1;
                last_move = asked_at.elapsed();
            }
            _ => {}
        }
    }
    if let Some(killer) = killer {
        killer.join().expect("the killer ends");
    }
    // The game can go no further.
    if let Some(mut child) = child {
        child.kill().expect("it can be killed");
        child.wait().expect("it is dead");
    }
    shown.expect("the game was resumed")
}

#[test]
fn no_move_that_was_shown_is_lost() {
    let home = Home::new("kill");
    let mut random = SplitMix64::new(20_261_115);
    let mut before: Option<Shown> = None;
    let mut plies = 0;
    let mut longest = Duration::ZERO;
    let kills = size("TABIYA_KILLS", 200);
    for kill in 0..kills {
        // A game does not get longer than a game.
        if kill % 40 == 0 {
            assert_nothing_is_aside(&home);
            let _ = std::fs::remove_dir_all(home.path().join("data"));
            let mut child = home.start(&["play"]);
            let mut stdin = child.stdin.take().expect("a pipe");
            writeln!(stdin, "save game").expect("written");
            drop(stdin);
            child.wait_with_output().expect("it ends");
            before = None;
        }
        let shown = play_and_kill(&home, &mut random);
        if let Some(before) = &before {
            let resumed = shown.resumed.fen();
            let asked = before.asked.map(|position| position.fen());
            assert!(
                resumed == before.last.fen() || Some(&resumed) == asked.as_ref(),
                "kill {kill}: {resumed} after {}",
                before.last.fen()
            );
        }
        plies += shown.plies;
        longest = longest.max(shown.took);
        before = Some(shown);
    }
    println!("{kills} kills, {plies} moves shown, none lost; resumed within {longest:.0?}");
    assert!(
        plies > kills,
        "the program was killed before it played: {plies} moves"
    );
    assert_nothing_is_aside(&home);
}

/// Not even a write that a kill has cut makes a damaged save of a good one.
#[track_caller]
fn assert_nothing_is_aside(home: &Home) {
    let aside = home.path().join("data/tabiya/damaged");
    assert!(!aside.exists(), "{aside:?}");
}

/// How long the side to move has been thinking, in whole seconds, as the journal of the only game says.
fn thought(home: &Home) -> u64 {
    let saves = std::fs::read_dir(home.saves());
    let texts = saves.into_iter().flatten().flatten();
    let texts = texts.filter_map(|entry| std::fs::read_to_string(entry.path()).ok());
    let seconds = |text: String| {
        let (_, time) = text.rsplit_once("[%thinking 0:00:")?;
        time.get(..2)?.parse().ok()
    };
    texts.filter_map(seconds).max().unwrap_or(0)
}

/// Neither front gives back the time that the side to move had used before a kill.
#[test]
fn the_clock_of_the_side_to_move_survives_a_kill() {
    for mode in ["--line", "--color=16"] {
        let home = Home::new(&format!("clock{mode}"));
        let variables = home.variables();
        let variables = variables
            .each_ref()
            .map(|(name, value)| (*name, value.as_str()));
        let arguments = ["play", "--black", "human", "--clock", "5", mode];
        let mut screen = crate::screen::Screen::start_with(&arguments, &variables);
        screen.wait_for("White");
        screen.send("e2e4\r");
        let begun = Instant::now();
        while thought(&home) < 2 {
            assert!(begun.elapsed() < Duration::from_secs(60), "{mode}");
            thread::sleep(Duration::from_millis(100));
        }
        screen.signal("KILL");
        screen.ends();
        let run = home.play(&["play", "--resume"], &["clock"]);
        let left = run.out.split(", Black ").nth(1);
        let left = left.unwrap_or_else(|| panic!("{mode}: {}", run.out));
        assert!(!left.starts_with("5:00"), "{mode}: {left}");
        assert!(!left.starts_with("4:59"), "{mode}: {left}");
    }
}
