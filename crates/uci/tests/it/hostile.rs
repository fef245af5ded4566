//! Engines that are missing, hang, die, flood or lie. Each is reported correctly and within its deadline, and nothing
//! of it is left.

use std::time::{Duration, Instant};

use tabiya_rules::{MoveHistory, Position};
use tabiya_uci::{
    BestMove, Deadlines, Engine, EngineCommand, EngineError, ExitNote, Go, Notice, Phase,
    SearchEvent, SetOption, UciCommand, is_plain,
};

use test_suites::{Suites, UCI_HOSTILE, test_on_suites};

use crate::support::{
    QUICK, assert_group_gone, assert_nothing_left, hostile, hostile_program, size,
};

test_on_suites!(every_way_of_the_suite_is_covered);

/// Every way that the tests below cover, by its name in the suite.
const COVERED: &[&str] = &[
    "missing",
    "not_executable",
    "exits_at_once",
    "exit_code_1_on_uci",
    "segv_on_go",
    "abort_mid_line",
    "silent",
    "no_uciok",
    "no_readyok",
    "ignores_stop",
    "ignores_quit",
    "ignores_sigterm",
    "forks_child",
    "spam_info",
    "no_newline_flood",
    "nul_and_binary",
    "stderr_flood",
    "slow_drip",
    "closes_stdout",
    "closes_stdin",
    "never_reads",
    "illegal_bestmove",
    "garbage_bestmove",
    "bestmove_nul",
    "double_space",
    "bestmove_uppercase",
    "bestmove_twice",
    "bestmove_unasked",
    "late_bestmove",
    "bestmove_castle_960",
    "promotion_missing",
    "esc_name",
    "esc_info",
    "huge_numbers",
    "illegal_pv",
    "score_words",
    "multipv_huge",
    "wdl_bad",
    "option_flood",
    "option_weird",
    "crlf",
    "cr_only",
    "utf16",
    "banner_after_uciok",
    "restart_loop",
    "clock_cheat",
];

fn every_way_of_the_suite_is_covered(suites: &Suites) {
    for row in suites.rows(UCI_HOSTILE) {
        let name = row[0].as_str();
        assert!(COVERED.contains(&name), "{name} has no test");
    }
}

/// After this long, something waits forever, however busy the machine is.
const HANG: Duration = Duration::from_secs(30);

/// Returns a time limit that a good engine does not need.
fn movetime(millis: u64) -> Go {
    Go::new().with_move_time(Duration::from_millis(millis))
}

fn started(way: &str) -> Engine {
    hostile(way).unwrap_or_else(|error| panic!("{way}: {error}"))
}

/// Returns the error of starting, which must come at most a second after the longest deadline.
#[track_caller]
fn failed_start(way: &str) -> EngineError {
    let begun = Instant::now();
    let error = hostile(way)
        .err()
        .unwrap_or_else(|| panic!("{way} started"));
    assert!(
        begun.elapsed() < QUICK.handshake + Duration::from_secs(2),
        "{way}"
    );
    assert!(error.is_fatal());
    assert!(error.to_string().ends_with('.') || error.to_string().contains("last words"));
    assert!(error.to_string().chars().all(is_plain));
    assert_nothing_left(way);
    error
}

/// Returns the result of one search from the start. If it fails, the process must be gone.
#[track_caller]
fn think(way: &str) -> Result<BestMove, EngineError> {
    think_from(way, Position::start())
}

#[track_caller]
fn think_from(way: &str, position: Position) -> Result<BestMove, EngineError> {
    let mut engine = started(way);
    let begun = Instant::now();
    let result = engine.think(&MoveHistory::new(position), movetime(100), |info| {
        assert!(format!("{:?}", info.info).chars().all(is_plain));
    });
    assert!(begun.elapsed() < Duration::from_secs(4), "{way}");
    if result.is_err() {
        assert_group_gone(engine.process_id());
        assert_eq!(engine.ready(), result.clone().map(drop), "a failure stays");
    } else {
        engine.quit();
    }
    assert_nothing_left(way);
    result
}

