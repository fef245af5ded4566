//! The clipboard through the terminal: OSC 52, which works over a network too.

use crate::base64::base64;

/// The longest text that terminals are known to accept.
const LONGEST: usize = 74_994;

/// The sequence that copies a text to the clipboard; empty for a text that is too long.
pub(super) fn sequence(text: &str) -> String {
    let text = if text.len() <= LONGEST { text } else { "" };
    format!("\u{1b}]52;c;{}\u{7}", base64(text.as_bytes()))
}

#[cfg(test)]
mod tests;
