//! The user's `config.toml`: settings, keys and engines. Nothing in the file can stop the program.
//!
//! Anything unknown or invalid becomes a warning with its place, and the default is used instead. Reading never changes
//! the file; `file::write` changes one value in it and leaves everything else, including comments, as the user wrote
//! it.
//!
//! Reading takes time proportional to the length of the file, and has limits: `file::MAX_CONFIG_SIZE` bytes, `MAX_ENGINES`
//! engines and `MAX_KEYS` keys. Whatever exceeds them is left out with a warning.

pub mod edit;
pub mod engines;
pub mod file;
pub mod keys;
pub mod settings;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::ops::Range;

use tabiya_rules::text::excerpt;
use tabiya_uci::EngineCommand;
use toml_edit::{Document, Item, TableLike};

use settings::{Kind, SETTINGS, Setting, Settings};

/// The greatest number of engines in the file.
pub(crate) const MAX_ENGINES: usize = 1000;

/// The greatest number of bound keys in the file.
pub(crate) const MAX_KEYS: usize = 1000;

/// The greatest number of warnings shown.
const MAX_WARNINGS: usize = 20;

/// The table of the user's keys, as a prefix of names.
const KEYS: &str = "keys.";

/// The contents of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// The settings.
    pub settings: Settings,
    /// The user's keys and the names of their actions, in the order of the file.
    pub keys: Vec<(&'static str, char)>,
    /// The names of engines, and their commands.
    pub engines: Vec<(String, EngineCommand)>,
    /// What could not be used, in the order of the file.
    pub warnings: Vec<Warning>,
}

/// Something in the file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Its line and column, both from 1; `None` if it is about the whole file.
    pub at: Option<(usize, usize)>,
    pub sentence: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some((line, column)) => {
                write!(f, "config.toml:{line}:{column}: {}", self.sentence)
            }
            None => write!(f, "config.toml: {}", self.sentence),
        }
    }
}

impl Config {
    /// Reads the text of the file, whatever it contains.
    pub fn read(text: &str) -> Config {
        let mut reader = Reader {
            text,
            config: Config::default(),
            owners: HashMap::new(),
            first_warnings: BTreeMap::new(),
            warned: 0,
        };
        match Document::parse(text) {
            Ok(document) => reader.table(document.as_table(), ""),
            Err(error) => {
                let why = error.message().lines().collect::<Vec<_>>().join(" ");
                let sentence = format!("This is not TOML ({why}); the defaults are used.");
                let at = error.span().map(|span| span.start);
                reader.warn(at, sentence);
            }
        }
        reader.finish()
    }

    /// Adds a warning about the whole file.
    pub fn warn(&mut self, sentence: String) {
        self.warnings.push(Warning { at: None, sentence });
    }

    /// The defaults, with the reason why the file is not used.
    pub fn unread(sentence: String) -> Config {
        let mut config = Config::default();
        config.warn(sentence);
        config
    }
}

/// The parser of the file, and what it has found so far.
struct Reader<'a> {
    text: &'a str,
    config: Config,
    /// The action of each bound key.
    owners: HashMap<char, &'static str>,
    /// The first warnings of the file, by offset and number. Only these get line and column: counting them for every
    /// key would take quadratic time.
    first_warnings: BTreeMap<(Offset, usize), String>,
    /// The number of warnings.
    warned: usize,
}

/// A byte offset in the file; `None` for the whole file.
type Offset = Option<usize>;

impl Reader<'_> {
    /// Adds a warning about a place of the file.
    fn warn(&mut self, at: Offset, sentence: impl Into<String>) {
        self.warned += 1;
        self.first_warnings
            .insert((at, self.warned), sentence.into());
        if self.first_warnings.len() > MAX_WARNINGS {
            self.first_warnings.pop_last();
        }
    }

    /// Reads a table whose keys have a prefix: empty, or the names of the tables around it, each followed by a dot.
    fn table(&mut self, table: &dyn TableLike, prefix: &str) {
        for (name, item) in table.iter() {
            let at = place(table, name, item);
            let full = format!("{prefix}{name}");
            if let Some(setting) = settings::find(&full) {
                self.setting(setting, item, at);
            } else if full == "engines" {
                self.engines(item, at);
            } else if prefix == KEYS {
                self.binding(name, item, at);
            } else if full == "keys" || holds_settings(&full) {
                match item.as_table_like() {
                    Some(inner) => self.table(inner, &format!("{full}.")),
                    None => self.warn(
                        at,
                        format!("{full} is a table: write [{full}] on a line of its own."),
                    ),
                }
            } else {
                self.warn(at, format!("There is no setting '{}'.", excerpt(&full)));
            }
        }
    }

    /// Reads the value of a setting.
    fn setting(&mut self, setting: &Setting, item: &Item, at: Offset) {
        let key = setting.key;
        let shown = setting.get(&self.config.settings);
        let Some(text) = text_of(item, setting.kind) else {
            let form = match setting.kind {
                Kind::Switch => "true or false".to_owned(),
                Kind::Choice(_) | Kind::Text(_) => format!("a text such as \"{shown}\""),
            };
            return self.warn(at, format!("{key} must be {form}; {shown} is used."));
        };
        if let Err(why) = setting.set(&mut self.config.settings, &text) {
            let given = excerpt(&text);
            let sentence = format!("{key} cannot be '{given}'; {shown} is used. {why}");
            self.warn(at, sentence);
        }
    }

    /// Sorts the warnings by their places.
    fn finish(mut self) -> Config {
        // Tables can continue further down, so the order of reading is not that of the file.
        let first = self.first_warnings.into_iter();
        let warnings = &mut self.config.warnings;
        warnings.extend(first.map(|((at, _), sentence)| Warning {
            at: at.and_then(|byte| spot(self.text, byte)),
            sentence,
        }));
        let more = self.warned.saturating_sub(MAX_WARNINGS);
        if more > 0 {
            let sentence = format!("There are {more} more lines that cannot be used.");
            self.config.warn(sentence);
        }
        self.config
    }
}

/// The place of a key, or else of its value.
fn place(table: &dyn TableLike, name: &str, item: &Item) -> Offset {
    let key = table.get_key_value(name).and_then(|(key, _)| key.span());
    let span: Range<usize> = key.or_else(|| item.span())?;
    Some(span.start)
}

/// Whether any setting's name begins with this one and a dot.
fn holds_settings(name: &str) -> bool {
    SETTINGS.iter().any(|setting| {
        let rest = setting.key.strip_prefix(name);
        rest.is_some_and(|rest| rest.starts_with('.'))
    })
}

/// A value as people type it, if it has the right type.
fn text_of(item: &Item, kind: Kind) -> Option<String> {
    let value = item.as_value()?;
    match kind {
        Kind::Switch => Some(if value.as_bool()? { "on" } else { "off" }.to_owned()),
        Kind::Choice(_) | Kind::Text(_) => match value.as_str() {
            Some(text) => Some(text.to_owned()),
            None => {
                let whole = value.as_integer().map(|number| number.to_string());
                whole.or_else(|| Some(value.as_float()?.to_string()))
            }
        },
    }
}

/// The line and column of a byte offset.
fn spot(text: &str, byte: usize) -> Option<(usize, usize)> {
    // An offset inside a character or beyond the end has no place.
    let before = text.get(..byte)?;
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.matches('\n').count() + 1;
    Some((line, before.get(line_start..)?.chars().count() + 1))
}

#[cfg(test)]
mod tests;
