//! A game judged by an engine: its marks, its accuracy, and another try at a mistake.

use std::path::PathBuf;

use crossterm::event::KeyCode;
use ratatui_core::layout::Size;
use tabiya_game::{Session, Timestamp};
use tabiya_play::analysis::Verdict;
use tabiya_play::desk::Saving;
use tabiya_play::players::PlayerError;
use tabiya_play::study::{Study, StudyReport, StudyTask};
use tabiya_rules::{ByColor, Move, Position, Score};
use tabiya_store::{SaveName, SavedGame};

use super::reviewing::record;
use super::{App, enter, press, said, shown, start, update, write};
use crate::app::Screen;
use crate::message::{Effect, EngineEffect, EngineMessage, SaveEffect, StoreEffect};
use tabiya_front::review::Origin;
use tabiya_front::wording;
use tabiya_play::desk::BoardId;

const GAME: &str = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0";

/// White's score after each ply of the game, as if by an engine.
const SCORES: [Score; 8] = [
    Score::Centipawns(20),
    Score::Centipawns(25),
    Score::Centipawns(20),
    Score::Centipawns(-30),
    Score::Centipawns(-25),
    Score::Centipawns(-30),
    Score::MateIn(1),
    Score::MateIn(1),
];

fn task(effects: &[Effect]) -> &StudyTask {
    let found = effects.iter().find_map(|effect| match effect {
        Effect::Engine(EngineEffect::Study(task)) => Some(&**task),
        _ => None,
    });
    found.expect("a task")
}

/// What the engine would play there.
fn best(app: &App, ply: u32) -> Vec<Move> {
    let node = app.desk.front().session().record().on_line(ply);
    let best = node
        .filter(|_| ply == 5)
        .map(|node| node.position().parse_san("g6"));
    best.map(|best| best.expect("a move")).into_iter().collect()
}

/// A verdict with a score for White.
fn verdict(score: Score, best: Vec<Move>) -> Verdict {
    Verdict::found(score, &Position::start(), None, best)
}

/// Judges the game with the scores above.
pub(crate) fn judge(app: App) -> App {
    judge_by(app, SCORES)
}

fn judge_by(mut app: App, scores: [Score; 8]) -> App {
    app.desk.set_unsaved_review(false);
    app.open_review(record(GAME), Origin::Text);
    study(&mut app, scores);
    app
}

/// Judges the game in front with these scores, and returns the effects after the last.
fn study(app: &mut App, scores: [Score; 8]) -> Vec<Effect> {
    study_and_then(app, scores, |_| {})
}

/// Does something else before the last report.
fn study_and_then(
    app: &mut App,
    scores: [Score; 8],
    before_end: impl FnOnce(&mut App),
) -> Vec<Effect> {
    write(app, ":study");
    let effects = press(app, KeyCode::Enter);
    let task = task(&effects);
    assert_eq!(task.positions.len(), 8);
    let number = task.number;
    // The last line that was followed must be known before positions on it are.
    write(app, "><");
    for (at, score) in scores.into_iter().enumerate() {
        let found = verdict(score, best(app, at as u32));
        update(
            app,
            EngineMessage::Studied(StudyReport::Position { number, at, found }),
            Timestamp::ORIGIN,
        );
    }
    before_end(app);
    let how = Ok(());
    update(
        app,
        EngineMessage::Studied(StudyReport::Ended { number, how }),
        Timestamp::ORIGIN,
    )
}

pub(crate) fn judged() -> App {
    judge(start())
}

#[test]
fn marks_accuracy_and_turning_points_are_shown_and_kept() {
    let app = judged();
    assert!(
        said(&app).starts_with("Accuracy: White 9"),
        "{}",
        said(&app)
    );
    assert!(said(&app).contains("1 turning point"), "{}", said(&app));
    let text = app.pgn_text();
    let prose = text.replace('\n', " ");
    assert!(
        prose.contains("Nf6 $4 {[%eval #1]} {3...Nf6 costs 55 % of the chances; best was 3...g6.}"),
        "{text}"
    );
    assert_eq!(text.matches('$').count(), 1, "{text}");
    let screen = shown(&app);
    assert!(
        screen.contains("Nf6??") && screen.contains("1 turning point"),
        "{screen}"
    );
    assert!(screen.contains('▄') || screen.contains('█'), "{screen}");
}

