//! What is saved, and the list of saves.

use std::path::PathBuf;
use std::time::SystemTime;

use crossterm::event::{KeyCode, KeyModifiers};
use ratatui_core::layout::Size;
use tabiya_game::{Session, Timestamp};
use tabiya_play::desk::Saving;
use tabiya_rules::{ByColor, Move, Position};
use tabiya_store::disk::FileFault;
use tabiya_store::{
    Autosave, Damage, ExternalChange, SaveEntry, SaveError, SaveKind, SaveName, SaveNotice,
    SaveProblem, SaveRemark, Saved, SavedGame, Summary, Trashed, Unreadable,
};

use super::engines::{against_bot, answer, move_and_number};
use super::reviewing::listed;
use super::watching::watched;
use super::{enter, full, has_dialog, home, key, play, press, shown, start, write, written_to};
use crate::app::{self, App, Overlay, Screen};
use crate::message::{
    Contents, Done, Effect, Effects, Existing, FileEffect, FileMessage, Message, NotDone,
    Resumable, SaveEffect, StoreEffect, StoreMessage,
};

fn autosaving() -> App {
    let mut app = start();
    app.desk.set_saving(Saving::EveryChange);
    app
}

fn update(app: &mut App, message: impl Into<Message>) -> Vec<Effect> {
    app::update(app, message, Timestamp::ORIGIN)
}

fn name(text: &str) -> SaveName {
    SaveName::new(text).expect("a good name")
}

fn game(moves: &[&str]) -> SavedGame {
    let mut session = Session::default();
    for text in moves {
        let play = tabiya_game::Command::play(text);
        session.apply(play, Timestamp::ORIGIN).expect("legal");
    }
    SavedGame {
        session,
        players: ByColor::default(),
    }
}

fn plies(effects: &[Effect]) -> Vec<u32> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Save(SaveEffect::Autosave(game)) => Some(game.session.ply()),
            _ => None,
        })
        .collect()
}

#[test]
fn every_change_is_kept_before_anything_else() {
    let mut app = autosaving();
    write(&mut app, "e4");
    let effects = press(&mut app, KeyCode::Enter);
    assert_eq!(plies(&effects), [1]);
    assert!(matches!(effects[0], Effect::Save(SaveEffect::Autosave(_))));
    assert_eq!(plies(&press(&mut app, KeyCode::Char('u'))), [0]);
    // Looking changes nothing.
    assert_eq!(press(&mut app, KeyCode::Char(',')), []);
    write(&mut app, ":new");
    let effects = press(&mut app, KeyCode::Enter);
    assert!(
        matches!(effects[0], Effect::Save(SaveEffect::Release)),
        "{effects:?}"
    );
}

/// A save holds the whole game, so one is enough however much happened at once.
#[test]
fn the_same_state_is_saved_once() {
    let mut app = autosaving();
    play(&mut app, "e4 e5 Nf3");
    write(&mut app, ":undo 3");
    assert_eq!(plies(&press(&mut app, KeyCode::Enter)), [0]);
    let mut app = against_bot(80, 24);
    app.desk.set_saving(Saving::EveryChange);
    let number = move_and_number(&mut app, "e4");
    enter(&mut app, "Nf3");
    assert_eq!(plies(&answer(&mut app, number, "e5")), [3]);
}

/// The end of a game is saved although another one begins at once.
#[test]
fn a_state_before_another_game_is_saved_too() {
    let mut effects = Effects::default();
    for moves in [&["e4"][..], &["e4", "e5"]] {
        effects.push(SaveEffect::Autosave(Box::new(game(moves))));
    }
    effects.push(SaveEffect::Release);
    effects.push(SaveEffect::Autosave(Box::new(game(&["d4"]))));
    assert_eq!(plies(&effects.take()), [2, 1]);
}

