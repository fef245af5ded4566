//! Reviewing: stepping, annotating, variations, the list of a file's games, and the way back to a game.

use std::sync::atomic::{AtomicU32, Ordering};

use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};
use ratatui_core::layout::Size;
use tabiya_front::game_file::{self, Batch, GameFileError, Opened};
use tabiya_front::review::Origin;
use tabiya_game::{Record, Timestamp, pgn};
use tabiya_rules::{Color, Square};

use super::{
    App, cell, drag, enter, has_dialog, home, key, mouse, press, said, shown, start, update, write,
    written_to,
};
use crate::app::{Overlay, Screen};
use crate::message::{Contents, Effect, FileEffect, FileMessage, Input};

pub(crate) const GAME: &str = "[White \"Morphy\"]\n[Black \"Duke\"]\n[TimeControl \"60\"]\n\n\
    1. e4 e5 2. Nf3 {the old way} (2. f4 exf4 (2... d5)) 2... d6 3. d4 Bg4 1-0";

pub(crate) fn record(text: &str) -> Record {
    let game = pgn::games(text.as_bytes()).next().expect("a game");
    assert!(game.errors.is_empty(), "{:?}", game.errors);
    game.record
}

pub(crate) fn reviewed() -> App {
    let mut app = start();
    app.open_review(record(GAME), Origin::Text);
    app
}

fn command(app: &mut App, line: &str) -> Vec<Effect> {
    write(app, ":");
    write(app, line);
    press(app, KeyCode::Enter)
}

fn place(app: &App) -> String {
    let node = app.desk.front().node();
    node.san().map_or("start".to_owned(), |san| san.to_string())
}

fn batch(text: &str) -> Batch {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    // Tests run in parallel, and each has its own file.
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("tabiya-picker-{}-{count}.pgn", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, text).expect("a file can be written");
    let mut all = Vec::new();
    game_file::list(&path, &false.into(), |batch| {
        all.push(batch);
        true
    })
    .expect("it can be read");
    let _ = std::fs::remove_file(path);
    all.remove(0)
}

/// A list of a file with two games.
pub(crate) fn listed(app: App) -> App {
    listing(
        app,
        &format!("{GAME}\n\n[White \"Anderssen\"]\n\n1. f4 *\n"),
    )
}

/// A list of a file with these games.
fn listing(mut app: App, games: &str) -> App {
    app.open_file(std::path::Path::new("games.pgn"));
    let effects = app.effects.take();
    let [Effect::File(FileEffect::List { number, .. })] = effects[..] else {
        panic!("{effects:?}")
    };
    let batch = batch(games);
    let now = Timestamp::ORIGIN;
    update(&mut app, FileMessage::Listed { number, batch }, now);
    let how = Ok(());
    assert_eq!(
        update(&mut app, FileMessage::ListEnded { number, how }, now),
        []
    );
    app
}

#[test]
fn a_review_is_walked_by_keys_wheel_clicks_and_numbers() {
    let mut app = reviewed();
    assert!(shown(&app).contains("Morphy"), "{}", shown(&app));
    assert_eq!(place(&app), "start");
    for _ in 0..3 {
        press(&mut app, KeyCode::Right);
    }
    assert_eq!(place(&app), "Nf3");
    assert!(shown(&app).contains("the old way"));
    press(&mut app, KeyCode::Down);
    assert_eq!(place(&app), "f4");
    press(&mut app, KeyCode::Up);
    press(&mut app, KeyCode::End);
    assert_eq!(place(&app), "Bg4");
    press(&mut app, KeyCode::Home);
    assert_eq!(place(&app), "start");
    write(&mut app, "...");
    mouse(&mut app, MouseEventKind::ScrollUp, 5, 5);
    assert_eq!(place(&app), "e5");
    command(&mut app, "goto 3b");
    assert_eq!(place(&app), "Bg4");
    write(&mut app, "<");
    assert_eq!(place(&app), "start");
    let screen = shown(&app);
    let (row, line) = screen
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains("d6"))
        .expect("a move");
    let column = line.split("d6").next().expect("before").chars().count();
    let left = MouseEventKind::Down(MouseButton::Left);
    mouse(&mut app, left, column as u16, row as u16);
    assert_eq!(place(&app), "d6");
    assert!(!app.desk.has_unsaved_review(), "looking changes nothing");
}

