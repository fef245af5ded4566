//! Keeping in a real terminal: games that outlive a kill, and settings that do what they say.

#![cfg(unix)]

use crate::saves::Home;
use crate::tui::Screen;

pub(crate) fn start(home: &Home, arguments: &[&str]) -> Screen {
    let variables = home.variables();
    let variables: Vec<(&str, &str)> = variables
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    Screen::start_with(arguments, &variables)
}

pub(crate) fn settle(home: &Home, text: &str) {
    let folder = home.path().join("config/tabiya");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("config.toml"), text).expect("written");
}

#[test]
fn a_game_outlives_kills_and_is_resumed_named_and_deleted() {
    let home = Home::new("tui-kill");
    let mut screen = start(&home, &["play", "--black", "human", "--clock", "10+5"]);
    screen.wait_for("White to move");
    let moves = [
        "e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "d3", "b5",
    ];
    for (at, text) in moves.iter().enumerate() {
        screen.send(&format!("{text}\r"));
        screen.wait_for(&format!("played {text}."));
        screen.signal("KILL");
        screen.ends();
        // Every other time from the home screen.
        if at % 2 == 0 {
            screen = start(&home, &["play", "--resume"]);
        } else {
            screen = start(&home, &[]);
            screen.wait_for("Resume the last game");
            screen.send("\r");
        }
        // Its clocks stand until they are let run.
        screen.wait_for("Paused");
        screen.send("p");
        let turn = if at % 2 == 0 { "Black" } else { "White" };
        screen.wait_for(&format!("{turn} to move · move {}", at.div_ceil(2) + 1));
    }
    screen.wait_for("b5");
    screen.send(":save mine\r");
    screen.wait_for("Saved as mine.");
    screen.send(":q\r");
    assert!(screen.ends().success());
    screen.wait_for("tabiya play --resume 'mine'");
    let saves = home.path().join("data/tabiya/saves");
    let text = std::fs::read_to_string(saves.join("mine.pgn")).expect("it is PGN now");
    assert!(
        text.contains("[TimeControl \"600+5\"]") && text.contains("b5"),
        "{text}"
    );
    // The slot in which the game was kept by itself is no longer needed.
    assert_eq!(std::fs::read_dir(&saves).expect("a folder").count(), 1);

    let mut screen = start(&home, &[]);
    screen.wait_for("Saved games");
    screen.send(":saves\r");
    screen.wait_for("▸ mine");
    screen.send("\u{12}");
    screen.wait_for("Review  mine");
    screen.send("\u{1b}");
    screen.wait_for("▸ mine");
    screen.send("\u{1b}[3~");
    screen.wait_for("Move 'mine' to the trash?");
    screen.send("y");
    screen.wait_for("is in the trash now");
    screen.send("\u{3}\u{3}\u{3}");
    screen.ends();
    assert_eq!(std::fs::read_dir(&saves).expect("a folder").count(), 0);
    let trash = home.path().join("data/tabiya/trash");
    assert_eq!(std::fs::read_dir(trash).expect("a folder").count(), 1);
}

#[test]
fn a_folder_that_cannot_be_written_is_said_and_the_game_goes_on() {
    let home = Home::new("tui-full");
    std::fs::write(home.path().join("data"), "no folder").expect("written");
    let mut screen = start(&home, &["play", "--black", "human"]);
    screen.wait_for("White to move");
    screen.send("e4\r");
    screen.wait_for("The game is not saved: ");
    screen.send("e5\r");
    screen.wait_for("played e5.");
    screen.wait_for("not saved");
    screen.send(":q\r");
    screen.wait_for("The game is not saved. Leave");
    screen.send("n");
    // As soon as it can be saved it is, without another move.
    std::fs::remove_file(home.path().join("data")).expect("removed");
    screen.wait_for("The game is saved again.");
    screen.send(":q\r");
    assert!(screen.ends().success());
    assert_eq!(saved(&home), 1);
}

/// Line by line, every move that is not saved is followed by the sentence about it.
#[test]
fn a_game_line_by_line_is_saved_as_soon_as_it_can_be() {
    let home = Home::new("line-full");
    std::fs::write(home.path().join("data"), "no folder").expect("written");
    let mut screen = start(&home, &["play", "--black", "human", "--line"]);
    screen.wait_for("White's turn. Enter move:");
    screen.send("set board off\r");
    for (count, played) in ["e4", "e5", "Nf3"].into_iter().enumerate() {
        screen.send(&format!("{played}\r"));
        let said = |screen: &vt100::Screen| {
            let shown = screen.contents();
            shown.matches("You can continue anyway.").count() == count + 1
        };
        screen.wait(said);
    }
    std::fs::remove_file(home.path().join("data")).expect("removed");
    screen.wait_for("The game is saved again.");
    screen.send("quit\r");
    assert!(screen.ends().success());
    assert_eq!(saved(&home), 1);
}

/// The number of saved games.
fn saved(home: &Home) -> usize {
    let saves = home.path().join("data/tabiya/saves");
    std::fs::read_dir(saves).map_or(0, Iterator::count)
}

#[test]
fn mistakes_in_the_file_are_said_and_what_is_set_is_written_into_it() {
    let home = Home::new("tui-config");
    settle(&home, "theme = \"night\"\nclok = 1\n");
    let mut screen = start(&home, &["play", "--black", "human", "--clock", "3+2"]);
    screen.wait_for("config.toml:2:1: There is no setting 'clok'.");
    screen.send("\r");
    screen.wait_for("3+2");
    screen.send(":set pieces letters\r");
    screen.wait_for("pieces is letters from now on.");
    screen.send(":set autosave off\r");
    screen.wait_for("autosave is off from now on.");
    screen.send("e4\r");
    screen.wait_for("played e4.");
    screen.send(":q\ry");
    screen.ends();
    let file = home.path().join("config/tabiya/config.toml");
    let text = std::fs::read_to_string(file).expect("there");
    assert!(text.starts_with("theme = \"night\"\nclok = 1\n"), "{text}");
    assert!(
        text.contains("pieces = \"letters\"") && text.contains("autosave = false"),
        "{text}"
    );
    assert!(
        !home.path().join("data/tabiya/saves").exists(),
        "autosave is off"
    );
}