#[test]
fn programs_that_cannot_be_started() {
    let folder = std::env::temp_dir().join(format!("tabiya-uci-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let plain = folder.join("plain.txt");
    std::fs::write(&plain, "just a text\n").expect("a file");
    let script = folder.join("no program");
    std::fs::write(&script, [0x7f, 0, 1, 2, 3]).expect("a file");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&script, executable).expect("permissions");
    for (path, words) in [
        (folder.join("missing"), "no such file"),
        (plain, "may not be executed"),
        (folder.clone(), "is a folder"),
        (script, "is not a program"),
    ] {
        let begun = Instant::now();
        let error = Engine::start(&EngineCommand::new(&path), *QUICK).expect_err("no engine");
        assert!(begun.elapsed() < Duration::from_secs(1));
        assert!(matches!(error, EngineError::Start { .. }), "{error:?}");
        assert!(error.to_string().contains(words), "{error}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder");
}

#[test]
fn engines_that_die() {
    let EngineError::Ended { phase, exit, .. } = failed_start("exits_at_once") else {
        panic!("it ended");
    };
    assert_eq!((phase, exit), (Phase::Handshake, ExitNote::Code(0)));
    let error = failed_start("exit_code_1_on_uci");
    assert_eq!(
        error.to_string(),
        "The engine ended before it had introduced itself (exit code 1). \
         Its last words: cannot find the network file"
    );
    let error = think("segv_on_go").expect_err("it died");
    assert_eq!(
        error.to_string(),
        "The engine ended while it should have been thinking (signal SIGSEGV)."
    );
    let EngineError::Ended { exit, .. } = think("abort_mid_line").expect_err("it died") else {
        panic!("it ended");
    };
    assert_eq!(exit, ExitNote::Signal(6));
}

#[test]
fn an_engine_that_dies_after_each_move_is_started_again() {
    for _ in 0..3 {
        let mut engine = started("restart_loop");
        let reply = engine.think(&MoveHistory::default(), movetime(50), |_| {});
        assert!(reply.expect("a move before the end").best.is_some());
        let error = engine
            .go(&MoveHistory::default(), movetime(50))
            .expect_err("it is gone");
        assert!(matches!(
            error,
            EngineError::Ended {
                exit: ExitNote::Code(3),
                ..
            }
        ));
    }
    assert_nothing_left("restart_loop");
}

#[test]
fn engines_that_are_silent() {
    for way in ["silent", "no_uciok", "slow_drip", "cr_only"] {
        let begun = Instant::now();
        let error = failed_start(way);
        let limit = QUICK.handshake;
        let phase = Phase::Handshake;
        if way == "slow_drip"
            && error
                == (EngineError::Silent {
                    phase: Phase::Ready,
                    limit: QUICK.ready,
                })
        {
            continue;
        }
        assert_eq!(error, EngineError::Silent { phase, limit }, "{way}");
        assert!(begun.elapsed() >= limit);
    }
    let error = failed_start("no_readyok");
    let (phase, limit) = (Phase::Ready, QUICK.ready);
    assert_eq!(error, EngineError::Silent { phase, limit });
}

#[test]
fn engines_that_do_not_stop_thinking() {
    let limit = QUICK.stop;
    for way in ["ignores_stop", "clock_cheat"] {
        assert_eq!(think(way), Err(EngineError::NoBestMove { limit }));
    }
    let mut engine = started("clock_cheat");
    let mut go = Go::default();
    go.time.white = Some(Duration::from_millis(300));
    let begun = Instant::now();
    let result = engine.think(&MoveHistory::default(), go, |_| {});
    assert_eq!(result, Err(EngineError::NoBestMove { limit }));
    assert!(begun.elapsed() < Duration::from_secs(3));
    drop(engine);
    assert_nothing_left("clock_cheat");
}

#[test]
fn engines_that_do_not_quit() {
    for (way, expected) in [
        ("ignores_quit", ExitNote::Terminated),
        ("ignores_sigterm", ExitNote::Killed),
        ("good", ExitNote::Code(0)),
    ] {
        let engine = started(way);
        let id = engine.process_id();
        let begun = Instant::now();
        assert_eq!(engine.quit(), expected, "{way}");
        assert!(begun.elapsed() < Duration::from_secs(2));
        assert_group_gone(id);
        assert_nothing_left(way);
    }
}

#[test]
fn a_grandchild_that_holds_the_pipe_dies_too() {
    let begun = Instant::now();
    let error = think("forks_child").expect_err("it ended");
    assert!(matches!(
        error,
        EngineError::Ended {
            exit: ExitNote::Code(0),
            ..
        }
    ));
    assert!(begun.elapsed() < Duration::from_secs(3));
    assert_nothing_left("sleeper");
}

/// A process in a session of its own is not in the engine's group.
#[cfg(target_os = "linux")]
#[test]
fn a_grandchild_in_its_own_session_dies_too() {
    let file = std::env::temp_dir().join(format!("tabiya-session-{}", std::process::id()));
    let script = "\
        setsid sh -c 'echo $$ > \"$0\"; exec sleep 1000' \"$0\" </dev/null >/dev/null 2>&1 &
        while read -r line; do
            case $line in uci) echo uciok;; isready) echo readyok;; quit) exit;; esac
        done";
    let arguments = vec!["-c".into(), script.into(), file.clone().into()];
    let command = EngineCommand::new("/bin/sh").with_arguments(arguments);
    let engine = Engine::start(&command, Deadlines::default()).expect("an engine");
    let begun = Instant::now();
    let id = loop {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        if let Ok(id) = text.trim().parse::<u32>() {
            break id;
        }
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "it does not start"
        );
        std::thread::sleep(Duration::from_millis(10));
    };
    let runs = || {
        let status = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        // Whoever adopts it may not have collected it yet.
        !status.is_empty() && !status.contains(") Z ")
    };
    assert!(runs(), "it has started");
    engine.quit();
    let begun = Instant::now();
    while runs() {
        assert!(begun.elapsed() < Duration::from_secs(10), "{id} is left");
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = std::fs::remove_file(file);
}