#[test]
fn variations_are_entered_left_added_promoted_and_deleted() {
    let mut app = reviewed();
    write(&mut app, "...]");
    assert_eq!(place(&app), "f4");
    write(&mut app, ".");
    assert_eq!(place(&app), "exf4");
    write(&mut app, "]");
    assert_eq!(place(&app), "d5");
    write(&mut app, "(");
    assert_eq!(place(&app), "f4");
    write(&mut app, "(");
    assert_eq!(place(&app), "e5");
    write(&mut app, ".]");
    command(&mut app, "variation main");
    assert!(
        app.pgn_text().contains("2. f4 (2. Nf3"),
        "{}",
        app.pgn_text()
    );
    assert!(app.desk.has_unsaved_review());
    command(&mut app, "goto 1b");
    enter(&mut app, "Nc3");
    assert_eq!(place(&app), "Nc3");
    assert!(app.pgn_text().contains("2. Nc3"));
    command(&mut app, "variation delete");
    assert!(has_dialog(&app));
    write(&mut app, "y");
    assert!(!app.pgn_text().contains("2. Nc3"));
    assert_eq!(place(&app), "e5");
    write(&mut app, "<");
    command(&mut app, "variation delete");
    assert_eq!(said(&app), "There is no move here to delete.");
}

#[test]
fn signs_comments_and_marks_are_kept_in_the_pgn() {
    let mut app = reviewed();
    write(&mut app, ".m1");
    write(&mut app, "mc");
    assert!(matches!(&app.overlay, Some(Overlay::CommandPalette(_))));
    write(&mut app, "best by test");
    press(&mut app, KeyCode::Enter);
    drag(&mut app, Square::G1, Square::F3, MouseButton::Right);
    drag(&mut app, Square::E5, Square::E5, MouseButton::Right);
    let text = app.pgn_text();
    assert!(text.contains("e4 $1") || text.contains("e4!"), "{text}");
    assert!(text.contains("best by test"), "{text}");
    assert!(
        text.contains("[%csl Ge5]") && text.contains("[%cal Gg1f3]"),
        "{text}"
    );
    assert!(
        text.contains("[TimeControl \"60\"]") && text.contains("1-0"),
        "{text}"
    );
    // Annotations are still there after stepping away, and the same mark again removes it.
    write(&mut app, ".,");
    assert_eq!(app.board().marks().len(), 2);
    drag(&mut app, Square::E5, Square::E5, MouseButton::Right);
    assert_eq!(app.board().marks().len(), 1);
    command(&mut app, "mark none");
    command(&mut app, "comment");
    assert!(!app.pgn_text().contains("best by test"));
}

#[test]
fn a_review_that_is_not_saved_is_not_lost_in_silence() {
    let mut app = reviewed();
    command(&mut app, "comment so it begins");
    assert!(shown(&app).contains("not saved"));
    assert_eq!(command(&mut app, "q"), []);
    assert!(has_dialog(&app));
    press(&mut app, KeyCode::Esc);
    // Another review asks too, and the careful answer keeps the first one.
    command(&mut app, "review startpos");
    assert!(has_dialog(&app));
    press(&mut app, KeyCode::Enter);
    assert!(shown(&app).contains("so it begins"), "{}", shown(&app));
    let effects = command(&mut app, "pgn kept.pgn");
    assert!(
        matches!(&effects[..], [Effect::File(FileEffect::Write { file, .. })] if file.text.contains("so it begins"))
    );
    let written = written_to("kept.pgn", Contents::Review);
    update(&mut app, written, Timestamp::ORIGIN);
    assert_eq!(command(&mut app, "q"), [Effect::Leave]);
}

