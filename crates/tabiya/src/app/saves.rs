//! The list of saved games: found by name, looked at, resumed, deleted.

use std::borrow::Cow;
use std::collections::HashMap;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEventKind};
use ratatui::layout::{Rect, Size};
use tabiya_game::{Command, Record};
use tabiya_store::{Game, Listed, SaveError, SaveName, Summary, Trashed};

use super::dialog::Dialog;
use super::review::Origin;
use super::text_line::TextLine;
use super::{App, Overlay, Screen, table};
use crate::commands::FileCommand;
use crate::message::{Done, NotDone, StoreEffect};
use crate::saved;

/// How many saves are remembered that were looked at.
const REMEMBERED: usize = 500;

/// The lines inside the frame that are no saves: what is searched for, and below what can be done.
pub(crate) const ABOVE: u16 = 1;
pub(crate) const BELOW: u16 = 2;

/// The room that the small board takes: eight squares of two cells, and the numbers beside them.
pub(crate) const BOARD: u16 = 20;

/// The narrowest screen with a board beside the list.
pub(crate) const WIDE: u16 = 60;

/// The room inside the frame.
pub(crate) fn inside(size: Size) -> Rect {
    Rect::new(
        2,
        1,
        size.width.saturating_sub(4),
        size.height.saturating_sub(2),
    )
}

/// The lines with saves.
pub(crate) fn list(size: Size) -> Rect {
    let inside = inside(size);
    let board = if size.width >= WIDE { BOARD + 2 } else { 0 };
    Rect {
        y: inside.y + ABOVE,
        width: inside.width.saturating_sub(board),
        height: inside.height.saturating_sub(ABOVE + BELOW),
        ..inside
    }
}

/// How many saves are seen at once.
fn rows(size: Size) -> usize {
    usize::from(list(size).height)
}

/// The list as it stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Saves {
    /// `None` until the folder was read.
    listed: Option<Result<Vec<Listed>, SaveError>>,
    /// Which of them fit what was typed.
    fitting: Vec<usize>,
    pub(crate) search: TextLine,
    pub(crate) chosen: usize,
    /// The first that is shown.
    pub(crate) top: usize,
    /// What is known of those that were shown.
    known: HashMap<SaveName, Result<Summary, SaveError>>,
    /// Whether it is asked if the chosen one shall be deleted.
    pub(crate) asks: bool,
    /// What was said last.
    pub(crate) said: Option<String>,
}

impl Saves {
    /// What stands in the place of a list that there is not.
    pub(crate) fn instead(&self) -> Option<Cow<'_, str>> {
        match &self.listed {
            None => Some("Looking…".into()),
            Some(Err(error)) => Some(error.to_string().into()),
            Some(Ok(listed)) if listed.is_empty() => Some(
                "Nothing is saved yet. Games are kept by themselves, or with :save NAME.".into(),
            ),
            Some(Ok(_)) if self.fitting.is_empty() => Some("No save has that in its name.".into()),
            Some(Ok(_)) => None,
        }
    }

    /// How many fit.
    pub(crate) fn len(&self) -> usize {
        self.fitting.len()
    }

    /// The save in a line of the list.
    pub(crate) fn get(&self, at: usize) -> Option<&Listed> {
        let Some(Ok(listed)) = &self.listed else {
            return None;
        };
        listed.get(*self.fitting.get(at)?)
    }

    /// What is known of a save.
    pub(crate) fn about(&self, name: &SaveName) -> Option<&Result<Summary, SaveError>> {
        self.known.get(name)
    }

    pub(crate) fn insert(&mut self, text: &str) {
        self.search.insert(text);
        self.filter();
    }

    fn chosen_name(&self) -> Option<SaveName> {
        self.get(self.chosen).map(|listed| listed.name.clone())
    }

    fn fill(&mut self, listed: Result<Vec<Listed>, SaveError>) {
        self.listed = Some(listed);
        self.filter();
    }

    fn filter(&mut self) {
        let wanted = self.search.text().to_lowercase();
        self.fitting = match &self.listed {
            Some(Ok(listed)) => (0..listed.len())
                .filter(|&at| {
                    let fits = |one: &Listed| one.name.as_str().to_lowercase().contains(&wanted);
                    wanted.is_empty() || listed.get(at).is_some_and(fits)
                })
                .collect(),
            _ => Vec::new(),
        };
        self.go(0);
    }

    /// Chooses another line, and keeps it in sight.
    fn go(&mut self, by: i64) {
        let last = self.fitting.len().saturating_sub(1) as i64;
        let now = i64::try_from(self.chosen).unwrap_or(0);
        self.chosen = usize::try_from((now + by).clamp(0, last)).unwrap_or(0);
    }

    /// Keeps the chosen line in sight, in so many lines.
    fn scroll(&mut self, rows: usize) {
        let rows = rows.max(1);
        self.top = self.top.min(self.chosen);
        if self.chosen >= self.top + rows {
            self.top = self.chosen + 1 - rows;
        }
    }

    fn learn(&mut self, name: SaveName, about: Result<Summary, SaveError>) {
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert(name, about);
    }

    fn forget(&mut self, name: &SaveName) {
        if let Some(Ok(listed)) = &mut self.listed {
            listed.retain(|one| one.name != *name);
        }
        self.known.remove(name);
        self.filter();
    }
}

