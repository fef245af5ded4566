//! Playing at the board: held pieces, views and marks, and the messages about them.

use crossterm::event::{KeyCode, MouseButton, MouseEventKind};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Rect, Size};
use tabiya_front::color::Depth;
use tabiya_front::review::Origin;
use tabiya_front::theme::THEMES;
use tabiya_front::wording::Tone;
use tabiya_game::{MarkColor, Timestamp};
use tabiya_play::request::GameRequest;
use tabiya_rules::{Color, Position, Square};

use super::reviewing::record;
use super::{App, Overlay};
use super::{
    begin, click, drag, enter, game, has_dialog, mouse, place_of, play, press, said, shown, start,
    write,
};
use crate::message::StoreMessage;
use crate::tui::board::Mark;

const LEFT: MouseEventKind = MouseEventKind::Down(MouseButton::Left);
const CHECK: &str = "4k3/8/8/8/4r3/8/3P4/R3K2N w - - 0 1";

fn drawn(app: &App) -> Buffer {
    let mut buffer = Buffer::empty(Rect::new(0, 0, app.look.size.width, app.look.size.height));
    crate::app::draw(app, &mut buffer);
    buffer
}

/// The first cell of a square as it is drawn.
fn corner(app: &App, square: Square) -> ratatui_core::buffer::Cell {
    let area = app.layout().expect("it fits").board.square(square);
    drawn(app)[(area.x, area.y)].clone()
}

/// A cell of a square beside its piece.
fn ground(app: &App, square: Square) -> ratatui_core::buffer::Cell {
    let area = app.layout().expect("it fits").board.square(square);
    drawn(app)[(area.x, area.bottom() - 1)].clone()
}

fn last_cell(app: &App, square: Square) -> ratatui_core::buffer::Cell {
    let area = app.layout().expect("it fits").board.square(square);
    drawn(app)[(area.right() - 1, area.y)].clone()
}

#[test]
fn the_cursor_leaves_a_piece_its_colors_on_the_smallest_board() {
    for theme in THEMES {
        for depth in [Depth::TrueColor, Depth::Sixteen, Depth::Mono] {
            for square in [Square::E2, Square::E7] {
                let mut app = game(&Position::start().fen(), 60, 18);
                app.look.theme = theme;
                app.look.depth = depth;
                let before = (corner(&app, square), last_cell(&app, square));
                app.view_mut().cursor = square;
                app.view_mut().cursor_shown = true;
                assert_eq!(corner(&app, square), before.0, "{}", theme.name);
                let beside = last_cell(&app, square);
                assert_ne!(beside.symbol(), before.1.symbol(), "a shape");
                assert_ne!(beside.style(), before.1.style(), "{}", theme.name);
            }
        }
    }
}

#[test]
fn the_line_says_where_a_held_piece_would_go() {
    let mut app = start();
    press(&mut app, KeyCode::Up);
    press(&mut app, KeyCode::Enter);
    assert!(shown(&app).contains("e2 to …"), "{}", shown(&app));
    press(&mut app, KeyCode::Up);
    assert!(shown(&app).contains("e2 to e3"), "{}", shown(&app));
    press(&mut app, KeyCode::Left);
    assert!(shown(&app).contains("e2 to d3"), "{}", shown(&app));
    press(&mut app, KeyCode::Enter);
    assert_eq!(
        app.board().view.held,
        Some(Square::E2),
        "an illegal drop leaves it in the hand"
    );
    assert!(said(&app).starts_with("Illegal move."), "{}", said(&app));
    press(&mut app, KeyCode::Right);
    press(&mut app, KeyCode::Enter);
    assert_eq!(said(&app), "White played e3.");
}

#[test]
fn a_click_where_a_piece_may_not_go_puts_it_back() {
    let mut app = start();
    click(&mut app, Square::E2);
    click(&mut app, Square::E5);
    assert!(said(&app).starts_with("Illegal move."), "{}", said(&app));
    assert_eq!(app.board().view.held, None);
    click(&mut app, Square::D2);
    click(&mut app, Square::D4);
    assert_eq!(said(&app), "White played d4.");
}

