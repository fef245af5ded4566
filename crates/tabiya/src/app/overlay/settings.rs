//! The settings screen: every setting with its value, changed at once and written to the user's file.

use ratatui::crossterm::event::{KeyCode, KeyEvent};

use super::super::App;
use super::super::act::Act;
use super::super::canvas::{Canvas, KeyNames, rows};
use super::super::press::stepped;
use super::super::text_line::TextLine;
use super::engine_options::EnginesForm;
use super::{Component, Response};
use crate::config::settings::{Kind, SETTINGS, Setting};
use crate::message::Hit;
use crate::tui::geometry::{above, centered, from_column};
use crate::tui::text::row;

/// The state of the settings screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SettingsForm {
    pub(crate) chosen: usize,
    /// A value that is being typed.
    typed: Option<TextLine>,
    /// Why the last value was refused.
    pub(crate) problem: Option<String>,
}

/// The line below the settings, which opens the engines.
pub(crate) const ENGINES: usize = SETTINGS.len();

/// The width of the names.
const NAMES: u16 = 20;

/// The greatest number of lines for the note about a setting, including the line of keys.
const BELOW: u16 = 3;

impl SettingsForm {
    /// Opens it with the line of the engines chosen.
    pub(super) fn at_engines() -> SettingsForm {
        SettingsForm {
            chosen: ENGINES,
            ..SettingsForm::default()
        }
    }

    fn setting(&self) -> Option<&'static Setting> {
        SETTINGS.get(self.chosen)
    }

    fn step(&mut self, forward: bool) {
        self.choose(stepped(self.chosen, ENGINES + 1, forward));
    }

    fn choose(&mut self, at: usize) {
        self.chosen = at;
        self.typed = None;
        self.problem = None;
    }

    fn takes_text(&self) -> bool {
        matches!(self.setting(), Some(setting) if matches!(setting.kind, Kind::Text(_)))
    }

    /// Sets the next or previous value of a setting. The line of the engines opens them.
    fn turn(&mut self, forward: bool, app: &App) -> Response {
        let Some(setting) = self.setting() else {
            return Response::CloseAndDo(Act::open(EnginesForm::default()));
        };
        let choices = setting.choices();
        let now = setting.get(&app.settings);
        let at = choices.iter().position(|choice| *choice == now);
        let next = at.map_or(0, |at| stepped(at, choices.len(), forward));
        match choices.get(next) {
            Some(value) => self.change(setting, value, app),
            None => Response::Stay,
        }
    }

    /// Changes a setting, or says why it cannot.
    fn change(&mut self, setting: &'static Setting, value: &str, app: &App) -> Response {
        let refused = setting.set(&mut app.settings.clone(), value).err();
        self.problem = refused.map(|error| error.to_string());
        if self.problem.is_some() {
            return Response::Stay;
        }
        Response::Do(Act::ChangeSetting {
            key: setting.key,
            value: value.to_owned(),
        })
    }
}

impl Component for SettingsForm {
    fn key(&mut self, key: KeyEvent, app: &App) -> Response {
        match (key.code, self.typed.take()) {
            (KeyCode::Esc, None) => return Response::Close,
            (KeyCode::Esc, Some(_)) => {}
            (KeyCode::Up | KeyCode::BackTab, _) => self.step(false),
            (KeyCode::Down | KeyCode::Tab, _) => self.step(true),
            (KeyCode::Enter, Some(typed)) => {
                let Some(setting) = self.setting() else {
                    return Response::Stay;
                };
                let response = self.change(setting, typed.text().trim(), app);
                // A refused value can be corrected.
                self.typed = Some(typed).filter(|_| self.problem.is_some());
                return response;
            }
            (KeyCode::Left, None) if self.chosen == ENGINES => {}
            (KeyCode::Left, None) => return self.turn(false, app),
            (KeyCode::Right | KeyCode::Enter | KeyCode::Char(' '), None) => {
                return self.turn(true, app);
            }
            (_, typed) if self.takes_text() => {
                let mut line = typed.unwrap_or_default();
                line.edit(key);
                self.problem = None;
                self.typed = Some(line).filter(|line| !line.is_empty());
            }
            _ => {}
        }
        Response::Stay
    }

    /// Chooses a line, or changes its value if it was already chosen.
    fn click_row(&mut self, row: usize, app: &App) -> Response {
        if row == self.chosen {
            return self.turn(true, app);
        }
        self.choose(row.min(ENGINES));
        Response::Stay
    }

    fn paste(&mut self, text: &str) {
        if self.takes_text() {
            self.typed.get_or_insert_default().insert(text);
        }
    }

    fn render(&self, app: &App, canvas: &mut Canvas<'_>) {
        let palette = canvas.palette;
        let lines = u16::try_from(ENGINES + 1).unwrap_or(u16::MAX);
        let area = centered(app.size, 72, lines.saturating_add(BELOW + 4));
        let inside = canvas.frame(area, "Settings");
        let list = above(inside, BELOW + 1);
        for (at, line) in rows(list, self.chosen, ENGINES + 1) {
            let setting = SETTINGS.get(at);
            let name = setting.map_or("engines", |setting| setting.key);
            let chosen = at == self.chosen;
            let (sign, style) = canvas.line_style(chosen);
            canvas.hit(line, Hit::Row(at));
            canvas.put(line, 0, &format!("{sign} {name}"), style);
            let value = from_column(line, NAMES);
            if let Some(text) = self.typed.as_ref().filter(|_| chosen) {
                canvas.typed_value(value, text);
                continue;
            }
            let text = match setting.map(|setting| setting.get(&app.settings)) {
                Some(now) if chosen => format!("‹ {now} ›"),
                Some(now) => now,
                None => format!("{} known ›", app.engines.len()),
            };
            canvas.put(value, 0, &text, palette.text());
        }
        let first = (self.chosen + 1).saturating_sub(usize::from(list.height));
        let more = (ENGINES + 1).saturating_sub(first + usize::from(list.height));
        if more > 0 {
            let line = row(inside, list.height);
            canvas.put(line, 2, &format!("↓ {more} more"), palette.dim());
        }
        let (note, style) = match (&self.problem, self.setting()) {
            (Some(problem), _) => (problem.as_str(), palette.warning()),
            (None, Some(setting)) => (setting.help, palette.dim()),
            (None, None) => (
                "The options of each engine that is known by name.",
                palette.dim(),
            ),
        };
        canvas.note(inside, BELOW, note, style);
        const SETTING: KeyNames = &[("←→", "change"), ("Esc", "close")];
        const OPEN: KeyNames = &[("Enter", "open"), ("Esc", "close")];
        let keys = match self.setting() {
            Some(_) => SETTING,
            None => OPEN,
        };
        canvas.keys_at_right(row(inside, inside.height.saturating_sub(1)), keys);
    }
}