impl App {
    /// Opens the list.
    pub(crate) fn open_saves(&mut self) {
        self.overlay = Some(Overlay::Saves(Box::default()));
        self.effects.push(StoreEffect::List);
    }

    /// The list is there.
    pub(super) fn saves_listed(&mut self, listed: Result<Vec<Listed>, SaveError>) {
        self.change_saves(|saves| saves.fill(listed));
    }

    /// Somebody has looked into a save, and perhaps found that it is gone.
    pub(super) fn save_peeked(
        &mut self,
        name: SaveName,
        about: Option<Result<Summary, SaveError>>,
    ) {
        match (about, &mut self.overlay) {
            (None, _) => self.change_saves(|saves| saves.forget(&name)),
            (Some(about), Some(Overlay::Saves(saves))) => {
                saves.learn(name, about);
            }
            (Some(_), _) => {}
        }
    }

    /// Asks whether a save shall be deleted, if it can be.
    pub(super) fn ask_to_delete(&mut self, name: SaveName, can: Result<(), SaveError>) {
        match can {
            Ok(()) => self.ask(Dialog::deletion(name)),
            Err(error) => self.tell(Err(error.into())),
        }
    }

    pub(super) fn save_deleted(&mut self, name: &SaveName, done: Result<Trashed, SaveError>) {
        if !matches!(self.overlay, Some(Overlay::Saves(_))) {
            self.tell(done.map(Done::Trashed).map_err(NotDone::from));
            return;
        }
        self.change_saves(|saves| {
            if done.is_ok() {
                saves.forget(name);
            }
            saves.said = Some(match done {
                Ok(trashed) => trashed.to_string(),
                Err(error) => error.to_string(),
            });
        });
    }

    /// A save was read to be looked at, or why not.
    pub(super) fn save_read(&mut self, name: SaveName, read: Result<Box<Record>, SaveError>) {
        match read {
            Ok(record) => {
                self.open_review(*record, Origin::Save(name));
            }
            Err(error) => self.say_about_saves(error.to_string()),
        }
    }

    /// Says what is wrong where it was asked for.
    fn say_about_saves(&mut self, sentence: String) {
        if let Some(Overlay::Saves(saves)) = &mut self.overlay {
            saves.said = Some(sentence);
            // It may have been set aside, or be gone.
            self.effects.push(StoreEffect::List);
            return;
        }
        self.show("Saves", vec![sentence]);
    }

    /// Changes the list, if it is still looked at.
    fn change_saves(&mut self, change: impl FnOnce(&mut Saves)) {
        match self.overlay.take() {
            Some(Overlay::Saves(mut saves)) => {
                change(&mut saves);
                self.show_saves(saves);
            }
            other => {
                self.overlay = other;
            }
        }
    }

    /// Shows the list, and asks about what is to be seen in it and not known yet.
    fn show_saves(&mut self, mut saves: Box<Saves>) {
        let rows = rows(self.size);
        saves.scroll(rows);
        let unknown: Vec<SaveName> = (saves.top..saves.top + rows)
            .filter_map(|at| saves.get(at))
            .filter(|listed| saves.about(&listed.name).is_none())
            .map(|listed| listed.name.clone())
            .collect();
        self.overlay = Some(Overlay::Saves(saves));
        if unknown.is_empty() {
        } else {
            self.effects.push(StoreEffect::Peek(unknown));
        }
    }

