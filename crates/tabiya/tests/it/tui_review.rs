//! Reviewing in a real terminal, and a terminal whose output is gone.

#![cfg(unix)]

use std::io::Read;
use std::path::PathBuf;
use std::thread;

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use crate::support::run;
use crate::tui::Screen;

const GAMES: &str = "[White \"Morphy\"]\n[Black \"Duke\"]\n\n1. e4 e5 2. Nf3 (2. f4 exf4) d6 1-0\n\n\
    [White \"Anderssen\"]\n[Black \"Kieseritzky\"]\n\n1. e4 e5 2. f4 exf4 *\n";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tabiya-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a name").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_file_is_searched_walked_annotated_and_saved() {
    let folder = Folder::new("review");
    let (games, kept) = (folder.file("games.pgn"), folder.file("kept.pgn"));
    std::fs::write(&games, GAMES).expect("a file");
    let mut screen = Screen::start(&["review", &games]);
    screen.wait_for("2 games");
    screen.wait_for("Anderssen – Kieseritzky");
    screen.send("morphy");
    screen.wait_for("1 of 2 games");
    screen.send("\r");
    screen.wait_for("start · White to move");
    screen.send("...");
    screen.wait_for("2.Nf3 · Black to move");
    screen.send("]");
    screen.wait_for("2.f4 · Black to move");
    screen.send("m3");
    screen.send("mcthe old gambit\r");
    screen.wait_for("the old gambit");
    screen.wait_for("not saved");
    screen.send(&format!(":pgn {kept}\r"));
    screen.wait_for("Written to");
    screen.send(":q\r");
    assert!(screen.ends().success());
    screen.wait_for_clean();
    let text = std::fs::read_to_string(&kept).expect("it was written");
    assert!(
        text.contains("the old gambit") && text.contains("f4 $3"),
        "{text}"
    );
    let checked = run(&["pgn", "check", &kept]).fine();
    assert!(checked.contains(" 0 errors"), "{checked}");
}

#[test]
fn a_match_is_watched_to_its_end_and_exported() {
    let folder = Folder::new("match");
    let kept = folder.file("match.pgn");
    let mut screen = Screen::start(&[]);
    screen.wait_for("Watch a match");
    screen.send(":match bot:1 bot:1 2 depth 1\r");
    screen.wait_for("0 of 2 games");
    screen.send("++++");
    screen.wait_for("2 of 2 games · over");
    screen.send("g");
    screen.wait_for("» A");
    screen.send(&format!(":pgn {kept}\r"));
    screen.wait_for("Written to");
    screen.send(":q\r");
    assert!(screen.ends().success());
    screen.wait_for_clean();
    let checked = run(&["pgn", "check", &kept]).fine();
    assert!(
        checked.starts_with("2 games,") && checked.contains(" 0 errors"),
        "{checked}"
    );
}

#[test]
fn a_game_is_judged_by_the_engine_and_a_mistake_tried_again() {
    let folder = Folder::new("judge");
    let games = folder.file("mate.pgn");
    std::fs::write(&games, "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n").expect("a file");
    let mut screen = Screen::start(&["review", &games]);
    screen.wait_for("start · White to move");
    screen.send("xj");
    screen.wait_for("Accuracy: White");
    screen.wait_for("Nf6??");
    screen.send("xt");
    screen.wait_for("Black played Nf6 here. Find a better move.");
    screen.send("Nf6\r");
    screen.wait_for("That is what was played.");
    // Another way to lose at once is not good enough either.
    screen.send("a6\r");
    screen.wait_for("Try again.");
    screen.send(":q\ry");
    assert!(screen.ends().success());
    screen.wait_for_clean();
}

#[test]
fn a_match_that_goes_on_asks_and_is_left_at_once() {
    let mut screen = Screen::start(&[]);
    screen.wait_for("Watch a match");
    screen.send(":match bot:1 bot:1 100 depth 1\r");
    screen.wait_for("0 of 100 games");
    screen.send(" ");
    screen.wait_for("paused");
    screen.send(":q\r");
    screen.wait_for("not over");
    screen.send("y");
    assert!(screen.ends().success());
    screen.wait_for_clean();
}

