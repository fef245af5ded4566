//! Training on the screen: the exercise, the answers, what is stored before it is shown, and the way back.

use crossterm::event::KeyCode;
use tabiya_front::training::TrainingError;
use tabiya_front::training::mining::MiningEvent;
use tabiya_game::Timestamp;
use tabiya_play::analysis::Verdict;
use tabiya_play::study::StudyReport;
use tabiya_rules::{Position, Score};
use tabiya_store::disk::FileFault;
use tabiya_train::csv::PuzzleRow;
use tabiya_train::day::Moment;
use tabiya_train::item::{Item, ItemKind};
use tabiya_train::memory::Memory;
use tabiya_train::puzzle::Puzzle;
use tabiya_train::record::RecordError;
use tabiya_train::trainer::{Options, Trainer};

use super::{App, has_dialog, home, press, shown, update, write};
use crate::app::Screen;
use crate::message::{Effect, OpenTraining, TrainEffect, TrainMessage};

const FEN: &str = "rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2";

fn send(app: &mut App, message: TrainMessage) -> Vec<Effect> {
    update(app, message, Timestamp::ORIGIN)
}

/// The home screen with one exercise that is due.
fn with_one_due() -> App {
    let mut app = home();
    assert!(!shown(&app).contains("Train"), "there is nothing to train");
    send(&mut app, TrainMessage::Due(Some(1)));
    assert!(shown(&app).contains("Train: 1 due"), "{}", shown(&app));
    app
}

fn item() -> Item {
    let position = Position::from_fen(FEN).expect("a position");
    let san = |text: &str| position.parse_san(text).expect("a move");
    let mut item = Item::new(ItemKind::Own, position, san("Nc6"));
    item.wrong = Some(san("Ke7"));
    item.vs = Some("Bo".to_owned());
    item
}

/// A session with an own mistake.
fn training() -> App {
    training_with(item())
}

/// A session with one exercise.
fn training_with(item: Item) -> App {
    let mut app = with_one_due();
    press(&mut app, KeyCode::Down);
    let effects = press(&mut app, KeyCode::Enter);
    let opens = TrainEffect::Open(app.settings.learner(), Options::default());
    assert_eq!(effects, [Effect::Train(opens)]);
    assert!(!shown(&app).contains("Train:"), "it is opened only once");
    open(&mut app, [item]);
    app
}

/// Opens a session with these exercises, while games are searched.
fn open<const N: usize>(app: &mut App, items: [Item; N]) {
    let at = Moment {
        ms: 1_763_480_000_000,
        z: 0,
    };
    let mut trainer = Trainer::new(Memory::default(), 0, 1, Options::default());
    trainer.add(items, at);
    let notices = Vec::new();
    let opened = OpenTraining {
        trainer,
        notices,
        at,
        mines: true,
    };
    send(app, TrainMessage::Opened(Ok(Box::new(opened))));
}

#[test]
fn the_replies_of_a_tactic_are_played_on_the_board() {
    let row = PuzzleRow {
        fen: "6k1/6pp/8/6N1/8/8/4Q3/K6R b - - 0 1".to_owned(),
        moves: ["g8h8", "h1h7", "h8g8", "e2e8"].map(str::to_owned).to_vec(),
        rating: Some(1500),
        ..PuzzleRow::default()
    };
    let puzzle = Puzzle::try_from(&row).expect("a puzzle");
    let mut app = training_with(puzzle.item(&row));
    let kings_rank = |app: &App| {
        let screen = shown(app);
        let rank = screen
            .lines()
            .find(|line| line.trim_start().starts_with('8'));
        rank.expect("a board").chars().take(40).collect::<String>()
    };
    let before = kings_rank(&app);
    assert!(
        shown(&app).contains("1 of 1, about 1500."),
        "{}",
        shown(&app)
    );
    write(&mut app, "Rxh7");
    assert_eq!(stored(&press(&mut app, KeyCode::Enter)), 0);
    assert!(
        shown(&app).contains("The reply is 2...Kg8. Go on."),
        "{}",
        shown(&app)
    );
    assert_ne!(kings_rank(&app), before, "the king has moved");
    write(&mut app, "Qe8");
    assert_eq!(stored(&press(&mut app, KeyCode::Enter)), 1);
    assert!(shown(&app).contains("1500 → 1"), "{}", shown(&app));
}

/// What has to be stored.
fn stored(effects: &[Effect]) -> usize {
    let entries = effects.iter().map(|effect| match effect {
        Effect::Train(TrainEffect::Store(entries)) => entries.len(),
        _ => 0,
    });
    entries.sum()
}

#[test]
fn an_exercise_is_answered_and_the_home_screen_counts_again() {
    let mut app = training();
    let screen = shown(&app);
    for text in [
        "1 of 1.",
        "Black to move.",
        "Against Bo.",
        "2...Ke7. Find better.",
        "hint",
        "show",
    ] {
        assert!(screen.contains(text), "{text}: {screen}");
    }
    write(&mut app, "Ke7");
    let effects = press(&mut app, KeyCode::Enter);
    assert_eq!(stored(&effects), 1, "before it is shown");
    assert!(shown(&app).contains("Wrong: Ke7 is what you played."));
    press(&mut app, KeyCode::Char('i'));
    assert!(shown(&app).contains("Hint: the knight on b8."));
    write(&mut app, "Nc6");
    press(&mut app, KeyCode::Enter);
    assert!(shown(&app).contains("1 of 1 again."), "{}", shown(&app));
    write(&mut app, "Nc6");
    let effects = press(&mut app, KeyCode::Enter);
    assert!(matches!(
        effects[..],
        [
            Effect::Train(TrainEffect::Store(_)),
            Effect::Train(TrainEffect::Close(_))
        ]
    ));
    assert!(
        shown(&app).contains("1 solved, 0 at once; tomorrow 1."),
        "{}",
        shown(&app)
    );
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.screens.front, Screen::Home);
    send(&mut app, TrainMessage::Due(Some(0)));
    assert!(shown(&app).contains("Train: 0 due"));
}

