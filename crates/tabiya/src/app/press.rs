//! The keys that screens distinguish, and how they step through a list. A match on the keys is exhaustive, so that a
//! screen says what it does with each.

use crossterm::event::{KeyCode, KeyEvent};

/// The next or previous index in a list, wrapping around.
pub(crate) fn stepped(at: usize, count: usize, forward: bool) -> usize {
    match count {
        0 => 0,
        _ if forward => (at + 1) % count,
        _ => (at + count - 1) % count,
    }
}

/// An index in a list some steps away, or the end of the list.
pub(crate) fn moved(at: usize, count: usize, steps: isize) -> usize {
    at.saturating_add_signed(steps).min(count.saturating_sub(1))
}

/// A key, without its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Press {
    Esc,
    Enter,
    Tab,
    BackTab,
    Up,
    Down,
    PageUp,
    PageDown,
    /// A key that edits the text of a screen, unless the screen uses it otherwise.
    Edit(Edit),
}

/// A key for a line of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edit {
    Left,
    Right,
    Home,
    End,
    Backspace,
    Delete,
    Char(char),
    /// A key that no screen uses.
    Other,
}

impl From<KeyEvent> for Press {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "terminals have more keys than screens use"
    )]
    fn from(key: KeyEvent) -> Press {
        match key.code {
            KeyCode::Esc => Press::Esc,
            KeyCode::Enter => Press::Enter,
            KeyCode::Tab => Press::Tab,
            KeyCode::BackTab => Press::BackTab,
            KeyCode::Up => Press::Up,
            KeyCode::Down => Press::Down,
            KeyCode::Left => Press::Edit(Edit::Left),
            KeyCode::Right => Press::Edit(Edit::Right),
            KeyCode::PageUp => Press::PageUp,
            KeyCode::PageDown => Press::PageDown,
            KeyCode::Home => Press::Edit(Edit::Home),
            KeyCode::End => Press::Edit(Edit::End),
            KeyCode::Backspace => Press::Edit(Edit::Backspace),
            KeyCode::Delete => Press::Edit(Edit::Delete),
            KeyCode::Char(c) => Press::Edit(Edit::Char(c)),
            _ => Press::Edit(Edit::Other),
        }
    }
}
