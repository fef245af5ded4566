//! The engines on the settings screen: the options of each, as the engine declares them, changed one by one and written
//! to the user's file.

use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;
use tabiya_rules::text::{clean, excerpt};
use tabiya_uci::{OptionKind, OptionValue};

use super::super::App;
use super::super::act::Act;
use super::super::canvas::{Canvas, KeyNames, rows};
use super::super::press::stepped;
use super::super::text_line::TextLine;
use super::settings::SettingsForm;
use super::{Component, Response};
use crate::message::{EngineEffect, EngineOption, Hit, NotDone, OptionChange};
use crate::tui::geometry::{above, centered, columns, from_column};
use crate::tui::text::row;

/// The width of the option names, if there is room.
const NAMES: u16 = 28;

/// The greatest number of lines for the note about an option, including the line of keys.
const BELOW: u16 = 4;

/// The engines known by name, and the one whose options are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EnginesForm {
    chosen: usize,
    opened: Option<OpenedEngine>,
}

/// An engine whose options are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct OpenedEngine {
    name: String,
    asked: Asked,
    chosen: usize,
    /// A value that is being typed.
    typed: Option<TextLine>,
    /// Why the last value was refused.
    problem: Option<String>,
    /// The last option changed and its previous value, in case the new one cannot be written.
    before: Option<(usize, Option<OptionValue>)>,
}

/// An engine's answer to the question for its options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Asked {
    #[default]
    Waiting,
    Failed(NotDone),
    Options(Vec<EngineOption>),
}

impl EngineOption {
    /// The current value as typed; for a button, whether it is pressed at the start.
    fn shown(&self) -> String {
        match (&self.declared.kind, &self.value) {
            (OptionKind::Button, Some(_)) => "pressed at every start".to_owned(),
            (OptionKind::Button, None) => "not pressed".to_owned(),
            (_, Some(OptionValue::Text(text))) => text.clone(),
            (_, Some(value)) => value.to_string(),
            (_, None) => self.default_text(),
        }
    }

    fn default_text(&self) -> String {
        match &self.declared.kind {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } | OptionKind::Text { default } => default.clone(),
            OptionKind::Button => String::new(),
        }
    }

    /// The possible values, as a sentence.
    fn help(&self) -> String {
        let values = match &self.declared.kind {
            OptionKind::Check { .. } => "true or false".to_owned(),
            OptionKind::Spin { min, max, .. } => format!("A number from {min} to {max}"),
            OptionKind::Combo { choices, .. } => format!("One of {}", choices.join(", ")),
            OptionKind::Text { default } if default.is_empty() => {
                return "A text; the engine has none.".to_owned();
            }
            OptionKind::Text { .. } => "A text".to_owned(),
            OptionKind::Button => {
                return "Something to be done once, whenever the engine is started.".to_owned();
            }
        };
        format!("{values}; the engine has {}.", self.default_text())
    }

    fn is_typed(&self) -> bool {
        matches!(
            self.declared.kind,
            OptionKind::Spin { .. } | OptionKind::Text { .. }
        )
    }

    /// The next or previous value; `None` for a text, or if no value is allowed.
    fn neighbor(&self, forward: bool) -> Option<OptionValue> {
        let now = self.shown();
        match &self.declared.kind {
            OptionKind::Check { .. } => Some(OptionValue::Check(now != "true")),
            OptionKind::Spin { min, max, .. } => {
                let number: i64 = now.parse().unwrap_or(*min);
                let step = if forward { 1 } else { -1 };
                let stepped = number.saturating_add(step);
                // `clamp` panics if the bounds are reversed.
                (min <= max).then(|| OptionValue::Spin(stepped.clamp(*min, *max)))
            }
            OptionKind::Combo { choices, .. } => {
                let at = choices.iter().position(|choice| *choice == now);
                let next = at.map_or(0, |at| stepped(at, choices.len(), forward));
                Some(OptionValue::Combo(choices.get(next)?.clone()))
            }
            OptionKind::Button => Some(OptionValue::Button),
            OptionKind::Text { .. } => None,
        }
    }

    /// Sets a value. The engine's default needs no entry, and pressing a button again releases it.
    fn set(&mut self, value: OptionValue) {
        let default = self.declared.check(Some(&self.default_text())).ok();
        let is_button = value == OptionValue::Button;
        let same = if is_button {
            self.value.is_some()
        } else {
            default.as_ref() == Some(&value)
        };
        self.value = (!same).then_some(value);
    }
}

impl OpenedEngine {
    fn options(&self) -> &[EngineOption] {
        match &self.asked {
            Asked::Options(options) => options,
            Asked::Waiting | Asked::Failed(_) => &[],
        }
    }