/// However the program ends in the middle of a match, its games are kept, each of them once.
#[test]
fn the_games_of_a_match_are_kept_whyever_it_is_left() {
    let ways = [
        ("left", ":q\ry"),
        // Only what is built for tests has a key that fails.
        #[cfg(debug_assertions)]
        ("failed", "\u{1b}[24~"),
    ];
    for (way, keys) in ways {
        let folder = Folder::new(&format!("match-{way}"));
        let home = folder.file("home");
        let variables = [("TABIYA_TEST_PANIC", "error"), ("XDG_DATA_HOME", &*home)];
        let mut screen = Screen::start_with(&[], &variables);
        screen.wait_for("Watch a match");
        screen.send(":match bot:1 bot:1 100 depth 1\r");
        screen.wait_for("Game 1 ");
        screen.send(" ");
        screen.wait_for("paused");
        screen.send(keys);
        screen.ends();
        screen.wait_for_clean();
        let kept = folder.0.join("home/tabiya/matches");
        let files: Vec<_> = std::fs::read_dir(kept).expect(way).collect();
        let [Ok(file)] = &files[..] else {
            panic!("{way}: {files:?}")
        };
        let text = std::fs::read_to_string(file.path()).expect("a file");
        let rounds: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("[Round "))
            .collect();
        let different: std::collections::BTreeSet<&str> = rounds.iter().copied().collect();
        assert!(!rounds.is_empty(), "{way}");
        assert_eq!(rounds.len(), different.len(), "{way}: {rounds:?}");
    }
}

#[test]
fn a_review_needs_a_terminal_and_something_to_look_at() {
    let folder = Folder::new("nothing");
    let missing = run(&["review", &folder.file("missing.pgn")]);
    assert_eq!(missing.code, 3);
    assert!(missing.err.contains("missing.pgn"), "{}", missing.err);
    assert_eq!(run(&["review", "8/8", "w"]).code, 1);
    let piped = run(&["review", "startpos"]);
    assert_eq!(piped.code, 3);
    assert!(piped.err.contains("terminal"), "{}", piped.err);
}