#[test]
fn saves_are_asked_for_by_name_and_trouble_is_said() {
    let mut app = autosaving();
    enter(&mut app, "e4");
    write(&mut app, "smine");
    let effects = press(&mut app, KeyCode::Enter);
    assert!(
        matches!(&effects[..], [Effect::Store(StoreEffect::SaveAs { name: Some(name), .. })] if name.as_str() == "mine"),
        "{effects:?}"
    );
    update(&mut app, StoreMessage::Autosaved(not_kept()));
    assert!(shown(&app).contains("the disk is full"));
    write(&mut app, ":load mine");
    let effects = press(&mut app, KeyCode::Enter);
    assert_eq!(
        effects,
        [Effect::Store(StoreEffect::Resume(Some(name("mine"))))]
    );
    update(
        &mut app,
        StoreMessage::Resumed(Ok(Box::new(game(&["d4", "d5"])))),
    );
    assert_eq!(app.board().session().ply(), 2);
    assert_eq!(app.screens.front, Screen::Game);
    write(&mut app, "c4");
    assert_eq!(plies(&press(&mut app, KeyCode::Enter)), [3]);
    write(&mut app, ":set autosave off");
    let effects = press(&mut app, KeyCode::Enter);
    assert!(
        effects.contains(&Effect::Store(StoreEffect::SetAutosave(Autosave::Off))),
        "{effects:?}"
    );
}

fn not_kept() -> SaveNotice {
    let error = SaveError::File {
        path: "/x".into(),
        fault: FileFault::Full,
    };
    SaveNotice::Problem(SaveProblem::NotSaved(SaveKind::Game, error))
}

fn damaged(text: &str) -> SaveError {
    SaveError::Unreadable {
        name: name(text),
        why: Unreadable::Damaged(Damage::NoGame),
        aside: None,
    }
}

fn trashed(text: &str) -> Trashed {
    Trashed {
        name: name(text),
        path: "/trash".into(),
    }
}

fn saved_as(text: &str, contents: Contents) -> Message {
    let saved = Saved {
        name: name(text),
        external_changes: Vec::new(),
    };
    Message::written(contents, Ok::<_, NotDone>(saved))
}

/// The list of saves on a screen: one in progress, one that is over, one that is damaged, and more than fit.
pub(crate) fn saved(mut app: App) -> App {
    enter(&mut app, ":saves");
    let mut names = vec![
        "game-2026-11-15-204502".to_owned(),
        "Immortal".to_owned(),
        "torn".to_owned(),
    ];
    names.extend((1..=60).map(|number| format!("club evening {number:02}")));
    let listed = names.iter().map(|text| SaveEntry {
        name: name(text),
        modified: SystemTime::UNIX_EPOCH,
    });
    update(&mut app, StoreMessage::Listed(Ok(listed.collect())));
    let summary = |moves: &[&str], players: [&str; 2], result: &'static str| Summary {
        names: ByColor::new(players[0], players[1]).map(|name| Some(name.to_owned())),
        players: ByColor::default(),
        date: "2026.11.15".to_owned(),
        result,
        moves: moves.len().div_ceil(2) as u32,
        start: Position::start(),
        line: line(moves),
        position: *game(moves).session.position(),
    };
    let going_on = summary(&["e4", "e5", "Nf3"], ["human", "Bot 4 «Club»"], "*");
    let over = summary(
        &["f3", "e5", "g4", "Qh4#"],
        ["Anderssen", "Kieseritzky"],
        "0-1",
    );
    let about = [Ok(going_on), Ok(over), Err(damaged("torn"))];
    for (text, about) in names.iter().zip(about) {
        update(
            &mut app,
            StoreMessage::Peeked(name(text), Some(Box::new(about))),
        );
    }
    app
}

/// Moves from the start of a game.
fn line(moves: &[&str]) -> Vec<Move> {
    let mut position = Position::start();
    let play = |san: &&str| {
        let m = position.parse_san(san).expect("a legal move");
        position = position.play_unchecked(m);
        m
    };
    moves.iter().map(play).collect()
}

