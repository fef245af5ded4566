//! From the name of an engine to the program that starts.

use std::mem;

use tabiya_rules::text::excerpt;
use tabiya_uci::{EngineCommand, find_program};
use thiserror::Error;

use super::spec::EngineSpec;
use crate::engines::KnownEngines;

/// Why an engine cannot be started.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ResolveError {
    /// There is no engine of this name or path.
    #[error("There is no engine '{}'{}", excerpt(.target), what_to_do_instead(.target, .near.as_deref()))]
    Missing {
        /// The name or path that was given.
        target: String,
        /// The most similar name of a known engine.
        near: Option<String>,
    },
    /// Only a file names it.
    #[error(
        "The engine '{}' is named by a file only, so it is not started.",
        excerpt(&.0.to_string())
    )]
    Unknown(EngineSpec),
}

/// Finds an engine: by its name among the known ones, otherwise as a program on PATH, or by a path. Anything else is
/// split at spaces into a program and its arguments; quotes keep spaces together.
///
/// # Errors
/// There is no such engine.
pub fn resolve(spec: &EngineSpec, known: &KnownEngines) -> Result<EngineCommand, ResolveError> {
    let whole = find(&spec.target, known).or_else(|| {
        let mut words = words(&spec.target).into_iter();
        let mut command = find(&words.next()?, known)?;
        command.arguments.extend(words.map(Into::into));
        Some(command)
    });
    let missing = || ResolveError::Missing {
        target: spec.target.clone(),
        near: most_similar(&spec.target, known.names()),
    };
    let mut command = whole.ok_or_else(missing)?;
    command.options.extend(spec.options.iter().cloned());
    Ok(command)
}

/// Finds an engine that a file names: only a known engine, with its known options.
///
/// # Errors
/// Nobody but the file knows it.
pub(super) fn resolve_named(
    spec: &EngineSpec,
    known: &KnownEngines,
) -> Result<EngineCommand, ResolveError> {
    known
        .command_for_file(&spec.target)
        .ok_or_else(|| ResolveError::Unknown(spec.clone()))
}

/// The command for an engine's name or path, if there is such an engine.
fn find(name: &str, known: &KnownEngines) -> Option<EngineCommand> {
    if let Some(command) = known.command(name) {
        return Some(command);
    }
    if !is_path(name) {
        // As in a shell, a file in the working folder needs `./`, because it may have come with downloaded games.
        return find_program(name).map(EngineCommand::new);
    }
    // When it is started, a file in the working folder must not be mistaken for a program on PATH.
    let path = std::path::absolute(name).ok()?;
    path.is_file().then(|| EngineCommand::new(path))
}

fn is_path(name: &str) -> bool {
    name.contains('/') || name.contains(std::path::MAIN_SEPARATOR)
}

/// The rest of the sentence about a missing engine: what the user can do.
fn what_to_do_instead(target: &str, near: Option<&str>) -> String {
    match near {
        Some(name) => format!(". Did you mean {name}?"),
        None if is_path(target) => {
            ": no file has that path. Check it, or give the name of an installed engine.".to_owned()
        }
        None => format!(
            ". Install it, or give the path of its program, such as ./{}.",
            excerpt(target)
        ),
    }
}

/// The name most similar to the typed one: one letter in three may be wrong, or the end may be missing.
fn most_similar(typed: &str, names: Vec<String>) -> Option<String> {
    // Names are short. A longer text is a path or a command line.
    const MAX_NAME_LENGTH: usize = 40;
    let typed = typed.to_lowercase();
    if typed.len() < 2 || typed.len() > MAX_NAME_LENGTH {
        return None;
    }
    let distance = |name: &str| match name.starts_with(&typed) {
        true => 1,
        false => edit_distance(&typed, name),
    };
    let named = names
        .into_iter()
        .filter(|name| name.len() <= MAX_NAME_LENGTH);
    let (steps, name) = named
        .map(|name| (distance(&name.to_lowercase()), name))
        .min_by_key(|(steps, _)| *steps)?;
    (steps <= typed.chars().count().div_ceil(3)).then_some(name)
}

/// The edit distance of two texts.
fn edit_distance(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (at, letter) in from.chars().enumerate() {
        let mut diagonal = mem::replace(&mut row[0], at + 1);
        for (column, other) in to.chars().enumerate() {
            let change = diagonal + usize::from(letter != other);
            let cost = change.min(row[column] + 1).min(row[column + 1] + 1);
            diagonal = mem::replace(&mut row[column + 1], cost);
        }
    }
    row.last().copied().unwrap_or_default()
}

/// Splits a command line into words. An unclosed quote extends to the end.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests;
