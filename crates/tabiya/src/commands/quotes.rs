//! Words and quotes of a typed line: quotes keep words with spaces together, anywhere in the line.

use tabiya_rules::text::excerpt;

use super::Misuse;

/// Removes the quotes around a text. An unclosed quote is an error.
pub(super) fn unquoted(text: &str) -> Result<&str, Misuse> {
    match text.strip_prefix('"') {
        None => Ok(text),
        Some(inside) => match inside.strip_suffix('"') {
            Some(inside) if !inside.contains('"') => Ok(inside),
            Some(_) => Ok(text),
            None => Err(unclosed(text)),
        },
    }
}

fn unclosed(text: &str) -> Misuse {
    Misuse::Because(format!("The quote in {} has no end.", excerpt(text)))
}

/// The first word and the rest. Quoted parts belong to the word, without their quotes.
pub(super) fn word(text: &str) -> (String, &str) {
    let mut quoted = false;
    let end = text.find(|sign: char| {
        quoted ^= sign == '"';
        sign.is_whitespace() && !quoted
    });
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    (word.replace('"', ""), rest.trim_start())
}

/// The text from its first quote on.
pub(super) fn rest_of_quote(text: &str) -> &str {
    text.find('"').and_then(|at| text.get(at..)).unwrap_or(text)
}
