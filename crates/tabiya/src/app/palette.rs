//! The command palette: a line for any command, and the commands that fit it.

use ratatui::crossterm::event::{KeyCode, KeyEvent};

use super::text_line::TextLine;
use super::{App, Overlay};
use crate::commands::{self, COMMANDS, Entry};
use crate::message::Effect;

/// A command that is being typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CommandPalette {
    pub(crate) line: TextLine,
    pub(crate) chosen: usize,
    /// Why the last line could not be run.
    pub(crate) problem: Option<String>,
}

impl CommandPalette {
    /// The commands whose name or purpose fits the first word.
    pub(crate) fn entries(&self) -> Vec<&'static Entry> {
        let typed = self.line.text().trim_start().to_ascii_lowercase();
        let (name, whole) = match typed.split_once(' ') {
            Some((name, _)) => (name, true),
            None => (typed.as_str(), false),
        };
        let named = |entry: &&Entry| {
            let names = || std::iter::once(&entry.name).chain(entry.aliases);
            if whole {
                names().any(|known| *known == name)
            } else {
                names().any(|known| known.starts_with(name))
            }
        };
        let mut found: Vec<&'static Entry> = COMMANDS.iter().filter(named).collect();
        if !whole && name.len() > 1 {
            let told = |entry: &&Entry| entry.does.to_ascii_lowercase().contains(name);
            let also: Vec<&'static Entry> = COMMANDS
                .iter()
                .filter(|entry| told(entry) && !named(entry))
                .collect();
            found.extend(also);
        }
        found
    }

    pub(crate) fn insert(&mut self, text: &str) {
        self.line.insert(text);
        self.chosen = 0;
        self.problem = None;
    }

    /// Puts a command into the line, to be run or to be given arguments.
    pub(crate) fn choose(&mut self, at: usize) {
        if let Some(entry) = self.entries().get(at) {
            let text = match entry.arguments {
                "" => entry.name.to_owned(),
                _ => format!("{} ", entry.name),
            };
            self.line.set(&text);
            self.chosen = 0;
        }
    }
}

impl App {
    pub(super) fn open_palette(&mut self) {
        self.open_palette_with("");
    }

    /// The palette with the beginning of a command.
    pub(super) fn open_palette_with(&mut self, text: &str) {
        let mut palette = CommandPalette::default();
        palette.insert(text);
        self.overlay = Some(Overlay::Palette(palette));
    }

    pub(super) fn palette_key(
        &mut self,
        mut palette: CommandPalette,
        key: KeyEvent,
    ) -> Vec<Effect> {
        let count = palette.entries().len();
        match key.code {
            KeyCode::Esc => return Vec::new(),
            KeyCode::Enter => return self.palette_run(palette),
            KeyCode::Up => {
                palette.chosen = palette
                    .chosen
                    .checked_sub(1)
                    .unwrap_or(count.saturating_sub(1));
            }
            KeyCode::Down if count > 0 => palette.chosen = (palette.chosen + 1) % count,
            KeyCode::Tab if commands::file_begun(palette.line.text()).is_some() => {
                let line = palette.line.text().to_owned();
                self.overlay = Some(Overlay::Palette(palette));
                return vec![Effect::NameFiles(line)];
            }
            KeyCode::Tab => self.palette_complete(&mut palette),
            KeyCode::Backspace if palette.line.is_empty() => return Vec::new(),
            _ => {
                if palette.line.edit(key) {
                    palette.chosen = 0;
                    palette.problem = None;
                }
            }
        }
        self.overlay = Some(Overlay::Palette(palette));
        Vec::new()
    }

    /// Completes a name, and what can follow it.
    fn palette_complete(&self, palette: &mut CommandPalette) {
        if !palette.line.text().trim_start().contains(' ') {
            let at = palette.chosen;
            palette.choose(at);
            return;
        }
        let position = self.table.session.position();
        let moves: Vec<String> = position
            .legal_moves()
            .into_iter()
            .map(|played| position.san(played).to_string())
            .collect();
        let text = palette.line.text().to_owned();
        let (begin, found) = commands::complete(&text, &moves);
        if let (Some(first), Some(before)) = (found.first(), text.get(..begin)) {
            palette.line.set(&format!("{before}{first}"));
        }
    }

    /// Completes the name of a file as far as all that were found go on alike, and names them if they are several.
    pub(super) fn name_files(&mut self, line: &str, found: &[String]) {
        let Some(Overlay::Palette(palette)) = &mut self.overlay else {
            return;
        };
        let Some((begin, begun)) = commands::file_begun(line) else {
            return;
        };
        if palette.line.text() != line {
            return;
        }
        let alike = common_beginning(found);
        if let (true, Some(before)) = (alike.len() > begun.len(), line.get(..begin)) {
            palette.line.set(&format!("{before}{alike}"));
        }
        palette.problem = match found {
            [] => Some("No file is called so.".to_owned()),
            [_] => None,
            several => Some(several.join("  ")),
        };
    }

    /// Runs the line. A word that is no command runs the one that is chosen in the list.
    fn palette_run(&mut self, mut palette: CommandPalette) -> Vec<Effect> {
        let text = palette.line.text().trim().to_owned();
        let name = text.split(' ').next().unwrap_or_default();
        let known = commands::find(name).is_some();
        let is_move = self.table.session.position().parse_san(&text).is_ok();
        let text = match palette.entries().get(palette.chosen) {
            // Arrows in the list have the last word, and a unique beginning is enough.
            Some(entry) if palette.chosen > 0 || (!known && !is_move) => entry.name.to_owned(),
            _ => text,
        };
        if text.is_empty() {
            self.overlay = Some(Overlay::Palette(palette));
            return Vec::new();
        }
        match commands::read(&text) {
            Ok(request) => self.perform(request),
            Err(misused) => {
                palette.line.set(&format!("{text} "));
                palette.chosen = 0;
                palette.problem = Some(crate::line::refusals::misused(&misused).join(" "));
                self.overlay = Some(Overlay::Palette(palette));
                Vec::new()
            }
        }
    }
}

/// What all texts begin with.
fn common_beginning(texts: &[String]) -> &str {
    let Some((first, others)) = texts.split_first() else {
        return "";
    };
    let mut end = first.len();
    for other in others {
        let same = first.chars().zip(other.chars());
        let same = same.take_while(|(a, b)| a == b);
        end = end.min(same.map(|(a, _)| a.len_utf8()).sum());
    }
    first.get(..end).unwrap_or(first)
}