/// The question names what would be lost, and Enter stays.
#[test]
fn leaving_a_review_that_is_not_saved_asks() {
    let control_c = |app: &mut App| key(app, KeyCode::Char('c'), KeyModifiers::CONTROL);
    let mut app = reviewed();
    command(&mut app, "comment so it begins");
    assert_eq!(command(&mut app, "quit"), []);
    let asked = |app: &App| match &app.overlay {
        Some(Overlay::Dialog(dialog)) => dialog.title.clone(),
        _ => String::new(),
    };
    let question = "The review has unsaved changes. Leave anyway?";
    assert_eq!(asked(&app), question);
    assert_eq!(press(&mut app, KeyCode::Enter), []);
    assert!(app.overlay.is_none() && app.board().is_review());
    assert!(shown(&app).contains("so it begins"), "{}", shown(&app));
    assert_eq!(control_c(&mut app), []);
    let warning = "The review has unsaved changes. Press Ctrl-C again to leave.";
    assert_eq!(said(&app), warning);
    assert_eq!(command(&mut app, "quit"), []);
    assert_eq!(asked(&app), question);
    assert_eq!(press(&mut app, KeyCode::Char('y')), [Effect::Leave]);
    // Without changes nothing is asked.
    assert_eq!(command(&mut reviewed(), "quit"), [Effect::Leave]);
}

#[test]
fn moves_beyond_a_resignation_can_be_looked_at() {
    let mut app = reviewed();
    write(&mut app, ">");
    assert!(app.board().session().outcome().is_some());
    enter(&mut app, "dxe5");
    assert_eq!(place(&app), "dxe5");
    let text = app.pgn_text();
    assert!(
        text.contains("dxe5") && text.contains("[Result \"1-0\"]"),
        "{text}"
    );
}

#[test]
fn the_game_goes_on_beside_a_review() {
    let mut app = start();
    enter(&mut app, "e4");
    app.open_review(record(GAME), Origin::Text);
    write(&mut app, ">");
    command(&mut app, "resign");
    assert!(said(&app).contains("a game being played"), "{}", said(&app));
    press(&mut app, KeyCode::Esc);
    assert!(shown(&app).contains("Back to the review"));
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.board().session().ply(), 1, "the game is as it was");
    command(&mut app, "review");
    assert!(app.board().is_review());
    assert!(shown(&app).contains("this game"), "{}", shown(&app));
}

#[test]
fn play_goes_on_from_a_reviewed_position() {
    let mut app = reviewed();
    write(&mut app, "....x");
    write(&mut app, "p");
    assert!(
        matches!(&app.overlay, Some(Overlay::Form(_))),
        "{}",
        shown(&app)
    );
    assert!(app.board().is_review(), "its board is behind the form");
    press(&mut app, KeyCode::Enter);
    assert!(!app.board().is_review());
    assert!(super::fen(&app).starts_with("rnbqkbnr/ppp2ppp/3p4/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w"));
    assert!(app.desk.review().is_some(), "the review is still there");
}

#[test]
fn a_file_is_listed_searched_and_opened() {
    let mut app = listed(start());
    assert_eq!(app.screens.front, Screen::Picker);
    let screen = shown(&app);
    assert!(
        screen.contains("Morphy – Duke") && screen.contains("2 games"),
        "{screen}"
    );
    write(&mut app, "ANDERS");
    assert!(shown(&app).contains("1 of 2 games"));
    let effects = press(&mut app, KeyCode::Enter);
    let [
        Effect::File(FileEffect::Open {
            number: 2, offset, ..
        }),
    ] = effects[..]
    else {
        panic!("{effects:?}")
    };
    assert!(offset > 0);
    let opened = Opened {
        extent: None,
        record: record("[White \"Anderssen\"]\n\n1. f4 *"),
        problem: Some("something is wrong".to_owned()),
    };
    let game = Ok(Box::new(opened));
    update(
        &mut app,
        FileMessage::Opened { number: 2, game },
        Timestamp::ORIGIN,
    );
    assert!(app.board().is_review());
    assert_eq!(said(&app), "something is wrong");
    assert!(shown(&app).contains("games.pgn game 2"), "{}", shown(&app));
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.screens.front, Screen::Picker);
    press(&mut app, KeyCode::Esc);
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.screens.front, Screen::Home);
}