#[test]
fn a_mistake_is_tried_again_until_the_move_is_good() {
    let mut app = judged();
    write(&mut app, "xt");
    assert_eq!(said(&app), "Black played Nf6 here. Find a better move.");
    enter(&mut app, "Nf6");
    assert_eq!(said(&app), "That is what was played. Find a better move.");
    write(&mut app, "a6");
    let effects = press(&mut app, KeyCode::Enter);
    let number = task(&effects).number;
    let reply = |app: &mut App, number: u64, score: Score| {
        let found = verdict(score, Vec::new());
        let message = EngineMessage::Studied(StudyReport::Position {
            number,
            at: 0,
            found,
        });
        update(app, message, Timestamp::ORIGIN);
    };
    reply(&mut app, number, Score::MateIn(1));
    assert!(said(&app).contains("Try again"), "{}", said(&app));
    assert!(!app.pgn_text().contains("a6"), "a bad try is not kept");
    write(&mut app, "Qe7");
    let effects = press(&mut app, KeyCode::Enter);
    let number = task(&effects).number;
    reply(&mut app, number, Score::Centipawns(-25));
    assert_eq!(said(&app), "Qe7 is good: as good as the best.");
    assert!(app.pgn_text().contains("Qe7"));
    // The best move itself needs no engine, and is praised at every size.
    write(&mut app, "<xtxt");
    enter(&mut app, "g6");
    assert!(app.pgn_text().contains("g6"), "{}", app.pgn_text());
    for (width, height) in [(40, 12), (60, 18), (80, 24), (100, 30), (132, 43)] {
        app.look.size = Size::new(width, height);
        let screen = shown(&app);
        assert!(screen.contains("Yes! That is the best move."), "{screen}");
    }
}

/// What is said about a try means nothing at another position.
#[test]
fn walking_away_from_a_mistake_forgets_what_was_said_about_it() {
    for (tried, about) in [
        ("", "Find a better move."),
        ("Nf6", "Find a better move."),
        ("g6", "Yes!"),
    ] {
        let mut app = judged();
        write(&mut app, "xt");
        enter(&mut app, tried);
        assert!(shown(&app).contains(about), "{tried}: {}", shown(&app));
        enter(&mut app, ":goto 2");
        assert!(!shown(&app).contains(about), "{tried}: {}", shown(&app));
    }
}

/// A judged game that is opened again needs no engine: the curve, the accuracy and the mistakes are there.
#[test]
fn a_judged_game_that_is_opened_again_is_not_judged_again() {
    let mut app = judged();
    let text = app.pgn_text();
    let summary = said(&app);
    let mut again = start();
    again.open_review(record(&text), Origin::Text);
    assert!(
        shown(&again).contains("1 turning point"),
        "{}",
        shown(&again)
    );
    write(&mut again, ":study");
    let effects = press(&mut again, KeyCode::Enter);
    let asks = |effect: &Effect| matches!(effect, Effect::Engine(EngineEffect::Study(_)));
    assert!(!effects.iter().any(asks), "{effects:?}");
    assert_eq!(said(&again), summary);
    assert!(!again.desk.has_unsaved_review());
    for app in [&mut app, &mut again] {
        write(app, "xt");
        assert_eq!(said(app), "Black played Nf6 here. Find a better move.");
        enter(app, "g6");
        assert!(
            shown(app).contains("Yes! That is the best move."),
            "{}",
            shown(app)
        );
    }
    // Another engine may be asked, and a game with another end is another game.
    write(&mut again, ":study bot:2");
    let effects = press(&mut again, KeyCode::Enter);
    assert!(effects.iter().any(asks), "{effects:?}");
}

