//! The surface for drawing: cells with text, and a map of what can be clicked.

use crossterm::event::KeyCode;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect, Size};
use ratatui_core::style::Style;
use tabiya_front::cells::{fitted, row, width, wrap};
use tabiya_rules::Color;

use super::press::KeyLabel;
use super::text_line::TextLine;
use crate::message::Hit;
use crate::tui::board::BoardView;
use crate::tui::geometry::{columns, inside_of};
use crate::tui::graphics::Tile;
use crate::tui::styles::Styles;

/// What can be clicked, topmost last.
#[derive(Clone, Debug, Default)]
pub(crate) struct HitMap(Vec<(Rect, Hit)>);

impl HitMap {
    /// What is at a cell.
    pub(crate) fn at(&self, cell: Position) -> Option<&Hit> {
        let found = self.0.iter().rev().find(|(area, _)| area.contains(cell));
        found.map(|(_, hit)| hit)
    }
}

/// The cells of the screen while they are drawn.
pub(crate) struct Canvas<'a> {
    pub(crate) buffer: &'a mut Buffer,
    pub(crate) styles: Styles,
    /// The position of the terminal's cursor, if it is visible.
    pub(crate) cursor: Option<Position>,
    pub(crate) hits: HitMap,
    /// The pictures over the cells; `None` if the terminal shows no pictures.
    pub(crate) tiles: Option<Vec<(Rect, Tile)>>,
}

/// Keys by name, each with what it does, most important first.
pub(crate) type KeyNames = &'static [(KeyLabel, &'static str)];

/// The cells between two keys.
const GAP: u16 = 2;

impl<'a> Canvas<'a> {
    /// Creates a canvas over the whole buffer.
    pub(crate) fn new(buffer: &'a mut Buffer, styles: Styles) -> Canvas<'a> {
        let screen = buffer.area;
        buffer.set_style(screen, styles.text());
        Canvas {
            buffer,
            styles,
            cursor: None,
            hits: HitMap::default(),
            tiles: None,
        }
    }

    /// The area of the whole screen.
    pub(crate) fn screen(&self) -> Rect {
        self.buffer.area
    }

    /// Registers what a click on an area hits.
    pub(crate) fn make_clickable(&mut self, area: Rect, hit: Hit) {
        self.hits.0.push((area, hit));
    }

    /// Covers what was drawn so far, which can then no longer be clicked, except for its keys if `keeps_keys` is set. A
    /// click elsewhere acts like Esc.
    pub(crate) fn cover(&mut self, keeps_keys: bool) {
        self.cursor = None;
        let is_kept = |hit: &Hit| keeps_keys && matches!(hit, Hit::Key(_));
        self.hits.0.retain(|(_, hit)| is_kept(hit));
        let beside = (self.screen(), Hit::Key(KeyCode::Esc.into()));
        self.hits.0.insert(0, beside);
    }

    /// Draws a board in cells, and with pictures over them if the terminal shows pictures.
    pub(crate) fn draw_board(&mut self, view: &BoardView<'_>) {
        view.draw(self.buffer);
        if let Some(tiles) = &mut self.tiles {
            tiles.extend(view.tiles());
        }
    }

    /// Writes a text into the first line of an area, starting at a column. Returns the column after it.
    pub(crate) fn put(&mut self, area: Rect, column: u16, text: &str, style: Style) -> u16 {
        // The screen may have become smaller since the area was computed.
        let area = area.intersection(self.buffer.area);
        let room = area.width.saturating_sub(column);
        if room == 0 || area.height == 0 {
            return column;
        }
        let text = fitted(text, room);
        let (x, room) = (area.x + column, usize::from(room));
        let (end, _) = self.buffer.set_stringn(x, area.y, &text, room, style);
        end.saturating_sub(area.x)
    }

    /// The signs before a player's name (whose turn, which side), and the style of the line.
    pub(crate) fn player_signs(&self, color: Color, to_move: bool) -> (String, Style) {
        let (turn, style) = match to_move {
            true => ("▸", self.styles.accent()),
            false => (" ", self.styles.text()),
        };
        let side = match color {
            Color::White => "○",
            Color::Black => "●",
        };
        (format!("{turn}{side}"), style)
    }

    /// Writes a text right-aligned in the first line of an area. Returns the column where it begins.
    pub(crate) fn put_right(&mut self, area: Rect, text: &str, style: Style) -> u16 {
        let column = area.width.saturating_sub(width(text));
        self.put(area, column, text, style);
        column
    }

    /// Writes lines one below another, as many as fit.
    pub(crate) fn put_lines<'l>(
        &mut self,
        area: Rect,
        lines: impl IntoIterator<Item = &'l String>,
        style: Style,
    ) {
        for (down, line) in (0..area.height).zip(lines) {
            self.put(row(area, down), 0, line, style);
        }
    }