#[test]
fn the_list_shows_players_result_and_board_and_asks_before_it_deletes() {
    let mut app = autosaving();
    write(&mut app, ":saves");
    assert_eq!(
        press(&mut app, KeyCode::Enter),
        [Effect::Store(StoreEffect::List)]
    );
    assert!(shown(&app).contains("Looking…"));
    let listed = ["first", "second", "third"].map(|text| SaveEntry {
        name: name(text),
        modified: SystemTime::UNIX_EPOCH,
    });
    let effects = update(&mut app, StoreMessage::Listed(Ok(listed.to_vec())));
    assert_eq!(
        effects,
        [Effect::Store(StoreEffect::Peek(
            ["first", "second", "third"].map(name).to_vec()
        ))]
    );
    let summary = Summary {
        names: ByColor::new(Some("Morphy\u{1b}".to_owned()), None),
        players: ByColor::new(None, Some("bot:3".to_owned())),
        date: "2026.11.15".to_owned(),
        result: "1-0",
        moves: 17,
        start: Position::start(),
        line: line(&["e4", "e5", "Nf3", "d6"]),
        position: Position::start(),
    };
    let first = Some(Box::new(Ok(summary.clone())));
    update(&mut app, StoreMessage::Peeked(name("first"), first));
    let third = Summary {
        result: "*",
        ..summary
    };
    update(
        &mut app,
        StoreMessage::Peeked(name("third"), Some(Box::new(Ok(third)))),
    );
    let bad = Err(damaged("second"));
    update(
        &mut app,
        StoreMessage::Peeked(name("second"), Some(Box::new(bad))),
    );
    let screen = shown(&app);
    assert!(screen.contains("1-0  Morphy"), "{screen}");
    assert!(screen.contains("2026.11.15"), "{screen}");
    assert!(screen.contains("cannot be read"), "{screen}");
    assert!(screen.contains("1-0 · 17 moves"), "{screen}");
    assert!(screen.contains("C41 Philidor"), "{screen}");
    press(&mut app, KeyCode::Down);
    assert_eq!(press(&mut app, KeyCode::Delete), []);
    assert!(shown(&app).contains("Move 'second' to the trash?"));
    assert_eq!(press(&mut app, KeyCode::Char('n')), [], "only yes is yes");
    press(&mut app, KeyCode::Delete);
    assert_eq!(
        press(&mut app, KeyCode::Char('y')),
        [Effect::Store(StoreEffect::Delete(name("second")))]
    );
    let done = Ok(trashed("second"));
    update(&mut app, StoreMessage::Deleted(name("second"), done));
    assert!(shown(&app).contains("in the trash now"));
    write(&mut app, "thi");
    assert_eq!(
        press(&mut app, KeyCode::Enter),
        [Effect::Store(StoreEffect::Resume(Some(name("third"))))]
    );
    let busy = Err(SaveError::Busy(name("third")));
    assert_eq!(
        update(&mut app, StoreMessage::Resumed(busy)),
        [Effect::Store(StoreEffect::List)]
    );
    assert!(shown(&app).contains("another window"));
    // A sentence with a generated name needs two lines.
    let busy = Err(SaveError::Busy(name("game-2026-11-17-164821")));
    update(&mut app, StoreMessage::Resumed(busy));
    assert!(shown(&app).contains("│ first. "), "{}", shown(&app));
    press(&mut app, KeyCode::Esc);
    press(&mut app, KeyCode::Esc);
    assert!(!matches!(app.overlay, Some(Overlay::SavesList(_))));
}

#[test]
fn the_home_screen_resumes_the_last_game() {
    let mut app = home();
    app.desk.set_saving(Saving::EveryChange);
    assert!(!shown(&app).contains("Resume the last game"));
    update(&mut app, StoreMessage::CanResume(Resumable::Here));
    assert!(shown(&app).contains("Resume the last game"));
    assert_eq!(
        press(&mut app, KeyCode::Enter),
        [Effect::Store(StoreEffect::Resume(None))]
    );
}

/// A list with a save in it.
fn one_save() -> App {
    let mut app = autosaving();
    write(&mut app, ":saves");
    press(&mut app, KeyCode::Enter);
    let listed = SaveEntry {
        name: name("mine"),
        modified: SystemTime::UNIX_EPOCH,
    };
    update(&mut app, StoreMessage::Listed(Ok(vec![listed])));
    app
}

