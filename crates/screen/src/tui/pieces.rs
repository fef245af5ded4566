//! The drawn pieces: shapes in quarters, sixths or eighths of a cell, for squares of four by two cells and larger.
//!
//! Small squares have shapes that are drawn by hand for their size (`art`). Pictures for larger squares are computed
//! from the outlines of the pieces in [`tabiya_svg`], so there is a picture for every size.

mod art;

use std::sync::OnceLock;

use ratatui_core::layout::{Position, Rect, Size};
use ratatui_core::symbols::pixel::OCTANTS;
use tabiya_front::appearance::PieceStyle;
use tabiya_rules::{ByRole, Role};
use tabiya_svg::PieceRaster;

use super::geometry::HIGHEST;

/// What one cell of a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) symbol: char,
    /// Whether the symbol shows what the piece leaves free, so that foreground and background are swapped.
    pub(crate) is_reversed: bool,
}

/// The number of rows of pixels in a cell. There are always two columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grain {
    /// Quarters of a cell, which every font has.
    Quadrants,
    /// Sixths of a cell, which have been in Unicode since version 13.
    Sextants,
    /// Eighths of a cell, since version 16.
    Octants,
}

impl Grain {
    /// How many rows of pixels a cell has.
    const fn rows(self) -> usize {
        match self {
            Grain::Quadrants => 2,
            Grain::Sextants => 3,
            Grain::Octants => 4,
        }
    }

    /// The symbol whose pixels are the bits that are set, from left to right, then down.
    fn symbol(self, bits: usize) -> char {
        match self {
            Grain::Quadrants => QUADRANTS.get(bits).copied().unwrap_or(' '),
            Grain::Sextants => sextant(bits),
            Grain::Octants => OCTANTS.get(bits).copied().unwrap_or(' '),
        }
    }
}

/// The number of possible heights of squares, with 0.
const HEIGHTS: usize = HIGHEST as usize + 1;

/// A picture of a piece in cells: their symbols, row by row, and the number of cells in a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sprite {
    symbols: &'static [char],
    width: u16,
}

impl Sprite {
    /// The picture of a piece on a square of this size; `None` if the square is too small, or if the style does not
    /// draw pieces. It is made once for each size.
    pub(crate) fn of(role: Role, cell: Size, style: PieceStyle) -> Option<Sprite> {
        static KNOWN: [[OnceLock<ByRole<Vec<char>>>; HEIGHTS]; 3] =
            [const { [const { OnceLock::new() }; HEIGHTS] }; 3];
        let grain = match style {
            PieceStyle::Letters | PieceStyle::Figures => return None,
            // Every font has them.
            PieceStyle::Auto | PieceStyle::Blocks => Grain::Quadrants,
            PieceStyle::Sextants => Grain::Sextants,
            PieceStyle::Octants => Grain::Octants,
        };
        let known = KNOWN[grain as usize].get(usize::from(cell.height));
        let known = known.filter(|_| cell.height > 1)?;
        let symbols = known.get_or_init(|| ByRole::from_fn(|role| symbols(role, cell, grain)));
        Some(Sprite {
            symbols: &symbols[role],
            width: cell.width,
        })
    }

    /// What a cell shows; column and row are counted from the square's upper left corner.
    pub(crate) fn block(&self, column: u16, row: u16) -> Block {
        let at = usize::from(row * self.width + column);
        match self.symbols.get(at).copied().unwrap_or(' ') {
            // The lower quarter has the color of the square.
            'U' => Block {
                symbol: '▂',
                is_reversed: true,
            },
            symbol => Block {
                symbol,
                is_reversed: false,
            },
        }
    }
}

/// The cells of a piece: drawn by hand if there is a drawing of this size, otherwise computed from the outline.
fn symbols(role: Role, cell: Size, grain: Grain) -> Vec<char> {
    let art = match (grain, cell.height) {
        (Grain::Quadrants, 2) => {
            let rows = art::tiny(role).iter();
            return rows.flat_map(|row| row.chars()).collect();
        }
        (Grain::Sextants, 2) => art::TINY_SEXTANTS,
        (Grain::Octants, 2) => art::TINY_OCTANTS,
        (Grain::Quadrants, 3) => art::SMALL,
        (Grain::Sextants, 3) => art::SMALL_SEXTANTS,
        (Grain::Octants, 3) => art::SMALL_OCTANTS,
        (Grain::Quadrants, 4) => art::MEDIUM,
        (Grain::Sextants, 4) => art::MEDIUM_SEXTANTS,
        (Grain::Octants, 4) => art::MEDIUM_OCTANTS,
        (Grain::Quadrants, 5) => art::LARGE,
        (Grain::Quadrants, 6) => art::LARGER,
        (Grain::Quadrants | Grain::Sextants | Grain::Octants, _) => {
            return outlined(role, cell, grain);
        }
    };
    cells_of_pixels(cell, grain, |x, y| {
        let found = art.row(role, y).and_then(|row| row.as_bytes().get(x));
        found == Some(&b'#')
    })
}

/// The number of samples of the outline in a cell, across and down. A cell is about twice as high as it is wide.
const SAMPLES: (u16, u16) = (6, 12);

/// The cells of a piece, computed from its outline.
fn outlined(role: Role, cell: Size, grain: Grain) -> Vec<char> {
    let (across, down) = SAMPLES;
    let raster = PieceRaster::new(role, cell.width * across, cell.height * down);
    let (wide, high) = (usize::from(across) / 2, usize::from(down) / grain.rows());
    cells_of_pixels(cell, grain, |x, y| {
        let samples = (0..high).flat_map(|row| (0..wide).map(move |column| (column, row)));
        let sum: u32 = samples
            .map(|(column, row)| u32::from(raster.pixel(x * wide + column, y * high + row).body))
            .sum();
        sum * 2 > 255 * (wide * high) as u32
    })
}

/// The symbols of the cells of a square with these pixels.
fn cells_of_pixels(cell: Size, grain: Grain, is_ink: impl Fn(usize, usize) -> bool) -> Vec<char> {
    let symbol = |at: Position| {
        let (column, row) = (usize::from(at.x), usize::from(at.y));
        let mut bits = 0;
        for down in 0..grain.rows() {
            for right in 0..2 {
                let ink = is_ink(column * 2 + right, row * grain.rows() + down);
                bits |= usize::from(ink) << (down * 2 + right);
            }
        }
        grain.symbol(bits)
    };
    Rect::from(cell).positions().map(symbol).collect()
}

/// By bits, from the lowest: upper left, upper right, lower left, lower right.
const QUADRANTS: [char; 16] = [
    ' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█',
];

/// By bits from left to right, then down. The block of sextants leaves out the symbols that Unicode had before.
fn sextant(bits: usize) -> char {
    const LEFT: usize = 0b01_01_01;
    const RIGHT: usize = 0b10_10_10;
    match bits {
        0 => ' ',
        LEFT => '▌',
        RIGHT => '▐',
        63.. => '█',
        _ => {
            let known = usize::from(bits > LEFT) + usize::from(bits > RIGHT);
            let code = 0x1fb00 + (bits - 1 - known) as u32;
            char::from_u32(code).unwrap_or(' ')
        }
    }
}

#[cfg(test)]
mod tests;