    /// Like [`Canvas::put_lines`], with a style for each line.
    pub(crate) fn put_styled_lines(
        &mut self,
        area: Rect,
        lines: impl IntoIterator<Item = (String, Style)>,
    ) {
        for (down, (line, style)) in (0..area.height).zip(lines) {
            self.put(row(area, down), 0, &line, style);
        }
    }

    /// Writes a text in as many lines as it needs and the area has.
    pub(crate) fn put_paragraph(&mut self, area: Rect, text: &str, style: Style) {
        self.put_lines(area, &wrap(text, area.width), style);
    }

    /// Clears cells, and removes the pictures that cover any of them.
    pub(crate) fn clear(&mut self, area: Rect) {
        if let Some(tiles) = &mut self.tiles {
            tiles.retain(|(under, _)| !under.intersects(area));
        }
        for at in area.intersection(self.buffer.area).positions() {
            if let Some(cell) = self.buffer.cell_mut(at) {
                cell.reset();
            }
        }
        self.buffer.set_style(area, self.styles.text());
    }

    /// Draws a horizontal line.
    pub(crate) fn draw_rule(&mut self, area: Rect) {
        self.fill(area, "─");
    }

    /// Draws a vertical line.
    pub(crate) fn draw_divider(&mut self, area: Rect) {
        self.fill(area, "│");
    }

    fn fill(&mut self, area: Rect, symbol: &str) {
        let style = self.styles.dim();
        for at in area.intersection(self.buffer.area).positions() {
            if let Some(cell) = self.buffer.cell_mut(at) {
                cell.set_symbol(symbol).set_style(style);
            }
        }
    }

    /// Draws a frame with a title, and returns the area inside. What is under it is hidden and cannot be clicked.
    pub(crate) fn draw_frame(&mut self, area: Rect, title: &str) -> Rect {
        self.make_clickable(area, Hit::Frame);
        let area = area.intersection(self.buffer.area);
        self.clear(area);
        if area.width < 2 || area.height < 2 {
            return area.resize(Size::ZERO);
        }
        self.draw_edges(area);
        let inside = inside_of(area);
        if !title.is_empty() {
            let edge = columns(row(area, 0), 2, inside.width);
            self.put(edge, 0, &format!(" {title} "), self.styles.accent());
        }
        inside
    }

    /// Draws the edges of an area, with round corners. It lies within the screen, and is at least two cells wide and
    /// high.
    fn draw_edges(&mut self, area: Rect) {
        let (right, bottom) = (area.right() - 1, area.bottom() - 1);
        for at in area.positions() {
            let (is_left, is_right) = (at.x == area.x, at.x == right);
            let (is_top, is_bottom) = (at.y == area.y, at.y == bottom);
            let symbol = match (is_left, is_right, is_top, is_bottom) {
                (true, _, true, _) => "╭",
                (_, true, true, _) => "╮",
                (true, _, _, true) => "╰",
                (_, true, _, true) => "╯",
                (true, _, _, _) | (_, true, _, _) => "│",
                (_, _, true, _) | (_, _, _, true) => "─",
                (false, false, false, false) => continue,
            };
            if let Some(cell) = self.buffer.cell_mut(at) {
                cell.set_symbol(symbol);
            }
        }
    }