/// A collection of four games: players, event, year, ratings and result.
fn collection() -> App {
    let games = [
        (
            "Carlsen, Magnus",
            "Giri, Anish",
            "Tata Steel",
            2023,
            2859,
            2764,
            "1/2-1/2",
        ),
        (
            "Giri, Anish",
            "Carlsen, Magnus",
            "Tata Steel",
            2021,
            2764,
            2862,
            "0-1",
        ),
        (
            "Carlsen, Magnus",
            "Nepomniachtchi, Ian",
            "World Championship",
            2021,
            2855,
            2782,
            "1-0",
        ),
        ("Ahlén, Bo", "Carlsen, Magnus", "Club", 2005, 0, 2500, "*"),
    ];
    let games = games.map(|(white, black, event, year, elo, other, result)| {
        format!(
            "[Event \"{event}\"]\n[Site \"Somewhere\"]\n[Date \"{year}.01.02\"]\n[White \"{white}\"]\n\
             [Black \"{black}\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"{other}\"]\n\n1. e4 e5 2. Nf3 {result}\n\n"
        )
    });
    listing(start(), &games.concat())
}

/// The numbers of the listed games.
fn numbers(app: &App) -> Vec<usize> {
    let picker = app.screens.picker.as_ref().expect("a list");
    let number = |at| Some(picker.game(at)?.0 + 1);
    (0..picker.len()).filter_map(number).collect()
}

#[test]
fn a_collection_is_searched_by_several_words() {
    let found = |query: &str| {
        let mut app = collection();
        write(&mut app, query);
        numbers(&app)
    };
    assert_eq!(found("carlsen giri"), [1, 2]);
    assert_eq!(found("/carlsen"), [1, 2, 3, 4]);
    assert_eq!(found("Carlsen, Magnus world"), [3]);
    assert_eq!(found("tata 2021"), [2]);
    assert_eq!(found("1-0"), [3]);
    assert_eq!(found("½-½"), [1]);
    assert_eq!(found("somewhere ahlén"), [4]);
    assert_eq!(found("c40 king's 2005"), [4], "by the opening and its code");
    assert_eq!(found("carlsen anand"), [0; 0]);
    // Each letter narrows the list, and taking one away widens it again.
    let mut app = collection();
    write(&mut app, "giri 2021");
    assert_eq!(numbers(&app), [2]);
    for _ in 0.." 2021".len() {
        press(&mut app, KeyCode::Backspace);
    }
    assert_eq!(numbers(&app), [1, 2]);
    press(&mut app, KeyCode::Esc);
    assert_eq!(numbers(&app), [1, 2, 3, 4]);
}

#[test]
fn a_collection_is_sorted_and_shows_ratings() {
    let mut app = collection();
    app.look.size = Size::new(100, 30);
    assert!(shown(&app).contains("2859 2764"), "{}", shown(&app));
    let sort = |app: &mut App| key(app, KeyCode::Char('s'), KeyModifiers::CONTROL);
    // The selection stays at its game.
    press(&mut app, KeyCode::Down);
    for (sorted, name) in [
        ([1, 2, 3, 4], "by date"),
        ([4, 1, 3, 2], "by players"),
        ([3, 2, 1, 4], "by rating"),
        ([3, 1, 2, 4], "by result"),
    ] {
        sort(&mut app);
        assert_eq!(numbers(&app), sorted, "{name}");
        assert!(shown(&app).contains(name), "{name}");
        let picker = app.screens.picker.as_ref().expect("a list");
        assert_eq!(picker.game(picker.chosen).map(|(at, _)| at), Some(1));
    }
    command(&mut app, "goto 4");
    assert_eq!(
        app.screens.picker.as_ref().map(|picker| picker.chosen),
        Some(3)
    );
    write(&mut app, "giri");
    assert_eq!(numbers(&app), [1, 2]);
    sort(&mut app);
    press(&mut app, KeyCode::Esc);
    assert_eq!(numbers(&app), [1, 2, 3, 4]);
}

