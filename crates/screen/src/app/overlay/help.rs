//! The help: every key and every command, and a search through them.

use crossterm::event::KeyEvent;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use tabiya_front::cells::{row, width, wrap};
use tabiya_front::commands::{COMMANDS, Entry, Group};
use tabiya_front::key_map::{Keys, OTHER_KEYS, SHORTCUTS};

use super::super::App;
use super::super::canvas::{Canvas, KeyNames};
use super::super::text_line::TextLine;
use super::{Component, Response};
use crate::app::press::{ESC, KeyLabel, Press};
use crate::message::Hit;
use crate::tui::geometry::{above, below, centered, inside_of};
use crate::tui::styles::Styles;

const KEYS: KeyNames = &[
    (KeyLabel::Several("PgDn"), "page"),
    (KeyLabel::Several("↑↓"), "scroll"),
    (ESC, "close"),
];

/// The area of the help on the screen.
fn frame(app: &App) -> Rect {
    centered(app.look.size, 96, app.look.size.height)
}

/// The area of the help's lines: below the search line, above the keys.
fn text_room(app: &App) -> Rect {
    above(below(inside_of(frame(app)), 2), 1)
}

/// A line of the help: texts in columns, with their styles.
type HelpLine = Vec<(u16, String, Style)>;

/// The state of the help.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Help {
    query: TextLine,
    scroll: usize,
}

impl Help {
    /// The lines that match the query, or all without one.
    fn lines(&self, app: &App) -> Vec<HelpLine> {
        let (keys, styles, room) = (&app.keys, app.look.styles(), text_room(app).width);
        let query = self.query.text().trim().to_ascii_lowercase();
        let mut lines = Vec::new();
        let fits = |text: &str| text.to_ascii_lowercase().contains(&query);
        // The help on a command or a key is shown whole if any line of it matches, below the title of its group.
        let mut add = |title: &'static str, blocks: Vec<Vec<(String, String)>>| {
            let fitting = blocks
                .into_iter()
                .filter(|block| block.iter().any(|(left, right)| fits(left) || fits(right)));
            let mut fitting = fitting.flatten().peekable();
            if fitting.peek().is_some() {
                lines.push(vec![(0, title.to_owned(), styles.accent())]);
                lines
                    .extend(fitting.flat_map(|(left, right)| laid_out(left, &right, room, styles)));
            }
        };
        let fixed = OTHER_KEYS.map(|(key, does)| vec![(key.to_owned(), does.to_owned())]);
        add("Playing", fixed.to_vec());
        let shortcuts = SHORTCUTS
            .iter()
            .filter_map(|one| Some(vec![(keys.label(one)?, one.help.to_owned())]));
        add("Keys, while nothing is typed", shortcuts.collect());
        for group in Group::ALL {
            let entries = COMMANDS.iter().filter(|entry| entry.group == group);
            let blocks = entries.map(|entry| block(entry, keys));
            add(group.title(), blocks.collect());
        }
        lines
    }

    /// Opens the help with a query.
    pub(crate) fn about(query: &str) -> Help {
        Help {
            query: query.into(),
            scroll: 0,
        }
    }

    /// Scrolls by this many lines, from what is visible now.
    fn scroll_by(&mut self, lines: isize, app: &App) {
        let page = usize::from(text_room(app).height);
        let last = self.lines(app).len().saturating_sub(page);
        self.scroll = self.scroll.min(last).saturating_add_signed(lines).min(last);
    }
}

/// The help on a command.
fn block(entry: &Entry, keys: &Keys) -> Vec<(String, String)> {
    let key = keys.of_command(entry.name);
    let key = key.map_or(String::new(), |key| format!(" ({key})"));
    let does = format!("{}{key}", entry.summary);
    let mut lines = vec![(keys.typed(&entry.usage()), does)];
    let help = entry.help();
    if !help.is_empty() {
        lines.push((String::new(), help.into_owned()));
    }
    if !entry.aliases.is_empty() {
        lines.push((String::new(), format!("Also: {}", entry.aliases.join(", "))));
    }
    lines
}

/// The lines about a key or a command.
fn laid_out(name: String, about: &str, room: u16, styles: Styles) -> Vec<HelpLine> {
    // Names are on the left, or on their own line if there is little room.
    let left = if room >= 60 { 24 } else { 4 };
    let texts = wrap(about, room.saturating_sub(left)).into_iter();
    let mut texts = texts.map(|text| (left, text, styles.dim()));
    let mut lines = Vec::new();
    if !name.is_empty() {
        // A short name shares its line with the description.
        let is_short = width(&name) + 3 <= left;
        let mut first = vec![(2, name, styles.text())];
        if is_short {
            first.extend(texts.next());
        }
        lines.push(first);
    }
    lines.extend(texts.map(|text| vec![text]));
    lines
}

impl Component for Help {
    fn key(&mut self, key: KeyEvent, app: &App) -> Response {
        // A line of the previous page stays visible.
        let page = usize::from(text_room(app).height);
        let page = page.saturating_sub(1).cast_signed();
        match Press::from(key) {
            Press::Esc if self.query.is_empty() => return Response::Close,
            Press::Esc => self.query.clear(),
            Press::Enter => return Response::Close,
            Press::Up => self.scroll_by(-1, app),
            Press::Down => self.scroll_by(1, app),
            Press::PageUp => self.scroll_by(-page, app),
            Press::PageDown => self.scroll_by(page, app),
            Press::Tab | Press::BackTab | Press::Edit(_) => {
                if self.query.edit(key) {
                    self.scroll = 0;
                }
            }
        }
        Response::Stay
    }

    fn wheel(&mut self, steps: isize, _: Option<&Hit>, app: &App) -> Response {
        self.scroll_by(steps, app);
        Response::Stay
    }

    fn paste(&mut self, text: &str) {
        self.query.insert(text);
        self.scroll = 0;
    }

    fn render(&self, app: &App, canvas: &mut Canvas<'_>) {
        let inside = canvas.draw_frame(frame(app), "Help");
        canvas.draw_search_line(row(inside, 0), "search: ", &self.query);
        let lines = self.lines(app);
        let room = text_room(app);
        let page = usize::from(room.height);
        let top = self.scroll.min(lines.len().saturating_sub(page));
        for (line, texts) in room.rows().zip(lines.iter().skip(top)) {
            for (column, text, style) in texts {
                canvas.put(line, *column, text, *style);
            }
        }
        if lines.is_empty() {
            canvas.put(row(inside, 2), 0, "Nothing fits.", canvas.styles.dim());
        }
        let last = row(inside, inside.height.saturating_sub(1));
        if lines.len() > page {
            let place = format!("{}–{} of {}", top + 1, top + page, lines.len());
            canvas.put(last, 0, &place, canvas.styles.dim());
        }
        canvas.draw_keys_at_right(last, KEYS);
    }
}
