//! Names of saves as somebody might type them: whatever they are, nothing outside the folder is touched.

#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use tabiya_rules::SplitMix64;

use crate::saves::Home;
use crate::support::size;

const PIECES: [&str; 40] = [
    "..",
    ".",
    "/",
    "\\",
    "a",
    "CON",
    "nul",
    "-",
    "-rf",
    " ",
    "\u{202e}",
    "\u{2215}",
    "~",
    ":",
    "%2e",
    "é",
    "♞",
    "\u{feff}",
    "com1",
    "/etc/passwd",
    "$HOME",
    "*",
    "x",
    "link",
    "pipe",
    "folder",
    "\u{1f600}",
    "../outside",
    "./",
    "//",
    "...",
    "\t",
    "\u{0}",
    "\u{7f}",
    "`id`",
    "$(id)",
    ";",
    "&",
    "'",
    "\"",
];

fn any_name(random: &mut SplitMix64) -> String {
    match random.below(20) {
        0 => "x".repeat(300),
        1 => "link".to_owned(),
        2 => "pipe".to_owned(),
        3 => "../outside".to_owned(),
        _ => (0..=random.below(5))
            .map(|_| PIECES[random.below(PIECES.len())])
            .collect(),
    }
}

/// The paths that the program has named to the system while it was given lines, those below its folder and others.
fn paths(home: &Home, lines: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let log = home.path().join("strace.log");
    let mut command = Command::new("strace");
    command
        .args(["-f", "-qq", "-s", "4096", "-e", "trace=%file", "-o"])
        .arg(&log)
        .args([env!("CARGO_BIN_EXE_tabiya"), "play", "--json"])
        .envs(home.variables())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().expect("strace can be started");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(lines.as_bytes()).expect("it reads");
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
    let store = home.path().join("data/tabiya");
    let store = store.to_str().expect("plain letters");
    let log = std::fs::read_to_string(&log).expect("a log");
    // Every quoted text is a path, as the system got it.
    let named = log
        .lines()
        .flat_map(|line| line.split('"').skip(1).step_by(2));
    named.map(str::to_owned).partition(|path| {
        let inside = Path::new(path).strip_prefix(store);
        inside.is_ok_and(|rest| !rest.iter().any(|part| part == ".."))
    })
}

#[test]
#[ignore = "needs strace"]
fn no_name_leads_the_program_out_of_its_folder() {
    let home = Home::new("names");
    let saves = home.path().join("data/tabiya/saves");
    std::fs::create_dir_all(&saves).expect("a folder");
    let outside = home.path().join("outside.pgn");
    let text = "[White \"Somebody else\"]\n\n1. a3 h6 *\n";
    std::fs::write(&outside, text).expect("written");
    std::os::unix::fs::symlink(&outside, saves.join("link.pgn")).expect("a link");
    std::os::unix::fs::symlink(&outside, saves.join("link.journal")).expect("a link");
    let pipe = Command::new("mkfifo").arg(saves.join("pipe.pgn")).status();
    assert!(pipe.expect("mkfifo").success());
    std::fs::create_dir(saves.join("folder.pgn")).expect("a folder");

    // What the program reads in any case: libraries, the time zone, its settings.
    let (_, usual) = paths(&home, "e4\nsave usual\nload usual\nsaves\ndelete none\n");
    let mut random = SplitMix64::new(6);
    let count = size("TABIYA_NAMES", 400);
    let mut lines = String::from("e4\n");
    for _ in 0..count {
        let name = any_name(&mut random);
        for command in ["save", "load", "review save"] {
            writeln!(lines, "{command} {name}").expect("a string");
        }
        write!(lines, "new\ne4\ndelete {name}\nyes\n").expect("a string");
    }
    lines.push_str("saves\n");
    let (inside, others) = paths(&home, &lines);
    let strange: Vec<&String> = others.difference(&usual).collect();
    assert!(strange.is_empty(), "{strange:?}");
    assert!(inside.len() > count / 8, "{} paths", inside.len());
    assert_eq!(std::fs::read_to_string(&outside).expect("there"), text);
    println!(
        "{count} names, {} paths below the folder, none outside",
        inside.len()
    );
}
