//! `tabiya import`: games come from a server on this machine, and training finds the mistakes in them.

#![cfg(feature = "import")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::support::{Run, command, finished};

/// The moves of a game, as Lichess sends them.
const MOVES: &str = "1. e4 { [%clk 0:03:00] } e5 2. Qh5 Ke7 3. Qxe5# 1-0";

/// The same with a judgment. 2...Ke7 is a mistake.
const JUDGED: &str = "{[%eval 0.20] [%best e2e4]} 1. e4 {[%eval 0.25] [%best e7e5]} e5
{[%eval 0.20] [%best g1f3]} 2. Qh5 {[%eval -0.30] [%best b8c6]} Ke7 {[%eval 15.00] [%best h5e5]}
3. Qxe5# 1-0";

/// A game of Anna's.
fn game(id: &str, minute: u32) -> String {
    format!(
        "[Event \"Rated blitz game\"]\n[Site \"https://lichess.org/{id}\"]\n[Date \"2026.11.12\"]\n\
         [White \"Bo\"]\n[Black \"AnnA64\"]\n[Result \"1-0\"]\n[UTCDate \"2026.11.12\"]\n\
         [UTCTime \"18:{minute:02}:01\"]\n[Variant \"Standard\"]\n\n{MOVES}\n\n\n"
    )
}

/// The folders of a user.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Home {
        Home(tempfile::tempdir().expect("a folder"))
    }

    fn games(&self) -> PathBuf {
        self.0.path().join("data/tabiya/train/games")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(arguments);
        for (name, folder) in [
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_STATE_HOME", "state"),
        ] {
            command.env(name, self.0.path().join(folder));
        }
        // This machine is asked directly, whatever the environment says.
        command.env("ALL_PROXY", "http://127.0.0.1:1");
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        finished(&self.command(arguments).output().expect("it runs"))
    }

    fn import(&self, server: &str, flags: &[&str]) -> Run {
        let arguments = ["import", "lichess", "anna64", "--base-url", server];
        self.run(&[&arguments, flags].concat())
    }
}

/// Answers one request, and then stays silent for so long.
fn serve(head: &str, body: String, silence: Duration) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let head = format!("HTTP/1.1 {head}\r\nConnection: close\r\n\r\n");
    thread::spawn(move || {
        let (mut connection, _) = listener.accept().expect("a connection");
        let mut lines = BufReader::new(connection.try_clone().expect("a connection")).lines();
        while lines
            .next()
            .is_some_and(|line| line.is_ok_and(|line| !line.is_empty()))
        {}
        // Whoever was killed reads nothing.
        let _ = connection.write_all(head.as_bytes());
        let _ = connection.write_all(body.as_bytes());
        thread::sleep(silence);
    });
    address
}

fn good(body: String) -> String {
    serve("200 OK", body, Duration::ZERO)
}

#[test]
fn games_are_imported_judged_and_trained_on() {
    let home = Home::new();
    let server = good(game("aaaaaaaa", 1) + &game("bbbbbbbb", 2));
    let run = home.import(&server, &[]);
    let host = server.trim_start_matches("http://");
    let asked = format!("Asking {host} for the games of anna64.\n");
    assert_eq!((run.code, run.err), (0, asked));
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[0], "2 new games.");
    assert!(
        lines[1].starts_with("They are in ") && lines[1].ends_with("train/games."),
        "{lines:?}"
    );
    let config = home.0.path().join("config/tabiya");
    let settings = config.join("config.toml");
    let hint = format!(
        "If anna64 is you, put this line into the table [train] of {}:",
        settings.display()
    );
    assert_eq!(lines[2..], [&hint, "names = \"anna64\""]);

    let json = home.import(
        &good(game("bbbbbbbb", 2) + &game("cccccccc", 3)),
        &["--json"],
    );
    let json: Value = serde_json::from_str(&json.out).expect("one object");
    assert_eq!((&json["new"], &json["known"]), (&1.into(), &1.into()));
    let file = home.games().join("lichess-anna64-2026-11.pgn");
    assert_eq!(json["files"][0], file.to_str().expect("UTF-8"));

    // Once a game is judged, as by `study`, and the user has said who is who, its mistakes are asked.
    let judged = fs::read_to_string(&file)
        .expect("a file")
        .replacen(MOVES, JUDGED, 1);
    assert!(judged.contains("[%best"), "{judged}");
    fs::write(&file, &judged).expect("a file");
    let listed = |home: &Home| home.run(&["train", "list"]).fine();
    assert!(!listed(&home).contains("Ke7"));
    fs::create_dir_all(&config).expect("a folder");
    let setting = "[train]\nnames = \"Anna \\\"Doe\\\"; A\"\n";
    fs::write(&settings, setting).expect("a file");
    // What is offered replaces no name, and can be read.
    let more = home.import(&good(game("eeeeeeee", 5)), &[]);
    let line = more.out.lines().last().expect("a line");
    assert_eq!(line, "names = \"Anna \\\"Doe\\\"; A; anna64\"");
    fs::write(&settings, format!("[train]\n{line}\n")).expect("a file");
    let line = "new: 2...Ke7, Black to move. Against Bo, 2026.11.12.\n";
    assert_eq!(listed(&home), line);
    let last = home.import(&good(game("dddddddd", 4)), &[]);
    assert_eq!(last.out.lines().count(), 2, "{}", last.out);
    assert_eq!(listed(&home), line);
    assert!(
        fs::read_to_string(&file)
            .expect("a file")
            .starts_with(&judged)
    );
}

