//! Typing always means a move.

use crossterm::event::KeyCode;

use super::{enter, fen, game, has_dialog, play, press, said, shown, start, write};

const PAWN: &str = "8/4P3/8/8/8/8/8/k6K w - - 0 1";

#[test]
fn moves_typed_letter_by_letter() {
    let mut app = start();
    play(&mut app, "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#");
    assert!(shown(&app).contains("Checkmate! White wins."));
    for text in ["e8=Q", "e7e8q", "e8Q", "e8q"] {
        let mut app = game(PAWN, 80, 24);
        enter(&mut app, text);
        assert_eq!(fen(&app), "4Q3/8/8/8/8/8/8/k6K b - - 0 1", "{text}");
    }
    let castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for text in ["0-0", "O-O", "o-o", "e1g1", "e1h1"] {
        let mut app = game(castle, 80, 24);
        enter(&mut app, text);
        assert!(fen(&app).starts_with("r3k2r/8/8/8/8/8/8/R4RK1 b"), "{text}");
    }
}

#[test]
fn a_bare_e8_opens_the_picker() {
    for text in ["e8", "e7e8"] {
        let mut app = game(PAWN, 80, 24);
        enter(&mut app, text);
        assert!(has_dialog(&app), "{text}");
        assert!(shown(&app).contains("The pawn goes to e8 and becomes"));
        press(&mut app, KeyCode::Char('n'));
        assert_eq!(fen(&app), "4N3/8/8/8/8/8/8/k6K b - - 0 1");
    }
    let mut app = game(PAWN, 80, 24);
    enter(&mut app, "e8");
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Enter);
    assert!(fen(&app).starts_with("4R3/"));
    let mut app = game(PAWN, 80, 24);
    enter(&mut app, "e8");
    press(&mut app, KeyCode::Esc);
    assert_eq!(fen(&app), PAWN);
}

#[test]
fn the_live_list_the_ghost_and_the_board_follow_the_text() {
    let mut app = start();
    write(&mut app, "N");
    let screen = shown(&app);
    assert!(screen.contains("Na3 Nc3 Nf3 Nh3"), "{screen}");
    // The base of a knight that can move, between the marks of the selection.
    assert_eq!(screen.matches("[▘▂]").count(), 2, "{screen}");
    write(&mut app, "f");
    assert!(shown(&app).contains("move> Nf3"));
    press(&mut app, KeyCode::Enter);
    assert_eq!(said(&app), "White played Nf3.");
    write(&mut app, "n");
    press(&mut app, KeyCode::Tab);
    press(&mut app, KeyCode::Tab);
    assert!(shown(&app).contains("move> Nc6"));
    press(&mut app, KeyCode::BackTab);
    press(&mut app, KeyCode::Enter);
    assert_eq!(said(&app), "Black played Na6.");
}

#[test]
fn mistakes_say_why_and_what_was_meant() {
    let wrong = |fen: &str, text: &str| {
        let mut app = game(fen, 80, 24);
        enter(&mut app, text);
        assert_eq!(super::fen(&app), fen, "{text}");
        said(&app)
    };
    let start = tabiya_rules::Position::start().fen();
    assert_eq!(
        wrong(&start, "e2e5"),
        "Illegal move. A Pawn cannot move from e2 to e5. Did you mean e2e4 or e2e3?"
    );
    assert_eq!(wrong(&start, "e7e5"), "That is not your piece.");
    assert_eq!(
        wrong(&start, "Bb5"),
        "No bishop can go to b5. The way is blocked by the piece on e2."
    );
    assert_eq!(
        wrong(&start, "Nb5"),
        "No knight can go to b5. Did you mean Na3 or Nc3?"
    );
    assert!(wrong(&start, "qqq").starts_with("Invalid move format 'qqq'."));
    let knights = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
    assert!(
        wrong(knights, "Nd2").contains("Nbd2 or Nfd2?"),
        "{}",
        wrong(knights, "Nd2")
    );
    assert_eq!(wrong(knights, "N").matches(',').count(), 5);
}

