//! The keys that the user bound, in the table `[keys]`: the name of what they do, and the key.

use std::collections::HashMap;

use toml_edit::{Item, Value};

use super::{Reader, Spot};
use crate::clean::{excerpt, is_safe};
use crate::key_map::{begins_a_move, names};

/// One key that does something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Binding {
    /// The name of what it does.
    pub(crate) action: &'static str,
    pub(crate) key: char,
    /// Where it stands in the file.
    pub(crate) at: Option<Spot>,
}

impl Reader<'_> {
    /// Reads what a name is bound to: a key, or several in a list.
    pub(super) fn binding(&mut self, action: &str, item: &Item, at: Option<Spot>) {
        let keys: Vec<&Value> = match item.as_value() {
            Some(Value::Array(keys)) => keys.iter().collect(),
            Some(key) => vec![key],
            None => Vec::new(),
        };
        let shown = excerpt(action);
        let Some(action) = names().into_iter().find(|name| *name == action) else {
            let known = names().join(", ");
            let sentence = format!(
                "There is nothing called '{shown}' that a key can do; the names are {known}."
            );
            self.warn(at, sentence);
            return;
        };
        if keys.is_empty() {
            self.warn(
                at,
                format!("The key of '{shown}' must be a text such as \"u\"."),
            );
        }
        for key in keys {
            let key = key.as_str().and_then(only_letter);
            match key {
                Some(key) if begins_a_move(key) => {
                    let sentence =
                        format!("'{key}' cannot be the key of '{shown}': typing it begins a move.");
                    self.warn(at, sentence);
                }
                Some(key) => self.config.keys.push(Binding { action, key, at }),
                None => {
                    let sentence =
                        format!("A key is one visible letter or sign; '{shown}' has none.");
                    self.warn(at, sentence);
                }
            }
        }
    }

    /// Reports keys that are bound twice. The first keeps the key.
    pub(super) fn conflicts(&mut self) {
        let mut first: HashMap<char, &str> = HashMap::new();
        let mut warnings = Vec::new();
        self.config.keys.retain(|binding| {
            let action = binding.action;
            let owner = *first.entry(binding.key).or_insert(action);
            if owner == action {
                return true;
            }
            warnings.push(super::Warning {
                at: binding.at,
                sentence: format!(
                    "The key '{}' is bound to '{owner}' already, so '{action}' does not get it.",
                    binding.key
                ),
            });
            false
        });
        self.config.warnings.extend(warnings);
    }
}

fn only_letter(text: &str) -> Option<char> {
    let mut letters = text.chars();
    let letter = letters
        .next()
        .filter(|&letter| is_safe(letter) && letter != ' ')?;
    letters.next().is_none().then_some(letter)
}
