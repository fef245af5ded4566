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
    Left,
    Right,
    PageUp,
    PageDown,
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
            KeyCode::Left => Press::Left,
            KeyCode::Right => Press::Right,
            KeyCode::PageUp => Press::PageUp,
            KeyCode::PageDown => Press::PageDown,
            KeyCode::Home => Press::Home,
            KeyCode::End => Press::End,
            KeyCode::Backspace => Press::Backspace,
            KeyCode::Delete => Press::Delete,
            KeyCode::Char(c) => Press::Char(c),
            _ => Press::Other,
        }
    }
}
