//! Options: what an engine declares, and what a GUI may set.
//!
//! Both ends use the same check: the client refuses to send what the engine did not declare, and the server ignores
//! what it did not declare. Values out of range are refused, never clamped.

use std::error::Error;
use std::fmt;

use crate::text::{MAX_TEXT, OneLine, joined, number, words};

/// The most choices kept for a combo.
const MAX_CHOICES: usize = 256;

/// An option that an engine declares.
///
/// ```
/// use tabiya_uci::{OptionKind, Reply};
///
/// let Reply::Option(option) = Reply::parse(b"option name Hash type spin default 16 min 1 max 1024") else {
///     panic!("an option");
/// };
/// assert_eq!(option.name, "Hash");
/// assert_eq!(option.kind, OptionKind::Spin { default: 16, min: 1, max: 1024 });
/// assert!(option.check(Some("64")).is_ok());
/// assert_eq!(option.check(Some("0")).unwrap_err().to_string(), "Hash must be a number from 1 to 1024, not 0.");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct OptionDeclaration {
    /// Its name. Names are compared case-insensitively.
    pub name: String,
    /// The values it accepts.
    pub kind: OptionKind,
}

impl OptionDeclaration {
    /// Creates an option with this name.
    pub fn new(name: impl Into<String>, kind: OptionKind) -> OptionDeclaration {
        let name = name.into();
        OptionDeclaration { name, kind }
    }
}

/// The values that an option accepts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum OptionKind {
    /// True or false.
    Check {
        /// The initial value.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The initial value.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of several texts.
    Combo {
        /// The initial value.
        default: String,
        /// The choices.
        choices: Vec<String>,
    },
    /// An action without a value.
    Button,
    /// Any text, which may be empty.
    Text {
        /// The initial value.
        default: String,
    },
}

/// A value that is valid for an option.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum OptionValue {
    /// The value of a check.
    Check(bool),
    /// The value of a spin.
    Spin(i64),
    /// The value of a combo: the choice as the engine spells it.
    Combo(String),
    /// A pressed button.
    Button,
    /// The value of a text.
    Text(String),
}

impl OptionDeclaration {
    /// Returns whether this is the option's name, ignoring case.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        self.name.to_lowercase() == name.to_lowercase()
    }

    /// Reads a value for the option from its text. Pass `None` if there is no text, as for a button.
    ///
    /// # Errors
    /// Fails if the value is not valid for the option.
    pub fn check(&self, value: Option<&str>) -> Result<OptionValue, OptionError> {
        let refuse = |expected: String| {
            Err(OptionError {
                name: self.name.clone(),
                value: value.map(str::to_owned),
                expected,
            })
        };
        match (&self.kind, value) {
            (OptionKind::Button, _) => Ok(OptionValue::Button),
            (OptionKind::Check { .. }, Some("true")) => Ok(OptionValue::Check(true)),
            (OptionKind::Check { .. }, Some("false")) => Ok(OptionValue::Check(false)),
            (OptionKind::Check { .. }, _) => refuse("true or false".into()),
            (&OptionKind::Spin { min, max, .. }, value) => match value.and_then(number) {
                Some(number) if (min..=max).contains(&number) => Ok(OptionValue::Spin(number)),
                _ => refuse(format!("a number from {min} to {max}")),
            },
            (OptionKind::Combo { choices, .. }, value) => {
                let wanted = value.unwrap_or_default().to_lowercase();
                match choices
                    .iter()
                    .find(|choice| choice.to_lowercase() == wanted)
                {
                    Some(choice) => Ok(OptionValue::Combo(choice.clone())),
                    None => refuse(format!("one of {}", choices.join(", "))),
                }
            }
            (OptionKind::Text { .. }, Some(text)) if text.len() > MAX_TEXT => {
                refuse(format!("a text of at most {MAX_TEXT} bytes"))
            }
            (OptionKind::Text { .. }, None | Some("<empty>")) => {
                Ok(OptionValue::Text(String::new()))
            }
            (OptionKind::Text { .. }, Some(text)) => Ok(OptionValue::Text(text.to_owned())),
        }
    }

    /// Reads what follows the word `option`.
    pub(crate) fn parse<'a>(rest: impl Iterator<Item = &'a str>) -> Option<OptionDeclaration> {
        let all: Vec<&str> = rest.skip_while(|&word| word != "name").skip(1).collect();
        // A name may contain the word "type", so the one that counts is followed by a known type.
        let at = (1..all.len()).find(|&i| {
            all.get(i) == Some(&"type")
                && all.get(i + 1).is_some_and(|word| {
                    matches!(*word, "check" | "spin" | "combo" | "button" | "string")
                })
        })?;
        let name = joined(all.get(..at)?.iter().copied());
        let fields = Fields::read(all.get(at + 2..)?);
        let default = fields.default.clone().unwrap_or_default();
        let kind = match *all.get(at + 1)? {
            "check" => OptionKind::Check {
                default: default == "true",
            },
            "spin" => fields.spin()?,
            "combo" => OptionKind::Combo {
                default,
                choices: fields.choices,
            },
            "button" => OptionKind::Button,
            _ => OptionKind::Text {
                default: if default == "<empty>" {
                    String::new()
                } else {
                    default
                },
            },
        };
        Some(OptionDeclaration { name, kind })
    }
}

