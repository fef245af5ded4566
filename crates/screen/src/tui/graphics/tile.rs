//! A square as a picture: everything on it, shown by color and by shape, and its pixels.

use std::collections::HashMap;

use tabiya_front::color::Rgb;
use tabiya_rules::Role;
use tabiya_svg::{Coverage, PieceRaster};

use super::Pixels;

/// What a square looks like.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tile {
    pub(crate) ground: Rgb,
    pub(crate) piece: Option<Piece>,
    pub(crate) sign: Option<Sign>,
    /// The color of signs.
    pub(crate) ink: Rgb,
    /// Whether the last move began or ended here.
    pub(crate) is_last: bool,
    pub(crate) is_check: bool,
    /// The frame of the cursor.
    pub(crate) cursor: Option<Rgb>,
    pub(crate) arrows: Vec<Arrow>,
}

/// A piece and its colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Piece {
    pub(crate) role: Role,
    pub(crate) fill: Rgb,
    /// The lines inside it.
    pub(crate) detail: Rgb,
}

/// What the player can do with a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sign {
    /// Its piece is selected.
    Selected,
    /// The selected piece can move here.
    Target,
    /// The selected piece can capture here.
    Capture,
}

/// An arrow that begins on this square, ends on it or passes over it. Its ends are given in squares to the right of
/// this one and below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Arrow {
    pub(crate) from: (i8, i8),
    pub(crate) to: (i8, i8),
    pub(crate) color: Rgb,
}

/// The pieces as pixel coverage, computed once for each size.
pub(crate) type Rasters = HashMap<(Role, Pixels), PieceRaster>;

/// The length of an arrow's head, in squares.
const HEAD: f64 = 0.38;

impl Tile {
    /// Returns the pixels, row by row.
    pub(crate) fn pixels(&self, size: Pixels, rasters: &mut Rasters) -> Vec<[u8; 3]> {
        let raster = self.piece.map(|piece| {
            let raster = rasters.entry((piece.role, size));
            let new = || PieceRaster::new(piece.role, size.width, size.height);
            (piece, &*raster.or_insert_with(new))
        });
        let mut pixels = Vec::with_capacity(usize::from(size.width) * usize::from(size.height));
        for y in 0..size.height {
            for x in 0..size.width {
                let mut color = self.behind(x, y, size);
                if let Some((piece, raster)) = raster {
                    let covered = raster.pixel(usize::from(x), usize::from(y));
                    color = paint(color, piece, covered);
                }
                pixels.push(self.covered(color, x, y, size).0);
            }
        }
        pixels
    }

    /// The color of a pixel behind the piece.
    fn behind(&self, x: u16, y: u16, size: Pixels) -> Rgb {
        let side = size.width.min(size.height);
        let edge = edge(x, y, size);
        // A square of the last move has a bar under the piece.
        let bar = (side / 16).max(1);
        if self.is_last && size.height - 1 - y < bar {
            return self.ink;
        }
        // A king in check has a double frame.
        let line = (side / 24).max(1);
        if self.is_check && (edge < line || (edge >= 2 * line && edge < 3 * line)) {
            return self.ink;
        }
        match self.sign {
            Some(Sign::Selected) if edge < (side / 14).max(1) => self.ink,
            Some(Sign::Capture) if corner(x, y, size) < side / 4 => self.ink,
            Some(Sign::Selected | Sign::Capture | Sign::Target) | None => self.ground,
        }
    }

    /// The color of a pixel of the piece or the square, after what is drawn over it: signs, arrows and the cursor.
    fn covered(&self, mut color: Rgb, x: u16, y: u16, size: Pixels) -> Rgb {
        let (width, height) = (f64::from(size.width), f64::from(size.height));
        let side = width.min(height);
        let at = (f64::from(x) + 0.5, f64::from(y) + 0.5);
        if self.sign == Some(Sign::Target) {
            let distance = (at.0 - width / 2.0).hypot(at.1 - height / 2.0);
            color = color.mixed(self.ink, share(side * 0.15 - distance));
        }
        for arrow in &self.arrows {
            let place = (at.0 / width - 0.5, at.1 / height - 0.5);
            color = color.mixed(arrow.color, arrow.share(place, side) * 85 / 100);
        }
        let frame = (size.width.min(size.height) / 12).max(2);
        let frame = self.cursor.filter(|_| edge(x, y, size) < frame);
        frame.unwrap_or(color)
    }
}

/// The distance of a pixel from the nearest edge.
fn edge(x: u16, y: u16, size: Pixels) -> u16 {
    x.min(y).min(size.width - 1 - x).min(size.height - 1 - y)
}

/// The distance of a pixel from the nearest corner, measured along the edges.
fn corner(x: u16, y: u16, size: Pixels) -> u16 {
    x.min(size.width - 1 - x)
        .saturating_add(y.min(size.height - 1 - y))
}

/// How much of a pixel is covered if its middle lies this far inside a shape, in parts of [`Rgb::STEPS`].
fn share(inside: f64) -> u16 {
    ((inside + 0.5).clamp(0.0, 1.0) * f64::from(Rgb::STEPS)).round() as u16
}

/// The color of a pixel of a piece on this ground.
fn paint(ground: Rgb, piece: Piece, covered: Coverage) -> Rgb {
    let part = |covered: u8| u16::from(covered) * Rgb::STEPS / 255;
    ground
        .mixed(piece.fill, part(covered.body))
        .mixed(Rgb::BLACK, part(covered.line))
        .mixed(piece.detail, part(covered.detail))
}

impl Arrow {
    /// Whether the arrow comes so near to the tile that a part of it may be visible there.
    pub(crate) fn touches_tile(&self) -> bool {
        let (along, across, length) = self.place_of((0.0, 0.0));
        // Half the diagonal of a tile plus the width of the head is less than 1.
        length > 0.0 && across < 1.0 && along > -1.0 && along < length + 1.0
    }

    /// The distances of a point along the arrow and across it, and the length of the arrow. All are in squares, and the
    /// point is relative to the middle of the tile.
    fn place_of(&self, at: (f64, f64)) -> (f64, f64, f64) {
        let point = |(right, down): (i8, i8)| (f64::from(right), f64::from(down));
        let (from, to) = (point(self.from), point(self.to));
        let (right, down) = (to.0 - from.0, to.1 - from.1);
        let length = right.hypot(down);
        if length == 0.0 {
            return (0.0, 0.0, 0.0);
        }
        let (right, down) = (right / length, down / length);
        let (x, y) = (at.0 - from.0, at.1 - from.1);
        (x * right + y * down, (x * down - y * right).abs(), length)
    }

    /// How much of a pixel the arrow covers; `at` is the pixel's place relative to the middle of the tile, in squares.
    fn share(&self, at: (f64, f64), side: f64) -> u16 {
        let (along, across, length) = self.place_of(at);
        let neck = length - HEAD;
        let inside = if along > neck {
            ((length - along) * 0.6 - across).min(length - along)
        } else {
            (0.08 - across).min(along + 0.08)
        };
        share(inside * side)
    }
}
