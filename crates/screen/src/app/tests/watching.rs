//! Watching a match: its events become boards and a score, and keys pace and stop it.

use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};
use tabiya_front::matches::ExportForm;
use tabiya_game::{GameResult, Outcome, Timestamp};
use tabiya_play::contest::{ByEntrant, End, Entrant, Event, Finished, Standing};
use tabiya_play::players::ResolveError;
use tabiya_rules::{ByColor, Color, MoveHistory, Position, Score};
use tabiya_store::disk::FileError;
use tabiya_store::text_file::Written;
use tabiya_uci::Overrun;

use super::reviewing::record;
use super::{App, full, has_dialog, mouse, press, shown, start, update, write};
use crate::app::Screen;
use crate::message::{Contents, Effect, MatchEffect, MatchMessage, Message};

fn tell(app: &mut App, event: Event) {
    update(app, MatchMessage::Event(Box::new(event)), Timestamp::ORIGIN);
}

fn begin(app: &mut App, game: u32) {
    let white = if game % 2 == 1 {
        Entrant::A
    } else {
        Entrant::B
    };
    let played = MoveHistory::new(Position::start());
    tell(
        app,
        Event::GameStarted {
            game,
            white,
            played,
        },
    );
}

fn moved(app: &mut App, game: u32, text: &str) {
    let watched = &app.screens.watch.as_ref().expect("a match").watched[&game];
    let record = watched.record.as_ref().expect("it goes on");
    let position = *record.cursor().position();
    let played = position.parse_san(text).expect("a move");
    tell(
        app,
        Event::Moved {
            game,
            played,
            score: Some(Score::Centipawns(34)),
            left: ByColor::default(),
        },
    );
}

fn ended(app: &mut App, number: u32, result: GameResult) {
    let white = if number % 2 == 1 {
        Entrant::A
    } else {
        Entrant::B
    };
    let mut record = record("1. f3 e5 2. g4 Qh4# 0-1");
    record.set_result(result);
    let winner = match result {
        GameResult::WhiteWins => Some(Color::White),
        GameResult::BlackWins => Some(Color::Black),
        _ => None,
    };
    let finished = Finished {
        number,
        white,
        record,
        outcome: Outcome::Adjudicated { winner },
        fault: None,
        plies: 4,
    };
    tell(app, Event::GameEnded(Box::new(finished)));
}

/// A match with two finished games and a third in progress.
pub(crate) fn watched(mut app: App) -> App {
    let names = ByEntrant::new("Tabiya level 3".to_owned(), "Stockfish".to_owned());
    let started = MatchMessage::Started(Ok((names, 10)));
    update(&mut app, started, Timestamp::ORIGIN);
    for game in [1, 2] {
        begin(&mut app, game);
        ended(&mut app, game, GameResult::BlackWins);
    }
    let mut standing = Standing::new(None);
    (standing.wins, standing.losses) = (1, 1);
    standing.pairs = [0, 0, 1, 0, 0];
    tell(&mut app, Event::Score(standing));
    begin(&mut app, 3);
    for text in ["e4", "e5", "Nf3"] {
        moved(&mut app, 3, text);
    }
    app
}

#[test]
fn a_match_is_asked_for_by_a_command() {
    let mut app = start();
    write(&mut app, ":match bot:3 bot:5 4 nodes 100");
    let effects = press(&mut app, KeyCode::Enter);
    let [Effect::Match(MatchEffect::Start(order))] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!((order.games, &order.openings), (4, &None));
    write(&mut app, ":match bot bot 2 openings my book.pgn");
    let effects = press(&mut app, KeyCode::Enter);
    let [Effect::Match(MatchEffect::Start(order))] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(order.openings, Some("my book.pgn".into()));
    for line in [
        ":match bot",
        ":match human bot 3",
        ":match bot:99 bot",
        ":match bot bot 0",
    ] {
        let mut app = start();
        write(&mut app, line);
        assert_eq!(press(&mut app, KeyCode::Enter), [], "{line}");
    }
    let refused = MatchMessage::Started(Err(ResolveError::Missing {
        target: "so".to_owned(),
        near: None,
    }
    .into()));
    update(&mut app, refused, Timestamp::ORIGIN);
    assert!(shown(&app).contains("There is no engine 'so'"));
}

#[test]
fn the_score_the_board_and_the_colors_are_shown() {
    let app = watched(start());
    let screen = shown(&app);
    for part in [
        "Tabiya level 3 – Stockfish",
        "2 of 10 games · steady",
        "+1 =0 −1",
        "Game 3 · +0.34",
        "Nf3",
        "with White +0 =0 −1",
    ] {
        assert!(screen.contains(part), "{part}\n{screen}");
    }
}

