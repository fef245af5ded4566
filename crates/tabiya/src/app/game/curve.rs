//! The evaluation over a game as a curve of blocks: the higher, the better for White.

use std::ops::Range;

use ratatui::layout::Rect;
use tabiya_play::analysis;

use super::super::canvas::Canvas;

/// The eighths of a cell, from the bottom.
const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// White's chances from the start on, with gaps where they are unknown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve<'a> {
    pub(super) chances: &'a [Option<f64>],
    /// How many positions the whole width stands for.
    pub(super) count: usize,
    /// The current position, which is highlighted.
    pub(super) here: Option<usize>,
}

impl Curve<'_> {
    pub(super) fn draw(self, area: Rect, canvas: &mut Canvas<'_>) {
        let palette = canvas.palette;
        for column in 0..area.width {
            let places = self.places(column, area.width);
            let Some(mean) = self.mean(&places) else {
                continue;
            };
            // At least an eighth is drawn, so that a lost game is visible too.
            let eighths = ((mean * f64::from(area.height) * 8.0).round() as u16).max(1);
            let style = if self.here.is_some_and(|here| places.contains(&here)) {
                palette.accent()
            } else {
                palette.dim()
            };
            for down in 0..area.height {
                let above = (area.height - 1 - down) * 8;
                let part = eighths.saturating_sub(above).min(8);
                let symbol = EIGHTHS.get(usize::from(part)).copied().unwrap_or(" ");
                if let Some(cell) = canvas.buffer.cell_mut((area.x + column, area.y + down)) {
                    cell.set_symbol(symbol).set_style(style);
                }
            }
        }
    }

    /// A column shows its share of the positions, or a position takes its share of the columns.
    fn places(&self, column: u16, columns: u16) -> Range<usize> {
        let (column, columns) = (usize::from(column), usize::from(columns.max(1)));
        let first = column * self.count / columns;
        let last = (column + 1) * self.count / columns;
        first..last.max(first + 1)
    }

    /// The mean of what is known about some positions.
    fn mean(&self, places: &Range<usize>) -> Option<f64> {
        let end = places.end.min(self.chances.len());
        analysis::mean(self.chances.get(places.start..end)?)
    }
}
