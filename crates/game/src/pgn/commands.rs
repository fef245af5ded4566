//! Splits the text of a comment: embedded commands become values, and the rest stays text.

use crate::annotation::{Annotation, Comment};

/// Reads the text of a comment: its embedded commands (`[%clk …]`, `[%eval …]`, `[%csl …]`, `[%cal …]`, `[%emt …]`
/// and any other) as values, and the rest as one comment.
///
/// ```
/// use core::time::Duration;
/// use tabiya_game::pgn;
///
/// let annotation = pgn::parse_comment("[%clk 0:01:30] a hard choice [%cal Gd1d5]");
/// assert_eq!(annotation.clock, Some(Duration::from_secs(90)));
/// assert_eq!(annotation.arrows.len(), 1);
/// assert_eq!(annotation.comments[0].as_str(), "a hard choice");
/// ```
pub fn parse_comment(text: &str) -> Annotation {
    let mut annotation = Annotation::default();
    let rest = take_commands(text, &mut annotation);
    annotation.comments.extend(Comment::new(&rest));
    annotation
}

/// Adds the embedded commands of a text to an annotation and returns the text without them.
///
/// Text that looks like a command but is not valid stays in the text.
pub(super) fn take_commands(text: &str, annotation: &mut Annotation) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("[%") {
        plain.push_str(&rest[..start]);
        rest = &rest[start..];
        let command = command(rest)
            .filter(|(name, argument, _)| annotation.add_command(name, argument).is_ok());
        let length = match command {
            Some((_, _, length)) => {
                plain.push(' ');
                length
            }
            None => {
                plain.push_str("[%");
                2
            }
        };
        rest = &rest[length..];
    }
    plain.push_str(rest);
    plain
}

/// Returns the name and argument of the command at the beginning of a text, and its length.
fn command(text: &str) -> Option<(&str, &str, usize)> {
    let end = text.find(']')?;
    let inside = &text[2..end];
    let (name, argument) = inside
        .split_once(char::is_whitespace)
        .unwrap_or((inside, ""));
    Some((name, argument.trim(), end + 1))
}
