//! Clocks through a session: every kind of control, flags, pauses, undo and takebacks.

use core::time::Duration;

use tabiya_game::{Command, Event, NewGame, Outcome, Refusal, Session, TimeControl, Timestamp};
use tabiya_rules::{ByColor, Color};

use crate::common::{at, play, position, seconds, timed};

fn left(session: &Session, now: Timestamp) -> (f64, f64) {
    let face = session.clock(now);
    let of = |color| face.left[color].map_or(f64::INFINITY, |time: Duration| time.as_secs_f64());
    (of(Color::White), of(Color::Black))
}

fn play_at(session: &mut Session, text: &str, moment: f64) -> Vec<Event> {
    session.apply(Command::play(text), at(moment)).unwrap()
}

#[test]
fn sudden_death_runs_down() {
    let mut session = timed("5");
    assert_eq!(left(&session, at(10.0)), (290.0, 300.0));
    let events = play_at(&mut session, "e4", 20.0);
    assert!(matches!(&events[0], Event::Moved(moved) if moved.clock == Some(seconds(280.0))));
    assert_eq!(left(&session, at(25.0)), (280.0, 295.0));
    play_at(&mut session, "e5", 50.0);
    assert_eq!(left(&session, at(50.0)), (280.0, 270.0));
    let face = session.clock(at(51.0));
    assert_eq!(
        (face.running, face.flag_in()),
        (Some(Color::White), Some(seconds(279.0)))
    );
}

#[test]
fn a_control_answers_without_a_session() {
    let control: TimeControl = "1+5".parse().unwrap();
    assert_eq!(
        control.after_move(seconds(60.0), 0, seconds(20.0)),
        Some(seconds(45.0))
    );
    assert_eq!(control.after_move(seconds(60.0), 0, seconds(60.0)), None);
    assert_eq!(
        control.left(seconds(60.0), 0, seconds(61.0)),
        Duration::ZERO
    );
    assert_eq!(TimeControl::UNLIMITED.initial(), None);
    assert!(TimeControl::UNLIMITED.period_after(3).is_none());
    assert_eq!(Timestamp::from_millis(1500), at(1.5));
    assert_eq!(at(2.5).since(at(1.0)), seconds(1.5));
    assert_eq!(at(1.0).since(at(2.5)), Duration::ZERO);
}

#[test]
fn a_move_after_the_flag_fell_does_not_count() {
    let mut session = timed("1");
    play_at(&mut session, "e4", 1.0);
    let fallen = [
        Event::FlagFell {
            color: Color::Black,
        },
        Event::Ended(Outcome::Time {
            loser: Color::Black,
        }),
    ];
    // The flag falls when exactly no time is left.
    assert_eq!(play_at(&mut session, "e5", 61.0), fallen);
    assert_eq!(session.ply(), 1);
    assert_eq!(
        session.outcome().unwrap().to_string(),
        "Black ran out of time. White wins."
    );
    assert_eq!(left(&session, at(500.0)), (59.0, 0.0));
    assert_eq!(session.clock(at(500.0)).running, None);
    let refusal = session.apply(Command::play("e5"), at(62.0)).unwrap_err();
    assert_eq!(
        refusal,
        Refusal::GameOver(Outcome::Time {
            loser: Color::Black
        })
    );

    // Every command is dropped once a flag has fallen, and the flag falls only once.
    let mut session = timed("1");
    let events = session
        .apply(Command::Resign(Color::Black), at(100.0))
        .unwrap();
    assert_eq!(
        events[0],
        Event::FlagFell {
            color: Color::White
        }
    );
    assert_eq!(
        session.outcome(),
        Some(Outcome::Time {
            loser: Color::White
        })
    );
    assert_eq!(session.apply(Command::Tick, at(101.0)).unwrap(), []);
}