#[test]
fn floods_are_bounded() {
    assert_eq!(failed_start("no_newline_flood"), EngineError::LineTooLong);
    assert_eq!(failed_start("option_flood"), EngineError::Flood);
    assert_eq!(failed_start("utf16"), EngineError::NotText);
    let binary = failed_start("nul_and_binary");
    assert!(matches!(
        binary,
        EngineError::NotText | EngineError::LineTooLong
    ));
    let before = resident_pages();
    // Ten MiB, or a GiB.
    let blocks = size("TABIYA_FLOOD_SECONDS", 0).max(1) * 160;
    let mut engine = started(&format!("stderr_flood:{blocks}"));
    let reply = engine.think(&MoveHistory::default(), movetime(100), |_| {});
    assert!(reply.expect("a move").best.is_some());
    assert_grown_little(before);
}

#[test]
fn a_flood_of_reports_does_not_hide_the_move() {
    let before = resident_pages();
    let mut engine = started("spam_info");
    engine
        .go(&MoveHistory::default(), Go::infinite())
        .expect("it thinks");
    let begun = Instant::now();
    let mut flooded = false;
    let flood = Duration::from_secs(size("TABIYA_FLOOD_SECONDS", 2) as u64);
    while begun.elapsed() < flood {
        let event = engine
            .next_event(Duration::from_millis(10))
            .expect("it floods, no more");
        flooded |= event == Some(SearchEvent::Notice(Notice::Flood));
        // The watcher has other work to do as well.
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(flooded);
    engine.stop().expect("it is told");
    let told = Instant::now();
    loop {
        match engine
            .next_event(Duration::from_millis(100))
            .expect("it answers")
        {
            Some(SearchEvent::BestMove(reply)) => break assert!(reply.best.is_some()),
            _ => assert!(told.elapsed() < QUICK.stop * 2),
        }
    }
    assert_grown_little(before);
    drop(engine);
    assert_nothing_left("spam_info");
}

#[track_caller]
fn assert_grown_little(before: u64) {
    let grown = resident_pages().saturating_sub(before) * 4096;
    println!("{} MiB more after a flood", grown >> 20);
    assert!(grown < 64 << 20, "{grown} bytes more");
}

fn resident_pages() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").expect("on Linux");
    let pages = text.split_whitespace().nth(1).expect("a number");
    pages.parse().expect("a number")
}

