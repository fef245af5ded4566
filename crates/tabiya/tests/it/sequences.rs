//! What may reach a terminal: the sequences that the full screen writes itself, and text without control characters.

/// Checks everything that was written: it is text, and sequences of our own.
#[track_caller]
pub(crate) fn check(written: &[u8]) {
    let text = String::from_utf8_lossy(written);
    let mut rest = text.as_ref();
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '\u{1b}' => own(rest),
            '\r' | '\n' | '\t' => Some(1),
            c if is_text(c) => Some(c.len_utf8()),
            _ => None,
        };
        let Some(taken) = taken else {
            let part: String = rest.chars().take(40).collect();
            panic!("not ours: {part:?}");
        };
        rest = &rest[taken..];
    }
}

/// Letters and signs, but nothing that acts or turns the order of letters around. What is no UTF-8 was replaced.
fn is_text(c: char) -> bool {
    !c.is_control()
        && !matches!(c,
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// The length of a sequence that the program writes, if the text begins with one.
fn own(text: &str) -> Option<usize> {
    if let Some(rest) = text.strip_prefix("\u{1b}]52;c;") {
        let end = rest.find('\u{7}')?;
        let base64 = rest[..end]
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '='));
        return base64.then_some(text.len() - rest.len() + end + 1);
    }
    let rest = text.strip_prefix("\u{1b}[")?;
    let end = rest.find(|c: char| c.is_ascii_alphabetic())?;
    let (parameters, kind) = (&rest[..end], rest[end..].chars().next()?);
    let numbers = parameters.chars().all(|c| c.is_ascii_digit() || c == ';');
    let fine = match kind {
        'm' | 'H' | 'J' | 'K' => numbers,
        'h' | 'l' => matches!(
            parameters,
            "?25" | "?1049" | "?2004" | "?1000" | "?1002" | "?1006" | "?2026"
        ),
        _ => false,
    };
    fine.then_some(2 + end + 1)
}

#[test]
fn what_is_not_ours_is_found() {
    check("\u{1b}[?1049h\u{1b}[1;2Ha é ♞\u{1b}[0m\r\n\u{1b}]52;c;YQ==\u{7}".as_bytes());
    for foreign in [
        "\u{1b}]0;title\u{7}",
        "\u{1b}[?1003h",
        "\u{1b}c",
        "\u{9b}2J",
        "a\u{202e}b",
        "\u{7}",
        "\u{7f}",
        "\u{1b}]52;c;\u{1b}\u{7}",
    ] {
        let found = std::panic::catch_unwind(|| check(foreign.as_bytes()));
        assert!(found.is_err(), "{foreign:?}");
    }
}
