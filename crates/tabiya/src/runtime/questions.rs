//! Asks the terminal, before any key is read, about its features: pictures, and the background color.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::tui::graphics::{Answers, FIRST_QUESTION, QUESTIONS};

/// How long to wait for the first answer. A remote terminal that takes longer is asked nothing more.
const FIRST: Duration = Duration::from_secs(1);

/// How long to wait for the other answers of a terminal that has answered once.
const REST: Duration = Duration::from_secs(2);

/// The most bytes to read: answers are short.
const MAX_BYTES: usize = 1 << 14;

/// Asks the terminal, which is in raw mode.
pub(super) fn ask() -> io::Result<Answers> {
    let mut bytes = Vec::new();
    send(FIRST_QUESTION)?;
    if read(&mut bytes, FIRST, 1)?.attributes == 0 {
        return Ok(Answers::read(&bytes));
    }
    send(QUESTIONS)?;
    read(&mut bytes, REST, 2)
}

fn send(questions: &str) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(questions.as_bytes())?;
    out.flush()
}

/// Reads until the terminal has identified itself this many times, or the time runs out.
fn read(bytes: &mut Vec<u8>, time: Duration, times: usize) -> io::Result<Answers> {
    let begun = Instant::now();
    loop {
        let answers = Answers::read(bytes);
        let left = time.saturating_sub(begun.elapsed());
        if answers.attributes >= times || left.is_zero() || bytes.len() >= MAX_BYTES {
            return Ok(answers);
        }
        if !receive(bytes, left)? {
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

/// The keys typed before the terminal had answered. Keys that do not begin a game are left out.
pub(super) fn keys(typed: &[u8]) -> Vec<KeyEvent> {
    let text = String::from_utf8_lossy(typed);
    let mut keys = Vec::new();
    let mut rest = &*text;
    while let Some(first) = rest.chars().next() {
        let named = [
            ("\u{1b}[A", KeyCode::Up),
            ("\u{1b}[B", KeyCode::Down),
            ("\u{1b}[C", KeyCode::Right),
            ("\u{1b}[D", KeyCode::Left),
        ];
        let found = named
            .into_iter()
            .find_map(|(text, code)| Some((rest.strip_prefix(text)?, code)));
        if let Some((after, code)) = found {
            keys.push(KeyEvent::new(code, KeyModifiers::NONE));
            rest = after;
            continue;
        }
        let mut modifiers = KeyModifiers::NONE;
        let code = match first {
            '\r' | '\n' => Some(KeyCode::Enter),
            '\t' => Some(KeyCode::Tab),
            '\u{7f}' | '\u{8}' => Some(KeyCode::Backspace),
            '\u{1b}' if rest.len() == 1 => Some(KeyCode::Esc),
            '\u{3}' | '\u{1a}' => {
                modifiers = KeyModifiers::CONTROL;
                Some(KeyCode::Char(if first == '\u{3}' { 'c' } else { 'z' }))
            }
            first if first.is_control() => None,
            first => Some(KeyCode::Char(first)),
        };
        keys.extend(code.map(|code| KeyEvent::new(code, modifiers)));
        let mut after = rest.chars();
        after.next();
        rest = if first == '\u{1b}' && code.is_none() {
            // Another sequence: no part of it is a key.
            after.as_str().trim_start_matches(|c: char| c != '\u{1b}')
        } else {
            after.as_str()
        };
    }
    keys
}

#[cfg(test)]
mod tests;