#[test]
fn an_engine_that_goes_beyond_its_limit_is_named_until_a_key() {
    let mut app = watched(start());
    let sentence = "Stockfish: The engine was asked for 50 positions and looked at 9000";
    let overran = Event::Overran {
        by: Entrant::B,
        overrun: Overrun::Nodes {
            asked: 50,
            reached: 9000,
        },
    };
    tell(&mut app, overran);
    assert!(shown(&app).contains(sentence), "{}", shown(&app));
    press(&mut app, KeyCode::Left);
    assert!(!shown(&app).contains(sentence));
}

#[test]
fn keys_pause_step_change_the_speed_and_choose_games() {
    let mut app = watched(start());
    let paced = |effects: Vec<Effect>| match effects[..] {
        [Effect::Match(MatchEffect::Pace(pacing))] => pacing,
        _ => panic!("{effects:?}"),
    };
    assert!(paced(press(&mut app, KeyCode::Char(' '))).paused);
    let pacing = paced(press(&mut app, KeyCode::Char('.')));
    assert!(pacing.paused && pacing.step);
    assert!(!paced(press(&mut app, KeyCode::Char('p'))).paused);
    let before = paced(press(&mut app, KeyCode::Char('-'))).delay;
    for _ in 0..4 {
        assert!(paced(press(&mut app, KeyCode::Char('+'))).delay < before);
    }
    assert!(shown(&app).contains("instant"));
    press(&mut app, KeyCode::Left);
    assert!(shown(&app).contains("Game 2: 0-1"), "{}", shown(&app));
    press(&mut app, KeyCode::End);
    assert!(shown(&app).contains("Game 3"));
    press(&mut app, KeyCode::Char('g'));
    let screen = shown(&app);
    assert!(
        screen.contains("0-1") && screen.contains("Stockfish"),
        "{screen}"
    );
    mouse(&mut app, MouseEventKind::Down(MouseButton::Left), 2, 3);
    assert!(shown(&app).contains("Game 1: 0-1"), "{}", shown(&app));
}

#[test]
fn stopping_asks_and_what_was_played_is_kept() {
    let mut app = watched(start());
    assert_eq!(press(&mut app, KeyCode::Char('x')), []);
    assert!(has_dialog(&app));
    assert_eq!(
        press(&mut app, KeyCode::Enter),
        [],
        "the careful answer comes first"
    );
    press(&mut app, KeyCode::Char('x'));
    assert_eq!(
        press(&mut app, KeyCode::Char('y')),
        [Effect::Match(MatchEffect::Stop)]
    );
    tell(&mut app, Event::Over(End::Stopped));
    assert!(shown(&app).contains("stopped"));
    write(&mut app, ":q");
    assert_eq!(press(&mut app, KeyCode::Enter), []);
    assert!(has_dialog(&app), "three games are in no file");
    press(&mut app, KeyCode::Esc);
    write(&mut app, ":pgn match.pgn");
    let effects = press(&mut app, KeyCode::Enter);
    let [Effect::Match(MatchEffect::Export(export))] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!((export.rest.len(), &export.form), (3, &ExportForm::Pgn));
    written(&mut app, Err(full("match.pgn")));
    write(&mut app, ":q");
    assert_eq!(press(&mut app, KeyCode::Enter), []);
    assert!(has_dialog(&app), "nothing was written");
    press(&mut app, KeyCode::Esc);
    write(&mut app, ":json match.json");
    let effects = press(&mut app, KeyCode::Enter);
    let [Effect::Match(MatchEffect::Export(export))] = &effects[..] else {
        panic!("{effects:?}")
    };
    let ExportForm::Json(head) = &export.form else {
        panic!("{export:?}")
    };
    let json: serde_json::Value = serde_json::to_value(head).expect("JSON");
    assert_eq!(
        (&json["wins"], &json["as_white"][2]),
        (&1.into(), &1.into())
    );
    written(&mut app, Ok(Written("match.json".into())));
    write(&mut app, ":q");
    assert_eq!(press(&mut app, KeyCode::Enter), [Effect::Leave]);
}

fn written(app: &mut App, how: Result<Written, FileError>) {
    update(
        app,
        Message::written(Contents::Match, how),
        Timestamp::ORIGIN,
    );
}

fn kept(app: &mut App, game: u32, at: u64) {
    let kept = MatchMessage::Stored { game, at: Ok(at) };
    update(app, kept, Timestamp::ORIGIN);
}

