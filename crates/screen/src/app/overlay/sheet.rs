//! A text to read: a game as PGN, the answer to a command.

use crossterm::event::KeyEvent;
use ratatui_core::layout::{Rect, Size};
use tabiya_front::cells::{row, width, wrap};

use super::super::App;
use super::super::action::Action;
use super::super::canvas::{Canvas, KeyNames};
use super::{Component, Response};
use crate::app::press::{ESC, Edit, KeyLabel, Press};
use crate::message::Hit;
use crate::tui::geometry::{above, centered};

const KEYS: KeyNames = &[(KeyLabel::Several("↑↓"), "scroll"), (ESC, "close")];

/// A text longer than a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sheet {
    title: &'static str,
    lines: Vec<String>,
    scroll: usize,
}

impl Sheet {
    pub(crate) fn new(title: &'static str, lines: Vec<String>) -> Sheet {
        Sheet {
            title,
            lines,
            scroll: 0,
        }
    }

    /// Scrolls by this many lines of the screen, from what is visible now.
    fn scroll_by(&mut self, lines: isize, size: Size) {
        let (.., last) = self.laid_out(size);
        self.scroll = self.scroll.min(last).saturating_add_signed(lines).min(last);
    }

    /// Its area on the screen, its lines wrapped to the width, and the first visible one when the last is visible.
    fn laid_out(&self, size: Size) -> (Rect, Vec<String>, usize) {
        let lines = self.lines.iter();
        let widest = lines.clone().map(|line| width(line)).max();
        let wanted = widest.unwrap_or(0).saturating_add(4).clamp(30, 84);
        let inside = wanted.min(size.width).saturating_sub(4);
        let lines: Vec<String> = lines.flat_map(|line| wrap(line, inside)).collect();
        let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let area = centered(size, wanted, height.saturating_add(3).max(4));
        // The edges take two lines, and the keys one.
        let room = usize::from(area.height.saturating_sub(3));
        let last = lines.len().saturating_sub(room);
        (area, lines, last)
    }
}

impl Component for Sheet {
    fn key(&mut self, key: KeyEvent, app: &App) -> Response {
        let size = app.look.size;
        match Press::from(key) {
            Press::Up => self.scroll_by(-1, size),
            Press::Down => self.scroll_by(1, size),
            Press::PageUp => self.scroll_by(-10, size),
            Press::PageDown | Press::Edit(Edit::Char(' ')) => self.scroll_by(10, size),
            Press::Edit(Edit::Home) => self.scroll = 0,
            Press::Edit(Edit::End) => self.scroll_by(isize::MAX, size),
            // A user who keeps typing has read it. A letter may begin a move.
            Press::Edit(Edit::Char(letter)) if letter != 'q' => {
                return Response::CloseAndDo(Action::Press(key));
            }
            Press::Edit(Edit::Char(_)) | Press::Esc | Press::Enter => return Response::Close,
            Press::Tab | Press::BackTab | Press::Edit(_) => {}
        }
        Response::Stay
    }

    fn click(&mut self, _: &Hit, _: &App) -> Response {
        Response::Close
    }

    fn press_other_button(&mut self) -> Response {
        Response::Close
    }

    fn wheel(&mut self, steps: isize, _: Option<&Hit>, app: &App) -> Response {
        self.scroll_by(steps, app.look.size);
        Response::Stay
    }

    fn render(&self, app: &App, canvas: &mut Canvas<'_>) {
        let (area, lines, last) = self.laid_out(app.look.size);
        let inside = canvas.draw_frame(area, self.title);
        // The screen may have grown since it was scrolled.
        let seen = lines.iter().skip(self.scroll.min(last));
        canvas.put_lines(above(inside, 1), seen, canvas.styles.text());
        // If everything is visible, there is nothing to scroll.
        let keys = if last > 0 { KEYS } else { &KEYS[1..] };
        canvas.draw_keys_at_right(row(inside, inside.height.saturating_sub(1)), keys);
    }
}
