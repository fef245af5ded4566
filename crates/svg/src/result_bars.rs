//! The results of games as bars, such as those of each opening or year.

use std::fmt::{self, Write};

use tabiya_rules::text::clean;

use crate::game_curve::escaped;

/// The dimensions of the picture, in pixels.
const WIDTH: f64 = 860.0;
const ROW: f64 = 20.0;
const LABELS: f64 = 380.0;
const BARS: f64 = 380.0;
const MARGIN: f64 = 16.0;

/// The greatest length of a label.
const MAX_LABEL_LENGTH: usize = 54;

/// The parts of a bar and their colors.
const PARTS: [(&str, &str); 4] = [
    ("White wins", "#f5f0e6"),
    ("draw", "#a8a29a"),
    ("Black wins", "#3b3733"),
    ("no result", "#d9e2ec"),
];

/// Groups of bars. Each bar is divided by the results of its games.
///
/// ```
/// use tabiya_svg::{BarGroup, ResultBar, ResultBars};
///
/// let sicilian = ResultBar {
///     label: "Sicilian Defense".to_owned(),
///     white_wins: 31,
///     draws: 40,
///     black_wins: 29,
///     unknown: 0,
/// };
/// let bars = ResultBars {
///     title: "100 games".to_owned(),
///     groups: vec![BarGroup {
///         title: "Openings".to_owned(),
///         bars: vec![sicilian],
///     }],
/// };
/// assert!(bars.svg().contains("Sicilian Defense"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultBars {
    /// The title of the picture.
    pub title: String,
    /// The groups, from top to bottom. Those without bars are left out.
    pub groups: Vec<BarGroup>,
}

/// Bars that are measured against the longest of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BarGroup {
    /// The heading.
    pub title: String,
    /// The bars, from top to bottom.
    pub bars: Vec<ResultBar>,
}

/// The results of some games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultBar {
    /// What the games have in common.
    pub label: String,
    /// The number of games that White won.
    pub white_wins: u64,
    /// The number of draws.
    pub draws: u64,
    /// The number of games that Black won.
    pub black_wins: u64,
    /// The number of games without a result.
    pub unknown: u64,
}

impl ResultBars {
    /// Returns the bars as the text of an SVG file, with a legend.
    #[must_use]
    pub fn svg(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut out);
        out
    }

    /// Writes the title, the legend and the groups of bars.
    fn write(&self, out: &mut String) -> fmt::Result {
        let groups = || self.groups.iter().filter(|group| !group.bars.is_empty());
        let rows: usize = groups().map(|group| group.bars.len() + 2).sum();
        let height = 2.0 * MARGIN + ROW * (rows as f64 + 1.0);
        let title = label(&self.title);
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n<title>{title}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"
        )?;
        write_legend(out)?;
        let mut y = MARGIN + 2.0 * ROW;
        for group in groups() {
            let title = label(&group.title);
            writeln!(
                out,
                "<text x=\"{MARGIN}\" y=\"{y}\" font-weight=\"bold\">{title}</text>"
            )?;
            let most = group.bars.iter().map(ResultBar::games).max().unwrap_or(1);
            for bar in &group.bars {
                y += ROW;
                bar.write(out, y, most.max(1))?;
            }
            y += 2.0 * ROW;
        }
        writeln!(out, "</svg>")
    }
}

impl ResultBar {
    fn games(&self) -> u64 {
        self.white_wins + self.draws + self.black_wins + self.unknown
    }

    /// Draws the bar at a height, where the longest has this many games.
    fn write(&self, out: &mut String, y: f64, most: u64) -> fmt::Result {
        let label = label(&self.label);
        writeln!(out, "<text x=\"{MARGIN}\" y=\"{y}\">{label}</text>")?;
        let mut x = LABELS;
        let top = y - 11.0;
        let counts = [self.white_wins, self.draws, self.black_wins, self.unknown];
        for (count, (_, fill)) in counts.into_iter().zip(PARTS) {
            let width = BARS * count as f64 / most as f64;
            if count > 0 {
                writeln!(
                    out,
                    "<rect x=\"{x:.2}\" y=\"{top}\" width=\"{width:.2}\" height=\"14\" fill=\"{fill}\" stroke=\"#3b3733\" \
                     stroke-width=\"0.5\"/>"
                )?;
            }
            x += width;
        }
        let (x, games) = (x + 6.0, self.games());
        writeln!(out, "<text x=\"{x:.2}\" y=\"{y}\">{games}</text>")
    }
}

/// Writes what the colors mean.
fn write_legend(out: &mut String) -> fmt::Result {
    let mut x = LABELS;
    for (name, fill) in PARTS {
        let (label_x, label_y) = (x + 18.0, MARGIN + 10.0);
        writeln!(
            out,
            "<rect x=\"{x}\" y=\"{MARGIN}\" width=\"12\" height=\"12\" fill=\"{fill}\" stroke=\"#3b3733\" stroke-width=\"0.5\"/>\
             <text x=\"{label_x}\" y=\"{label_y}\">{name}</text>",
        )?;
        x += 110.0;
    }
    Ok(())
}

/// A label: short, and escaped.
fn label(text: &str) -> String {
    let mut shown: String = text.chars().take(MAX_LABEL_LENGTH).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    escaped(clean(&shown).chars())
}

#[cfg(test)]
mod tests;