#[test]
fn games_in_the_file_of_the_match_are_not_at_risk() {
    let mut app = watched(start());
    kept(&mut app, 1, 0);
    kept(&mut app, 2, 100);
    let unfinished = |effects: &[Effect]| match effects {
        [Effect::Match(MatchEffect::Store(games)), ..] => games.len(),
        _ => panic!("{effects:?}"),
    };
    write(&mut app, ":q");
    assert_eq!(press(&mut app, KeyCode::Enter), []);
    assert!(!shown(&app).contains("no file has"), "{}", shown(&app));
    press(&mut app, KeyCode::Esc);
    assert_eq!(
        app.screens
            .watch
            .as_ref()
            .map_or(0, |watch| watch.unfinished().len()),
        1,
        "the third game goes on"
    );
    let over = MatchMessage::Event(Box::new(Event::Over(End::Stopped)));
    let effects = update(&mut app, over, Timestamp::ORIGIN);
    assert_eq!(unfinished(&effects), 1);
    let Effect::Match(MatchEffect::Store(games)) = &effects[0] else {
        panic!("{effects:?}")
    };
    let (number, game) = &games[0];
    assert_eq!(*number, 3);
    assert_eq!(game.tags().get("White"), Some("Tabiya level 3"));
    assert_eq!(game.tags().get("Round"), Some("3"));
    let file = MatchMessage::File(Ok("/home/x/match.pgn".into()));
    update(&mut app, file, Timestamp::ORIGIN);
    assert!(
        shown(&app).contains("Kept as /home/x/match.pgn."),
        "{}",
        shown(&app)
    );
    let full = Err(full("/x").into());
    update(
        &mut app,
        MatchMessage::Stored { game: 2, at: full },
        Timestamp::ORIGIN,
    );
    assert!(shown(&app).contains("the disk is full"), "{}", shown(&app));
}

#[test]
fn memory_holds_the_games_around_the_one_that_is_looked_at() {
    let mut app = watched(start());
    for game in 1..=1200 {
        begin(&mut app, game);
        ended(&mut app, game, GameResult::BlackWins);
        kept(&mut app, game, u64::from(game) * 100);
    }
    let whole = |app: &App| {
        let watch = app.screens.watch.as_ref().expect("a match");
        let games = watch.watched.values();
        games.filter(|game| game.record.is_some()).count()
    };
    assert_eq!(whole(&app), 500);
    // Going to one of the others reads it again.
    write(&mut app, "37");
    assert!(shown(&app).contains("Go to game 37"), "{}", shown(&app));
    assert_eq!(
        press(&mut app, KeyCode::Enter),
        [Effect::Match(MatchEffect::Read(vec![(37, 3700)]))]
    );
    assert!(shown(&app).contains("Game 37: 0-1"), "{}", shown(&app));
    let read = Ok(Box::new(record("1. f3 e5 2. g4 Qh4# 0-1")));
    update(&mut app, MatchMessage::Game(37, read), Timestamp::ORIGIN);
    assert!(shown(&app).contains("Qh4#"), "{}", shown(&app));
    assert_eq!(whole(&app), 500);
    write(&mut app, "5000");
    assert_eq!(press(&mut app, KeyCode::Enter), []);
    assert!(shown(&app).contains("There is no game 5000 yet."));
    write(&mut app, ":goto 1200");
    press(&mut app, KeyCode::Enter);
    assert!(shown(&app).contains("Game 1200"), "{}", shown(&app));
    write(&mut app, "12");
    press(&mut app, KeyCode::Esc);
    assert!(shown(&app).contains("Game 1200"), "{}", shown(&app));
}

#[test]
fn games_that_no_file_has_are_never_forgotten() {
    let mut app = watched(start());
    for game in 1..=600 {
        begin(&mut app, game);
        ended(&mut app, game, GameResult::BlackWins);
        let at = Err(full("/x").into());
        update(
            &mut app,
            MatchMessage::Stored { game, at },
            Timestamp::ORIGIN,
        );
    }
    assert_eq!(exported(&mut app), 600);
}

#[test]
fn unfinished_games_are_exported_until_a_file_has_them() {
    let mut app = watched(start());
    kept(&mut app, 1, 0);
    kept(&mut app, 2, 100);
    tell(&mut app, Event::Over(End::Stopped));
    let not_kept = MatchMessage::File(Err(full("/x").into()));
    update(&mut app, not_kept, Timestamp::ORIGIN);
    assert_eq!(exported(&mut app), 1, "the third game is in no file");
    written(&mut app, Err(full("y.pgn")));
    write(&mut app, ":q");
    assert_eq!(press(&mut app, KeyCode::Enter), []);
    assert!(has_dialog(&app), "it would be lost");
    press(&mut app, KeyCode::Esc);
    kept(&mut app, 3, 200);
    assert_eq!(exported(&mut app), 0);
}

