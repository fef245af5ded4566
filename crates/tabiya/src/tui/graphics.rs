//! Real pictures of a board, for terminals that show pictures: a tile for each square, and how the three protocols write it.
//!
//! The board is always drawn in cells too. A tile lies over the cells of its square, so that whatever covers a square, or
//! a terminal that shows no pictures, has the drawn board.

mod answers;
mod encoding;
mod tile;

pub(crate) use answers::{Answers, FIRST_QUESTION, QUESTIONS};
pub(crate) use encoding::{delete_image, delete_placement, iterm, place, sixel, transmit};
pub(crate) use tile::{Arrow, Piece, Rasters, Sign, Tile};

/// How a terminal is given a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// Kitty, Ghostty, Konsole, WezTerm: pictures are sent once and placed many times.
    Kitty,
    /// iTerm2 and what follows it.
    Iterm,
    /// xterm, foot, mlterm, Windows Terminal, with at most so many colors in a picture.
    Sixel { colors: usize },
}

/// When the board is shown with pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Graphics {
    /// Where the terminal says that it shows them.
    #[default]
    Auto,
    /// The same, but a terminal that does not report the size of its pixels is asked too.
    On,
    Off,
}

/// The size of something in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pixels {
    pub(crate) width: u16,
    pub(crate) height: u16,
}

impl Pixels {
    /// The largest tile that is drawn: a window that claims more is not believed.
    const LARGEST: u16 = 512;

    /// The size of one cell of a window, if the window reports it.
    pub(crate) fn of_cell(window: Pixels, columns: u16, rows: u16) -> Option<Pixels> {
        let cell = Pixels {
            width: window.width.checked_div(columns)?,
            height: window.height.checked_div(rows)?,
        };
        (cell.width > 0 && cell.height > 0).then_some(cell)
    }

    /// The size of this many cells, unless it is too large to draw.
    pub(crate) fn of_cells(self, columns: u16, rows: u16) -> Option<Pixels> {
        let size = Pixels {
            width: self.width.checked_mul(columns)?,
            height: self.height.checked_mul(rows)?,
        };
        (size.width <= Pixels::LARGEST && size.height <= Pixels::LARGEST).then_some(size)
    }
}

#[cfg(test)]
mod tests;