#[test]
fn closed_pipes_are_told_apart() {
    let mut engine = started("closes_stdout");
    let error = engine.ready().expect_err("nothing can come");
    assert_eq!(
        error,
        EngineError::OutputClosed {
            phase: Phase::Ready
        }
    );
    assert_nothing_left("closes_stdout");

    let mut engine = started("closes_stdin");
    // The engine closes its input just after it says that it is ready.
    std::thread::sleep(Duration::from_millis(200));
    let error = engine.ready().expect_err("nothing can be said");
    assert_eq!(
        error,
        EngineError::InputClosed {
            phase: Phase::Ready
        }
    );
    assert_nothing_left("closes_stdin");
}

#[test]
fn an_engine_that_never_reads_blocks_nobody() {
    let mut engine = started("never_reads");
    let text = UciCommand::Unknown("x".repeat(4000));
    let (sender, receiver) = std::sync::mpsc::channel();
    // In its own thread, because waiting for such an engine never ends.
    std::thread::spawn(move || {
        // The commands that wait to be read stay bounded.
        let error = (0..10_000_000 / 4000).find_map(|_| engine.send(&text).err());
        drop(sender.send((error, engine)));
    });
    let told = receiver.recv_timeout(HANG);
    let (error, engine) = told.expect("no command waits for the engine");
    assert_eq!(error, Some(EngineError::NotReading));
    assert_group_gone(engine.process_id());
    assert_nothing_left("never_reads");
}

#[test]
fn moves_that_are_none_are_refused() {
    for way in [
        "illegal_bestmove",
        "garbage_bestmove:aaaa",
        "bestmove_nul",
        "bestmove_uppercase",
    ] {
        let error = think(way).expect_err(way);
        assert!(
            matches!(error, EngineError::IllegalMove { .. }),
            "{way}: {error}"
        );
    }
    for way in [
        "garbage_bestmove:",
        "garbage_bestmove:(none)",
        "garbage_bestmove:0000",
        "garbage_bestmove:NULL",
    ] {
        assert_eq!(think(way), Err(EngineError::NoMove), "{way}");
    }
    let promotion = Position::from_fen("7k/P7/8/8/8/8/8/K7 w - - 0 1").expect("valid");
    let error = think_from("promotion_missing", promotion).expect_err("no piece is named");
    assert_eq!(
        error.to_string(),
        "The engine chose 'a7a8', which is no legal move: Promotion piece required: q, r, b or n."
    );
}

#[test]
fn false_moves_are_never_played() {
    let count = size("TABIYA_FALSE_MOVES", 60);
    for seed in 0..count {
        let way = format!("false_moves:{seed}");
        let mut engine = started(&way);
        let result = engine.think(&MoveHistory::default(), movetime(20), |_| {});
        let error = result.expect_err(&way);
        assert!(error.to_string().chars().all(is_plain), "{way}: {error}");
        assert_group_gone(engine.process_id());
    }
    println!("{count} moves that are none, each refused");
}

#[test]
fn moves_in_unusual_forms_are_read() {
    let reply = think("double_space").expect("a move");
    let start = Position::start();
    assert_eq!(reply.best, start.parse_uci("e2e4").ok());
    assert!(reply.ponder.is_some());
    let castle = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("valid");
    let reply = think_from("bestmove_castle_960", castle).expect("a castle");
    assert_eq!(reply.best, castle.parse_uci("e1g1").ok());
    let mate = Position::from_fen("k6Q/8/K7/8/8/8/8/8 b - - 0 1").expect("valid");
    let none = BestMove {
        best: None,
        ponder: None,
    };
    assert_eq!(think_from("good", mate), Ok(none));
}

#[test]
fn moves_nobody_asked_for_are_never_played() {
    let mut engine = started("bestmove_twice");
    for _ in 0..3 {
        let reply = engine
            .think(&MoveHistory::default(), movetime(100), |_| {})
            .expect("a move");
        let first = Position::start().legal_moves()[0];
        assert_eq!(reply.best, Some(first));
    }
    engine.ready().expect("it is fine otherwise");
    let notice = engine.next_event(Duration::ZERO).expect("it lives");
    assert!(matches!(
        notice,
        Some(SearchEvent::Notice(Notice::UnaskedBestMove(_)))
    ));

    assert!(think("bestmove_unasked").expect("a move").best.is_some());

    let mut engine = started("late_bestmove");
    let mut played = MoveHistory::default();
    for _ in 0..4 {
        let first = played.current().legal_moves()[0];
        let reply = engine
            .think(&played, movetime(100), |_| {})
            .expect("a move");
        assert_eq!(
            reply.best,
            Some(first),
            "the move of the position now, not of the last one"
        );
        played.push(first).expect("legal");
    }
    drop(engine);
    assert_nothing_left("late_bestmove");
}

