//! The real Stockfish through the client: whole games, several lines, pondering, stopping, options, Chess960. It is
//! the one in `TABIYA_STOCKFISH`, on PATH or in /usr/games.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use tabiya_rules::{CastlingMode, MoveHistory, Position, Score, Status};
use tabiya_uci::{
    Analysis, AnalysisLimits, Analyst, Deadlines, Engine, EngineCommand, EngineError, ExitNote, Go,
    SearchEvent, SetOption, find_program,
};

fn stockfish() -> Engine {
    let named = std::env::var_os("TABIYA_STOCKFISH").map(PathBuf::from);
    let debian = || Some(PathBuf::from("/usr/games/stockfish")).filter(|path| path.exists());
    let path = named.or_else(|| find_program("stockfish")).or_else(debian);
    let mut command = EngineCommand::new(path.expect("Stockfish is installed"));
    command.set("Hash", "16");
    command.set("Threads", "1");
    let engine = Engine::start(&command, Deadlines::default());
    engine.unwrap_or_else(|error| panic!("{error}"))
}

fn nodes(nodes: u64) -> Go {
    Go::new().with_nodes(nodes)
}

/// Waits for the end of the search, and returns the move.
#[track_caller]
fn best(engine: &mut Engine) -> tabiya_rules::Move {
    loop {
        match engine.next_event(Duration::from_secs(1)).expect("it lives") {
            Some(SearchEvent::BestMove(reply)) => return reply.best.expect("a move"),
            Some(SearchEvent::Notice(notice)) => panic!("{notice}"),
            Some(SearchEvent::Info(_)) | None => {}
        }
    }
}

/// Plays a game of the engine against itself until it is over or long.
fn game(engine: &mut Engine, start: Position, go: impl Fn(&MoveHistory) -> Go) -> MoveHistory {
    engine.new_game().expect("it lives");
    let mut played = MoveHistory::new(start);
    while played.current().status() == Status::Ongoing && played.moves().len() < 200 {
        let position = *played.current();
        let mut reports = 0;
        let reply = engine.think(&played, go(&played), |info| {
            assert_eq!(
                info.pv.len(),
                info.info.pv.len(),
                "every move of a line is legal"
            );
            reports += usize::from(info.info.score.is_some());
        });
        let best = reply.expect("it plays").best.expect("there are moves");
        assert!(position.is_legal(best) && reports > 0);
        played.push(best).expect("legal");
    }
    played
}

#[test]
#[ignore = "needs Stockfish"]
fn whole_games() {
    let mut engine = stockfish();
    assert!(engine.name().starts_with("Stockfish"));
    assert!(engine.author().is_some());
    let played = game(&mut engine, Position::start(), |_| nodes(300));
    assert!(played.moves().len() > 20);
    let clocks = game(&mut engine, Position::start(), |_| {
        let mut go = Go::default();
        go.time = go.time.map(|_| Some(Duration::from_millis(300)));
        go.increment = go.increment.map(|_| Duration::from_millis(1));
        go.depth = Some(4);
        go
    });
    assert!(clocks.moves().len() > 20);
    assert_eq!(engine.quit(), ExitNote::Code(0));
}

#[test]
#[ignore = "needs Stockfish"]
fn every_limit() {
    let mut engine = stockfish();
    let mate = Position::from_fen("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1").expect("valid");
    let start = Position::start();
    let e4 = start.uci(start.parse_san("e4").expect("a move"));
    for go in [
        nodes(1000),
        Go::new().with_depth(5),
        Go::new().with_move_time(Duration::from_millis(50)),
        Go::new().with_depth(3).with_search_moves(vec![e4]),
    ] {
        let only = go.search_moves.first().copied();
        let reply = engine
            .think(&MoveHistory::default(), go, |_| {})
            .expect("it plays");
        let best = reply.best.expect("a move");
        assert!(only.is_none_or(|only| start.uci(best) == only));
    }
    let go = Go::new().with_mate(2);
    let mut last = None;
    let reply = engine.think(&MoveHistory::new(mate), go, |info| {
        last = info.info.score.or(last);
    });
    assert_eq!(
        mate.san(reply.expect("it plays").best.expect("a move"))
            .to_string(),
        "Ra6"
    );
    assert_eq!(last.map(|score| score.value), Some(Score::MateIn(2)));
}

#[test]
#[ignore = "needs Stockfish"]
fn several_lines() {
    let mut engine = stockfish();
    let option = SetOption {
        name: "multipv".into(),
        value: Some("4".into()),
    };
    engine.set_option(&option).expect("it has the option");
    let mut lines = [const { None }; 5];
    let reply = engine.think(&MoveHistory::default(), nodes(5000), |info| {
        let number = info.info.multi_pv.unwrap_or(0) as usize;
        lines[number] = info.pv.first().copied().or(lines[number]);
    });
    let best = reply.expect("it plays").best;
    assert_eq!(lines[1], best);
    let mut different: Vec<_> = lines[1..].iter().flatten().collect();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), 4);
}