#[test]
fn the_engine_is_asked_about_an_unknown_move() {
    let mut app = training();
    write(&mut app, "g6");
    let effects = press(&mut app, KeyCode::Enter);
    let [Effect::Train(TrainEffect::Judge(task))] = &effects[..] else {
        panic!("{effects:?}");
    };
    assert!(shown(&app).contains("g6: the engine is checking it…"));
    let number = task.number;
    for (at, (history, score)) in task.positions.iter().zip([0, 600]).enumerate() {
        let score = Score::Centipawns(score);
        let found = Verdict::found(score, history.current(), Some(9), Vec::new());
        let report = StudyReport::Position { number, at, found };
        send(&mut app, TrainMessage::Judged(report));
    }
    assert!(shown(&app).contains("Wrong: g6 costs"), "{}", shown(&app));
    let report = StudyReport::Ended {
        number,
        how: Ok(()),
    };
    assert_eq!(send(&mut app, TrainMessage::Judged(report)), []);
}

#[test]
fn no_letter_that_begins_a_move_is_a_key_and_escape_ends_the_session() {
    let mut app = training();
    for letter in "abcdefghknoqr".chars() {
        assert_eq!(press(&mut app, KeyCode::Char(letter)), []);
        assert!(shown(&app).contains(&format!("> {letter}")), "{letter}");
        press(&mut app, KeyCode::Backspace);
    }
    press(&mut app, KeyCode::Char('x'));
    press(&mut app, KeyCode::Esc);
    assert!(app.screens.train.is_some(), "only the text is gone");
    let effects = press(&mut app, KeyCode::Esc);
    assert!(matches!(
        effects[..],
        [Effect::Train(TrainEffect::Close(_))]
    ));
    press(&mut app, KeyCode::Esc);
    assert!(app.screens.front == Screen::Home && app.screens.train.is_none());
}

#[test]
fn what_cannot_be_opened_or_stored_is_said() {
    let mut app = with_one_due();
    let busy = TrainingError::Record(RecordError::Busy);
    send(&mut app, TrainMessage::Opened(Err(busy)));
    assert!(has_dialog(&app) || shown(&app).contains("another window"));
    let mut app = training();
    let full = RecordError::File {
        path: "/data/train/log".into(),
        fault: FileFault::Full,
    };
    send(&mut app, TrainMessage::Stored(Err(full)));
    let screen = shown(&app);
    assert!(
        screen.contains("not saved") && screen.contains("could not be stored"),
        "{screen}"
    );
    send(&mut app, TrainMessage::Stored(Ok(())));
    assert!(!shown(&app).contains("not saved"));
}

#[test]
fn it_fits_every_screen() {
    for (width, height) in [(40, 12), (60, 16), (80, 24), (200, 60)] {
        let mut app = training();
        app.look.size = ratatui_core::layout::Size::new(width, height);
        let screen = shown(&app);
        assert!(screen.contains("1 of 1."), "{width}×{height}: {screen}");
    }
}

#[test]
fn what_the_search_finds_is_stored_and_begins_a_session_that_has_none() {
    let mut app = home();
    open(&mut app, []);
    assert!(shown(&app).contains("There are no exercises yet."));
    let progress = |done, waits| {
        TrainMessage::Mining(MiningEvent::Progress {
            done,
            of: 212,
            waits,
        })
    };
    assert_eq!(send(&mut app, progress(12, false)), []);
    let screen = shown(&app);
    assert!(
        screen.contains("Looking for exercises: 12 of 212 games"),
        "{screen}"
    );
    send(&mut app, progress(12, true));
    assert!(shown(&app).contains("waiting for mains power"));
    let mined = |game, items| TrainMessage::Mining(MiningEvent::Mined { game, items });
    // A game without mistakes is stored too.
    assert_eq!(stored(&send(&mut app, mined(1, Vec::new()))), 1);
    assert!(shown(&app).contains("There are no exercises yet."));
    assert_eq!(stored(&send(&mut app, mined(2, vec![item()]))), 2);
    assert!(shown(&app).contains("1 of 1."), "{}", shown(&app));
    assert_eq!(send(&mut app, TrainMessage::Mining(MiningEvent::Ended)), []);
    assert!(!shown(&app).contains("Looking for"), "{}", shown(&app));
    write(&mut app, "Nc6");
    let effects = press(&mut app, KeyCode::Enter);
    assert!(matches!(
        effects.last(),
        Some(Effect::Train(TrainEffect::Close(_)))
    ));
    // The record is closed: what comes too late waits for the next time.
    assert_eq!(send(&mut app, mined(3, Vec::new())), []);
}

#[test]
fn a_session_without_exercises_closes_the_record_when_the_search_ends_or_the_player_leaves() {
    let closes = |effects: &[Effect]| matches!(effects, [Effect::Train(TrainEffect::Close(_))]);
    let mut app = home();
    open(&mut app, []);
    assert!(closes(&send(
        &mut app,
        TrainMessage::Mining(MiningEvent::Ended)
    )));
    assert_eq!(press(&mut app, KeyCode::Enter), []);
    assert!(app.screens.train.is_none());
    open(&mut app, []);
    assert!(closes(&press(&mut app, KeyCode::Esc)));
    assert!(app.screens.train.is_none());
    // Whoever ends a session waits for nothing.
    open(&mut app, [item()]);
    assert!(closes(&press(&mut app, KeyCode::Esc)));
}
