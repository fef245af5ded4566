//! The command palette: a line for any command, and the commands that fit it.

use ratatui::crossterm::event::{KeyCode, KeyEvent};
use tabiya_play::typed_move;
use tabiya_rules::Position;

use super::text_line::TextLine;
use super::{App, Overlay};
use crate::commands::suggest;
use crate::commands::{self, COMMANDS, Entry, Vocabulary, Words};
use crate::config::settings;
use crate::message::{FileEffect, StoreEffect};

/// A command that is being typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CommandPalette {
    pub(crate) line: TextLine,
    pub(crate) chosen: usize,
    /// Why the last line could not be run.
    pub(crate) problem: Option<String>,
    /// What Tab goes through, once it was pressed.
    completion: Option<Completion>,
}

/// The ways in which a line can go on.
#[derive(Clone, Debug, PartialEq)]
struct Completion {
    /// The line up to the word that is completed.
    before: String,
    words: Vec<String>,
    at: usize,
}

/// What can be typed besides the words of the table.
struct Typed<'a> {
    position: &'a Position,
    saves: Vec<String>,
}

impl Vocabulary for Typed<'_> {
    fn moves(&self) -> Vec<String> {
        let moves = self.position.legal_moves().into_iter();
        moves
            .map(|played| self.position.san(played).to_string())
            .collect()
    }

    fn saves(&self) -> Vec<String> {
        self.saves.clone()
    }
}

/// A line of the list under what is typed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Offer {
    Command(&'static Entry),
    /// A word that the line can go on with.
    Word(String),
}

/// Only the words of the table.
struct Fixed;

impl Vocabulary for Fixed {
    fn moves(&self) -> Vec<String> {
        Vec::new()
    }

    fn saves(&self) -> Vec<String> {
        Vec::new()
    }
}

impl CommandPalette {
    /// Whether the name of a command is typed, so that its arguments follow.
    pub(crate) fn has_name(&self) -> bool {
        self.line.text().trim_start().contains(' ')
    }

    /// The commands that fit, and behind a command the words that can follow it.
    pub(crate) fn offers(&self) -> Vec<Offer> {
        let commands = self.entries().into_iter().map(Offer::Command);
        let words = if self.has_name() {
            self.words()
        } else {
            Vec::new()
        };
        commands.chain(words.into_iter().map(Offer::Word)).collect()
    }

    /// The words that can follow, as far as they are always the same.
    fn words(&self) -> Vec<String> {
        let text = self.line.text();
        let mut before = text.split_whitespace();
        let (name, key) = (before.next(), before.next());
        let setting = key.filter(|key| name == Some("set") && text.contains(&format!("{key} ")));
        match setting.and_then(settings::find) {
            Some(setting) => {
                let begun = before.next().unwrap_or_default();
                let choices = setting.choices().into_iter();
                let fitting = choices.filter(|choice| choice.starts_with(begun));
                fitting.map(str::to_owned).collect()
            }
            None => commands::complete(text, &Fixed).1,
        }
    }