#[test]
fn a_flag_against_a_side_that_cannot_mate_is_a_draw() {
    let start = position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    let clocked = NewGame::default()
        .with_clock(&"1".parse().unwrap())
        .with_start(start);
    let mut session = Session::new(clocked);
    session.apply(Command::Tick, at(0.0)).unwrap();
    let events = session.apply(Command::Tick, at(61.0)).unwrap();
    assert_eq!(
        events[1],
        Event::Ended(Outcome::TimeWithoutMaterial {
            flagged: Color::White
        })
    );
    assert_eq!(
        session.outcome().unwrap().to_string(),
        "White ran out of time. The game is a draw."
    );
    assert_eq!(left(&session, at(61.0)), (0.0, 60.0));
    // After reopening, the turn begins again; the other side's flag loses.
    session.apply(Command::undo(1), at(70.0)).unwrap();
    assert_eq!(left(&session, at(70.0)), (60.0, 60.0));
    session.apply(Command::play("e2e4"), at(80.0)).unwrap();
    let events = session.apply(Command::Tick, at(140.0)).unwrap();
    assert_eq!(
        events[1],
        Event::Ended(Outcome::Time {
            loser: Color::Black
        })
    );
}

#[test]
fn increments_are_added_after_the_move() {
    let mut session = timed("1+5");
    play_at(&mut session, "e4", 10.0);
    assert_eq!(left(&session, at(10.0)), (55.0, 60.0));
    play_at(&mut session, "e5", 12.0);
    assert_eq!(left(&session, at(12.0)), (55.0, 63.0));
    // The increment comes too late for a flag that has fallen.
    let mut session = timed("0.1+5");
    assert_eq!(
        play_at(&mut session, "e4", 6.0)[0],
        Event::FlagFell {
            color: Color::White
        }
    );
    let mut session = timed("5s+0.05s");
    play_at(&mut session, "e4", 1.0);
    assert_eq!(left(&session, at(1.0)), (4.05, 5.0));
}

#[test]
fn a_delay_passes_before_the_clock_runs() {
    let mut session = timed("1d5");
    assert_eq!(left(&session, at(4.0)), (60.0, 60.0));
    let face = session.clock(at(4.0));
    assert_eq!(
        (face.delay, face.flag_in()),
        (seconds(1.0), Some(seconds(61.0)))
    );
    play_at(&mut session, "e4", 4.0);
    assert_eq!(left(&session, at(4.0)), (60.0, 60.0));
    play_at(&mut session, "e5", 19.0);
    assert_eq!(left(&session, at(19.0)), (60.0, 50.0));
    assert_eq!(session.apply(Command::Tick, at(83.0)).unwrap(), []);
    assert_eq!(
        session.apply(Command::Tick, at(84.0)).unwrap()[0],
        Event::FlagFell {
            color: Color::White
        }
    );
}

#[test]
fn bronstein_gives_back_what_was_used() {
    let mut session = timed("1b5");
    assert_eq!(left(&session, at(4.0)), (56.0, 60.0));
    play_at(&mut session, "e4", 4.0);
    assert_eq!(left(&session, at(4.0)), (60.0, 60.0));
    play_at(&mut session, "e5", 19.0);
    assert_eq!(left(&session, at(19.0)), (60.0, 50.0));
    // The time is given back only after the move, so the flag falls without it.
    assert_eq!(
        session.apply(Command::Tick, at(79.0)).unwrap()[0],
        Event::FlagFell {
            color: Color::White
        }
    );
}

#[test]
fn periods_follow_the_moves() {
    let mut session = timed("2/1+1:30s+2s");
    let mut now = 0.0;
    for (text, white, black) in [
        ("a3", 51.0, 60.0),
        ("a6", 51.0, 51.0),
        ("b3", 72.0, 51.0),
        ("b6", 72.0, 72.0),
        ("c3", 64.0, 72.0),
        ("c6", 64.0, 64.0),
    ] {
        now += 10.0;
        play_at(&mut session, text, now);
        assert_eq!(left(&session, at(now)), (white, black), "{text}");
    }
    // A last period with a number of moves repeats.
    let mut session = timed("1/1");
    for (ply, text) in ["a3", "a6", "b3", "b6"].into_iter().enumerate() {
        play_at(&mut session, text, 10.0 * (ply as f64 + 1.0));
    }
    assert_eq!(left(&session, at(40.0)), (160.0, 160.0));
}