    fn option(&self) -> Option<&EngineOption> {
        self.options().get(self.chosen)
    }

    fn step(&mut self, forward: bool) {
        self.choose(stepped(self.chosen, self.options().len(), forward));
    }

    fn choose(&mut self, at: usize) {
        self.chosen = at;
        self.typed = None;
        self.problem = None;
    }

    /// Changes the chosen option. Returns the effect that writes it.
    fn change(&mut self, change: impl FnOnce(&mut EngineOption)) -> Option<EngineEffect> {
        let Asked::Options(options) = &mut self.asked else {
            return None;
        };
        let option = options.get_mut(self.chosen)?;
        let before = option.value.clone();
        change(option);
        self.problem = None;
        self.typed = None;
        if option.value == before {
            return None;
        }
        self.before = Some((self.chosen, before));
        Some(EngineEffect::SetOption(OptionChange {
            engine: self.name.clone(),
            option: option.declared.name.clone(),
            value: option.value.clone(),
        }))
    }

    fn turn(&mut self, forward: bool) -> Option<EngineEffect> {
        let value = self.option()?.neighbor(forward)?;
        self.change(|option| option.set(value))
    }

    /// Takes the typed value, or says why not and lets the user correct it.
    fn take_typed(&mut self, typed: TextLine) -> Option<EngineEffect> {
        let option = self.option()?;
        match option.declared.check(Some(typed.text().trim())) {
            Ok(value) => self.change(|option| option.set(value)),
            Err(error) => {
                self.problem = Some(error.to_string());
                self.typed = Some(typed);
                None
            }
        }
    }

    fn key(&mut self, key: KeyEvent) -> Option<EngineEffect> {
        let is_typed = self.option().is_some_and(EngineOption::is_typed);
        match (key.code, self.typed.take()) {
            (KeyCode::Up | KeyCode::BackTab, _) => self.step(false),
            (KeyCode::Down | KeyCode::Tab, _) => self.step(true),
            (KeyCode::Enter, Some(typed)) => return self.take_typed(typed),
            (KeyCode::Esc, Some(_)) => self.problem = None,
            // Backspace is not included: it may still be held down from deleting typed text.
            (KeyCode::Delete, None) => {
                return self.change(|option| option.value = None);
            }
            (KeyCode::Left, None) => return self.turn(false),
            (KeyCode::Right, None) => return self.turn(true),
            (KeyCode::Enter | KeyCode::Char(' '), None) if !is_typed => return self.turn(true),
            (_, typed) if is_typed => {
                let mut line = typed.unwrap_or_default();
                line.edit(key);
                self.problem = None;
                self.typed = Some(line).filter(|line| !line.is_empty());
            }
            _ => {}
        }
        None
    }
}

impl EnginesForm {
    /// Restores the previous value, because the last change could not be written.
    pub(crate) fn not_written(&mut self, sentence: String) {
        let Some(opened) = &mut self.opened else {
            return;
        };
        opened.problem = Some(sentence);
        if let (Asked::Options(options), Some((at, before))) =
            (&mut opened.asked, opened.before.take())
            && let Some(option) = options.get_mut(at)
        {
            option.value = before;
        }
    }

    /// Handles an engine's answer, unless another engine is shown by now.
    pub(crate) fn take(&mut self, name: &str, answer: Result<Vec<EngineOption>, NotDone>) {
        if let Some(opened) = self.opened.as_mut().filter(|opened| opened.name == name) {
            opened.chosen = 0;
            opened.asked = match answer {
                Ok(options) => Asked::Options(options),
                Err(error) => Asked::Failed(error),
            };
        }
    }

    /// Asks the chosen engine for its options.
    fn open(&mut self, engines: &[String]) -> Option<EngineEffect> {
        let name = engines.get(self.chosen)?.clone();
        self.opened = Some(OpenedEngine {
            name: name.clone(),
            ..OpenedEngine::default()
        });
        Some(EngineEffect::Ask(name))
    }

    /// The chosen line and the number of lines.
    fn place(&self, app: &App) -> (usize, usize) {
        match &self.opened {
            Some(opened) => (opened.chosen, opened.options().len()),
            None => (self.chosen, app.engines.len()),
        }
    }

    /// The note below the list, and whether it is an error.
    fn note(&self, app: &App) -> (String, bool) {
        let Some(opened) = &self.opened else {
            let note = if app.engines.is_empty() {
                "No engine is known. Name one in config.toml: [engines.NAME] with its path."
            } else {
                "The engines of config.toml, and well-known ones that are installed."
            };
            return (note.to_owned(), false);
        };
        match (&opened.problem, &opened.asked) {
            (Some(problem), _) => (problem.clone(), true),
            (None, Asked::Failed(error)) => (error.to_string(), true),
            (None, Asked::Waiting) => ("The engine is asked for its options…".to_owned(), false),
            (None, Asked::Options(_)) => match opened.option() {
                Some(option) => (option.help(), false),
                None => ("The engine has no options.".to_owned(), false),
            },
        }
    }
}

