//! Makes text from outside safe to show in a terminal: the one rule for all crates.
//!
//! A FEN, a typed line or a file name may contain escape sequences that change the terminal, or marks that reverse
//! the order of letters. They are shown as `\u{1b}`, visible and harmless.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

/// Returns whether a character may reach a terminal as it is. Line breaks may not: use [`clean_lines`] for a text
/// of several lines.
#[must_use]
pub fn is_safe(c: char) -> bool {
    !(c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'))
}

/// Returns the text with everything that could affect a terminal written as an escape.
///
/// ```
/// use tabiya_rules::text::clean;
///
/// assert!(!clean("a name\u{1b}[2J").contains('\u{1b}'));
/// assert_eq!(clean("Müller"), "Müller");
/// ```
#[must_use]
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_safe) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_safe(c) {
            shown.push(c);
        } else {
            // Writing into a String never fails.
            let _ = write!(shown, "{}", c.escape_unicode());
        }
    }
    Cow::Owned(shown)
}

/// Like [`clean`], for a text of several lines; line breaks stay.
#[must_use]
pub fn clean_lines(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(clean).collect();
    lines.join("\n")
}

/// Typed text for quoting in a message: cleaned, and truncated to a readable length.
#[must_use]
pub fn excerpt(text: &str) -> String {
    const MAX_CHARS: usize = 200;
    match text.char_indices().nth(MAX_CHARS) {
        None => clean(text).into_owned(),
        Some((end, _)) => format!("{}…", clean(text.get(..end).unwrap_or(text))),
    }
}
