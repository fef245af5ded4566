//! Asks the terminal, before any key is read, about its features: pictures, and the background color.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::tui::graphics::{Answers, FIRST_QUESTION, QUESTIONS};

/// How long to wait for the first answer. A remote terminal that takes longer is asked nothing more.
const FIRST: Duration = Duration::from_secs(1);

/// How long to wait for the other answers of a terminal that has answered once.
const REST: Duration = Duration::from_secs(2);

/// How long to wait for the place of the cursor.
const CURSOR: Duration = Duration::from_millis(300);

/// The most bytes to read: answers are short.
const MAX_BYTES: usize = 1 << 14;

/// Asks the terminal, which is in raw mode.
pub(super) fn ask() -> io::Result<Answers> {
    let mut bytes = Vec::new();
    send(FIRST_QUESTION)?;
    if read(&mut bytes, FIRST, |answers| answers.attributes >= 1)?.attributes == 0 {
        return Ok(Answers::read(&bytes));
    }
    send(QUESTIONS)?;
    read(&mut bytes, REST, |answers| answers.attributes >= 2)
}

/// Writes a symbol into the upper left corner and asks where the cursor is then. Returns whether it has moved by one column,
/// and what was typed meanwhile. A terminal that does not answer does not know the symbol.
pub(super) fn is_one_column_wide(symbol: char) -> io::Result<(bool, Vec<u8>)> {
    send(&format!("\u{1b}7\u{1b}[1;1H{symbol}\u{1b}[6n\u{1b}8"))?;
    let answers = read(&mut Vec::new(), CURSOR, |answers| answers.column.is_some())?;
    Ok((answers.column == Some(2), answers.typed))
}

fn send(questions: &str) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(questions.as_bytes())?;
    out.flush()
}

/// Reads until the terminal has answered enough, or the time runs out.
fn read(
    bytes: &mut Vec<u8>,
    time: Duration,
    is_enough: impl Fn(&Answers) -> bool,
) -> io::Result<Answers> {
    let begun = Instant::now();
    loop {
        let answers = Answers::read(bytes);
        let left = time.saturating_sub(begun.elapsed());
        let is_done = is_enough(&answers) || left.is_zero() || bytes.len() >= MAX_BYTES;
        if is_done || !receive(bytes, left)? {
            return Ok(answers);
        }
    }
}

/// Reads what comes within a time. Returns whether anything came.
#[cfg(unix)]
fn receive(bytes: &mut Vec<u8>, time: Duration) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let stdin = io::stdin();
    let wait = Timespec {
        tv_sec: time.as_secs() as i64,
        tv_nsec: i64::from(time.subsec_nanos()),
    };
    let mut ready = [PollFd::new(&stdin, PollFlags::IN)];
    match poll(&mut ready, Some(&wait)) {
        Ok(0) => return Ok(false),
        Ok(_) => {}
        // A signal. The remaining time starts again.
        Err(rustix::io::Errno::INTR) => return Ok(true),
        Err(error) => return Err(error.into()),
    }
    let mut buffer = [0; 1024];
    let count = rustix::io::read(&stdin, &mut buffer)?;
    bytes.extend(buffer.iter().take(count));
    Ok(count > 0)
}

/// Without a way to wait for an answer, the terminal is not asked.
#[cfg(not(unix))]
fn receive(_: &mut Vec<u8>, _: Duration) -> io::Result<bool> {
    Ok(false)
}

/// The keys that are not letters, as a terminal sends them. Others do not begin a game.
const NAMED: [(&str, KeyCode, KeyModifiers); 11] = [
    ("\u{1b}[A", KeyCode::Up, KeyModifiers::NONE),
    ("\u{1b}[B", KeyCode::Down, KeyModifiers::NONE),
    ("\u{1b}[C", KeyCode::Right, KeyModifiers::NONE),
    ("\u{1b}[D", KeyCode::Left, KeyModifiers::NONE),
    ("\r", KeyCode::Enter, KeyModifiers::NONE),
    ("\n", KeyCode::Enter, KeyModifiers::NONE),
    ("\t", KeyCode::Tab, KeyModifiers::NONE),
    ("\u{7f}", KeyCode::Backspace, KeyModifiers::NONE),
    ("\u{8}", KeyCode::Backspace, KeyModifiers::NONE),
    ("\u{3}", KeyCode::Char('c'), KeyModifiers::CONTROL),
    ("\u{1a}", KeyCode::Char('z'), KeyModifiers::CONTROL),
];

/// The keys typed before the terminal had answered. Keys that do not begin a game are left out.
pub(super) fn keys(typed: &[u8]) -> Vec<KeyEvent> {
    let text = String::from_utf8_lossy(typed);
    let mut keys = Vec::new();
    let mut rest = &*text;
    while let Some(first) = rest.chars().next() {
        let named = NAMED.into_iter().find_map(|(text, code, modifiers)| {
            Some((rest.strip_prefix(text)?, KeyEvent::new(code, modifiers)))
        });
        let after = rest.strip_prefix(first).unwrap_or_default();
        let (after, key) = match (named, first) {
            (Some((after, key)), _) => (after, Some(key)),
            (None, '\u{1b}') if after.is_empty() => (after, Some(KeyCode::Esc.into())),
            // Another sequence: no part of it is a key.
            (None, '\u{1b}') => (after.trim_start_matches(|c| c != '\u{1b}'), None),
            (None, first) if first.is_control() => (after, None),
            (None, first) => (after, Some(KeyCode::Char(first).into())),
        };
        keys.extend(key);
        rest = after;
    }
    keys
}

#[cfg(test)]
mod tests;
