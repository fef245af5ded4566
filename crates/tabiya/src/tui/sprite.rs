//! The drawn pieces: small pictures in quarters of a cell, for boards whose squares are large enough.
//!
//! The sides are told apart by shape as well as by color: White's pieces stand on two feet, Black's on a whole base.

use tabiya_rules::{Color, Piece, Role};

use super::geometry::CellSize;

/// A picture as rows of pixels, `#` for ink. A cell of the terminal shows two by two pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sprite {
    rows: &'static [&'static str],
    /// How many cells' quarters a pixel takes in each direction.
    scale: u16,
    /// Whether the base is open in the middle.
    open: bool,
}

impl Sprite {
    /// The picture of a piece for squares of a size; `None` for squares too small to draw on.
    pub(crate) fn of(piece: Piece, cell: CellSize) -> Option<Sprite> {
        let role = piece.role;
        let (rows, scale): (&'static [&'static str], u16) = match (cell.width, cell.height) {
            (16, 8) => (large(role), 2),
            (8, 4) => (large(role), 1),
            (6, 3) => (small(role), 1),
            _ => return None,
        };
        Some(Sprite {
            rows,
            scale,
            open: piece.color == Color::White,
        })
    }

    /// What a cell shows, counted from the square's upper left corner.
    pub(crate) fn cell(&self, column: u16, row: u16) -> char {
        let pixel = |right: u16, down: u16| {
            let x = usize::from((column * 2 + right) / self.scale);
            let y = usize::from((row * 2 + down) / self.scale);
            let ink = self.rows.get(y).and_then(|row| row.as_bytes().get(x));
            usize::from(ink == Some(&b'#') && !self.is_gap(x, y))
        };
        let quarters = pixel(0, 0) | pixel(1, 0) << 1 | pixel(0, 1) << 2 | pixel(1, 1) << 3;
        QUARTERS.get(quarters).copied().unwrap_or(' ')
    }
}

impl Sprite {
    /// Whether a pixel is the gap between two feet: two in the middle of the last row.
    fn is_gap(&self, x: usize, y: usize) -> bool {
        let middle = self.rows.first().map_or(0, |row| row.len() / 2);
        self.open && y + 1 == self.rows.len() && (x == middle || x + 1 == middle)
    }
}

/// By bits: upper left, upper right, lower left, lower right.
const QUARTERS: [char; 16] = [
    ' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█',
];

/// For squares of eight by four cells.
const fn large(role: Role) -> &'static [&'static str] {
    match role {
        Role::Pawn => &[
            "................",
            "................",
            "......####......",
            ".....######.....",
            "......####......",
            "......####......",
            ".....######.....",
            "...##########...",
        ],
        Role::Knight => &[
            ".......#.#......",
            ".....#######....",
            "...##.########..",
            "..############..",
            "..###..#######..",
            "......#######...",
            ".....########...",
            "...###########..",
        ],
        Role::Bishop => &[
            ".......##.......",
            "......####......",
            ".....####.#.....",
            "....####.###....",
            "....########....",
            ".....######.....",
            "......####......",
            "...##########...",
        ],
        Role::Rook => &[
            "................",
            "..###.####.###..",
            "..############..",
            "....########....",
            "....########....",
            "....########....",
            "...##########...",
            "..############..",
        ],
        Role::Queen => &[
            "..#....##....#..",
            "..##..####..##..",
            "..###.####.###..",
            "...##########...",
            "...##########...",
            "....########....",
            ".....######.....",
            "...##########...",
        ],
        Role::King => &[
            ".......##.......",
            ".....######.....",
            ".......##.......",
            "..####.##.####..",
            "..############..",
            "...##########...",
            "....########....",
            "...##########...",
        ],
    }
}

/// For squares of six by three cells.
const fn small(role: Role) -> &'static [&'static str] {
    match role {
        Role::Pawn => &[
            "............",
            ".....##.....",
            "....####....",
            ".....##.....",
            "....####....",
            "...######...",
        ],
        Role::Knight => &[
            ".....#.#....",
            "...######...",
            "..##.#####..",
            "..###.####..",
            ".....####...",
            "...#######..",
        ],
        Role::Bishop => &[
            ".....##.....",
            "....##.#....",
            "...###.##...",
            "...######...",
            "....####....",
            "...######...",
        ],
        Role::Rook => &[
            "............",
            "..##.##.##..",
            "..########..",
            "...######...",
            "...######...",
            "..########..",
        ],
        Role::Queen => &[
            "..#..##..#..",
            "..##.##.##..",
            "..########..",
            "...######...",
            "....####....",
            "...######...",
        ],
        Role::King => &[
            ".....##.....",
            "....####....",
            "..##.##.##..",
            "..########..",
            "...######...",
            "...######...",
        ],
    }
}

#[cfg(test)]
mod tests;
