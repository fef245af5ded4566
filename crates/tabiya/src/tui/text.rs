//! Text in cells: measured, shortened to fit, and made safe to show.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;
use tabiya_rules::text::clean;

/// The number of cells that a text takes.
pub(crate) fn width(text: &str) -> u16 {
    u16::try_from(Span::raw(text).width()).unwrap_or(u16::MAX)
}

/// A text shortened to fit, with an ellipsis if something is missing. Control characters are made visible.
pub(crate) fn fitted(text: &str, room: u16) -> String {
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

/// Writes a text into the first line of an area, from a column on, and returns the column after it.
pub(crate) fn put(buffer: &mut Buffer, area: Rect, column: u16, text: &str, style: Style) -> u16 {
    // The screen may have become smaller since the area was computed.
    let area = area.intersection(buffer.area);
    let room = area.width.saturating_sub(column);
    if room == 0 || area.height == 0 {
        return column;
    }
    let text = fitted(text, room);
    let (end, _) = buffer.set_stringn(area.x + column, area.y, &text, usize::from(room), style);
    end.saturating_sub(area.x)
}

/// Writes a text at the right end of the first line of an area. Returns the column where it begins.
pub(crate) fn put_right(buffer: &mut Buffer, area: Rect, text: &str, style: Style) -> u16 {
    let column = area.width.saturating_sub(width(text));
    put(buffer, area, column, text, style);
    column
}

/// A line of an area; empty if it is below the area.
pub(crate) fn row(area: Rect, down: u16) -> Rect {
    Rect {
        y: area.y.saturating_add(down),
        height: u16::from(down < area.height),
        ..area
    }
}

/// Breaks a text into lines that fit. A word that is too long for a line is broken too.
pub(crate) fn wrap(text: &str, room: u16) -> Vec<String> {
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
                if wide >= room {
                    lines.push(std::mem::take(&mut line));
                    wide = 0;
                }
                line.push(c);
                // Measured letter by letter, because a long text can take no room at all.
                wide += width(c.encode_utf8(&mut [0; 4]));
            }
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests;