/// Where a screen is narrow, ratings are beside the names that leave room for them, and beside all in their order.
#[test]
fn ratings_are_shown_where_names_leave_room() {
    let mut app = collection();
    let line = |app: &App, name: &str| {
        let screen = shown(app);
        let line = screen.lines().find(|line| line.contains(name));
        line.unwrap_or_else(|| panic!("{screen}")).to_owned()
    };
    let (short, long) = ("Magnus – Giri, Anish", "Magnus – Nepomnia");
    assert!(
        line(&app, short).contains(" 2859 2764  C40  2023.01.02  1/2-1/2"),
        "{}",
        shown(&app)
    );
    assert!(line(&app, long).contains("Nepomniachtchi, Ian   "));
    for _ in 0..3 {
        assert!(!line(&app, long).contains("2855"));
        key(&mut app, KeyCode::Char('s'), KeyModifiers::CONTROL);
    }
    assert!(
        line(&app, short).contains(" 2859 2764  C40  2023.01.02  1/2-1/2"),
        "{}",
        shown(&app)
    );
    assert!(
        line(&app, long).contains("Nepomniachtchi… 2855 2782  C40  2021.01.02  1-0"),
        "{}",
        shown(&app)
    );
    app.look.size = Size::new(60, 18);
    assert!(
        line(&app, "1  Carlsen").contains("Magnus –… 2859 2764  2023.01.02"),
        "{}",
        shown(&app)
    );
    app.look.size = Size::new(40, 12);
    assert!(!shown(&app).contains("2859"), "{}", shown(&app));
}

#[test]
fn a_file_that_cannot_be_read_says_so_and_late_news_are_ignored() {
    let mut app = start();
    app.open_file(std::path::Path::new("a.pgn"));
    app.open_file(std::path::Path::new("b.pgn"));
    let now = Timestamp::ORIGIN;
    let how = Err(GameFileError::NoGame("a.pgn".into()));
    update(&mut app, FileMessage::ListEnded { number: 1, how }, now);
    assert!(!shown(&app).contains("there is no game"));
    let how = Err(GameFileError::NoGame("b.pgn".into()));
    update(&mut app, FileMessage::ListEnded { number: 2, how }, now);
    assert!(shown(&app).contains("b.pgn: there is no game."));
}

#[test]
fn positions_and_games_can_be_pasted_on_the_home_screen() {
    for (text, contains) in [
        ("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1", "from a text"),
        (GAME, "Morphy"),
    ] {
        let mut app = start();
        press(&mut app, KeyCode::Esc);
        update(&mut app, Input::Paste(text.to_owned()), Timestamp::ORIGIN);
        assert!(app.board().is_review(), "{text}");
        assert!(shown(&app).contains(contains), "{}", shown(&app));
    }
    let mut app = start();
    press(&mut app, KeyCode::Esc);
    update(
        &mut app,
        Input::Paste("good morning".to_owned()),
        Timestamp::ORIGIN,
    );
    assert_eq!(app.screens.front, Screen::Home);
}

#[test]
fn a_board_in_review_takes_clicks_at_every_size() {
    for (width, height) in [(40, 12), (80, 24), (132, 43)] {
        let mut app = reviewed();
        app.look.size = Size::new(width, height);
        for square in [Square::D2, Square::D4] {
            let (x, y) = cell(&app, square);
            mouse(&mut app, MouseEventKind::Down(MouseButton::Left), x, y);
            mouse(&mut app, MouseEventKind::Up(MouseButton::Left), x, y);
        }
        assert_eq!(place(&app), "d4");
        assert!(app.pgn_text().contains("(1. d4)"), "{}", app.pgn_text());
    }
}

/// Opens a game of the list.
fn open(app: &mut App, number: usize) {
    let opened = Opened {
        extent: None,
        record: record(GAME),
        problem: None,
    };
    let game = Ok(Box::new(opened));
    update(app, FileMessage::Opened { number, game }, Timestamp::ORIGIN);
}

#[test]
fn the_game_under_work_is_gone_back_to_and_another_one_asks() {
    let mut app = listed(start());
    open(&mut app, 1);
    write(&mut app, "..");
    command(&mut app, "comment so it begins");
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.screens.front, Screen::Picker);
    open(&mut app, 1);
    assert!(!has_dialog(&app), "{}", shown(&app));
    assert_eq!(app.screens.front, Screen::Game);
    assert!(shown(&app).contains("so it begins"), "{}", shown(&app));
    press(&mut app, KeyCode::Esc);
    open(&mut app, 2);
    assert!(has_dialog(&app), "{}", shown(&app));
}

