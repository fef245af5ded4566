//! Any bytes as text from outside: what is shown of them never affects a terminal.

use tabiya_rules::text::{clean, clean_lines, excerpt, is_safe};

/// The most letters that one character becomes: `\\u{10ffff}`.
const LONGEST: usize = 10;

/// Prepares bytes as text for a terminal.
///
/// # Panics
/// Panics if the property does not hold.
pub fn terminal(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let shown = clean(&text);
    assert!(shown.chars().all(is_safe), "{text:?} became {shown:?}");
    assert_eq!(clean(&shown), shown, "cleaning twice changes nothing");
    assert_eq!(shown == text, text.chars().all(is_safe), "{text:?}");
    assert!(shown.chars().count() <= LONGEST * text.chars().count());
    let lines = clean_lines(&text);
    assert!(lines.split('\n').flat_map(str::chars).all(is_safe));
    assert_eq!(lines.split('\n').count(), text.split('\n').count());
    let short = excerpt(&text);
    assert!(short.chars().all(is_safe), "{text:?} became {short:?}");
    assert!(short.chars().count() <= 200 * LONGEST + 1);
    for c in shown.chars().chain(short.chars()) {
        // Stated again without the table of the sanitizer: what changes the terminal or the order of letters.
        assert!(c >= ' ' && !('\u{7f}'..='\u{9f}').contains(&c), "{c:?}");
        assert!(!('\u{202a}'..='\u{202e}').contains(&c), "{c:?}");
        assert!(!('\u{2066}'..='\u{2069}').contains(&c), "{c:?}");
    }
}