    pub(super) fn saves_key(&mut self, mut saves: Box<Saves>, key: KeyEvent) {
        if saves.asks {
            saves.asks = false;
            if matches!(key.code, KeyCode::Char('y' | 'Y'))
                && let Some(name) = saves.chosen_name()
            {
                self.overlay = Some(Overlay::Saves(saves));
                self.effects.push(StoreEffect::Delete(name));
                return;
            }
            return self.show_saves(saves);
        }
        saves.said = None;
        let page = i64::try_from(rows(self.size)).unwrap_or(1);
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc if saves.search.is_empty() => return,
            KeyCode::Esc => {
                saves.search.clear();
                saves.filter();
            }
            KeyCode::Up => saves.go(-1),
            KeyCode::Down | KeyCode::Tab => saves.go(1),
            KeyCode::PageUp => saves.go(-page),
            KeyCode::PageDown => saves.go(page),
            KeyCode::Home => saves.go(i64::MIN / 2),
            KeyCode::End => saves.go(i64::MAX / 2),
            KeyCode::Delete => saves.asks = saves.chosen_name().is_some(),
            KeyCode::Char('d') if control => saves.asks = saves.chosen_name().is_some(),
            KeyCode::Char('r') if control => {
                if let Some(name) = saves.chosen_name() {
                    self.overlay = Some(Overlay::Saves(saves));
                    self.effects.push(StoreEffect::Read(name));
                    return;
                }
            }
            KeyCode::Enter => {
                if let Some(name) = saves.chosen_name() {
                    self.overlay = Some(Overlay::Saves(saves));
                    return self.perform(FileCommand::Load(name).into());
                }
            }
            _ => {
                if saves.search.edit(key) {
                    saves.filter();
                }
            }
        }
        self.show_saves(saves);
    }

    /// A click on a line chooses it, and a click on the chosen one resumes it. The wheel goes through the list.
    pub(super) fn saves_mouse(&mut self, kind: MouseEventKind, line: Option<usize>) {
        let enter = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
        match (kind, line) {
            (MouseEventKind::ScrollUp, _) => self.change_saves(|saves| saves.go(-3)),
            (MouseEventKind::ScrollDown, _) => self.change_saves(|saves| saves.go(3)),
            (MouseEventKind::Down(MouseButton::Left), Some(line)) => {
                let mut again = false;
                self.change_saves(|saves| {
                    let at = (saves.top + line).min(saves.len().saturating_sub(1));
                    again = at == saves.chosen && saves.get(saves.top + line).is_some();
                    saves.asks = false;
                    saves.chosen = at;
                });
                match self.overlay.take() {
                    Some(Overlay::Saves(saves)) if again => self.saves_key(saves, enter),
                    other => self.overlay = other,
                }
            }
            _ => {}
        }
    }

    /// A save was opened, or why not.
    pub(super) fn resumed(&mut self, resumed: Result<Box<Game>, SaveError>) {
        match resumed {
            Ok(game) => self.take_over(*game),
            Err(error) => self.say_about_saves(error.to_string()),
        }
    }

    /// Plays a game on that was kept.
    pub(crate) fn take_over(&mut self, game: Game) {
        let Game { session, players } = game;
        self.front_game();
        self.screen = Screen::Game;
        self.table.forget_what_was_said();
        self.table.typing.clear();
        self.table.marks.clear();
        self.table.cursor_shown = false;
        self.table.begun = true;
        self.keeping.is_behind = false;
        self.overlay = None;
        self.effects
            .order(self.opponents.seat(saved::players(&players)));
        // Whoever plays against an engine sits at the bottom of the board.
        if let Some(person) = self.opponents.person() {
            self.look.bottom = person;
        }
        self.table.cursor = table::first_cursor(self.look.bottom);
        self.apply(Command::LoadGame(Box::new(session.save())));
        // The clocks begin with the next command.
        if self.opponents.stranger().is_none() {
            self.apply(Command::Tick);
        }
        if let Some(sentence) = self.opponents.unset_options() {
            self.table.say(sentence);
        }
    }
}
