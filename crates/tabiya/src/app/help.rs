//! The help: every key and every command, and a search through them.

use ratatui::crossterm::event::{KeyCode, KeyEvent};

use super::keys::OTHER_KEYS;
use super::text_line::TextLine;
use super::{App, Overlay};
use crate::commands::{COMMANDS, Entry, Group};
use crate::key_map::{Keys, SHORTCUTS};

/// The help, as it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Help {
    pub(crate) query: TextLine,
    pub(crate) scroll: usize,
}

/// A line of the help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HelpLine {
    Title(&'static str),
    /// A key or a command, and what it does.
    Item {
        left: String,
        right: String,
    },
}

impl Help {
    /// The lines that fit the query; all of them without one.
    pub(crate) fn lines(&self, keys: &Keys) -> Vec<HelpLine> {
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

    pub(crate) fn insert(&mut self, text: &str) {
        self.query.insert(text);
        self.scroll = 0;
    }

    pub(crate) fn scroll_by(&mut self, lines: isize) {
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

impl App {
    pub(super) fn open_help(&mut self, query: &str) {
        let mut help = Help::default();
        help.insert(query);
        self.overlay = Some(Overlay::Help(help));
    }

    pub(super) fn help_key(&mut self, mut help: Help, key: KeyEvent) {
        match key.code {
            KeyCode::Esc if help.query.is_empty() => return,
            KeyCode::Esc => help.query.clear(),
            KeyCode::Enter => return,
            KeyCode::Up => help.scroll_by(-1),
            KeyCode::Down => help.scroll_by(1),
            KeyCode::PageUp => help.scroll_by(-10),
            KeyCode::PageDown => help.scroll_by(10),
            _ => {
                if help.query.edit(key) {
                    help.scroll = 0;
                }
            }
        }
        self.overlay = Some(Overlay::Help(help));
    }
}