#[test]
fn the_cursor_begins_at_the_own_kings_pawn_in_every_game() {
    let mut app = start();
    enter(&mut app, ":new black");
    assert_eq!(app.board().view.cursor, Square::E7);
    press(&mut app, KeyCode::Up);
    press(&mut app, KeyCode::Up);
    assert_ne!(app.board().view.cursor, Square::E7);
    enter(&mut app, ":new black");
    assert_eq!(app.board().view.cursor, Square::E7);
    assert!(!app.board().view.cursor_shown);
    enter(&mut app, ":new white");
    assert_eq!(app.board().view.cursor, Square::E2);
}

#[test]
fn a_click_in_a_variation_goes_to_the_move_that_was_clicked() {
    let mut app = game(&Position::start().fen(), 132, 43);
    play(&mut app, "e4 e5 Nf3 Nc6");
    write(&mut app, "uuu");
    play(&mut app, "c5 Nc3 d6");
    for (text, san) in [("1…e5", "e5"), ("2.Nf3", "Nf3"), ("Nc6", "Nc6")] {
        let (x, y) = place_of(&app, text);
        mouse(&mut app, LEFT, x, y);
        let node = app.desk.front().node();
        assert_eq!(node.san().map(|san| san.to_string()).as_deref(), Some(san));
    }
}

#[test]
fn looking_around_cannot_be_mistaken_for_the_game() {
    let mut app = start();
    enter(&mut app, ":new 5+0");
    play(&mut app, "e4 e5 Nf3 Nc6");
    write(&mut app, ",,,");
    assert!(shown(&app).contains("now 5:00"), "{}", shown(&app));
    click(&mut app, Square::D2);
    assert!(
        said(&app).contains("looking at move 1") && said(&app).contains("Esc"),
        "{}",
        said(&app)
    );
    enter(&mut app, "c5");
    // With a clock, the player is asked first.
    press(&mut app, KeyCode::Char('y'));
    assert!(said(&app).contains("kept as a variation"), "{}", said(&app));
    write(&mut app, ",,");
    enter(&mut app, "e4");
    assert!(said(&app).contains("U plays them again"), "{}", said(&app));
}

/// A move that is not played after all leaves no piece in the air, however it was made.
#[test]
fn a_piece_is_put_down_for_a_question() {
    for keyboard in [false, true] {
        let mut app = start();
        enter(&mut app, ":new 5+0");
        play(&mut app, "e4 e5 Nf3 Nc6");
        write(&mut app, ",,,");
        for square in [Square::C7, Square::C5] {
            if keyboard {
                app.view_mut().cursor = square;
                app.view_mut().cursor_shown = true;
                press(&mut app, KeyCode::Enter);
            } else {
                click(&mut app, square);
            }
        }
        assert!(has_dialog(&app), "{keyboard}");
        press(&mut app, KeyCode::Char('n'));
        assert_eq!(app.board().view.held, None, "{keyboard}");
    }
}

#[test]
fn marks_are_seen_by_color_and_arrows_are_told_apart() {
    let mut app = start();
    let plain = ground(&app, Square::E4).bg;
    drag(&mut app, Square::E4, Square::E4, MouseButton::Right);
    assert_ne!(ground(&app, Square::E4).bg, plain);
    assert_eq!(last_cell(&app, Square::E4).symbol(), "◆");
    drag(&mut app, Square::G1, Square::F3, MouseButton::Right);
    assert_eq!(last_cell(&app, Square::G1).symbol(), "○");
    drag(&mut app, Square::B1, Square::C3, MouseButton::Right);
    // They have one color, so the numbers distinguish them, even without colors.
    assert_eq!(ground(&app, Square::F3).bg, ground(&app, Square::C3).bg);
    assert_eq!(last_cell(&app, Square::G1).symbol(), "1");
    app.look.depth = Depth::Mono;
    assert_eq!(last_cell(&app, Square::G1).symbol(), "1");
    assert_eq!(last_cell(&app, Square::B1).symbol(), "2");
    assert!(
        shown(&app).contains("1↖") && shown(&app).contains("2↗"),
        "{}",
        shown(&app)
    );
}

#[test]
fn a_promotion_shows_the_move_that_it_is_about() {
    let mut app = game("8/4P3/8/8/8/8/8/k6K w - - 0 1", 80, 24);
    enter(&mut app, "e8");
    assert!(has_dialog(&app));
    assert_eq!(
        app.highlighted(&app.board().candidates()),
        (
            tabiya_rules::Bitboard::of(Square::E7),
            tabiya_rules::Bitboard::of(Square::E8)
        )
    );
    assert!(shown(&app).contains("The pawn goes to e8 and becomes"));
}

