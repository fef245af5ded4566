//! Cells of the screen as bytes for the terminal: where the cursor goes, and which colors and modifiers change.

use std::io::{self, Write};

use crossterm::cursor::{self, Hide, MoveTo, Show};
use crossterm::queue;
use crossterm::style::{
    Attribute, Color as TerminalColor, Colors, Print, ResetColor, SetAttribute, SetColors,
};
use crossterm::terminal::{self, Clear, ClearType as Cleared};
use ratatui_core::backend::{Backend, ClearType, WindowSize};
use ratatui_core::buffer::{Cell, CellWidth};
use ratatui_core::layout::{Position, Size};
use ratatui_core::style::{Color, Modifier};

/// A terminal behind a writer. Nothing is sent before a flush, unless the writer does it by itself.
#[derive(Debug)]
pub(super) struct TerminalBackend<W>(W);

impl<W: Write> TerminalBackend<W> {
    /// A backend that writes to this writer.
    pub(super) fn new(out: W) -> TerminalBackend<W> {
        TerminalBackend(out)
    }
}

/// For what is not cells: pictures, the clipboard, the bell.
impl<W: Write> Write for TerminalBackend<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: Write> Backend for TerminalBackend<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, cells: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut pen = Pen::default();
        // Where the cursor is, as far as it is certain. It is not after a symbol of two cells: terminals disagree about
        // some of these, and the cell that such a symbol covers can come next.
        let mut cursor = None;
        for (x, y, cell) in cells {
            if cursor != Some((x, y)) {
                queue!(self.0, MoveTo(x, y))?;
            }
            cursor = (cell.cell_width() == 1).then_some((x + 1, y));
            pen.change(Pen::of(cell), &mut self.0)?;
            queue!(self.0, Print(cell.symbol()))?;
        }
        // Back to the default pen, with which the next call begins. The sequence resets the modifiers too.
        queue!(self.0, ResetColor)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        queue!(self.0, Hide)
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        queue!(self.0, Show)
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        cursor::position().map(Position::from)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        let Position { x, y } = position.into();
        queue!(self.0, MoveTo(x, y))
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        let region = match region {
            ClearType::All => Cleared::All,
            ClearType::AfterCursor => Cleared::FromCursorDown,
            ClearType::BeforeCursor => Cleared::FromCursorUp,
            ClearType::CurrentLine => Cleared::CurrentLine,
            ClearType::UntilNewLine => Cleared::UntilNewLine,
        };
        queue!(self.0, Clear(region))
    }

    fn size(&self) -> io::Result<Size> {
        terminal::size().map(Size::from)
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        let size = terminal::window_size()?;
        Ok(WindowSize {
            columns_rows: Size::new(size.columns, size.rows),
            pixels: Size::new(size.width, size.height),
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// How the terminal writes a symbol. The default is that of a terminal after a reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pen {
    ink: Color,
    ground: Color,
    modifiers: Modifier,
}

/// What turns modifiers off. One sequence can do it for two of them.
const OFF: [(Modifier, Attribute); 7] = [
    (
        Modifier::BOLD.union(Modifier::DIM),
        Attribute::NormalIntensity,
    ),
    (Modifier::ITALIC, Attribute::NoItalic),
    (Modifier::UNDERLINED, Attribute::NoUnderline),
    (
        Modifier::SLOW_BLINK.union(Modifier::RAPID_BLINK),
        Attribute::NoBlink,
    ),
    (Modifier::REVERSED, Attribute::NoReverse),
    (Modifier::HIDDEN, Attribute::NoHidden),
    (Modifier::CROSSED_OUT, Attribute::NotCrossedOut),
];

/// What turns modifiers on.
const ON: [(Modifier, Attribute); 9] = [
    (Modifier::BOLD, Attribute::Bold),
    (Modifier::DIM, Attribute::Dim),
    (Modifier::ITALIC, Attribute::Italic),
    (Modifier::UNDERLINED, Attribute::Underlined),
    (Modifier::SLOW_BLINK, Attribute::SlowBlink),
    (Modifier::RAPID_BLINK, Attribute::RapidBlink),
    (Modifier::REVERSED, Attribute::Reverse),
    (Modifier::HIDDEN, Attribute::Hidden),
    (Modifier::CROSSED_OUT, Attribute::CrossedOut),
];

impl Pen {
    fn of(cell: &Cell) -> Pen {
        Pen {
            ink: cell.fg,
            ground: cell.bg,
            modifiers: cell.modifier,
        }
    }

    /// Becomes another pen, and writes only the difference.
    fn change(&mut self, to: Pen, out: &mut impl Write) -> io::Result<()> {
        let gone = self.modifiers.difference(to.modifiers);
        let mut kept = self.modifiers.intersection(to.modifiers);
        for (group, off) in OFF {
            if gone.intersects(group) {
                queue!(out, SetAttribute(off))?;
                kept.remove(group);
            }
        }
        let missing = to.modifiers.difference(kept);
        for (modifier, on) in ON {
            if missing.contains(modifier) {
                queue!(out, SetAttribute(on))?;
            }
        }
        let changed = |from: Color, to: Color| (from != to).then(|| terminal_color(to));
        let foreground = changed(self.ink, to.ink);
        let background = changed(self.ground, to.ground);
        if foreground.is_some() || background.is_some() {
            let colors = Colors {
                foreground,
                background,
            };
            queue!(out, SetColors(colors))?;
        }
        *self = to;
        Ok(())
    }
}

/// Converts a color to crossterm's type, whose plain names (`Red`) are the bright colors.
fn terminal_color(color: Color) -> TerminalColor {
    match color {
        Color::Reset => TerminalColor::Reset,
        Color::Black => TerminalColor::Black,
        Color::Red => TerminalColor::DarkRed,
        Color::Green => TerminalColor::DarkGreen,
        Color::Yellow => TerminalColor::DarkYellow,
        Color::Blue => TerminalColor::DarkBlue,
        Color::Magenta => TerminalColor::DarkMagenta,
        Color::Cyan => TerminalColor::DarkCyan,
        Color::Gray => TerminalColor::Grey,
        Color::DarkGray => TerminalColor::DarkGrey,
        Color::LightRed => TerminalColor::Red,
        Color::LightGreen => TerminalColor::Green,
        Color::LightYellow => TerminalColor::Yellow,
        Color::LightBlue => TerminalColor::Blue,
        Color::LightMagenta => TerminalColor::Magenta,
        Color::LightCyan => TerminalColor::Cyan,
        Color::White => TerminalColor::White,
        Color::Rgb(r, g, b) => TerminalColor::Rgb { r, g, b },
        Color::Indexed(index) => TerminalColor::AnsiValue(index),
    }
}

#[cfg(test)]
mod tests;
