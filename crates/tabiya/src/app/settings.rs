//! The settings screen: every setting with its value, changed at once and written to the user's file.

use ratatui::crossterm::event::{KeyCode, KeyEvent};

use super::text_line::TextLine;
use super::{App, Overlay};
use crate::config::settings::{Kind, SETTINGS, Setting};

/// The settings, as they are looked through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SettingsForm {
    pub(crate) chosen: usize,
    /// A value that is being typed.
    pub(crate) typed: Option<TextLine>,
    /// Why the last one was not taken.
    pub(crate) problem: Option<String>,
}

/// The line below the settings, which leads to the engines.
pub(crate) const ENGINES: usize = SETTINGS.len();

impl SettingsForm {
    pub(crate) fn setting(&self) -> Option<&'static Setting> {
        SETTINGS.get(self.chosen)
    }

    fn step(&mut self, forward: bool) {
        let count = ENGINES + 1;
        self.chosen = (self.chosen + if forward { 1 } else { count - 1 }) % count;
        self.typed = None;
        self.problem = None;
    }

    fn takes_text(&self) -> bool {
        matches!(self.setting(), Some(setting) if matches!(setting.kind, Kind::Text(_)))
    }

    pub(crate) fn insert(&mut self, text: &str) {
        if self.takes_text() {
            self.typed.get_or_insert_default().insert(text);
        }
    }
}

impl App {
    pub(super) fn open_settings(&mut self) {
        self.overlay = Some(Overlay::Settings(SettingsForm::default()));
    }

    pub(super) fn open_settings_at_engines(&mut self) {
        self.overlay = Some(Overlay::Settings(SettingsForm {
            chosen: ENGINES,
            ..SettingsForm::default()
        }));
    }

    pub(super) fn settings_key(&mut self, mut form: SettingsForm, key: KeyEvent) {
        match (key.code, form.typed.take()) {
            (KeyCode::Esc, None) => return,
            (KeyCode::Esc, Some(_)) => {}
            (KeyCode::Up | KeyCode::BackTab, _) => form.step(false),
            (KeyCode::Down | KeyCode::Tab, _) => form.step(true),
            (KeyCode::Enter, Some(typed)) => {
                self.settle_in(&mut form, typed.text().trim());
                if form.problem.is_some() {
                    form.typed = Some(typed);
                }
            }
            (KeyCode::Right | KeyCode::Enter | KeyCode::Char(' '), None)
                if form.chosen == ENGINES =>
            {
                self.open_engines();
                return;
            }
            (KeyCode::Left, None) => self.turn_setting(&mut form, false),
            (KeyCode::Right | KeyCode::Enter | KeyCode::Char(' '), None) => {
                self.turn_setting(&mut form, true);
            }
            (_, typed) if form.takes_text() => {
                let mut line = typed.unwrap_or_default();
                line.edit(key);
                form.problem = None;
                form.typed = Some(line).filter(|line| !line.is_empty());
            }
            _ => {}
        }
        self.overlay = Some(Overlay::Settings(form));
    }

    /// A click on a line: chosen, and turned if it was chosen already.
    pub(super) fn settings_click(&mut self, mut form: SettingsForm, row: usize) {
        if form.chosen == row && row == ENGINES {
            self.open_engines();
            return;
        }
        if form.chosen == row {
            self.turn_setting(&mut form, true);
        } else {
            form.chosen = row.min(ENGINES);
            form.typed = None;
            form.problem = None;
        }
        self.overlay = Some(Overlay::Settings(form));
    }

    /// Takes the next of the values that a setting is known to have, or the one before.
    fn turn_setting(&mut self, form: &mut SettingsForm, forward: bool) {
        let Some(setting) = form.setting() else {
            return;
        };
        let choices = setting.choices();
        let now = setting.get(&self.settings);
        let at = choices.iter().position(|choice| *choice == now);
        let next = match at {
            None => 0,
            Some(at) if forward => (at + 1) % choices.len(),
            Some(at) => (at + choices.len() - 1) % choices.len(),
        };
        if let Some(value) = choices.get(next) {
            self.settle_in(form, value);
        }
    }

    fn settle_in(&mut self, form: &mut SettingsForm, value: &str) {
        let Some(setting) = form.setting() else {
            return;
        };
        match self.settle(setting.key, value) {
            Ok(()) => form.problem = None,
            Err(error) => {
                form.problem = Some(error.to_string());
            }
        }
    }
}
