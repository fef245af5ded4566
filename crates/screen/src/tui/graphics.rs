//! Pictures of the board, for terminals that can show them: a tile for each square, in one of three protocols.
//!
//! The board is always drawn in cells too, and a tile lies over the cells of its square. So the board is complete even
//! where a tile is hidden or the terminal shows no pictures.

mod answers;
mod encoding;
mod finest;
mod tile;

use ratatui_core::backend::WindowSize;

pub(crate) use answers::{Answers, FIRST_QUESTION, QUESTIONS};
pub(crate) use encoding::{
    clipboard, delete_image, delete_placement, iterm, place, sixel, transmit,
};
pub(crate) use finest::{coarser, finest, sample};
pub(crate) use tile::{Arrow, Piece, Rasters, Sign, Tile};

/// The protocol in which a terminal receives pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// Kitty, Ghostty, Konsole: a picture is sent once and can then be placed many times.
    Kitty,
    /// iTerm2 and WezTerm.
    Iterm,
    /// xterm, foot, mlterm, Windows Terminal: a picture has at most this many colors.
    Sixel { colors: usize },
}

/// The size of something in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pixels {
    pub(crate) width: u16,
    pub(crate) height: u16,
}

impl Pixels {
    /// The greatest width and height of a tile. A window that claims to be larger is not believed.
    const MAX_TILE_SIDE: u16 = 512;

    /// The size of one cell of a window, if the window reports it.
    pub(crate) fn of_cell(window: &WindowSize) -> Option<Pixels> {
        let (all, cells) = (window.pixels, window.columns_rows);
        let cell = Pixels {
            width: all.width.checked_div(cells.width)?,
            height: all.height.checked_div(cells.height)?,
        };
        (cell.width > 0 && cell.height > 0).then_some(cell)
    }

    /// The size of this many cells, unless it is too large to draw.
    pub(crate) fn of_cells(self, columns: u16, rows: u16) -> Option<Pixels> {
        let size = Pixels {
            width: self.width.checked_mul(columns)?,
            height: self.height.checked_mul(rows)?,
        };
        (size.width <= Pixels::MAX_TILE_SIDE && size.height <= Pixels::MAX_TILE_SIDE)
            .then_some(size)
    }
}

#[cfg(test)]
mod tests;
