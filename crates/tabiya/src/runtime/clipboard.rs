//! The clipboard by way of the terminal: OSC 52, which works over a network too.

use crate::base64::base64;

/// The longest text that terminals are known to take.
const LONGEST: usize = 74_994;

/// The sequence that puts a text on the clipboard. A text that is too long for terminals is left out.
pub(super) fn sequence(text: &str) -> String {
    let text = if text.len() <= LONGEST { text } else { "" };
    format!("\u{1b}]52;c;{}\u{7}", base64(text.as_bytes()))
}

#[cfg(test)]
mod tests;