#[test]
fn a_save_is_reviewed_from_the_list_and_by_a_command() {
    let wanted = [Effect::Store(StoreEffect::Read(name("mine")))];
    let mut app = one_save();
    let control_r = key(&mut app, KeyCode::Char('r'), KeyModifiers::CONTROL);
    assert_eq!(control_r, wanted);
    let read = Box::new(game(&["e4", "e5"]));
    update(&mut app, StoreMessage::Read(name("mine"), Ok(read)));
    assert!(app.board().is_review());
    assert!(shown(&app).contains("Review  mine"), "{}", shown(&app));
    // The way back leads to the list.
    assert_eq!(
        press(&mut app, KeyCode::Esc),
        [Effect::Store(StoreEffect::List)]
    );
    assert!(matches!(app.overlay, Some(Overlay::SavesList(_))));
    press(&mut app, KeyCode::Esc);
    write(&mut app, ":review save mine");
    assert_eq!(press(&mut app, KeyCode::Enter), wanted);
    let gone = Err(SaveError::Missing(name("mine")));
    update(&mut app, StoreMessage::Read(name("mine"), gone));
    assert!(shown(&app).contains("There is no save 'mine'."));
}

#[test]
fn a_review_is_saved_as_a_copy_and_the_game_stays_what_it_is() {
    let mut app = autosaving();
    enter(&mut app, "e4");
    enter(&mut app, ":review");
    assert!(app.board().is_review());
    enter(&mut app, ":comment good");
    enter(&mut app, ":save");
    assert!(shown(&app).contains("save NAME"), "{}", shown(&app));
    write(&mut app, ":save mine");
    let effects = press(&mut app, KeyCode::Enter);
    let [Effect::Store(StoreEffect::SaveCopy { name: saved, game })] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(*saved, name("mine"));
    assert!(game.session.record().root().annotation().comments.len() == 1);
    assert!(shown(&app).contains("not saved"));
    update(&mut app, saved_as("mine", Contents::Review));
    assert!(!shown(&app).contains("not saved"));
}

#[test]
fn a_save_is_deleted_by_a_command_that_asks() {
    let mut app = autosaving();
    let ask = |app: &mut App, can| {
        write(app, ":delete mine");
        let effects = press(app, KeyCode::Enter);
        assert_eq!(
            effects,
            [Effect::Store(StoreEffect::AskToDelete(name("mine")))]
        );
        update(app, StoreMessage::CanDelete(name("mine"), can));
    };
    ask(&mut app, Err(SaveError::Missing(name("mine"))));
    assert!(shown(&app).contains("There is no save 'mine'."));
    assert!(
        !has_dialog(&app),
        "nothing is asked about what is not there"
    );
    ask(&mut app, Ok(()));
    assert!(shown(&app).contains("Move 'mine' to the trash?"));
    assert_eq!(press(&mut app, KeyCode::Enter), [], "no comes first");
    ask(&mut app, Ok(()));
    let effects = press(&mut app, KeyCode::Char('y'));
    assert_eq!(effects, [Effect::Store(StoreEffect::Delete(name("mine")))]);
    let done = Ok(trashed("mine"));
    update(&mut app, StoreMessage::Deleted(name("mine"), done));
    assert!(shown(&app).contains("in the trash now"));
}

#[test]
fn what_was_done_is_said_on_every_screen() {
    for screen in [Screen::Home, Screen::Game, Screen::Picker, Screen::Match] {
        let mut app = listed(watched(autosaving()));
        app.screens.front = screen;
        let done = Ok(trashed("mine"));
        update(&mut app, StoreMessage::Deleted(name("mine"), done));
        assert!(shown(&app).contains("in the trash now"), "{screen:?}");
        app.overlay = None;
        update(
            &mut app,
            Message::written(Contents::Other, Err::<Done, _>(full("config.toml"))),
        );
        assert!(shown(&app).contains("the disk is full"), "{screen:?}");
    }
}

#[test]
fn names_of_saves_are_completed_in_the_palette() {
    let mut app = autosaving();
    for command in ["load", "save", "delete", "review save"] {
        write(&mut app, &format!(":{command} my"));
        let line = format!("{command} my");
        let effects = press(&mut app, KeyCode::Tab);
        assert_eq!(
            effects,
            [Effect::Store(StoreEffect::CompleteSaveName(line.clone()))]
        );
        let names = ["My game", "yours", "my other"].map(str::to_owned).to_vec();
        update(&mut app, StoreMessage::SaveNames { line, names });
        assert!(shown(&app).contains(&format!("{command} My game")));
        assert_eq!(press(&mut app, KeyCode::Tab), []);
        assert!(shown(&app).contains(&format!("{command} my other")));
        assert_eq!(press(&mut app, KeyCode::Tab), []);
        assert!(shown(&app).contains(&format!("{command} My game")));
        press(&mut app, KeyCode::Esc);
    }
    // Names that arrive too late do nothing.
    let late = || StoreMessage::SaveNames {
        line: "load my".to_owned(),
        names: vec!["My game".to_owned()],
    };
    update(&mut app, late());
    assert!(app.overlay.is_none());
    write(&mut app, ":load m");
    update(&mut app, late());
    assert!(!shown(&app).contains("My game"), "{}", shown(&app));
}

