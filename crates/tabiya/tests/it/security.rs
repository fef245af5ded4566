//! What SECURITY.md promises and no other file tests: what the environment, the working folder, a clipboard and a config
//! in the wrong place cannot do; and that every test it names is there.

#![cfg(unix)]

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::saves::Home;
use crate::support::{Run, finished};
use crate::tui_saves::{settle, start};

/// Long enough for a program to be started that should not be.
const WHILE: Duration = Duration::from_millis(700);

/// A program that leaves a mark, in the home.
fn program(home: &Home, name: &str) -> PathBuf {
    let path = home.path().join(name);
    let script = format!("#!/bin/sh\ntouch {}\ncat\n", mark(home).display());
    std::fs::write(&path, script).expect("written");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, mode).expect("it is ours");
    path
}

fn mark(home: &Home) -> PathBuf {
    home.path().join("PWNED")
}

/// Runs it in the home, with time after each line.
fn run_in(home: &Home, arguments: &[&str], variables: &[(&str, &str)], lines: &[&str]) -> Run {
    let mut command = home.command(arguments);
    command.current_dir(home.path());
    command.envs(variables.iter().copied());
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary can be started");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    for line in lines {
        // A program that ends early does not read on.
        let _ = writeln!(stdin, "{line}");
        thread::sleep(WHILE);
    }
    drop(stdin);
    finished(&child.wait_with_output().expect("the child ends"))
}

#[test]
fn no_variable_of_the_environment_names_a_program() {
    let home = Home::new("environment");
    let program = program(&home, "evil").display().to_string();
    let names = [
        "EDITOR",
        "VISUAL",
        "PAGER",
        "MANPAGER",
        "BROWSER",
        "SHELL",
        "ENGINE",
        "STOCKFISH",
        "TABIYA",
        "TABIYA_ENGINE",
        "TABIYA_STOCKFISH",
        "TABIYA_CONFIG",
        "RUSTC_WRAPPER",
    ];
    let variables = names.map(|name| (name, program.as_str()));
    let lines = ["help", "e4", "hint", "saves", "lines", "quit"];
    run_in(&home, &["play", "--black", "bot:1"], &variables, &lines).fine();
    let run = run_in(&home, &["engines"], &variables, &[]);
    assert!(!run.out.contains("evil"), "{}", run.out);
    let mut screen = {
        let mut variables = variables.to_vec();
        let own = home.variables();
        variables.extend(own.iter().map(|(name, value)| (*name, value.as_str())));
        crate::screen::Screen::start_with(&["play", "--black", "human"], &variables)
    };
    screen.wait_for("White to move");
    screen.send("?");
    screen.wait_for("search:");
    screen.send("\u{1b}");
    screen.wait_for("White to move");
    screen.send(":q\r");
    screen.ends();
    assert!(!mark(&home).exists(), "a variable named a program");
}

#[test]
fn a_config_in_the_working_folder_is_not_read() {
    let home = Home::new("working-config");
    let program = program(&home, "evil");
    let config = format!("[engines.evil]\npath = \"{}\"\n", program.display());
    for name in ["config.toml", "tabiya.toml", ".tabiya.toml"] {
        std::fs::write(home.path().join(name), &config).expect("written");
    }
    std::fs::create_dir_all(home.path().join("tabiya")).expect("a folder");
    std::fs::write(home.path().join("tabiya/config.toml"), &config).expect("written");
    let run = run_in(&home, &["engines"], &[], &[]);
    assert!(!run.out.contains("evil"), "{}", run.out);
    // Relative folders are no folders of a user.
    let relative = [("XDG_CONFIG_HOME", "."), ("XDG_DATA_HOME", ".")];
    let run = run_in(&home, &["engines"], &relative, &[]);
    assert!(!run.out.contains("evil"), "{}", run.out);
}

