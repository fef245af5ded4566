//! Every call with which the real program writes a file fails in turn, by strace: what was there stays or what was to be
//! written is there, whole, and the user is told.

#![cfg(target_os = "linux")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use tabiya_game::pgn;

use crate::saves::Home;

/// The calls that change a disk.
const CALLS: &str =
    "openat,write,ftruncate,fsync,fdatasync,link,linkat,rename,renameat2,mkdir,unlink";

/// The names that strace has for errors, and their numbers.
const ERRORS: [(&str, i32); 6] = [
    ("ENOSPC", 28),
    ("EIO", 5),
    ("EDQUOT", 122),
    ("EACCES", 13),
    ("EROFS", 30),
    ("EINTR", 4),
];

/// A way in which the program writes. `HOME` in a word or line stands for the folder of the run.
struct Way {
    name: &'static str,
    arguments: &'static [&'static str],
    lines: &'static str,
    /// Files that are there before, and what is in them.
    before: &'static [(&'static str, &'static str)],
}

const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 *\n";

const WAYS: [Way; 5] = [
    Way {
        name: "export",
        arguments: &["play"],
        lines: "e4\npgn HOME/game.pgn\njson HOME/game.json\nsvg HOME/board.svg\n",
        before: &[],
    },
    Way {
        name: "picture",
        arguments: &[
            "show",
            "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
            "--svg",
            "HOME/board.svg",
        ],
        lines: "",
        before: &[("board.svg", "")],
    },
    Way {
        name: "analysis",
        arguments: &[
            "analyse",
            "HOME/in.pgn",
            "--nodes",
            "100",
            "--out",
            "HOME/out.pgn",
            "--svg",
            "HOME/curve.svg",
        ],
        lines: "",
        before: &[("in.pgn", GAME)],
    },
    Way {
        name: "match",
        arguments: &[
            "match",
            "bot:1",
            "bot:2",
            "--games",
            "2",
            "--concurrency",
            "1",
            "--seed",
            "1",
            "--adjudicate",
            "length:4",
            "--pgn",
            "HOME/match.pgn",
        ],
        lines: "",
        before: &[("match.pgn", GAME)],
    },
    Way {
        name: "save",
        arguments: &["play"],
        lines: "e4\nsave mine\ne5\nsave mine\nnew\ndelete mine\nyes\n",
        before: &[],
    },
];

/// What a run came to.
struct Ended {
    text: String,
    /// Whether it went to its end and said that all is well.
    well: bool,
}

/// Something that strace does to a call: to the so-manieth of a name.
type Injection = (String, usize, String);

fn folder(way: &Way) -> Home {
    let home = Home::new(&format!("faults-{}", way.name));
    for (name, text) in way.before {
        fs::write(home.path().join(name), text).expect("written");
    }
    home
}

fn run(way: &Way, home: &Home, log: &Path, inject: Option<&Injection>) -> Ended {
    let here = home.path().to_str().expect("plain letters");
    let mut command = Command::new("strace");
    command.args(["-f", "-y", "-qq", "-s", "16", "-o"]).arg(log);
    match inject {
        None => command.arg("-e").arg(format!("trace={CALLS}")),
        Some((call, number, what)) => command
            .arg("-e")
            .arg(format!("trace={call}"))
            .arg("-e")
            .arg(format!("inject={call}:{what}:when={number}")),
    };
    command.arg(env!("CARGO_BIN_EXE_tabiya"));
    command.args(way.arguments.iter().map(|word| word.replace("HOME", here)));
    let mut child = command
        .envs(home.variables())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("strace can be started");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that was killed does not read on.
    let _ = stdin.write_all(way.lines.replace("HOME", here).as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let said = [output.stdout, output.stderr].concat();
    Ended {
        text: String::from_utf8_lossy(&said).into_owned(),
        well: output.status.success(),
    }
}

/// The calls in a log that write below a folder, each by its name and its number among those of its name and thread.
fn writing_calls(log: &str, folder: &str) -> BTreeSet<(String, usize)> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for line in log.lines() {
        let Some((thread, call)) = line.split_once(' ') else {
            continue;
        };
        let Some((name, rest)) = call.trim_start().split_once('(') else {
            continue;
        };
        let count = counts.entry((thread, name)).or_default();
        *count += 1;
        // What a write writes is no path; what it writes to is.
        let paths = match name {
            "write" => rest.split(',').next().unwrap_or_default(),
            _ => rest,
        };
        let reads = name == "openat" && !rest.contains("O_CREAT") && !rest.contains("O_WRONLY");
        if paths.contains(folder) && !reads {
            found.insert((name.to_owned(), *count));
        }
    }
    found
}

