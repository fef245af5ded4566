//! A file never chooses what runs: saves that name a program, by every way in which a save is opened, with real files
//! and processes. Each of these programs would leave a file behind if it were started.

#![cfg(unix)]

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::saves::Home;
use crate::screen::{PATIENCE, Screen};
use crate::support::{Run, finished};
use crate::tui_saves::{settle, start};

/// Long enough for a program to be started that should not be.
const WHILE: Duration = Duration::from_millis(700);

/// A home with one save, whose Black is to move and is played by what the save says.
struct Trap {
    home: Home,
}

impl Trap {
    fn new(name: &str, player: impl Fn(&Trap) -> String) -> Trap {
        let trap = Trap {
            home: Home::new(name),
        };
        let player = player(&trap);
        trap.save("trap.pgn", &text(&player));
        trap
    }

    /// The plain one: a shell that leaves its mark, and then answers nothing.
    fn shell(name: &str) -> Trap {
        Trap::new(name, |trap| format!("uci:{}", trap.command()))
    }

    /// What is started.
    fn command(&self) -> String {
        format!("/bin/sh -c 'touch {}; cat'", self.mark().display())
    }

    fn mark(&self) -> PathBuf {
        self.home.path().join("PWNED")
    }

    fn save(&self, file: &str, text: &str) {
        let folder = self.home.path().join("data/tabiya/saves");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join(file), text).expect("written");
    }

    /// A program in a folder of its own, which leaves the mark.
    fn program(&self, name: &str) -> PathBuf {
        let folder = self.home.path().join("bin");
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join(name);
        let script = format!("#!/bin/sh\ntouch {}\ncat\n", self.mark().display());
        std::fs::write(&path, script).expect("written");
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&path, mode).expect("it is ours");
        path
    }

    /// Types lines through a pipe, with time after each of them.
    fn pipe(&self, arguments: &[&str], lines: &[&str]) -> Run {
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{path}", self.home.path().join("bin").display());
        let mut command = self.home.command(arguments);
        let mut child = command
            .env("PATH", path)
            .current_dir(self.home.path())
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the binary can be started");
        let mut stdin = child.stdin.take().expect("stdin is a pipe");
        for line in lines {
            // A program that ends early does not read on.
            let _ = writeln!(stdin, "{line}");
            let _ = stdin.flush();
            thread::sleep(WHILE);
        }
        drop(stdin);
        finished(&child.wait_with_output().expect("the child ends"))
    }

    #[track_caller]
    fn is_not_sprung(&self) {
        thread::sleep(WHILE);
        assert!(!self.mark().exists(), "the program was started");
    }

    #[track_caller]
    fn is_sprung(&self) {
        let begun = Instant::now();
        while !self.mark().exists() {
            assert!(begun.elapsed() < PATIENCE, "it was never started");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// A save whose Black is somebody.
fn text(player: &str) -> String {
    let player = player.replace('\\', "\\\\").replace('"', "\\\"");
    format!(
        "[White \"Anna\"]\n[Black \"Ben\"]\n[Result \"*\"]\n[BlackPlayer \"{player}\"]\n\n1. e4 *\n"
    )
}

/// The entry of a journal, with its checksum.
fn journal(text: &str) -> String {
    let sum = text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum: u64, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("%tabiya-journal {sum:016x} {}\n{text}\n", text.len())
}

/// What says that it was refused, and by which flag it would be allowed.
#[track_caller]
fn refuses(said: &str, trap: &Trap) {
    assert!(said.contains(&trap.command()), "{said}");
    assert!(said.contains("--allow-engine"), "{said}");
}

#[test]
fn through_a_pipe_no_save_starts_a_program() {
    let trap = Trap::shell("trap-pipe");
    for arguments in [&["play", "--resume"][..], &["play", "--resume", "trap"]] {
        let run = trap.pipe(arguments, &["quit"]);
        assert_eq!((run.code, &*run.out), (3, ""), "{run:?}");
        refuses(&run.err, &trap);
    }
    let run = trap.pipe(&["play", "--resume", "--json"], &["quit"]);
    assert_eq!((run.code, &*run.out), (3, ""), "{run:?}");
    for arguments in [&[][..], &["play"], &["play", "--line"]] {
        let run = trap.pipe(arguments, &["load trap", "fen", "quit"]);
        refuses(&run.out, &trap);
        // The game that was played goes on.
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!(run.out.contains(start), "{}", run.out);
    }
    let run = trap.pipe(&["play", "--json"], &["load trap", "quit"]);
    assert!(run.out.contains("\"event\":\"refused\""), "{}", run.out);
    trap.is_not_sprung();
    // The save is as it was, so that it can be opened where somebody can be asked.
    let save = trap.home.path().join("data/tabiya/saves/trap.pgn");
    let kept = std::fs::read_to_string(save).expect("it is there");
    assert_eq!(kept, text(&format!("uci:{}", trap.command())));
}

#[test]
fn however_it_is_written_it_is_not_started() {
    let ways: [fn(&Trap) -> String; 8] = [
        |trap| format!("UCI {}", trap.command()),
        |trap| format!("uci:{}", trap.program("strange").display()),
        |trap| format!("uci:{}?Hash=16", trap.program("strange").display()),
        // On PATH, and in the folder where it was started.
        |trap| {
            trap.program("strange");
            "uci:strange".to_owned()
        },
        |trap| {
            trap.program("strange");
            "uci:bin/strange".to_owned()
        },
        // Well known, but not from where a system puts it.
        |trap| {
            trap.program("viridithas");
            "uci:viridithas".to_owned()
        },
        |trap| format!("uci:stockfish; {}", trap.command()),
        |trap| format!("uci:bot:1 {}", trap.command()),
    ];
    for (at, way) in ways.iter().enumerate() {
        let trap = Trap::new(&format!("trap-way-{at}"), way);
        let run = trap.pipe(&["play", "--resume"], &["quit"]);
        assert_eq!(run.code, 3, "{run:?}");
        assert!(run.err.contains("--allow-engine"), "{run:?}");
        trap.is_not_sprung();
    }
}

#[test]
fn neither_a_journal_nor_the_other_side_starts_it() {
    let trap = Trap::shell("trap-journal");
    let saves = trap.home.path().join("data/tabiya/saves");
    std::fs::remove_file(saves.join("trap.pgn")).expect("it is there");
    let whole = text(&format!("uci:{}", trap.command()));
    trap.save("trap.journal", &journal(&whole));
    let run = trap.pipe(&["play", "--resume", "trap"], &["quit"]);
    assert_eq!(run.code, 3, "{run:?}");
    refuses(&run.err, &trap);
    std::fs::remove_file(saves.join("trap.journal")).expect("it is there");
    let white = whole.replace("BlackPlayer", "WhitePlayer");
    trap.save("white.pgn", &white.replace("1. e4 *", "1. e4 e5 *"));
    let run = trap.pipe(&["play", "--resume", "white"], &["quit"]);
    assert_eq!(run.code, 3, "{run:?}");
    refuses(&run.err, &trap);
    trap.is_not_sprung();
}

#[test]
fn a_flag_allows_what_it_names() {
    let trap = Trap::shell("trap-flag");
    let other = trap.pipe(
        &["play", "--resume", "--allow-engine", "/bin/sh"],
        &["quit"],
    );
    assert_eq!(other.code, 3, "{other:?}");
    trap.is_not_sprung();
    let command = format!("uci:{}", trap.command());
    let arguments = ["play", "--allow-engine", &command, "--resume"];
    trap.pipe(&arguments, &["last", "quit"]);
    trap.is_sprung();
    let none = trap.pipe(&["play", "--allow-engine", "/no/such/engine"], &["quit"]);
    assert_eq!(none.code, 3, "{none:?}");
}

/// How the program is started, and what is waited for and typed then.
type Way = (
    &'static [&'static str],
    &'static [(&'static str, &'static str)],
);

/// Opens the trap on the full screen, by one of the ways there are.
fn opened(trap: &Trap, arguments: &[&str], keys: &[(&str, &str)]) -> Screen {
    let mut screen = start(&trap.home, arguments);
    for (shown, keys) in keys {
        screen.wait_for(shown);
        screen.send(keys);
    }
    screen.wait_for("Start it");
    screen
}

#[test]
fn on_the_full_screen_every_way_asks_first() {
    let ways: [Way; 5] = [
        (&["play", "--resume"], &[]),
        (&["play", "--resume", "trap"], &[]),
        (&[], &[("Resume the last game", "\r")]),
        (&[], &[("Saved games", ":saves\r"), ("▸ trap", "\r")]),
        (&["play"], &[("White to move", ":load trap\r")]),
    ];
    for (at, (arguments, keys)) in ways.into_iter().enumerate() {
        let trap = Trap::shell(&format!("trap-screen-{at}"));
        let mut screen = opened(&trap, arguments, keys);
        // All of it is to be read.
        let is_text = |sign: &char| !sign.is_whitespace() && *sign != '│';
        let shown: String = screen.shown().chars().filter(is_text).collect();
        assert!(shown.contains("PWNED;cat'"), "{shown}");
        trap.is_not_sprung();
        // Enter takes the careful answer, and so does Escape.
        screen.send(if at % 2 == 0 { "\r" } else { "\u{1b}" });
        screen.wait_for("A person plays Black.");
        screen.send("e5\r");
        screen.wait_for("played e5.");
        screen.send(":q\r");
        assert!(screen.ends().success());
        trap.is_not_sprung();
    }
}

#[test]
fn on_the_full_screen_a_yes_starts_it() {
    let trap = Trap::shell("trap-yes");
    let mut screen = opened(&trap, &["play", "--resume"], &[]);
    // A key that was on its way does not answer a question that nobody has read.
    thread::sleep(WHILE);
    screen.send("y");
    trap.is_sprung();
    screen.signal("TERM");
    screen.ends();
}

#[test]
fn what_does_not_fit_on_the_screen_is_not_started() {
    let trap = Trap::new("trap-long", |trap| {
        format!(
            "uci:/bin/sh -c 'true {}; touch {}'",
            "x ".repeat(400),
            trap.mark().display()
        )
    });
    let mut screen = start(&trap.home, &["play", "--resume"]);
    screen.wait_for("too long to be shown");
    screen.send("y");
    screen.send("\r");
    trap.is_not_sprung();
    screen.signal("TERM");
    screen.ends();
    let run = trap.pipe(&["play", "--resume"], &["quit"]);
    assert_eq!(run.code, 3, "{run:?}");
}

#[test]
fn no_escape_of_a_save_reaches_the_question() {
    let trap = Trap::new("trap-escape", |trap| {
        format!("uci:\u{9b}2J\u{202e}{}", trap.command())
    });
    let run = trap.pipe(&["play", "--resume"], &["quit"]);
    assert!(run.err.contains(r"2J\u{202e}/bin/sh"), "{run:?}");
    assert!(!run.err.contains('\u{9b}') && !run.err.contains('\u{202e}'));
}

#[test]
fn line_by_line_on_a_terminal_it_is_asked() {
    for (answer, starts) in [("no", false), ("e5", false), ("", false), ("yes", true)] {
        let trap = Trap::shell(&format!("trap-line-{answer}"));
        let mut screen = start(&trap.home, &["play", "--resume", "--line"]);
        screen.wait_for("Start it? Type yes; anything else leaves Black to you.");
        trap.is_not_sprung();
        screen.send(&format!("{answer}\r"));
        if starts {
            trap.is_sprung();
            screen.signal("TERM");
        } else {
            if answer != "e5" {
                screen.wait_for("A person plays Black.");
                screen.send("e5\r");
            }
            screen.wait_for("White's turn.");
            screen.send("quit\r");
        }
        screen.ends();
        assert_eq!(trap.mark().exists(), starts, "{answer}");
    }
    let trap = Trap::shell("trap-line-load");
    let mut screen = start(&trap.home, &["play", "--line"]);
    screen.wait_for("White's turn. Enter move:");
    screen.send("load trap\r");
    screen.wait_for("Start it? Type yes");
    screen.send("no\r");
    screen.wait_for("A person plays Black.");
    screen.send("quit\r");
    screen.ends();
    trap.is_not_sprung();
}

/// A program that speaks UCI and writes down all it is told.
fn recorder(folder: &Path) -> PathBuf {
    let path = folder.join("recorder");
    let script = format!(
        "#!/bin/sh\nwhile read -r line; do\n  echo \"$line\" >>{}\n  case $line in\n\
         uci) echo 'option name Hash type spin default 16 min 1 max 1024'\n\
         echo 'option name Debug Log File type string default'\necho uciok;;\n\
         isready) echo readyok;;\ngo*) echo bestmove e7e5;;\nquit) exit;;\n  esac\ndone\n",
        folder.join("told").display()
    );
    std::fs::write(&path, script).expect("written");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, mode).expect("it is ours");
    path
}

