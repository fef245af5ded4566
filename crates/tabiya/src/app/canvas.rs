//! What is drawn on: cells with text in them, and beside them what can be clicked where.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use tabiya_rules::Color;

use super::text_line::TextLine;
use crate::message::Hit;
use crate::tui::board::BoardView;
use crate::tui::graphics::Tile;
use crate::tui::palette::Palette;
use crate::tui::text::{self, row, width, wrap};

/// What can be clicked, the latest on top.
#[derive(Clone, Debug, Default)]
pub(crate) struct HitMap(Vec<(Rect, Hit)>);

impl HitMap {
    /// What lies at a cell.
    pub(crate) fn at(&self, cell: Position) -> Option<&Hit> {
        let found = self.0.iter().rev().find(|(area, _)| area.contains(cell));
        found.map(|(_, hit)| hit)
    }
}

/// The cells of the screen while it is drawn.
pub(crate) struct Canvas<'a> {
    pub(crate) buffer: &'a mut Buffer,
    pub(crate) palette: Palette,
    /// Where the terminal's cursor goes, if it is visible.
    pub(crate) cursor: Option<Position>,
    pub(crate) hits: HitMap,
    /// The pictures that lie over cells, where there are any; `None` if none are shown.
    pub(crate) tiles: Option<Vec<(Rect, Tile)>>,
}

/// Keys by their names, each with what it does, the most needed first.
pub(crate) type KeyNames = &'static [(&'static str, &'static str)];

/// The cells between two keys.
const GAP: u16 = 2;

impl<'a> Canvas<'a> {
    pub(crate) fn new(buffer: &'a mut Buffer, palette: Palette) -> Canvas<'a> {
        let screen = buffer.area;
        buffer.set_style(screen, palette.text());
        Canvas {
            buffer,
            palette,
            cursor: None,
            hits: HitMap::default(),
            tiles: None,
        }
    }

    pub(crate) fn screen(&self) -> Rect {
        self.buffer.area
    }

    pub(crate) fn hit(&mut self, area: Rect, hit: Hit) {
        self.hits.0.push((area, hit));
    }

    /// From now on something lies over what was drawn: of that, only the hints at the edge can be clicked.
    pub(crate) fn cover(&mut self) {
        self.cursor = None;
        let hints = std::mem::take(&mut self.hits.0).into_iter();
        let hints = hints.filter(|(_, hit)| matches!(hit, Hit::Hint(_)));
        let beside = (self.screen(), Hit::Beside);
        self.hits.0 = [beside].into_iter().chain(hints).collect();
    }

    /// Draws a board in cells, and with pictures over them where pictures are shown.
    pub(crate) fn board(&mut self, view: &BoardView<'_>) {
        view.draw(self.buffer);
        if let Some(tiles) = &mut self.tiles {
            tiles.extend(view.tiles());
        }
    }

    /// Writes a text into the first line of an area, from a column on, and returns the column after it.
    pub(crate) fn put(&mut self, area: Rect, column: u16, text: &str, style: Style) -> u16 {
        text::put(self.buffer, area, column, text, style)
    }

    /// The signs before a player's name, whose turn it is and which side, and the style of that line.
    pub(crate) fn player_signs(&self, color: Color, to_move: bool) -> (String, Style) {
        let (turn, style) = match to_move {
            true => ("▸", self.palette.accent()),
            false => (" ", self.palette.text()),
        };
        let side = match color {
            Color::White => "○",
            Color::Black => "●",
        };
        (format!("{turn}{side}"), style)
    }

    /// Writes a text so that it ends with the first line of an area. Returns the column where it begins.
    pub(crate) fn put_right(&mut self, area: Rect, text: &str, style: Style) -> u16 {
        text::put_right(self.buffer, area, text, style)
    }

    /// Writes lines one under another, as many as there is room for.
    pub(crate) fn lines<'l>(
        &mut self,
        area: Rect,
        lines: impl IntoIterator<Item = &'l String>,
        style: Style,
    ) {
        for (down, line) in (0..area.height).zip(lines) {
            self.put(row(area, down), 0, line, style);
        }
    }

    /// Writes a text over as many lines as it needs and there are.
    pub(crate) fn paragraph(&mut self, area: Rect, text: &str, style: Style) {
        self.lines(area, &wrap(text, area.width), style);
    }

    /// A message in the last lines of an area, above the line of keys.
    pub(crate) fn note(&mut self, area: Rect, lines: u16, text: &str, style: Style) {
        let above = area.height.saturating_sub(lines);
        let room = Rect {
            y: area.y + above,
            height: (area.height - above).saturating_sub(1),
            ..area
        };
        self.paragraph(room, text, style);
    }

    /// Makes cells empty, and takes the pictures away that lie over any of them.
    pub(crate) fn clear(&mut self, area: Rect) {
        if let Some(tiles) = &mut self.tiles {
            tiles.retain(|(under, _)| !under.intersects(area));
        }
        let style = self.palette.text();
        for at in area.intersection(self.buffer.area).positions() {
            if let Some(cell) = self.buffer.cell_mut(at) {
                cell.reset();
                cell.set_style(style);
            }
        }
    }

    fn fill(&mut self, area: Rect, symbol: &str, style: Style) {
        for at in area.intersection(self.buffer.area).positions() {
            if let Some(cell) = self.buffer.cell_mut(at) {
                cell.set_symbol(symbol).set_style(style);
            }
        }
    }

    /// A horizontal line.
    pub(crate) fn rule(&mut self, area: Rect) {
        self.fill(area, "─", self.palette.dim());
    }

