//! The user's keys in the table `[keys]`: the name of an action, and its key.

use tabiya_rules::text::{excerpt, is_safe};
use toml_edit::{Item, Value};

use super::{MAX_KEYS, Offset, Reader};
use crate::key_map::{begins_a_move, names};

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
            let sentence =
                format!("There is no action '{shown}' for a key; the actions are {known}.");
            return self.warn(at, sentence);
        };
        if keys.is_empty() {
            let sentence = format!("The key of '{shown}' must be a text such as \"u\".");
            self.warn(at, sentence);
        }
        for key in keys {
            let sentence = match key.as_str().and_then(only_letter) {
                Some(key) if begins_a_move(key) => {
                    format!("'{key}' cannot be the key of '{shown}': typing it begins a move.")
                }
                Some(key) => {
                    self.bind(action, key, at);
                    continue;
                }
                None => format!("A key is one visible letter or sign; '{shown}' has none."),
            };
            self.warn(at, sentence);
        }
    }

    /// Binds a key. A key that is already bound keeps its action.
    fn bind(&mut self, action: &'static str, key: char, at: Offset) {
        let sentence = match self.owners.get(&key) {
            Some(&owner) if owner == action => return,
            Some(owner) => format!(
                "The key '{key}' is bound to '{owner}' already, so '{action}' does not get it."
            ),
            None if self.owners.len() == MAX_KEYS => {
                format!("'{key}' is not bound: there are {MAX_KEYS} keys already.")
            }
            None => {
                self.owners.insert(key, action);
                return self.config.keys.push((action, key));
            }
        };
        self.warn(at, sentence);
    }
}

fn only_letter(text: &str) -> Option<char> {
    let mut letters = text.chars();
    let letter = letters
        .next()
        .filter(|&letter| is_safe(letter) && letter != ' ')?;
    letters.next().is_none().then_some(letter)
}
