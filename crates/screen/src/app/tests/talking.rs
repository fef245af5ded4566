//! Commands, dialogs, the form and the end of a game.

use crossterm::event::{KeyCode, MouseButton};
use tabiya_front::appearance::PieceStyle;
use tabiya_front::color::Depth;
use tabiya_front::commands::COMMANDS;
use tabiya_front::config::Config;
use tabiya_game::{Outcome, Timestamp};
use tabiya_rules::{Color, Position, Square};

use super::{
    drag, enter, fen, game, has_dialog, play, press, said, shown, start, update, write, written_to,
};
use crate::app::{App, Overlay, Screen};
use crate::message::{Contents, Effect, FileEffect, FileMessage, Input, Message, SettingChange};

fn command(app: &mut App, line: &str) -> Vec<Effect> {
    write(app, ":");
    write(app, line);
    press(app, KeyCode::Enter)
}

#[test]
fn every_command_is_in_the_help_and_in_the_palette() {
    let mut app = game(&Position::start().fen(), 120, 500);
    write(&mut app, "?");
    let screen = shown(&app);
    for entry in COMMANDS {
        assert!(
            screen.contains(&format!(":{}", entry.name)),
            "{} is not in the help",
            entry.name
        );
        assert!(screen.contains(entry.summary), "{}", entry.name);
    }
    for entry in COMMANDS {
        let mut app = start();
        write(&mut app, ":");
        write(&mut app, entry.name);
        let Some(Overlay::CommandPalette(command_palette)) = &app.overlay else {
            panic!("no command palette");
        };
        assert!(
            command_palette
                .entries()
                .iter()
                .any(|found| found.name == entry.name),
            "{}",
            entry.name
        );
        assert!(shown(&app).contains(entry.summary), "{}", entry.name);
        // Every command can be run, or says how it is used.
        press(&mut app, KeyCode::Enter);
        shown(&app);
    }
}

#[test]
fn the_help_can_be_searched() {
    let mut app = start();
    write(&mut app, "?xyzzy");
    assert!(shown(&app).contains("Nothing fits."));
    press(&mut app, KeyCode::Esc);
    write(&mut app, "resign");
    let screen = shown(&app);
    assert!(
        screen.contains(":resign") && !screen.contains(":flip"),
        "{screen}"
    );
    press(&mut app, KeyCode::Esc);
    press(&mut app, KeyCode::Esc);
    assert!(app.overlay.is_none());
}

#[test]
fn answers_are_shown() {
    let mut app = start();
    command(&mut app, "p n");
    assert_eq!(said(&app), "Black Knight: b8 g8");
    command(&mut app, "last");
    assert_eq!(said(&app), "No move has been played yet.");
    command(&mut app, "pgn");
    assert!(shown(&app).contains("[Event \"?\"]"));
    press(&mut app, KeyCode::Esc);
    let copied = press(&mut app, KeyCode::Char('y'));
    assert_eq!(copied, [Effect::Copy(Position::start().fen())]);
    assert!(said(&app).contains(&Position::start().fen()));
    let copied = press(&mut app, KeyCode::Char('Y'));
    assert!(matches!(&copied[..], [Effect::Copy(text)] if text.contains("[Result \"*\"]")));
    press(&mut app, KeyCode::Esc);
    let written = command(&mut app, "pgn game.pgn");
    assert!(matches!(
        &written[..],
        [Effect::File(FileEffect::Write { .. })]
    ));
    update(
        &mut app,
        written_to("game.pgn", Contents::Other),
        Timestamp::ORIGIN,
    );
    assert_eq!(said(&app), "Written to game.pgn.");
}

#[test]
fn what_a_command_cannot_use_is_said_in_the_palette() {
    let mut app = start();
    command(&mut app, "goto nowhere");
    assert!(matches!(app.overlay, Some(Overlay::CommandPalette(_))));
    assert!(shown(&app).contains("Usage: goto 12|12b|start|end"));
    press(&mut app, KeyCode::Esc);
    assert!(app.overlay.is_none());
}

