//! What a player may have meant by a line that cannot be read.

use tabiya_rules::Position;

use crate::clean::excerpt;
use crate::commands::COMMANDS;

/// How many suggestions are worth reading.
const MOST: usize = 3;

/// Moves and commands that differ from the text in case, punctuation or one letter; the nearest only.
pub(crate) fn near(text: &str, position: &Position) -> Vec<String> {
    if plain(text).len() > 12 {
        return Vec::new();
    }
    let moves = position.legal_moves();
    let coordinates = moves.iter().map(|&found| position.uci(found).to_string());
    let algebraic = moves.iter().map(|&found| position.san(found).to_string());
    let known: Vec<String> = coordinates.chain(algebraic).chain(commands()).collect();
    nearest(text, &known)
}

/// That there is no such command, and which may have been meant.
pub(crate) fn no_command(name: &str) -> String {
    let known: Vec<String> = commands().collect();
    let sentence = format!("There is no command '{}'.", excerpt(name));
    sentence + &did_you_mean(&nearest(name, &known))
}

/// A question after a sentence, if there is anything to be asked.
pub(crate) fn did_you_mean(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => format!(" Did you mean {one}?"),
        [first @ .., last] => format!(" Did you mean {} or {last}?", first.join(", ")),
    }
}

fn commands() -> impl Iterator<Item = String> {
    let named = COMMANDS.iter().filter(|entry| entry.name.len() > 2);
    named.map(|entry| entry.name.to_owned())
}

/// The words that differ from a text in case, punctuation or one letter; the nearest only, and none if they are many.
pub(crate) fn nearest(text: &str, known: &[String]) -> Vec<String> {
    let typed = plain(text);
    if typed.is_empty() {
        return Vec::new();
    }
    let at = |distance: usize| -> Vec<String> {
        known
            .iter()
            .filter(|known| steps(&typed, &plain(known)) == distance)
            .cloned()
            .collect()
    };
    // In a short word every letter counts, and one that is wrong leaves nothing of what was meant.
    let one_off = || if typed.len() < 3 { Vec::new() } else { at(1) };
    let found = Some(at(0))
        .filter(|found| !found.is_empty())
        .unwrap_or_else(one_off);
    if found.len() > MOST {
        Vec::new()
    } else {
        found
    }
}

/// The names that come near a text; where none does, those that begin so.
pub(crate) fn names(text: &str, known: &[String]) -> Vec<String> {
    let near = nearest(text, known);
    if !near.is_empty() {
        return near;
    }
    let (begun, known) = (plain(text), known.iter());
    let longer = known.filter(|name| !begun.is_empty() && plain(name).starts_with(&begun));
    longer.take(MOST).cloned().collect()
}

/// The letters and digits, in small letters.
fn plain(text: &str) -> String {
    text.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// 0 for the same text, 1 where one letter is missing, added, wrong or in its neighbor's place, and 2 for the rest.
fn steps(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a == b {
        return 0;
    }
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (
        a.get(same..).unwrap_or_default(),
        b.get(same..).unwrap_or_default(),
    );
    let rest = |text: &[u8], from: usize| text.get(from..).map(<[u8]>::to_vec);
    let wrong = rest(a, 1).is_some() && rest(a, 1) == rest(b, 1);
    let missing = rest(b, 1).is_some_and(|b| b == a);
    let added = rest(a, 1).is_some_and(|a| a == b);
    let swapped =
        matches!((a, b), ([w, x, ..], [y, z, ..]) if w == z && x == y) && rest(a, 2) == rest(b, 2);
    if wrong || missing || added || swapped {
        1
    } else {
        2
    }
}

#[cfg(test)]
mod tests;
