//! A text that lies over the screen, and how it is laid out.

use ratatui::layout::{Rect, Size};

use crate::tui::geometry::centered;
use crate::tui::text::{width, wrap};

/// A text that is longer than a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sheet {
    pub(crate) title: &'static str,
    pub(crate) lines: Vec<String>,
    pub(crate) scroll: usize,
}

impl Sheet {
    /// Goes up or down by so many lines of the screen, from what is seen of it now.
    pub(crate) fn scroll_by(&mut self, lines: isize, size: Size) {
        let last = Page::new(self, size).last_top();
        self.scroll = self.scroll.min(last).saturating_add_signed(lines).min(last);
    }
}

/// A sheet as it lies on a screen.
pub(crate) struct Page {
    pub(crate) area: Rect,
    /// The lines as they fit between the edges.
    pub(crate) lines: Vec<String>,
    /// How many of them are seen at once.
    pub(crate) room: usize,
}

impl Page {
    pub(crate) fn new(sheet: &Sheet, size: Size) -> Page {
        let widest = sheet.lines.iter().map(|line| width(line)).max();
        let wanted = widest.unwrap_or(0).saturating_add(4).clamp(30, 84);
        let inside = wanted.min(size.width).saturating_sub(4);
        let lines: Vec<String> = sheet
            .lines
            .iter()
            .flat_map(|line| wrap(line, inside))
            .collect();
        let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let area = centered(size, wanted, height.saturating_add(3).max(4));
        Page {
            area,
            lines,
            // The edges take two lines, and the keys one.
            room: usize::from(area.height.saturating_sub(3)),
        }
    }

    /// The first line that is seen when the last one is.
    pub(crate) fn last_top(&self) -> usize {
        self.lines.len().saturating_sub(self.room)
    }
}
