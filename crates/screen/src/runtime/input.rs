//! Keys, mouse events, pastes and resizes, read by their own thread.

use std::io;
use std::panic;
use std::sync::mpsc::SyncSender;

#[cfg(debug_assertions)]
use crossterm::event::KeyCode;
use crossterm::event::{self, Event, MouseEventKind};
use ratatui_core::layout::Size;
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
        let ended = panic::catch_unwind(|| read(&sender));
        let _ = sender.send(Incoming::InputEnded(ended));
    })?;
    Ok(())
}

/// Sends what is read to the loop.
fn read(sender: &SyncSender<Incoming>) {
    while let Ok(event) = event::read() {
        let incoming = match event {
            Event::Key(key) => {
                #[cfg(debug_assertions)]
                if key.code == KeyCode::F(12) {
                    rehearse("worker");
                }
                Input::Key(key).into()
            }
            // Nothing depends on the position of an idle mouse.
            Event::Mouse(mouse) if mouse.kind == MouseEventKind::Moved => continue,
            Event::Mouse(mouse) => Incoming::Mouse(mouse),
            Event::Paste(text) => Input::Paste(text).into(),
            Event::Resize(width, height) => {
                Input::Resize(terminal::bounded(Size::new(width, height))).into()
            }
            Event::FocusGained | Event::FocusLost => continue,
        };
        if sender.send(incoming).is_err() {
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
