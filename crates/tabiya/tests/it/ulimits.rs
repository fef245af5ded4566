//! The limits that a shell or a container sets (`ulimit`): threads that cannot be started, files that cannot be opened or
//! not be made longer. The program says so in a sentence and ends with exit code 3; it never panics, hangs, or leaves as if
//! all were well.

#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::CommandBuilder;
use test_suites::limits::{self, Count};

use crate::saves::Home;
use crate::screen::{PATIENCE, Screen};

/// How long a run may take that has next to nothing to do.
const SOON: Duration = Duration::from_secs(60);

/// Waits for the end of a run, and kills one that hangs.
#[track_caller]
pub(crate) fn ended(mut command: Command, input: &str) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it can be started");
    let mut stdin = child.stdin.take().expect("a pipe");
    // One that ends early does not read on.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let begun = Instant::now();
    while child.try_wait().expect("it can be waited for").is_none() {
        if begun.elapsed() > SOON {
            child.kill().expect("it is killed");
            let output = child.wait_with_output().expect("it ends");
            panic!("it hangs: {command:?}: {output:?}");
        }
        thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().expect("it ends")
}

/// A copy of the program that everybody may run, also somebody without rights.
fn public_program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("tabiya-public-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let program = folder.join("tabiya");
        fs::copy(env!("CARGO_BIN_EXE_tabiya"), &program).expect("a copy");
        for path in [&folder, &program] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o777)).expect("for everybody");
        }
        program
    })
}

/// The program under limits of a shell.
pub(crate) fn limited(home: &Home, count: Count, limits: &str, arguments: &[&str]) -> Command {
    // The program may run as somebody else.
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o777)).expect("for everybody");
    let mut command = limits::shell(count, &format!("{limits}; exec \"$0\" \"$@\""));
    command.arg(public_program());
    command.args(arguments);
    command.envs(home.variables()).current_dir("/");
    command
}

