//! Changing one value in the text of the file, and nothing else: comments, order and spaces stay.

use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

use super::settings::{Kind, Setting};

/// The text with a setting at a value.
///
/// # Errors
/// A text that is no TOML, or that has something else where the setting's table should be, is not changed.
pub(crate) fn with(text: &str, setting: &Setting, value: &str) -> Result<String, String> {
    let mut document: DocumentMut = text
        .parse()
        .map_err(|_| "It is not TOML as it is, so it is left alone; mend it first.".to_owned())?;
    if document.is_empty() && !text.is_empty() {
        // Comments alone are the head of the file, so the first value goes below them.
        let newline = if text.ends_with('\n') { "" } else { "\n" };
        return Ok(format!("{text}{newline}{}", with("", setting, value)?));
    }
    let mut names: Vec<&str> = setting.key.split('.').collect();
    // A key has at least one name.
    let last = names.pop().unwrap_or(setting.key);
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for name in names {
        table = table
            .entry(name)
            .or_insert_with(|| Item::Table(Table::new()))
            .as_table_like_mut()
            .ok_or_else(|| format!("Its '{name}' is no table, so it is left alone."))?;
    }
    let mut new = match setting.kind {
        Kind::Switch => Value::from(value == "on"),
        _ => Value::from(value),
    };
    match table.get_mut(last) {
        Some(Item::Value(old)) => {
            // What stands around a value, a comment behind it for one, belongs to the user.
            *new.decor_mut() = old.decor().clone();
            *old = new;
        }
        Some(_) => return Err(format!("Its '{last}' is no value, so it is left alone.")),
        None => {
            table.insert(last, Item::Value(new));
        }
    }
    Ok(document.to_string())
}
