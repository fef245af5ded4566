//! The options of an engine on the settings screen, as the engine declares them, with their values in the user's file.

use tabiya_rules::text::clean;
use tabiya_uci::{OptionKind, OptionValue};

use crate::app::press::stepped;
use crate::message::{EngineEffect, EngineOption, NotDone, OptionChange};

/// An engine whose options are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct OpenedEngine {
    pub(super) name: String,
    /// Its options, or why it has none to show; `None` until it answers.
    pub(super) asked: Option<Result<Vec<EngineOption>, NotDone>>,
    /// The last option changed and its previous value, in case the new one cannot be written.
    pub(super) before: Option<(usize, Option<OptionValue>)>,
}

impl EngineOption {
    /// The current value as typed; for a button, whether it is pressed at the start.
    pub(super) fn shown(&self) -> String {
        match &self.value {
            Some(OptionValue::Button) => "pressed at every start".to_owned(),
            Some(OptionValue::Combo(text) | OptionValue::Text(text)) => text.clone(),
            Some(value @ (OptionValue::Check(_) | OptionValue::Spin(_))) => value.to_string(),
            None if self.declared.kind == OptionKind::Button => "not pressed".to_owned(),
            None => self.default_text(),
        }
    }

    /// The value that the engine declares as the default, as text.
    fn default_text(&self) -> String {
        match &self.declared.kind {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } | OptionKind::Text { default } => default.clone(),
            OptionKind::Button => String::new(),
        }
    }

    /// The possible values, as a sentence.
    pub(super) fn help(&self) -> String {
        let values = match &self.declared.kind {
            OptionKind::Check { .. } => "true or false".to_owned(),
            OptionKind::Spin { min, max, .. } => format!("A number from {min} to {max}"),
            OptionKind::Combo { choices, .. } => format!("One of {}", choices.join(", ")),
            OptionKind::Text { default } if default.is_empty() => {
                return "A text; the engine has none.".to_owned();
            }
            OptionKind::Text { .. } => "A text".to_owned(),
            OptionKind::Button => {
                return "An action that is performed whenever the engine starts.".to_owned();
            }
        };
        format!("{values}; the engine has {}.", self.default_text())
    }

    /// Whether the value of the option is typed.
    pub(super) fn is_typed(&self) -> bool {
        matches!(
            self.declared.kind,
            OptionKind::Spin { .. } | OptionKind::Text { .. }
        )
    }

    /// The next or previous value; `None` for a text, or if no value is allowed.
    pub(super) fn neighbor(&self, forward: bool) -> Option<OptionValue> {
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
    fn set(&mut self, value: Option<OptionValue>) {
        let default = self.declared.check(Some(&self.default_text())).ok();
        let is_pressed = self.value.is_some();
        self.value = value.filter(|value| match *value == OptionValue::Button {
            true => !is_pressed,
            false => default.as_ref() != Some(value),
        });
    }
}

impl OpenedEngine {
    /// The options of the engine, as far as they are known.
    pub(super) fn options(&self) -> &[EngineOption] {
        match &self.asked {
            Some(Ok(options)) => options,
            Some(Err(_)) | None => &[],
        }
    }

    /// An option of the engine by its index, mutable.
    fn option_mut(&mut self, at: usize) -> Option<&mut EngineOption> {
        self.asked.as_mut()?.as_mut().ok()?.get_mut(at)
    }

    /// Sets an option, or leaves it to the engine. Returns the effect that writes it.
    pub(super) fn set(&mut self, at: usize, value: Option<OptionValue>) -> Option<EngineEffect> {
        let option = self.option_mut(at)?;
        let before = option.value.clone();
        option.set(value);
        let EngineOption { declared, value } = option.clone();
        if value == before {
            return None;
        }
        self.before = Some((at, before));
        Some(EngineEffect::SetOption(OptionChange {
            engine: self.name.clone(),
            option: declared.name,
            value,
        }))
    }

    /// Restores the previous value, because the last change could not be written.
    pub(super) fn restore(&mut self) {
        if let Some((at, before)) = self.before.take()
            && let Some(option) = self.option_mut(at)
        {
            option.value = before;
        }
    }

    /// The note about an option, and whether it is an error.
    pub(super) fn note(&self, at: usize) -> (String, bool) {
        match &self.asked {
            None => ("The engine is asked for its options…".to_owned(), false),
            Some(Err(error)) => (clean(&error.to_string()).into_owned(), true),
            Some(Ok(options)) => match options.get(at) {
                Some(option) => (option.help(), false),
                None => ("The engine has no options.".to_owned(), false),
            },
        }
    }
}