/// The keys come from one terminal and the screen goes to another, which is hung up in the middle of a game.
#[test]
fn an_output_that_is_gone_leaves_the_keyboards_terminal_clean() {
    let size = PtySize {
        rows: 24,
        cols: 80,
        pixel_width: 0,
        pixel_height: 0,
    };
    let other = native_pty_system()
        .openpty(size)
        .expect("a pseudo-terminal");
    let name = other.master.tty_name().expect("it has a name");
    let mut output = other.master.try_clone_reader().expect("the other end");
    let mut command = CommandBuilder::new("sh");
    command.args([
        "-c",
        "exec \"$0\" play > \"$1\"",
        env!("CARGO_BIN_EXE_tabiya"),
        name.to_str().expect("a name"),
    ]);
    let mut screen = Screen::spawn(command, &[]);
    // The first frame is there.
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = output.read(&mut bytes) {
        if String::from_utf8_lossy(&bytes[..count]).contains("\u{1b}[?2026l") {
            break;
        }
    }
    assert_ne!(
        screen.line_discipline(),
        screen.before,
        "keys come one by one"
    );
    drop((output, other));
    // A key brings the next frame, which cannot be drawn. Another test may just have started a program that holds the
    // terminal open a little longer.
    let status = screen.ends_while(|screen| screen.send("v"));
    assert!(!status.success(), "{status:?}");
    let begun = std::time::Instant::now();
    while screen.line_discipline() != screen.before {
        assert!(begun.elapsed() < std::time::Duration::from_secs(30));
        thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[test]
fn a_closed_output_ends_quietly() {
    let done = std::process::Command::new("sh")
        .args([
            "-c",
            "printf 'e4\\n' | \"$0\" play >&-",
            env!("CARGO_BIN_EXE_tabiya"),
        ])
        .output()
        .expect("a shell");
    assert_eq!(String::from_utf8_lossy(&done.stderr), "");
}

/// Games that look as no program would write them, with lines between them.
const COLLECTION: &str = "[White \"A\"]\n[Black \"B\"]\n\n1.e4   e5 {spaced   out} 1-0\r\n\r\n\n\
    [Event \"second\"]\n[White \"Morphy\"]\n[Black \"Duke\"]\n\n1. e4 e5 2. Nf3 d6 1-0\n\n\n\
    % a line for programs\n[White \"C\"]\n[Black \"D\"]\n1. d4 d5 ; said of d5\n2. c4 *   \n";

#[test]
fn a_game_of_a_collection_is_put_back_and_the_others_stay() {
    let folder = Folder::new("collection");
    let (games, other) = (folder.file("games.pgn"), folder.file("other.pgn"));
    for file in [&games, &other] {
        std::fs::write(file, COLLECTION).expect("a file");
    }
    let mut screen = Screen::start(&["review", &games]);
    screen.wait_for("3 games");
    screen.send("morphy");
    screen.wait_for("1 of 3 games");
    screen.send("\r");
    screen.wait_for("start · White to move");
    screen.send(".mcbest by test\r");
    screen.wait_for("best by test");
    // Another file of many games: the careful answer is the one that Enter gives.
    screen.send(&format!(":pgn {other}\r"));
    screen.wait_for("lose the");
    screen.send("\r");
    screen.wait(|screen| !screen.contents().contains("lose the"));
    // The file that it came from: Enter puts the game back.
    screen.send(&format!(":pgn {games}\r"));
    screen.wait_for("Put it in the place of game 2");
    screen.wait_for("Replace the file and lose 2 others");
    screen.send("\r");
    screen.wait_for("Written to");
    // Once more, now that it is longer, and then the game behind it.
    screen.send("mcand then changed\r");
    screen.wait_for("and then changed");
    screen.send(&format!(":pgn {games}\r"));
    screen.wait_for("Put it in the place of game 2");
    screen.send("p");
    screen.wait(|screen| !screen.contents().contains("not saved"));
    screen.send("xg");
    screen.wait_for("of 3 games");
    screen.send("\u{1b}");
    screen.wait_for("C – D");
    screen.send("\u{1b}[B\u{1b}[B\u{1b}[B\r");
    screen.wait_for("start · White to move");
    screen.send(":q\r");
    assert!(screen.ends().success());
    screen.wait_for_clean();
    assert_eq!(std::fs::read_to_string(&other).expect("there"), COLLECTION);
    let text = std::fs::read_to_string(&games).expect("there");
    let begin = COLLECTION.find("[Event \"second\"]").expect("it is there");
    let end = COLLECTION.find("d6 1-0\n").expect("it is there") + "d6 1-0".len();
    let (before, after) = (&COLLECTION[..begin], &COLLECTION[end..]);
    assert!(text.starts_with(before) && text.ends_with(after), "{text}");
    let middle = &text[before.len()..text.len() - after.len()];
    assert!(middle.contains("and then changed}"), "{middle}");
    assert!(middle.contains("[Event \"second\"]"), "{middle}");
    assert_eq!(middle.matches("1. e4").count(), 1, "{middle}");
}

#[test]
fn a_collection_that_was_changed_meanwhile_is_left_alone() {
    let folder = Folder::new("changed-collection");
    let games = folder.file("games.pgn");
    std::fs::write(&games, COLLECTION).expect("a file");
    let mut screen = Screen::start(&["review", &games]);
    screen.wait_for("3 games");
    screen.send("morphy\r");
    screen.wait_for("start · White to move");
    screen.send(".mcmine\r");
    screen.wait_for("mine");
    let theirs = COLLECTION.replace("{spaced   out}", "{spaced more   out}");
    std::fs::write(&games, &theirs).expect("written");
    screen.send(&format!(":pgn {games}\r"));
    screen.wait_for("Put it in the place of game 2");
    screen.send("p");
    screen.wait_for("was changed since");
    screen.wait_for("not saved");
    screen.send(":q\ry");
    assert!(screen.ends().success());
    assert_eq!(std::fs::read_to_string(&games).expect("there"), theirs);
}

#[test]
fn a_review_that_is_cut_off_is_offered_again() {
    for signal in ["HUP", "TERM", "KILL"] {
        let home = crate::saves::Home::new("cut-off");
        let variables = home.variables();
        let variables = variables
            .each_ref()
            .map(|(name, value)| (*name, value.as_str()));
        let games = home.path().join("games.pgn").display().to_string();
        let kept = home.path().join("kept.pgn").display().to_string();
        std::fs::write(&games, GAMES).expect("a file");
        let mut screen = Screen::start_with(&["review", &games], &variables);
        screen.wait_for("2 games");
        screen.send("morphy\r");
        screen.wait_for("start · White to move");
        screen.send("...mcnever to be lost\r");
        screen.wait_for("never to be lost");
        screen.wait_for("not saved");
        screen.signal(signal);
        assert!(!screen.ends().success());
        // Whoever says later is asked again.
        let mut screen = Screen::start_with(&[], &variables);
        screen.wait_for("A review was cut off");
        screen.wait_for("Morphy");
        thread::sleep(std::time::Duration::from_millis(600));
        screen.send("l");
        screen.wait(|screen| !screen.contents().contains("cut off"));
        screen.send(":q\r");
        assert!(screen.ends().success(), "{signal}");
        let mut screen = Screen::start_with(&[], &variables);
        screen.wait_for("A review was cut off");
        thread::sleep(std::time::Duration::from_millis(600));
        screen.send("o");
        screen.wait_for("not saved");
        screen.send("...");
        screen.wait_for("never to be lost");
        screen.send(&format!(":pgn {kept}\r"));
        screen.wait_for("Written to");
        screen.send(":q\r");
        assert!(screen.ends().success(), "{signal}");
        let text = std::fs::read_to_string(&kept).expect("it was written");
        assert!(
            text.contains("{never to be lost}") && text.contains("(2. f4 exf4)"),
            "{text}"
        );
        assert!(
            text.contains("[White \"Morphy\"]") && text.contains(" 1-0"),
            "{text}"
        );
        // Now that a file has it, there is nothing to be offered.
        let mut screen = Screen::start_with(&[], &variables);
        screen.wait_for("Watch a match");
        thread::sleep(std::time::Duration::from_millis(700));
        assert!(!screen.shown().contains("cut off"), "{}", screen.shown());
        screen.send(":q\r");
        assert!(screen.ends().success(), "{signal}");
    }
}

#[test]
fn a_review_that_is_left_on_purpose_is_not_offered_again() {
    let home = crate::saves::Home::new("left");
    let variables = home.variables();
    let variables = variables
        .each_ref()
        .map(|(name, value)| (*name, value.as_str()));
    let games = home.path().join("games.pgn").display().to_string();
    std::fs::write(&games, GAMES).expect("a file");
    let mut screen = Screen::start_with(&["review", &games], &variables);
    screen.wait_for("2 games");
    screen.send("morphy\r");
    screen.wait_for("start · White to move");
    screen.send("...mcnobody wants it\r");
    screen.wait_for("not saved");
    screen.send(":q\r");
    screen.wait_for("unsaved changes. Leave");
    screen.send("y");
    assert!(screen.ends().success());
    let mut screen = Screen::start_with(&[], &variables);
    screen.wait_for("Watch a match");
    thread::sleep(std::time::Duration::from_millis(700));
    assert!(!screen.shown().contains("cut off"), "{}", screen.shown());
    screen.send(":q\r");
    assert!(screen.ends().success());
}
