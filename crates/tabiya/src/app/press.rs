//! The keys that screens tell apart. A match on them is exhaustive, so that a screen says what it does with each.

use ratatui::crossterm::event::{KeyCode, KeyEvent};

/// A key, whatever is held down with it.
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
    /// One that edits the text of a screen, if there is one and nothing else is done with it.
    Edit(Edit),
}

/// A key that a line of text understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edit {
    Left,
    Right,
    Home,
    End,
    Backspace,
    Delete,
    Char(char),
    /// One that no screen uses.
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