    /// The line with a word of the list in the place of the one that is begun.
    fn with_word(&self, word: &str) -> String {
        let text = self.line.text();
        let begin = text.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        format!("{}{word}", text.get(..begin).unwrap_or_default())
    }

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
        self.edited();
    }

    fn edited(&mut self) {
        self.chosen = 0;
        self.problem = None;
        self.completion = None;
    }

    /// Puts the next way to go on into the line.
    fn go_on(&mut self) {
        if let Some(Completion { before, words, at }) = &mut self.completion
            && let Some(word) = words.get(*at)
        {
            self.line.set(&format!("{before}{word}"));
            *at = (*at + 1) % words.len();
        }
    }

    /// Puts a command into the line, to be run or to be given arguments.
    pub(crate) fn choose(&mut self, at: usize) {
        let text = match self.offers().get(at) {
            Some(Offer::Command(entry)) if entry.arguments.is_empty() => entry.name.to_owned(),
            Some(Offer::Command(entry)) => format!("{} ", entry.name),
            Some(Offer::Word(word)) => format!("{} ", self.with_word(word)),
            None => return,
        };
        self.line.set(&text);
        self.edited();
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

    pub(super) fn palette_key(&mut self, mut palette: CommandPalette, key: KeyEvent) {
        let count = palette.offers().len();
        match key.code {
            KeyCode::Esc => return,
            KeyCode::Enter => return self.palette_run(palette),
            KeyCode::Up => {
                palette.chosen = palette
                    .chosen
                    .checked_sub(1)
                    .unwrap_or(count.saturating_sub(1));
            }
            KeyCode::Down if count > 0 => palette.chosen = (palette.chosen + 1) % count,
            KeyCode::Tab => return self.palette_complete(palette),
            KeyCode::Backspace if palette.line.is_empty() => return,
            _ => {
                if palette.line.edit(key) {
                    palette.edited();
                }
            }
        }
        self.overlay = Some(Overlay::Palette(palette));
    }

    /// A click on a command or a word: run where nothing else is needed, and else put into the line.
    pub(super) fn palette_click(&mut self, mut palette: CommandPalette, at: usize) {
        let offers = palette.offers();
        let ready = match offers.get(at) {
            Some(Offer::Command(_)) if palette.has_name() => return,
            Some(Offer::Command(entry)) => Some(entry.name.to_owned()),
            Some(Offer::Word(word)) => {
                let entry = commands::entry_of(palette.line.text());
                let single = entry.is_some_and(|entry| !entry.arguments.contains(' '));
                let line = palette.with_word(word);
                let last = single || line.split_whitespace().count() > 2;
                last.then_some(line)
            }
            None => None,
        };
        if let Some(request) = ready.and_then(|line| commands::read(&line).ok()) {
            self.overlay = None;
            return self.perform(request);
        }
        palette.choose(at);
        self.overlay = Some(Overlay::Palette(palette));
    }

    /// Completes a name, and what can follow it; again and again, all that can.
    fn palette_complete(&mut self, mut palette: CommandPalette) {
        let text = palette.line.text().to_owned();
        match commands::expected(&text).1 {
            _ if !text.trim_start().contains(' ') => palette.choose(palette.chosen),
            _ if palette.completion.is_some() => palette.go_on(),
            // These come when a folder was read.
            Words::Saves => self.effects.push(StoreEffect::Name(text)),
            Words::Files => self.effects.push(FileEffect::Name(text)),
            _ => self.offer(&mut palette, Vec::new()),
        }
        self.overlay = Some(Overlay::Palette(palette));
    }

    /// Puts the first way to go on into the line.
    fn offer(&self, palette: &mut CommandPalette, saves: Vec<String>) {
        let typed = Typed {
            position: self.table.session.position(),
            saves,
        };
        let text = palette.line.text();
        let (begin, words) = commands::complete(text, &typed);
        if let Some(before) = text.get(..begin).filter(|_| !words.is_empty()) {
            palette.completion = Some(Completion {
                before: before.to_owned(),
                words,
                at: 0,
            });
            palette.go_on();
        }
    }

    /// The names of the saves are there, to complete a line with. Whoever has typed on by now has no use for them.
    pub(super) fn complete_with(&mut self, line: &str, saves: Vec<String>) {
        match self.overlay.take() {
            Some(Overlay::Palette(mut palette)) => {
                if palette.completion.is_none() && palette.line.text() == line {
                    self.offer(&mut palette, saves);
                }
                self.overlay = Some(Overlay::Palette(palette));
            }
            other => self.overlay = other,
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
    fn palette_run(&mut self, mut palette: CommandPalette) {
        let text = palette.line.text().trim().to_owned();
        let name = text.split(' ').next().unwrap_or_default();
        let known = commands::find(name).is_some();
        let is_move = typed_move::is_meant(&text, self.table.position());
        let text = match palette.offers().get(palette.chosen) {
            // Arrows in the list have the last word, and a unique beginning is enough.
            Some(Offer::Word(word)) if palette.chosen > 0 => palette.with_word(word),
            Some(Offer::Command(entry))
                if palette.chosen > 0 || !(text.is_empty() || known || is_move) =>
            {
                entry.name.to_owned()
            }
            _ if text.is_empty() || known || is_move => text,
            _ => {
                palette.problem = Some(suggest::no_command(name));
                String::new()
            }
        };
        if text.is_empty() {
            self.overlay = Some(Overlay::Palette(palette));
            return;
        }
        match commands::read(&text) {
            Ok(request) => self.perform(request),
            Err(misused) => {
                palette.line.set(&format!("{text} "));
                palette.chosen = 0;
                palette.problem = Some(crate::wording::refusals::misused(&misused).join(" "));
                self.overlay = Some(Overlay::Palette(palette));
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