#[test]
fn a_review_carries_nothing_that_only_sessions_understand() {
    let game = game(&["e4", "e5"]);
    let text = tabiya_game::pgn::to_string(&game.session.save(), tabiya_game::pgn::Format::Export);
    let own = ["[Session", "[DrawPolicy", "[DeadPositions"];
    assert!(text.contains(own[0]) && text.contains(own[1]), "{text}");
    let mut app = autosaving();
    enter(&mut app, "e4");
    enter(&mut app, ":review");
    let played = app.pgn_text();
    let read = Box::new(game);
    update(&mut app, StoreMessage::Read(name("mine"), Ok(read)));
    for text in [played, app.pgn_text()] {
        assert!(text.contains("1. e4"), "{text}");
        assert!(!own.iter().any(|tag| text.contains(tag)), "{text}");
    }
}

#[test]
fn a_save_that_is_gone_leaves_the_list() {
    let mut app = one_save();
    update(&mut app, StoreMessage::Peeked(name("mine"), None));
    assert!(!shown(&app).contains("mine"), "{}", shown(&app));
}

#[test]
fn what_is_played_after_an_undo_is_the_game() {
    let mut app = autosaving();
    play(&mut app, "f3 e5 e4");
    press(&mut app, KeyCode::Char('u'));
    play(&mut app, "g4");
    enter(&mut app, "Qh4");
    let text = tabiya_game::pgn::to_string(
        &app.board().session().save(),
        tabiya_game::pgn::Format::Export,
    );
    assert!(text.contains("[Result \"0-1\"]"), "{text}");
    assert!(text.contains("2. g4 (2. e4) 2... Qh4#"), "{text}");
}

fn command(app: &mut App, line: &str) -> Vec<Effect> {
    write(app, ":");
    write(app, line);
    press(app, KeyCode::Enter)
}

#[test]
fn a_file_that_is_there_is_replaced_only_by_a_yes() {
    let mut app = one_save();
    let read = Box::new(game(&["e4"]));
    update(&mut app, StoreMessage::Read(name("one"), Ok(read)));
    command(&mut app, "comment so it begins");
    let effects = command(&mut app, "pgn there.pgn");
    let [Effect::File(FileEffect::Write { file, .. })] = &effects[..] else {
        panic!("{effects:?}");
    };
    let exists = |app: &mut App| {
        let (file, about) = (file.clone(), Existing::default());
        update(app, FileMessage::Exists { file, about })
    };
    assert_eq!(exists(&mut app), []);
    let screen = shown(&app);
    assert!(
        screen.contains("There is a file there.pgn already."),
        "{screen}"
    );
    assert_eq!(press(&mut app, KeyCode::Enter), [], "no is chosen");
    // Writing something else does not save the review.
    update(&mut app, written_to("x.svg", Contents::Other));
    assert!(app.desk.has_unsaved_review());
    command(&mut app, "pgn there.pgn");
    exists(&mut app);
    let effects = press(&mut app, KeyCode::Char('y'));
    assert!(
        matches!(&effects[..], [Effect::File(FileEffect::Replace(found))] if found == file),
        "{effects:?}"
    );
    update(&mut app, written_to("x.pgn", Contents::Review));
    assert!(!app.desk.has_unsaved_review());
}

