//! Pictures on the terminal: which are shown, and the bytes that show others.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use ratatui_core::buffer::{Buffer, Cell};
use ratatui_core::layout::Rect;

use crate::tui::graphics::{self, Pixels, Protocol, Rasters, Tile};

/// The pictures on a terminal that shows pictures.
#[derive(Debug)]
pub(super) struct Pictures {
    protocol: Protocol,
    /// The size of a cell in pixels.
    cell: Pixels,
    rasters: Rasters,
    /// The pictures made so far, by content and size in cells.
    made: HashMap<(Tile, u16, u16), Made>,
    /// The ID of the next picture.
    next: u32,
    shown: HashMap<Rect, Shown>,
}

/// An encoded picture.
#[derive(Clone, Debug)]
struct Made {
    /// Its ID in kitty's protocol.
    id: u32,
    /// The bytes that show it, or in kitty's protocol those that transmit it, until they are sent.
    bytes: Vec<u8>,
}

/// A picture on the screen.
#[derive(Clone, Debug)]
struct Shown {
    tile: Tile,
    id: u32,
    /// A hash of the cells under it. If other text is written into them, the picture must be drawn again.
    cells: u64,
}

/// What to write after the cells of a frame.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// Cells that were under a picture and have to be written again.
    pub(super) cells: Vec<(u16, u16, Cell)>,
    pub(super) bytes: Vec<u8>,
}

/// How many pictures are kept. A board needs far fewer; after long use they are discarded and made again.
const MAX_PICTURES: usize = 1024;

impl Pictures {
    /// `first` is the first ID, so that two programs on one terminal use different ones.
    pub(super) fn new(protocol: Protocol, cell: Pixels, first: u32) -> Pictures {
        Pictures {
            protocol,
            cell,
            rasters: Rasters::default(),
            made: HashMap::new(),
            next: first,
            shown: HashMap::new(),
        }
    }

    /// Forgets which pictures are shown, because the screen was cleared, and takes over the new size of its cells. Returns
    /// what to write.
    pub(super) fn redraw_after_clearing(&mut self, cell: Pixels) -> Vec<u8> {
        let mut bytes = self.hide_all();
        if self.cell != cell {
            self.cell = cell;
            bytes.extend(self.delete_all());
        }
        bytes
    }

    /// Deletes the pictures that the terminal stores. Returns what to write.
    pub(super) fn delete_all(&mut self) -> Vec<u8> {
        self.rasters.clear();
        let mut bytes = Vec::new();
        for made in std::mem::take(&mut self.made).into_values() {
            if self.protocol == Protocol::Kitty && made.bytes.is_empty() {
                bytes.extend(graphics::delete_image(made.id).into_bytes());
            }
        }
        bytes
    }

    /// Determines what to write so that exactly these pictures are shown over these cells.
    pub(super) fn show(&mut self, tiles: &[(Rect, Tile)], buffer: &Buffer) -> Changes {
        let mut changes = Changes::default();
        if self.made.len() > MAX_PICTURES {
            changes.bytes = self.hide_all();
            changes.bytes.extend(self.delete_all());
        }
        let mut before = std::mem::take(&mut self.shown);
        for (area, tile) in tiles {
            let cells = hash(buffer, *area);
            let old = before.remove(area);
            match old {
                Some(old) if old.tile == *tile && (old.cells == cells || self.is_above_text()) => {
                    self.shown.insert(*area, Shown { cells, ..old });
                }
                old => {
                    let Some(id) = self.draw(*area, tile, &mut changes.bytes) else {
                        continue;
                    };
                    // The new one comes first, so that the cells under it do not flash.
                    if let Some(old) = old.filter(|old| old.id != id) {
                        self.hide(*area, &old, &mut changes.bytes);
                    }
                    let tile = tile.clone();
                    self.shown.insert(*area, Shown { tile, id, cells });
                }
            }
        }
        for (area, gone) in before {
            self.hide(area, &gone, &mut changes.bytes);
            if !self.is_above_text() {
                let positions = area.intersection(buffer.area).positions();
                let cells = positions.filter_map(|at| Some((at.x, at.y, buffer.cell(at)?.clone())));
                changes.cells.extend(cells);
            }
        }
        changes
    }

    /// Whether pictures cover text, whatever is written into the cells under them.
    fn is_above_text(&self) -> bool {
        self.protocol == Protocol::Kitty
    }

    /// Writes a picture, unless it is too large.
    fn draw(&mut self, area: Rect, tile: &Tile, bytes: &mut Vec<u8>) -> Option<u32> {
        let size = self.cell.of_cells(area.width, area.height)?;
        let key = (tile.clone(), area.width, area.height);
        let Pictures {
            protocol,
            rasters,
            made,
            next,
            ..
        } = self;
        let made = made.entry(key).or_insert_with(|| {
            let pixels = tile.pixels(size, rasters);
            *next = next.wrapping_add(1).max(1);
            let bytes = match *protocol {
                Protocol::Kitty => graphics::transmit(*next, &pixels, size),
                Protocol::Iterm => graphics::iterm(&pixels, size, area),
                Protocol::Sixel { colors } => graphics::sixel(&pixels, size, colors),
            };
            Made { id: *next, bytes }
        });
        bytes.extend(format!("\u{1b}[{};{}H", area.y + 1, area.x + 1).into_bytes());
        match protocol {
            Protocol::Kitty => {
                bytes.append(&mut made.bytes);
                bytes.extend(graphics::place(made.id, placement(area), area).into_bytes());
            }
            Protocol::Iterm | Protocol::Sixel { .. } => bytes.extend_from_slice(&made.bytes),
        }
        Some(made.id)
    }

    /// Hides all pictures. Returns what to write.
    fn hide_all(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (area, shown) in std::mem::take(&mut self.shown) {
            self.hide(area, &shown, &mut bytes);
        }
        bytes
    }

    /// Hides a picture; by protocols without placements, other cells cover it.
    fn hide(&self, area: Rect, shown: &Shown, bytes: &mut Vec<u8>) {
        match self.protocol {
            Protocol::Kitty => {
                let gone = graphics::delete_placement(shown.id, placement(area));
                bytes.extend(gone.into_bytes());
            }
            Protocol::Iterm | Protocol::Sixel { .. } => {}
        }
    }
}

/// The ID of the placement of a picture at a place.
fn placement(area: Rect) -> u32 {
    (u32::from(area.y) << 16 | u32::from(area.x)) + 1
}

/// A hash of the cells of an area.
fn hash(buffer: &Buffer, area: Rect) -> u64 {
    let mut hasher = DefaultHasher::new();
    for at in area.intersection(buffer.area).positions() {
        if let Some(cell) = buffer.cell(at) {
            (cell.symbol(), cell.fg, cell.bg, cell.modifier).hash(&mut hasher);
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests;