#[test]
fn a_known_engine_is_started_with_the_options_of_the_config_and_no_others() {
    let trap = Trap::new("trap-options", |trap| {
        let victim = trap.mark();
        format!("uci:mine?Debug Log File={}&Hash=32", victim.display())
    });
    let program = recorder(trap.home.path());
    settle(
        &trap.home,
        &format!(
            "[engines.mine]\npath = \"{}\"\noptions = {{ Hash = 64 }}\n",
            program.display()
        ),
    );
    let run = trap.pipe(&["play", "--resume", "trap"], &["last", "quit"]);
    assert!(run.out.contains("Black played e5"), "{run:?}");
    let told = std::fs::read_to_string(trap.home.path().join("told")).expect("it was started");
    let options: Vec<&str> = told
        .lines()
        .filter(|line| line.starts_with("setoption"))
        .collect();
    assert_eq!(options, ["setoption name Hash value 64"], "{told}");
    let notice = "The save has options for mine: they are not set, only those of config.toml are.";
    assert!(run.out.contains(notice), "{run:?}");
    trap.is_not_sprung();
    // By its path too, and an engine that is allowed has the options of the flag.
    let path = program.display().to_string();
    trap.save("path.pgn", &text(&format!("uci:{path}?Hash=32")));
    std::fs::remove_file(trap.home.path().join("told")).expect("it is there");
    let run = trap.pipe(&["play", "--resume", "path"], &["last", "quit"]);
    assert!(run.out.contains("Black played e5"), "{run:?}");
    let told = std::fs::read_to_string(trap.home.path().join("told")).expect("it was started");
    assert!(
        told.contains("Hash value 64") && !told.contains("Hash value 32"),
        "{told}"
    );
}