#[test]
fn forty_moves_in_ninety_minutes() {
    let mut session = timed("40/90+30");
    let mut now = 0.0;
    let cycles = [
        "Nf3 Nf6 Ng1 Ng8 e3 e6",
        "Nc3 Nc6 Nb1 Nb8 d3 d6",
        "Nf3 Nf6 Ng1 Ng8 c3 c6",
    ];
    let pawns = [
        "a3 a6", "b3 b6", "h3 h6", "g3 g6", "e4 e5", "d4 d5", "c4 c5", "a4 a5",
    ];
    let mut texts: Vec<&str> = cycles.iter().flat_map(|cycle| cycle.split(' ')).collect();
    for pawn in pawns {
        texts.extend("Nf3 Nf6 Ng1 Ng8".split(' '));
        texts.extend(pawn.split(' '));
    }
    texts.extend("Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8 h4 h5 Nf3 Nf6 Ng1 Ng8".split(' '));
    assert_eq!(texts.len(), 80);
    for text in texts {
        now += 60.0;
        play_at(&mut session, text, now);
    }
    // 40 minutes were used, 20 came back, and the second period added 90.
    let minutes = 60.0 * (90.0 - 40.0 + 20.0 + 90.0);
    assert_eq!(left(&session, at(now)), (minutes, minutes));
}

#[test]
fn sides_can_have_different_times() {
    let clocks = ByColor::new("5+0".parse().unwrap(), TimeControl::UNLIMITED);
    let mut session = Session::new(NewGame::default().with_clocks(clocks));
    session.apply(Command::Tick, at(0.0)).unwrap();
    play_at(&mut session, "e4", 10.0);
    assert_eq!(left(&session, at(10_000.0)), (290.0, f64::INFINITY));
    assert_eq!(session.clock(at(10_000.0)).running, None);
    let events = play_at(&mut session, "e5", 20_000.0);
    assert!(matches!(&events[0], Event::Moved(moved) if moved.clock.is_none()));
    assert_eq!(left(&session, at(20_010.0)), (280.0, f64::INFINITY));
}

#[test]
fn a_clock_that_begins_with_nothing_begins_with_a_bonus() {
    let session = timed("0+3");
    assert_eq!(left(&session, at(0.0)), (3.0, 3.0));
}

#[test]
fn time_begins_with_the_first_command_that_is_accepted() {
    let mut session = Session::new(NewGame::default().with_clock(&"5".parse().unwrap()));
    session.apply(Command::play("e5"), at(900.0)).unwrap_err();
    session.apply(Command::Tick, at(1000.0)).unwrap();
    assert_eq!(left(&session, at(1007.0)), (293.0, 300.0));
    // No time passes if the source of time goes backward.
    session.apply(Command::Tick, at(1010.0)).unwrap();
    session.apply(Command::Tick, at(10.0)).unwrap();
    assert_eq!(left(&session, at(11.0)), (289.0, 300.0));
    let far = Timestamp::after_origin(Duration::MAX);
    assert_eq!(far + seconds(1.0), far);
    assert_eq!(
        session.apply(Command::Tick, far).unwrap()[0],
        Event::FlagFell {
            color: Color::White
        }
    );
}

#[test]
fn a_pause_stops_the_clocks() {
    let mut session = timed("5");
    play_at(&mut session, "e4", 10.0);
    assert_eq!(
        session.apply(Command::Pause, at(15.0)).unwrap(),
        [Event::Paused]
    );
    assert!(session.is_paused());
    assert_eq!(left(&session, at(500.0)), (290.0, 295.0));
    assert_eq!(session.clock(at(500.0)).running, None);
    assert_eq!(
        session.apply(Command::Pause, at(500.0)),
        Err(Refusal::Paused)
    );
    let refusal = session.apply(Command::play("e5"), at(500.0)).unwrap_err();
    assert_eq!(refusal.to_string(), "The game is paused: resume it first.");
    assert_eq!(
        session.apply(Command::Resume, at(1000.0)).unwrap(),
        [Event::Resumed]
    );
    assert_eq!(
        session.apply(Command::Resume, at(1000.0)),
        Err(Refusal::NotPaused)
    );
    assert_eq!(left(&session, at(1005.0)), (290.0, 290.0));
    play_at(&mut session, "e5", 1010.0);
    assert_eq!(left(&session, at(1010.0)), (290.0, 285.0));
    session
        .apply(Command::Resign(Color::White), at(1011.0))
        .unwrap();
    assert!(matches!(
        session.apply(Command::Pause, at(1012.0)),
        Err(Refusal::GameOver(_))
    ));
    assert!(matches!(
        session.apply(Command::Resume, at(1012.0)),
        Err(Refusal::GameOver(_))
    ));
}