#[test]
fn blindfold_is_said_and_stays_in_sight_at_every_size() {
    for (width, height) in [(132, 43), (80, 24), (60, 18), (40, 12)] {
        let mut app = game(&Position::start().fen(), width, height);
        write(&mut app, "z");
        assert!(said(&app).starts_with("Blindfold:"), "{}", said(&app));
        play(&mut app, "e4 e5");
        write(&mut app, ",");
        app.look_back();
        assert!(shown(&app).contains("blindfold"), "{}", shown(&app));
        write(&mut app, "z");
        assert_eq!(said(&app), "The pieces are shown again.");
    }
}

#[test]
fn enter_alone_never_ends_a_game() {
    let mut app = start();
    write(&mut app, "xr");
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.board().session().outcome(), None);
    play(&mut app, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    write(&mut app, "x");
    assert!(shown(&app).contains("Claim a draw"));
    press(&mut app, KeyCode::Enter);
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.board().session().outcome(), None);
    write(&mut app, "xoy");
    press(&mut app, KeyCode::Esc);
    write(&mut app, "x");
    press(&mut app, KeyCode::Enter);
    assert_eq!(
        app.board().session().outcome(),
        None,
        "an offer is declined"
    );
}

#[test]
fn a_rematch_swaps_the_colors_and_says_so() {
    let mut app = start();
    enter(&mut app, ":new white bot 1 5+3");
    write(&mut app, "xry");
    assert!(shown(&app).contains("Rematch, colors swapped"));
    write(&mut app, "r");
    assert_eq!(app.board().opponents().person(), Some(Color::Black));
    assert_eq!(app.look.bottom, Color::Black);
    assert_eq!(app.board().view.cursor, Square::E7);
    assert_eq!(
        app.board().session().clocks()[Color::White].to_string(),
        "5+3"
    );
}

/// A command typed at the panel of the end is a command, and none of its letters an answer.
#[test]
fn a_command_is_typed_at_the_end_of_a_game() {
    let mut app = start();
    play(&mut app, "f3 e5 g4 Qh4");
    assert!(matches!(app.overlay, Some(Overlay::Dialog(_))));
    enter(&mut app, ":review");
    assert!(app.board().is_review(), "{}", shown(&app));
}

#[test]
fn a_rematch_asks_before_an_unsaved_game_is_lost() {
    let mut app = start();
    enter(&mut app, ":new white bot 1 5+3");
    super::update(&mut app, StoreMessage::UnsavedGame(true), Timestamp::ORIGIN);
    write(&mut app, "xry");
    let outcome = app.desk.front().session().outcome();
    assert!(outcome.is_some());
    write(&mut app, "r");
    assert!(
        shown(&app).contains("The game is not saved."),
        "{}",
        shown(&app)
    );
    assert_eq!(app.board().session().outcome(), outcome);
    write(&mut app, "y");
    assert_eq!(app.board().session().outcome(), None);
    assert_eq!(app.board().opponents().person(), Some(Color::Black));
}

#[test]
fn what_is_said_of_a_player_goes_with_the_player() {
    let mut app = start();
    let mut rated = app.board().session().same_again();
    for (tag, value) in [("White", "Ann"), ("WhiteElo", "1800"), ("Black", "Ben")] {
        rated.tags.set(tag, value).expect("a tag");
    }
    begin(&mut app, rated);
    app.request(GameRequest::Rematch);
    let tags = app.desk.front().session().record().tags();
    let told = ["White", "WhiteElo", "Black", "BlackElo"].map(|tag| tags.get(tag));
    assert_eq!(told, [Some("Ben"), None, Some("Ann"), Some("1800")]);
}

