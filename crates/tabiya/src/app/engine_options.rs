//! The engines on the settings screen: the options of each as the engine itself declares them, changed one by one and
//! written to the user's file.

use ratatui::crossterm::event::{KeyCode, KeyEvent};
use tabiya_uci::{OptionKind, OptionValue};

use super::text_line::TextLine;
use super::{App, Overlay};
use crate::message::{AskError, EngineEffect, EngineOption};

/// The engines that are known by name, and the one whose options are looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EnginesForm {
    pub(crate) chosen: usize,
    pub(crate) opened: Option<OpenedEngine>,
}

/// An engine whose options are looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpenedEngine {
    pub(crate) name: String,
    pub(crate) asked: Asked,
    pub(crate) chosen: usize,
    /// A value that is being typed.
    pub(crate) typed: Option<TextLine>,
    /// Why the last one was not taken.
    pub(crate) problem: Option<String>,
    /// The option that was changed last and what it was before, in case that cannot be written.
    before: Option<(usize, Option<OptionValue>)>,
}

/// What an engine answered when it was asked for its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Waiting,
    Failed(AskError),
    Options(Vec<EngineOption>),
}

impl EngineOption {
    /// The value that counts, as it is typed; for a button, whether it is pressed at the start.
    pub(crate) fn shown(&self) -> String {
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

    /// What it can be, in a sentence.
    pub(crate) fn help(&self) -> String {
        let default = self.default_text();
        match &self.declared.kind {
            OptionKind::Check { .. } => format!("true or false; the engine has {default}."),
            OptionKind::Spin { min, max, .. } => {
                format!("A number from {min} to {max}; the engine has {default}.")
            }
            OptionKind::Combo { choices, .. } => {
                format!("One of {}; the engine has {default}.", choices.join(", "))
            }
            OptionKind::Text { .. } if default.is_empty() => {
                "A text; the engine has none.".to_owned()
            }
            OptionKind::Text { .. } => format!("A text; the engine has {default}."),
            OptionKind::Button => {
                "Something to be done once, whenever the engine is started.".to_owned()
            }
        }
    }

    fn is_typed(&self) -> bool {
        matches!(
            self.declared.kind,
            OptionKind::Spin { .. } | OptionKind::Text { .. }
        )
    }

    /// The value beside the one that counts; nothing for a text, or where no value is allowed.
    fn neighbor(&self, forward: bool) -> Option<OptionValue> {
        let now = self.shown();
        match &self.declared.kind {
            OptionKind::Check { .. } => Some(OptionValue::Check(now != "true")),
            OptionKind::Spin { min, max, .. } => {
                let number: i64 = now.parse().unwrap_or(*min);
                let step = if forward { 1 } else { -1 };
                let stepped = number.saturating_add(step);
                // `clamp` would panic where there is nothing between the bounds.
                (min <= max).then(|| OptionValue::Spin(stepped.clamp(*min, *max)))
            }
            OptionKind::Combo { choices, .. } => {
                let at = choices.iter().position(|choice| *choice == now);
                let count = choices.len();
                let next = match at {
                    None => 0,
                    Some(at) if forward => at + 1,
                    Some(at) => at + count - 1,
                };
                let next = choices.get(next.checked_rem(count)?)?;
                Some(OptionValue::Combo(next.clone()))
            }
            OptionKind::Button => Some(OptionValue::Button),
            OptionKind::Text { .. } => None,
        }
    }

    /// Takes a value. What the engine has anyway is left to it, and a button that is pressed already is let go.
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
    fn new(name: String) -> OpenedEngine {
        OpenedEngine {
            name,
            asked: Asked::Waiting,
            chosen: 0,
            typed: None,
            problem: None,
            before: None,
        }
    }

    pub(crate) fn options(&self) -> &[EngineOption] {
        match &self.asked {
            Asked::Options(options) => options,
            Asked::Waiting | Asked::Failed(_) => &[],
        }
    }

    pub(crate) fn option(&self) -> Option<&EngineOption> {
        self.options().get(self.chosen)
    }

    fn step(&mut self, forward: bool) {
        self.chosen = stepped(self.chosen, self.options().len(), forward);
        self.typed = None;
        self.problem = None;
    }

    /// Changes the chosen option, and gives what is to be written.
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
        Some(EngineEffect::SetOption {
            engine: self.name.clone(),
            option: option.declared.name.clone(),
            value: option.value.clone(),
        })
    }