#[test]
fn a_name_is_not_looked_for_in_the_working_folder() {
    let home = Home::new("working-folder");
    program(&home, "viridithas");
    for arguments in [
        &["play", "--white", "uci:viridithas"][..],
        &["match", "bot:1", "uci:viridithas", "--games", "2"],
        &["engines", "check", "viridithas"],
        &["analyse", "startpos", "--engine", "viridithas"],
    ] {
        let run = run_in(&home, arguments, &[], &["quit"]);
        assert_eq!(run.code, 3, "{arguments:?}: {run:?}");
        assert!(run.err.contains("./viridithas"), "{arguments:?}: {run:?}");
    }
    assert!(!mark(&home).exists(), "it was started");
    run_in(
        &home,
        &["play", "--white", "uci:./viridithas"],
        &[],
        &["last", "quit"],
    );
    assert!(
        mark(&home).exists(),
        "a path that somebody types is started"
    );
}

/// An empty folder on PATH, which one colon too many makes, is the working folder for a shell.
#[test]
fn no_folder_of_path_is_the_working_folder() {
    let home = Home::new("path");
    std::fs::create_dir_all(home.path().join("bin")).expect("a folder");
    program(&home, "bin/viridithas");
    program(&home, "viridithas");
    let path = std::env::var("PATH").unwrap_or_default();
    for folder in ["", ".", "bin", "./bin"] {
        for path in [format!("{folder}:{path}"), format!("{path}:{folder}")] {
            let variables = [("PATH", path.as_str())];
            for arguments in [
                &["play", "--white", "uci:viridithas"][..],
                &["engines", "check", "viridithas"],
            ] {
                let run = run_in(&home, arguments, &variables, &["quit"]);
                assert_eq!(run.code, 3, "{path:?} {arguments:?}: {run:?}");
            }
        }
    }
    // A name in the config is looked for in the same way.
    settle(&home, "[engines.mine]\npath = \"viridithas\"\n");
    let lost = format!("{path}:");
    let check = ["engines", "check", "mine"];
    let run = run_in(&home, &check, &[("PATH", lost.as_str())], &[]);
    assert_eq!(run.code, 3, "{run:?}");
    assert!(!mark(&home).exists(), "it was started");
    let found = format!("{path}:{}", home.path().join("bin").display());
    run_in(&home, &check, &[("PATH", found.as_str())], &[]);
    assert!(mark(&home).exists(), "a whole path is searched");
}

#[test]
fn what_is_pasted_runs_nothing() {
    let home = Home::new("pasted");
    let evil = program(&home, "evil");
    let pasted = [
        format!(":opponent uci {}\r", evil.display()),
        format!("opponent uci:{}\ne4\n", evil.display()),
        format!(
            "[BlackPlayer \"uci:{}\"]\n\n1. e4 e5 2. Nf3 *\n",
            evil.display()
        ),
    ];
    let arguments: [&[&str]; 2] = [&["play", "--black", "human"], &["play", "--line"]];
    for (arguments, text) in arguments
        .iter()
        .flat_map(|arguments| pasted.iter().map(move |text| (arguments, text)))
    {
        let mut screen = start(&home, arguments);
        screen.wait(|shown| {
            let text = shown.contents();
            text.contains("White to move") || text.contains("Enter move:")
        });
        screen.send(&format!("\u{1b}[200~{text}\u{1b}[201~"));
        thread::sleep(WHILE);
        assert!(!mark(&home).exists(), "{arguments:?} {text:?}");
        screen.signal("TERM");
        screen.ends();
    }
}

/// The sources with tests in them.
fn sources(folder: &Path, texts: &mut String) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, texts);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            texts.push_str(&std::fs::read_to_string(&path).expect("text"));
        }
    }
}

#[test]
fn every_line_of_the_page_names_a_test_that_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("SECURITY.md")).expect("the page");
    let mut texts = String::new();
    sources(&root.join("crates"), &mut texts);
    let rows = page.lines().filter(|line| line.starts_with("| "));
    let promises = rows.filter(|row| !row.starts_with("| ---") && !row.contains("| shown by |"));
    let mut count = 0;
    for row in promises {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let tests = cells.last().expect("a cell").trim();
        let names: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "no test: {row}");
        for name in names {
            assert!(
                texts.contains(&format!("fn {name}()")),
                "there is no test {name}: {row}"
            );
            count += 1;
        }
    }
    assert!(count > 20, "only {count} tests are named");
}
