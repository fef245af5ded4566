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
    /// How many quarters of a cell are free above and below; twice as many are on either side.
    margin: u16,
    /// Whether the base is open in the middle.
    open: bool,
}

impl Sprite {
    /// The picture of a piece for squares of a size; `None` for squares too small to draw on.
    pub(crate) fn of(piece: Piece, cell: CellSize) -> Option<Sprite> {
        let role = piece.role;
        let (rows, scale, margin): (&'static [&'static str], u16, u16) =
            match (cell.width, cell.height) {
                (16, 8) => (large(role), 2, 0),
                (10, 5) => (large(role), 1, 1),
                (8, 4) => (large(role), 1, 0),
                (6, 3) => (small(role), 1, 0),
                _ => return None,
            };
        Some(Sprite {
            rows,
            scale,
            margin,
            open: piece.color == Color::White,
        })
    }

    /// What a cell shows, counted from the square's upper left corner.
    pub(crate) fn cell(&self, column: u16, row: u16) -> char {
        let pixel = |right: u16, down: u16| {
            let from =
                |at: u16, margin: u16| Some(usize::from(at.checked_sub(margin)? / self.scale));
            let x = from(column * 2 + right, self.margin * 2);
            let y = from(row * 2 + down, self.margin);
            let (Some(x), Some(y)) = (x, y) else { return 0 };
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
