//! The user's keys in the table `[keys]`: the name of an action, and its key.

use tabiya_rules::text::{excerpt, is_safe};
use toml_edit::{Item, Value};

use super::{MAX_KEYS, Offset, Reader};
use crate::key_map::{begins_a_move, names};

/// A key bound to an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Binding {
    /// The name of the action.
    pub(crate) action: &'static str,
    pub(crate) key: char,
}

impl Reader<'_> {
    /// Reads the key of an action, or a list of keys.
    pub(super) fn binding(&mut self, action: &str, item: &Item, at: Offset) {
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
                Some(key) => self.bind(Binding { action, key }, at),
                None => {
                    let sentence =
                        format!("A key is one visible letter or sign; '{shown}' has none.");
                    self.warn(at, sentence);
                }
            }
        }
    }

    /// Binds a key. A key that is already bound keeps its action.
    fn bind(&mut self, binding: Binding, at: Offset) {
        let Binding { action, key } = binding;
        match self.owners.get(&key) {
            Some(&owner) if owner == action => {}
            Some(owner) => self.warn(
                at,
                format!(
                    "The key '{key}' is bound to '{owner}' already, so '{action}' does not get it."
                ),
            ),
            None if self.owners.len() == MAX_KEYS => self.warn(
                at,
                format!("'{key}' is not bound: there are {MAX_KEYS} keys already."),
            ),
            None => {
                self.owners.insert(key, action);
                self.config.keys.push(binding);
            }
        }
    }
}

fn only_letter(text: &str) -> Option<char> {
    let mut letters = text.chars();
    let letter = letters
        .next()
        .filter(|&letter| is_safe(letter) && letter != ' ')?;
    letters.next().is_none().then_some(letter)
}
