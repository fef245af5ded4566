//! A line of text being typed.

use crate::app::press::{Edit, Press};
use crossterm::event::{KeyEvent, KeyModifiers};
use tabiya_rules::text::is_safe;

/// The longest text that can be typed or pasted. A FEN fits.
const MAX_LENGTH: usize = 200;

/// A text with a cursor in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TextLine {
    text: String,
    /// The byte index of the cursor, always on a character boundary.
    at: usize,
}

impl TextLine {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text before the cursor and after it.
    pub(crate) fn halves(&self) -> (&str, &str) {
        self.text
            .split_at_checked(self.at)
            .unwrap_or((&self.text, ""))
    }

    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.at = 0;
    }

    /// Replaces the text. The cursor goes to its end.
    pub(crate) fn set(&mut self, text: &str) {
        self.clear();
        self.insert(text);
    }

    /// Inserts a text, without control characters and without what does not fit.
    pub(crate) fn insert(&mut self, text: &str) {
        for c in text.chars() {
            let c = if c == '\n' || c == '\t' { ' ' } else { c };
            if is_safe(c) && self.text.len() + c.len_utf8() <= MAX_LENGTH {
                self.text.insert(self.at, c);
                self.at += c.len_utf8();
            }
        }
    }

    /// Handles an editing key. Returns whether it is one.
    pub(crate) fn edit(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let Press::Edit(edit) = Press::from(key) else {
            return false;
        };
        match edit {
            Edit::Char('u') if control => self.clear(),
            Edit::Char('w') if control => self.delete_word(),
            Edit::Char('a') if control => self.at = 0,
            Edit::Char('e') if control => self.at = self.text.len(),
            Edit::Char('h') if control => self.backspace(),
            Edit::Char(c) if !control && !key.modifiers.contains(KeyModifiers::ALT) => {
                let mut text = [0; 4];
                self.insert(c.encode_utf8(&mut text));
            }
            Edit::Backspace => self.backspace(),
            Edit::Delete => self.delete(),
            Edit::Left => self.at -= self.before().map_or(0, char::len_utf8),
            Edit::Right => self.at += self.after().map_or(0, char::len_utf8),
            Edit::Home => self.at = 0,
            Edit::End => self.at = self.text.len(),
            Edit::Char(_) | Edit::Other => return false,
        }
        true
    }

    /// The character before the cursor.
    fn before(&self) -> Option<char> {
        self.halves().0.chars().next_back()
    }

    /// The character after the cursor.
    fn after(&self) -> Option<char> {
        self.halves().1.chars().next()
    }

    /// Deletes the character before the cursor.
    fn backspace(&mut self) {
        if let Some(c) = self.before() {
            self.at -= c.len_utf8();
            self.text.remove(self.at);
        }
    }

    /// Deletes the character after the cursor.
    fn delete(&mut self) {
        if self.after().is_some() {
            self.text.remove(self.at);
        }
    }

    /// Deletes the word before the cursor.
    fn delete_word(&mut self) {
        while self.before().is_some_and(char::is_whitespace) {
            self.backspace();
        }
        while self.before().is_some_and(|c| !c.is_whitespace()) {
            self.backspace();
        }
    }
}

impl From<&str> for TextLine {
    fn from(text: &str) -> TextLine {
        let mut line = TextLine::default();
        line.insert(text);
        line
    }
}

#[cfg(test)]
mod tests;