/// The save of a game being played stores its judgment, so nothing is asked about it.
#[test]
fn the_judgment_of_a_played_game_is_kept_with_it() {
    let mut app = start();
    app.desk.set_saving(Saving::EveryChange);
    for san in ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7"] {
        enter(&mut app, san);
    }
    press(&mut app, KeyCode::Esc);
    let effects = study(&mut app, SCORES);
    let kept = effects.iter().find_map(|effect| match effect {
        Effect::Save(SaveEffect::Autosave(game)) => Some(game.session.save()),
        _ => None,
    });
    let kept = kept.unwrap_or_else(|| panic!("nothing is kept: {effects:?}"));
    assert!(kept.tags().get("WhiteAccuracy").is_some());
    assert!(Study::stored_in(&kept).is_some());
    assert!(app.board().is_review() && !app.desk.has_unsaved_review());
    app.show_board(BoardId::Game);
    let text = app.pgn_text();
    assert!(
        text.contains("Nf6 $4") && text.contains("best was 3...g6.}"),
        "{text}"
    );
    assert!(text.contains("[%eval"), "{text}");
}

/// The better line becomes a variation, through which the arrow keys go; so does the answer to the mistake.
#[test]
fn the_better_line_can_be_walked() {
    let mut app = judged();
    enter(&mut app, ":better");
    assert_eq!(
        said(&app),
        "The engine has no other line here: go to a move that was a mistake."
    );
    enter(&mut app, ":goto 3b");
    enter(&mut app, ":better");
    assert_eq!(
        said(&app),
        "Better was 3...g6. The arrow keys go through it."
    );
    let here = |app: &App| app.desk.front().node().san().map(|san| san.to_string());
    assert_eq!(here(&app).as_deref(), Some("g6"));
    press(&mut app, KeyCode::Left);
    assert_eq!(here(&app).as_deref(), Some("Bc4"));
    press(&mut app, KeyCode::Right);
    assert_eq!(here(&app).as_deref(), Some("g6"));
    assert!(
        app.pgn_text().replace('\n', " ").contains("(3... g6)"),
        "{}",
        app.pgn_text()
    );
    assert!(app.desk.has_unsaved_review());
    // Once more it is only shown, also from the menu.
    enter(&mut app, ":variation leave");
    enter(&mut app, ":goto 3b");
    write(&mut app, "xb");
    assert_eq!(here(&app).as_deref(), Some("g6"));
    assert_eq!(app.pgn_text().matches("g6)").count(), 1);
    write(&mut app, "xr");
    assert!(
        said(&app).starts_with("The engine has no other line here"),
        "{}",
        said(&app)
    );
}

/// The player's own mistakes come first, although an engine plays the other side of the board.
#[test]
fn a_resumed_game_that_is_over_is_tried_again() {
    let mut app = start();
    let text = "{[%eval 0.3]} 1. f3 {[%eval -0.9]} e5 {[%eval -0.9]} 2. g4 {[%eval #-1]} h6 {[%eval -1.0]} \
                3. h3 {[%eval #-1]} Qh4# 0-1";
    app.resume_game(&SavedGame {
        session: Session::restore(record(text)),
        players: ByColor::new(Some("bot:1".to_owned()), Some("human".to_owned())),
    });
    enter(&mut app, ":retry");
    assert!(app.board().is_review(), "{}", said(&app));
    assert_eq!(said(&app), "Black played h6 here. Find a better move.");
    // A review with changes is not lost by it.
    enter(&mut app, ":comment mine");
    app.show_board(BoardId::Game);
    enter(&mut app, ":retry");
    assert!(app.desk.has_unsaved_review());
    assert!(
        shown(&app).contains(wording::REVIEW_CHANGED),
        "{}",
        shown(&app)
    );
}

/// A save under review that is judged gets the judgment without a question, unless something else was written.
#[test]
fn the_judgment_of_a_save_goes_back_into_it() {
    let name = SaveName::new("one").expect("a name");
    let over = |effects: &[Effect]| {
        let over = |effect: &Effect| {
            matches!(effect, Effect::Store(StoreEffect::SaveOver { game, .. })
                if game.session.save().tags().get("BlackAccuracy").is_some())
        };
        effects.iter().any(over)
    };
    let mut app = start();
    app.open_review(record(GAME), Origin::Save(name.clone(), ByColor::default()));
    assert!(over(&study(&mut app, SCORES)));
    assert!(!app.desk.has_unsaved_review());
    let mut app = start();
    app.open_review(record(GAME), Origin::Save(name, ByColor::default()));
    write(&mut app, ":comment mine");
    press(&mut app, KeyCode::Enter);
    assert!(!over(&study(&mut app, SCORES)));
    assert!(app.desk.has_unsaved_review());
}