/// The parts of a declaration after its type.
#[derive(Default)]
struct Fields {
    default: Option<String>,
    min: Option<String>,
    max: Option<String>,
    choices: Vec<String>,
}

impl Fields {
    fn read(all: &[&str]) -> Fields {
        let mut fields = Fields::default();
        let mut rest = all;
        while let Some((&key, after)) = rest.split_first() {
            let length = after
                .iter()
                .position(|word| matches!(*word, "default" | "min" | "max" | "var"))
                .unwrap_or(after.len());
            let (value, next) = after.split_at(length);
            let value = joined(value.iter().copied());
            match key {
                "default" => fields.default = Some(value),
                "min" => fields.min = Some(value),
                "max" => fields.max = Some(value),
                "var" if fields.choices.len() < MAX_CHOICES => fields.choices.push(value),
                _ => {}
            }
            rest = next;
        }
        fields
    }

    /// Returns a spin, unless its bounds leave no value.
    fn spin(&self) -> Option<OptionKind> {
        let bound = |text: Option<&str>, unbounded| text.map_or(Some(unbounded), number);
        let default = number(self.default.as_deref()?)?;
        let min = bound(self.min.as_deref(), i64::MIN)?;
        let max = bound(self.max.as_deref(), i64::MAX)?;
        (min <= max).then_some(OptionKind::Spin { default, min, max })
    }
}

impl fmt::Display for OptionDeclaration {
    /// Writes the declaration, beginning with the word `option`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", OneLine(&self.name))?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {}", OneLine(default))?;
                choices
                    .iter()
                    .try_for_each(|choice| write!(f, " var {}", OneLine(choice)))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::Text { default } if default.is_empty() => {
                f.write_str("string default <empty>")
            }
            OptionKind::Text { default } => write!(f, "string default {}", OneLine(default)),
        }
    }
}

impl fmt::Display for OptionValue {
    /// Writes what follows the word `value`; nothing for a button.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Check(on) => write!(f, "{on}"),
            OptionValue::Spin(number) => write!(f, "{number}"),
            OptionValue::Text(text) if text.is_empty() => f.write_str("<empty>"),
            OptionValue::Combo(text) | OptionValue::Text(text) => OneLine(text).fmt(f),
            OptionValue::Button => Ok(()),
        }
    }
}

/// A value that is not valid for its option.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct OptionError {
    /// The option.
    pub name: String,
    /// The value, if any.
    pub value: Option<String>,
    /// What the option accepts.
    pub expected: String,
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, expected) = (OneLine(&self.name), OneLine(&self.expected));
        match &self.value {
            Some(value) => write!(f, "{name} must be {expected}, not {}.", OneLine(value)),
            None => write!(f, "{name} needs a value: {expected}."),
        }
    }
}

impl Error for OptionError {}

/// What follows the word `setoption`.
///
/// ```
/// use tabiya_uci::SetOption;
///
/// assert_eq!(SetOption::new("Hash", "64").to_string(), "setoption name Hash value 64");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SetOption {
    /// The option's name.
    pub name: String,
    /// The value, except for a button.
    pub value: Option<String>,
}

impl SetOption {
    /// Creates a command that sets an option to a value.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> SetOption {
        SetOption {
            name: name.into(),
            value: Some(value.into()),
        }
    }

    /// Reads what follows the word `setoption`, preserving the spaces inside a value.
    pub(crate) fn parse(rest: &str) -> Option<SetOption> {
        let after = after_word(rest, "name")?;
        let (name, value) = match find_word(after, "value") {
            Some(at) => {
                let (name, value) = after.split_at(at);
                (name, Some(value.strip_prefix("value")?))
            }
            None => (after, None),
        };
        let name = joined(words(name));
        let value = value.map(|value| value.trim_matches(' ').to_owned());
        (!name.is_empty()).then_some(SetOption { name, value })
    }
}

impl fmt::Display for SetOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "setoption name {}", OneLine(&self.name))?;
        match &self.value {
            Some(value) => write!(f, " value {}", OneLine(value)),
            None => Ok(()),
        }
    }
}

/// Returns where a whole word begins in a text.
fn find_word(text: &str, word: &str) -> Option<usize> {
    text.match_indices(word).map(|(at, _)| at).find(|&at| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + word.len()..).unwrap_or_default();
        (before.is_empty() || before.ends_with(' ')) && (after.is_empty() || after.starts_with(' '))
    })
}

/// Returns what follows a whole word in a text.
pub(crate) fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    text.get(find_word(text, word)? + word.len()..)
}

#[cfg(test)]
mod tests;