#[test]
#[ignore = "needs root, or namespaces for users"]
fn threads_that_cannot_be_started() {
    let home = Home::new("ulimit-u");
    let games = home.path().join("games.pgn");
    fs::write(&games, "1. e4 e5 1-0\n\n1. d4 d5 0-1\n").expect("written");
    let games = games.display().to_string();
    let runs: [(&str, &[&str]); 6] = [
        ("pgn", &["pgn", "check", "--threads", "4", &games]),
        ("perft", &["perft", "4", "--threads", "4"]),
        ("play", &["play", "--black", "human"]),
        ("bot", &["play", "--black", "bot:1"]),
        (
            "match",
            &[
                "match",
                "bot:1",
                "bot:1",
                "--games",
                "2",
                "--depth",
                "1",
                "--concurrency",
                "4",
                "--adjudicate",
                "length:2",
            ],
        ),
        ("analyse", &["analyse", "--nodes", "100"]),
    ];
    for (name, arguments) in runs {
        // From no thread at all to enough for everything.
        for most in [1, 2, 3, 5, 64] {
            let limit = format!("ulimit -u {most}");
            let command = limited(&home, Count::Own, &limit, arguments);
            let output = ended(command, "e4\nquit\n");
            let said = String::from_utf8_lossy(&output.stderr);
            let context = format!("{name} under ulimit -u {most}: {output:?}");
            assert!(!said.contains("panicked"), "{context}");
            match output.status.code() {
                // It gets along with fewer.
                Some(0) => {}
                Some(3) => assert!(said.contains("no more threads can be started"), "{context}"),
                _ => panic!("{context}"),
            }
            // Whoever can do with one thread does.
            if most == 64 || matches!(name, "pgn" | "perft") {
                assert_eq!(output.status.code(), Some(0), "{context}");
            }
            if most == 1 && matches!(name, "play" | "match") {
                assert_eq!(output.status.code(), Some(3), "{context}");
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_that_cannot_be_had() {
    let home = Home::new("ulimit-v");
    let games = home.path().join("games.pgn");
    fs::write(&games, "1. e4 e5 2. Nf3 Nc6 1-0\n\n".repeat(200)).expect("written");
    let (games, db) = (games.display().to_string(), home.path().join("games.db"));
    let folder = db.display().to_string();
    let contest = ["match", "bot:1", "bot:1", "--games", "2", "--depth", "1"];
    let runs: [(&str, &[&str]); 5] = [
        ("analyse", &["analyse", "--nodes", "100"]),
        (
            "match",
            &[&contest[..], &["--adjudicate", "length:2"]].concat(),
        ),
        ("db", &["db", "build", &folder, &games]),
        ("bot", &["play", "--black", "bot:1"]),
        ("play", &["play", "--black", "human"]),
    ];
    let run = |most: u64, arguments: &[&str]| {
        let limit = format!("ulimit -c 0; ulimit -v {most}");
        ended(limited(&home, Count::Mine, &limit, arguments), "e4\nquit\n")
    };
    // In KiB. With less, the system cannot map the program, and ends it by a signal before it begins.
    let least = (10_000..200_000)
        .step_by(1_000)
        .find(|&most| run(most, &["--version"]).status.code().is_some())
        .expect("a limit at which it begins");
    for (name, arguments) in runs {
        let (mut refused, mut done) = (0, 0);
        // From too little to be loaded to plenty.
        let small = (least..least + 30_000).step_by(4_000);
        // With little more than the least, even starting can fail.
        let fine = match name {
            "analyse" => least + 10_000..least + 30_000,
            _ => least..least,
        };
        let large = (2..16).map(|step| step * 30_000);
        for most in small
            .chain(fine.step_by(500))
            .chain(large)
            .chain([800_000, 3_000_000])
        {
            let _ = fs::remove_dir_all(&db);
            let output = run(most, arguments);
            let said = String::from_utf8_lossy(&output.stderr);
            match output.status.code() {
                Some(0) => done += 1,
                // It could not even be loaded.
                Some(127) => {}
                Some(3) if said.contains("memory") => refused += 1,
                _ => panic!("{name} under ulimit -v {most}: {output:?}"),
            }
        }
        // An analysis of one position gets along with what loading the program takes.
        assert!(
            done > 0 && (refused > 0 || name == "analyse"),
            "{name}: {refused} refused, {done} done"
        );
    }
}

/// The program in a terminal, under limits of a shell.
fn on_screen(limits: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Screen {
    let mut command = CommandBuilder::new("sh");
    command.args(["-c", &format!("{limits}; exec \"$0\" \"$@\"")]);
    command.arg(env!("CARGO_BIN_EXE_tabiya"));
    command.args(arguments);
    Screen::spawn(command, variables)
}

#[test]
fn files_that_cannot_be_opened() {
    for arguments in [&["play", "--black", "human"][..], &["play", "--line"]] {
        let mut refused = 0;
        for most in [3, 4, 5, 6, 7, 8, 10, 12, 16, 20] {
            let mut screen = on_screen(&format!("ulimit -n {most}"), arguments, &[]);
            let begun = Instant::now();
            let mut typed = false;
            let status = screen.ends_while(|screen| {
                let shown = screen.shown();
                let is_ready = shown.contains("White to move") || shown.contains("Enter move:");
                if is_ready && !typed {
                    typed = true;
                    screen.send(if arguments.contains(&"--line") {
                        "quit\r"
                    } else {
                        ":q\r"
                    });
                }
                assert!(begun.elapsed() < PATIENCE, "it hangs: {shown}");
            });
            screen.wait_for_clean();
            let shown = screen.shown();
            let context = format!("{arguments:?} with {most} files: {status:?}: {shown}");
            assert!(!shown.contains("panicked"), "{context}");
            if status.exit_code() == 127 {
                // It could not even be loaded.
                continue;
            }
            if status.success() {
                assert!(typed, "it left by itself: {context}");
            } else {
                refused += 1;
                assert_eq!(status.exit_code(), 3, "{context}");
                screen.wait_for("too many files are open");
                assert!(!shown.contains("the output cannot be written"), "{context}");
            }
        }
        assert!(refused > 0, "{arguments:?}: no limit was too low");
    }
}

#[test]
fn files_that_cannot_be_made_longer() {
    let home = Home::new("ulimit-f");
    // In blocks of a shell; a game takes more than none.
    let path = home.path().join("game.pgn");
    let lines = format!("e4\npgn {}\nsave mine\nquit\n", path.display());
    let command = limited(
        &home,
        Count::Mine,
        "ulimit -f 0",
        &["play", "--black", "human"],
    );
    let output = ended(command, &lines);
    let said = String::from_utf8_lossy(&output.stdout);
    // A pipe has no limit, so everything can be said.
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let full = "the limit on the size of files is reached";
    assert_eq!(said.matches(full).count(), 2, "{said}");
    assert!(!path.exists(), "nothing half written stays");
    let mut screen = on_screen("ulimit -f 0", &["play", "--black", "human"], &[]);
    screen.wait_for("White to move");
    screen.send("e4\r");
    screen.wait_for("The game is not saved");
    screen.send(":q\r");
    screen.wait_for("Leave anyway");
    screen.send("y");
    assert!(screen.ends().success());
    screen.wait_for_clean();
}

#[test]
fn a_terminal_of_any_size() {
    for (columns, rows) in [(65_535, 65_535), (65_535, 1), (1, 65_535), (0, 0)] {
        let mut screen = Screen::start(&["play", "--black", "human"]);
        screen.wait_for("White to move");
        screen
            .master
            .resize(crate::screen::size(columns, rows))
            .expect("a new size");
        thread::sleep(Duration::from_millis(200));
        screen.send(":q\r");
        assert!(screen.ends().success(), "{columns}×{rows}");
        screen.wait_for_clean();
    }
    // It may have that size from the beginning.
    let mut command = CommandBuilder::new("sh");
    command.args(["-c", "stty cols 65535 rows 65535; exec \"$0\" \"$@\""]);
    command.args([env!("CARGO_BIN_EXE_tabiya"), "play", "--black", "human"]);
    let mut screen = Screen::spawn(command, &[]);
    let begun = Instant::now();
    let is_drawn = |screen: &Screen| {
        let written = screen.written();
        String::from_utf8_lossy(&written).contains("White")
    };
    while !is_drawn(&screen) {
        assert!(begun.elapsed() < PATIENCE, "{}", screen.shown());
        thread::sleep(Duration::from_millis(20));
    }
    screen.send(":q\r");
    assert!(screen.ends().success());
    screen.wait_for_clean();
}
