//! Whole games on the full screen in a real terminal: by keys, by cursor and by mouse.

#![cfg(unix)]

pub(crate) use crate::screen::Screen;

#[test]
fn a_game_against_the_bot() {
    let mut screen = Screen::start(&["play", "--white", "bot:1"]);
    screen.wait_for("Game vs Bot 1");
    // The bot begins, and the board shows the side of the person.
    screen.wait_for("Black to move · move 1");
    screen.send("i");
    screen.wait_for("Hint: the ");
    screen.send("l");
    screen.wait_for(" depth ");
    screen.send("l");
    screen.send("e5\r");
    screen.wait_for("Black to move · move 2");
    screen.send("u");
    screen.wait_for("Black to move · move 1");
    screen.send(":resign\ry");
    screen.wait_for("Black resigns. White wins.");
    screen.send("l:q\r");
    assert!(screen.ends().success());
    screen.wait_for_clean();
}

#[test]
#[ignore = "needs Stockfish"]
fn a_game_against_a_real_engine() {
    let stockfish = crate::line_players::stockfish();
    let player = format!("uci:{}", stockfish.display());
    let mut screen = Screen::start(&["play", "--black", &player, "--clock", "1+1"]);
    screen.wait_for("Game vs stockfish");
    screen.send("e4\r");
    screen.wait_for("White to move · move 2");
    screen.send("d4\r");
    screen.wait_for("White to move · move 3");
    screen.send(":opponent uci /no/such/engine\r");
    // It is noticed before anything changes, and the game goes on.
    screen.wait_for("There is no engine");
    screen.send("a3\r");
    screen.wait_for("White to move · move 4");
    screen.send(":opponent bot 1\r");
    screen.wait_for("White to move · move 4");
    screen.send(":q\r");
    assert!(screen.ends().success());
    screen.wait_for_clean();
}

#[test]
fn a_game_to_mate_by_typing() {
    let mut screen = Screen::start(&[]);
    screen.wait_for("Play, two at one board");
    screen.send("\u{1b}[B\r");
    screen.wait_for("White to move · move 1");
    for (text, then) in [
        ("e4", "Black to move"),
        ("e5", "move 2"),
        ("Qh5", "Black to move"),
        ("Nc6", "move 3"),
        ("Bc4", "Black to move"),
        ("Nf6", "move 4"),
        ("Qxf7", "Checkmate! White wins."),
    ] {
        screen.send(text);
        screen.send("\r");
        screen.wait_for(then);
    }
    screen.wait_for("Rematch");
    screen.send("l:q\r");
    assert!(screen.ends().success());
    screen.wait_for_clean();
}

#[test]
fn a_game_to_mate_by_cursor() {
    let mut screen = Screen::start(&["play", "--black", "human"]);
    screen.wait_for("White to move · move 1");
    let (up, down, right, left) = ("\u{1b}[A", "\u{1b}[B", "\u{1b}[C", "\u{1b}[D");
    // f3 e5 g4 Qh4, the cursor beginning on e2 and shown by its first key.
    let steps = [
        format!("{up}{right}\r{up}\r"),
        format!("{up}{up}{up}{up}{left}\r{down}{down}\r"),
        format!("{right}{right}{down}{down}{down}\r{up}{up}\r"),
        format!(
            "{up}{up}{up}{up}{left}{left}{left}\r{right}{right}{right}{right}{down}{down}{down}{down}\r"
        ),
    ];
    for (step, then) in steps
        .iter()
        .zip(["f3", "e5", "g4", "Checkmate! Black wins."])
    {
        screen.send(step);
        screen.wait_for(then);
    }
    screen.send("l\u{3}\u{3}");
    assert!(screen.ends().success());
    screen.wait_for_clean();
}

#[test]
fn a_game_to_mate_by_mouse() {
    let mut screen = Screen::start(&["play", "--black", "human"]);
    screen.wait_for("White to move · move 1");
    for (from, to, then) in [
        ("f2", "f3", "White played f3."),
        ("e7", "e5", "Black played e5."),
        ("g2", "g4", "White played g4."),
        ("d8", "h4", "Checkmate! Black wins."),
    ] {
        screen.click(from);
        screen.click(to);
        screen.wait_for(then);
    }
    screen.send("l:quit\r");
    assert!(screen.ends().success());
    screen.wait_for_clean();
}

#[test]
fn the_screen_may_change_its_size_at_any_moment() {
    let mut screen = Screen::start(&["play", "--black", "human"]);
    screen.wait_for("White to move · move 1");
    for (cols, rows, text) in [
        (132, 43, "White to move"),
        (30, 8, "needs 40×12, have 30×8"),
        (40, 12, "move>"),
        (60, 18, "White to move"),
        (80, 24, "White to move"),
    ] {
        screen.resize(cols, rows);
        screen.wait_for(text);
    }
    screen.send(":q\r");
    assert!(screen.ends().success());
}

#[test]
fn the_copy_goes_to_the_terminals_clipboard_and_no_color_is_honored() {
    let mut screen = Screen::start_with(&["play", "--black", "human"], &[("NO_COLOR", "1")]);
    screen.wait_for("White to move · move 1");
    screen.send("y");
    screen.wait_for("Copied: rnbqkbnr");
    let colored = {
        let parser = screen.parser.lock().expect("no panic");
        let shown = parser.screen();
        (0..24).any(|row| {
            (0..80).any(|column| {
                let cell = shown.cell(row, column).expect("a cell");
                cell.fgcolor() != vt100::Color::Default || cell.bgcolor() != vt100::Color::Default
            })
        })
    };
    assert!(!colored);
    screen.send(":q\r");
    assert!(screen.ends().success());
}
