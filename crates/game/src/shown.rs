//! Text from outside as it may be shown to a person.

use core::fmt;

/// Text as it may go to a terminal: control and invisible formatting characters are spelled out.
pub(crate) struct Shown<'a>(pub(crate) &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '\'' | '"' | '\\' => write!(f, "{c}")?,
                _ => write!(f, "{}", c.escape_debug())?,
            }
        }
        Ok(())
    }
}
