//! The help: every key and every command, and a search through them.

use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::App;
use super::super::canvas::{Canvas, KeyNames};
use super::super::keys::OTHER_KEYS;
use super::super::text_line::TextLine;
use super::{Component, Response};
use crate::commands::{COMMANDS, Entry, Group};
use crate::key_map::{Keys, SHORTCUTS};
use crate::message::Hit;
use crate::tui::geometry::centered;
use crate::tui::text::{row, width, wrap};

const KEYS: KeyNames = &[("type", "to search"), ("↑↓", "scroll"), ("Esc", "close")];

/// The help, as it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Help {
    query: TextLine,
    scroll: usize,
}

/// A line of the help.
#[derive(Clone, Debug, PartialEq, Eq)]
enum HelpLine {
    Title(&'static str),
    /// A key or a command, and what it does.
    Item {
        left: String,
        right: String,
    },
}

impl Help {
    /// The lines that fit the query; all of them without one.
    fn lines(&self, keys: &Keys) -> Vec<HelpLine> {
        let query = self.query.text().trim().to_ascii_lowercase();
        let mut lines = Vec::new();
        let fits = |text: &str| text.to_ascii_lowercase().contains(&query);
        // What belongs together is shown together, if any of it fits.
        let mut add = |title: &'static str, blocks: Vec<Vec<(String, String)>>| {
            let mut fitting = blocks
                .into_iter()
                .filter(|block| block.iter().any(|(left, right)| fits(left) || fits(right)))
                .flatten()
                .map(|(left, right)| HelpLine::Item { left, right })
                .peekable();
            if fitting.peek().is_some() {
                lines.push(HelpLine::Title(title));
                lines.extend(fitting);
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
            add(
                group.title(),
                entries.map(|entry| block(entry, keys)).collect(),
            );
        }
        lines
    }

    /// The help with something searched for in it.
    pub(crate) fn about(query: &str) -> Help {
        let mut help = Help::default();
        help.paste(query);
        help
    }

    fn scroll_by(&mut self, lines: isize) {
        self.scroll = self.scroll.saturating_add_signed(lines).min(200);
    }
}

/// What there is to say about a command.
fn block(entry: &Entry, keys: &Keys) -> Vec<(String, String)> {
    let key = match keys.of_command(entry.name) {
        Some(key) => format!(" ({key})"),
        None => String::new(),
    };
    let first = (
        format!(":{}", entry.usage()),
        format!("{}{key}", entry.does),
    );
    let more = (!entry.more.is_empty()).then(|| entry.more.to_owned());
    let also = (!entry.aliases.is_empty()).then(|| format!("Also: {}", entry.aliases.join(", ")));
    let rest = more.into_iter().chain(also);
    std::iter::once(first)
        .chain(rest.map(|text| (String::new(), text)))
        .collect()
}

/// The lines as they are shown: texts in columns, with their styles.
fn laid_out(
    lines: Vec<HelpLine>,
    room: u16,
    canvas: &Canvas<'_>,
) -> Vec<Vec<(u16, String, Style)>> {
    let palette = canvas.palette;
    // Names stand on the left; where there is little room, over their own line.
    let left = if room >= 60 { 24 } else { 4 };
    let mut shown: Vec<Vec<(u16, String, Style)>> = Vec::new();
    for line in lines {
        match line {
            HelpLine::Title(title) => shown.push(vec![(0, title.to_owned(), palette.accent())]),
            HelpLine::Item { left: name, right } => {
                let mut texts = wrap(&right, room.saturating_sub(left)).into_iter();
                if !name.is_empty() {
                    let mut first = vec![(2, name.clone(), palette.text())];
                    // A name that leaves room shares its line with what it does.
                    if width(&name) + 3 <= left {
                        first.extend(texts.next().map(|text| (left, text, palette.dim())));
                    }
                    shown.push(first);
                }
                shown.extend(texts.map(|text| vec![(left, text, palette.dim())]));
            }
        }
    }
    shown
}

impl Component for Help {
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "the keys of a terminal are many"
    )]
    fn key(&mut self, key: KeyEvent, _: &App) -> Response {
        match key.code {
            KeyCode::Esc if self.query.is_empty() => return Response::Close,
            KeyCode::Esc => self.query.clear(),
            KeyCode::Enter => return Response::Close,
            KeyCode::Up => self.scroll_by(-1),
            KeyCode::Down => self.scroll_by(1),
            KeyCode::PageUp => self.scroll_by(-10),
            KeyCode::PageDown => self.scroll_by(10),
            _ => {
                if self.query.edit(key) {
                    self.scroll = 0;
                }
            }
        }
        Response::Stay
    }

    fn wheel(&mut self, steps: isize, _: Option<&Hit>, _: &App) -> Response {
        self.scroll_by(steps);
        Response::Stay
    }

    fn paste(&mut self, text: &str) {
        self.query.insert(text);
        self.scroll = 0;
    }

    fn render(&self, app: &App, canvas: &mut Canvas<'_>) {
        let inside = canvas.frame(centered(app.size, 96, app.size.height), "Help");
        canvas.search(row(inside, 0), "search: ", &self.query);
        let lines = laid_out(self.lines(&app.keys), inside.width, canvas);
        let room = Rect {
            y: inside.y + 2,
            height: inside.height.saturating_sub(3),
            ..inside
        };
        let last = lines.len().saturating_sub(usize::from(room.height));
        let seen = lines.iter().skip(self.scroll.min(last));
        for (down, line) in (0..room.height).zip(seen) {
            for (column, text, style) in line {
                canvas.put(row(room, down), *column, text, *style);
            }
        }
        if lines.is_empty() {
            canvas.put(row(inside, 2), 0, "Nothing fits.", canvas.palette.dim());
        }
        canvas.keys_at_right(row(inside, inside.height.saturating_sub(1)), KEYS);
    }
}