#[test]
fn an_engine_of_the_config_with_a_relative_path_is_asked_about_with_the_reason() {
    let trap = Trap::new("trap-relative", |_| "uci:mine".to_owned());
    trap.program("mine");
    settle(&trap.home, "[engines.mine]\npath = \"bin/mine\"\n");
    let run = trap.pipe(&["play", "--resume", "trap"], &["quit"]);
    let said = format!("{}{}", run.out, run.err);
    let reason = "which config.toml names by a path that depends on the working folder: mine.";
    assert!(said.contains(reason), "{run:?}");
    assert!(said.contains("--allow-engine 'mine'"), "{run:?}");
    trap.is_not_sprung();
    let arguments = ["play", "--resume", "trap", "--allow-engine", "mine"];
    trap.pipe(&arguments, &["last", "quit"]);
    trap.is_sprung();
}

#[test]
fn an_allowed_engine_gets_the_options_of_the_flag_and_no_others() {
    let trap = Trap::new("trap-allowed", |trap| {
        let program = recorder(trap.home.path());
        format!("uci:{}?Hash=32", program.display())
    });
    let program = trap.home.path().join("recorder").display().to_string();
    let allowed = format!("{program}?Hash=128");
    let arguments = ["play", "--resume", "trap", "--allow-engine", &allowed];
    let run = trap.pipe(&arguments, &["last", "quit"]);
    assert!(run.out.contains("Black played e5"), "{run:?}");
    let told = std::fs::read_to_string(trap.home.path().join("told")).expect("it was started");
    assert!(
        told.contains("Hash value 128") && !told.contains("Hash value 32"),
        "{told}"
    );
}

#[test]
fn a_game_that_is_reviewed_and_played_on_starts_nothing() {
    let trap = Trap::shell("trap-review");
    let file = trap.home.path().join("data/tabiya/saves/trap.pgn");
    let mut screen = start(&trap.home, &["review", &file.display().to_string()]);
    screen.wait_for("Anna");
    screen.send("\r");
    screen.wait_for("Review");
    screen.send(".xp");
    screen.wait_for("Opponent");
    screen.send("\r");
    screen.wait_for("to move");
    trap.is_not_sprung();
    screen.send(":save copy\r");
    screen.signal("TERM");
    screen.ends();
    let run = trap.pipe(&["play", "--line"], &["review save trap", "quit"]);
    assert_eq!(run.code, 0, "{run:?}");
    trap.is_not_sprung();
}
