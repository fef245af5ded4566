//! The command palette at the bottom of the screen: a line for any command, and the commands that match.

use crossterm::event::KeyEvent;
use ratatui_core::layout::Rect;
use tabiya_front::cells::{fitted, row, width, wrap};
use tabiya_front::commands::suggest;
use tabiya_front::commands::{self, ArgumentKind, COMMANDS, Entry};
use tabiya_front::config::settings;
use tabiya_front::wording::refusals;
use tabiya_play::typed_move;
use tabiya_rules::Position;

use super::super::App;
use super::super::action::Action;
use super::super::board::Board;
use super::super::canvas::{Canvas, KeyNames};
use super::super::text_line::TextLine;
use super::{Component, Response};
use crate::app::press::{ENTER, ESC, Edit, KeyLabel, Press, TAB, stepped};
use crate::message::{FileEffect, Hit, StoreEffect};
use crate::tui::geometry::below;

const KEYS: KeyNames = &[
    (ENTER, "run"),
    (ESC, "close"),
    (TAB, "complete"),
    (KeyLabel::Several("↑↓"), "choose"),
];

/// A command that is being typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CommandPalette {
    line: TextLine,
    chosen: usize,
    /// Why the last line could not be run.
    problem: Option<String>,
    /// The completed lines that Tab cycles through, once it was pressed, and the index of the next one.
    completion: Option<(Vec<String>, usize)>,
}

/// A suggestion below the typed line.
#[derive(Clone, Debug, PartialEq)]
enum Offer {
    Command(&'static Entry),
    /// A word that can follow.
    Word(String),
}

impl CommandPalette {
    /// Opens the styles with the beginning of a command.
    pub(crate) fn with(text: &str) -> CommandPalette {
        CommandPalette {
            line: text.into(),
            ..CommandPalette::default()
        }
    }

    /// Whether the name of a command is complete, so that arguments follow.
    fn has_name(&self) -> bool {
        self.line.text().trim_start().contains(' ')
    }

    /// The matching commands, or the words that can follow a command.
    fn offers(&self) -> Vec<Offer> {
        let commands = self.entries().into_iter().map(Offer::Command);
        let words = self.has_name().then(|| self.words());
        let words = words.into_iter().flatten().map(Offer::Word);
        commands.chain(words).collect()
    }

    /// The words that can follow, if they are fixed.
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
            None => commands::complete(text, Vec::new, Vec::new).1,
        }
    }

    /// The line with a suggestion in place of the word being typed.
    fn with_word(&self, word: &str) -> String {
        let text = self.line.text();
        let begin = text.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        format!("{}{word}", text.get(..begin).unwrap_or_default())
    }

    /// The commands whose name or description matches the first word.
    pub(crate) fn entries(&self) -> Vec<&'static Entry> {
        let typed = self.line.text().trim_start().to_ascii_lowercase();
        let (name, whole) = match typed.split_once(' ') {
            Some((name, _)) => (name, true),
            None => (typed.as_str(), false),
        };
        let named = |entry: &&Entry| {
            let mut names = std::iter::once(&entry.name).chain(entry.aliases);
            names.any(|known| known.starts_with(name) && (!whole || *known == name))
        };
        let mut found: Vec<&'static Entry> = COMMANDS.iter().filter(named).collect();
        // A capital letter begins a move.
        let is_word = !self.line.text().contains(|c: char| c.is_ascii_uppercase());
        if !whole && name.len() > 1 && is_word {
            let says_it = |entry: &&Entry| entry.summary.to_ascii_lowercase().contains(name);
            let others = COMMANDS.iter().filter(|entry| !named(entry));
            found.extend(others.filter(says_it));
        }
        found
    }

    /// Forgets what depends on the text, because it has changed.
    fn forget_old_text(&mut self) {
        self.chosen = 0;
        self.problem = None;
        self.completion = None;
    }

    /// Puts the next completion into the line.
    fn insert_next_completion(&mut self) {
        if let Some((lines, at)) = &mut self.completion
            && let Some(line) = lines.get(*at)
        {
            self.line.set(line);
            *at = (*at + 1) % lines.len();
        }
    }

    /// Puts a command into the line, to run it or to add arguments.
    fn choose(&mut self, at: usize) {
        let text = match self.offers().get(at) {
            Some(Offer::Command(entry)) if entry.arguments.is_empty() => entry.name.to_owned(),
            Some(Offer::Command(entry)) => format!("{} ", entry.name),
            Some(Offer::Word(word)) => format!("{} ", self.with_word(word)),
            None => return,
        };
        self.line.set(&text);
        self.forget_old_text();
    }
}

