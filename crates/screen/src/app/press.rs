//! The keys and the mouse as screens distinguish them, the names of keys, and steps through a list. A match on them is
//! exhaustive, so that a screen says what it does with each.

use std::borrow::Cow;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEventKind};
use tabiya_front::key_map::Key;

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

impl Press {
    /// Whether the key is a character.
    pub(crate) fn is_char(self) -> bool {
        matches!(self, Press::Edit(Edit::Char(_)))
    }
}

/// Something done with the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MouseAct {
    LeftDown,
    LeftDrag,
    LeftUp,
    RightDown,
    RightUp,
    MiddleDown,
    WheelUp,
    WheelDown,
    /// What no screen uses.
    Other,
}

impl From<MouseEventKind> for MouseAct {
    fn from(kind: MouseEventKind) -> MouseAct {
        match kind {
            MouseEventKind::Down(MouseButton::Left) => MouseAct::LeftDown,
            MouseEventKind::Down(MouseButton::Right) => MouseAct::RightDown,
            MouseEventKind::Down(MouseButton::Middle) => MouseAct::MiddleDown,
            MouseEventKind::Drag(MouseButton::Left) => MouseAct::LeftDrag,
            MouseEventKind::Up(MouseButton::Left) => MouseAct::LeftUp,
            MouseEventKind::Up(MouseButton::Right) => MouseAct::RightUp,
            MouseEventKind::ScrollUp => MouseAct::WheelUp,
            MouseEventKind::ScrollDown => MouseAct::WheelDown,
            MouseEventKind::Drag(MouseButton::Right | MouseButton::Middle)
            | MouseEventKind::Up(MouseButton::Middle)
            | MouseEventKind::Moved
            | MouseEventKind::ScrollLeft
            | MouseEventKind::ScrollRight => MouseAct::Other,
        }
    }
}

/// A key as a line of keys names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyLabel {
    Named(&'static str, KeyCode),
    Char(char),
    /// A letter with Ctrl.
    Control(char),
    /// The key of a shortcut.
    Bound(Key),
    /// Several keys, or text to type. It cannot be clicked.
    Several(&'static str),
}

pub(crate) const ENTER: KeyLabel = KeyLabel::Named("Enter", KeyCode::Enter);
pub(crate) const ESC: KeyLabel = KeyLabel::Named("Esc", KeyCode::Esc);
pub(crate) const TAB: KeyLabel = KeyLabel::Named("Tab", KeyCode::Tab);
pub(crate) const DELETE: KeyLabel = KeyLabel::Named("Del", KeyCode::Delete);
pub(crate) const SPACE: KeyLabel = KeyLabel::Named("Space", KeyCode::Char(' '));

impl KeyLabel {
    pub(crate) fn text(self) -> Cow<'static, str> {
        match self {
            KeyLabel::Named(text, _) | KeyLabel::Several(text) => Cow::Borrowed(text),
            KeyLabel::Char(c) => Cow::Owned(c.to_string()),
            KeyLabel::Control(c) => Cow::Owned(format!("Ctrl-{}", c.to_ascii_uppercase())),
            KeyLabel::Bound(key) => Cow::Owned(key.label()),
        }
    }

    /// The key that a click presses.
    pub(crate) fn key(self) -> Option<KeyEvent> {
        match self {
            KeyLabel::Named(_, code) => Some(code.into()),
            KeyLabel::Char(c) => Some(KeyCode::Char(c).into()),
            KeyLabel::Control(c) => Some(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL)),
            KeyLabel::Bound(key) => Some(key.event()),
            KeyLabel::Several(_) => None,
        }
    }
}