/// The main line stays in place while a variation is followed, and the current move is always visible.
#[test]
fn a_variation_leaves_the_main_line_in_its_place() {
    let mut app = start();
    let text =
        "1. e4 e5 (1... c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 (5... g6)) 2. Nf3 Nc6 *";
    app.open_review(record(text), Origin::Text);
    let row = |app: &App, begins: &str| {
        let screen = shown(app);
        let found = screen.lines().find_map(|line| {
            let list = line.split('│').nth(1)?.trim().to_owned();
            list.starts_with(begins).then_some(list)
        });
        found.unwrap_or_else(|| panic!("no {begins}: {screen}"))
    };
    let main = |app: &App| ["1.", "2."].map(|begins| row(app, begins));
    let before = main(&app);
    assert_eq!(row(&app, "╰"), "╰ 1…c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 …");
    write(&mut app, "..");
    press(&mut app, KeyCode::Down);
    for san in ["c5", "Nf3", "d6", "d4", "cxd4", "Nxd4", "Nf6", "Nc3", "a6"] {
        let looked_at = app.desk.front().node().san().map(|san| san.to_string());
        assert_eq!(looked_at.as_deref(), Some(san));
        assert_eq!(main(&app), before, "{san}");
        assert!(row(&app, "╰").contains(san), "{san}: {}", shown(&app));
        write(&mut app, ".");
    }
    assert_eq!(row(&app, "╰ 5…"), "╰ 5…g6");
    // What branches off a variation stands further right than the variation.
    let screen = shown(&app);
    let column = |begins: &str| {
        let line = screen.lines().find(|line| line.contains(begins));
        line.and_then(|line| line.chars().position(|c| c == '╰'))
    };
    assert!(column("╰ 5…") > column("╰ …"), "{screen}");
    press(&mut app, KeyCode::Down);
    assert_eq!(row(&app, "╰ 5…"), "╰ 5…a6");
    assert_eq!(main(&app), before);
}

#[test]
fn a_variation_says_that_it_is_one_and_where_it_stands() {
    let mut app = reviewed();
    write(&mut app, "...");
    assert!(!shown(&app).contains("variation 2."), "{}", shown(&app));
    write(&mut app, "]");
    assert!(shown(&app).contains("variation 2.f4 · "), "{}", shown(&app));
    write(&mut app, ".");
    assert!(shown(&app).contains("variation 2…exf4"), "{}", shown(&app));
    command(&mut app, "goto 1b");
    enter(&mut app, "Nc3");
    command(&mut app, "variation up");
    assert_eq!(said(&app), "2.Nc3 is now variation 1 at this point.");
    command(&mut app, "variation up");
    assert_eq!(said(&app), "2.Nc3 is on the main line now.");
    command(&mut app, "variation up");
    assert_eq!(said(&app), "This is the main line.");
    press(&mut app, KeyCode::Left);
    assert!(!shown(&app).contains("This is the main line."));
    assert_eq!(said(&app), "2.Nc3 is on the main line now.");
}

#[test]
fn the_hints_of_a_review_begin_with_what_reviews_are_for() {
    let app = reviewed();
    let screen = shown(&app);
    let hints = screen.lines().last().expect("a line");
    assert!(
        hints.starts_with(" ←→ walk  ↑↓ variations  m mark"),
        "{hints}"
    );
    assert!(
        !hints.contains("back") && !hints.contains("forward"),
        "{hints}"
    );
}

#[test]
fn a_game_of_the_list_is_found_by_its_number() {
    let mut app = listed(start());
    assert!(shown(&app).contains(":goto N"), "{}", shown(&app));
    let chosen = |app: &App| app.screens.picker.as_ref().map(|picker| picker.chosen);
    command(&mut app, "goto 2");
    assert_eq!((app.screens.front, chosen(&app)), (Screen::Picker, Some(1)));
    command(&mut app, "goto 3");
    assert!(shown(&app).contains("There is no game 3 in this list."));
    press(&mut app, KeyCode::Esc);
    command(&mut app, "goto start");
    assert_eq!(chosen(&app), Some(0));
    // In a filtered list the number is still that of the file.
    write(&mut app, "anders");
    let target = tabiya_play::request::Target::Move {
        number: 2,
        by: Color::White,
    };
    let picker = app.screens.picker.as_mut().expect("a list");
    assert_eq!(picker.go_to(target), Ok(()));
    assert_eq!(chosen(&app), Some(0));
}

