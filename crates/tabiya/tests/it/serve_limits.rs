//! `tabiya serve` under a limit on processes, at its start and later.

#![cfg(all(target_os = "linux", feature = "serve"))]

use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use serde_json::json;
use test_suites::limits::Count;

use crate::saves::Home;
use crate::serve::Site;
use crate::ulimits::{ended, limited};

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

#[test]
#[ignore = "needs root, or namespaces for users"]
fn a_server_without_threads_does_not_start() {
    let home = Home::new("serve-ulimit");
    for most in 1..=5 {
        let limit = format!("ulimit -u {most}");
        let command = limited(&home, Count::Own, &limit, &SERVE);
        let output = ended(command, "");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("panicked"), "{most}: {said}");
        assert_eq!(output.status.code(), Some(3), "{most}: {said}");
        assert!(
            said.contains("no more threads can be started"),
            "{most}: {said}"
        );
        assert!(output.stdout.is_empty(), "{most}: {output:?}");
    }
}

/// What needs a thread has it from the start: games begin, are played and are saved.
#[test]
#[ignore = "needs root, or namespaces for users"]
fn a_server_goes_on_without_new_threads() {
    let home = Home::new("serve-prlimit");
    let mut command = limited(&home, Count::Own, "ulimit -u 4096", &SERVE);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    let output = child.stdout.take().expect("a pipe");
    BufReader::new(output)
        .read_line(&mut line)
        .expect("an address");
    let site = Site::printed(&line);
    let id = child.id().to_string();
    // Whoever runs the server may lower its limits.
    let user = std::fs::metadata(format!("/proc/{id}")).expect("it runs");
    let limited = Command::new("prlimit")
        .args(["--nproc=1:1", "--pid", &id])
        .uid(user.uid())
        .gid(user.gid())
        .status();
    assert!(
        limited.is_ok_and(|status| status.success()),
        "prlimit of util-linux"
    );
    let host = site.enter();
    for opponent in ["here", "bot:1", "here"] {
        let made = site.post("/api/games", &host, &json!({ "opponent": opponent }));
        let id = made["id"].as_str().expect("an ID");
        let role = made["you"].as_str().expect("a role");
        let link = made["links"][role].as_str().expect("a link");
        let token = link.split_once('#').expect("a token").1;
        let moves = format!("/api/games/{id}/moves");
        let state = site.post(&moves, token, &json!({ "move": "e4" }));
        assert_eq!(state["moves"][0]["san"], "e4");
    }
    let ended = Command::new("kill").args(["-TERM", &id]).status();
    assert!(ended.is_ok_and(|status| status.success()));
    let status = child.wait().expect("it ends");
    let mut said = String::new();
    let errors = child.stderr.as_mut().expect("a pipe");
    errors.read_to_string(&mut said).expect("text");
    assert!(!said.contains("panicked"), "{said}");
    assert_eq!(status.code(), Some(0), "{said}");
    assert!(said.contains("every game is on disk"), "{said}");
    let saves = home.path().join("data/tabiya/serve/saves");
    assert_eq!(std::fs::read_dir(saves).expect("a folder").count(), 3);
}
