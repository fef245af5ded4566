//! Which characters a terminal can show: Unicode, or only ASCII, with substitutes for everything else.

use ratatui_core::buffer::Buffer;
use tabiya_rules::{Color, Role};

/// The characters a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charset {
    Unicode,
    Ascii,
}

impl Charset {
    /// Detects the character set from the environment; `variable` looks up a variable. If the environment does not say,
    /// Unicode is assumed. The Linux console has Unicode, but no chess pieces.
    pub(crate) fn detect(variable: impl Fn(&str) -> Option<String>) -> Charset {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let console = set("TERM").is_some_and(|term| term == "linux");
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
        let plain = locale.is_some_and(|locale| {
            let lower = locale.to_ascii_lowercase();
            let unicode = lower.contains("utf-8") || lower.contains("utf8");
            let named = lower.contains('.') || matches!(lower.as_str(), "c" | "posix");
            named && !unicode
        });
        if console || plain {
            Charset::Ascii
        } else {
            Charset::Unicode
        }
    }

    /// Replaces the characters in the buffer that the terminal cannot show.
    pub(crate) fn replace_unsupported(self, buffer: &mut Buffer) {
        if self == Charset::Unicode {
            return;
        }
        for cell in &mut buffer.content {
            if !cell.symbol().is_ascii() {
                let letter = ascii(cell.symbol());
                cell.set_char(letter);
            }
        }
    }
}

/// The ASCII substitute for a symbol.
fn ascii(symbol: &str) -> char {
    let c = symbol.chars().next().unwrap_or(' ');
    let mut pieces = Color::ALL
        .into_iter()
        .flat_map(|color| Role::ALL.map(|role| role.of(color)));
    if let Some(piece) = pieces.find(|piece| piece.figure() == c) {
        return piece.char();
    }
    match c {
        '─' | '–' | '−' => '-',
        '│' | '▏' | '▕' => '|',
        '╭' | '╮' | '╰' | '╯' | '×' => '+',
        '·' | '•' | '…' | '▁' | '▂' | '▃' => '.',
        '●' | '◆' => '*',
        '○' | '◐' | '◓' | '◑' | '◒' => 'o',
        '▸' | '›' | '»' | '→' => '>',
        '‹' | '«' | '←' | '◂' => '<',
        '↑' => '^',
        '↓' => 'v',
        '✗' => '!',
        '░' => ':',
        '▒' => '=',
        '╱' | '↗' | '↙' => '/',
        '╲' | '↘' | '↖' => '\\',
        '▎' | '▍' | '▌' => ' ',
        '▄' | '▅' | '▆' => '=',
        '▋' | '▊' | '▉' | '▇' | '█' => '#',
        _ => '?',
    }
}

#[cfg(test)]
mod tests;