#[test]
fn the_colors_of_a_games_marks_are_shown_as_they_are() {
    let text = "1. e4 {[%csl Ra4,Gb4,Yc4,Bd5][%cal Rh4h5,Bg4g5]} *";
    let mut app = start();
    app.open_review(record(text), Origin::Text);
    write(&mut app, ".");
    let hue = |square| match ground(&app, square).bg {
        ratatui_core::style::Color::Rgb(red, green, blue) => [red, green, blue].map(i32::from),
        other => panic!("{square}: {other}"),
    };
    for red in [Square::A4, Square::H4, Square::H5] {
        let [r, g, b] = hue(red);
        assert!(r > g + 60 && r > b + 60, "{red}");
    }
    let [r, g, b] = hue(Square::B4);
    assert!(g > r + 60 && g > b + 60);
    let [r, g, b] = hue(Square::C4);
    assert!(r > b + 60 && g > b + 60);
    for blue in [Square::D5, Square::G4, Square::G5] {
        let [r, g, b] = hue(blue);
        assert!(b > r + 60 && b > g + 60, "{blue}");
    }
    assert_eq!(last_cell(&app, Square::H4).symbol(), "1");
    assert_eq!(last_cell(&app, Square::G4).symbol(), "2");
    // A mark made by hand is green, and removes one of another color on the same square.
    drag(&mut app, Square::A4, Square::A4, MouseButton::Right);
    drag(&mut app, Square::A4, Square::A4, MouseButton::Right);
    assert_eq!(
        app.board()
            .marks()
            .iter()
            .filter(|mark| { **mark == Mark::Square(Square::A4, MarkColor::Green) })
            .count(),
        1
    );
}

#[test]
fn castling_in_chess960_and_en_passant_show_where_a_click_goes() {
    let mut app = game("4k3/8/8/8/8/8/8/RK5R w HA - 0 1", 80, 24);
    click(&mut app, Square::B1);
    let targets = app.board().targets(Square::B1);
    assert!(targets.contains(Square::H1) && targets.contains(Square::G1));
    for square in targets {
        let mut app = game("4k3/8/8/8/8/8/8/RK5R w HA - 0 1", 80, 24);
        click(&mut app, Square::B1);
        click(&mut app, square);
        assert_eq!(app.board().session().ply(), 1, "{square}");
    }
    let mut app = game("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", 80, 24);
    click(&mut app, Square::E5);
    assert!(shown(&app).contains("‹•›"), "{}", shown(&app));
}

#[test]
fn one_wrong_drag_gives_one_message_with_its_reason() {
    let refusals = |app: &App| {
        let said = app
            .board()
            .view
            .said()
            .filter(|said| said.tone == Tone::Refusal);
        said.map(|said| said.text.clone()).collect::<Vec<_>>()
    };
    let mut app = game(CHECK, 80, 24);
    drag(&mut app, Square::H1, Square::F2, MouseButton::Left);
    assert_eq!(
        refusals(&app),
        ["Illegal move. It leaves the King on e1 in check from e4."]
    );
    let mut app = game(CHECK, 80, 24);
    click(&mut app, Square::H1);
    assert_eq!(
        refusals(&app),
        ["The knight on h1 cannot move: it does not end the check from e4."]
    );
    let mut app = start();
    click(&mut app, Square::A1);
    assert_eq!(
        refusals(&app),
        ["The rook on a1 cannot move: its ways are blocked."]
    );
}

#[test]
fn the_palette_lists_the_values_that_a_command_takes() {
    let mut app = start();
    write(&mut app, ":pieces ");
    let screen = shown(&app);
    assert!(
        screen.contains("pieces auto|octants|sextants|blocks|figures|letters"),
        "{screen}"
    );
    for word in ["  auto", "  octants", "  sextants", "  blocks"] {
        assert!(screen.contains(word), "{screen}");
    }
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Enter);
    assert_eq!(said(&app), "Pieces: auto, here blocks.");
    write(&mut app, ":theme ");
    let (x, y) = place_of(&app, "  night");
    mouse(&mut app, LEFT, x + 2, y);
    assert_eq!(app.look.theme.name, "night");
    assert!(app.overlay.is_none());
    enter(&mut app, ":pieces drawn");
    assert_eq!(said(&app), "Pieces: blocks.");
    app.look.depth = Depth::Mono;
    enter(&mut app, ":pieces drawn");
    assert_eq!(said(&app), "Pieces: blocks.");
    app.look.size = Size::new(60, 18);
    enter(&mut app, ":pieces drawn");
    assert!(
        said(&app).contains("here they are figures"),
        "{}",
        said(&app)
    );
    app.look.depth = Depth::TrueColor;
    app.look.size = Size::new(80, 24);
    write(&mut app, ":set mouse ");
    assert!(shown(&app).contains("  off"), "{}", shown(&app));
    press(&mut app, KeyCode::Esc);
    write(&mut app, ":new ");
    let screen = shown(&app);
    let entry = tabiya_front::commands::find("new").expect("a command");
    let last = entry.arguments.rsplit(' ').next().expect("an argument");
    assert!(screen.contains(last), "the usage is whole: {screen}");
}