    /// A vertical line.
    pub(crate) fn divider(&mut self, area: Rect) {
        self.fill(area, "│", self.palette.dim());
    }

    /// A frame with a title, and the room inside it. What lies under it is hidden, and is not clicked either.
    pub(crate) fn frame(&mut self, area: Rect, title: &str) -> Rect {
        self.hit(area, Hit::Nothing);
        let area = area.intersection(self.buffer.area);
        self.clear(area);
        if area.width < 2 || area.height < 2 {
            return Rect {
                width: 0,
                height: 0,
                ..area
            };
        }
        let style = self.palette.text();
        let (right, bottom) = (area.right() - 1, area.bottom() - 1);
        for y in [area.y, bottom] {
            self.fill(Rect::new(area.x, y, area.width, 1), "─", style);
        }
        for x in [area.x, right] {
            self.fill(Rect::new(x, area.y, 1, area.height), "│", style);
        }
        let corners = [
            (area.x, area.y, "╭"),
            (right, area.y, "╮"),
            (area.x, bottom, "╰"),
            (right, bottom, "╯"),
        ];
        for (x, y, corner) in corners {
            self.fill(Rect::new(x, y, 1, 1), corner, style);
        }
        let room = Rect {
            x: area.x + 2,
            width: area.width.saturating_sub(4),
            height: 1,
            ..area
        };
        if !title.is_empty() {
            self.put(room, 0, &format!(" {title} "), self.palette.accent());
        }
        crate::tui::geometry::inside_of(area)
    }

    /// A line that is being typed, with what is before it, in their styles. Returns the column after it and where the
    /// cursor goes.
    pub(crate) fn typed(
        &mut self,
        area: Rect,
        prompt: &str,
        line: &TextLine,
        styles: (Style, Style),
    ) -> (u16, Position) {
        let column = self.put(area, 0, prompt, styles.0);
        let (before, after) = line.halves();
        // A long text is moved to the left, so that the cursor stays in sight.
        let room = area.width.saturating_sub(column).saturating_sub(1);
        let mut shown = before;
        while width(shown) > room {
            let mut letters = shown.chars();
            letters.next();
            shown = letters.as_str();
        }
        let at = self.put(area, column, shown, styles.1);
        let end = self.put(area, at, after, styles.1);
        let at = at.min(area.width.saturating_sub(1));
        (end, Position::new(area.x + at, area.y))
    }

    /// A line in which something is searched for.
    pub(crate) fn search(&mut self, area: Rect, prompt: &str, line: &TextLine) {
        let styles = (self.palette.dim(), self.palette.text());
        self.cursor = Some(self.typed(area, prompt, line, styles).1);
    }

    /// How a line of a list is shown, and the marker before it.
    pub(crate) fn line_style(&self, is_chosen: bool) -> (&'static str, Style) {
        if is_chosen {
            ("▸", self.palette.chosen())
        } else {
            (" ", self.palette.text())
        }
    }

    /// The keys that can be pressed now, from the second column of an area on: drawn, and clicked as if they were
    /// pressed.
    pub(crate) fn keys(&mut self, area: Rect, keys: KeyNames) {
        self.draw_keys(area, 1, keys);
    }

    /// The same at the end of an area.
    pub(crate) fn keys_at_right(&mut self, area: Rect, keys: KeyNames) {
        let taken = fitting(keys, 0, area.width).last();
        let taken = taken.map_or(0, |(column, key, what)| column + wide(key, what));
        self.draw_keys(area, area.width - taken, keys);
    }

    fn draw_keys(&mut self, area: Rect, from: u16, keys: KeyNames) {
        for (column, key, what) in fitting(keys, from, area.width) {
            let pressed = named(key);
            let style = match pressed {
                Some(_) => self.palette.accent(),
                None => self.palette.dim(),
            };
            // Spaces around it, because the line may stand in the edge of a frame.
            let dim = self.palette.dim();
            self.put(area, column.saturating_sub(1), " ", dim);
            let after = self.put(area, column, key, style);
            let end = self.put(area, after, &format!(" {what}"), dim);
            self.put(area, end, " ", dim);
            if let Some(pressed) = pressed {
                let x = area.x.saturating_add(column);
                let cells = Rect::new(x, area.y, wide(key, what), area.height.min(1));
                self.hit(cells, Hit::Key(pressed));
            }
        }
    }
}

/// The keys that a width has room for, each with its column.
fn fitting(
    keys: KeyNames,
    from: u16,
    room: u16,
) -> impl Iterator<Item = (u16, &'static str, &'static str)> {
    let mut column = from;
    keys.iter().filter_map(move |&(key, what)| {
        let end = column + wide(key, what);
        let place = (end <= room).then_some((column, key, what))?;
        column = end + GAP;
        Some(place)
    })
}

fn wide(key: &str, what: &str) -> u16 {
    width(key) + 1 + width(what)
}

/// The lines of an area with the numbers of what they show, from the first on that lets the chosen one be seen.
pub(crate) fn rows(area: Rect, chosen: usize, count: usize) -> impl Iterator<Item = (usize, Rect)> {
    let first = (chosen + 1).saturating_sub(usize::from(area.height));
    (0..area.height)
        .map(move |line| (first + usize::from(line), row(area, line)))
        .take_while(move |(at, _)| *at < count)
}

/// The key of a name. Names of several keys stand for none of them.
pub(crate) fn named(name: &str) -> Option<KeyEvent> {
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
