//! Which characters a terminal can show: all of Unicode, or ASCII and its substitutes.

use ratatui::buffer::Buffer;

/// The characters a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charset {
    Unicode,
    Ascii,
}

impl Charset {
    /// What the environment says. `variable` looks a variable up. Where it says nothing, terminals of today know
    /// Unicode; the console of Linux knows it, but has no chess pieces.
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

    /// Writes what was drawn with the letters that there are.
    pub(crate) fn write(self, buffer: &mut Buffer) {
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

/// What stands for a sign.
fn ascii(symbol: &str) -> char {
    match symbol.chars().next().unwrap_or(' ') {
        '♔' => 'K',
        '♕' => 'Q',
        '♖' => 'R',
        '♗' => 'B',
        '♘' => 'N',
        '♙' => 'P',
        '♚' => 'k',
        '♛' => 'q',
        '♜' => 'r',
        '♝' => 'b',
        '♞' => 'n',
        '♟' => 'p',
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