#[test]
fn undo_and_redo_restore_the_times() {
    let mut session = timed("5+3");
    play_at(&mut session, "e4", 10.0);
    play_at(&mut session, "e5", 30.0);
    assert_eq!(left(&session, at(30.0)), (293.0, 283.0));
    session.apply(Command::undo(1), at(40.0)).unwrap();
    // Black's turn begins again with the time it had, and White's thinking time is kept.
    assert_eq!(left(&session, at(40.0)), (293.0, 300.0));
    session.apply(Command::Redo(1), at(40.0)).unwrap();
    assert_eq!(left(&session, at(40.0)), (283.0, 283.0));
    session.apply(Command::undo(2), at(41.0)).unwrap();
    assert_eq!(left(&session, at(41.0)), (300.0, 300.0));
    // Another move in the same place takes its own time.
    play_at(&mut session, "d4", 51.0);
    assert_eq!(left(&session, at(51.0)), (293.0, 300.0));
    session.apply(Command::undo(1), at(60.0)).unwrap();
    play_at(&mut session, "e4", 90.0);
    assert_eq!(left(&session, at(90.0)), (273.0, 300.0));
}

#[test]
fn a_takeback_restores_the_times() {
    let mut session = timed("5");
    play_at(&mut session, "e4", 10.0);
    play_at(&mut session, "e5", 20.0);
    play_at(&mut session, "Nf3", 40.0);
    session
        .apply(Command::AskTakeback(Color::White), at(45.0))
        .unwrap();
    session
        .apply(Command::GrantTakeback(Color::Black), at(50.0))
        .unwrap();
    assert_eq!(session.ply(), 2);
    assert_eq!(left(&session, at(50.0)), (290.0, 290.0));
    assert_eq!(session.clock(at(50.0)).running, Some(Color::White));
}

#[test]
fn no_clock_runs_without_a_limit_or_after_the_end() {
    let mut session = Session::default();
    play(&mut session, "f3 e5 g4");
    let face = session.clock(at(1e6));
    assert_eq!(
        (face.running, face.left, face.flag_in()),
        (None, ByColor::default(), None)
    );
    let mut session = timed("5");
    for (moment, text) in ["f3", "e5", "g4", "Qh4#"].into_iter().enumerate() {
        play_at(&mut session, text, moment as f64);
    }
    assert_eq!(session.clock(at(1e6)).running, None);
    assert_eq!(left(&session, at(1e6)), (299.0, 298.0));
}

#[test]
fn refused_commands_do_not_touch_the_time() {
    let mut session = timed("5");
    let before = session.clone();
    session.apply(Command::play("Ke2"), at(100.0)).unwrap_err();
    assert_eq!(session, before);
    assert_eq!(left(&session, at(100.0)), (200.0, 300.0));
    play_at(&mut session, "e4", 110.0);
    assert_eq!(left(&session, at(110.0)), (190.0, 300.0));
}

#[test]
fn what_is_refused_or_only_written_starts_no_clock() {
    let control = "1+0".parse().unwrap();
    let mut session = Session::new(NewGame::default().with_clock(&control));
    let before = session.clone();
    let at = Timestamp::from_millis;
    assert!(session.apply(Command::play("e5"), at(0)).is_err());
    assert!(session.apply(Command::undo(1), at(10)).is_err());
    assert!(session.apply(Command::Resume, at(20)).is_err());
    assert_eq!(session, before);
    let tag = Command::SetTag {
        name: "White".to_owned(),
        value: Some("Anna".to_owned()),
    };
    session.apply(tag, at(30)).unwrap();
    let comment = Command::Comment {
        node: None,
        text: "before the game".to_owned(),
    };
    session.apply(comment, at(40)).unwrap();
    session
        .apply(Command::SetPolicy(Default::default()), at(50))
        .unwrap();
    let hour = 3_600_000;
    assert_eq!(
        session.clock(at(hour)).left.white,
        Some(Duration::from_secs(60)),
        "nothing has begun"
    );

    session.apply(Command::Tick, at(hour)).unwrap();
    assert_eq!(
        session.clock(at(hour + 1_000)).left.white,
        Some(Duration::from_secs(59)),
        "a tick starts the clocks"
    );
    // Without a tick, the first move starts the clocks and costs no time.
    let mut other = before;
    other.apply(Command::play("e4"), at(hour)).unwrap();
    let face = other.clock(at(hour + 1_000));
    assert_eq!(face.left.white, Some(Duration::from_secs(60)));
    assert_eq!(face.left.black, Some(Duration::from_secs(59)));
}