/// Stays open and performs an effect.
fn stay(effect: Option<EngineEffect>) -> Response {
    effect.map_or(Response::Stay, |effect| Response::Do(Act::effect(effect)))
}

impl Component for EnginesForm {
    fn key(&mut self, key: KeyEvent, app: &App) -> Response {
        let count = app.engines.len();
        match (&mut self.opened, key.code) {
            (Some(opened), KeyCode::Esc) if opened.typed.is_none() => self.opened = None,
            (Some(opened), _) => return stay(opened.key(key)),
            (None, KeyCode::Esc) => {
                return Response::CloseAndDo(Act::open(SettingsForm::at_engines()));
            }
            (None, KeyCode::Up | KeyCode::BackTab) => {
                self.chosen = stepped(self.chosen, count, false);
            }
            (None, KeyCode::Down | KeyCode::Tab) => self.chosen = stepped(self.chosen, count, true),
            (None, KeyCode::Enter | KeyCode::Right | KeyCode::Char(' ')) => {
                return stay(self.open(&app.engines));
            }
            (None, _) => {}
        }
        Response::Stay
    }

    /// Chooses a line, or opens or changes it if it was already chosen.
    fn click_row(&mut self, row: usize, app: &App) -> Response {
        match &mut self.opened {
            Some(opened) if opened.chosen == row => return stay(opened.turn(true)),
            Some(opened) => opened.choose(row.min(opened.options().len().saturating_sub(1))),
            None if self.chosen == row => return stay(self.open(&app.engines)),
            None => self.chosen = row,
        }
        Response::Stay
    }

    fn paste(&mut self, text: &str) {
        if let Some(opened) = &mut self.opened
            && opened.option().is_some_and(EngineOption::is_typed)
        {
            opened.typed.get_or_insert_default().insert(text);
        }
    }

    fn render(&self, app: &App, canvas: &mut Canvas<'_>) {
        let title = match &self.opened {
            Some(opened) => format!("Options of {}", excerpt(&opened.name)),
            None => "Engines".to_owned(),
        };
        let inside = canvas.frame(centered(app.size, 76, 22), &title);
        let (chosen, count) = self.place(app);
        for (at, line) in rows(above(inside, BELOW + 1), chosen, count) {
            canvas.hit(line, Hit::Row(at));
            match &self.opened {
                Some(opened) => opened.draw_option(at, line, canvas),
                None => {
                    let (sign, style) = canvas.line_style(at == chosen);
                    let name = app.engines.get(at).map(String::as_str).unwrap_or_default();
                    canvas.put(line, 0, &format!("{sign} {}", excerpt(name)), style);
                }
            }
        }
        let (note, is_bad) = self.note(app);
        let style = if is_bad {
            canvas.palette.warning()
        } else {
            canvas.palette.dim()
        };
        canvas.note(inside, BELOW, &clean(&note), style);
        const OPTION: KeyNames = &[("←→", "change"), ("Del", "default"), ("Esc", "back")];
        const ENGINE: KeyNames = &[("Enter", "options"), ("Esc", "back")];
        const NOTHING: KeyNames = &[("Esc", "back")];
        let keys = match &self.opened {
            Some(opened) if opened.option().is_some() => OPTION,
            None if !app.engines.is_empty() => ENGINE,
            Some(_) | None => NOTHING,
        };
        canvas.keys_at_right(row(inside, inside.height.saturating_sub(1)), keys);
    }
}

impl OpenedEngine {
    /// Draws one option: its name, and its value or the typed text. Options set by the user stand out.
    fn draw_option(&self, at: usize, line: Rect, canvas: &mut Canvas<'_>) {
        let Some(option) = self.options().get(at) else {
            return;
        };
        let palette = canvas.palette;
        let chosen = at == self.chosen;
        let (sign, style) = canvas.line_style(chosen);
        let names = NAMES.min(line.width / 2);
        let name = columns(line, 0, names.saturating_sub(1));
        let text = format!("{sign} {}", clean(&option.declared.name));
        canvas.put(name, 0, &text, style);
        let value = from_column(line, names);
        if let Some(text) = self.typed.as_ref().filter(|_| chosen) {
            return canvas.typed_value(value, text);
        }
        let now = clean(&option.shown()).into_owned();
        let text = if chosen {
            format!("‹ {now} ›")
        } else {
            now
        };
        let style = match option.value {
            Some(_) => palette.accent(),
            None => palette.text(),
        };
        canvas.put(value, 0, &text, style);
    }
}