#[test]
fn without_autosave_a_game_is_not_lost_unasked() {
    let home = Home::new("no-autosave");
    settle(&home, "autosave = false\n");
    let mut screen = start(&home, &["play", "--black", "human"]);
    screen.wait_for("White to move");
    // Nothing was played, so there is nothing to be asked.
    screen.send(":new\r");
    screen.send("e4\r");
    screen.wait_for("White played e4.");
    screen.send(":new\r");
    screen.wait_for("Start another");
    screen.send("\r");
    screen.wait_for("Black to move");
    screen.send(":q\r");
    screen.wait_for("Leave anyway");
    screen.send("\r");
    // What is saved can be left, until something is changed again.
    screen.send(":save mine\r");
    screen.wait_for("Saved as mine.");
    screen.send("e5\r");
    screen.wait_for("Black played e5.");
    screen.send(":q\r");
    screen.wait_for("Leave anyway");
    screen.send("n");
    screen.send(":new\r");
    screen.wait_for("Start another");
    screen.send("y");
    screen.wait_for("White to move · move 1");
    screen.send(":q\r");
    assert!(screen.ends().success());
    screen.wait_for_clean();
}

#[test]
fn without_autosave_a_game_line_by_line_is_not_lost_unasked() {
    const WHITE: &str = "White's turn. Enter move:";
    const BLACK: &str = "Black's turn. Enter move:";
    let home = Home::new("no-autosave-line");
    settle(&home, "autosave = false\n");
    let mut screen = start(&home, &["play", "--black", "human", "--line"]);
    let mut answers = |keys: &str, end: &str| {
        screen.send(keys);
        screen.wait(|screen| screen.contents().trim_end().ends_with(end));
    };
    let asks = |question: &str, prompt: &str| {
        format!("{question} Type yes; anything else means no.\n{prompt}")
    };
    let another = "The game is not saved. Start another one anyway?";
    let leave = "The game is not saved. Leave anyway?";
    answers("", WHITE);
    // Nothing was played, so there is nothing to be asked.
    answers("set board off\r", &format!("set board off\n{WHITE}"));
    answers("new\r", &format!("new\n{WHITE}"));
    answers("f3\r", BLACK);
    answers("new\r", &asks(another, BLACK));
    answers("\r", &format!("The game continues.\n{BLACK}"));
    answers("quit\r", &asks(leave, BLACK));
    // A move is no answer.
    answers("e5\r", WHITE);
    answers("fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1\r", &asks(another, WHITE));
    // What is saved can be left, until something is changed again.
    answers("save mine\r", &format!("Saved as mine.\n{WHITE}"));
    answers("g4\r", BLACK);
    answers("quit\r", &asks(leave, BLACK));
    answers("Qh4\r", &asks(another, "Game over. Enter command:"));
    answers("yes\r", WHITE);
    answers("e4\r", BLACK);
    // The end of the input asks too; whoever ends it again leaves.
    answers("\u{4}", &asks(leave, BLACK));
    answers("\u{4}", "Game over. Goodbye!");
    assert!(screen.ends().success());
}

/// A sync that takes half a second is nobody's thinking time.
#[test]
#[ignore = "needs strace"]
#[cfg(target_os = "linux")]
fn the_clocks_stand_still_while_the_disk_is_slow() {
    let home = Home::new("slow-disk");
    let variables = home.variables();
    let variables = variables
        .each_ref()
        .map(|(name, value)| (*name, value.as_str()));
    for arguments in [
        &["play", "--black", "human", "--clock", "60s"][..],
        &["play", "--black", "human", "--line", "--clock", "60s"],
    ] {
        let mut command = portable_pty::CommandBuilder::new("strace");
        command.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync"]);
        command.args(["-e", "inject=fdatasync:delay_enter=1000000"]);
        command.arg(env!("CARGO_BIN_EXE_tabiya"));
        command.args(arguments);
        let mut screen = Screen::spawn(command, &variables);
        screen.wait(|screen| {
            let shown = screen.contents();
            shown.contains("White to move") || shown.contains("Enter move:")
        });
        let begun = std::time::Instant::now();
        let is_line = arguments.contains(&"--line");
        let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"];
        if is_line {
            for (at, played) in moves.iter().enumerate() {
                let next = if at % 2 == 0 { "Black" } else { "White" };
                let prompt = format!("{next}'s turn. Enter move:");
                screen.send(&format!("{played}\r"));
                screen.wait(|screen| screen.contents().trim_end().ends_with(&prompt));
            }
        } else {
            // All at once: keys that come while the disk is busy are not lost.
            screen.send(&(moves.join("\r") + "\r"));
            screen.wait_for("Black played Nf6");
        }
        let took = begun.elapsed().as_secs();
        assert!(took >= 8, "the disk was not slow: {took} s");
        screen.send(if is_line { "clock\r" } else { ":clock\r" });
        // Eight syncs of a second each; the rest is what a busy machine takes.
        screen.wait(|screen| {
            let shown = screen.contents();
            ["White 1:00", "White 0:59", "White 0:58", "White 0:57"]
                .iter()
                .any(|left| shown.contains(left))
        });
        screen.send(if is_line { "quit\r" } else { ":q\r" });
        assert!(screen.ends().success());
    }
}