#[test]
fn resigning_and_drawing_ask_first() {
    let mut app = start();
    write(&mut app, "x");
    write(&mut app, "r");
    assert!(shown(&app).contains("Does White resign?"));
    write(&mut app, "n");
    assert_eq!(app.board().session().outcome(), None);
    command(&mut app, "resign");
    write(&mut app, "y");
    assert_eq!(
        app.board().session().outcome(),
        Some(Outcome::Resignation {
            loser: Color::White
        })
    );
    assert!(shown(&app).contains("White resigns. Black wins."));

    let mut app = start();
    write(&mut app, "xoy");
    assert!(shown(&app).contains("White offers a draw. Black:"));
    write(&mut app, "d");
    assert_eq!(said(&app), "Black declines the draw.");
    write(&mut app, "xoya");
    assert_eq!(app.board().session().outcome(), Some(Outcome::Agreement));
}

#[test]
fn a_takeback_is_asked_for_and_granted() {
    let mut app = start();
    play(&mut app, "e4");
    write(&mut app, "xt");
    assert!(shown(&app).contains("White asks to take a move back. Black:"));
    write(&mut app, "g");
    assert_eq!(app.board().session().ply(), 0);
}

#[test]
fn an_open_claim_is_announced_and_stands_in_the_menu() {
    let mut app = start();
    play(&mut app, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    assert_eq!(
        said(&app),
        "[Threefold repetition] White may claim a draw with x, or play on."
    );
    assert!(shown(&app).contains("x claim draw"));
    write(&mut app, "x");
    assert!(shown(&app).contains("Claim a draw: threefold"));
    write(&mut app, "c");
    assert!(shown(&app).contains("Draw claimed by threefold repetition."));
}

#[test]
fn the_end_offers_a_rematch_a_new_game_and_the_way_back() {
    let mut app = start();
    play(&mut app, "f3 e5 g4 Qh4");
    assert!(has_dialog(&app));
    let screen = shown(&app);
    for text in [
        "Checkmate! Black wins.",
        "0-1 · 2 moves",
        "Rematch",
        "New game",
        "Home",
    ] {
        assert!(screen.contains(text), "{text}: {screen}");
    }
    write(&mut app, "l");
    enter(&mut app, "e4");
    assert!(
        said(&app).starts_with("The game is over: Checkmate!"),
        "{}",
        said(&app)
    );
    press(&mut app, KeyCode::Esc);
    write(&mut app, "u");
    assert_eq!(app.board().session().ply(), 3);
    enter(&mut app, "Qh4");
    write(&mut app, "r");
    assert_eq!(fen(&app), Position::start().fen());
    assert!(app.overlay.is_none() && app.screens.front == Screen::Game);
}

#[test]
fn a_flag_falls_by_itself() {
    let mut app = start();
    command(&mut app, "new 1s");
    assert!(app.next_tick().is_some());
    update(&mut app, Message::Tick, Timestamp::from_millis(900));
    assert_eq!(app.board().session().outcome(), None);
    update(&mut app, Message::Tick, Timestamp::from_millis(1001));
    assert_eq!(
        app.board().session().outcome(),
        Some(Outcome::Time {
            loser: Color::White
        })
    );
    assert!(has_dialog(&app));
    assert_eq!(app.next_tick(), None);
}

#[test]
fn pausing_stops_the_clock_and_refuses_moves() {
    let mut app = start();
    command(&mut app, "new 5+3");
    write(&mut app, "p");
    assert!(shown(&app).contains("Paused"));
    assert_eq!(app.next_tick(), None);
    enter(&mut app, "e4");
    assert_eq!(said(&app), "The game is paused. Press p to go on.");
    press(&mut app, KeyCode::Esc);
    write(&mut app, "p");
    enter(&mut app, "e4");
    assert_eq!(app.board().session().ply(), 1);
}

/// The upper half of a queen on a square of 4×2 cells.
const QUEEN: &str = "▚▐▌▞";

#[test]
fn blindfold_hides_the_pieces_and_the_figures_change() {
    let mut app = start();
    assert!(shown(&app).contains(QUEEN));
    write(&mut app, "z");
    assert!(!shown(&app).contains(QUEEN));
    write(&mut app, "z");
    command(&mut app, "pieces letters");
    assert!(shown(&app).contains("R   N   B   Q   K"), "{}", shown(&app));
    write(&mut app, "t");
    assert_eq!(said(&app), "Theme: sea.");
    command(&mut app, "theme contrast");
    assert_eq!(app.look.theme.name, "contrast");
    // They are so at the next start too.
    assert_eq!(app.settings.theme.name, "contrast");
    assert_eq!(app.settings.pieces.name(), "letters");
}

#[test]
fn the_form_begins_what_it_says() {
    let mut app = start();
    press(&mut app, KeyCode::Esc);
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Enter);
    assert!(matches!(app.overlay, Some(Overlay::Form(_))));
    // From the last line: around to the first, then down.
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Down);
    write(&mut app, "Ann Lee");
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Right);
    press(&mut app, KeyCode::Down);
    write(&mut app, "3+2");
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Right);
    press(&mut app, KeyCode::Down);
    write(&mut app, "960");
    press(&mut app, KeyCode::Enter);
    assert!(shown(&app).contains("from 0 to 959"));
    press(&mut app, KeyCode::Backspace);
    write(&mut app, "");
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.look.bottom, Color::Black);
    assert_eq!(
        app.board().session().clocks()[Color::White].to_string(),
        "3+2"
    );
    assert_eq!(app.board().session().position().chess960_number(), Some(96));
    let tags = app.desk.front().session().record().tags();
    assert_eq!(
        (tags.get("White"), tags.get("Black")),
        (Some("Ann Lee"), None)
    );
    assert!(shown(&app).contains("○ Ann Lee"), "{}", shown(&app));
}