/// The files of a user below a folder: not drafts, locks and journals, which nobody reads but the program.
fn files(folder: &Path) -> Files {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if path.is_dir() {
                folders.push(path);
            } else if !name.starts_with('.') && name.ends_with(['n', 'g']) && !name.ends_with("new")
            {
                // In the trash a name has the time in it.
                let name = name.replace(|sign: char| sign.is_ascii_digit(), "");
                found.insert(name, fs::read(&path).unwrap_or_default());
            }
        }
    }
    found
}

type Files = BTreeMap<String, Vec<u8>>;

/// Whether everything was written.
fn all_there(way: &Way, found: &Files, wanted: &Files) -> bool {
    // Games of a match differ in how long each move took.
    let games = |files: &Files| {
        files
            .values()
            .map(|file| pgn::games(file).count())
            .sum::<usize>()
    };
    found == wanted || (way.name == "match" && games(found) == games(wanted))
}

/// What is said about an error: plain words where the program has them, and else those of the system.
fn words(code: i32) -> String {
    let plain = match code {
        28 => "the disk is full",
        13 => "permission is denied",
        30 => "the disk is read-only",
        _ => "",
    };
    if !plain.is_empty() {
        return plain.to_owned();
    }
    let text = std::io::Error::from_raw_os_error(code).to_string();
    text.split(" (").next().unwrap_or_default().to_owned()
}

/// Whether a file is as it may be: as it was, as it was to be, or as it was on the way from one to the other.
fn is_whole(way: &Way, name: &str, found: &[u8], wanted: Option<&Vec<u8>>) -> bool {
    let before = way.before.iter().find(|(before, _)| *before == name);
    if wanted.is_some_and(|wanted| wanted == found)
        || before.is_some_and(|(_, text)| text.as_bytes() == found)
    {
        return true;
    }
    // Games are appended one by one, and saved one after the other: any number of whole ones.
    let text = String::from_utf8_lossy(found);
    let whole = pgn::games(found).all(|game| game.errors.is_empty());
    match way.name {
        "match" => whole && text.starts_with(GAME) && text.ends_with('\n'),
        "save" => whole && text.contains("1. e4"),
        _ => false,
    }
}

#[test]
#[ignore = "needs strace"]
fn every_call_that_writes_can_fail() {
    let everything = std::env::var_os("TABIYA_RELEASE").is_some();
    let mut tried = 0;
    for way in &WAYS {
        let home = folder(way);
        let log = std::env::temp_dir().join(format!("tabiya-{}-{}", way.name, std::process::id()));
        let plain = run(way, &home, &log, None);
        assert!(plain.well, "{}: {}", way.name, plain.text);
        let wanted = files(home.path());
        let unchanged = way
            .before
            .iter()
            .all(|(name, text)| wanted.get(*name).is_some_and(|now| now == text.as_bytes()));
        assert!(
            wanted.len() > way.before.len() || !unchanged,
            "{}",
            way.name
        );
        let here = home.path().to_str().expect("plain letters").to_owned();
        let calls = writing_calls(&fs::read_to_string(&log).expect("a log"), &here);
        drop(home);
        assert!(calls.len() >= 4, "{}: {calls:?}", way.name);
        for (at, (call, number)) in calls.into_iter().enumerate() {
            let death = ("signal=KILL".to_owned(), None);
            let faults = ERRORS.map(|(name, code)| (format!("error={name}"), Some(code)));
            for (kind, (what, code)) in faults.into_iter().chain([death]).enumerate() {
                // The usual checks try each call in one way, and each way at some call.
                if !everything && kind != at % (ERRORS.len() + 1) {
                    continue;
                }
                tried += 1;
                let home = folder(way);
                let injection = (call.clone(), number, what.clone());
                let ended = run(way, &home, &log, Some(&injection));
                let context = format!("{}: {what} at {call} {number}: {}", way.name, ended.text);
                let found = files(home.path());
                for (name, bytes) in &found {
                    assert!(
                        is_whole(way, name, bytes, wanted.get(name)),
                        "{name} is neither old nor new: {}\n{context}",
                        String::from_utf8_lossy(bytes)
                    );
                }
                for (name, _) in way.before {
                    assert!(found.contains_key(*name), "{name} is gone\n{context}");
                }
                let told =
                    code.is_some_and(|code| !ended.well || ended.text.contains(&words(code)));
                assert!(
                    all_there(way, &found, &wanted) || code.is_none() || told,
                    "nobody was told\n{context}"
                );
                assert!(!ended.text.contains("panicked"), "{context}");
            }
        }
        let _ = fs::remove_file(&log);
    }
    println!("{tried} calls of the program were made to fail");
}
