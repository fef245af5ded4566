//! Files of games for the tests of `tabiya pgn`.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::thread;

use crate::support::spawn;

/// Three games, of which the one in the middle has an error in its second line of moves, and the last no result.
pub(crate) const GAMES: &str = "\
[Event \"Spring Open\"]
[Date \"2021.03.05\"]
[White \"Ann Archer\"]
[Black \"Bob, Ben\"]
[Result \"1-0\"]
[WhiteElo \"2500\"]
[BlackElo \"2400\"]
[ECO \"C20\"]

1. e4 e5 2. Qh5 (2. Nf3 Nc6) Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

[Event \"Autumn Cup\"]
[Date \"2022.??.??\"]
[White \"Bob, Ben\"]
[Black \"Cleo\"]
[Result \"1/2-1/2\"]

1. d4 d5 {quiet}
2. Qh7 c6 1/2-1/2

[Event \"Spring Open\"]
[Date \"2021.03.06\"]
[White \"Cleo\"]
[Black \"Ann Archer\"]
[SetUp \"1\"]
[FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\"]

1. O-O Ke7 2. e4
";

/// What `check` says about them under the name of a file.
pub(crate) fn complaint(name: &str) -> String {
    format!("{name}:19:4: game 2, Bob, Ben – Cleo: 'Qh7' cannot be played.")
}

/// A file that exists until the tests are cleaned away.
pub(crate) fn file(name: &str, bytes: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).expect("the folder for the tests can be written");
    path.to_str().expect("a path in UTF-8").to_owned()
}

/// Runs the binary with bytes on stdin: stdout, stderr and the exit code.
pub(crate) fn run_bytes(arguments: &[&str], input: &[u8]) -> (Vec<u8>, String, i32) {
    let mut child = spawn(arguments);
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    let input = input.to_owned();
    let writer = thread::spawn(move || {
        // A child that ends before it has read everything is fine.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the child ends");
    writer.join().expect("the writer ends");
    let err = String::from_utf8(output.stderr).expect("stderr is UTF-8");
    let code = output.status.code().expect("no signal ended it");
    (output.stdout, err, code)
}

/// The commands that read files of games.
pub(crate) const ALL: [&str; 5] = ["check", "stats", "filter", "fens", "convert"];
