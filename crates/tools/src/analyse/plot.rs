//! The evaluation over a game as a curve, as text and as SVG.

use tabiya_play::analysis::{GameAnalysis, mean};
use tabiya_rules::Color;
use tabiya_svg::{CurveMark, GameCurve};

/// The heights of a block in a cell.
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The number of rows of the curve as text.
const ROWS: usize = 7;

/// Stands for a part of the game without an evaluation.
const UNKNOWN: char = '·';

/// The curve as text, up to this width: the fuller a column, the better for White.
pub(crate) fn text(analysis: &GameAnalysis, width: usize) -> Vec<String> {
    let chances: Vec<Option<f64>> = analysis.chances().collect();
    let columns = width.saturating_sub(6).clamp(1, chances.len().max(1));
    let heights: Vec<Option<usize>> = (0..columns)
        .map(|column| {
            let from = column * chances.len() / columns;
            let to = ((column + 1) * chances.len() / columns).max(from + 1);
            let part = chances.get(from..to).unwrap_or_default();
            mean(part).map(|mean| (mean * (ROWS * 8) as f64).round() as usize)
        })
        .collect();
    (0..ROWS)
        .rev()
        .map(|row| {
            let label = match row {
                row if row + 1 == ROWS => "White",
                0 => "Black",
                row if row == ROWS / 2 => "even",
                _ => "",
            };
            let cells = heights.iter().map(|height| match height {
                Some(height) => {
                    let filled = height.saturating_sub(row * 8).min(8);
                    BLOCKS.get(filled).copied().unwrap_or(' ')
                }
                None if row == ROWS / 2 => UNKNOWN,
                None => ' ',
            });
            let line = format!("{label:>5} {}", cells.collect::<String>());
            line.trim_end().to_owned()
        })
        .collect()
}

/// The curve as a picture; `first` is the number of the game's first move.
pub(crate) fn svg(analysis: &GameAnalysis, first: u32, title: &str) -> String {
    let chances: Vec<Option<f64>> = analysis.chances().collect();
    let mut marks = Vec::new();
    let mut number = first;
    for (at, judged) in analysis.moves().enumerate() {
        if at > 0 && judged.by == Color::White {
            number += 1;
        }
        marks.extend(judged.mark.map(|glyph| CurveMark {
            at: at + 1,
            number,
            by: judged.by,
            glyph,
        }));
    }
    GameCurve {
        title,
        chances: &chances,
        marks: &marks,
    }
    .svg()
}

#[cfg(test)]
mod tests;