/// Another board may have come to the front meanwhile.
#[test]
fn the_judgment_of_a_save_goes_back_into_it_while_a_game_is_played() {
    let mut app = start();
    enter(&mut app, "d4");
    let name = SaveName::new("one").expect("a name");
    app.open_review(record(GAME), Origin::Save(name, ByColor::default()));
    let effects = study_and_then(&mut app, SCORES, |app| app.show_board(BoardId::Game));
    let over = effects.iter().find_map(|effect| match effect {
        Effect::Store(StoreEffect::SaveOver { game, .. }) => Some(game.session.save()),
        _ => None,
    });
    let saved = over.expect("the save is written");
    assert_eq!(saved.main_line().count(), record(GAME).main_line().count());
    assert!(saved.tags().get("BlackAccuracy").is_some());
}

/// A file is the user's: it is not written by itself, but a judgment alone is nothing to ask about either.
#[test]
fn the_judgment_of_a_file_is_neither_written_nor_asked_about() {
    let path = PathBuf::from("games.pgn");
    let file = Origin::File {
        path,
        number: 1,
        extent: None,
    };
    for origin in [file, Origin::Match(1), Origin::Database, Origin::Text] {
        let mut app = start();
        app.desk.set_saving(Saving::EveryChange);
        app.open_review(record(GAME), origin.clone());
        let effects = study(&mut app, SCORES);
        let writes = |effect: &Effect| {
            matches!(
                effect,
                Effect::File(_) | Effect::Store(_) | Effect::Save(SaveEffect::Autosave(_))
            )
        };
        assert!(!effects.iter().any(writes), "{origin:?}: {effects:?}");
        assert!(!app.desk.has_unsaved_review(), "{origin:?}");
        assert!(shown(&app).contains(":pgn FILE keeps the judgment."));
        enter(&mut app, ":quit");
        assert!(app.overlay.is_none(), "{}", shown(&app));
        // What the user writes beside it is asked about as before.
        enter(&mut app, ":comment mine");
        enter(&mut app, ":quit");
        assert!(app.overlay.is_some(), "{}", shown(&app));
    }
}

/// A move that was tried is the user's own, although the engine has judged it first.
#[test]
fn a_move_that_was_tried_is_not_taken_for_a_judgment() {
    let mut app = start();
    app.desk.set_saving(Saving::EveryChange);
    for san in ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7"] {
        enter(&mut app, san);
    }
    press(&mut app, KeyCode::Esc);
    study(&mut app, SCORES);
    write(&mut app, "xt");
    write(&mut app, "Qe7");
    let effects = press(&mut app, KeyCode::Enter);
    let number = task(&effects).number;
    let found = verdict(Score::Centipawns(-30), Vec::new());
    let at = 0;
    update(
        &mut app,
        EngineMessage::Studied(StudyReport::Position { number, at, found }),
        Timestamp::ORIGIN,
    );
    assert!(shown(&app).contains("Qe7"), "{}", shown(&app));
    assert!(app.desk.has_unsaved_review());
}

#[test]
fn nothing_is_judged_where_there_is_nothing() {
    let mut app = start();
    write(&mut app, ":study");
    press(&mut app, KeyCode::Enter);
    assert_eq!(said(&app), "There are no moves to judge.");
    write(&mut app, ":retry");
    press(&mut app, KeyCode::Enter);
    assert!(said(&app).contains("not judged yet"), "{}", said(&app));
    let mut app = judged();
    let how = Err(PlayerError::PersonAsJudge);
    update(
        &mut app,
        EngineMessage::Studied(StudyReport::Ended { number: 1, how }),
        Timestamp::ORIGIN,
    );
    assert_eq!(said(&app), "A person cannot judge a game; name an engine.");
}