impl CommandPalette {
    /// Completes the current word; pressed again, cycles through the completions.
    fn complete(&mut self, board: Board<'_>) -> Response {
        let text = self.line.text().to_owned();
        match commands::expected(&text).1 {
            _ if self.completion.is_some() => self.insert_next_completion(),
            _ if !self.has_name() && self.begins_move(board.position()) => {
                self.offer(|| legal_moves_in_san(board.position()), Vec::new());
            }
            _ if !self.has_name() => self.choose(self.chosen),
            // These follow when the folder has been read.
            ArgumentKind::Saves => return Response::effect(StoreEffect::CompleteSaveName(text)),
            ArgumentKind::Files => return Response::effect(FileEffect::CompleteFileName(text)),
            ArgumentKind::Nothing
            | ArgumentKind::Reviewed
            | ArgumentKind::Moves
            | ArgumentKind::Commands
            | ArgumentKind::Choice(_)
            | ArgumentKind::Settings => {
                // A claim is about the game, whatever position is on the screen.
                self.offer(
                    || legal_moves_in_san(board.session().position()),
                    Vec::new(),
                );
            }
        }
        Response::Stay
    }

    /// Whether the first word can become a move, but not the name of a command, and no suggestion is chosen.
    fn begins_move(&self, position: &Position) -> bool {
        let text = self.line.text();
        let fitting = |moves| commands::complete(text, move || moves, Vec::new).1;
        self.chosen == 0
            && fitting(Vec::new()).is_empty()
            && !fitting(legal_moves_in_san(position)).is_empty()
    }

    /// Puts the first completion into the line.
    fn offer(&mut self, moves: impl FnOnce() -> Vec<String>, saves: Vec<String>) {
        let text = self.line.text();
        let (begin, words) = commands::complete(text, moves, || saves);
        if let Some(before) = text.get(..begin).filter(|_| !words.is_empty()) {
            let lines = words.iter().map(|word| format!("{before}{word}"));
            self.completion = Some((lines.collect(), 0));
            self.insert_next_completion();
        }
    }

    /// Completes the line with the names of saves, unless it has changed by now.
    pub(crate) fn offer_save_names(&mut self, line: &str, saves: Vec<String>) {
        if self.completion.is_none() && self.line.text() == line {
            self.offer(Vec::new, saves);
        }
    }

    /// Completes a file name as far as all matches agree, and lists them if there are several.
    pub(crate) fn offer_file_names(&mut self, line: &str, found: &[String]) {
        let begun = commands::file_begun(line).filter(|_| self.line.text() == line);
        let Some((begin, begun)) = begun else { return };
        let alike = common_beginning(found);
        if let (true, Some(before)) = (alike.len() > begun.len(), line.get(..begin)) {
            self.line.set(&format!("{before}{alike}"));
        }
        self.problem = match found {
            [] => Some("No file begins like that.".to_owned()),
            [_] => None,
            several => Some(several.join("  ")),
        };
    }

    /// Runs the line. A word that is not a command runs the chosen suggestion.
    fn enter(&mut self, position: &Position) -> Response {
        let text = self.line.text().trim().to_owned();
        let name = text.split(' ').next().unwrap_or_default();
        let known = commands::find(name).is_some();
        let is_move = typed_move::looks_like_a_move(&text, position);
        let text = match self.offers().get(self.chosen) {
            // A suggestion chosen with the arrows takes precedence, and an unambiguous prefix is enough.
            Some(Offer::Word(word)) if self.chosen > 0 => self.with_word(word),
            Some(Offer::Command(entry))
                if self.chosen > 0 || !(text.is_empty() || known || is_move) =>
            {
                entry.name.to_owned()
            }
            Some(_) | None if text.is_empty() || known || is_move => text,
            Some(_) | None => {
                self.problem = Some(suggest::no_command(name));
                String::new()
            }
        };
        if text.is_empty() {
            return Response::Stay;
        }
        match commands::read(&text) {
            Ok(command) => Response::CloseAndDo(Action::perform(command)),
            Err(misused) => {
                self.line.set(&format!("{text} "));
                self.chosen = 0;
                self.problem = Some(refusals::misused(&misused).join(" "));
                Response::Stay
            }
        }
    }
}

/// The legal moves in SAN.
fn legal_moves_in_san(position: &Position) -> Vec<String> {
    let moves = position.legal_moves().into_iter();
    moves.map(|m| position.san(m).to_string()).collect()
}

/// The common prefix of all texts.
fn common_beginning(texts: &[String]) -> &str {
    let first = texts.first().map_or("", String::as_str);
    let beginnings = first
        .char_indices()
        .map(|(at, c)| &first[..at + c.len_utf8()]);
    let is_common = |begun: &&str| texts.iter().all(|text| text.starts_with(begun));
    beginnings.take_while(is_common).last().unwrap_or_default()
}

impl Component for CommandPalette {
    fn key(&mut self, key: KeyEvent, app: &App) -> Response {
        let count = self.offers().len();
        match Press::from(key) {
            Press::Esc => return Response::Close,
            Press::Enter => return self.enter(app.board().position()),
            Press::Up => self.chosen = stepped(self.chosen, count, false),
            Press::Down if count > 0 => self.chosen = stepped(self.chosen, count, true),
            Press::Tab => return self.complete(app.board()),
            Press::Edit(Edit::Backspace) if self.line.is_empty() => return Response::Close,
            Press::BackTab | Press::Down | Press::PageUp | Press::PageDown | Press::Edit(_) => {
                if self.line.edit(key) {
                    self.forget_old_text();
                }
            }
        }
        Response::Stay
    }

