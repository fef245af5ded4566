//! Text in cells: measured, shortened to fit, and made safe to show.

use ratatui_core::layout::Rect;
use ratatui_core::text::Span;
use tabiya_rules::text::clean;

/// The number of cells that a text takes.
pub fn width(text: &str) -> u16 {
    u16::try_from(Span::raw(text).width()).unwrap_or(u16::MAX)
}

/// A text shortened to fit, with an ellipsis if something is missing. Control characters are made visible.
pub fn fitted(text: &str, room: u16) -> String {
    let safe = clean(text);
    if width(&safe) <= room {
        return safe.into_owned();
    }
    let mut short = String::new();
    for c in safe.chars() {
        short.push(c);
        if width(&short) + 1 > room {
            short.pop();
            break;
        }
    }
    if room > 0 {
        short.push('…');
    }
    short
}

/// The size to draw for where a terminal reports this one, in columns and rows. Serial lines and some containers report
/// none, and are taken for the usual size.
pub fn assumed_size(reported: (u16, u16)) -> (u16, u16) {
    match reported {
        (0, _) | (_, 0) => (80, 24),
        known => known,
    }
}

/// A text that is shown on a condition.
pub fn only_if(condition: bool, text: &'static str) -> &'static str {
    if condition { text } else { "" }
}

/// A line of an area; empty if it is below the area.
pub fn row(area: Rect, down: u16) -> Rect {
    let height = u16::from(down < area.height);
    let y = area.y.saturating_add(down);
    Rect { y, height, ..area }
}

/// Breaks a text into lines that fit. A word that is too long for a line is broken too.
pub fn wrap(text: &str, room: u16) -> Vec<String> {
    let room = room.max(1);
    let mut lines: Vec<String> = Vec::new();
    for part in text.split('\n') {
        let part = clean(part);
        let (mut line, mut wide) = (String::new(), 0_u16);
        for word in part.split(' ') {
            if !line.is_empty() && width(word).saturating_add(wide + 1) > room {
                lines.push(std::mem::take(&mut line));
                wide = 0;
            }
            if !line.is_empty() {
                line.push(' ');
                wide += 1;
            }
            for c in word.chars() {
                // Measured letter by letter, because a long text can take no room at all.
                let cells = width(c.encode_utf8(&mut [0; 4]));
                if !line.is_empty() && wide + cells > room {
                    lines.push(std::mem::take(&mut line));
                    wide = 0;
                }
                line.push(c);
                wide += cells;
            }
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests;