#[test]
fn the_form_takes_a_position_and_says_what_is_wrong_with_it() {
    let mut app = start();
    write(&mut app, "xn");
    for _ in 0..5 {
        press(&mut app, KeyCode::Down);
    }
    press(&mut app, KeyCode::Left);
    press(&mut app, KeyCode::Down);
    write(&mut app, "8/8/8/8/8/8/8/8 w - - 0 1");
    press(&mut app, KeyCode::Enter);
    assert!(matches!(&app.overlay, Some(Overlay::Form(form)) if form.problem.is_some()));
    for _ in 0..30 {
        press(&mut app, KeyCode::Backspace);
    }
    let fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
    update(&mut app, Input::Paste(fen.to_owned()), Timestamp::ORIGIN);
    press(&mut app, KeyCode::Enter);
    assert_eq!(super::fen(&app), fen);
}

#[test]
fn what_the_user_has_settled_is_shown_from_the_start_and_changes_at_once() {
    let mut app = start();
    let text = "theme = \"night\"\npieces = \"letters\"\nmouse = false\ncolors = \"16\"\nthme = 1\n\
                [keys]\nmap = \"vim\"\nflip = \"w\"\n";
    app.configure(Config::read(text), true);
    assert_eq!(app.look.theme.name, "night");
    assert_eq!(app.look.pieces, PieceStyle::Letters);
    assert_eq!(app.look.depth, Depth::Sixteen);
    assert!(!app.settings.mouse);
    assert!(shown(&app).contains("config.toml:5:1: There is no setting 'thme'."));
    press(&mut app, KeyCode::Esc);
    write(&mut app, "w");
    assert_eq!(app.look.bottom, Color::Black, "w is bound to flip");

    let settled = |key, value: &str| {
        Effect::File(FileEffect::WriteSetting(SettingChange {
            key,
            value: value.to_owned(),
        }))
    };
    write(&mut app, ":set theme sea");
    assert_eq!(press(&mut app, KeyCode::Enter), [settled("theme", "sea")]);
    assert_eq!(app.look.theme.name, "sea");
    write(&mut app, ":set colors truecolor");
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.look.depth, Depth::TrueColor);
    write(&mut app, ":set theme mud");
    assert_eq!(press(&mut app, KeyCode::Enter), []);
    assert!(shown(&app).contains("It can be wood, sea"));
    assert_eq!(app.look.theme.name, "sea");
    press(&mut app, KeyCode::Esc);
    write(&mut app, ":set");
    press(&mut app, KeyCode::Enter);
    assert!(shown(&app).contains("game.clock none"));
}