#[test]
fn nonsense_in_reports_does_no_harm() {
    for way in [
        "esc_name",
        "esc_info",
        "huge_numbers",
        "illegal_pv",
        "score_words",
        "multipv_huge",
        "wdl_bad",
        "option_weird",
        "crlf",
        "banner_after_uciok",
    ] {
        assert!(think(way).expect(way).best.is_some());
    }
    let engine = started("esc_name");
    assert!(engine.name().ends_with("Evil") && engine.name().chars().all(is_plain));
    let mut engine = started("illegal_pv");
    let mut lengths = Vec::new();
    let result = engine.think(&MoveHistory::default(), movetime(50), |info| {
        lengths.push(info.pv.len());
    });
    assert!(result.is_ok());
    assert_eq!(lengths, [0]);
}

#[test]
fn what_a_good_engine_is_asked_for_wrongly_is_refused_and_it_lives() {
    let mut engine = started("good");
    let option = |name: &str, value: &str| SetOption {
        name: name.into(),
        value: Some(value.into()),
    };
    let error = engine
        .set_option(&option("Hash", "1"))
        .expect_err("not declared");
    assert_eq!(error.to_string(), "The engine has no option named Hash.");
    assert!(!error.is_fatal());
    let error = engine
        .set_option(&option("uci_chess960", "maybe"))
        .expect_err("no value");
    assert_eq!(
        error.to_string(),
        "UCI_Chess960 must be true or false, not maybe."
    );
    engine
        .go(&MoveHistory::default(), Go::infinite())
        .expect("it thinks");
    assert_eq!(engine.ready(), Err(EngineError::Busy));
    assert_eq!(
        engine.go(&MoveHistory::default(), Go::default()),
        Err(EngineError::Busy)
    );
    engine.stop().expect("it is told");
    let reply = loop {
        if let Some(SearchEvent::BestMove(reply)) =
            engine.next_event(Duration::from_secs(1)).expect("it lives")
        {
            break reply;
        }
    };
    assert!(reply.best.is_some());
    engine.new_game().expect("it lives");
}

#[test]
fn another_thread_can_stop_and_abort() {
    let mut engine = started("good");
    engine
        .go(&MoveHistory::default(), Go::infinite())
        .expect("it thinks");
    let handle = engine.handle();
    let asking = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        handle.stop();
    });
    let reply = loop {
        if let Some(SearchEvent::BestMove(reply)) =
            engine.next_event(Duration::from_secs(5)).expect("it lives")
        {
            break reply;
        }
    };
    assert!(reply.best.is_some());
    asking.join().expect("no panic");

    let begun = Instant::now();
    let mut command = EngineCommand::new(hostile_program());
    command.arguments = vec!["silent".into()];
    let result = Engine::start_with(&command, *QUICK, |handle| {
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            handle.abort();
        });
    });
    assert_eq!(result.err(), Some(EngineError::Aborted));
    assert!(begun.elapsed() < QUICK.handshake);
}

#[test]
fn pondering_gives_its_move_only_when_it_is_over() {
    let mut engine = started("good");
    let go = Go::new()
        .pondering()
        .with_move_time(Duration::from_millis(100));
    engine.go(&MoveHistory::default(), go).expect("it ponders");
    let event = engine
        .next_event(Duration::from_millis(200))
        .expect("it lives");
    assert_eq!(event, None);
    engine.ponder_hit().expect("it is told");
    let mut best = None;
    while best.is_none() {
        if let Some(SearchEvent::BestMove(reply)) =
            engine.next_event(Duration::from_secs(1)).expect("it lives")
        {
            best = reply.best;
        }
    }
}