#[test]
fn a_pawn_of_the_b_file_goes_before_a_bishop() {
    let mut app = game("4k3/8/8/8/3n4/2p5/1P1B4/4K3 w - - 0 1", 80, 24);
    enter(&mut app, "bxc3");
    assert_eq!(fen(&app), "4k3/8/8/8/3n4/2P5/3B4/4K3 b - - 0 1");
    assert_eq!(
        said(&app),
        "The bishop's move is written Bxc3: u takes back."
    );
}

#[test]
fn shortcuts_work_only_while_nothing_is_typed() {
    let mut app = start();
    play(&mut app, "e4");
    write(&mut app, "u");
    assert_eq!(app.board().session().ply(), 0);
    write(&mut app, "U");
    assert_eq!(app.board().session().ply(), 1);
    write(&mut app, "eu");
    assert_eq!(app.board().session().ply(), 1);
    assert_eq!(app.board().view.typing.line.text(), "eu");
    // Letters that can begin a move never do anything else.
    for letter in "abcdefghknoqrABCDEFGHKNOQR012345678".chars() {
        let mut app = start();
        assert_eq!(press(&mut app, KeyCode::Char(letter)), []);
        assert_eq!(app.board().view.typing.line.text(), letter.to_string());
    }
}

#[test]
fn an_earlier_position_can_be_looked_at_and_played_on() {
    let mut app = start();
    play(&mut app, "e4 e5 Nf3");
    write(&mut app, ",,,");
    assert!(shown(&app).contains("Looking at the start ·"));
    write(&mut app, ".");
    assert!(shown(&app).contains("Looking at 1.e4 · Esc back to the game"));
    assert_eq!(
        app.board().session().ply(),
        3,
        "the game stands where it stood"
    );
    enter(&mut app, "Ke7");
    assert_eq!(
        app.board().session().ply(),
        3,
        "a refused move moves nothing"
    );
    press(&mut app, KeyCode::Esc);
    enter(&mut app, "c5");
    assert_eq!(app.board().session().ply(), 2);
    let screen = shown(&app);
    assert!(
        screen.contains("1. e4         c5") && screen.contains("╰ 1…e5 2.Nf3"),
        "{screen}"
    );
}

#[test]
fn a_paste_is_text_and_nothing_more() {
    use crate::message::Input;
    let mut app = start();
    let text = Input::Paste("\u{1b}[2Je2e4\u{7}\n".to_owned());
    super::update(&mut app, text, tabiya_game::Timestamp::ORIGIN);
    assert_eq!(app.board().view.typing.line.text(), "[2Je2e4");
}

#[test]
fn what_is_typed_after_a_refusal_begins_anew() {
    let mut app = start();
    enter(&mut app, "e5");
    assert!(said(&app).starts_with("Illegal move."), "{}", said(&app));
    assert_eq!(app.board().view.typing.line.text(), "e5");
    enter(&mut app, "e4");
    assert!(fen(&app).contains(" b KQkq"), "{}", fen(&app));
    // Backspace corrects it instead.
    enter(&mut app, "e6x");
    press(&mut app, KeyCode::Backspace);
    press(&mut app, KeyCode::Enter);
    assert!(fen(&app).contains(" w KQkq"), "{}", fen(&app));
    // And a key is a key again.
    enter(&mut app, "e5e9");
    write(&mut app, "v");
    assert_eq!(app.look.bottom, tabiya_rules::Color::Black);
}

#[test]
fn a_beginning_that_fits_several_moves_can_be_gone_on_with() {
    let mut app = start();
    enter(&mut app, "N");
    write(&mut app, "f3");
    assert_eq!(app.board().view.typing.line.text(), "Nf3");
}

#[test]
fn a_promotion_that_is_not_possible_is_refused_with_its_reason() {
    let mut app = game("4k2r/8/8/8/8/8/6p1/R3K2R b KQk - 0 1", 80, 24);
    play(&mut app, "Kd8 Ra8+");
    enter(&mut app, "g1");
    assert!(!has_dialog(&app), "the king is in check");
    assert!(said(&app).starts_with("Illegal move."), "{}", said(&app));
    assert!(said(&app).contains("check"), "{}", said(&app));
}

#[test]
fn a_paused_game_goes_on_by_its_key_after_a_refused_move() {
    let mut app = start();
    write(&mut app, "p");
    enter(&mut app, "e4");
    assert_eq!(app.board().view.typing.line.text(), "e4");
    write(&mut app, "p");
    assert!(!app.board().session().is_paused() && app.board().view.typing.is_empty());
}