#[test]
fn a_flag_for_colors_comes_before_the_setting() {
    let mut app = start();
    let detected = app.look.depth;
    app.configure(Config::read("colors = \"none\""), false);
    assert_eq!(app.look.depth, detected);
}

#[test]
fn the_palette_completes_the_names_of_files() {
    let mut app = start();
    write(&mut app, ":review /tmp/g");
    let line = "review /tmp/g".to_owned();
    let asked = press(&mut app, KeyCode::Tab);
    assert_eq!(
        asked,
        [Effect::File(FileEffect::CompleteFileName(line.clone()))]
    );
    let found = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let files = FileMessage::FileNames {
        line,
        found: found(&["/tmp/games one.pgn", "/tmp/games/"]),
    };
    update(&mut app, files.clone(), Timestamp::ORIGIN);
    assert!(
        shown(&app).contains(": review /tmp/games "),
        "{}",
        shown(&app)
    );
    assert!(shown(&app).contains("/tmp/games one.pgn  /tmp/games/"));
    // A late answer is ignored.
    write(&mut app, "x");
    update(&mut app, files, Timestamp::ORIGIN);
    assert!(
        shown(&app).contains("review /tmp/gamesx"),
        "{}",
        shown(&app)
    );
}

#[test]
fn after_the_end_the_menu_is_about_what_comes_next() {
    let mut app = start();
    play(&mut app, "f3 e5 g4 Qh4");
    press(&mut app, KeyCode::Esc);
    assert!(shown(&app).contains("x rematch, judge…"), "{}", shown(&app));
    write(&mut app, "x");
    let screen = shown(&app);
    assert!(screen.contains("Rematch") && screen.contains("Judge it with the engine"));
    assert!(!screen.contains("resigns"), "{screen}");
    write(&mut app, "j");
    assert!(app.board().is_judged());
}

#[test]
fn a_long_text_is_read_to_its_end() {
    let mut app = start();
    let words: Vec<String> = (0..600).map(|number| format!("word{number}")).collect();
    app.show("Words", vec![words.join(" "), "a".into(), "the end".into()]);
    assert!(shown(&app).contains("word0") && !shown(&app).contains("the end"));
    for _ in 0..200 {
        press(&mut app, KeyCode::Down);
    }
    let screen = shown(&app);
    assert!(
        screen.contains("the end") && screen.contains("word599"),
        "the end is seen and nothing beyond it: {screen}"
    );
    press(&mut app, KeyCode::Up);
    assert!(!shown(&app).contains("the end"), "it is not far away");
    press(&mut app, KeyCode::End);
    assert!(shown(&app).contains("the end"));
    // A text that wraps gets enough lines.
    let sentence = format!("{} the end", "seven letters ".repeat(12));
    app.show("Words", vec![sentence, String::new(), String::new()]);
    assert!(shown(&app).contains("the end"), "{}", shown(&app));
}

#[test]
fn what_is_neither_a_command_nor_a_move_is_said_in_the_palette() {
    let mut app = start();
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.screens.front, Screen::Home);
    assert_eq!(command(&mut app, "frobnicate"), []);
    assert_eq!(app.screens.front, Screen::Home, "nothing is opened by it");
    assert!(
        shown(&app).contains("There is no command 'frobnicate'."),
        "{}",
        shown(&app)
    );
    press(&mut app, KeyCode::Esc);
    command(&mut app, "flop now");
    assert!(
        shown(&app).contains("There is no command 'flop'. Did you mean flip?"),
        "{}",
        shown(&app)
    );
    press(&mut app, KeyCode::Esc);
    command(&mut app, "e2e4");
    assert_eq!(said(&app), "White played e4.", "a move is a move");
}

