//! Text from outside, made safe to show to a person.

use core::fmt;

/// Text that is safe for a terminal: control and invisible formatting characters are escaped.
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