    /// Runs a suggestion that needs no arguments; puts any other into the line.
    fn click_row(&mut self, at: usize, _: &App) -> Response {
        let offers = self.offers();
        let ready = match offers.get(at) {
            Some(Offer::Command(_)) if self.has_name() => return Response::Close,
            Some(Offer::Command(entry)) => Some(entry.name.to_owned()),
            Some(Offer::Word(word)) => {
                let entry = commands::entry_of(self.line.text());
                let single = entry.is_some_and(|entry| !entry.arguments.contains(' '));
                let line = self.with_word(word);
                let last = single || line.split_whitespace().count() > 2;
                last.then_some(line)
            }
            None => None,
        };
        if let Some(command) = ready.and_then(|line| commands::read(&line).ok()) {
            return Response::CloseAndDo(Action::perform(command));
        }
        self.choose(at);
        Response::Stay
    }

    fn paste(&mut self, text: &str) {
        self.line.insert(text);
        self.forget_old_text();
    }

    fn render(&self, app: &App, canvas: &mut Canvas<'_>) {
        let styles = canvas.styles;
        let size = app.look.size;
        let height = (size.height / 2).clamp(6, 14).min(size.height);
        let wide = size.width.min(84);
        let area = Rect::new((size.width - wide) / 2, size.height - height, wide, height);
        let inside = canvas.draw_frame(area, "Command");
        let pair = (styles.accent(), styles.text());
        canvas.draw_typed_line(row(inside, 0), ": ", &self.line, pair);
        // The error replaces the keys.
        canvas.put_lines(below(inside, 1), &problem(self, inside), styles.warning());
        if self.problem.is_none() {
            canvas.draw_keys(row(inside, 1), KEYS);
        }
        let (first, lines) = lines(self, inside);
        for (line, (offer, text)) in below(inside, first).rows().zip(lines) {
            // The command whose arguments are being typed cannot be chosen any more.
            let style = match self.has_name() && offer == 0 {
                true => styles.dim(),
                false => canvas.line_style(offer == self.chosen).1,
            };
            canvas.put(line, 0, &text, style);
            canvas.make_clickable(line, Hit::Row(offer));
        }
    }
}

/// The error, in as many lines as leave room for the input and a command.
fn problem(shown: &CommandPalette, inside: Rect) -> Vec<String> {
    let problem = shown.problem.as_deref();
    let mut lines = problem.map_or_else(Vec::new, |problem| wrap(problem, inside.width));
    lines.truncate(usize::from(inside.height.saturating_sub(2)));
    lines
}

/// The number of lines above the list, and its lines from the first visible one on, so that the chosen one is visible.
/// Each has the index of its suggestion.
fn lines(shown: &CommandPalette, inside: Rect) -> (u16, Vec<(usize, String)>) {
    // The input line, and the keys or the error.
    let above = 1 + problem(shown, inside).len().max(1) as u16;
    let room = inside.height.saturating_sub(above);
    let offers = shown.offers();
    let mut all: Vec<(usize, String)> = offers
        .iter()
        .enumerate()
        .flat_map(|(at, offer)| {
            let whole = at == shown.chosen || shown.has_name();
            let texts = texts(offer, whole, inside.width);
            texts.into_iter().map(move |text| (at, text))
        })
        .collect();
    let chosen = all.iter().rposition(|(at, _)| *at == shown.chosen);
    let first = (chosen.unwrap_or(0) + 1).saturating_sub(usize::from(room));
    // An entry taller than the room shows its beginning.
    let begin = all.iter().position(|(at, _)| *at == shown.chosen);
    let first = first.min(begin.unwrap_or(0));
    (above, all.split_off(first))
}

/// The text of a suggestion. A chosen command, or one whose arguments are being typed, takes as many lines as it needs.
fn texts(offer: &Offer, whole: bool, room: u16) -> Vec<String> {
    const USAGE: u16 = 30;
    match offer {
        Offer::Command(entry) if whole && width(&entry.usage()) > USAGE.min(room / 2) => {
            let mut lines = wrap(&entry.usage(), room);
            let does = wrap(entry.summary, room.saturating_sub(2)).into_iter();
            lines.extend(does.map(|line| format!("  {line}")));
            lines
        }
        Offer::Command(entry) if room >= 60 => {
            let usage = fitted(&entry.usage(), USAGE);
            vec![format!("{usage:<30} {}", entry.summary)]
        }
        Offer::Command(entry) => vec![format!("{:<11} {}", entry.name, entry.summary)],
        Offer::Word(word) => vec![format!("  {word}")],
    }
}