#[test]
fn how_a_command_is_used_is_shown_whole() {
    let mut app = start();
    write(&mut app, ":match ");
    let usage = tabiya_front::commands::find("match")
        .expect("a command")
        .usage();
    let flat = |text: &str| text.replace(['│', '\n'], " ");
    let words = |text: &str| {
        flat(text)
            .split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert!(
        words(&shown(&app)).join(" ").contains(&usage),
        "{}",
        shown(&app)
    );
}

#[test]
fn the_help_of_a_command_says_all_there_is() {
    let mut app = game(&Position::start().fen(), 132, 43);
    command(&mut app, "help new");
    let screen = shown(&app);
    assert!(screen.contains("none is no clock"), "{screen}");
    assert!(screen.contains("[fen FEN|960 [N]]"), "{screen}");
}

#[test]
fn the_end_of_a_game_leaves_even_a_small_board_in_sight() {
    let mut app = game(&Position::start().fen(), 40, 12);
    play(&mut app, "f3 e5 g4 Qh4");
    let with = shown(&app);
    assert!(with.contains("Rematch"), "{with}");
    app.overlay = None;
    let board = usize::from(app.layout().expect("it fits").divider.x);
    let left = |screen: &str| -> Vec<String> {
        let cut = |row: &str| row.chars().take(board).collect();
        screen.lines().take(9).map(cut).collect()
    };
    assert_eq!(left(&with), left(&shown(&app)), "{with}");
}

#[test]
fn a_position_can_be_read_on_a_small_screen() {
    let mut app = game(&Position::start().fen(), 40, 12);
    command(&mut app, "fen");
    let screen = shown(&app);
    assert!(screen.contains("KQkq - 0 1"), "{screen}");
}

#[test]
fn a_move_in_the_palette_is_read_as_elsewhere_and_nothing_begins_a_game_by_itself() {
    let mut app = start();
    command(&mut app, "e2 e4");
    assert_eq!(said(&app), "White played e4.");
    command(&mut app, "O-O");
    assert!(
        !shown(&app).contains("There is no command"),
        "{}",
        shown(&app)
    );
    write(&mut app, ":");
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.board().session().ply(), 1, "no game is thrown away");
}

/// What Tab completes is what Enter reads: a move in the position on the screen, or a claim in the game.
#[test]
fn tab_in_the_palette_completes_what_enter_reads() {
    for (typed, completed) in [
        ("Nf", ": Nf3"),
        // No command begins so, though a description contains it.
        ("Ng", ": Ng"),
        ("ne", ": new "),
        ("draw fifty Nf", ": draw fifty Nf6"),
    ] {
        let mut app = start();
        play(&mut app, "e4");
        write(&mut app, &format!(",:{typed}"));
        press(&mut app, KeyCode::Tab);
        assert!(shown(&app).contains(completed), "{typed}: {}", shown(&app));
    }
}

#[test]
fn a_picture_has_the_marks_that_are_on_the_board() {
    let mut app = start();
    drag(&mut app, Square::E2, Square::E4, MouseButton::Right);
    let effects = command(&mut app, "svg board.svg");
    let [Effect::File(FileEffect::Write { file, .. })] = &effects[..] else {
        panic!("{effects:?}");
    };
    assert_eq!(
        file.text.matches("stroke-linecap=\"round\"/><path").count(),
        1
    );
}

#[test]
fn a_game_as_json_has_its_opening_like_its_pgn() {
    let mut app = start();
    play(&mut app, "e4 c5");
    for line in ["pgn game.pgn", "json game.json"] {
        let effects = command(&mut app, line);
        let [Effect::File(FileEffect::Write { file, .. })] = &effects[..] else {
            panic!("{effects:?}");
        };
        assert!(file.text.contains("B20"), "{}", file.text);
    }
}