#[test]
fn the_mistake_on_the_board_is_the_one_that_is_tried() {
    let mut scores = SCORES;
    for score in &mut scores[3..6] {
        *score = Score::Centipawns(-600);
    }
    let mut app = judge_by(start(), scores);
    let queen = "White played Qh5 here. Find a better move.";
    let knight = "Black played Nf6 here. Find a better move.";
    for (plies, sentence) in [
        (2, queen),
        (3, queen),
        (4, knight),
        (5, knight),
        (6, knight),
    ] {
        write(&mut app, "<");
        write(&mut app, &".".repeat(plies));
        write(&mut app, "xt");
        assert_eq!(said(&app), sentence, "after {plies} plies");
    }
    // While one mistake is retried, the next one is another.
    write(&mut app, "xt");
    assert_eq!(said(&app), queen);
    write(&mut app, "xt");
    assert_eq!(said(&app), knight);
    // The same if a better move was found.
    enter(&mut app, "g6");
    write(&mut app, "xt");
    assert_eq!(said(&app), queen);
}

/// A mistake that was improved on is not offered again before all others were.
#[test]
fn the_last_mistake_is_said_to_be_the_last() {
    let mut app = judged();
    let mistake = "Black played Nf6 here. Find a better move.";
    write(&mut app, "xt");
    assert_eq!(said(&app), mistake);
    // Not improved on yet.
    write(&mut app, "xt");
    assert_eq!(said(&app), mistake);
    enter(&mut app, "g6");
    write(&mut app, "xt");
    assert_eq!(
        said(&app),
        "That was the last mistake. Retry again to start over with the first one."
    );
    write(&mut app, "xt");
    assert_eq!(said(&app), mistake);
}

/// Where the panel has no room for it, the sentence about a move is below the board, in full.
#[test]
fn the_judgment_of_a_move_is_not_cut_where_lines_are_free() {
    for (width, height) in [(60, 18), (60, 19), (60, 20), (80, 24)] {
        let mut app = judged();
        app.look.size = Size::new(width, height);
        write(&mut app, "<......");
        let words = app.desk.front().node().annotation().comments[0]
            .as_str()
            .to_owned();
        let screen: String = shown(&app)
            .lines()
            .map(|line| line.split('│').next_back().unwrap_or_default())
            .collect::<Vec<_>>()
            .join(" ");
        let screen: Vec<&str> = screen.split_whitespace().collect();
        let sentence: Vec<&str> = words.split_whitespace().collect();
        let is_there = screen
            .windows(sentence.len())
            .any(|found| found == sentence);
        assert!(is_there, "{width}×{height}: {words}\n{}", shown(&app));
    }
}

#[test]
fn escape_ends_a_try_and_stays_in_the_review() {
    let mut app = judged();
    write(&mut app, "xt");
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.screens.front, Screen::Game);
    assert_eq!(said(&app), "Back in the review.");
    assert!(shown(&app).contains("3…Nf6 ·"), "{}", shown(&app));
    enter(&mut app, "a3");
    assert!(app.pgn_text().contains("a3"), "nothing is tried any more");
}

/// A player who goes back to the game while the engine judges another one finds it judged afterwards.
#[test]
fn a_game_is_judged_while_another_is_in_front() {
    let mut app = start();
    app.open_review(record(GAME), Origin::Text);
    write(&mut app, ":study");
    let number = task(&press(&mut app, KeyCode::Enter)).number;
    app.show_board(BoardId::Game);
    for (at, score) in SCORES.into_iter().enumerate() {
        let found = verdict(score, Vec::new());
        let studied = StudyReport::Position { number, at, found };
        update(&mut app, EngineMessage::Studied(studied), Timestamp::ORIGIN);
    }
    let ended = StudyReport::Ended {
        number,
        how: Ok(()),
    };
    update(&mut app, EngineMessage::Studied(ended), Timestamp::ORIGIN);
    assert!(!app.board().is_review(), "the game stays in front");
    app.show_board(BoardId::Review);
    assert!(said(&app).starts_with("Accuracy: "), "{}", said(&app));
}

/// Where nothing was worse than dubious, the dubious moves are what can be tried again.
#[test]
fn a_game_without_mistakes_has_its_dubious_moves_tried_again() {
    let scores = [0, 0, 110, 3000, 3000, 3000, 3000, 3000].map(Score::Centipawns);
    let mut app = judge_by(start(), scores);
    write(&mut app, "xt");
    assert_eq!(said(&app), "Black played e5 here. Find a better move.");
}