#[test]
fn a_game_that_could_not_be_read_is_asked_for_again() {
    let mut app = watched(start());
    for game in 1..=600 {
        begin(&mut app, game);
        ended(&mut app, game, GameResult::BlackWins);
        kept(&mut app, game, u64::from(game));
    }
    for _ in 0..2 {
        write(&mut app, "37");
        let asked = press(&mut app, KeyCode::Enter);
        assert_eq!(asked, [Effect::Match(MatchEffect::Read(vec![(37, 37)]))]);
        let failed = Err(full("/x").into());
        update(&mut app, MatchMessage::Game(37, failed), Timestamp::ORIGIN);
    }
}

/// How many games are exported that are not in the file of the match.
fn exported(app: &mut App) -> usize {
    write(app, ":pgn y.pgn");
    match &press(app, KeyCode::Enter)[..] {
        [Effect::Match(MatchEffect::Export(export))] => export.rest.len(),
        effects => panic!("{effects:?}"),
    }
}

#[test]
fn a_game_of_the_match_is_reviewed_and_left_again() {
    let mut app = watched(start());
    press(&mut app, KeyCode::Enter);
    assert!(app.board().is_review());
    assert!(shown(&app).contains("match game 3"), "{}", shown(&app));
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.screens.front, Screen::Match);
    press(&mut app, KeyCode::Esc);
    assert!(shown(&app).contains("Back to the match"));
}

#[test]
fn going_to_the_start_or_the_end_leaves_the_game_behind_the_match_alone() {
    let mut app = start();
    super::play(&mut app, "e4 e5");
    let mut app = watched(app);
    let before = app.desk.front().node().id();
    let number = |app: &App| {
        app.screens
            .watch
            .as_ref()
            .and_then(|watch| watch.current())
            .map(|game| game.number)
    };
    for (line, there) in [(":goto start", 1), (":goto end", 3), (":goto 2", 2)] {
        super::enter(&mut app, line);
        assert_eq!(number(&app), Some(there), "{line}");
        assert_eq!(app.board().node().id(), before, "{line}");
    }
}

#[test]
fn leaving_a_match_that_goes_on_asks() {
    let mut app = watched(start());
    kept(&mut app, 1, 0);
    kept(&mut app, 2, 100);
    write(&mut app, ":q");
    assert_eq!(press(&mut app, KeyCode::Enter), []);
    assert!(shown(&app).contains("not over"), "{}", shown(&app));
    assert_eq!(press(&mut app, KeyCode::Char('y')), [Effect::Leave]);
    // The sentence that says how to leave fits into one line.
    let mut app = watched(start());
    super::key(&mut app, KeyCode::Char('c'), KeyModifiers::CONTROL);
    let again = "Press Ctrl-C again to leave.";
    assert!(shown(&app).contains(again), "{}", shown(&app));
}

#[test]
fn the_grid_shows_all_games_that_are_being_played() {
    let mut app = watched(start());
    begin(&mut app, 4);
    for game in 5..=12 {
        begin(&mut app, game);
        ended(&mut app, game, GameResult::Draw);
    }
    begin(&mut app, 13);
    let watch = app.screens.watch.as_ref().expect("a match");
    let numbers = |places| -> Vec<u32> {
        let shown = watch.shown(places);
        shown.iter().map(|game| game.number).collect()
    };
    assert_eq!(numbers(3), [3, 4, 13]);
    assert_eq!(numbers(4), [3, 4, 12, 13]);
    assert_eq!(numbers(1), [13], "the one that is looked at comes first");
    assert_eq!(numbers(50).len(), 13);
}

#[test]
fn after_the_end_the_hints_offer_only_what_can_be_done() {
    let mut app = watched(start());
    let hints = |app: &App| shown(app).lines().last().map(str::to_owned);
    assert!(hints(&app).is_some_and(|line| line.contains("Space pause")));
    tell(&mut app, Event::Over(End::Stopped));
    let line = hints(&app).expect("a line");
    for gone in ["pause", "stop", "step", "speed"] {
        assert!(!line.contains(gone), "{line}");
    }
    assert!(line.contains("Enter review"), "{line}");
}