    fn turn(&mut self, forward: bool) -> Option<EngineEffect> {
        match self.option().and_then(|option| option.neighbor(forward)) {
            Some(value) => self.change(|option| option.set(value)),
            None => None,
        }
    }

    /// Takes what was typed, or says why not and leaves it to be mended.
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
            // Backspace is not among these: whoever rubs out what was typed may hold it for too long.
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

/// The place beside one in a list, round its ends.
fn stepped(at: usize, count: usize, forward: bool) -> usize {
    match count {
        0 => 0,
        _ if forward => (at + 1) % count,
        _ => (at + count - 1) % count,
    }
}

impl EnginesForm {
    /// What was changed last could not be written, so that it is what it was.
    pub(super) fn not_written(&mut self, sentence: String) {
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

    pub(crate) fn insert(&mut self, text: &str) {
        if let Some(opened) = &mut self.opened
            && opened.option().is_some_and(EngineOption::is_typed)
        {
            opened.typed.get_or_insert_default().insert(text);
        }
    }

    /// Asks the chosen engine for its options.
    fn open(&mut self, engines: &[String]) -> Option<EngineEffect> {
        let name = engines.get(self.chosen)?;
        self.opened = Some(OpenedEngine::new(name.clone()));
        Some(EngineEffect::Ask(name.clone()))
    }

    /// A click on a line: chosen, and opened or turned if it was chosen already.
    fn click(&mut self, row: usize, engines: &[String]) -> Option<EngineEffect> {
        match &mut self.opened {
            Some(opened) if opened.chosen == row => opened.turn(true),
            Some(opened) => {
                opened.chosen = row.min(opened.options().len().saturating_sub(1));
                opened.typed = None;
                opened.problem = None;
                None
            }
            None if self.chosen == row => self.open(engines),
            None => {
                self.chosen = row;
                None
            }
        }
    }
}

impl App {
    pub(super) fn open_engines(&mut self) {
        self.overlay = Some(Overlay::Engines(EnginesForm::default()));
    }

    pub(super) fn engines_key(&mut self, mut form: EnginesForm, key: KeyEvent) {
        let mut effect = None;
        let count = self.engines.len();
        match (&mut form.opened, key.code) {
            (Some(opened), KeyCode::Esc) if opened.typed.is_none() => form.opened = None,
            (Some(opened), _) => effect = opened.key(key),
            (None, KeyCode::Esc) => {
                self.open_settings_at_engines();
                return;
            }
            (None, KeyCode::Up | KeyCode::BackTab) => {
                form.chosen = stepped(form.chosen, count, false);
            }
            (None, KeyCode::Down | KeyCode::Tab) => form.chosen = stepped(form.chosen, count, true),
            (None, KeyCode::Enter | KeyCode::Right | KeyCode::Char(' ')) => {
                effect = form.open(&self.engines);
            }
            (None, _) => {}
        }
        self.overlay = Some(Overlay::Engines(form));
        if let Some(effect) = effect {
            self.effects.push(effect);
        }
    }

    pub(super) fn engines_click(&mut self, mut form: EnginesForm, row: usize) {
        let effect = form.click(row, &self.engines);
        self.overlay = Some(Overlay::Engines(form));
        if let Some(effect) = effect {
            self.effects.push(effect);
        }
    }

    /// What an engine has answered. Whoever looks at another one by now has no use for it.
    pub(super) fn engine_asked(&mut self, name: &str, answer: Result<Vec<EngineOption>, AskError>) {
        if let Some(Overlay::Engines(form)) = &mut self.overlay
            && let Some(opened) = form.opened.as_mut().filter(|opened| opened.name == name)
        {
            opened.chosen = 0;
            opened.asked = match answer {
                Ok(options) => Asked::Options(options),
                Err(error) => Asked::Failed(error),
            };
        }
    }
}
