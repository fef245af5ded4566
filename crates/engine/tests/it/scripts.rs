//! Conversations of real interfaces, step by step, with the engine as a program.

use std::time::Duration;

use test_suites::{Suites, UCI_SCRIPTS, lines, test_on_suites};

use crate::support::{Conversation, assert_legal};

test_on_suites!(every_script_passes);

fn every_script_passes(suites: &Suites) {
    for suite in suites.files(UCI_SCRIPTS) {
        println!("script {}", suite.name);
        let nodes = play(&suite.text());
        if suite.name.contains("repro") {
            let (first, second) = nodes.split_at(nodes.len() / 2);
            assert_eq!(first, second, "{}: nodes of its two halves", suite.name);
            assert!(!first.is_empty(), "{}", suite.name);
        }
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

/// Follows a script, and gives the number of positions that each of its searches told of last.
fn play(script: &str) -> Vec<Option<String>> {
    let mut talk = Conversation::start();
    let mut last_best = String::new();
    let mut nodes = Vec::new();
    for step in lines(script) {
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
            if pattern.starts_with("bestmove") {
                nodes.push(seen.iter().rev().find_map(|line| nodes_of(line)));
            }
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
    nodes
}

/// The number after `nodes` in a line, if there is one.
fn nodes_of(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    words.by_ref().find(|word| *word == "nodes")?;
    words.next().map(str::to_owned)
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