#[test]
fn a_brace_in_a_comment_is_said_to_be_changed() {
    let mut app = reviewed();
    command(&mut app, "comment a {b} c");
    assert!(said(&app).contains("cannot hold a }"), "{}", said(&app));
    assert!(app.pgn_text().contains("{a {b) c}"), "{}", app.pgn_text());
}

/// A review says what game it is about: where and when it was played, the ratings and the opening.
#[test]
fn a_review_shows_event_date_ratings_and_opening() {
    const GAME: &str = "[Event \"Opera\"]\n[Site \"Paris\"]\n[Date \"1858.11.02\"]\n[White \"Morphy\"]\n\
                        [Black \"Duke\"]\n[WhiteElo \"2690\"]\n[BlackElo \"?\"]\n\n1. e4 e5 2. Nf3 d6 1-0\n";
    let mut app = home();
    update(&mut app, Input::Paste(GAME.to_owned()), Timestamp::ORIGIN);
    press(&mut app, KeyCode::End);
    let screen = shown(&app);
    assert!(screen.contains("Opera, Paris, 1858.11.02"), "{screen}");
    assert!(screen.contains("○ Morphy 2690"), "{screen}");
    assert!(screen.contains("● Duke  "), "{screen}");
    assert!(screen.contains("C41 Philidor"), "{screen}");
}

/// A name that is too long is cut, and not the rating after it.
#[test]
fn a_long_name_leaves_room_for_the_rating() {
    const GAME: &str = "[White \"Weber, Karl-Friedrich von der Aue\"]\n[Black \"Duke\"]\n\
                        [WhiteElo \"1987\"]\n\n1. e4 {[%clk 0:09:58]} e5 2. Nf3 d6 1-0\n";
    for (width, shown_as) in [
        (120, "○ Weber, Karl-Friedrich von der Aue 1987"),
        (80, "○ Weber, Karl-Friedrich von"),
        (60, "○ Weber, K… 1987"),
    ] {
        let mut app = home();
        app.look.size = Size::new(width, 24);
        update(&mut app, Input::Paste(GAME.to_owned()), Timestamp::ORIGIN);
        press(&mut app, KeyCode::Right);
        let screen = shown(&app);
        assert!(screen.contains(shown_as), "{width}: {screen}");
        assert!(screen.contains(" 1987"), "{width}: {screen}");
    }
}

/// Also where a single line is below the board, which the message takes.
#[test]
fn the_opening_is_shown_at_every_size_with_a_panel() {
    for (width, height) in [
        (100, 30),
        (80, 30),
        (90, 30),
        (80, 22),
        (80, 23),
        (80, 24),
        (60, 20),
        (100, 31),
        (132, 43),
    ] {
        let mut app = start();
        app.look.size = Size::new(width, height);
        enter(&mut app, "e4");
        enter(&mut app, "e6");
        let screen = shown(&app);
        assert!(screen.contains("C00 French"), "{width}×{height}: {screen}");
        assert!(
            screen.contains("Black played e6."),
            "{width}×{height}: {screen}"
        );
    }
}

/// The player's mistakes come first, if it is known which side that was.
#[test]
fn a_review_knows_whose_game_it_was() {
    let mut app = home();
    app.desk.set_player("Anna");
    let game = "[White \"Ben\"]\n[Black \"Anna\"]\n\n1. e4 e5 2. Nf3 *\n";
    update(&mut app, Input::Paste(game.to_owned()), Timestamp::ORIGIN);
    assert_eq!(app.board().player(), Some(Color::Black));
}

#[test]
fn the_menu_of_marks_names_what_it_marks() {
    let mut app = start();
    app.open_review(record("1. e4 -- 2. d4 *"), Origin::Text);
    for (steps, title) in [
        (0, "Comment the start"),
        (1, "Mark e4"),
        (1, "Mark the null move"),
        (1, "Mark d4"),
    ] {
        for _ in 0..steps {
            write(&mut app, ".");
        }
        write(&mut app, "m");
        assert!(shown(&app).contains(title), "{title}\n{}", shown(&app));
        press(&mut app, KeyCode::Esc);
    }
}