/// The table reads the text, so what it says about the game comes before a question about the move.
#[test]
fn the_beginning_of_a_move_is_refused_like_a_move_while_the_game_is_paused() {
    let mut app = start();
    write(&mut app, "p");
    enter(&mut app, "e4");
    let refusal = said(&app);
    let mut app = start();
    write(&mut app, "p");
    enter(&mut app, "N");
    assert_eq!(said(&app), refusal);
}

#[test]
fn a_pawn_that_is_not_there_is_named_as_a_pawn() {
    let mut app = game("4k3/8/8/8/8/8/PPPP1PPP/4K3 w - - 0 1", 80, 24);
    enter(&mut app, "e4");
    assert!(
        said(&app).starts_with("No pawn can go to e4."),
        "{}",
        said(&app)
    );
}

#[test]
fn a_command_without_its_colon_is_recognized() {
    let mut app = start();
    enter(&mut app, "new 960 5");
    assert_eq!(
        said(&app),
        "new is a command: type : before it, as :new 960 5."
    );
    write(&mut app, ":new 960 5");
    press(&mut app, KeyCode::Enter);
    assert!(shown(&app).contains("Chess960 5"), "{}", shown(&app));
}

#[test]
fn what_the_list_shows_is_what_enter_plays() {
    let both = "4k3/8/8/3B4/8/8/1P6/4K3 w - - 0 1";
    let mut app = game(both, 80, 24);
    write(&mut app, "bb3");
    assert!(shown(&app).contains("[Bb3] b3"), "{}", shown(&app));
    press(&mut app, KeyCode::Enter);
    assert!(
        fen(&app).starts_with("4k3/8/8/8/8/1B6/1P6"),
        "{}",
        fen(&app)
    );
    assert_eq!(said(&app), "The pawn's move is written b3: u takes back.");
    let mut app = game(both, 80, 24);
    write(&mut app, "bb3");
    press(&mut app, KeyCode::Tab);
    press(&mut app, KeyCode::Tab);
    assert!(shown(&app).contains("Bb3 [b3]"), "{}", shown(&app));
    press(&mut app, KeyCode::Enter);
    assert!(
        fen(&app).starts_with("4k3/8/8/3B4/8/1P6/8"),
        "{}",
        fen(&app)
    );
}

#[test]
fn several_knights_are_all_in_the_list_and_the_question_is_no_refusal() {
    let mut app = game("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", 80, 24);
    write(&mut app, "nd2");
    assert!(shown(&app).contains("Nbd2 Nfd2"), "{}", shown(&app));
    press(&mut app, KeyCode::Enter);
    assert_eq!(said(&app), "Nbd2 or Nfd2?");
    press(&mut app, KeyCode::Tab);
    press(&mut app, KeyCode::Tab);
    press(&mut app, KeyCode::Enter);
    assert_eq!(said(&app), "White played Nfd2.");
}

#[test]
fn a_capture_of_nothing_is_asked_about() {
    let mut app = game("4k3/8/8/4B3/8/8/7P/4K3 w - - 0 1", 80, 24);
    write(&mut app, "bxd6");
    assert!(shown(&app).contains("no such move"), "{}", shown(&app));
    press(&mut app, KeyCode::Enter);
    assert_eq!(said(&app), "Nothing stands on d6: Bd6?");
    assert_eq!(app.board().session().ply(), 0);
}

#[test]
fn an_unneeded_origin_and_en_passant_are_moves_while_they_are_typed() {
    let fen = "4k3/8/8/3pP3/8/5N2/8/4K3 w - d6 0 1";
    for (text, played) in [("nfd4", "Nd4"), ("exd6 e.p.", "exd6"), ("exd6ep", "exd6")] {
        let mut app = game(fen, 80, 24);
        for letter in text.chars() {
            press(&mut app, KeyCode::Char(letter));
            assert!(!shown(&app).contains("no such move"), "{}", shown(&app));
        }
        press(&mut app, KeyCode::Enter);
        assert!(
            said(&app).contains(&format!("White played {played}")),
            "{}",
            said(&app)
        );
    }
}
