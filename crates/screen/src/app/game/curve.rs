//! The evaluation over a game as a curve of blocks: the higher, the better for White.

use ratatui_core::layout::Rect;
use tabiya_play::analysis;

use super::super::canvas::Canvas;

/// The eighths of a cell, from the bottom.
const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// Draws White's chances from the start on, with gaps where they are unknown. The whole width stands for `count`
/// positions, and the one that is `here` is highlighted.
pub(super) fn draw(
    chances: &[Option<f64>],
    count: usize,
    here: Option<usize>,
    area: Rect,
    canvas: &mut Canvas<'_>,
) {
    let styles = canvas.styles;
    // A column shows its share of the positions, or a position takes its share of the columns.
    let first = |column: u16| usize::from(column) * count / usize::from(area.width);
    for column in 0..area.width {
        let places = first(column)..first(column + 1).max(first(column) + 1);
        let known = chances.get(places.start..places.end.min(chances.len()));
        let Some(mean) = known.and_then(analysis::mean) else {
            continue;
        };
        // At least an eighth is drawn, so that a lost game is visible too.
        let eighths = ((mean * f64::from(area.height) * 8.0).round() as u16).max(1);
        let style = match here.is_some_and(|here| places.contains(&here)) {
            true => styles.accent(),
            false => styles.dim(),
        };
        for down in 0..area.height {
            let above = (area.height - 1 - down) * 8;
            let part = eighths.saturating_sub(above).min(8);
            if let Some(cell) = canvas.buffer.cell_mut((area.x + column, area.y + down)) {
                cell.set_symbol(EIGHTHS[usize::from(part)]).set_style(style);
            }
        }
    }
}
