//! Conversations of real interfaces, step by step, with the engine as a program.

use std::time::Duration;

use crate::support::{Conversation, assert_legal, suites};

#[test]
fn every_script_passes() {
    let Some(folder) = suites("uci/gui_scripts") else {
        return;
    };
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        println!("script {}", path.display());
        play(&std::fs::read_to_string(&path).expect("a text"));
    }
}

/// The part before ` key=` and the milliseconds or the text after it.
fn split<'a>(text: &'a str, key: &str) -> (&'a str, Option<&'a str>) {
    match text.rsplit_once(&format!("{key}=")) {
        Some((before, value)) => (before.trim(), Some(value.trim())),
        None => (text.trim(), None),
    }
}

fn millis(text: Option<&str>) -> Duration {
    Duration::from_millis(text.map_or(1000, |text| text.parse().expect("a number")))
}

fn play(script: &str) {
    let mut talk = Conversation::start();
    let mut last_best = String::new();
    for step in script
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
    {
        if let Some(text) = step.strip_prefix("> ") {
            talk.send(text.as_bytes());
        } else if let Some(wanted) = step.strip_prefix("!< ") {
            let (forbidden, until) = split(wanted, "until");
            let until = until.expect("an end");
            let limit = Duration::from_secs(10);
            let seen = talk.lines.until(|line| glob(until, line), limit);
            assert!(
                !seen.iter().any(|line| glob(forbidden, line)),
                "{step}: {seen:?}"
            );
        } else if let Some(wanted) = step.strip_prefix("< ") {
            let (pattern, limit) = split(wanted, "ms");
            let seen = talk.lines.until(|line| glob(pattern, line), millis(limit));
            if let Some(best) = seen.into_iter().rfind(|line| line.starts_with("bestmove")) {
                last_best = best;
            }
        } else if let Some(pause) = step.strip_prefix("~ ") {
            std::thread::sleep(millis(Some(pause.trim())));
        } else if step == "legal" {
            assert_legal(talk.position(), &last_best);
        } else if step == "eof" {
            talk.input = None;
        } else if let Some(limit) = step.strip_prefix("exit") {
            talk.assert_exit(millis(split(limit, "ms").1));
        } else {
            panic!("unknown step: {step}");
        }
    }
}

/// Does a text fit a pattern in which `*` stands for anything?
fn glob(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, after)) => text.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len()).any(|at| rest.get(at..).is_some_and(|rest| glob(after, rest)))
        }),
    }
}

#[test]
fn the_pattern_language() {
    assert!(glob("info *score*", "info depth 1 score cp 5"));
    assert!(glob("bestmove *", "bestmove e2e4"));
    assert!(!glob("uciok", "uciok "));
    assert!(!glob("a*b", "ac"));
}