#[test]
fn a_reviewed_save_can_be_written_back() {
    for line in ["save", "save one", "save one.pgn"] {
        let mut app = one_save();
        let read = Box::new(game(&["e4"]));
        update(&mut app, StoreMessage::Read(name("one"), Ok(read)));
        command(&mut app, "comment so it begins");
        assert_eq!(command(&mut app, line), [], "{line}");
        assert!(
            shown(&app).contains("Replace the save 'one'"),
            "{}",
            shown(&app)
        );
        let effects = press(&mut app, KeyCode::Char('y'));
        let [Effect::Store(StoreEffect::SaveOver { name: found, game })] = &effects[..] else {
            panic!("{effects:?}");
        };
        assert_eq!(*found, name("one"));
        assert_eq!(game.session.record().len(), 2);
        update(&mut app, saved_as("one", Contents::Review));
        assert!(!app.desk.has_unsaved_review());
    }
}

#[test]
fn a_game_that_is_not_kept_says_so_and_leaving_asks_once() {
    let mut app = autosaving();
    enter(&mut app, "e4");
    let trouble = || StoreMessage::Autosaved(not_kept());
    update(&mut app, trouble());
    enter(&mut app, "e5");
    for (width, height) in [(60, 18), (80, 24), (132, 43)] {
        app.look.size = Size::new(width, height);
        let screen = shown(&app);
        let header = screen.lines().next().expect("a line");
        assert!(header.contains("not saved"), "{header}");
    }
    assert_eq!(command(&mut app, "q"), []);
    assert!(shown(&app).contains("Leave anyway?"), "{}", shown(&app));
    assert_eq!(press(&mut app, KeyCode::Char('y')), [Effect::Leave]);
    // It ends with good news, with a name, and with another game.
    let news = StoreMessage::Autosaved(SaveNotice::Remark(SaveRemark::SavedAgain(SaveKind::Game)));
    update(&mut app, news);
    assert!(!app.save_state.save_failed);
    update(&mut app, trouble());
    command(&mut app, "save mine");
    update(&mut app, saved_as("mine", Contents::Game));
    assert!(!app.save_state.save_failed);
    update(&mut app, trouble());
    command(&mut app, "new");
    assert!(!app.save_state.save_failed);
}

/// The path of a file that another program wrote must be readable, however long it is.
#[test]
fn what_others_did_to_the_files_is_read_to_its_end() {
    let folder = "/home/somebody/with/a/long/name/.local/share/tabiya/damaged";
    let copy = PathBuf::from(folder).join("mine.1794885070945071042.pgn");
    let kept = |surprise| {
        StoreMessage::Autosaved(SaveNotice::Remark(SaveRemark::ExternalChanges(vec![
            surprise,
        ])))
    };
    let saved = Done::Saved(Saved {
        name: name("mine"),
        external_changes: vec![ExternalChange::Changed(copy.clone())],
    });
    for message in [
        kept(ExternalChange::Removed(copy.clone())).into(),
        kept(ExternalChange::Changed(copy)).into(),
        Message::written(Contents::Game, Ok::<_, NotDone>(saved)),
    ] {
        let mut app = autosaving();
        enter(&mut app, "e4");
        update(&mut app, message);
        for (width, height) in [(80, 24), (100, 30), (132, 43)] {
            app.look.size = Size::new(width, height);
            let screen = shown(&app);
            // Without room below the board the message is beside it, and the path is broken at line ends.
            let beside = screen.lines().filter_map(|line| line.rsplit_once('│'));
            let beside: String = beside.map(|(_, text)| text.trim()).collect();
            let path = "damaged/mine.1794885070945071042.pgn.";
            assert!(beside.contains(path) || screen.contains(path), "{screen}");
        }
    }
}

#[test]
fn there_is_nothing_to_save_before_a_game_begins() {
    let mut app = home();
    app.desk.set_saving(Saving::EveryChange);
    assert_eq!(command(&mut app, "save foo"), []);
    assert!(shown(&app).contains("There is no game to save yet."));
}

#[test]
fn the_list_has_room_for_both_players_and_a_board() {
    let mut app = saved(autosaving());
    for (width, height) in [(60, 18), (80, 24)] {
        app.look.size = Size::new(width, height);
        let screen = shown(&app);
        assert!(screen.contains("Bot 4 «Club»"), "{screen}");
        assert!(screen.contains("a b c d e f g h"), "{screen}");
    }
    let screen = shown(&app);
    assert!(screen.contains("*    human – Bot 4 «Club»"), "{screen}");
}