    /// Draws a line being typed, with a prompt, and puts the cursor there. Returns the column after it.
    pub(crate) fn draw_typed_line(
        &mut self,
        area: Rect,
        prompt: &str,
        line: &TextLine,
        (of_prompt, of_text): (Style, Style),
    ) -> u16 {
        let column = self.put(area, 0, prompt, of_prompt);
        let (before, after) = line.halves();
        // A long text is shifted left, so that the cursor stays visible.
        let room = area.width.saturating_sub(column).saturating_sub(1);
        let mut shown = before.chars();
        while width(shown.as_str()) > room {
            shown.next();
        }
        let at = self.put(area, column, shown.as_str(), of_text);
        let end = self.put(area, at, after, of_text);
        let at = at.min(area.width.saturating_sub(1));
        self.cursor = Some(Position::new(area.x + at, area.y));
        end
    }

    /// Draws a search line.
    pub(crate) fn draw_search_line(&mut self, area: Rect, prompt: &str, line: &TextLine) {
        let pair = (self.styles.dim(), self.styles.text());
        self.draw_typed_line(area, prompt, line, pair);
    }

    /// The marker and the style of a line in a list.
    pub(crate) fn line_style(&self, is_chosen: bool) -> (&'static str, Style) {
        if is_chosen {
            ("▸", self.styles.chosen())
        } else {
            (" ", self.styles.text())
        }
    }

    /// Draws the keys that can be pressed now, starting one column left of the area. A click presses them.
    pub(crate) fn draw_keys(&mut self, area: Rect, keys: &[(KeyLabel, &'static str)]) {
        let (x, width) = (area.x.saturating_sub(1), area.width + 1);
        self.draw_keys_from(Rect { x, width, ..area }, 1, keys);
    }

    /// Like [`Canvas::draw_keys`], at the right end of an area.
    pub(crate) fn draw_keys_at_right(&mut self, area: Rect, keys: &[(KeyLabel, &'static str)]) {
        let taken = keys_that_fit(keys, 0, area.width).last();
        let taken = taken.map_or(0, |(column, key, what)| column + key_width(key, what));
        self.draw_keys_from(area, area.width - taken, keys);
    }

    /// Draws keys from a column on, as many as fit.
    fn draw_keys_from(&mut self, area: Rect, from: u16, keys: &[(KeyLabel, &'static str)]) {
        for (column, key, what) in keys_that_fit(keys, from, area.width) {
            let pressed = key.key();
            let style = match pressed {
                Some(_) => self.styles.accent(),
                None => self.styles.dim(),
            };
            // Spaces around it, because the line may be on the edge of a frame.
            let dim = self.styles.dim();
            self.put(area, column.saturating_sub(1), " ", dim);
            let after = self.put(area, column, &key.text(), style);
            let end = self.put(area, after, &format!(" {what}"), dim);
            self.put(area, end, " ", dim);
            if let Some(pressed) = pressed {
                let x = area.x.saturating_add(column);
                let cells = Rect::new(x, area.y, key_width(key, what), area.height.min(1));
                self.make_clickable(cells, Hit::Key(pressed));
            }
        }
    }
}

/// The keys that fit a width, each with its column.
fn keys_that_fit(
    keys: &[(KeyLabel, &'static str)],
    from: u16,
    room: u16,
) -> impl Iterator<Item = (u16, KeyLabel, &'static str)> {
    let mut column = from;
    keys.iter().filter_map(move |&(key, what)| {
        let end = column + key_width(key, what);
        let place = (end <= room).then_some((column, key, what))?;
        column = end + GAP;
        Some(place)
    })
}

/// The width of a key's name, followed by what it does.
fn key_width(key: KeyLabel, what: &str) -> u16 {
    width(&key.text()) + 1 + width(what)
}

/// The lines of an area with the indices of what they show, scrolled so that the chosen one is visible.
pub(crate) fn rows(area: Rect, chosen: usize, count: usize) -> impl Iterator<Item = (usize, Rect)> {
    let first = (chosen + 1).saturating_sub(usize::from(area.height));
    (0..area.height)
        .map(move |line| (first + usize::from(line), row(area, line)))
        .take_while(move |(at, _)| *at < count)
}
