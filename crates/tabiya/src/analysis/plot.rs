//! The course of a game as a curve: in text, and as SVG.

use std::fmt::Write;

use tabiya_game::Glyph;
use tabiya_rules::Color;

use super::{GameAnalysis, mean};

/// The heights of a block in a cell.
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The rows of the curve in text.
const ROWS: usize = 7;

/// The size of the picture.
const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 240.0;

/// What stands for a part of the game that nothing is known about.
const UNKNOWN: char = '·';

/// The curve in text, at most so wide: the fuller a column, the better White stands.
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

/// The curve as a picture, with the marked moves on it and gaps where nothing is known; `first` is the number of the
/// game's first move.
pub(crate) fn svg(analysis: &GameAnalysis, first: u32, title: &str) -> String {
    let chances: Vec<Option<f64>> = analysis.chances().collect();
    let step = WIDTH / (chances.len().max(2) - 1) as f64;
    let point = |at: usize, chance: f64| (at as f64 * step, (1.0 - chance) * HEIGHT);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n\
         <title>{}</title>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#3a3a3a\"/>\n",
        escaped(title)
    );
    // An area for each part of the game without a gap.
    let mut path = String::new();
    let mut at = 0;
    for part in chances.split(Option::is_none) {
        for (here, &chance) in (at..).zip(part.iter().flatten()) {
            let (x, y) = point(here, chance);
            if here == at {
                // Writing to a string cannot fail.
                let _ = write!(path, "M{x:.1} {HEIGHT}");
            }
            let _ = write!(path, " L{x:.1} {y:.1}");
            if here + 1 == at + part.len() {
                let _ = write!(path, " L{x:.1} {HEIGHT} Z ");
            }
        }
        at += part.len() + 1;
    }
    let _ = writeln!(out, "<path d=\"{}\" fill=\"#f0f0f0\"/>", path.trim_end());
    let middle = HEIGHT / 2.0;
    let _ = writeln!(
        out,
        "<path d=\"M0 {middle} H{WIDTH}\" stroke=\"#888888\" stroke-dasharray=\"4 4\"/>"
    );
    let mut number = first;
    for (at, judged) in analysis.moves().enumerate() {
        if at > 0 && judged.by == Color::White {
            number += 1;
        }
        let (Some(mark), Some(chance)) = (judged.mark, judged.after.chance) else {
            continue;
        };
        let (x, y) = point(at + 1, chance);
        let color = match mark {
            Glyph::BLUNDER => "#d02020",
            Glyph::MISTAKE => "#e07a10",
            _ => "#c0a000",
        };
        let name = mark.symbol().unwrap_or_default();
        let _ = writeln!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{color}\"><title>{number} {} {name}</title></circle>",
            judged.by
        );
    }
    out.push_str("</svg>\n");
    out
}

/// A text inside of XML.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().filter(|&c| crate::clean::is_safe(c)) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}
