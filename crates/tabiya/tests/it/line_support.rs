//! Playing in the line mode through pipes.

use crate::support::{Run, run_with};

const BOARD_LINES: usize = 10;

/// Plays lines from a position and returns what was said: no boards, no prompts, no goodbye.
#[track_caller]
pub(crate) fn said_from(fen: &str, lines: &[&str]) -> Vec<String> {
    said_with(&["play", "--fen", fen], lines)
}

/// The same from the start.
#[track_caller]
pub(crate) fn said(lines: &[&str]) -> Vec<String> {
    said_with(&[], lines)
}

/// The same with flags.
#[track_caller]
pub(crate) fn said_with(arguments: &[&str], lines: &[&str]) -> Vec<String> {
    let out = run_lines(arguments, lines).fine();
    let all: Vec<&str> = out.lines().collect();
    let mut said = Vec::new();
    let mut at = 0;
    while let Some(&line) = all.get(at) {
        let board = all
            .get(at + 1)
            .is_some_and(|next| next.starts_with("8 ") || next.starts_with("1 "));
        if line.is_empty() && board {
            at += BOARD_LINES;
        } else {
            if !line.ends_with("'s turn. Enter move: ") {
                said.push(line.to_owned());
            }
            at += 1;
        }
    }
    assert_eq!(said.pop().as_deref(), Some("Game over. Goodbye!"), "{out}");
    said
}

pub(crate) fn run_lines(arguments: &[&str], lines: &[&str]) -> Run {
    run_with(
        arguments,
        &lines
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>(),
    )
}
