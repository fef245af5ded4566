//! The questions to a terminal about pictures and colors, and its answers.
//!
//! Answers arrive between typed keys, and are untrusted. Everything that is not a complete answer is returned as typed.

use tabiya_front::color::Rgb;

use super::Protocol;

/// The first question, sent alone: what kind of terminal it is (DA1). Every terminal answers it. One that does not
/// answer is asked nothing else, and a late answer is ignored.
pub(crate) const FIRST_QUESTION: &str = "\u{1b}[c";

/// The questions to a terminal that has answered the first: kitty graphics, name and version, color registers,
/// background. They end with the first question again, because its answer comes after all others.
pub(crate) const QUESTIONS: &str = "\u{1b}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1b}\\\u{1b}[>q\u{1b}[?1;1;0S\
                                    \u{1b}]11;?\u{1b}\\\u{1b}[c";

/// The number of sixel colors if the terminal does not report it.
const MIN_COLORS: usize = 16;

/// What a terminal has answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answers {
    /// How many times it has said what kind of terminal it is.
    pub(crate) attributes: usize,
    has_sixel: bool,
    has_kitty: bool,
    has_iterm: bool,
    colors: Option<usize>,
    /// Its background.
    pub(crate) background: Option<Rgb>,
    /// Its name and version, as it says them.
    pub(crate) name: Option<String>,
    /// The column of its cursor, from 1.
    pub(crate) column: Option<u16>,
    /// What the user typed in between.
    pub(crate) typed: Vec<u8>,
}

impl Answers {
    /// Reads everything that a terminal has sent since it was asked.
    pub(crate) fn read(bytes: &[u8]) -> Answers {
        let mut answers = Answers::default();
        let mut rest = bytes;
        while !rest.is_empty() {
            let length = sequence(rest);
            let (taken, left) = rest.split_at(length.unwrap_or(1));
            if length.is_none() || !answers.read_answer(taken) {
                answers.typed.extend_from_slice(taken);
            }
            rest = left;
        }
        answers
    }

    /// The best protocol that the terminal supports.
    pub(crate) fn protocol(&self) -> Option<Protocol> {
        if self.has_kitty {
            Some(Protocol::Kitty)
        } else if self.has_iterm {
            Some(Protocol::Iterm)
        } else if self.has_sixel {
            let colors = self.colors.unwrap_or(MIN_COLORS).clamp(2, 256);
            Some(Protocol::Sixel { colors })
        } else {
            None
        }
    }

    /// Reads a complete sequence. Returns whether it is an answer.
    fn read_answer(&mut self, bytes: &[u8]) -> bool {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return false;
        };
        let control = text.strip_prefix("\u{1b}[");
        if let Some(kinds) = control.and_then(|rest| rest.strip_prefix('?')?.strip_suffix('c')) {
            self.attributes += 1;
            self.has_sixel |= kinds.split(';').skip(1).any(|kind| kind == "4");
        } else if let Some(registers) =
            control.and_then(|rest| rest.strip_prefix("?1;")?.strip_suffix('S'))
        {
            // The answer begins with 0 if a number follows.
            let count = registers.strip_prefix("0;");
            self.colors = count.and_then(|count| count.parse().ok());
        } else if let Some(answer) = text.strip_prefix("\u{1b}_Gi=31") {
            self.has_kitty = inner(answer).ends_with(";OK");
        } else if let Some(name) = text.strip_prefix("\u{1b}P>|") {
            self.has_iterm = name.starts_with("iTerm2") || name.starts_with("WezTerm");
            self.name = Some(inner(name).to_owned());
        } else if let Some(place) = control.and_then(|rest| rest.strip_suffix('R')) {
            let column = place
                .split_once(';')
                .and_then(|(_, column)| column.parse().ok());
            self.column = column;
            return column.is_some();
        } else if let Some(color) = text.strip_prefix("\u{1b}]11;rgb:") {
            self.background = rgb(inner(color));
        } else {
            return false;
        }
        true
    }
}

/// The length of the escape sequence at the beginning of some bytes, if it is complete.
fn sequence(bytes: &[u8]) -> Option<usize> {
    let [0x1b, kind, rest @ ..] = bytes else {
        return None;
    };
    let length = match kind {
        b'[' => rest.iter().position(|byte| (0x40..=0x7e).contains(byte))? + 1,
        b'_' | b'P' | b']' => {
            let end = rest.iter().position(|&byte| byte == 0x07 || byte == 0x1b)?;
            match rest.get(end..)? {
                [0x1b, b'\\', ..] => end + 2,
                [0x07, ..] => end + 1,
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(2 + length)
}

/// A text without the terminator of its sequence.
fn inner(text: &str) -> &str {
    text.trim_end_matches(['\u{7}', '\u{1b}', '\\'])
}

/// A color as X11 writes it, `ffff/ffff/ffff`, each part with one to four digits.
fn rgb(text: &str) -> Option<Rgb> {
    let part = |digits: &str| {
        let length = Some(digits.len()).filter(|length| (1..=4).contains(length))?;
        let value = u32::from_str_radix(digits, 16).ok()?;
        u8::try_from(value * 255 / ((1 << (4 * length)) - 1)).ok()
    };
    let parts: Option<Vec<u8>> = text.split('/').map(part).collect();
    parts?.try_into().ok().map(Rgb)
}
