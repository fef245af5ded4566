//! The engines that the user has named: one table `[engines.NAME]` each.

use std::ffi::OsString;
use std::path::Path;

use tabiya_rules::text::excerpt;
use tabiya_store::paths::{self, Folders};
use tabiya_uci::{EngineCommand, SetOption};
use toml_edit::{Item, TableLike, Value};

use super::{MAX_ENGINES, Offset, Reader, Warning, file, place};

/// The engines of the user's config, with their commands. A config that cannot be read has none; the code that shows
/// its other settings says why.
pub fn configured() -> Vec<(String, EngineCommand)> {
    configured_with_warnings().0
}

/// Like [`configured`], with the warnings.
pub fn configured_with_warnings() -> (Vec<(String, EngineCommand)>, Vec<Warning>) {
    let config = Folders::find().map(|folders| file::load(&folders.config_file()));
    let config = config.unwrap_or_default();
    (config.engines, config.warnings)
}

impl Reader<'_> {
    /// Reads the table of all engines.
    pub(super) fn engines(&mut self, item: &Item, at: Offset) {
        let Some(table) = item.as_table_like() else {
            let sentence = "engines is a table: write [engines.NAME] for each engine.";
            return self.warn(at, sentence);
        };
        for (name, item) in table.iter() {
            let at = place(table, name, item);
            let shown = excerpt(name);
            match item.as_table_like() {
                Some(engine) => self.engine(name, engine, at),
                None => self.warn(
                    at,
                    format!("An engine is a table: write [engines.{shown}]."),
                ),
            }
        }
    }

    /// Reads the table of an engine, and adds the engine if it has a program.
    fn engine(&mut self, name: &str, table: &dyn TableLike, at: Offset) {
        let shown = excerpt(name);
        let mut engine = EngineCommand::new("");
        for (key, item) in table.iter() {
            let at = place(table, key, item);
            let read = match key {
                "path" => item.as_str().filter(|path| !path.is_empty()).map(|path| {
                    engine.program = paths::from_home(Path::new(path));
                }),
                "args" => texts(item).map(|args| engine.arguments = args),
                "options" => item.as_table_like().map(|options| {
                    engine.options = self.options(&shown, options);
                }),
                _ => None,
            };
            if read.is_none() {
                self.warn(at, unusable_key(key, &shown));
            }
        }
        let sentence = if engine.program.as_os_str().is_empty() {
            format!("The engine {shown} has no path, so it cannot be used.")
        } else if self.config.engines.len() == MAX_ENGINES {
            format!("The engine {shown} is left out: there are {MAX_ENGINES} already.")
        } else {
            return self.config.engines.push((name.to_owned(), engine));
        };
        self.warn(at, sentence);
    }

    fn options(&mut self, engine: &str, table: &dyn TableLike) -> Vec<SetOption> {
        let mut options = Vec::new();
        for (name, item) in table.iter() {
            let value = match item.as_value() {
                Some(Value::String(text)) => Some(text.value().clone()),
                Some(Value::Integer(number)) => Some(number.value().to_string()),
                Some(Value::Boolean(on)) => Some(on.value().to_string()),
                _ => None,
            };
            match value {
                Some(value) => options.push(SetOption {
                    name: name.to_owned(),
                    value: Some(value),
                }),
                None => {
                    let shown = excerpt(name);
                    let sentence = format!(
                        "The option '{shown}' of {engine} must be a text, a whole number, true or false."
                    );
                    self.warn(place(table, name, item), sentence);
                }
            }
        }
        options
    }
}

/// The warning about a key of an engine that has a value of another type, or that no engine has.
fn unusable_key(key: &str, engine: &str) -> String {
    match key {
        "path" => format!("The path of {engine} must be a text, the program to start."),
        "args" => format!("The args of {engine} must be a list of texts, such as [\"uci\"]."),
        "options" => format!("The options of {engine} must be a table, such as {{ Hash = 64 }}."),
        other => {
            let other = excerpt(other);
            format!("An engine has path, args and options, and no '{other}'.")
        }
    }
}

/// A list of texts; `None` if it is anything else.
fn texts(item: &Item) -> Option<Vec<OsString>> {
    let list = item.as_array()?;
    list.iter()
        .map(|value| value.as_str().map(OsString::from))
        .collect()
}
