//! Changes one value in the text of the file and nothing else: comments, order and spaces stay.

use tabiya_uci::{EngineCommand, OptionValue};
use thiserror::Error;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::settings::{Kind, Setting};

/// Why a text cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EditError {
    /// It cannot be parsed.
    #[error("It is not valid TOML, so it was left alone; fix it first.")]
    NotToml,
    /// A table that is needed is something else.
    #[error("Its '{0}' is not a table, so it was left alone.")]
    NotTable(String),
    /// The value is a table.
    #[error("Its '{0}' is not a value, so it was left alone.")]
    NotValue(String),
}

/// Returns the text with a setting changed.
///
/// # Errors
/// The text is not TOML, or has something else where the setting's table should be.
pub fn with_setting(text: &str, setting: &Setting, value: &str) -> Result<String, EditError> {
    let value = match setting.kind {
        Kind::Switch => Value::from(value == "on"),
        Kind::Choice(_) | Kind::Text(_) => Value::from(value),
    };
    let mut names: Vec<&str> = setting.key.split('.').collect();
    // A key has at least one part.
    let last = names.pop().unwrap_or(setting.key);
    change(text, |document| {
        let mut table: &mut dyn TableLike = document.as_table_mut();
        for name in names {
            table = inner_table(table, name, || Item::Table(Table::new()))?;
        }
        set_value(table, last, value)
    })
}

/// Returns the text with an engine's option set or removed. An engine that it does not name yet is added with its
/// command.
///
/// # Errors
/// As for [`with_setting`].
pub fn with_engine_option(
    text: &str,
    engine: &str,
    command: &EngineCommand,
    option: &str,
    value: Option<&OptionValue>,
) -> Result<String, EditError> {
    change(text, |document| {
        let engines = inner_table(document.as_table_mut(), "engines", || {
            // Only the tables inside it have content.
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        })?;
        let table = inner_table(engines, engine, || Item::Table(Table::new()))?;
        if table.is_empty() {
            set_command(table, command)?;
        }
        let options = inner_table(table, "options", || {
            Item::Value(Value::InlineTable(InlineTable::new()))
        })?;
        // Engines ignore case in option names.
        let named = options
            .iter()
            .map(|(name, _)| name.to_owned())
            .find(|name| name.to_lowercase() == option.to_lowercase());
        let name = named.as_deref().unwrap_or(option);
        match value {
            Some(value) => set_value(options, name, option_value(value)),
            None => {
                options.remove(name);
                Ok(())
            }
        }
    })
}

/// Sets the program of an engine and its arguments.
fn set_command(table: &mut dyn TableLike, command: &EngineCommand) -> Result<(), EditError> {
    let program = command.program.to_string_lossy();
    set_value(table, "path", Value::from(program.as_ref()))?;
    let arguments = command.arguments.iter();
    let arguments: Array = arguments
        .map(|text| text.to_string_lossy().into_owned())
        .collect();
    if arguments.is_empty() {
        return Ok(());
    }
    set_value(table, "args", Value::from(arguments))
}

/// The value of an option in the file. A button that is pressed at the start is `true`.
fn option_value(value: &OptionValue) -> Value {
    match value {
        OptionValue::Check(on) => Value::from(*on),
        OptionValue::Spin(number) => Value::from(*number),
        OptionValue::Combo(text) | OptionValue::Text(text) => Value::from(text.as_str()),
        OptionValue::Button => Value::from(true),
    }
}

/// Returns the text after a change of its values.
fn change(
    text: &str,
    change: impl FnOnce(&mut DocumentMut) -> Result<(), EditError>,
) -> Result<String, EditError> {
    let mut document: DocumentMut = text.parse().map_err(|_| EditError::NotToml)?;
    if document.is_empty() && !text.is_empty() {
        // Comments alone are the head of the file, so the first value goes below them.
        let newline = if text.ends_with('\n') { "" } else { "\n" };
        let mut document = DocumentMut::new();
        change(&mut document)?;
        return Ok(format!("{text}{newline}{document}"));
    }
    change(&mut document)?;
    Ok(document.to_string())
}

/// The inner table of a name, created if it is missing.
fn inner_table<'a>(
    table: &'a mut dyn TableLike,
    name: &str,
    new: impl FnOnce() -> Item,
) -> Result<&'a mut dyn TableLike, EditError> {
    table
        .entry(name)
        .or_insert_with(new)
        .as_table_like_mut()
        .ok_or_else(|| EditError::NotTable(name.to_owned()))
}

/// Sets a value. A comment after the old one stays.
fn set_value(table: &mut dyn TableLike, name: &str, mut new: Value) -> Result<(), EditError> {
    match table.get_mut(name) {
        Some(Item::Value(old)) => {
            // What surrounds a value, such as a comment after it, belongs to the user.
            *new.decor_mut() = old.decor().clone();
            *old = new;
        }
        Some(_) => return Err(EditError::NotValue(name.to_owned())),
        None => {
            table.insert(name, Item::Value(new));
        }
    }
    Ok(())
}