#[test]
#[ignore = "needs Stockfish"]
fn stopping() {
    let mut engine = stockfish();
    for _ in 0..5 {
        engine
            .go(&MoveHistory::default(), Go::infinite())
            .expect("it thinks");
        let begun = Instant::now();
        let mut reports = 0;
        while begun.elapsed() < Duration::from_millis(100) {
            let event = engine
                .next_event(Duration::from_millis(20))
                .expect("it lives");
            reports += usize::from(event.is_some());
        }
        assert!(reports > 0);
        engine.stop().expect("it is told");
        let told = Instant::now();
        best(&mut engine);
        assert!(told.elapsed() < Duration::from_secs(1));
    }
    engine
        .go(&MoveHistory::default(), Go::infinite())
        .expect("it thinks");
    let handle = engine.handle();
    std::thread::spawn(move || handle.stop());
    best(&mut engine);
}

#[test]
#[ignore = "needs Stockfish"]
fn pondering() {
    let mut engine = stockfish();
    let mut played = MoveHistory::default();
    let reply = engine
        .think(&played, nodes(20_000), |_| {})
        .expect("it plays");
    played.push(reply.best.expect("a move")).expect("legal");
    played
        .push(reply.ponder.expect("it has an idea"))
        .expect("legal");
    let mut go = Go::new().pondering();
    go.time = go.time.map(|_| Some(Duration::from_millis(500)));
    for hit in [true, false] {
        engine.go(&played, go.clone()).expect("it ponders");
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(150) {
            let event = engine
                .next_event(Duration::from_millis(50))
                .expect("it lives");
            assert!(!matches!(event, Some(SearchEvent::BestMove(_))));
        }
        let told = if hit {
            engine.ponder_hit()
        } else {
            engine.stop()
        };
        told.expect("it lives");
        assert!(played.current().is_legal(best(&mut engine)));
    }
}

#[test]
#[ignore = "needs Stockfish"]
fn options() {
    let mut engine = stockfish();
    let set = |engine: &mut Engine, name: &str, value: Option<&str>| {
        engine.set_option(&SetOption {
            name: name.into(),
            value: value.map(str::to_owned),
        })
    };
    assert!(engine.options().len() > 5);
    set(&mut engine, "skill level", Some("3")).expect("it has the option");
    set(&mut engine, "Clear Hash", None).expect("a button");
    set(&mut engine, "UCI_ShowWDL", Some("true")).expect("it has the option");
    let error = set(&mut engine, "Skill Level", Some("21")).expect_err("out of range");
    assert_eq!(
        error.to_string(),
        "Skill Level must be a number from 0 to 20, not 21."
    );
    let error = set(&mut engine, "No Such Thing", None).expect_err("it has not");
    assert!(matches!(error, EngineError::NoSuchOption { .. }) && !error.is_fatal());
    let mut chances = 0;
    let reply = engine.think(&MoveHistory::default(), nodes(2000), |info| {
        chances += usize::from(info.info.wdl.is_some());
    });
    assert!(reply.expect("it plays").best.is_some() && chances > 0);
}

#[test]
#[ignore = "needs Stockfish"]
fn chess960() {
    let mut engine = stockfish();
    for number in [0, 518, 959] {
        let start = Position::chess960(number).expect("below 960");
        assert_eq!(start.castling_mode(), CastlingMode::Chess960);
        let played = game(&mut engine, start, |_| nodes(100));
        assert!(played.moves().len() > 10);
    }
    // Back to standard chess, where castling is written differently.
    let castle = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("valid");
    let text = castle.uci(castle.parse_san("O-O").expect("a move"));
    assert_eq!(text.to_string(), "e1g1");
    let go = Go::new().with_depth(1).with_search_moves(vec![text]);
    let reply = engine
        .think(&MoveHistory::new(castle), go, |_| {})
        .expect("it castles");
    assert!(reply.best.expect("a move").is_castle());
}

#[test]
#[ignore = "needs Stockfish"]
fn an_analysis_has_its_lines_and_can_be_stopped() {
    let mut engine = stockfish();
    let game = MoveHistory::default();
    let limits = AnalysisLimits::from(Go::new().with_depth(6)).with_multi_pv(3);
    let result = engine.analyse(&game, limits).and_then(Analysis::wait);
    let result = result.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(result.lines.len(), 3);
    assert_eq!(result.best.best, result.lines[0].pv.first().copied());

    let mut analysis = engine.analyse(&game, Go::infinite()).expect("it begins");
    assert!(analysis.next_line().expect("it goes on").is_some());
    analysis.stop().expect("told");
    assert_eq!(analysis.wait().expect("a result").lines.len(), 1);

    drop(engine.analyse(&game, Go::infinite()).expect("it begins"));
    assert!(!engine.is_searching());
    assert_eq!(engine.quit(), ExitNote::Code(0));
}
