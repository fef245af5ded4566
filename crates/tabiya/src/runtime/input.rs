//! Keys, mouse events, pastes and resizes, read by their own thread.

use std::io;
use std::panic;
use std::sync::mpsc::SyncSender;

#[cfg(debug_assertions)]
use ratatui::crossterm::event::KeyCode;
use ratatui::crossterm::event::{self, Event, MouseEventKind};
use ratatui::layout::Size;
use tabiya_play::threads;

use super::{Incoming, terminal};
use crate::message::Input;

/// The variable with which a test causes a panic in `main` or in a `worker`, or an `error`, at the key F12. Release
/// builds have none of them.
#[cfg(debug_assertions)]
const PANIC: &str = "TABIYA_TEST_PANIC";

/// Reads until the input ends.
pub(super) fn watch(sender: SyncSender<Incoming>) -> io::Result<()> {
    threads::spawn(move || {
        // A panic here has already restored the terminal. The program must end too.
        let ended = match panic::catch_unwind(|| read(&sender)) {
            Ok(()) => Incoming::InputEnded,
            Err(_) => Incoming::InputFailed,
        };
        let _ = sender.send(ended);
    })?;
    Ok(())
}

fn read(sender: &SyncSender<Incoming>) {
    while let Ok(event) = event::read() {
        let message = match event {
            Event::Key(key) => {
                #[cfg(debug_assertions)]
                if key.code == KeyCode::F(12) {
                    rehearse("worker");
                }
                Input::Key(key)
            }
            // Nothing depends on the position of an idle mouse.
            Event::Mouse(mouse) if mouse.kind == MouseEventKind::Moved => continue,
            Event::Mouse(mouse) => {
                if sender.send(Incoming::Mouse(mouse)).is_err() {
                    return;
                }
                continue;
            }
            Event::Paste(text) => Input::Paste(text),
            Event::Resize(width, height) => {
                Input::Resize(terminal::bounded(Size::new(width, height)))
            }
            Event::FocusGained | Event::FocusLost => continue,
        };
        if sender.send(message.into()).is_err() {
            return;
        }
    }
}

/// Panics if a test asks for it.
#[cfg(debug_assertions)]
pub(super) fn rehearse(place: &str) {
    if is_rehearsed(place) {
        panic!("a rehearsed panic in {place}");
    }
}

/// Whether a test asks for it.
#[cfg(debug_assertions)]
pub(super) fn is_rehearsed(place: &str) -> bool {
    std::env::var(PANIC).is_ok_and(|wanted| wanted == place)
}