#[test]
fn a_copied_game_is_said_and_goes_away_with_any_key_or_click() {
    let mut app = start();
    play(&mut app, "e4");
    write(&mut app, "Y");
    assert_eq!(said(&app), "Copied: the game as PGN.");
    assert!(matches!(app.overlay, Some(Overlay::Text(_))));
    enter(&mut app, "e5");
    assert_eq!(said(&app), "Black played e5.");
    write(&mut app, "Y");
    let (x, y) = place_of(&app, "[Event");
    mouse(&mut app, LEFT, x, y);
    assert!(app.overlay.is_none());
}

#[test]
fn an_ending_has_a_look_of_its_own() {
    let mut app = start();
    play(&mut app, "f3 e5 g4 Qh4");
    let told = app.board().view.said().next_back().expect("a sentence");
    assert_eq!(told.tone, Tone::Ending);
    let style = drawn(&app)[(app.look.size.width - 3, 0)].style();
    assert_eq!(style.fg, app.look.styles().ending().fg);
    assert_ne!(
        app.look.styles().ending().fg,
        app.look.styles().warning().fg
    );
}

#[test]
fn hints_name_a_key_once_and_offer_what_was_taken_back() {
    let mut app = start();
    assert!(!shown(&app).contains("U redo"));
    play(&mut app, "e4");
    write(&mut app, "u");
    assert!(shown(&app).contains("U redo"), "{}", shown(&app));
    play(&mut app, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    let screen = shown(&app);
    assert!(
        screen.contains("x claim draw") && !screen.contains("draw/resign"),
        "{screen}"
    );
}

#[test]
fn what_is_not_there_is_said() {
    let mut app = start();
    enter(&mut app, "Qe9");
    assert!(
        said(&app).starts_with("There is no square e9:"),
        "{}",
        said(&app)
    );
    press(&mut app, KeyCode::Esc);
    enter(&mut app, "e2i4");
    assert!(
        said(&app).starts_with("There is no square i4:"),
        "{}",
        said(&app)
    );
    let mut app = game("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 80, 24);
    enter(&mut app, "Bb6");
    assert!(
        said(&app).starts_with("White has no bishop."),
        "{}",
        said(&app)
    );
}

#[test]
fn two_people_are_called_by_their_names() {
    let mut app = start();
    write(&mut app, "xn");
    for name in ["Anna", "Bert"] {
        let row = if name == "Anna" { "White" } else { "Black" };
        let screen = shown(&app);
        let at = screen
            .lines()
            .position(|line| line.contains(&format!("│   {row}")));
        mouse(&mut app, LEFT, 12, at.expect("a line") as u16);
        write(&mut app, name);
    }
    press(&mut app, KeyCode::Enter);
    play(&mut app, "e4 f6");
    assert_eq!(said(&app), "Bert played f6.");
    enter(&mut app, "Qh5");
    assert_eq!(said(&app), "Anna played Qh5+. Bert is in check!");
    write(&mut app, "xr");
    assert!(shown(&app).contains("Does Bert resign?"), "{}", shown(&app));
    press(&mut app, KeyCode::Esc);
    write(&mut app, "xoy");
    assert!(
        shown(&app).contains("Bert offers a draw. Anna:"),
        "{}",
        shown(&app)
    );
    write(&mut app, "d");
    assert_eq!(said(&app), "Anna declines the draw.");
    enter(&mut app, ":resign");
    write(&mut app, "y");
    assert_eq!(said(&app), "Bert resigns. Anna wins.");
    assert!(has_dialog(&app));
    // Against an engine the sides are called by their colors.
    let mut app = start();
    enter(&mut app, ":new white bot 1");
    play(&mut app, "e4");
    assert_eq!(said(&app), "White played e4.");
}
