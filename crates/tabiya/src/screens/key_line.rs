//! A line of keys with what they do: drawn, and clicked as if the key was pressed.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::{Position, Rect};

use crate::tui::palette::Palette;
use crate::tui::text::{put, width};

/// Keys by their names, each with what it does.
pub(super) type Keys = &'static [(&'static str, &'static str)];

/// As many keys as there is room for, the first ones first.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyLine {
    area: Rect,
    keys: Keys,
    at_right: bool,
}

/// The cells between two keys.
const GAP: u16 = 2;

impl KeyLine {
    /// From the second column of an area on.
    pub(super) fn left(area: Rect, keys: Keys) -> KeyLine {
        KeyLine {
            area,
            keys,
            at_right: false,
        }
    }

    /// At the end of an area.
    pub(super) fn right(area: Rect, keys: Keys) -> KeyLine {
        KeyLine {
            area,
            keys,
            at_right: true,
        }
    }

    /// The keys that fit, each with its column.
    fn places(&self) -> Vec<(u16, &'static str, &'static str)> {
        let mut column = u16::from(!self.at_right);
        let mut places = Vec::new();
        for &(key, what) in self.keys {
            let end = column + wide(key, what);
            if end <= self.area.width {
                places.push((column, key, what));
                column = end + GAP;
            }
        }
        if self.at_right {
            let free = (self.area.width + GAP).saturating_sub(column);
            for place in &mut places {
                place.0 += free;
            }
        }
        places
    }

    pub(super) fn draw(&self, buffer: &mut Buffer, palette: Palette) {
        for (column, key, what) in self.places() {
            let style = match named(key) {
                Some(_) => palette.accent(),
                None => palette.dim(),
            };
            // Spaces around it, because the line may stand in the edge of a frame.
            let before = column.saturating_sub(1);
            put(buffer, self.area, before, " ", palette.dim());
            let after = put(buffer, self.area, column, key, style);
            let end = put(buffer, self.area, after, &format!(" {what}"), palette.dim());
            put(buffer, self.area, end, " ", palette.dim());
        }
    }

    /// The key at a cell, if it can be pressed by a click.
    pub(super) fn key_at(&self, at: Position) -> Option<KeyEvent> {
        if !self.area.contains(at) {
            return None;
        }
        let right = at.x - self.area.x;
        let places = self.places().into_iter();
        places
            .filter(|(column, key, what)| (*column..column + wide(key, what)).contains(&right))
            .find_map(|(_, key, _)| named(key))
    }
}

fn wide(key: &str, what: &str) -> u16 {
    width(key) + 1 + width(what)
}

/// The key of a name. Names of several keys stand for none of them.
pub(super) fn named(name: &str) -> Option<KeyEvent> {
    let plain = |code| Some(KeyEvent::new(code, KeyModifiers::NONE));
    match name {
        "Esc" | "any other key" => plain(KeyCode::Esc),
        "Enter" => plain(KeyCode::Enter),
        "Tab" => plain(KeyCode::Tab),
        "Del" => plain(KeyCode::Delete),
        "Space" => plain(KeyCode::Char(' ')),
        name => {
            let (letter, modifiers) = match name.strip_prefix("Ctrl-") {
                Some(letter) => (letter.to_ascii_lowercase(), KeyModifiers::CONTROL),
                None => (name.to_owned(), KeyModifiers::NONE),
            };
            let mut letters = letter.chars();
            match (letters.next(), letters.next()) {
                (Some(letter), None) => Some(KeyEvent::new(KeyCode::Char(letter), modifiers)),
                _ => None,
            }
        }
    }
}