#[test]
fn what_goes_wrong_is_a_sentence_and_an_exit_code() {
    let home = Home::new();
    let missing = home.import(&serve("404 Not Found", String::new(), Duration::ZERO), &[]);
    assert_eq!((missing.code, missing.out.as_str()), (1, ""));
    assert!(
        missing.err.contains("knows no player 'anna64'"),
        "{}",
        missing.err
    );
    let page = home.import(&good("<html>".repeat(100)), &[]);
    assert_eq!(page.code, 3);
    assert!(
        page.err.contains("something other than games"),
        "{}",
        page.err
    );
    let gone = home.import("http://127.0.0.1:1", &["--json"]);
    assert_eq!((gone.code, gone.out.as_str()), (3, ""));
    assert!(gone.err.contains("cannot be reached"), "{}", gone.err);
    let cut =
        game("aaaaaaaa", 1) + "[Event \"?\"]\n[Site \"https://lichess.org/bbbbbbbb\"]\n\n1. e4";
    let cut = home.import(&good(cut), &["--json"]);
    assert_eq!(cut.code, 3);
    assert!(
        cut.out.contains("\"new\":1") && cut.err.contains("broke in the middle"),
        "{cut:?}"
    );
    for arguments in [
        &["lichess", "../anna"][..],
        &["lichess", "anna", "--since", "today"],
        &["lichess", "anna", "--base-url", "http://example.com:80"],
        &["fics", "anna"],
        &["lichess"],
    ] {
        let run = home.run(&[&["import"], arguments].concat());
        assert_eq!(
            (run.code, run.out.as_str()),
            (2, ""),
            "{arguments:?} {}",
            run.err
        );
    }
}

/// Games that are on the disk when the program is killed or interrupted are whole, and the next import goes on.
#[cfg(unix)]
#[test]
fn an_import_that_is_killed_or_interrupted_goes_on_the_next_time() {
    for (signal, least) in [("KILL", 0), ("INT", 3)] {
        let home = Home::new();
        let minutes = |minutes: std::ops::Range<u32>| -> String {
            let id = |minute: u32| format!("game{minute:04}");
            minutes.map(|minute| game(&id(minute), minute)).collect()
        };
        let server = serve("200 OK", minutes(0..4), Duration::from_secs(20));
        let arguments = ["import", "lichess", "anna64", "--base-url", &server];
        let mut child = home
            .command(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut said = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        said.read_line(&mut line).expect("a line");
        thread::sleep(Duration::from_millis(700));
        let id = child.id().to_string();
        let killed = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(killed.expect("kill runs").success());
        let mut out = String::new();
        child
            .stdout
            .take()
            .expect("a pipe")
            .read_to_string(&mut out)
            .expect("text");
        assert!(!child.wait().expect("it ends").success());
        let file = home.games().join("lichess-anna64-2026-11.pgn");
        let text = fs::read_to_string(&file).unwrap_or_default();
        let there = text.matches("[Event ").count();
        assert!(
            there >= least && text.matches("# 1-0").count() == there,
            "{signal} {text}"
        );
        if signal == "INT" {
            assert!(out.starts_with("4 new games.\n"), "{out}");
        }
        let next = home.import(&good(minutes(0..5)), &[]);
        assert_eq!(next.code, 0, "{}", next.err);
        let text = fs::read_to_string(&file).expect("a file");
        assert_eq!(text.matches("[Event ").count(), 5);
    }
}
